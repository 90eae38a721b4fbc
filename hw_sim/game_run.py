"""A whole simulated game as fast as it can be computed: everything that happens, in time order.

    game = SimGame(seed=7, faults=Faults.all_on(), breaches=(BreachKind.TWO_MARBLES,))
    for happening in game.run():
        match happening:
            case FrameTaken(): ...        # .seen is what a reader of pictures would say; .scene can be drawn
            case Edge(): ...              # a line's level; game.pins says at which pin
            case BytesSent(): ...         # from the board's serial port
            case BreachMade(): ...        # the truth; when the referee complains: game.complain(reason)

Nothing here waits: `hw_sim.live` lets the same game pass in real time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.infinity.board import InfinityBoard
from companion.games.game import Json
from companion.games.registry import game_named
from firmware_bridge.wiring import Wiring
from hw_sim.board_device import SimBoard
from hw_sim.breaches import BreachKind
from hw_sim.disturbances import start_disturbances
from hw_sim.faults import Faults, stream
from hw_sim.happenings import BytesSent, FrameTaken, Happening, PortChanged
from hw_sim.players import Habits, Player, RandomPlayer
from hw_sim.running import RunningGame
from hw_sim.script import Complaint, Script
from hw_sim.senses import SimEyes
from hw_sim.table import SimTable
from hw_sim.wires import TABLE_WIRING, line_pins

FORFEIT = "pass"


@dataclass(frozen=True, slots=True)
class GameTruth:
    """How things really are: on the table, and by the rules (`score`, `to_move`, `moves`)."""

    board: str
    well: str
    knob_stop: int
    settled: bool
    score: int
    to_move: str | None
    moves: tuple[str, ...]


class SimGame(RunningGame[Happening]):
    """A game at a simulated table.

    Args:
        seed: the whole game follows from it and from the other arguments.
        faults: what goes wrong; nothing by default.
        players: two (Blue's, Yellow's), or one for both; random ones by default.
        habits: how people behave.
        breaches: rule breaches to commit, each once, where the game makes them possible (in this order, but those
            that are possible go first).
        options: house rules that differ from the defaults.
        board: measures of the board; the built-in one by default.
        wiring: pins and knob.
        frame_s: from one picture to the next; 0 takes none.
        sights: whether pictures come read (`FrameTaken.seen`).
        serial: whether a board is plugged in that speaks the wire protocol.
        occupancy: whether that board has switches in the slots.
        edges: whether levels of pins are told.
    """

    def __init__(
        self,
        seed: int | str = 0,
        *,
        faults: Faults | None = None,
        players: Player | tuple[Player, Player] | None = None,
        habits: Habits | None = None,
        breaches: Sequence[BreachKind] = (),
        options: Mapping[str, Json] | None = None,
        board: InfinityBoard | None = None,
        wiring: Wiring | None = None,
        frame_s: float = 0.5,
        sights: bool = True,
        serial: bool = False,
        occupancy: bool = False,
        edges: bool = True,
    ) -> None:
        self.faults = faults or Faults()
        self.options = dict(options or {})
        rules = game_named("infinity", self.options)
        wiring = wiring or _wiring_for(rules.options)
        self.table = SimTable(board, seed=seed, faults=self.faults, wiring=wiring)
        super().__init__(self.table.timeline, frame_s, self.faults.lost_frames, stream(seed, "frames"))
        self.pins = line_pins(wiring)
        both = players if isinstance(players, tuple) else (players or RandomPlayer(),) * 2
        self.script = Script(self.table, rules, both, habits or Habits(), breaches, self._tell, stream(seed, "script"))
        self._eyes = SimEyes(self.table.geometry, self.faults, stream(seed, "eyes")) if sights else None
        self.board_device = self._plug_in(occupancy=occupancy) if serial else None
        if edges:
            self.table.listen(self._tell)
        start_disturbances(self.table, stream(seed, "disturbances"))
        self.begin(self.script.play())

    @property
    def rules(self) -> Any:
        """The rules that are played by, a `TableGame`."""
        return self.script.game

    @property
    def finished(self) -> bool:
        return self.script.finished

    def complain(self, reason: str, position: str | None = None) -> None:
        """The referee says aloud what is wrong: a reason of the contract, or "knob_mismatch".

        Args:
            position: the board that the referee goes on from, where it says so; people put the table right to that.
        """
        self.script.complain(Complaint(reason, position))

    def follow(self, plies: int) -> None:
        """The referee has told of so many plies: people wait with the next until it has told of all."""
        self.script.scoreboard.show(plies)

    def answer(self, choices: Sequence[str], ply: int | None = None) -> str | None:
        """What people answer when the referee asks which moves were made.

        Args:
            choices: moves, or several moves with spaces or commas between; other choices are never the answer.
                Forfeits may be among them or not.
            ply: how many turns the referee has played before the moves it asks for; None where it does not say,
                and the last turns are meant.

        Returns:
            The choice that tells what really happened, None where none does.
        """
        for choice in choices:
            asked = [move for move in choice.replace(",", " ").split() if move != FORFEIT]
            since = self.script.moves[ply:] if ply is not None else self.script.moves
            moves = [move for move in since if move != FORFEIT]
            start = 0 if ply is not None else len(moves) - len(asked)
            if asked and moves[start : start + len(asked)] == asked:
                return choice
        return None

    def truth(self) -> GameTruth:
        table, rules, position = self.table.truth(), self.script.game, self.script.position
        score = rules.position_json(position).get("score", 0)
        mover = rules.to_move(position)
        return GameTruth(
            table.board,
            table.well,
            table.knob_stop,
            table.settled,
            score if isinstance(score, int) else 0,
            str(mover) if mover else None,
            tuple(self.script.moves),
        )

    def _frame(self) -> FrameTaken:
        table, scene = self.table, self.table.scene()
        seen = self._eyes.look(table.now_s, scene, table.light, sliding=table.sliding) if self._eyes else None
        return FrameTaken(table.now_s, scene, table.light, seen)

    def _plug_in(self, *, occupancy: bool) -> SimBoard:
        def plugged(in_place: bool) -> None:
            self._tell(PortChanged(self.table.now_s, in_place))

        def arrived(data: bytes) -> None:
            self._tell(BytesSent(self.table.now_s, data))

        return SimBoard(self.table, arrived, plugged, occupancy=occupancy)


def _wiring_for(options: Mapping[str, Json]) -> Wiring:
    """The usual pins, with Blue's direction of the knob as the house rules have it."""
    return replace(TABLE_WIRING, blue_knob=str(options.get("blue_knob", "cw")))
