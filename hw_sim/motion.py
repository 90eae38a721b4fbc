"""Motion as key moments with straight lines between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

Point = tuple[float, float, float]
"""Three coordinates that move together: millimetres x, y, z, or whatever else has a way."""


def between(start: Point, end: Point, share: float) -> Point:
    """The point on the straight way after this share of it."""
    (ax, ay, az), (bx, by, bz) = start, end
    return (ax + (bx - ax) * share, ay + (by - ay) * share, az + (bz - az) * share)


class Track:
    """Where something is at every moment: at rest before the first key moment and after the last.

    Args:
        keys: (seconds, point) pairs in time order.
    """

    __slots__ = ("_points", "_times")

    def __init__(self, *keys: tuple[float, Point]) -> None:
        if not keys:
            raise ValueError("a track needs at least one key moment")
        self._times = [t for t, _ in keys]
        self._points = [point for _, point in keys]
        if any(a > b for a, b in zip(self._times, self._times[1:], strict=False)):
            raise ValueError(f"the key moments of a track must be in time order, got {self._times}")

    @property
    def end_s(self) -> float:
        return self._times[-1]

    @property
    def end(self) -> Point:
        return self._points[-1]

    def then(self, *keys: tuple[float, Point]) -> Track:
        """The same track, going on through more key moments."""
        return Track(*zip(self._times, self._points, strict=True), *keys)

    def at(self, t_s: float) -> Point:
        if t_s >= self._times[-1]:
            return self._points[-1]
        if t_s <= self._times[0]:
            return self._points[0]
        i = bisect_right(self._times, t_s)
        t0, t1 = self._times[i - 1], self._times[i]
        share = (t_s - t0) / (t1 - t0)
        return between(self._points[i - 1], self._points[i], share)

    def crossings(self, value: float, axis: int = 0) -> Iterator[tuple[float, int]]:
        """When a coordinate passes `value`: (seconds, +1 upwards or -1 downwards), in time order."""
        pairs = zip(self._times, self._points, self._times[1:], self._points[1:], strict=False)
        for t0, p0, t1, p1 in pairs:
            before, after = p0[axis], p1[axis]
            if before < value <= after:
                yield t0 + (value - before) / (after - before) * (t1 - t0), 1
            elif after <= value < before:
                yield t0 + (before - value) / (before - after) * (t1 - t0), -1
