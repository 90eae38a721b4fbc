"""The games of a club: one that is played at a table, and what became of one that is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.games.game import Json
from companion.standing import standing

LONGEST_NAME = 60
"""Letters of a player's or a table's name, as the tables' configs allow it."""
MOST_POINTS = 10_000
"""Beyond what any game has; what says more is no table of ours."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A table by its topic: the node's and its own level."""

    node: str
    table: str

    def __str__(self) -> str:
        return f"{self.node}/{self.table}"


@dataclass(frozen=True, slots=True)
class Side:
    """A player in a game.

    Attributes:
        name: the own one; empty where there is none.
        points: as `companion.standing` counts them; None where nobody told.
    """

    player: str
    name: str = ""
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game at a table.

    Attributes:
        key: no other game's, and the same whenever the broker tells of it again.
        began, ended: UTC in ISO 8601; empty where it is not known.
        winner: the player; None in a draw, and while it is played.
        words: the outcome for people.
        over: whether it has a result.
        seq: of the event that said so.
        mark: of the moves, by which the same result is known again in a state; empty where none was seen.
        by_state: whether only a state told of the end, for its event never came.
    """

    key: str
    place: Place
    table: str = ""
    game: str = ""
    sides: tuple[Side, ...] = ()
    began: str = ""
    ended: str = ""
    winner: str | None = None
    words: str = ""
    over: bool = False
    seq: int = 0
    mark: str = ""
    by_state: bool = False

    def with_players(self, about: Mapping[str, Json]) -> Game:
        """With game, players, names and points as an event or a state has them; what it does not have stays."""
        named = names_in(about)
        counted = standing({"players": [side.player for side in self.sides], **about})
        points = {player: n for player, n in counted.items() if abs(n) <= MOST_POINTS}
        known = {side.player: side for side in self.sides}
        players = _players(about) or tuple(known)
        sides = tuple(
            Side(
                player,
                known.get(player, Side(player)).name if named is None else named.get(player, ""),
                points.get(player, known.get(player, Side(player)).points),
            )
            for player in players
        )
        return replace(self, game=_text(about.get("game")) or self.game, sides=sides)


@dataclass(frozen=True, slots=True)
class Voided:
    """A result was taken back: the game goes on."""

    key: str


Change = Game | Voided
"""What is to be kept: a game as it is now, or that it has no result any more."""


def names_in(about: Mapping[str, Json]) -> dict[str, str] | None:
    """The names of players, short and in one line; None where nothing is said about them."""
    names = about.get("names")
    if not isinstance(names, Mapping):
        return None
    return {str(player): one_line(name) for player, name in names.items() if isinstance(name, str)}


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """A text from outside without line ends and other control characters, and not too long."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def _players(about: Mapping[str, Json]) -> tuple[str, ...]:
    players = about.get("players")
    listed = players if isinstance(players, list | tuple) else ()
    return tuple(one_line(player, 20) for player in listed if isinstance(player, str) and player)


def _text(value: Json) -> str:
    return one_line(value) if isinstance(value, str) else ""
