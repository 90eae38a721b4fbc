"""Where the knob stands, from the encoder and the camera, and whether that is where the score says.

The encoder is quick but counts from where it believes it stands; the camera is slow, may be covered, and sees the
place itself. A steady camera therefore puts an encoder right, and confirms one that was just switched on.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.evidence import DeviceChanged, DeviceState, KnobAt, Sight

STOPS = 10
LOWEST_STOP = -4

STEADY_S = 0.8
"""The camera has seen a stop when all sure looks agreed for so long: one look in twenty misreads it."""

TURN_S = 1.0
"""The camera may still show the stop from before the turn for so long after the encoder has told of it."""


@dataclass(frozen=True, slots=True)
class KnobSeen:
    """The knob stood at `stop` at `t_s`, and nobody has seen it anywhere else since."""

    t_s: float
    stop: int


def wrapped(detents: int) -> int:
    return (detents - LOWEST_STOP) % STOPS + LOWEST_STOP


@dataclass(slots=True)
class _Encoder:
    at: KnobAt
    moved_s: float
    offset: int | None
    """Stops between what it says and what is; None while nobody knows."""
    silent: bool = False
    """It was not heard of for a while, and has not said since where it stands."""

    @property
    def stop(self) -> int | None:
        return None if self.offset is None or self.silent else wrapped(self.at.stop + self.offset)


class KnobWatch:
    """Follows the knob. Feed it evidence in the order of time."""

    def __init__(self) -> None:
        self._encoder: _Encoder | None = None
        self._camera_stop: int | None = None
        self._camera_since_s = 0.0
        self._camera_last_s = 0.0

    def take_encoder(self, at: KnobAt) -> None:
        before = self._encoder
        offset = 0 if at.verified else None
        moved_s = at.t_s
        if before is not None and before.at.device == at.device:
            # a knob that is elsewhere without having turned was set right, and is to be believed as it is
            was_set = at.verified and at.at_rest and before.at.at_rest and at.detents != before.at.detents
            # after silence only the board itself knows whether it has counted all along, and says so
            trusted = at.verified or not before.silent
            if at.verified == before.at.verified and trusted and not was_set:
                offset = before.offset
            if at.detents == before.at.detents and at.at_rest:
                moved_s = before.moved_s
        self._encoder = _Encoder(at, moved_s, offset)

    def take_device(self, change: DeviceChanged) -> None:
        """An encoder that was silent may have been turned meanwhile."""
        encoder = self._encoder
        if encoder is not None and encoder.at.device == change.device and change.state is not DeviceState.OK:
            encoder.silent = True

    def take_sight(self, sight: Sight) -> None:
        knob = sight.reading.knob
        if knob is None or knob.covered or not knob.sure or knob.label is None:
            return
        stop = int(knob.label)
        if stop != self._camera_stop:
            self._camera_stop, self._camera_since_s = stop, sight.t_s
        self._camera_last_s = sight.t_s
        encoder = self._encoder
        if encoder is None or not encoder.at.at_rest or self._steady is None:
            return
        since_s = max(self._camera_since_s, encoder.moved_s + TURN_S)
        if self._camera_last_s - since_s >= STEADY_S or encoder.stop is None:
            encoder.offset = wrapped(stop - encoder.at.stop)
            encoder.silent = False

    def confirm(self, stop: int) -> None:
        """A person says where it stands."""
        if self._encoder is not None:
            self._encoder.offset = wrapped(stop - self._encoder.at.stop)
            self._encoder.silent = False
        self._camera_stop = None

    @property
    def verified(self) -> bool:
        """Whether anything that is trusted shows the knob."""
        return self._steady is not None or (self._encoder is not None and self._encoder.stop is not None)

    @property
    def _steady(self) -> int | None:
        return self._camera_stop if self._camera_last_s - self._camera_since_s >= STEADY_S else None

    def seen(self, now_s: float) -> KnobSeen | None:
        """Where the knob stands at rest; None while it turns, or nobody can say."""
        encoder, steady = self._encoder, self._steady
        if encoder is not None and not encoder.at.at_rest:
            return None
        if encoder is not None and encoder.stop is not None:
            if steady is not None and steady != encoder.stop and self._camera_last_s > encoder.moved_s + TURN_S:
                return None  # the two disagree, and the camera has not looked long enough to be believed
            return KnobSeen(now_s, encoder.stop)
        return None if steady is None else KnobSeen(self._camera_last_s, steady)

    def shown(self, now_s: float) -> int | None:
        """Where the knob stands, or else where an encoder that nobody has confirmed says it does; None if nobody says.

        For people alone: what is not `verified` is never held against the score.
        """
        seen = self.seen(now_s)
        if seen is not None:
            return seen.stop
        encoder = self._encoder
        return encoder.at.stop if encoder is not None and encoder.at.at_rest and not self.verified else None


@dataclass(frozen=True, slots=True)
class KnobNews:
    """The knob is wrong, or right again. `turned` where it was right and was turned away without a move."""

    expected: int
    seen: int
    resolved: bool
    turned: bool = False


class KnobCheck:
    """Compares the knob with the score; a knob may lag for the grace time.

    States: right -> wrong (for less than the grace time) -> told -> right. A new score starts the grace time anew.
    """

    def __init__(self, grace_s: float, told: KnobNews | None = None) -> None:
        """Begin; `told` is what was said to be wrong before the program was started again."""
        self._grace_s = grace_s
        self._expected: int | None = None
        self._wrong_since_s: float | None = None
        self._was_right = False
        self.told = told

    def check(self, now_s: float, expected: int | None, seen: KnobSeen | None) -> KnobNews | None:
        """What is new at `now_s`; None where nothing is to be said."""
        if expected != self._expected:
            self._expected, self._was_right = expected, False
            self._wrong_since_s = now_s
        if expected is None or seen is None:
            return None
        if seen.stop == expected:
            self._wrong_since_s, self._was_right = None, True
            told, self.told = self.told, None
            return None if told is None else KnobNews(expected, seen.stop, resolved=True)
        if self._wrong_since_s is None:
            self._wrong_since_s = seen.t_s
        if self.told is not None or seen.t_s < self._wrong_since_s + self._grace_s:
            return None
        self.told = KnobNews(expected, seen.stop, resolved=False, turned=self._was_right)
        return self.told

    def forget(self) -> None:
        """A new game or a correction: nothing is known to be wrong."""
        self._expected = None
        self.told = None
