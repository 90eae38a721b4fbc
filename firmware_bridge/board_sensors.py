"""STATE frames of the board into readings.

What a gap hides, and what it does not (frames lost on the wire, a cable pulled, a program restarted):

- Same boot id: the board kept counting. The knob's place is exact. Every marble that passed a beam is told, at the
  time of the first frame after the gap; in which order, and when, is not known. More than 255 through one beam are
  not told apart from 256 fewer.
- Another boot id: the board was without power, and then began to count at 0. What passed since then is told;
  what happened without power is not known, and nothing is made up: the knob keeps its last place, unverified.
- The very first frame: what passed before it belongs to nobody, but for what is known from before, if the board has
  not restarted since: the knob's place (`KnobPlace`), and the marbles counted by then (`BeamCounts`).
"""

from __future__ import annotations

from firmware_bridge.beams import BEAMS, BeamCounts, passage
from firmware_bridge.knob import Knob, KnobPlace
from firmware_bridge.protocol import CHANNELS, SLOTS, State
from firmware_bridge.readings import BeamsCounted, KnobAt, SensorReading, SlotsOccupied


class BoardSensors:
    """Compares each STATE with the one before it.

    Args:
        saved: the knob's place as it was kept, if any.
        beams: the marbles as they were counted when that was kept, if any.
        counts: whether to tell of the counters themselves, for somebody who keeps them.
    """

    def __init__(
        self,
        device: str,
        knob: Knob,
        saved: KnobPlace | None = None,
        beams: BeamCounts | None = None,
        *,
        counts: bool = False,
    ) -> None:
        self.device = device
        self.knob = knob
        self._saved = saved
        self._beams = beams
        self._counts = counts
        self._last: State | None = None
        self._occupied: frozenset[tuple[int, int]] | None = None

    def from_state(self, frame: State, t_s: float) -> list[SensorReading]:
        """What is new in a frame that came at `t_s`."""
        before, self._last = self._last, frame
        restarted = before is not None and before.boot_id != frame.boot_id
        readings: list[SensorReading] = [*self._passages(frame, before, restarted, t_s)]
        if self._counts and (before is None or (before.boot_id, before.passages) != (frame.boot_id, frame.passages)):
            # a board that never counted a marble may have no beams
            watched = self._counted_on(frame, before) and any(frame.passages)
            readings.append(BeamsCounted(t_s, self.device, frame.boot_id, tuple(frame.passages), watched))
        readings += self._knob(frame, before, restarted, t_s)
        readings += self._slots(frame, t_s)
        return readings

    def place(self) -> KnobPlace:
        """The knob's place, to be kept for the next start."""
        return self.knob.place(None if self._last is None else self._last.boot_id)

    def _passages(self, frame: State, before: State | None, restarted: bool, t_s: float) -> list[SensorReading]:
        if before is None:
            if self._beams is None or not self._counted_on(frame, None):
                return []
            earlier = self._beams.passages
        else:
            earlier = (0,) * len(BEAMS) if restarted else before.passages
        return [
            passage(t_s, self.device, beam, missed=before is None)
            for beam, now, then in zip(BEAMS, frame.passages, earlier, strict=True)
            for _ in range((now - then) % 256)
        ]

    def _counted_on(self, frame: State, before: State | None) -> bool:
        """Whether this first frame goes on with what was counted when an earlier program heard the board last."""
        return before is None and self._beams is not None and self._beams.boot_id == frame.boot_id

    def _knob(self, frame: State, before: State | None, restarted: bool, t_s: float) -> list[KnobAt]:
        if before is None:
            saved = self._saved
            if saved is not None and saved.boot_id == frame.boot_id:
                return self.knob.starts(t_s, frame.knob, zero=saved.zero)
            unseen = saved is not None and saved.boot_id is not None
            return self.knob.starts(t_s, frame.knob, verified=False if unseen else None)
        if restarted:
            return self.knob.starts(t_s, frame.knob, verified=False)
        if before.zeroings != frame.zeroings:
            return self.knob.rezeroed(t_s, frame.knob)
        return self.knob.stands(t_s, frame.knob)

    def _slots(self, frame: State, t_s: float) -> list[SensorReading]:
        if not frame.occupancy_valid:
            return []
        bits = frame.occupancy & frame.occupancy_valid
        occupied = frozenset(
            (channel + 1, slot + 1)
            for channel in range(CHANNELS)
            for slot in range(SLOTS)
            if bits >> (SLOTS * channel + slot) & 1
        )
        if occupied == self._occupied:
            return []
        self._occupied = occupied
        return [SlotsOccupied(t_s, self.device, occupied)]
