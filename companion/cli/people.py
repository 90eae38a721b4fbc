"""The simulated people of a demo as a sink: they hear what the referee says, do it, and answer its questions.

Where no choice is what really happened they put the record right, as people at a real table do.

They see how far the referee's record is, and wait with the next move until it has followed: on a machine with much else
to do pictures are late.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cli.simulation import Simulation
    from companion.events import QuestionAsked, Record
    from companion.games.game import Json
    from companion.live import TableLoop

FORFEIT = "pass"
"""A turn of Infinity that the rules take away; nobody enters it."""

THINKING_S = 2.0
"""How long they look at a question before one of them answers."""


class People:
    """Hears records and acts at the simulated table.

    Attributes:
        loop: takes their answers; set before anything is told.
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._questions: queue.SimpleQueue[tuple[float, QuestionAsked, int] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._answer, name="simulated people", daemon=True)
        self.loop: TableLoop | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._questions.put(None)
        self._thread.join(5)

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        from companion.events import IllegalSeen, KnobMismatch, OrphansFound, OrphansReminded, QuestionAsked

        table, ply = self._sim.table, state.get("ply")
        if isinstance(ply, int):
            table.follow(ply)
        for record in records:
            match record.event:
                case IllegalSeen() as illegal:
                    table.complain(illegal.reason, self._sim.kind.right(state))
                case KnobMismatch(resolved=False):
                    table.complain("knob_mismatch")
                case OrphansFound(orphans=orphans):
                    table.point_out(orphans)
                case OrphansReminded(orphans=orphans):
                    table.remind(orphans)
                case QuestionAsked() as asked:
                    self._questions.put((record.t_s + THINKING_S, asked, ply if isinstance(ply, int) else 0))

    def _answer(self) -> None:
        clock = self._sim.table.clock
        while (item := self._questions.get()) is not None:
            due_s, asked, ply = item
            clock.wait_until(due_s)
            if self.loop is not None and _is_open(asked, self.loop.state()):
                self._reply(self.loop, asked, ply)

    def _reply(self, loop: TableLoop, asked: QuestionAsked, ply: int) -> None:
        from companion.questions import NO_MOVE

        choice = self._sim.table.answer(asked.choices, ply) or self._sim.table.answer(asked.choices)
        if choice is None and not self._put_record_right(loop) and NO_MOVE in asked.choices:
            choice = NO_MOVE  # the record is right: whoever did something at the board puts it right
        if choice is not None:
            _command(loop, "answer", {"question": asked.question, "choice": choice})

    def _put_record_right(self, loop: TableLoop) -> bool:
        """Take back what was not played and enter what was; whether anything was wrong."""
        truth = [move for move in self._sim.table.truth().moves if move != FORFEIT]
        told = _moves(loop.state())
        plies = [ply for ply, _ in told]
        same = sum(1 for _ in takewhile(lambda pair: pair[0][1] == pair[1], zip(told, truth, strict=False)))
        if same == len(told) == len(truth):
            return False
        back = all(_command(loop, "undo", {"ply": ply}) for ply in reversed(plies[same:]))
        return back and all(_command(loop, "play", {"move": move}) for move in truth[same:])


def _is_open(asked: QuestionAsked, state: Mapping[str, Json]) -> bool:
    match state:
        case {"question": {"question": question}}:
            return question == asked.question
    return False


def _moves(state: Mapping[str, Json]) -> list[tuple[int, str]]:
    """The ply and text of every move that the referee has told; forfeits come by themselves."""
    moves = state.get("moves")
    told = moves if isinstance(moves, Sequence) else ()
    return [(int(str(m["ply"])), str(m["move"])) for m in told if isinstance(m, Mapping) and not m.get("forfeit")]


def _command(loop: TableLoop, name: str, args: Mapping[str, Json]) -> bool:
    """Give a command for the state as it is now; whether it was carried out."""
    from companion.page.table import Request

    seq = loop.state().get("seq")
    now = seq if isinstance(seq, int) else 0
    return loop.command(Request(name, now, f"{name} at {now}", args)).ok
