"""Pictures that come and show nothing: a lens that is covered, a lamp that is off, a driver that mixes up colours."""

from __future__ import annotations

from companion.evidence import DeviceChanged, DeviceState
from companion.texts import text
from vision.reading import Reading, Status

UNREAD_S = 1.0
"""A camera's exposure has found itself by then, after a lamp was switched on or off; and people hear of it within two
seconds."""


class UnreadPictures:
    """Watches what is read of one camera's pictures, in the order of time.

    States: read -> unread (for less than `UNREAD_S`) -> told -> read, which is told, too.
    """

    def __init__(self, camera: str) -> None:
        self._camera = camera
        self._since_s: float | None = None
        self._told = False

    def take(self, t_s: float, reading: Reading) -> DeviceChanged | None:
        """What is new with this picture."""
        if reading.status is not Status.BAD_IMAGE:
            told, self._told, self._since_s = self._told, False, None
            return DeviceChanged(t_s, self._camera, DeviceState.BACK, text("pictures come")) if told else None
        if self._since_s is None:
            self._since_s = t_s
        if self._told or t_s - self._since_s < UNREAD_S:
            return None
        self._told = True
        return DeviceChanged(t_s, self._camera, DeviceState.STALE, reading.detail)

    def forget(self) -> None:
        """Something else was told of the camera: pictures that still show nothing are told of again."""
        self._since_s, self._told = None, False
