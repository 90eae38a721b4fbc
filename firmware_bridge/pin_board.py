"""The pins of a table, live: claimed from a pin factory, read, and told as readings.

Debouncing is this program's own, above every backend: the backends' own is limited in different ways, and a simulated
one has none. Between edges the pins are read again, so that an edge which the backend swallowed comes late, not never.

    state     means                                       is left for
    waiting   the pins cannot be claimed; told as lost    reading: they were claimed, tried again every `RETRY_S`
    reading   levels are taken                            unread: the backend fails; told as lost
    unread    as waiting, but the pins are ours           reading: they can be read again; told as back
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from calibration.sentences import Sentence, error_sentence
from firmware_bridge.callbacks import Guarded
from firmware_bridge.errors import PinsUnavailable
from firmware_bridge.knob import KnobPlace
from firmware_bridge.pin_decoder import PinDecoder, PinTiming
from firmware_bridge.pin_factory import open_pin_factory
from firmware_bridge.pin_list import SHARED, claimed
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, SensorReading
from firmware_bridge.wiring import Wiring

log = logging.getLogger(__name__)

LOOK_S = 0.02
"""The pins are looked at and time is let pass this often: below what anybody notices, and a thousandth of a core."""

LOOK_WITHOUT_EDGES_S = 0.001
"""The same where the backend cannot report edges: a turned knob's edges are at least 2 ms apart."""

RETRY_S = 2.0
"""How often pins that could not be claimed are tried again: who has just ended another program waits no longer."""

NEWEST_EDGE_S = 1.0
"""An edge that claims to be older than this has a time stamp of another clock."""


