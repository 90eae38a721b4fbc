"""Real ends of simulated devices on a stepped clock: a port's pty, a camera's driver, and who reads its pictures."""

from __future__ import annotations

import math
import select
from collections import OrderedDict
from functools import partial
from typing import Any

import numpy as np
import serial

from calibration.camera import Lens, Pose
from calibration.file import Calibration
from calibration.infinity.appearance import Appearance, InfinityCalibration
from calibration.infinity.board import reference_board
from calibration.light import LightReference
from calibration.sampling import Picture
from hw_sim.pins import driven_factory
from hw_sim.senses import Seen
from hw_sim.serial_port import SimSerialPort
from hw_sim.table import SimTable
from hw_sim.wires import CONTACTS, Edge, line_pins
from tests.campaigns.stepped_time import SteppedEvent, SteppedTime
from tests.hw_sim.readings_from_sim import reading_from
from vision.camera import CameraSettings, Capture
from vision.errors import CameraError
from vision.reading import Reading, Status
from vision.recogniser import unfit

DRIVER_S = 0.1
"""A camera gives a picture this often; of those that show the game only the ones with something new are drawn."""
SILENT_S = 3.0
"""A driver gives up a read after this long without a picture."""
FIRST = 6
"""After opening a driver hands out so many pictures at its own pace."""
SPARK_S = 50e-6
"""Half of what a marble off the beam's centre line takes."""
KEPT = 8
"""Pictures whose contents are remembered: only the newest one is ever looked at."""


class SteppedLine:
    """Tells who reads a simulated port that there is something, without real time passing where there is not."""

    def __init__(self, time: SteppedTime, port: SimSerialPort) -> None:
        self.port = port
        self.news = SteppedEvent(time)

    def send(self, data: bytes) -> None:
        if self.port.send(data):
            self.news.set()

    def plug(self) -> None:
        self.port.plug()

    def unplug(self) -> None:
        self.port.unplug()
        self.news.set()

    def serial_class(self) -> type[serial.Serial]:
        """pyserial's own class, whose reads wait by the stepped clock."""
        news = self.news

        class SteppedSerial(serial.Serial):
            def ready(self) -> bool:
                return bool(select.select([self.fileno()], [], [], 0)[0])

            def read(self, size: int = 1) -> bytes:
                told = news.is_set()
                news.clear()
                if not told and not self.ready():
                    told = news.wait(self.timeout)
                    news.clear()
                if told or self.ready():
                    data: bytes = super().read(size)
                    return data
                return b""

        return SteppedSerial


class SteppedCamera:
    """A camera on a cable. Its pictures say by a number which look of the simulated eyes they are."""

    def __init__(self, time: SteppedTime, calibration: Calibration) -> None:
        self.plugged = True
        self.frozen = False
        self.hangs = False
        self.dark = False
        self._time = time
        self._calibration = calibration
        self._changed = SteppedEvent(time)
        self._now: Seen | None = None
        self._drawn: OrderedDict[int, Seen] = OrderedDict()
        self._count = 0
        width, height = calibration.size
        self._blank = np.full((height, width, 3), 90, np.uint8)
        self._blank[:, : width // 2] = 160
        self._last = self._blank

    def show(self, seen: Seen) -> None:
        """What the camera sees from now on."""
        self._now = seen
        self._changed.set()

    def stir(self) -> None:
        """A driver that waits looks up: its cable was pulled, or it hangs no more."""
        self._changed.set()

    def open(self, settings: CameraSettings) -> Capture:
        if not self.plugged:
            raise CameraError(f"camera {settings.source} cannot be opened; is another program using it?")
        return _Feed(self)

    def read(self, again: bool) -> tuple[bool, Picture | None]:
        """One picture, when there is a new one; `again`: soon, of what was seen last."""
        if again and self._now is not None and not self._changed.wait(DRIVER_S):
            self._changed.set()
        ends_s = self._time() + SILENT_S
        while self.plugged:
            if self.dark and not (self.hangs or self.frozen):
                self._changed.wait(DRIVER_S)
                self._changed.clear()
                return self.plugged, self._draw()
            if self.frozen and not self.hangs:
                self._changed.wait(DRIVER_S)
                self._changed.clear()
                return self.plugged, self._last.copy()
            if self._changed.wait(max(0.0, ends_s - self._time())):
                self._changed.clear()
                if self.plugged and not self.hangs and not self.frozen:
                    self._last = self._draw()
                    return True, self._last
            elif not self.hangs:
                break
            else:
                ends_s = self._time() + SILENT_S
        return False, None

    @property
    def calibration(self) -> Calibration:
        return self._calibration

    @property
    def pose(self) -> Pose:
        return self._calibration.pose

    def look(self, image: Picture) -> Reading:
        """In place of vision: what the simulated eyes say of that picture."""
        fault = unfit(image, self._calibration.size)
        if fault:
            return Reading(Status.BAD_IMAGE, detail=fault)
        return reading_from(self._drawn[int(image[1, 0:8, 0].copy().view(np.uint64)[0])])

    def _draw(self) -> Picture:
        assert self._now is not None
        self._count += 1
        self._drawn[self._count] = self._now
        while len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)
        picture = np.zeros_like(self._blank) if self.dark else self._blank.copy()
        picture[1, 0:8, 0] = np.array([self._count], np.uint64).view(np.uint8)
        return picture


