"""The board's markers (AprilTag 36h11), found in a picture with corners finer than a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.camera import Floats

Gray = NDArray[np.uint8]


def gray(picture: NDArray[np.uint8]) -> Gray:
    """A BGR picture without its colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Found:
    """All markers of a picture.

    Attributes:
        corners: (4, 2) corner pixels of the board's own, by id.
        twice: the board's own that are seen twice (a second board, a reflection): they tell nothing about the pose.
        strange: ids that are not the board's.
    """

    corners: dict[int, Floats]
    twice: tuple[int, ...]
    strange: tuple[int, ...]


def find_markers(gray: Gray, board: Board) -> dict[int, Floats]:
    """Search a whole gray picture for the markers of this board: (4, 2) corner pixels by marker id."""
    return find_all_markers(gray, board).corners


def find_all_markers(gray: Gray, board: Board) -> Found:
    """Search a whole gray picture for markers, the board's own and others."""
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.aruco.dict)), cv2.aruco.DetectorParameters()
    )
    quads, ids, _ = detector.detectMarkers(gray)
    found: dict[int, Floats] = {}
    names = [] if not len(quads) else [int(marker) for marker in ids.ravel()]
    for quad, marker in zip(quads, names, strict=True):
        if marker in board.aruco.ids and names.count(marker) == 1:
            found[marker] = refine_corners(gray, np.asarray(quad, dtype=np.float64).reshape(4, 2))
    twice = {marker for marker in names if marker in board.aruco.ids and names.count(marker) > 1}
    strange = set(names) - set(board.aruco.ids)
    return Found(dict(sorted(found.items())), tuple(sorted(twice)), tuple(sorted(strange)))


def refine_corners(gray: Gray, corners_px: Floats) -> Floats:
    """Move (N, 2) corners, four for each marker and markers of one size, to the saddles of the edges near them."""
    side = float(np.min(np.linalg.norm(corners_px[:4] - np.roll(corners_px[:4], 1, axis=0), axis=1)))
    # half a cell of the marker's 8 x 8, so that no inner corner pulls
    window = max(2, int(side / 16))
    points = np.ascontiguousarray(corners_px, dtype=np.float32).reshape(-1, 1, 2)
    done = cv2.cornerSubPix(
        gray, points, (window, window), (-1, -1), (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 0.002)
    )
    return np.asarray(done, dtype=np.float64).reshape(-1, 2)


def marker_cells(dictionary: str, marker: int) -> tuple[tuple[bool, ...], ...]:
    """Which cells of a marker are white, row by row from its top left, its black border included."""
    names = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    drawn = cv2.aruco.generateImageMarker(names, marker, names.markerSize + 2)
    return tuple(tuple(bool(cell) for cell in row) for row in drawn > 127)