class PinBoard:
    """Reads the pins of `wiring`; tells readings to `on_reading`, levels as they come to `on_level(t_s, pin, level)`.

    Callbacks come from the backend's threads and from one of this board, never two at once. What they raise is logged
    once. Pins that cannot be had are no error but a reading: the device is lost, and why. They are tried again until
    they come, which is told as back.

    Args:
        pin_factory: a gpiozero pin factory; None opens this machine's.
        clock: seconds, monotonic. On a clock of one's own an edge's time is when it arrives, else when the kernel
            saw it.
        stop, verified: where the knob stands at the start, and whether that is known.
        threaded: False leaves the looking to calls of `look`, for simulations on a clock of their own.
    """

    def __init__(
        self,
        wiring: Wiring,
        on_reading: Callable[[BridgeReading], object],
        on_level: Callable[[float, str, int], object] | None = None,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        device: str = "gpio",
        stop: int = 0,
        verified: bool = False,
        timing: PinTiming | None = None,
        threaded: bool = True,
    ) -> None:
        self.device = device
        self.decoder = PinDecoder(wiring, device, stop=stop, verified=verified, timing=timing)
        self.on_reading = Guarded("the listener for pin readings", on_reading)
        self.on_level = Guarded("the listener for pin levels", on_level)
        self._wiring = wiring
        self._factory = pin_factory
        self._clock = clock
        self._threaded = threaded
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._pins: dict[str, Any] = {}
        self._levels: dict[str, int] = {}
        self._handlers: list[Callable[[Any, Any], None]] = []
        self._weak_told = 0
        self._look_s = LOOK_S
        self._retry_at_s: float | None = None
        self._refused: str | None = None

    def start(self) -> bool:
        """Claim the pins and begin. False where they cannot be had yet: a DeviceChanged has told why."""
        self._stopping.clear()
        self._refused = None
        begun = self._begin()
        if self._threaded:
            self._thread = threading.Thread(target=self._run, name=f"pins of {self.device}", daemon=True)
            self._thread.start()
        return begun

    def stop(self) -> None:
        """Let the pins go. May be called twice, and before `start`."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(2)
            self._thread = None
        self._release()

    @property
    def place(self) -> KnobPlace:
        """The knob's place, to be kept for the next start."""
        with self._lock:
            return self.decoder.place

    def look(self) -> None:
        """Read the pins again and let time pass; while they could not be claimed, try that again when it is time."""
        if self._retry_at_s is not None:
            if self._clock() >= self._retry_at_s:
                self._begin()
            return
        with self._lock:
            t_s = self._clock()
            for name, pin in self._pins.items():
                level = _level(pin)
                if level != self._levels.get(name):
                    self._take(t_s, name, level)
            self._tell(self.decoder.tick(t_s))
            self._tell_weak()

    def confirm_knob(self, stop: int) -> None:
        """A person or the camera says at which stop the knob stands."""
        with self._lock:
            self._tell(self.decoder.confirm_knob(self._clock(), stop))

    def _run(self) -> None:
        lost = False
        while not self._stopping.wait(self._look_s):
            try:
                self.look()
            except Exception as error:  # the backend's own errors; the pins may come back
                if not lost:
                    log.exception("the pins of %s cannot be read", self.device)
                    self._changed(
                        DeviceState.LOST, Sentence("the pins cannot be read: {error}", error=error_sentence(error))
                    )
                lost = True
            else:
                if lost:
                    self._changed(
                        DeviceState.BACK, Sentence("the knob may have been turned meanwhile: confirm where it stands")
                    )
                    with self._lock:
                        self._tell(self.decoder.doubt_knob(self._clock()))
                lost = False

    def _begin(self) -> bool:
        """Claim the pins and take their first levels; else say why not, once for each reason."""
        try:
            self._factory = self._factory or open_pin_factory()
            self._claim()
        except PinsUnavailable as error:
            self._release()
            self._retry_at_s = self._clock() + RETRY_S
            if error_sentence(error) != self._refused:
                self._changed(DeviceState.LOST, error_sentence(error))
            self._refused = error_sentence(error)
            return False
        with self._lock:
            t_s = self._clock()
            self.on_reading(DeviceChanged(t_s, self.device, DeviceState.BACK if self._refused else DeviceState.OK))
            self._retry_at_s = self._refused = None
            for name, pin in self._pins.items():
                self._take(t_s, name, _level(pin))
        self._watch_edges()
        return True

    def _changed(self, state: DeviceState, detail: str) -> None:
        self.on_reading(DeviceChanged(self._clock(), self.device, state, detail))

    def _claim(self) -> None:
        for name, task in self._wiring.tasks.items():
            try:
                self._factory.reserve_pins(self, name)
                pin = self._factory.pin(name)
                pin.function = "input"
                if pin.pull != self._wiring.pull and not pin.info.pull:
                    pin.pull = self._wiring.pull
                self._pins[name] = pin
            except Exception as error:  # each backend has errors of its own
                raise PinsUnavailable(_refusal(name, task, error)) from error

    def _watch_edges(self) -> None:
        for name, pin in self._pins.items():
            handler = self._handler(name)
            self._handlers.append(handler)  # the pin keeps only a weak reference
            try:
                pin.when_changed = handler
            except Exception as error:  # noqa: BLE001 - each backend has errors of its own
                if self._look_s == LOOK_S:
                    log.warning("%s reports no edges (%s): the pins are polled every millisecond instead", name, error)
                self._look_s = LOOK_WITHOUT_EDGES_S

    def _handler(self, name: str) -> Callable[[Any, Any], None]:
        def changed(ticks: Any, state: Any) -> None:
            with self._lock:
                self._take(self._clock() - self._age_s(ticks), name, int(bool(state)))

        return changed

    def _age_s(self, ticks: Any) -> float:
        if self._clock is not time.monotonic:
            return 0.0
        age_s = float(self._factory.ticks_diff(self._factory.ticks(), ticks))
        return age_s if 0 <= age_s <= NEWEST_EDGE_S else 0.0

    def _take(self, t_s: float, name: str, level: int) -> None:
        if self._stopping.is_set():
            return
        self._levels[name] = level
        self.on_level(t_s, name, level)
        self._tell(self.decoder.feed(t_s, name, level))

    def _tell(self, readings: list[SensorReading]) -> None:
        for reading in readings:
            self.on_reading(reading)

    def _tell_weak(self) -> None:
        weak = self.decoder.weak
        if sum(weak.values()) > self._weak_told:
            if self._weak_told == 0:
                log.warning("weak pulses, too short for a marble: %s (are the beams lined up?)", weak)
            self._weak_told = sum(weak.values())

    def _release(self) -> None:
        for name, pin in self._pins.items():
            try:
                pin.when_changed = None
                pin.close()
            except Exception as error:  # noqa: BLE001 - each backend has errors of its own
                log.debug("letting %s go: %s", name, error)
        if self._factory is not None:
            self._factory.release_pins(self, *self._wiring.tasks)
        self._pins = {}
        self._handlers = []

    def _conflicts_with(self, other: object) -> bool:
        """gpiozero asks this of whoever reserves pins: two boards cannot share one."""
        return other is not self


def _level(pin: Any) -> int:
    return int(bool(pin.state))


def _refusal(name: str, task: str, error: Exception) -> str:
    why = str(error) or type(error).__name__
    if "busy" not in why.lower() and "in use" not in why.lower():
        return Sentence("{pin} ({task}) cannot be used: {error}", pin=name, task=task, error=why)
    who = _who_has(name)
    bus = SHARED.get(int(name.removeprefix("BCM")))
    if bus is not None:
        do = Sentence("switch {bus} off with raspi-config, or wire another pin", bus=bus)
    else:
        do = Sentence("is Companion or another program running? Stop it first")
    if who is None:
        return Sentence("{pin} ({task}) is in use already: {do}", pin=name, task=task, do=do)
    return Sentence("{pin} ({task}) is in use already by {program}: {do}", pin=name, task=task, program=who, do=do)


def _who_has(name: str) -> str | None:
    try:
        return claimed().get(name)
    except OSError:
        return None
