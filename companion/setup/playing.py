"""The game under way beside its set-up: what of a draft would be another game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.game import Json
from companion.setup.draft import Draft, provisional_game
from companion.texts import Text, text

if TYPE_CHECKING:
    from companion.config import Config


def other_game(config: Config, draft: Draft) -> tuple[Text, ...]:
    """Why a draft is another game than the one that a config began; nothing where that can go on."""
    if draft.game != config.table.game:
        return (text("Another game was chosen."),)
    now, then = provisional_game(draft), config.make_game()
    found = []
    if _plain(now.setup) != _plain(then.setup):
        found.append(text("Players, tower or seats are others."))
    if _plain(now.options) != _plain(then.options):
        found.append(text("House rules are others."))
    return tuple(found)


def _plain(value: Mapping[str, Json]) -> Json:
    """As it comes back from a file, where a tuple is a list."""
    plain: Json = json.loads(json.dumps(value, default=dict))
    return plain
