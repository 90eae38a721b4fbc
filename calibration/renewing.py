"""A calibration renewed in the middle of a game, from one picture of the position that lies there.

The camera was moved or the lamp was: pose, light and looks are taken anew as far as the picture shows them, and the
rest stays as it was known. Lens, board and what is printed stay: who changed those calibrates anew.
"""

from __future__ import annotations

from typing import Any

from calibration.camera import MAX_ERROR_PX, Pose, first_pose, solve_pose
from calibration.errors import RefusedError
from calibration.file import Calibration
from calibration.markers import find_markers, gray
from calibration.sampling import Picture
from calibration.sentences import Sentence

LEAST_MARKERS = 3
"""Two leave a pose too free to be looked at for the rest of a game."""


def renew(calibration: Calibration, picture: Picture, state: Any) -> Calibration:
    """Take pose, light and looks from a picture of a known position.

    Args:
        picture: (H, W, 3) uint8, BGR, of the calibrated size, with no hand over the board.
        state: what lies there, `calibration.infinity.states.State` or `calibration.finity.examples.State`.
    Raises:
        RefusedError: where nothing can be learnt from the picture, with what to do; whoever calls keeps the old one,
            and reads the picture back before the new one is trusted.
    """
    from calibration.finity.appearance import FinityCalibration
    from calibration.infinity.appearance import InfinityCalibration

    height, width = picture.shape[:2]
    if (width, height) != calibration.size:
        wanted = "x".join(map(str, calibration.size))
        raise RefusedError(
            Sentence(
                "the picture is {width}x{height} pixels and the calibration is for {wanted}",
                width=width,
                height=height,
                wanted=wanted,
            )
        )
    pose = pose_in(picture, calibration)
    if isinstance(calibration, InfinityCalibration):
        from calibration.infinity.renewing import renew_infinity

        return renew_infinity(calibration, picture, pose, state)
    if isinstance(calibration, FinityCalibration):
        from calibration.finity.renewing import renew_finity

        return renew_finity(calibration, picture, pose, state)
    raise TypeError(f"nobody renews calibrations of {calibration.game}")


def pose_in(picture: Picture, calibration: Calibration) -> Pose:
    """Where the board lies in a picture, wherever it was before.

    Raises:
        RefusedError: where too few markers are seen, or they lie as no board of these measures can.
    """
    board, lens = calibration.board, calibration.lens
    found = find_markers(gray(picture), board)
    if len(found) < min(LEAST_MARKERS, len(board.aruco.ids)):
        missing = ", ".join(str(marker) for marker in board.aruco.ids if marker not in found)
        raise RefusedError(
            Sentence(
                "marker {missing} is not seen: uncover the markers, and see that the board is in the picture",
                missing=missing,
            )
        )
    starts = (calibration.pose, first_pose(found, board, lens))
    pose, error = min(
        (solve_pose(found, board, lens, calibration.shrink, start) for start in starts), key=lambda fit: fit[1]
    )
    if error > MAX_ERROR_PX:
        raise RefusedError(
            Sentence(
                "the markers lie {px:.1f} px from where they should: the camera's zoom, its focus or "
                "the board was changed; calibrate anew",
                px=error,
            )
        )
    return pose
