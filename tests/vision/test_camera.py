"""A live camera against captures that misbehave the way drivers do, on a clock that the test turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from calibration.sampling import Picture
from vision.camera import Camera, CameraChanged, CameraSettings, CameraState, Frame, Watch, open_video
from vision.errors import CameraError

SETTINGS = CameraSettings("/dev/v4l/by-id/usb-cam", width=64, height=48, warm_up=2)


def picture(number: int, width: int = 64, height: int = 48) -> Picture:
    return np.full((height, width, 3), 50 + number % 200, np.uint8)


class FakeCapture:
    """Gives what its script says: a picture, or None for a failed read."""

    def __init__(self, script: Iterator[Picture | None]) -> None:
        self.script = script
        self.released = False

    def read(self) -> tuple[bool, Picture | None]:
        image = next(self.script)
        return image is not None, image

    def release(self) -> None:
        self.released = True


class Clock:
    def __init__(self, step_s: float = 0.1) -> None:
        self.now_s = 0.0
        self.step_s = step_s

    def __call__(self) -> float:
        self.now_s += self.step_s
        return self.now_s


def attended(script: Sequence[Picture | None], clock: Clock | None = None) -> tuple[list[Frame], list[CameraChanged]]:
    """Read one capture to the end of its script."""
    frames: list[Frame] = []
    told: list[CameraChanged] = []
    capture = FakeCapture(iter([*script, None]))
    camera = Camera(SETTINGS, frames.append, told.append, lambda _: capture, clock or Clock())
    camera.attend()
    assert capture.released
    return frames, told


def test_the_first_pictures_are_left_out() -> None:
    frames, told = attended([picture(k) for k in range(6)])
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [52, 53, 54, 55]
    assert [change.state for change in told] == ["ok", "lost"]


def test_dark_pictures_after_opening_are_left_out() -> None:
    dark = [np.full((48, 64, 3), k % 2, np.uint8) for k in range(6)]
    frames, _ = attended([*dark, picture(9)])
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [59]


def test_a_picture_is_stamped_before_it_was_waited_for() -> None:
    clock = Clock(1.0)
    frames, _ = attended([picture(k) for k in range(3)], clock)
    assert frames[0].t_s < clock.now_s


def test_the_same_picture_again_and_again_goes_stale_and_then_lost() -> None:
    frames, told = attended([*(picture(k) for k in range(4)), *[picture(9)] * 100], Clock(0.05))
    assert [change.state for change in told] == ["ok", "stale", "lost"]
    stale = told[1].t_s - frames[-1].t_s
    assert SETTINGS.stale_s <= stale <= SETTINGS.stale_s + 0.2
    assert sum(int(frame.image[0, 0, 0]) == 59 for frame in frames) == 1


def test_a_stale_camera_comes_back() -> None:
    script = [*(picture(k) for k in range(4)), *[picture(9)] * 30, picture(20), picture(21)]
    _, told = attended(script, Clock(0.1))
    assert [change.state for change in told][:3] == ["ok", "stale", "back"]


def test_a_driver_that_raises_is_told_and_opened_again() -> None:
    """Whatever a driver or who takes its pictures raises: the camera's thread lives on."""

    class Raising(FakeCapture):
        def read(self) -> tuple[bool, Picture | None]:
            raise ValueError("a buffer of no size")

    told: list[CameraChanged] = []
    capture = Raising(iter([]))
    camera = Camera(SETTINGS, lambda _: None, told.append, lambda _: capture, Clock())
    camera.attend()
    assert capture.released
    assert [change.state for change in told] == ["lost"]
    assert "a buffer of no size" in told[0].detail


def test_another_size_than_asked_for_is_told() -> None:
    frames, told = attended([picture(1, 32, 24)])
    assert frames == []
    assert told[0].state == "lost"
    assert "32x24 pixels though 64x48" in told[0].detail


def test_it_is_opened_by_its_own_name_until_it_comes_back() -> None:
    """Unplugged and plugged in elsewhere: the name in by-id stays, and no other camera is ever opened."""
    opened: list[str] = []
    told: list[CameraChanged] = []
    back = threading.Event()
    attempts = iter([[picture(k) for k in range(4)], None, None, [picture(k) for k in range(4, 9)]])

    def open_capture(settings: CameraSettings) -> FakeCapture:
        opened.append(settings.source)
        script = next(attempts, None)
        if script is None:
            raise CameraError("camera is not there")
        return FakeCapture(iter([*script, None]))

    def tell(change: CameraChanged) -> None:
        told.append(change)
        if change.state == "back":
            back.set()

    settings = CameraSettings(SETTINGS.source, width=64, height=48, warm_up=2, retry_s=0.001)
    camera = Camera(settings, lambda _: None, tell, open_capture, Clock())
    camera.start()
    assert back.wait(10)
    camera.stop()
    assert [change.state for change in told][:3] == ["ok", "lost", "back"]
    assert set(opened) == {SETTINGS.source}


def test_a_driver_that_hangs_in_a_read_is_noticed() -> None:
    """The thread that reads cannot say so itself; whoever owns the camera asks."""
    told: list[CameraChanged] = []
    hanging, go_on = threading.Event(), threading.Event()

    def script() -> Iterator[Picture | None]:
        yield from (picture(k) for k in range(4))
        hanging.set()
        go_on.wait(10)
        yield None

    clock = Clock(0.01)
    camera = Camera(SETTINGS, lambda _: None, told.append, lambda _: FakeCapture(script()), clock)
    camera.start()
    assert hanging.wait(10)
    clock.now_s += SETTINGS.stale_s
    camera.check()
    assert told[-1].state == "stale"
    go_on.set()
    camera.stop()


Step = Callable[[Watch], object]
WAYS: dict[CameraState, Step] = {
    CameraState.OPENING: lambda watch: watch.opened(0.0),
    CameraState.OK: lambda watch: [watch.delivered(1.0 + k, picture(k)) for k in range(4)],
    CameraState.STALE: lambda watch: watch.waited(4.0 + SETTINGS.stale_s),
    CameraState.LOST: lambda watch: watch.failed(9.0, "unplugged"),
}


@pytest.mark.parametrize("state", list(CameraState))
def test_every_state_is_left_by_new_pictures(state: CameraState) -> None:
    watch = Watch(SETTINGS, lambda _: None)
    for step in {CameraState.OPENING: [], CameraState.OK: [CameraState.OK]}.get(state, [CameraState.OK, state]):
        WAYS[step](watch)
    assert watch.state is state
    watch.opened(10.0)
    for number in range(10, 14):
        watch.delivered(10.0, picture(number))
    assert watch.state is CameraState.OK


def test_a_device_that_is_not_there_is_told_with_what_to_do() -> None:
    with pytest.raises(CameraError, match="no such device; plug it in"):
        open_video(CameraSettings("/dev/v4l/by-id/no-such-camera"))
    with pytest.raises(CameraError, match="cannot be opened"):
        open_video(CameraSettings("/no/such/film.mkv"))
