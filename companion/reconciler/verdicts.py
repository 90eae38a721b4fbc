"""What the reconciler concludes: values, never exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.game import Breach, Label, Place


@dataclass(frozen=True, slots=True)
class FoundMove:
    """A move. It is sure where `others` is empty.

    Attributes:
        others: moves that fit all evidence as well, likeliest first.
        player_open: whether one of them is another player's.
        overlooked: whether what should have left the board after it stays, for nobody noticed before the next move.
    """

    move: str
    others: tuple[str, ...] = ()
    player_open: bool = False
    overlooked: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing to tell. `confirmed` when settled looks show the position that is believed."""

    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class MovesFound:
    """Moves to tell, in order. The last `replaced` of those told before are taken back for them."""

    moves: tuple[FoundMove, ...]
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class IllegalFound:
    """A breach of the rules; `also` are other breaches that look just the same."""

    breach: Breach
    also: tuple[Breach, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A person must say which: sequences of moves by likelihood, an empty one for "nothing happened".

    They stand in place of the last `replaces` moves told.
    """

    choices: tuple[tuple[str, ...], ...]
    replaces: int = 0


@dataclass(frozen=True, slots=True)
class Unexplained:
    """The board shows what no hypothesis explains: the places that differ from the belief, as seen."""

    seen: Mapping[Place, Label]


@dataclass(frozen=True, slots=True)
class NotAsAtStart:
    """The first looks show another board than that of the start: what differs, as seen.

    `others` are names of other starts that it shows, the players seated otherwise.
    """

    seen: Mapping[Place, Label]
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """What was wrong on the board is put right."""


Verdict = Nothing | MovesFound | IllegalFound | Ambiguous | Unexplained | NotAsAtStart | Restored
