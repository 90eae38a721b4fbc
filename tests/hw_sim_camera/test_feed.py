"""The live device behaves like a capture of OpenCV, and each of its faults really happens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hw_sim.camera import CameraFaults, SimCameraDevice
from hw_sim.clock import ManualClock
from hw_sim.scene import Light, Scene
from tests.hw_sim_camera.stand import camera, scene

ALWAYS = 1e9
"""A rate at which a fault strikes in every frame."""


def device(faults: CameraFaults | None = None, seed: int = 0) -> tuple[SimCameraDevice, ManualClock]:
    clock = ManualClock()

    def see(_t_s: float) -> tuple[Scene, Light]:
        return scene(), Light()

    made = SimCameraDevice(camera("white_felt"), see, faults=faults, seed=seed, clock=clock, sleep=clock.advance)
    return made, clock


def test_pictures_come_at_their_pace() -> None:
    sim, clock = device()
    feed = sim.open()
    assert feed.isOpened()
    for count in range(4):
        ok, picture = feed.read()
        assert ok
        assert picture is not None
        assert picture.shape == (720, 1280, 3)
        assert clock() == pytest.approx(count / 15)
    assert feed.get(cv2.CAP_PROP_FRAME_WIDTH) == 1280
    assert feed.get(cv2.CAP_PROP_FPS) == pytest.approx(15)
    assert feed.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
    assert not feed.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
    assert feed.get(cv2.CAP_PROP_GAIN) == 0
    assert feed.grab()
    assert feed.retrieve()[0]


def test_a_late_reader_gets_no_pictures_of_the_past() -> None:
    sim, clock = device()
    feed = sim.open()
    feed.read()
    clock.advance(5)
    feed.read()
    assert clock() == 5
    feed.read()
    assert clock() == pytest.approx(5 + 1 / 15)


def test_a_released_capture_gives_nothing() -> None:
    feed = device()[0].open()
    feed.release()
    assert not feed.isOpened()
    assert feed.read() == (False, None)
    assert not feed.grab()
    assert feed.retrieve() == (False, None)


def test_without_faults_nothing_goes_wrong() -> None:
    feed = device()[0].open()
    pictures = [feed.read()[1] for _ in range(5)]
    assert all(picture is not None for picture in pictures)
    assert len({picture.tobytes() for picture in pictures if picture is not None}) == 5
    assert np.ptp([picture.mean() for picture in pictures if picture is not None]) < 1


def test_a_frozen_picture_stays_for_ever_and_is_cured_by_opening_again() -> None:
    sim, _ = device(CameraFaults(freeze_rate=ALWAYS))
    feed = sim.open()
    first = feed.read()[1]
    for _ in range(3):
        ok, picture = feed.read()
        assert ok
        assert np.array_equal(picture, first)  # type: ignore[arg-type]
    assert not np.array_equal(sim.open().read()[1], first)  # type: ignore[arg-type]


def test_a_stalled_read_takes_its_time_and_fails() -> None:
    sim, clock = device(CameraFaults(stall_rate=ALWAYS, stall_s=10))
    feed = sim.open()
    assert feed.read() == (False, None)
    assert clock() == 10
    assert feed.isOpened()


def test_an_unplugged_camera_fails_until_it_is_back() -> None:
    sim, clock = device()
    feed = sim.open()
    assert feed.read()[0]
    sim.unplug(2.0)
    assert feed.read() == (False, None)
    assert not sim.open().isOpened()
    clock.advance(2.5)
    assert feed.read() == (False, None)
    assert sim.open().read()[0]


def test_the_cable_is_pulled_by_chance() -> None:
    sim, _ = device(CameraFaults(unplug_rate=ALWAYS, unplug_s=2))
    feed = sim.open()
    assert feed.isOpened()
    assert feed.read() == (False, None)
    assert not sim.is_plugged


def test_first_pictures_are_dark() -> None:
    feed = device(CameraFaults(dark_first=2))[0].open()
    means = [float(np.mean(feed.read()[1])) for _ in range(3)]  # type: ignore[arg-type]
    assert max(means[:2]) < 5
    assert means[2] > 50


def test_another_size_than_the_cameras_is_delivered() -> None:
    feed = device(CameraFaults(delivered_size=(640, 480)))[0].open()
    picture = feed.read()[1]
    assert picture is not None
    assert picture.shape == (480, 640, 3)
    assert feed.get(cv2.CAP_PROP_FRAME_HEIGHT) == 480


def test_the_exposure_jumps() -> None:
    feed = device(CameraFaults(exposure_rate=ALWAYS))[0].open()
    means = [float(np.mean(feed.read()[1])) for _ in range(6)]  # type: ignore[arg-type]
    assert np.ptp(means) > 8


def test_faults_are_seeded() -> None:
    def failures(seed: int) -> list[bool]:
        feed = device(CameraFaults(stall_rate=400, stall_s=1), seed)[0].open()
        return [feed.read()[0] for _ in range(12)]

    assert failures(1) == failures(1)
    assert len({tuple(failures(seed)) for seed in range(4)}) > 1


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="stall_s must be 0 or more"):
        CameraFaults(stall_s=-1)
    with pytest.raises(ValueError, match="above 0"):
        SimCameraDevice(camera("white_felt"), lambda _: (scene(), Light()), frames_per_s=0)
