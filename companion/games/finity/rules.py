"""The rules of Finity, as a game at a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.games.finity import breaches, effects, explaining, naming, reasons, seatings, table, words
from companion.games.finity.describing import describe
from companion.games.finity.legality import fault_of
from companion.games.finity.listing import legal_moves
from companion.games.finity.moves import Unread
from companion.games.finity.options import Options
from companion.games.finity.parsing import parse_position, position_json, start_position
from companion.games.finity.position import Position
from companion.games.finity.setup import Setup
from companion.games.finity.terms import Terms
from companion.games.finity.turns import pieces_of, played, swept
from companion.games.game import (
    Breach,
    Effect,
    Illegal,
    Json,
    Label,
    OtherStart,
    Outcome,
    Place,
    Played,
    Player,
    Trace,
    Wanted,
)


class Finity:
    """Finity under given options: a `TableGame` of `Position`."""

    def __init__(self, setup: Setup, options: Options) -> None:
        self._setup = setup
        self._options = options
        self.terms = Terms.of(setup, options)

    @classmethod
    def of(cls, setup: Mapping[str, Json], options: Mapping[str, Json] | None = None) -> Finity:
        """The game of a set-up and options as people write them.

        Raises:
            InputError: with every fault of either.
        """
        known = Options.parse(options or {})
        return cls(Setup.parse(setup, known), known)

    @property
    def name(self) -> str:
        return "finity"

    @property
    def players(self) -> tuple[Player, ...]:
        return self.terms.players

    @property
    def options(self) -> Mapping[str, Json]:
        """All options in force, defaults too."""
        return self._options.as_json()

    @property
    def setup(self) -> Mapping[str, Json]:
        """Players, pattern, posts, and the board where it is the user's own."""
        return self._setup.as_json()

    def start(self) -> Position:
        return start_position(self.terms)

    def parse_position(self, data: Mapping[str, Json]) -> Position:
        return parse_position(data, self.terms)

    def position_json(self, position: Position) -> dict[str, Json]:
        return position_json(position, self.terms)

    def to_move(self, position: Position) -> Player | None:
        return None if position.to_move is None else self.players[position.to_move]

    def outcome(self, position: Position) -> Outcome | None:
        """See `Game.outcome`: None while others play on for places."""
        return None if position.places and position.to_move is not None else position.outcome

    def forced(self, position: Position) -> Played[Position] | None:
        """None: nobody is ever passed over in Finity."""
        return None

    def legal_moves(self, position: Position) -> tuple[str, ...]:
        """See `Game.legal_moves`; the order is told in `listing`."""
        return legal_moves(self.terms, position)

    def play(self, position: Position, move: str) -> Played[Position] | Illegal:
        """See `Game.play`: the move is whole, and orphans are swept once for all players after it."""
        return self._play(position, move, sweep=True)

    def play_overlooking_orphans(self, position: Position, move: str) -> Played[Position] | Illegal:
        """Play a move after which the players leave the orphans lying: `facts` name them, and they stay on the board.

        They go when somebody notices (`sweep`), or with the next move whose orphans are not overlooked; if a move
        connects them again before, they stay for good.
        """
        return self._play(position, move, sweep=False)

    def orphans(self, position: Position) -> tuple[words.Orphan, ...]:
        """The overlooked orphans that lie on the board, by player and station."""
        return swept(self.terms, pieces_of(position))[1]

    def sweep(self, position: Position) -> Position:
        """The position once overlooked orphans were noticed and removed, before the next move is complete."""
        rings, orphans = swept(self.terms, pieces_of(position))
        if not orphans:
            return position
        barred = () if self._options.undo_exception == "board_changed" else position.barred
        return replace(position, rings=rings, ringless=0, barred=barred)

    def describe(self, position: Position, move: str) -> str:
        return describe(self.terms, position, move)

    def facts(self, position: Position) -> Mapping[str, Json]:
        """`reachable`: for each player the stations on legal walks."""
        return {"reachable": explaining.reachable(self.terms, position)}

    def explain(self, position: Position) -> Mapping[str, Json]:
        """See `explaining.explanation`."""
        return explaining.explanation(self.terms, position)

    def sight(self, position: Position) -> Mapping[Place, Label]:
        return table.sight(self.terms, position)

    def traces(self, position: Position, move: str) -> tuple[Trace, ...]:
        """No beam watches this board."""
        return ()

    def taps(self, position: Position, move: str) -> tuple[tuple[Place, ...], ...]:
        """A slot or a seat; for what is moved, where it stands and then where it goes."""
        return table.taps(self.terms, position, move)

    def effects(self, position: Position, wanted: Wanted | None = None) -> Iterator[Effect]:
        """See `TableGame.effects`."""
        return effects.effects(self, position, wanted)

    def breaches(self, position: Position, wanted: Wanted | None = None) -> Iterator[Breach]:
        """See `TableGame.breaches`. A change that looks like a legal move is none."""
        return breaches.breaches(self, position, wanted)

    def place_words(self, place: Place, label: Label) -> str:
        return naming.place_shows(place, label)

    def other_starts(self) -> Iterator[OtherStart[Position]]:
        """See `TableGame.other_starts`: the base stations dealt out to the players in every other order."""
        return seatings.other_starts(self)

    def knob_stop(self, position: Position) -> int | None:
        return None

    def well(self, position: Position) -> Mapping[Label, int] | None:
        return None

    def _play(self, position: Position, text: str, *, sweep: bool) -> Played[Position] | Illegal:
        move = self.terms.notation.parse(text)
        if isinstance(move, Unread) and move.reason == "unreadable_move":
            return Illegal(text, *move)
        seat = position.to_move
        if seat is None:
            return Illegal(text, "game_over", reasons.game_over(position.outcome))
        if isinstance(move, Unread):
            return Illegal(text, *move)
        fault = fault_of(self.terms, position, seat, move)
        if fault is not None:
            return Illegal(text, *fault)
        return played(self.terms, position, seat, text, move, sweep=sweep)
