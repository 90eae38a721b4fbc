"""The scoring knob: quarter steps into detents and stops of the dial, and how sure its place is."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.readings import KnobAt

STOPS = 10
LOWEST_STOP = -4

REST_S = 0.25
"""Quiet for this long is at rest. Within one turn of the hand detents follow each other in 0.13 s; this is double."""


def stop_of(detents: int) -> int:
    """Where on the dial so many detents clockwise of `*` are: -4 to 5, 5 being infinity."""
    return (detents - LOWEST_STOP) % STOPS + LOWEST_STOP


@dataclass(frozen=True, slots=True)
class KnobCalibration:
    """What has to be known of a knob.

    Attributes:
        edges_per_detent: quarter steps from detent to detent: 1, 2 or 4; None takes the board's word (else 4).
        direction: 1, or -1 where the contacts are wired the other way round.
    """

    edges_per_detent: int | None = None
    direction: int = 1

    def __post_init__(self) -> None:
        if self.edges_per_detent not in (None, 1, 2, 4):
            raise ValueError(f"edges_per_detent is 1, 2 or 4, not {self.edges_per_detent!r}")
        if self.direction not in (1, -1):
            raise ValueError(f"the knob's direction is 1 or -1, not {self.direction!r}")


@dataclass(frozen=True, slots=True)
class KnobPlace:
    """What to keep of a knob while the program is off.

    Attributes:
        detents: clockwise from `*`.
        verified: whether a person or the camera had confirmed it.
        boot_id: the board's start during which it held; None for a knob at pins.
        zero: the board's counter at `*` in that start.
        edges_per_detent: what the zero was counted with.
    """

    detents: int = 0
    verified: bool = False
    boot_id: int | None = None
    zero: int = 0
    edges_per_detent: int = 4


class Knob:
    """Follows an absolute counter of quarter steps. A detent counts when it is reached, or is the nearest at rest."""

    def __init__(self, device: str, calibration: KnobCalibration | None = None, place: KnobPlace | None = None) -> None:
        place = place or KnobPlace()
        self.device = device
        self.calibration = calibration or KnobCalibration()
        self.edges_per_detent = self.calibration.edges_per_detent or place.edges_per_detent
        self.detents = place.detents
        self.verified = place.verified
        self._zero: int | None = None
        self._counter = 0
        self._moved_s: float | None = None
        self._told: KnobAt | None = None

    @property
    def zero(self) -> int:
        """The counter at `*`."""
        return self._zero or 0

    @property
    def due_s(self) -> float | None:
        """When the knob will have come to rest, if it is not touched again."""
        return None if self._moved_s is None else self._moved_s + REST_S

    def set_edges(self, edges_per_detent: int) -> None:
        """Take the board's word for its knob, where the calibration says nothing."""
        silent = self.calibration.edges_per_detent is None
        if silent and edges_per_detent in (1, 2, 4) and edges_per_detent != self.edges_per_detent:
            self.edges_per_detent = edges_per_detent
            self._anchor(self._counter)

    def starts(
        self, t_s: float, counter: int, *, zero: int | None = None, verified: bool | None = None
    ) -> list[KnobAt]:
        """The counter begins (again) here. Without its `zero` the knob's place is what it was when last heard of.

        Args:
            verified: None leaves it; False says that the knob may have been turned unseen.
        """
        self._counter = counter
        self._moved_s = None
        self._anchor(counter)
        if zero is not None:
            self._zero = zero
            self.detents = self._nearest()
        self.verified = self.verified if verified is None else verified
        return self._tell(t_s)

    def stands(self, t_s: float, counter: int) -> list[KnobAt]:
        """The counter as it is now."""
        if self._zero is None:
            return self.starts(t_s, counter)
        if counter == self._counter:
            return self.tick(t_s)
        told = self.tick(t_s)
        self._counter, self._moved_s = counter, t_s
        before = self.detents
        # towards zero: a detent is reached, not approached
        self.detents += int((self._from_zero() - before * self.edges_per_detent) / self.edges_per_detent)
        return told if self.detents == before else told + self._tell(t_s)

    def tick(self, t_s: float) -> list[KnobAt]:
        """Time has passed: tells once that the knob has come to rest."""
        if self.due_s is None or t_s < self.due_s:
            return []
        return self.rests(self.due_s, self._counter)

    def rests(self, t_s: float, counter: int) -> list[KnobAt]:
        """The knob came to rest at `t_s`; the decoder's last word of the counter is `counter`."""
        self._counter, self._moved_s = counter, None
        self.detents = self._nearest()
        return self._tell(t_s)

    def rezeroed(self, t_s: float, counter: int) -> list[KnobAt]:
        """The board set its counter anew; the knob itself was not turned."""
        return self.starts(t_s, counter)

    def confirm(self, t_s: float, stop: int) -> list[KnobAt]:
        """A person or the camera says where the knob stands. The count goes on where it already agrees."""
        if not LOWEST_STOP <= stop < LOWEST_STOP + STOPS:
            raise ValueError(f"the dial's stops are -4 to 5, not {stop}")
        # at rest it stands on a detent; while it turns, the part of a detent that it is on its way stays
        part = 0 if self._moved_s is None else self._from_zero() - self.detents * self.edges_per_detent
        if stop_of(self.detents) != stop:
            self.detents = stop
        self._anchor(self._counter - self.calibration.direction * part)
        self.verified = True
        return self._tell(t_s)

    def doubt(self, t_s: float) -> list[KnobAt]:
        """It may have been turned unseen."""
        self.verified = False
        return self._tell(t_s)

    def again(self, t_s: float) -> list[KnobAt]:
        """Where it stands, though that was told before: who was told may doubt it since."""
        self._told = None
        return self._tell(t_s)

    def place(self, boot_id: int | None = None) -> KnobPlace:
        return KnobPlace(self.detents, self.verified, boot_id, self.zero, self.edges_per_detent)

    def _from_zero(self) -> int:
        return self.calibration.direction * (self._counter - self.zero)

    def _anchor(self, counter: int) -> None:
        self._zero = counter - self.calibration.direction * self.detents * self.edges_per_detent

    def _nearest(self) -> int:
        """The nearest detent to the counter; half way between two, the one that was reached last."""
        off = self._from_zero() - self.detents * self.edges_per_detent
        whole, rest = divmod(abs(off), self.edges_per_detent)
        steps = whole + (1 if 2 * rest > self.edges_per_detent else 0)
        return self.detents + (steps if off > 0 else -steps)

    def _tell(self, t_s: float) -> list[KnobAt]:
        at = KnobAt(
            t_s=t_s,
            device=self.device,
            detents=self.detents,
            stop=stop_of(self.detents),
            at_rest=self._moved_s is None,
            verified=self.verified,
        )
        before, self._told = self._told, at
        same = before is not None and (before.detents, before.at_rest, before.verified) == (
            at.detents,
            at.at_rest,
            at.verified,
        )
        return [] if same else [at]
