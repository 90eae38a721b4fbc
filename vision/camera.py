"""A live camera: the newest picture only, its age known, silence and standstill noticed, reopened by itself.

    state    means                                            is left for
    opening  nothing has come yet                             ok: a good picture; lost: it cannot be opened
    ok       pictures come and change                         stale: nothing new for `stale_s`; lost: reading fails
    stale    nothing comes, or the same picture again         ok: a new picture; lost: it stays so for `lost_s`
    lost     closed, and opened anew every `retry_s`          ok: a good picture (told as "back")

Pictures pass through `Watch`, which has no thread and no clock of its own; `Camera` is the thread around it. A real
sensor's noise makes no two pictures equal, so the same bytes again and again are a driver that has hung.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from calibration.sampling import Picture
from calibration.sentences import Sentence, error_sentence
from vision.errors import CameraError

log = logging.getLogger(__name__)


class CameraState(StrEnum):
    OPENING = "opening"
    OK = "ok"
    STALE = "stale"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with the time, on the camera's clock in seconds, after which it was surely taken."""

    t_s: float
    image: Picture


@dataclass(frozen=True, slots=True)
class CameraChanged:
    """A change of state in the words of `device` events: ok, stale, lost, back; and why."""

    t_s: float
    state: str
    detail: str


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What is asked of a camera.

    Attributes:
        source: a path that stays the same when it is plugged elsewhere (/dev/v4l/by-id/...), a device path, a stream's
            address, or a number where nothing better is there.
        width, height: wanted size in pixels; another size is an error, not a surprise.
        warm_up: pictures to leave out after opening: exposure is still settling in them.
        stale_s: silence, or the same picture, that is told; the slowest cameras give a picture a second in the dark.
        lost_s: silence after which the device is closed and opened anew.
        retry_s: pause between attempts to open.
    """

    source: str
    width: int = 1280
    height: int = 720
    warm_up: int = 5
    stale_s: float = 1.5
    lost_s: float = 5.0
    retry_s: float = 2.0


class Capture(Protocol):
    """What `Camera` needs of cv2.VideoCapture."""

    def read(self) -> tuple[bool, Picture | None]: ...
    def release(self) -> None: ...


OpenCapture = Callable[[CameraSettings], Capture]
Clock = Callable[[], float]

DARK = 4
"""Mean code value up to which a picture after opening is still black."""


class Watch:
    """Judges what a camera delivers; time comes in as an argument.

    Args:
        tell: takes every change of state.
    """

    def __init__(self, settings: CameraSettings, tell: Callable[[CameraChanged], None]) -> None:
        self._settings = settings
        self._tell = tell
        self.state = CameraState.OPENING
        self.broken = False
        """Whether the device as it was opened last is of no more use."""
        self._was_ok = False
        self._new_s: float | None = None
        self._last: Picture | None = None
        self._left_out = 0

    def opened(self, t_s: float) -> None:
        """The device was opened; its first pictures are left out."""
        self.broken = False
        self._left_out = 0
        self._new_s = t_s
        self._last = None

    def delivered(self, t_s: float, image: Picture) -> Frame | None:
        """A picture came that was waited for since `t_s`; returned where it may be used.

        Raises:
            CameraError: where it has another size than was asked for.
        """
        height, width = image.shape[:2]
        if (width, height) != (self._settings.width, self._settings.height):
            raise CameraError(
                Sentence(
                    "camera {camera} gives {its_width}x{its_height} pixels though {width}x{height} "
                    "were asked for: choose a size that it has",
                    camera=self._settings.source,
                    its_width=width,
                    its_height=height,
                    width=self._settings.width,
                    height=self._settings.height,
                )
            )
        if self._left_out < self._settings.warm_up or (self._last is None and float(image[::16, ::16].mean()) < DARK):
            self._left_out += 1
            self.waited(t_s)
            return None
        if self._last is not None and _same(image, self._last):
            self.waited(t_s)
            return None
        self._last, self._new_s = image, t_s
        self._enter(t_s, CameraState.OK, Sentence("pictures come"))
        return Frame(t_s, image)

    def waited(self, t_s: float) -> None:
        """Nothing new until `t_s`."""
        silent_s = t_s - (self._new_s if self._new_s is not None else t_s)
        if silent_s >= self._settings.lost_s:
            self.failed(t_s, Sentence("nothing new for {seconds:.0f} s", seconds=silent_s))
        elif silent_s >= self._settings.stale_s and self.state is CameraState.OK:
            self._enter(t_s, CameraState.STALE, Sentence("no new picture for {seconds:.1f} s", seconds=silent_s))

    def failed(self, t_s: float, detail: str) -> None:
        """The device cannot be opened or read."""
        self.broken = True
        self._last = None
        self._enter(t_s, CameraState.LOST, detail)

    def _enter(self, t_s: float, state: CameraState, detail: str) -> None:
        if state is self.state:
            return
        self.state = state
        told = state.value
        if state is CameraState.OK:
            told = "back" if self._was_ok else "ok"
            self._was_ok = True
        self._tell(CameraChanged(t_s, told, detail))


def _same(one: Picture, other: Picture) -> bool:
    """Whether two pictures are equal; noise makes nearly all differ within a few rows."""
    return np.array_equal(one[::64], other[::64]) and np.array_equal(one, other)


class Camera:
    """A thread that reads one camera and keeps its newest picture.

    Args:
        deliver: takes every usable picture, in the camera's thread; it should return at once.
        tell: takes every change of state, in the camera's thread or in that of `check`.
        open_capture: opens the device; `open_video` by default.
        clock: seconds, never going back.
    """

    def __init__(
        self,
        settings: CameraSettings,
        deliver: Callable[[Frame], None],
        tell: Callable[[CameraChanged], None],
        open_capture: OpenCapture | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._settings = settings
        self._deliver = deliver
        self._watch = Watch(settings, tell)
        self._open = open_capture or open_video
        self._clock = clock
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {settings.source}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float = 3.0) -> None:
        """Stop reading; a driver that hangs in a read is left to end with the process."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def check(self) -> None:
        """Notice a driver that hangs in a read; whoever owns the camera calls this about once a second."""
        with self._lock:
            self._watch.waited(self._clock())

    def _run(self) -> None:
        while not self._stop.is_set():
            self.attend()
            self._stop.wait(self._settings.retry_s)

    def attend(self) -> None:
        """Open the device and read it until it fails or is stopped; returns when it should be opened anew."""
        try:
            capture = self._open(self._settings)
        except CameraError as error:
            self._fail(error_sentence(error))
            return
        try:
            with self._lock:
                self._watch.opened(self._clock())
            while not self._stop.is_set() and self._read(capture):
                pass
        except CameraError as error:
            self._fail(error_sentence(error))
        except Exception as error:  # a fault of ours, or a driver's of its own kind, must not end the camera for good
            log.exception("reading the camera %s failed; opening it again", self._settings.source)
            self._fail(Sentence("camera {camera} cannot be read: {why}", camera=self._settings.source, why=str(error)))
        finally:
            capture.release()

    def _read(self, capture: Capture) -> bool:
        # stamped before the wait: a picture out of a driver's queue is never taken for newer than it is
        before_s = self._clock()
        good, image = capture.read()
        if not good or image is None:
            self._fail(Sentence("camera {camera} gives no picture; is it unplugged?", camera=self._settings.source))
            return False
        with self._lock:
            frame = self._watch.delivered(before_s, image)
        if frame is not None:
            self._deliver(frame)
        return not self._watch.broken

    def _fail(self, detail: str) -> None:
        with self._lock:
            self._watch.failed(self._clock(), detail)


