"""Lens, pose and the lines of sight of a simulated camera.

Frames: board millimetres (see `hw_sim.scene`), camera millimetres (x right, y down, z forward) and image pixels
(pixel centres at whole numbers, x right, y down).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Reals = np.ndarray[Any, np.dtype[np.floating[Any] | np.integer[Any]]]
"""Numbers of any width, as OpenCV gives them back."""


def floats(numbers: Reals) -> Floats:
    """The numbers in single precision, in one piece; the same array where it is so already."""
    return np.ascontiguousarray(numbers, dtype=np.float32)


class Rays(NamedTuple):
    """Unit directions, one array of a component each, all of one shape."""

    x: Floats
    y: Floats
    z: Floats

    def turned(self, R: Doubles) -> Rays:
        """The same directions in another frame: every direction d becomes R d. R is (3, 3)."""
        m = R.astype(np.float32)
        return Rays(*(m[i, 0] * self.x + m[i, 1] * self.y + m[i, 2] * self.z for i in range(3)))


class Rect(NamedTuple):
    """Pixels from (x0, y0) to just before (x1, y1)."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def slices(self) -> tuple[slice, slice]:
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    @property
    def is_empty(self) -> bool:
        return self.x1 <= self.x0 or self.y1 <= self.y0

    def grown(self, margin: int) -> Rect:
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def clipped(self, size: tuple[int, int]) -> Rect:
        return Rect(max(self.x0, 0), max(self.y0, 0), min(self.x1, size[0]), min(self.y1, size[1]))

    def touches(self, other: Rect) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def union(self, other: Rect) -> Rect:
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def common(self, other: Rect) -> Rect:
        return Rect(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def within(self, outer: Rect) -> Rect:
        """The same pixels, counted from the corner of a rectangle around them."""
        return Rect(self.x0 - outer.x0, self.y0 - outer.y0, self.x1 - outer.x0, self.y1 - outer.y0)


def rect_around(points_px: Doubles, margin: float) -> Rect:
    """The rectangle around points of shape (N, 2), grown by a margin in pixels."""
    low, high = points_px.min(axis=0) - margin, points_px.max(axis=0) + margin
    return Rect(math.floor(low[0]), math.floor(low[1]), math.ceil(high[0]) + 1, math.ceil(high[1]) + 1)


def disjoint(rects: list[Rect]) -> list[Rect]:
    """Rectangles that cover the given ones and do not touch each other."""
    done: list[Rect] = []
    for rect in rects:
        merged = rect
        while touching := [other for other in done if other.touches(merged)]:
            done = [other for other in done if other not in touching]
            for other in touching:
                merged = merged.union(other)
        if not merged.is_empty:
            done.append(merged)
    return done


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with radial distortion, its axis through the picture's middle.

    The picture's radius is 1 + k1 r^2 + k2 r^4 times the pinhole's (the model of `cv2.projectPoints`).
    """

    focal_px: float
    k1: float = 0.0
    k2: float = 0.0

    def matrix(self, size: tuple[int, int]) -> Doubles:
        """K, (3, 3), for pictures of `size` (width, height)."""
        return np.array(
            [[self.focal_px, 0, (size[0] - 1) / 2], [0, self.focal_px, (size[1] - 1) / 2], [0, 0, 1]], np.float64
        )

    def undistorted(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Pinhole coordinates (at z = 1) of distorted ones; the inverse by fixed-point steps."""
        if not self.k1 and not self.k2:
            return x, y
        u, v = x, y
        for _ in range(12):
            r2 = u * u + v * v
            scale = 1 / (1 + r2 * (self.k1 + self.k2 * r2))
            u, v = floats(x * scale), floats(y * scale)
        return u, v


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the board is for the camera: camera millimetres = R board millimetres + t.

    Attributes:
        R: rows of the (3, 3) rotation.
        t: millimetres.
    """

    R: tuple[tuple[float, float, float], ...]
    t: tuple[float, float, float]

    @staticmethod
    def of(R: Doubles, t: Doubles) -> Pose:
        rows = tuple((float(a), float(b), float(c)) for a, b, c in R)
        return Pose(rows, (float(t[0]), float(t[1]), float(t[2])))

    @property
    def rotation(self) -> Doubles:
        return np.array(self.R, np.float64)

    @property
    def translation(self) -> Doubles:
        return np.array(self.t, np.float64)

    @property
    def camera_mm(self) -> Doubles:
        """The camera's place in board millimetres."""
        return -self.rotation.T @ self.translation


def looking_at(
    tilt_deg: float, tilt_to_deg: float, turn_deg: float, distance_mm: float, aim_mm: tuple[float, float] = (0.0, 0.0)
) -> Pose:
    """The pose of a camera that looks at a point of the board.

    Args:
        tilt_deg: between the line of sight and the board's normal; 0 looks straight down.
        tilt_to_deg: the side on which the camera stands, counter-clockwise from the board's +x.
        turn_deg: how far the board seems turned in the picture, clockwise positive.
        distance_mm: from the camera to the point.
        aim_mm: the point, x and y on the board.
    """
    tilt, to, turn = math.radians(tilt_deg), math.radians(tilt_to_deg), math.radians(turn_deg)
    back = np.array([math.sin(tilt) * math.cos(to), math.sin(tilt) * math.sin(to), math.cos(tilt)])
    up = np.array([0.0, 1.0, 0.0]) - back[1] * back
    up /= np.linalg.norm(up)
    right = np.cross(up, back)
    upright = np.array([right, -up, -back])
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ upright
    aim = np.array([aim_mm[0], aim_mm[1], 0.0])
    return Pose.of(R, -R @ (aim + back * distance_mm))


class View:
    """A lens at a pose, for pictures of one size: points to pixels and pixels to lines of sight."""

    def __init__(self, lens: Lens, pose: Pose, size: tuple[int, int]) -> None:
        self.lens = lens
        self.pose = pose
        self.size = size
        self.camera_mm = pose.camera_mm
        self._R, self._t = pose.rotation, pose.translation

    @cached_property
    def _whole(self) -> Rays:
        return self.rays(Rect(0, 0, *self.size))

    def rays(self, rect: Rect, fine: int = 1) -> Rays:
        """Lines of sight in board millimetres of every pixel of a rectangle, `fine` x `fine` to a pixel.

        Returns:
            Arrays of shape (fine * height, fine * width).
        """
        step = 1 / fine
        first = -0.5 + step / 2
        K = self.lens.matrix(self.size)
        columns = (rect.x0 + first + step * np.arange((rect.x1 - rect.x0) * fine) - K[0, 2]) / self.lens.focal_px
        rows = (rect.y0 + first + step * np.arange((rect.y1 - rect.y0) * fine) - K[1, 2]) / self.lens.focal_px
        x, y = np.meshgrid(columns.astype(np.float32), rows.astype(np.float32))
        x, y = self.lens.undistorted(x, y)
        z = 1 / np.sqrt(x * x + y * y + 1)
        return Rays(x * z, y * z, z).turned(self._R.T)

    def rays_of(self, rect: Rect) -> Rays:
        """The same at one a pixel, for a rectangle inside the picture, as views of what was computed once."""
        return Rays(*(part[rect.slices] for part in self._whole))

    def project(self, points_mm: Doubles) -> Doubles:
        """Image pixels (N, 2) of board points (N, 3) in front of the camera."""
        seen = np.asarray(points_mm, np.float64) @ self._R.T + self._t
        x, y = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        r2 = x * x + y * y
        scale = (1 + r2 * (self.lens.k1 + self.lens.k2 * r2)) * self.lens.focal_px
        K = self.lens.matrix(self.size)
        return np.stack([x * scale + K[0, 2], y * scale + K[1, 2]], axis=1)
