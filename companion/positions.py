"""Positions that do not lie on the table: those of earlier plies, and what a move would lead to.

All of it is computed from the record and the rules, so it shows every ply as it was believed to be since the last
correction. The keys are those of the whole state (`companion.state`), so that the page draws it as it draws that.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import UsageError
from companion.games.game import Illegal, Json, P, Played
from companion.orphans import cut_off, orphans_of
from companion.record import GameRecord
from companion.state import outcome_json
from companion.texts import text


def position_json(record: GameRecord[P], ply: int) -> dict[str, Json]:
    """The table as it was after `ply` turns; 0 is the start.

    Returns:
        What `_shown` has, `ply`, `orphans` that the ply cut off, and `places` that differ from the ply before.
    Raises:
        UsageError: where the record has no such ply.
    """
    position = _at(record, ply)
    before = _at(record, max(0, ply - 1))
    last = record.plies[ply - 1] if ply else None
    return {
        **_shown(record, position),
        "ply": ply,
        "places": _differing(record, before, position),
        "orphans": [] if last is None else [list(orphan) for orphan in orphans_of(last)],
    }


def what_if_json(record: GameRecord[P], ply: int, move: str) -> dict[str, Json]:
    """What a move would lead to after `ply` turns.

    Returns:
        `move` and `legal`; of an illegal one `reason` and `detail`, of a legal one what `position_json` has (`orphans`
        are the rings that it would cut off) with `words` and `by`.
    Raises:
        UsageError: where the record has no such ply.
    """
    position = _at(record, ply)
    played = record.game.play(position, move)
    if isinstance(played, Illegal):
        return {"move": move, "legal": False, "reason": played.reason, "detail": played.detail}
    return {
        **_shown(record, played.after),
        "move": move,
        "legal": True,
        "words": record.game.describe(position, move),
        "by": str(played.by),
        "ply": ply,
        "places": _differing(record, position, played.after),
        "orphans": _orphans(played),
    }


def _at(record: GameRecord[P], ply: int) -> P:
    if not 0 <= ply <= len(record.plies):
        raise UsageError(text("there is no ply {ply}; the record has {count}", ply=ply, count=len(record.plies)))
    return record.plies[ply - 1].played.after if ply else record.start


def _shown(record: GameRecord[P], position: P) -> dict[str, Json]:
    """What is drawn of a position: its sight, score, well and explanation, and whose turn it is, or how it ended."""
    game = record.game
    to_move, outcome, well = game.to_move(position), game.outcome(position), game.well(position)
    score = game.position_json(position).get("score")
    explanation: Mapping[str, Json] = game.explain(position)
    return {
        "game": game.name,
        "sight": {str(place): str(label) for place, label in game.sight(position).items()},
        "score": score if isinstance(score, int) else None,
        "to_move": None if to_move is None else str(to_move),
        "well": None if well is None else {str(label): count for label, count in well.items()},
        "knob": {"expected": game.knob_stop(position), "seen": None},
        "outcome": None if outcome is None else outcome_json(outcome),
        **({"explanation": explanation} if explanation else {}),
    }


def _differing(record: GameRecord[P], before: P, after: P) -> list[Json]:
    was, now = record.game.sight(before), record.game.sight(after)
    return [str(place) for place in now if was.get(place) != now[place]]


def _orphans(played: Played[P]) -> list[Json]:
    return [list(orphan) for orphan in cut_off(played)]
