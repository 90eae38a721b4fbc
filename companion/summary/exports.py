"""A game to keep elsewhere: as the program's own text, and as JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from companion.events import record_json
from companion.games.game import Json
from companion.journal.reader import Entry
from companion.notation.game_text import format_game, text_of
from companion.summary.story import Story, Turn


def text_record(story: Story) -> str:
    """The record that `companion import` reads: corrections applied, a move a line."""
    return format_game(story.record, story.names)


def json_record(story: Story, entries: Iterable[Entry]) -> str:
    """The same as one JSON object, with every event as it was told."""
    text = text_of(story.record, story.names)
    told: dict[str, Any] = {
        "game": text.game,
        "setup": text.setup,
        "options": text.options,
        "names": text.names,
        "start": text.start,
        "started": story.started.isoformat(timespec="seconds"),
        "duration_s": round(story.duration.total_seconds()),
        "turns": [_turn(turn) for turn in story.turns],
        "result": text.result,
        "events": [record_json(entry.record) for entry in entries],
    }
    return json.dumps(told, ensure_ascii=False, indent=1, default=dict) + "\n"


def _turn(turn: Turn) -> dict[str, Json]:
    line: dict[str, Json] = {"ply": turn.ply, "by": turn.by, "move": turn.move, "words": turn.words}
    return {**line, "forfeit": True} if turn.forfeit else line
