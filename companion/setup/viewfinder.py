"""The camera during the set-up: its newest picture, how it is, and what is seen of the board as long as somebody looks.

While a game is refereed the camera is the game's, and its pictures come in by `put` from there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.setup.draft import CameraChoice
from companion.texts import Text, in_words, text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.preview import BoardLook
    from vision.camera import Camera, CameraChanged, Frame, OpenCapture

FRESH_S = 3.0
"""Age up to which a picture is shown as what is there now. A slow camera gives one a second."""

WORDS = {
    "opening": text("The camera is being opened."),
    "ok": text("The camera gives pictures."),
    "stale": text("The camera gives no new pictures."),
    "lost": text("The camera gives no picture. Is it unplugged, or does another program use it? It is tried again."),
}


class Viewfinder:
    """One camera, or none. All methods may be called from any thread.

    Args:
        open_capture: opens a camera; None for the machine's own.
        clock: seconds, monotonic.
        changed: called when the camera's state has changed.
        patience: how many times longer than a real camera this one may keep silent.
    """

    def __init__(
        self,
        open_capture: OpenCapture | None,
        clock: Callable[[], float],
        changed: Callable[[], object],
        patience: float = 1.0,
    ) -> None:
        self._open = open_capture
        self._clock = clock
        self._changed = changed
        self._patience = patience
        self._arrived = threading.Condition()
        self._choice: CameraChoice | None = None
        self._camera: Camera | None = None
        self._state: tuple[str, str] | None = None
        self._frame: tuple[float, Any] | None = None
        self._drawn: tuple[float, bytes] | None = None
        self._looked: tuple[object, BoardLook] | None = None
        self._drawing = threading.Lock()

    def choose(self, choice: CameraChoice | None) -> None:
        """Look through this camera from here on."""
        from vision.camera import Camera, CameraSettings

        self.let_go()
        with self._arrived:
            self._choice, self._frame = choice, None
            self._state = None if choice is None else ("opening", "")
        if choice is not None:
            settings = CameraSettings(choice.device, choice.width, choice.height)
            stale_s, lost_s = settings.stale_s * self._patience, settings.lost_s * self._patience
            settings = replace(settings, stale_s=stale_s, lost_s=lost_s)
            deliver, told = partial(self._deliver, choice), partial(self._told, choice)
            self._camera = Camera(settings, deliver, told, self._open, self._clock)
            self._camera.start()

    def let_go(self) -> None:
        """Close the camera, so that a game can have it; pictures may come by `put` from here on."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()

    def put(self, image: Any) -> None:
        """Take a picture of the game's camera."""
        with self._arrived:
            self._frame = self._clock(), image
            self._state = ("ok", "")
            self._arrived.notify_all()

    def check(self) -> None:
        """Notice a driver that hangs in a read."""
        camera = self._camera
        if camera is not None:
            camera.check()

    @property
    def state(self) -> str | None:
        """opening, ok, stale or lost; None without a camera."""
        if self._state is None:
            return None
        name = self._state[0]
        # a camera that a game has tells nobody here that it is gone
        return "stale" if name == "ok" and self._camera is None and self.newest() is None else name

    @property
    def words(self) -> Text | str:
        """How the camera is; why, where that is known."""
        state = self.state or "opening"
        detail = self._state[1] if self._state is not None else ""
        return text("{what} ({why})", what=WORDS[state], why=detail) if detail and state == "lost" else WORDS[state]

    def newest(self) -> tuple[float, Any] | None:
        """The newest picture and when it was taken; None where none is fresh, or the camera is known to give none."""
        frame, state = self._frame, self._state
        if frame is None or state is None or state[0] in ("stale", "lost"):
            return None
        return frame if self._clock() - frame[0] <= FRESH_S * self._patience else None

    def next_after(self, t_s: float, timeout_s: float) -> Any | None:
        """The first picture that was taken after `t_s`, None where none comes."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._frame is not None and self._frame[0] > t_s, timeout_s)
            return self._frame[1] if self._frame is not None and self._frame[0] > t_s else None

    def jpeg(self, board: Board | None, players: int | None) -> bytes | None:
        """The newest picture with what is seen of the board drawn in; made once, however many look."""
        from calibration.preview import draw
        from vision.pictures import encode_jpeg

        frame = self.newest()
        if frame is None:
            return None
        with self._drawing:
            if self._drawn is None or self._drawn[0] != frame[0]:
                image = frame[1]
                jpeg = encode_jpeg(image, 80) if board is None else draw(image, self._seen(frame, board, players))
                self._drawn = frame[0], jpeg
            jpeg = self._drawn[1]
        return None if self.newest() is None else jpeg  # the camera may have been lost while it was drawn

    def look(self, board: Board, players: int | None) -> tuple[BoardLook, float] | None:
        """What the newest picture shows of the board, and when it was taken."""
        frame = self.newest()
        if frame is None:
            return None
        with self._drawing:
            return self._seen(frame, board, players), frame[0]

    def _seen(self, frame: tuple[float, Any], board: Board, players: int | None) -> BoardLook:
        """What a picture shows; worked out once for the look and for the picture that is shown."""
        from calibration.preview import look

        key = frame[0], board, players
        if self._looked is None or self._looked[0] != key:
            self._looked = key, look(frame[1], board, players)
        return self._looked[1]

    def _deliver(self, choice: CameraChoice, frame: Frame) -> None:
        with self._arrived:
            if choice is self._choice and self._camera is not None:  # not one that hung, and was let go long ago
                self._frame = frame.t_s, frame.image
                self._arrived.notify_all()

    def _told(self, choice: CameraChoice, change: CameraChanged) -> None:
        if choice is self._choice and self._camera is not None:
            self._state = ("ok" if change.state == "back" else change.state), in_words(change.detail)
            self._changed()
