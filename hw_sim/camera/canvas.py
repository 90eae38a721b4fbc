"""Layers made into a picture's values: bodies over what stands still, and only what changed developed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from hw_sim.camera.bodies import Placed, cast, draw
from hw_sim.camera.ground import TablePlane
from hw_sim.camera.lens import Rect, View, disjoint
from hw_sim.camera.sensor import MARGIN_PX, SensorModel
from hw_sim.camera.shading import Layers, Rig
from hw_sim.scene import Light

T = TypeVar("T")
"""What is over the board: hands, things, pieces held in the air. Hashable."""


class _Body(NamedTuple):
    """A body at its place, the pixels that it may cover, and those that its shadow may reach."""

    placed: Placed
    rect: Rect
    shadow_rect: Rect


class Canvas(Generic[T]):
    """One camera's picture of a table with its board at one place.

    Attributes:
        coded, noise: see `SensorModel.code`; of the whole picture, up to date after `show`.
    """

    def __init__(self, view: View, lamp: Rig, plane: TablePlane) -> None:
        self._view = view
        self._lamp = lamp
        self._plane = plane
        self._bodies: dict[T, _Body] = {}
        self._over: Sequence[T] = ()
        self._light: Light | None = None
        self.coded = np.zeros((view.size[1], view.size[0], 3), np.float32)
        self.noise = np.zeros_like(self.coded)

    def show(
        self,
        still: Layers,
        dirty: list[Rect],
        over: Sequence[T],
        place: Callable[[T], Placed],
        light: Light,
        sensor: SensorModel,
    ) -> None:
        """Bring the values up to date.

        Args:
            still: what stands still, of the whole picture.
            dirty: where it changed since the last time.
            over: everything that is drawn over it.
            place: gives the body of each of these.
        """
        changed = (Counter(over) - Counter(self._over)) + (Counter(self._over) - Counter(over))
        known = {item: self._bodies.get(item) or self._body(place(item)) for item in (*over, *changed)}
        dirty = [*dirty, *(known[item].rect.union(known[item].shadow_rect) for item in changed)]
        self._over = over
        self._bodies = {item: known[item] for item in over}
        size = self._view.size
        # Noise is added later, picture by picture; only what changes the coded values needs coding again.
        before, self._light = self._light, light
        if before is None or (before.exposure, before.white_balance) != (light.exposure, light.white_balance):
            dirty = [Rect(0, 0, *size)]
        bodies = [known[item] for item in over]
        for rect in disjoint([rect.grown(MARGIN_PX).clipped(size) for rect in dirty]):
            self._code(still, rect, bodies, light, sensor)

    def layers(self, still: Layers, over: Sequence[T], place: Callable[[T], Placed]) -> Layers:
        """Layers of the whole picture with everything drawn over what stands still, which stays as it is."""
        return self._with(still, Rect(0, 0, *self._view.size), [self._body(place(item)) for item in over])

    def _body(self, placed: Placed) -> _Body:
        lowest = self._plane.origin, self._plane.normal
        return _Body(placed, placed.rect(self._view), placed.shadow_rect(self._view, self._lamp, lowest))

    def _with(self, still: Layers, rect: Rect, bodies: Sequence[_Body]) -> Layers:
        layers = still.crop(rect)
        near = [body for body in bodies if body.rect.touches(rect) or body.shadow_rect.touches(rect)]
        if near:
            layers = layers.copy()
            self._draw(near, rect, layers)
        return layers

    def _code(self, still: Layers, rect: Rect, bodies: list[_Body], light: Light, sensor: SensorModel) -> None:
        wide = rect.grown(MARGIN_PX).clipped(self._view.size)
        coded, noise = sensor.code(self._with(still, wide, bodies), self._lamp, wide, light)
        inner = rect.within(wide)
        self.coded[rect.slices] = coded[inner.slices]
        self.noise[rect.slices] = noise[inner.slices]

    def _draw(self, bodies: Sequence[_Body], rect: Rect, layers: Layers) -> None:
        for body in bodies:
            here = body.shadow_rect.common(rect)
            if not here.is_empty:
                cast(body.placed, self._view, self._lamp, here, layers.crop(here.within(rect)))
        for body in bodies:
            draw(body.placed, self._view, self._lamp, rect, layers)