def open_video(settings: CameraSettings) -> Capture:
    """Open a camera through OpenCV with a queue of one picture and time limits.

    Raises:
        CameraError: where there is none, or it cannot be opened.
    """
    source = settings.source
    if source.startswith("/dev/") and not Path(source).exists():
        raise CameraError(
            Sentence(
                "camera {camera}: there is no such device; plug it in or look for it in /dev/v4l/by-id", camera=source
            )
        )
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(settings.lost_s * 1000)]
    capture = cv2.VideoCapture()
    try:
        if source.isdigit():
            opened = capture.open(int(source))
        elif source.startswith("/dev/"):
            opened = capture.open(str(Path(source).resolve()), cv2.CAP_V4L2)
        else:
            opened = capture.open(source, cv2.CAP_FFMPEG, limits)
    except cv2.error as error:
        raise CameraError(Sentence("camera {camera}: {error}", camera=source, error=error.err)) from None
    if not opened:
        capture.release()
        raise CameraError(Sentence("camera {camera} cannot be opened; is another program using it?", camera=source))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return _Video(capture)


class _Video:
    """cv2.VideoCapture with the types that `Camera` needs."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def read(self) -> tuple[bool, Picture | None]:
        good, image = self._capture.read()
        return good, np.asarray(image, dtype=np.uint8) if good else None

    def release(self) -> None:
        self._capture.release()
