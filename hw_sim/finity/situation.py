"""What a breach of Finity's rules is sought in."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.game import Played
from hw_sim.finity.looks import LegalLooks, orphans_of


@dataclass(frozen=True, slots=True)
class Situation:
    """What a breach is sought in.

    Attributes:
        shown: the label at every place.
        blind: places that the camera never sees.
        last: who moved last; empty before the first move.
        legal: what legal moves look like.
    """

    game: Finity
    position: Position
    shown: Mapping[str, str]
    blind: frozenset[str]
    last: str
    rng: random.Random
    legal: LegalLooks

    @property
    def mover(self) -> str:
        return str(self.game.to_move(self.position))

    def shuffled(self, texts: Iterable[str]) -> list[str]:
        found = list(texts)
        self.rng.shuffle(found)
        return found


def cuts_off(game: Finity, position: Position, move: str) -> bool:
    """Whether a legal move cuts rings off."""
    played = game.play(position, move)
    return isinstance(played, Played) and bool(orphans_of(played))


def ends(game: Finity, position: Position, move: str) -> bool:
    """Whether a legal move ends the game."""
    played = game.play(position, move)
    return isinstance(played, Played) and played.after.to_move is None
