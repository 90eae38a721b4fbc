"""A camera picture with what was seen drawn in, for the page and for people who wonder."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Pose
from calibration.file import Calibration
from calibration.finity.appearance import FinityCalibration
from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture
from vision.finity.drawing import draw_finity
from vision.infinity.drawing import draw_infinity
from vision.marks import words
from vision.reading import Reading

QUALITY = 80


def annotated_jpeg(
    picture: Picture, reading: Reading, calibration: Calibration, max_width: int = 960, pose: Pose | None = None
) -> bytes:
    """Draw the places of a reading and encode it.

    Sure places have an outline and their letter; doubtful ones a diamond with `?` and the best guess, covered ones a
    cross; those that the camera can never see a small grey one.

    Args:
        picture: (H, W, 3) uint8, BGR; it stays as it is.
        max_width: the picture is made smaller to this width where it is wider.
        pose: where the board lay (`Recogniser.pose`); left out, where the calibration has it.
    """
    width = picture.shape[1]
    scale = min(1.0, max_width / width)
    size = (round(width * scale), round(picture.shape[0] * scale))
    drawn: Picture = (
        picture.copy()
        if scale == 1
        else np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    )
    pose = pose or calibration.pose
    if reading.places and isinstance(calibration, InfinityCalibration):
        draw_infinity(drawn, reading, calibration, pose, scale)
    if reading.places and isinstance(calibration, FinityCalibration):
        draw_finity(drawn, reading, calibration, pose, scale)
    said = reading.status.value.replace("_", " ") + (f": {reading.detail}" if reading.detail else "")
    words(drawn, said, 8, drawn.shape[0] - 12, (255, 255, 255), left=True)
    done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done, "OpenCV always encodes an 8-bit picture"
    return data.tobytes()
