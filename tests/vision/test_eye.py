"""The eye of a live game on a camera whose driver hangs: its own looking thread notices."""

from __future__ import annotations

import queue
import threading
from itertools import count
from pathlib import Path

import numpy as np

from calibration.sampling import Picture
from companion.config import CameraSection
from companion.devices import CameraEye, Stand, Taps
from companion.evidence import DeviceChanged, Evidence
from tests.calibration.scenes import calibrated, frame, scene
from vision.camera import CameraSettings


class HangingCapture:
    """Gives a few pictures, each a little different, and then never comes back from a read."""

    def __init__(self, settings: CameraSettings) -> None:
        self._picture = frame(scene(3), "f01")
        self._numbers = count()
        self.go_on = threading.Event()

    def read(self) -> tuple[bool, Picture | None]:
        number = next(self._numbers)
        if number > 7:
            self.go_on.wait(30)
            return False, None
        picture = self._picture.copy()
        picture[0, 0] = np.uint8(number)
        return True, picture

    def release(self) -> None:
        self.go_on.set()


def test_a_driver_that_hangs_in_a_read_goes_stale() -> None:
    captures: list[HangingCapture] = []

    def open_capture(settings: CameraSettings) -> HangingCapture:
        captures.append(HangingCapture(settings))
        return captures[-1]

    told: queue.Queue[Evidence] = queue.Queue()
    section = CameraSection(device="/dev/v4l/by-id/usb-cam", calibration=Path("unused.json"))
    stand = Stand(open_capture=open_capture, patience=0.1)
    eye = CameraEye(section, calibrated(scene(3))[0], told.put, stand, Taps())
    eye.start()
    try:
        states: list[str] = []
        while "stale" not in states and "lost" not in states:
            evidence = told.get(timeout=20)
            if isinstance(evidence, DeviceChanged):
                states.append(evidence.state.value)
        assert states[0] == "ok"
    finally:
        captures[0].go_on.set()
        eye.stop()
