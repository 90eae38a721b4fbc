"""The contract that every game fulfils, so that judge, reconciler, journal, replay and page need no branch per game.

A game has two faces. `Game` is the rules: positions and moves. `TableGame` adds what the table would show: which
label stands at which place in a position, which beams a move breaks, and which breaches of the rules a person's
hands can do. Moves are texts in the game's notation; players are texts, too ("blue", "A").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NewType, Protocol, TypeVar

Player = NewType("Player", str)
Place = NewType("Place", str)
"""A named place of the board, as in the contract: "2.3", "knob", "NE.S", "N>NE M"."""
Label = NewType("Label", str)
"""What can stand at a place: "B", "K", "Y", "W" and "." for empty in Infinity."""

Wanted = Mapping[Place, Collection[Label]]
"""Places, and the labels that they might show."""

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a winner and by what, or a draw and by what; `path` only where the game has one.

    `places` are all players, best first and equals together, where the game has places beyond the winner's.
    """

    winner: Player | None = None
    by: str | None = None
    draw: str | None = None
    path: tuple[str, ...] = ()
    places: tuple[tuple[Player, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Played(Generic[P]):
    """A legal move, played."""

    move: str
    by: Player
    after: P
    forfeit: bool = False
    facts: Mapping[str, Json] = field(default_factory=dict)
    """What `judge` prints of this move beside move and legal (Infinity: rows, points, score, house_rules); `by`, too,
    in a game whose verdicts name the mover. Forfeits always do."""
    explanation: str = ""
    """A sentence for people where the turn needs one: which house rule decided, what was cancelled."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """A move that the rules forbid: the contract's reason, and a sentence for people."""

    move: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A mark that a move leaves in the sensors: kind is "entered" or "left", channel counts from 1."""

    kind: str
    channel: int


@dataclass(frozen=True, slots=True)
class Breach:
    """A physically possible change that is no legal move: what it does to the sight, and why it is wrong."""

    reason: str
    detail: str
    changes: Mapping[Place, Label]
    """Only the places that differ from the position before."""
    traces: tuple[Trace, ...] = ()
    moves: tuple[str, ...] = ()
    """The moves that were made, where the breach consists of moves (two marbles, out of turn)."""
    accident: bool = False
    """Whether the same is seen where a piece fell over, or was lifted for a moment: that takes patience to tell."""
    strange: bool = False
    """Whether it takes a piece that does not belong to the game."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the table shows after a legal move.

    Attributes:
        changes: the places that differ from the position before, once all is done that the move asks for.
        lying: pieces that the move asks to be taken off the board, as they show for as long as they still lie there.
    """

    move: str
    changes: Mapping[Place, Label]
    lying: Mapping[Place, Label] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OtherStart(Generic[P]):
    """Another way to begin: a short name for it, the same in words for people, and its position."""

    name: str
    words: str
    position: P


class Game(Protocol[P]):
    """The rules. All methods are pure; positions are frozen and hashable."""

    @property
    def name(self) -> str: ...
    @property
    def players(self) -> tuple[Player, ...]: ...
    @property
    def options(self) -> Mapping[str, Json]: ...
    @property
    def setup(self) -> Mapping[str, Json]:
        """What the game was told beside its options (players, pattern, posts); empty where it needs nothing."""
        ...

    def start(self) -> P: ...

    def parse_position(self, data: Mapping[str, Json]) -> P:
        """Read the `position` object of the contract.

        Raises:
            PositionError: with every fault of it at once.
        """
        ...

    def position_json(self, position: P) -> dict[str, Json]:
        """Write the `position` object of the contract; `parse_position` takes it back."""
        ...

    def to_move(self, position: P) -> Player | None:
        """Whose turn it is; None when the game is over, or before the first move where anybody may start."""
        ...

    def outcome(self, position: P) -> Outcome | None: ...

    def forced(self, position: P) -> Played[P] | None:
        """The turn that the referee plays by itself (a forfeit), or None where a player is to act."""
        ...

    def legal_moves(self, position: P) -> tuple[str, ...]:
        """All legal moves in a stable order; empty only when the game is over or a forfeit is due."""
        ...

    def play(self, position: P, move: str) -> Played[P] | Illegal:
        """Play a move given as text; an illegal or unreadable one is a value with its reason."""
        ...

    def describe(self, position: P, move: str) -> str:
        """The move in words for people, e.g. "Blue pushes a marble into channel 3"."""
        ...

    def facts(self, position: P) -> Mapping[str, Json]:
        """What `judge` prints of a position beside it (Finity: `reachable`)."""
        ...

    def explain(self, position: P) -> Mapping[str, Json]:
        """Why the position stands as it does, as `judge` prints it when asked; empty where the board says it all."""
        ...


class TableGame(Game[P], Protocol[P]):
    """The rules, and what the table would show of them."""

    def sight(self, position: P) -> Mapping[Place, Label]:
        """What every place of the board shows in this position (the knob and the well are apart)."""
        ...

    def traces(self, position: P, move: str) -> tuple[Trace, ...]:
        """What beams a legal move breaks, in order."""
        ...

    def taps(self, position: P, move: str) -> tuple[tuple[Place, ...], ...]:
        """Where people tap on a drawing of the board to say a legal move, step by step: any of a step's places will do.

        Empty for a move that touches nothing, such as letting the turn pass.
        """
        ...

    def effects(self, position: P, wanted: Wanted | None = None) -> Iterator[Effect]:
        """What the legal moves change; of moves that come to the very same only one.

        Args:
            wanted: only moves that make one of these places show one of its labels; a game of few moves may tell all.
        """
        ...

    def play_overlooking_orphans(self, position: P, move: str) -> Played[P] | Illegal:
        """Play a move after which the players leave on the board what they should have taken off it.

        Their `facts` then have `overlooked`. The same as `play` in a game where no move takes pieces off.
        """
        ...

    def breaches(self, position: P, wanted: Wanted | None = None) -> Iterator[Breach]:
        """The physically possible illegal changes, in a stable order.

        Args:
            wanted: only changes that make one of these places show one of its labels, and of these pairs of moves,
                too; a game of few breaches may tell all.
        """
        ...

    def place_words(self, place: Place, label: Label) -> str:
        """What a place shows, in words for people: "A's small ring on NE", "nothing in seat 3 of channel 2"."""
        ...

    def other_starts(self) -> Iterator[OtherStart[P]]:
        """The start with the players seated otherwise, where that is a choice of the table's."""
        ...

    def knob_stop(self, position: P) -> int | None:
        """Where the knob should stand (-4 to 5, clockwise from `*`), None in a game without a knob."""
        ...

    def well(self, position: P) -> Mapping[Label, int] | None:
        """How many pieces of each label lie beside the board, None where that cannot be seen."""
        ...
