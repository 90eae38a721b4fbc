"""Levels of pins into readings: the same code for live pins and for a recording's gpio.jsonl.

Pure: time comes in with the levels, and readings carry the time at which things happened, so that the answers are the
same however often `tick` is called in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.beams import Beam, BeamTiming, Passages, passage
from firmware_bridge.debounce import Bounce
from firmware_bridge.knob import Knob, KnobCalibration, KnobPlace
from firmware_bridge.quadrature import Contact, Quadrature
from firmware_bridge.readings import KnobAt, SensorReading
from firmware_bridge.wiring import Wiring

CONTACT_DEAF_S = 0.003
"""Contacts of such knobs chatter for up to 2 ms. It is over for certain when the other contact moves: a knob whose
contacts chatter at the same time cannot be read at all. So a turn may be as fast as it likes."""


@dataclass(frozen=True, slots=True)
class PinTiming:
    """Seconds: how long a contact's chatter lasts, and the times of the beams."""

    contact_deaf_s: float = CONTACT_DEAF_S
    beams: BeamTiming = field(default_factory=BeamTiming)


class PinDecoder:
    """Readings from levels of the pins of one wiring.

    The first level of each pin is where it stands and no event; a pin that is first heard of later than the others has
    changed then.

    Args:
        stop: where the knob stands at the start; a recording starts with a game, at 0.
        verified: whether that is known.
    """

    def __init__(
        self,
        wiring: Wiring,
        device: str = "gpio",
        *,
        stop: int = 0,
        verified: bool = True,
        timing: PinTiming | None = None,
    ) -> None:
        timing = timing or PinTiming()
        self.wiring = wiring
        self.device = device
        self._now_s = float("-inf")
        self._start_s: float | None = None
        self._tasks = wiring.tasks
        self._beams = {pin: _BeamPin(device, beam, timing.beams) for pin, beam in wiring.beams.items()}
        self._knob: _KnobPins | None = None
        if wiring.knob_a is not None and wiring.knob_b is not None:
            knob = Knob(device, KnobCalibration(wiring.edges_per_detent), KnobPlace(stop, verified))
            self._knob = _KnobPins(knob, timing.contact_deaf_s)

    @property
    def weak(self) -> dict[str, int]:
        """Breaks too short to be a marble, by the beam's task in words; only those that had some."""
        return {self._tasks[pin]: beam.weak for pin, beam in self._beams.items() if beam.weak}

    @property
    def impossible_edges(self) -> int:
        """Edges of the knob that can only be explained by others that got lost."""
        return self._knob.impossible if self._knob else 0

    @property
    def place(self) -> KnobPlace:
        """The knob's place, to be kept for the next start."""
        return self._knob.knob.place() if self._knob else KnobPlace()

    def feed(self, t_s: float, pin: str, level: int) -> list[SensorReading]:
        """A pin has this level (0 or 1) from `t_s` on. Pins that are not in the wiring are passed over."""
        if level not in (0, 1):
            raise ValueError(f"the level of a pin is 0 or 1, not {level!r} ({pin})")
        readings = self.tick(t_s)
        t_s = self._now_s
        if self._start_s is None:
            self._start_s = t_s
        first = t_s == self._start_s
        if pin in self._beams:
            broken = int(level == self.wiring.beam_blocked_level)
            readings += self._beams[pin].feed(t_s, broken, first)
        elif self._knob and pin in (self.wiring.knob_a, self.wiring.knob_b):
            readings += self._knob.feed(t_s, Contact(pin == self.wiring.knob_b), level, first)
        return readings

    def tick(self, t_s: float) -> list[SensorReading]:
        """Time has come to `t_s`: whatever only waited for it, in the order of its time. Time never runs back."""
        self._now_s = max(self._now_s, t_s)
        readings: list[SensorReading] = []
        for beam in self._beams.values():
            readings += beam.tick(self._now_s)
        if self._knob:
            readings += self._knob.tick(self._now_s)
        return sorted(readings, key=lambda reading: reading.t_s)

    def confirm_knob(self, t_s: float, stop: int) -> list[SensorReading]:
        """A person or the camera says at which stop the knob stands."""
        if not self._knob:
            return []
        return [*self.tick(t_s), *self._knob.knob.confirm(t_s, stop)]

    def doubt_knob(self, t_s: float) -> list[SensorReading]:
        """The knob may have been turned while nobody looked."""
        return [*self.tick(t_s), *(self._knob.knob.doubt(t_s) if self._knob else [])]


class _BeamPin:
    def __init__(self, device: str, beam: Beam, timing: BeamTiming) -> None:
        self._device = device
        self._beam = beam
        self._timing = timing
        self._passages = Passages(timing)

    @property
    def weak(self) -> int:
        return self._passages.weak

    def feed(self, t_s: float, broken: int, first: bool) -> list[SensorReading]:
        if first:
            self._passages = Passages(self._timing, broken)
            return []
        return self._readings(self._passages.feed(t_s, broken))

    def tick(self, t_s: float) -> list[SensorReading]:
        due_s = self._passages.due_s
        return [] if due_s is None or t_s < due_s else self._readings(self._passages.tick(t_s))

    def _readings(self, times_s: list[float]) -> list[SensorReading]:
        return [passage(t_s, self._device, self._beam) for t_s in times_s]


class _KnobPins:
    """Two contacts, made clean, decoded and followed."""

    def __init__(self, knob: Knob, deaf_s: float) -> None:
        self.knob = knob
        self._deaf_s = deaf_s
        self._first: dict[Contact, int] = {}
        self._contacts: dict[Contact, Bounce] = {}
        self._quadrature: Quadrature | None = None

    @property
    def impossible(self) -> int:
        return self._quadrature.impossible if self._quadrature else 0

    def feed(self, t_s: float, contact: Contact, level: int, first: bool) -> list[KnobAt]:
        if first or contact not in self._contacts:
            return self._stands_at_first(t_s, contact, level if first else 1 - level) + (
                [] if first or contact not in self._contacts else self.feed(t_s, contact, level, first=False)
            )
        other = Contact(1 - contact)
        clean = [(other, now) for now in self._contacts[other].end(t_s)]
        clean += [(contact, now) for now in self._contacts[contact].feed(t_s, level)]
        return [told for moved, now in clean for told in self._edge(now.t_s, moved, now.level)]

    def tick(self, t_s: float) -> list[KnobAt]:
        told: list[KnobAt] = []
        late = [(now.t_s, contact, now.level) for contact, clean in self._contacts.items() for now in clean.tick(t_s)]
        for now_s, contact, level in sorted(late):
            told += self._edge(now_s, contact, level)
        return told + self._rest(t_s)

    def _stands_at_first(self, t_s: float, contact: Contact, level: int) -> list[KnobAt]:
        self._first[contact] = level
        if len(self._first) < 2:
            return []
        self._contacts = {each: Bounce(self._deaf_s, at) for each, at in self._first.items()}
        edges = self.knob.edges_per_detent
        self._quadrature = Quadrature(self._first[Contact.A], self._first[Contact.B], edges)
        return self.knob.starts(t_s, 0)

    def _edge(self, t_s: float, contact: Contact, level: int) -> list[KnobAt]:
        if self._quadrature is None:
            return []
        told = self._rest(t_s)
        return told + self.knob.stands(t_s, self._quadrature.edge(contact, level))

    def _rest(self, t_s: float) -> list[KnobAt]:
        due_s = self.knob.due_s
        if self._quadrature is None or due_s is None or t_s < due_s:
            return []
        return self.knob.rests(due_s, self._quadrature.rest())
