"""Keeps a board's serial port open: finds it, opens it, reads it, and finds it again after anything.

    LOOKING --found--> OPENING --opened--> OPEN --hung up--> LOOKING
       ^                  |
       +---gone-- REFUSED <--refused (in use, no permission); tries again

STOPPED is reached from every state by `stop`. The board itself is OK, STALE, LOST or BACK as `SerialDecoder` says.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum

from calibration.sentences import Sentence, error_sentence
from firmware_bridge.callbacks import Guarded
from firmware_bridge.errors import PortUnavailable
from firmware_bridge.knob import KnobCalibration, KnobPlace
from firmware_bridge.port_open import PORT_FAULTS, Port, find, open_port
from firmware_bridge.protocol import Command, Identify
from firmware_bridge.readings import BridgeReading
from firmware_bridge.serial_decoder import SerialDecoder

log = logging.getLogger(__name__)


class PortState(StrEnum):
    LOOKING = "looking"
    OPENING = "opening"
    REFUSED = "refused"
    OPEN = "open"
    STOPPED = "stopped"


class Happening(StrEnum):
    FOUND = "found"
    MISSING = "missing"
    OPENED = "opened"
    REFUSED = "refused"
    HUNG_UP = "hung_up"
    STOP = "stop"


NEXT: dict[tuple[PortState, Happening], PortState] = {
    (PortState.LOOKING, Happening.FOUND): PortState.OPENING,
    (PortState.LOOKING, Happening.MISSING): PortState.LOOKING,
    (PortState.OPENING, Happening.OPENED): PortState.OPEN,
    (PortState.OPENING, Happening.REFUSED): PortState.REFUSED,
    (PortState.REFUSED, Happening.FOUND): PortState.OPENING,
    (PortState.REFUSED, Happening.MISSING): PortState.LOOKING,
    (PortState.OPEN, Happening.HUNG_UP): PortState.LOOKING,
    **{(state, Happening.STOP): PortState.STOPPED for state in PortState},
}

WAIT_S = {
    PortState.LOOKING: 0.1,  # a longer or growing wait sleeps through a quick replug
    PortState.REFUSED: 1.0,  # nothing that a person must first put right is quicker
}


class PortSupervisor:
    """Runs a board's port in a thread of its own.

    Args:
        spec: which port (see `port_open.find`).
        on_reading: gets every reading, in the port's thread. What callbacks raise is logged once.
        on_bytes: gets `(t_s, data)` as read, for recordings.
        clock: seconds, monotonic; stamps bytes and readings.
        decoder: what understands the bytes; None makes one from `device`, `knob` and `saved`.
        find_port, open_port: for other ways to ports.
    """

    def __init__(
        self,
        spec: str,
        on_reading: Callable[[BridgeReading], object],
        on_bytes: Callable[[float, bytes], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        device: str = "board",
        knob: KnobCalibration | None = None,
        saved: KnobPlace | None = None,
        decoder: SerialDecoder | None = None,
        find_port: Callable[[str], str | None] = find,
        open_port: Callable[[str], Port] = open_port,
    ) -> None:
        if not spec.strip():
            raise ValueError("a port needs a path, a URL or a USB serial number, not an empty text")
        self.spec = spec
        self.decoder = decoder or SerialDecoder(device, knob, saved=saved)
        self.device = self.decoder.device
        self.on_reading = Guarded(f"the listener for readings of {spec}", on_reading)
        self.on_bytes = Guarded(f"the listener for bytes of {spec}", on_bytes)
        self.state = PortState.LOOKING
        self._clock = clock
        self._find = find_port
        self._open = open_port
        self._path: str | None = None
        self._port: Port | None = None
        self._deaf = False
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; never waits and never fails: a port that is not there is a reading."""
        self._stopping.clear()
        self.state = PortState.LOOKING
        self._thread = threading.Thread(target=self._run, name=f"port {self.spec}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the port. May be called twice, and before `start`."""
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(3)
            self._thread = None

    def send(self, command: Command) -> None:
        """Have the board do something; sent again until it answers."""
        with self._lock:
            self.decoder.send(self._clock(), command)

    def identify(self, seconds: int = 5) -> None:
        """Blink the board's lamp, to show which of several it is."""
        self.send(Identify(seconds))

    @property
    def place(self) -> KnobPlace:
        """The knob's place, to be kept for the next start."""
        with self._lock:
            return self.decoder.place

    def confirm_knob(self, stop: int) -> None:
        """A person or the camera says at which stop the knob stands."""
        with self._lock:
            readings = self.decoder.confirm_knob(self._clock(), stop)
        self._tell(readings)

    def step(self) -> float:
        """Do what the state asks for, once, and answer how many seconds to wait. Reading waits by itself."""
        does = {PortState.LOOKING: self._look, PortState.REFUSED: self._look, PortState.OPENING: self._try_to_open}
        happened = does.get(self.state, self._read)()
        if happened is not None:
            self.state = NEXT[self.state, happened]
        return WAIT_S.get(self.state, 0.0)

    def _run(self) -> None:
        wait_s = 0.0
        while not self._stopping.wait(wait_s):
            try:
                wait_s = self.step()
            except Exception:  # a fault of ours must not silence the board for good
                log.exception("the port %s had a fault of the program's own; opening it again", self.spec)
                self._close()
                self.state = PortState.LOOKING
                wait_s = 1.0
        self._close()
        self.state = NEXT[self.state, Happening.STOP]

    def _look(self) -> Happening:
        self._path = self._find(self.spec)
        if self._path is not None:
            return Happening.FOUND
        self._lost(
            Sentence(
                "there is no port {port}: is the board plugged in? `companion doctor` shows all ports", port=self.spec
            )
        )
        return Happening.MISSING

    def _try_to_open(self) -> Happening:
        try:
            self._port = self._open(self._path or self.spec)
        except PortUnavailable as error:
            self._lost(error_sentence(error), gone=error.gone)
            return Happening.REFUSED
        self._deaf = False
        with self._lock:
            self.decoder.opened(self._clock())
        return Happening.OPENED

    def _read(self) -> Happening | None:
        port = self._port
        if port is None:
            return Happening.HUNG_UP
        try:
            self._write(port)
            # one byte waits for the first to come; the rest of what is there costs no time
            data = port.read(max(1, port.in_waiting))
        except PORT_FAULTS as error:
            log.info("%s hung up: %s", self.spec, error)
            self._close()
            self._lost(Sentence("the port {port} hung up: plug the board in again", port=self.spec))
            return Happening.HUNG_UP
        t_s = self._clock()
        if data:
            self.on_bytes(t_s, data)
        with self._lock:
            readings = self.decoder.feed(t_s, data) if data else self.decoder.tick(t_s)
        self._tell(readings)
        return None

    def _write(self, port: Port) -> None:
        with self._lock:
            data = self.decoder.bytes_to_send()
        if not data:
            return
        from serial import SerialTimeoutException

        try:
            port.write(data)
        except SerialTimeoutException:
            self._takes_commands(False)
        else:
            self._takes_commands(True)

    def _takes_commands(self, takes: bool) -> None:
        if takes is not self._deaf:
            return
        self._deaf = not takes
        if self._deaf:
            log.warning("%s does not take commands; what it reports is still read", self.spec)
        with self._lock:
            readings = self.decoder.hears(self._clock(), takes)
        self._tell(readings)

    def _lost(self, detail: str, *, gone: bool = True) -> None:
        with self._lock:
            readings = self.decoder.lost(self._clock(), detail, gone=gone)
        self._tell(readings)

    def _close(self) -> None:
        """Always before opening again: a device that is still held comes back under another number."""
        port, self._port = self._port, None
        if port is None:
            return
        try:
            port.close()
        except PORT_FAULTS as error:
            log.debug("closing %s: %s", self.spec, error)

    def _tell(self, readings: list[BridgeReading]) -> None:
        for reading in readings:
            self.on_reading(reading)
