"""Pictures of a calibrated board to `Reading`s, whatever the game."""

from __future__ import annotations

from typing import Protocol

from calibration.camera import Pose
from calibration.file import Calibration
from calibration.finity.appearance import FinityCalibration
from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture
from vision.reading import Reading


class Recogniser(Protocol):
    """Reads pictures from the camera that a calibration was made for.

    It keeps where the board was last, and what it saw: places whose picture has not changed since they were looked at
    closely keep their answer. Feed it the pictures of one camera in their order.
    """

    @property
    def calibration(self) -> Calibration: ...

    @property
    def pose(self) -> Pose:
        """Where the board was last seen."""
        ...

    def look(self, picture: Picture, check_pose: bool = True) -> Reading:
        """Read one picture.

        Args:
            picture: (H, W, 3) uint8, BGR, of the calibrated size.
            check_pose: whether to check where the board lies; without, it is taken to lie where it was last seen.
        """
        ...


def recogniser_for(calibration: Calibration) -> Recogniser:
    """The reader of pictures for a calibration's game."""
    if isinstance(calibration, InfinityCalibration):
        from vision.infinity.recogniser import InfinityRecogniser

        return InfinityRecogniser(calibration)
    if isinstance(calibration, FinityCalibration):
        from vision.finity.recogniser import FinityRecogniser

        return FinityRecogniser(calibration)
    raise TypeError(f"nobody reads pictures of {calibration.game}")
