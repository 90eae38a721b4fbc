"""Infinity's marbles and knob drawn into a camera picture, as they were read."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Pose, project
from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture
from vision.marks import DOUBT, Colour, cross, doubt, words
from vision.reading import PlaceReading, Reading

INK: dict[str, Colour] = {
    "B": (230, 120, 40),
    "K": (60, 60, 60),
    "Y": (40, 200, 240),
    "W": (245, 245, 245),
    ".": (150, 150, 150),
}
"""BGR; the letter says the same, so that colour alone tells nothing."""


def draw_infinity(drawn: Picture, reading: Reading, calibration: InfinityCalibration, pose: Pose, scale: float) -> None:
    """Draw every place of a reading into a picture of `scale` times the calibrated size."""
    board, lens = calibration.board, calibration.lens
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
        words(drawn, stop, int(x), int(y), (255, 255, 255) if reading.knob.sure else DOUBT)


def _draw_place(drawn: Picture, x: int, y: int, radius: int, place: PlaceReading) -> None:
    label = place.label or "?"
    if place.covered:
        cross(drawn, x, y, radius)
    elif not place.sure:
        doubt(drawn, x, y, radius, f"{label}?")
    elif label == ".":
        cv2.circle(drawn, (x, y), 2, INK["."], -1, cv2.LINE_AA)
    else:
        cv2.circle(drawn, (x, y), radius, INK[label], 2, cv2.LINE_AA)
        words(drawn, label, x, y, (255, 255, 255))
