"""Pictures of a calibrated board to `Reading`s: what is the same for every game.

A recogniser refuses pictures that cannot be read, follows the board, and hands each picture to the `Reader` of its
game, which is made anew for every pose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from calibration.camera import Floats, Pose, project
from calibration.file import Calibration
from calibration.finity.appearance import FinityCalibration
from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture
from calibration.sentences import Sentence
from vision.reading import Reading, Status
from vision.tracking import Track, Tracker

TURNED_DEG = 30.0
"""From here on light falls on the board from another side than in the calibration."""
BLACK, WHITE = 12, 250
"""Code values: a picture without anything brighter, or darker, shows nothing."""

UNFOLLOWED: Final = {
    Track.ABSENT: (Status.NO_BOARD, Sentence("none of the board's markers is in the picture")),
    Track.LOST: (Status.MOVED, Sentence("the board has moved and too few of its markers can be seen to follow it")),
}
EXCHANGED = Sentence("the picture's channel order is wrong: red and blue are exchanged")


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the board lies, and how far from where the calibration has it."""

    pose: Pose
    shift_px: float
    turned_deg: float

    @property
    def detail(self) -> str:
        """A sentence where the board lies turned so far that people may wonder about the places' names."""
        if self.turned_deg <= TURNED_DEG:
            return ""
        return Sentence(
            "the board lies turned by {degrees:.0f} degrees; its places keep their names", degrees=self.turned_deg
        )


class Reader(Protocol):
    """Reads a game's board that lies at one pose.

    It keeps what it saw: places whose picture has not changed since they were looked at closely keep their answer.
    """

    def look(self, picture: Picture) -> Reading:
        """Read one picture of the calibrated size; the same object as before where nothing has changed."""
        ...

    def forget(self) -> None:
        """Have the next picture looked at closely all over."""
        ...


class Recogniser:
    """Reads pictures from the camera that a calibration was made for.

    It keeps where the board was last. Feed it the pictures of one camera in their order.

    Args:
        reader_at: makes the game's reader for a board that stands so.
    """

    def __init__(self, calibration: Calibration, reader_at: Callable[[Stand], Reader]) -> None:
        self._calibration = calibration
        self._reader_at = reader_at
        self._tracker = Tracker(calibration)
        self._pose = calibration.pose
        self._reader = reader_at(_stand(calibration, calibration.pose))

    @property
    def calibration(self) -> Calibration:
        return self._calibration

    @property
    def pose(self) -> Pose:
        """Where the board was last seen."""
        return self._pose

    def look(self, picture: Picture, check_pose: bool = True) -> Reading:
        """Read one picture.

        Args:
            picture: (H, W, 3) uint8, BGR, of the calibrated size.
            check_pose: whether to check where the board lies; without, it is taken to lie where it was last seen.
        """
        fault = unfit(picture, self._calibration.size)
        if fault:
            return Reading(Status.BAD_IMAGE, detail=fault)
        if check_pose:
            tracked = self._tracker.check(picture)
            if tracked.track in UNFOLLOWED:
                self._reader.forget()
                status, detail = UNFOLLOWED[tracked.track]
                return Reading(status, detail=detail)
            if tracked.track is Track.FOLLOWED:
                self._pose = tracked.pose
                self._reader = self._reader_at(_stand(self._calibration, tracked.pose))
        return self._reader.look(picture)


def recogniser_for(calibration: Calibration) -> Recogniser:
    """The reader of pictures for a calibration's game."""
    if isinstance(calibration, InfinityCalibration):
        from vision.infinity.recogniser import InfinityRecogniser

        return InfinityRecogniser(calibration)
    if isinstance(calibration, FinityCalibration):
        from vision.finity.recogniser import FinityRecogniser

        return FinityRecogniser(calibration)
    raise TypeError(f"nobody reads pictures of {calibration.game}")


def unfit(picture: Picture, size: tuple[int, int]) -> str:
    """Why a picture cannot be read whatever it shows; "" where it can.

    Args:
        size: width and height in pixels for which the calibration is.
    """
    width, height = size
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        return Sentence(
            "the picture is no 8-bit colour picture (it is {dtype} of shape {shape})",
            dtype=str(picture.dtype),
            shape=str(picture.shape),
        )
    if picture.shape[:2] != (height, width):
        return Sentence(
            "the picture is {its_width}x{its_height} pixels and the calibration is for "
            "{width}x{height}: set the camera to that size or calibrate again",
            its_width=picture.shape[1],
            its_height=picture.shape[0],
            width=width,
            height=height,
        )
    codes = picture[::32, ::32]
    if codes.max() < BLACK:
        return Sentence("the picture is black: is the lens covered or the light off?")
    if codes.min() > WHITE:
        return Sentence("the picture is white: does a lamp shine into the lens?")
    return ""


def _stand(calibration: Calibration, pose: Pose) -> Stand:
    home, now = (_markers_px(calibration, at) for at in (calibration.pose, pose))
    turn = pose.rotation @ calibration.pose.rotation.T
    turned_deg = float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))
    return Stand(pose, float(np.linalg.norm(now - home, axis=1).mean()), turned_deg)


def _markers_px(calibration: Calibration, pose: Pose) -> Floats:
    corners = calibration.board.aruco.corners().values()
    return project(np.array([corner for marker in corners for corner in marker]), calibration.lens, pose)
