"""A whole simulated game of Finity as fast as it can be computed: everything that happens, in time order.

    game = FinityGame(seed=7, setup={"players": 2, "pattern": "bwbbwbww"}, faults=Faults.all_on())
    for happening in game.run():
        match happening:
            case FrameTaken(): ...        # .seen is what a reader of pictures would say; .scene can be drawn
            case MoveMade(): ...          # the truth; when the referee names orphans: game.point_out(orphans)

Nothing here waits: `hw_sim.live` lets the same game pass in real time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.finity.board import FinityBoard
from companion.games.finity.rules import Finity
from companion.games.game import Json
from hw_sim.disturbances import start_disturbances
from hw_sim.faults import Faults, stream
from hw_sim.finity.breaches import FinityBreachKind
from hw_sim.finity.breaking import Complaint
from hw_sim.finity.deeds import spelt
from hw_sim.finity.happenings import FrameTaken, Happening, Ring
from hw_sim.finity.players import FinityHabits, RandomFinityPlayer
from hw_sim.finity.script import FinityScript
from hw_sim.finity.senses import FinityEyes
from hw_sim.finity.table import SimFinityTable
from hw_sim.players import Player
from hw_sim.running import RunningGame

_SLOT = r"\w+>\w+ [LMR]"
_MOVE = re.compile(
    rf"add [bw] {_SLOT}|reverse {_SLOT}|remove {_SLOT}|ring \w+ [SML]|blocker (?:hand|{_SLOT}) to {_SLOT}"
    rf"|unblock {_SLOT}|post \w+|teleport \w+"
)


@dataclass(frozen=True, slots=True)
class FinityGameTruth:
    """How things really are: on the table, and by the rules.

    Attributes:
        sight: the label at every place, as the pieces lie.
        settled: whether nothing moves and nothing is in a hand.
        position: as the rules have it after the last legal move, orphans swept.
        orphans: the rings that still lie there and should not.
    """

    sight: Mapping[str, str]
    settled: bool
    position: Any
    to_move: str | None
    moves: tuple[str, ...]
    orphans: tuple[Ring, ...]


class FinityGame(RunningGame[Happening]):
    """A game at a simulated table.

    Args:
        seed: the whole game follows from it and from the other arguments.
        setup: players, pattern and perhaps posts, as in a recording's meta.json.
        options: house rules that differ from the defaults.
        faults: what goes wrong; nothing by default.
        players: one for all, or one for each letter in order; random ones by default.
        habits: how people behave.
        breaches: rule breaches to commit, each once, where the game makes them possible (in this order, but those
            that are possible go first).
        board: measures of the board; the built-in one by default.
        frame_s: from one picture to the next; 0 takes none.
        sights: whether pictures come read (`FrameTaken.seen`).

    Raises:
        InputError: for a set-up or options that the rules refuse.
    """

    def __init__(
        self,
        seed: int | str = 0,
        *,
        setup: Mapping[str, Json],
        options: Mapping[str, Json] | None = None,
        faults: Faults | None = None,
        players: Player | Sequence[Player] | None = None,
        habits: FinityHabits | None = None,
        breaches: Sequence[FinityBreachKind] = (),
        board: FinityBoard | None = None,
        frame_s: float = 0.5,
        sights: bool = True,
    ) -> None:
        self.faults = faults or Faults()
        self.options = dict(options or {})
        self.table = SimFinityTable(board, seed=seed, setup=setup, options=options, faults=self.faults)
        super().__init__(self.table.timeline, frame_s, self.faults.lost_frames, stream(seed, "frames"))
        self.setup = dict(self.rules.setup)
        letters = self.table.letters
        each = tuple(players) if isinstance(players, Sequence) else (players or RandomFinityPlayer(),) * len(letters)
        if len(each) != len(letters):
            raise ValueError(f"{len(letters)} players sit at this table, but {len(each)} were given")
        self.eyes = FinityEyes(self.table, stream(seed, "eyes")) if sights else None
        self.script = FinityScript(
            self.table,
            self.rules,
            dict(zip(letters, each, strict=True)),
            habits or FinityHabits(),
            breaches,
            self.blind,
            self._tell,
            stream(seed, "script"),
        )
        start_disturbances(self.table, stream(seed, "disturbances"))
        self.begin(self.script.play())

    @property
    def rules(self) -> Finity:
        """The rules that are played by, a `TableGame`."""
        return self.table.rules

    @property
    def finished(self) -> bool:
        return self.script.finished

    @property
    def board_device(self) -> None:
        """No board with sensors: only a camera watches Finity."""

    @property
    def blind(self) -> tuple[str, ...]:
        """The places that this table's camera can never see."""
        return self.eyes.blind if self.eyes else ()

    def complain(self, reason: str, position: Any = None) -> None:
        """The referee says aloud what is wrong.

        Args:
            reason: of the contract.
            position: the position that the referee goes on from, where it says so (of `rules`, or as the contract
                writes it); people put the table right to that.
        """
        if isinstance(position, Mapping):
            position = self.rules.parse_position(position)
        sight = None if position is None else {str(k): str(v) for k, v in self.rules.sight(position).items()}
        self.script.breaking.complain(Complaint(reason, sight))

    def point_out(self, orphans: Iterable[Ring]) -> None:
        """The referee names rings that must leave the board: (player, station, size) each."""
        self.script.orphans.point_out(orphans)

    def remind(self, orphans: Iterable[Ring]) -> None:
        """The referee says that these rings still lie there."""
        self.script.orphans.remind(orphans)

    def follow(self, plies: int) -> None:
        """The referee has told of so many moves: people wait with the next until it has told of all."""
        self.script.scoreboard.show(plies)

    def answer(self, choices: Sequence[str], ply: int | None = None) -> str | None:
        """What people answer when the referee asks which moves were made.

        Args:
            choices: moves, or several moves in a row, whatever stands between them; other choices are never the
                answer.
            ply: how many moves the referee has played before those it asks for; None where it does not say, and the
                last moves are meant.

        Returns:
            The choice that tells what really happened, None where none does. Where a choice says more than another
            and is right, too, that is the answer.
        """
        moves, right = self.script.moves, dict[str, int]()
        for choice in choices:
            asked = [spelt(self.rules, move) for move in _MOVE.findall(choice)]
            start = len(moves) - len(asked) if ply is None else ply
            if asked and start >= 0 and moves[start : start + len(asked)] == asked:
                right[choice] = len(asked)
        return max(right, key=right.__getitem__, default=None)

    def truth(self) -> FinityGameTruth:
        table, position = self.table.truth(), self.script.position
        mover = self.rules.to_move(position)
        return FinityGameTruth(
            table.sight,
            table.settled,
            position,
            str(mover) if mover else None,
            tuple(self.script.moves),
            self.script.orphans.lying,
        )

    def _frame(self) -> FrameTaken:
        table = self.table
        seen = self.eyes.look(table.now_s) if self.eyes else None
        return FrameTaken(table.now_s, table.scene(), table.light, seen)
