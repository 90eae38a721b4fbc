"""The eye of a live game: what it notices of a camera that hangs, of pictures that show nothing and of own faults."""

from __future__ import annotations

import queue
import threading
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from calibration.sampling import Picture
from companion.config import CameraSection
from companion.devices import CameraEye, Stand, Taps
from companion.evidence import DeviceChanged, Evidence, Sight
from companion.unread import UnreadPictures
from tests.calibration.scenes import calibrated, frame, scene
from vision.camera import CameraSettings
from vision.reading import Reading, Status


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


SAID_S = 2.0
"""Within this people hear of a camera that is of no use."""


def news(*steps: tuple[float, Status]) -> list[tuple[float, str]]:
    watch = UnreadPictures("camera")
    told = (watch.take(t_s, Reading(status, detail="it is black")) for t_s, status in steps)
    return [(change.t_s, change.state.value) for change in told if change is not None]


def test_pictures_that_show_nothing_are_told_once_and_so_is_their_end() -> None:
    dark = [(5.0 + k / 15, Status.BAD_IMAGE) for k in range(60)]
    (at_s, state), back = news((4.9, Status.OK), *dark, (9.1, Status.OK), (9.2, Status.OK))
    assert state == "stale"
    assert at_s - 5.0 < SAID_S
    assert back == (9.1, "back")


def test_a_flash_is_nothing_to_tell() -> None:
    assert news((1.0, Status.OK), (1.1, Status.BAD_IMAGE), (1.9, Status.BAD_IMAGE), (2.0, Status.UNSURE)) == []


def test_what_is_dark_still_after_other_news_of_the_camera_is_told_again() -> None:
    watch = UnreadPictures("camera")
    dark = Reading(Status.BAD_IMAGE, detail="it is black")
    assert [watch.take(t_s, dark) is not None for t_s in (1.0, 2.0, 3.0)] == [False, True, False]
    watch.forget()
    assert [watch.take(t_s, dark) is not None for t_s in (4.0, 5.0, 6.0)] == [False, True, False]


class Pictures:
    """A camera that gives picture after picture, each a little different."""

    def __init__(self, settings: CameraSettings) -> None:
        self._picture = frame(scene(3), "f01")
        self._numbers = count()

    def read(self) -> tuple[bool, Picture | None]:
        picture = self._picture.copy()
        picture[0, 0] = np.uint8(next(self._numbers) % 256)
        return True, picture

    def release(self) -> None: ...


def test_a_picture_that_our_own_fault_cannot_read_does_not_end_the_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = iter([IndexError("out of the picture")] * 3)

    def look(_: object, picture: Picture) -> Reading:
        fault = next(faults, None)
        if fault is not None:
            raise fault
        return Reading(Status.OK)

    monkeypatch.setattr("vision.infinity.recogniser.InfinityRecogniser.look", look)
    told: queue.Queue[Evidence] = queue.Queue()
    section = CameraSection(device="/dev/v4l/by-id/usb-cam", calibration=Path("unused.json"))
    eye = CameraEye(section, calibrated(scene(3))[0], told.put, Stand(open_capture=Pictures), Taps())
    eye.start()
    try:
        seen = [told.get(timeout=20) for _ in range(5)]
    finally:
        eye.stop()
    statuses = [each.reading.status for each in seen if isinstance(each, Sight)]
    assert statuses == [Status.BAD_IMAGE] * 3 + [Status.OK]
    assert any("out of the picture" in each.reading.detail for each in seen if isinstance(each, Sight))