class _Feed:
    """A camera that was opened."""

    def __init__(self, camera: SteppedCamera) -> None:
        self._camera = camera
        self._reads = 0

    def read(self) -> tuple[bool, Picture | None]:
        self._reads += 1
        return self._camera.read(self._reads <= FIRST)

    def release(self) -> None: ...


class SteppedPins:
    """Pins that go on from one simulated table to the next, as the wires of one table do."""

    def __init__(self) -> None:
        self.factory = driven_factory()
        self.broken = False
        self.deaf = False
        self._table: SimTable | None = None
        pin = self.factory.pin_class
        board = self

        class Pin(pin):  # type: ignore[misc, valid-type]
            def _get_state(self) -> Any:
                if board.broken:
                    raise OSError("the chip does not answer")
                return super()._get_state()

        self.factory.pin_class = Pin

    def at(self, table: SimTable) -> None:
        """Lead the wires of another table here."""
        self._table = table
        self._pins = line_pins(table.wires.wiring)
        for line in self._pins:
            self._drive(line, table.wires.levels[line])
        table.listen(partial(self._edge, table))

    def spark(self, line: str) -> None:
        """A beam's pin tells of a break, shorter than any marble's."""
        table = self._table
        assert table is not None
        blocked = table.wires.wiring.beam_blocked_level
        if table.wires.levels[line] != blocked:
            self._drive(line, blocked)
            table.timeline.after(SPARK_S, lambda: self._drive(line, table.wires.raw[line]))

    def _edge(self, table: SimTable, edge: Edge) -> None:
        if table is not self._table or edge.line not in self._pins:
            return
        if edge.line in CONTACTS:
            for other in CONTACTS:
                if other != edge.line:
                    self._pin(other).slip(table.wires.raw[other])
        self._drive(edge.line, edge.level)

    def _drive(self, line: str, level: int) -> None:
        pin = self._pin(line)
        if self.deaf or self.broken:
            pin.slip(level)
        else:
            pin.drive(level)

    def _pin(self, line: str) -> Any:
        return self.factory.pin(self._pins[line])


def plain_calibration() -> InfinityCalibration:
    """A camera half a metre straight above the reference board; of how pieces look it knows nothing."""
    nothing = np.zeros((1, 1, 3), np.float32)
    light = LightReference(nothing, nothing)
    appearance = Appearance(light, {}, nothing, {}, (0.0, 0.0), {}, (0.0, 0.0, 0.0), 0.0, 0.0, None)
    lens = Lens(1280, 720, 1150.0, 1150.0, 639.5, 359.5)
    pose = Pose((math.pi, 0.0, 0.0), (0.0, 0.0, 500.0))
    return InfinityCalibration(reference_board(), lens, pose, 1.0, appearance, "")
