"""A camera picture with what was seen drawn into it, for the page and for people who wonder."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Pose, project
from calibration.file import Calibration
from calibration.infinity.board import InfinityBoard
from calibration.sampling import Picture
from vision.reading import PlaceReading, Reading

INK = {
    "B": (230, 120, 40),
    "K": (60, 60, 60),
    "Y": (40, 200, 240),
    "W": (245, 245, 245),
    ".": (150, 150, 150),
}
"""BGR; the letter says the same, so that colour alone tells nothing."""
DOUBT = (60, 60, 255)
QUALITY = 80


def annotated_jpeg(
    picture: Picture, reading: Reading, calibration: Calibration, max_width: int = 960, pose: Pose | None = None
) -> bytes:
    """Draw the places of a reading and encode it.

    Sure places have a circle and their letter; doubtful ones a diamond with `?` and the best guess, covered ones a
    cross.

    Args:
        picture: (H, W, 3) uint8, BGR; it stays as it is.
        max_width: the picture is made smaller to this width where it is wider.
        pose: where the board lay (`Recogniser.pose`); left out, where the calibration has it.
    """
    width = picture.shape[1]
    scale = min(1.0, max_width / width)
    size = (round(width * scale), round(picture.shape[0] * scale))
    drawn: Picture = (
        picture.copy() if scale == 1 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    )
    board, lens, pose = calibration.board, calibration.lens, pose or calibration.pose
    if reading.places and isinstance(board, InfinityBoard):
        centres = board.slot_centres()
        points = np.array([centres[name] for name in reading.places])
        px = project(points, lens, pose) * scale
        beside = project(points + np.array([board.marble.d / 2, 0, 0]), lens, pose) * scale
        radius = int(np.linalg.norm(beside - px, axis=1).mean()) + 2
        for (x, y), place in zip(px, reading.places.values(), strict=True):
            _draw_place(drawn, int(x), int(y), radius, place)
        if reading.knob is not None:
            knob = np.array([[board.knob.cx, board.knob.cy, board.knob.h]])
            x, y = project(knob, lens, pose)[0] * scale
            stop = "X" if reading.knob.covered else f"{reading.knob.label}{'' if reading.knob.sure else '?'}"
            _text(drawn, stop, int(x), int(y), (255, 255, 255) if reading.knob.sure else DOUBT)
    words = reading.status.value.replace("_", " ") + (f": {reading.detail}" if reading.detail else "")
    _text(drawn, words, 8, drawn.shape[0] - 12, (255, 255, 255), left=True)
    done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done, "OpenCV always encodes an 8-bit picture"
    return data.tobytes()


def _draw_place(drawn: Picture, x: int, y: int, radius: int, place: PlaceReading) -> None:
    label = place.label or "?"
    if place.covered:
        cv2.drawMarker(drawn, (x, y), DOUBT, cv2.MARKER_TILTED_CROSS, 2 * radius, 2, cv2.LINE_AA)
    elif not place.sure:
        cv2.drawMarker(drawn, (x, y), DOUBT, cv2.MARKER_DIAMOND, 2 * radius, 2, cv2.LINE_AA)
        _text(drawn, f"{label}?", x, y, DOUBT)
    elif label == ".":
        cv2.circle(drawn, (x, y), 2, INK["."], -1, cv2.LINE_AA)
    else:
        cv2.circle(drawn, (x, y), radius, INK[label], 2, cv2.LINE_AA)
        _text(drawn, label, x, y, (255, 255, 255))


def _text(drawn: Picture, words: str, x: int, y: int, ink: tuple[int, int, int], left: bool = False) -> None:
    """Words with a dark rim, readable on any ground; middled on (x, y) unless `left`."""
    words = words.encode("ascii", "replace").decode()
    (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    at = (x, y) if left else (x - wide // 2, y + high // 2)
    cv2.putText(drawn, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
