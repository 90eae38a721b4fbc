"""The simulated people of a demo as a sink: they hear what the referee says, do it, and answer its questions.

They see how far the referee's record is, and wait with the next move until it has followed: on a machine with much else
to do pictures are late.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cli.simulation import Simulation
    from companion.events import QuestionAsked, Record
    from companion.games.game import Json
    from companion.live import TableLoop

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
        from companion.page.table import Request

        clock = self._sim.table.clock
        while (item := self._questions.get()) is not None:
            due_s, asked, ply = item
            clock.wait_until(due_s)
            choice = self._sim.table.answer(asked.choices, ply) or self._sim.table.answer(asked.choices)
            if choice is not None and self.loop is not None:
                args = {"question": asked.question, "choice": choice}
                self.loop.command(Request("answer", 0, asked.question, args))
