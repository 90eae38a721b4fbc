"""How much of every place a camera can see, by geometry alone: the truth beside a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hw_sim.camera.ball import ball_rect, centre_of, meet_ball
from hw_sim.camera.bodies import Placed, depth_of, meet
from hw_sim.camera.camera import Over, SimCamera, Stage
from hw_sim.camera.lens import Doubles, Floats, Rays, Rect
from hw_sim.scene import Scene

SAME_MM = 4.0
"""A marble so near to a place is in it and does not hide it."""
IN_FRONT_MM = 0.5
"""What is nearer to the camera by more than this hides."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Shares (0 hidden, 1 in full sight) of the marble's disc of each slot, of the knob, of each marble in the well."""

    slots: dict[str, float]
    knob: float
    well: tuple[float, ...]


def cover_of(camera: SimCamera, scene: Scene, *, balls_only: bool = False) -> Cover:
    """Measure what hands, things, the knob and other marbles leave in sight.

    Args:
        camera: through which the scene is seen.
        scene: with its board present.
        balls_only: let only marbles hide, as if there were no hands and things.
    """
    stage = camera.stage(scene)
    over: tuple[Over, ...] = () if balls_only else (*scene.hands, *scene.things)
    bodies = [stage.place(item) for item in over]
    knob = stage.placed_knob(scene.knob_deg)
    radius = camera.board.marble.d / 2
    marbles = [centre_of(marble) for marble in scene.marbles]
    in_well = [m for m in scene.marbles if abs(m.z_mm - camera.board.marble.centre_z_in_well) < 0.1]

    def share(centre: Doubles) -> float:
        rect = ball_rect(centre, radius, stage.view)
        rays = stage.view.rays(rect)
        inside, depth = meet_ball(centre, radius, stage.view, rays)
        others = [m for m in marbles if np.linalg.norm(m - centre) > SAME_MM]
        return _share(stage, rect, rays, inside > 0, depth, _Hiding([*bodies, knob], others, radius))

    slots = {name: share(np.array(place)) for name, place in camera.board.slot_centres().items()}
    rect = knob.rect(stage.view)
    rays = stage.view.rays(rect)
    inside, met, _, _ = meet(knob, stage.view, rays)
    depth = depth_of(knob, stage.view, rays, met)
    knob_share = _share(stage, rect, rays, inside > 0, depth, _Hiding(bodies, marbles, radius))
    return Cover(slots, knob_share, tuple(share(centre_of(marble)) for marble in in_well))


@dataclass(frozen=True, slots=True)
class _Hiding:
    """What may stand before a place."""

    bodies: Sequence[Placed]
    marbles: Sequence[Doubles]
    radius: float


def _share(
    stage: Stage, rect: Rect, rays: Rays, target: npt.NDArray[np.bool_], depth: Floats, hiding: _Hiding
) -> float:
    """Share of the target's pixels in the picture and with nothing before them."""
    nearest = np.full(depth.shape, np.float32(1e9))
    for body in hiding.bodies:
        if body.rect(stage.view).touches(rect):
            inside, met, _, _ = meet(body, stage.view, rays)
            nearest = np.minimum(nearest, np.where(inside > 0, depth_of(body, stage.view, rays, met), 1e9))
    for centre in hiding.marbles:
        if ball_rect(centre, hiding.radius, stage.view).touches(rect):
            inside, ball_depth = meet_ball(centre, hiding.radius, stage.view, rays)
            nearest = np.minimum(nearest, np.where(inside > 0, ball_depth, 1e9))
    in_picture = np.zeros(depth.shape, bool)
    width, height = stage.view.size
    rows, columns = slice(max(-rect.y0, 0), height - rect.y0), slice(max(-rect.x0, 0), width - rect.x0)
    in_picture[rows, columns] = True
    seen = target & in_picture & (nearest > depth - IN_FRONT_MM)
    return float(seen.sum() / max(target.sum(), 1))
