"""A simulated camera: scenes in, pictures out."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.ball import ball_rect, cast_ball, centre_of, draw_ball, shade_rect
from hw_sim.camera.board_maps import BoardMaps, board_maps
from hw_sim.camera.bodies import Placed, draw
from hw_sim.camera.canvas import Canvas
from hw_sim.camera.ground import TablePlane, draw_ground, table_plane, table_texture
from hw_sim.camera.hand import placed_hand
from hw_sim.camera.knob import knob_relief, placed_knob
from hw_sim.camera.lens import Doubles, Floats, Lens, Pose, Rect, View, disjoint
from hw_sim.camera.look import Look
from hw_sim.camera.relief import Relief
from hw_sim.camera.sensor import SensorModel
from hw_sim.camera.shading import rig
from hw_sim.camera.things import placed_thing
from hw_sim.scene import Hand, Light, Marble, Scene, Thing

PLACES_KEPT = 2
"""For how many places of the board the standing layers are kept; each takes 90 MB at 1280x720."""
SHADING_REACH_MM = 40.0
"""Marbles farther apart than this do not shade each other visibly."""

Over = Hand | Thing


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """How the board lies: the part of a scene on which the standing layers depend."""

    bump_mm: tuple[float, float]
    bump_deg: float
    board_present: bool


def start_from_now(bump_mm: tuple[float, float], bump_deg: float, plane: TablePlane) -> tuple[Doubles, Doubles]:
    """R and t that take board millimetres, as the board lies now, to those of the start."""
    turn = math.radians(bump_deg)
    x, y, z = plane.normal
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R = np.eye(3) + math.sin(turn) * cross + (1 - math.cos(turn)) * (cross @ cross)
    shift = bump_mm[0] * plane.across + bump_mm[1] * plane.along
    return R, plane.origin - R @ plane.origin + shift


class Stage:
    """The table with the board at one place: everything drawn so far, and what must be drawn anew for a scene."""

    def __init__(
        self, look: Look, lens: Lens, pose: Pose, size: tuple[int, int], where: Whereabouts, props: Props
    ) -> None:
        self._look = look
        self._props = props
        self._where = where
        R, t = start_from_now(where.bump_mm, where.bump_deg, props.plane)
        self._now_from_start = (R.T, -R.T @ t)
        moved = Pose.of(pose.rotation @ R, pose.rotation @ t + pose.translation)
        self.view = View(lens, moved, size)
        self.lamp = rig(look.lamp, look.sensor.white_balance, 2.0**look.sensor.ev).turned(*self._now_from_start)
        maps = props.maps if where.board_present else None
        self._ground = draw_ground(self.view, self.lamp, look, props.texture, maps, props.plane, (R, t))
        self._still = self._ground.copy()
        self._radius = props.board.marble.d / 2
        self._marbles: tuple[Marble, ...] = ()
        self._knob_deg: float | None = None
        self.canvas: Canvas[Over] = Canvas(self.view, self.lamp, props.plane)

    def place(self, over: Over) -> Placed:
        """A hand or a thing in the frame of the board as it lies now."""
        if isinstance(over, Hand):
            return placed_hand(over)
        plane = self._props.plane
        outline = self._props.board.board
        on_board = abs(over.x_mm) < outline.w / 2 and abs(over.y_mm) < outline.h / 2 and self._where.board_present
        start = placed_thing(over, np.array([0.0, 0.0, 1.0]) if on_board else plane.normal)
        R, t = self._now_from_start
        return Placed(start.relief, R @ start.R, R @ start.t + t)

    def placed_knob(self, knob_deg: float) -> Placed:
        return placed_knob(self._props.knob, self._props.board, knob_deg)

    def show(self, scene: Scene, light: Light, sensor: SensorModel) -> None:
        """Bring the canvas up to date for a scene."""
        dirty = self._update_still(scene)
        self.canvas.show(self._still, dirty, (*scene.hands, *scene.things), self.place, light, sensor)

    def _update_still(self, scene: Scene) -> list[Rect]:
        """Redraw marbles and knob where they changed; the rectangles that did."""
        if not self._where.board_present:
            return []
        dirty: list[Rect] = []
        knob = self.placed_knob(scene.knob_deg)
        if self._knob_deg != scene.knob_deg:
            dirty.append(knob.rect(self.view))
        changed = (Counter(scene.marbles) - Counter(self._marbles)) + (Counter(self._marbles) - Counter(scene.marbles))
        dirty += [self._reach(centre_of(marble)) for marble in changed]
        self._knob_deg, self._marbles = scene.knob_deg, scene.marbles
        rects = disjoint([rect.clipped(self.view.size) for rect in dirty])
        for rect in rects:
            self._redraw_still(rect, knob)
        return rects

    def _reach(self, centre: Doubles) -> Rect:
        shaded = shade_rect(centre, self._radius, self.view, self.lamp)
        return ball_rect(centre, self._radius, self.view).union(shaded)

    def _redraw_still(self, rect: Rect, knob: Placed) -> None:
        layers = self._still.crop(rect)
        for plane, ground in zip(layers, self._ground.crop(rect), strict=True):
            plane[...] = ground
        centres = [centre_of(marble) for marble in self._marbles]
        draw(knob, self.view, self.lamp, rect, layers)
        for centre in centres:
            cast_ball(centre, self._radius, self.view, self.lamp, rect, layers)
        for marble, centre in zip(self._marbles, centres, strict=True):
            near = [c for c in centres if c is not centre and np.linalg.norm(c - centre) < SHADING_REACH_MM]
            finish = self._look.marbles[marble.kind]
            draw_ball(marble, finish, self._radius, near, self.view, self.lamp, rect, layers)


@dataclass(frozen=True, slots=True)
class Props:
    """What does not depend on where the board lies."""

    board: InfinityBoard
    plane: TablePlane
    maps: BoardMaps
    knob: Relief
    texture: Floats


class SimCamera:
    """Draws scenes of one board through a lens and a pose.

    Pictures depend only on the arguments, the scenes and the lights given so far: the same seed and the same
    sequence give the same bytes. Marbles, knob and hands are in the frame of the board as it lies now, things in
    that of the start; without the board its marbles and its knob are gone as well.

    Args:
        board: the board's measures.
        look: colours, light and sensor.
        lens, pose: those of the look where not given. The pose is that of the board before any bump.
        seed: of the sensor's noise.
        size: width and height of the pictures.
    """

    def __init__(
        self,
        board: InfinityBoard,
        *,
        look: Look,
        lens: Lens | None = None,
        pose: Pose | None = None,
        seed: int = 0,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self.board = board
        self.look = look
        self.lens = lens or look.lens
        self.pose = pose or look.pose
        self.size = size
        rng = np.random.default_rng([look.seed, 3])
        self._props = Props(
            board,
            table_plane(board),
            board_maps(board, look.board, rng),
            knob_relief(board, look.knob, look.pointer, look.knob_style),
            table_texture(look.table, rng),
        )
        self._sensor = SensorModel(look.sensor, size, seed)
        self._stages: OrderedDict[Whereabouts, Stage] = OrderedDict()

    def stage(self, scene: Scene) -> Stage:
        """The layers for where the board lies in a scene; made when it is first seen there (about half a second)."""
        where = Whereabouts(scene.bump_mm, scene.bump_deg, scene.board_present)
        if where not in self._stages:
            self._stages[where] = Stage(self.look, self.lens, self.pose, self.size, where, self._props)
            while len(self._stages) > PLACES_KEPT:
                self._stages.popitem(last=False)
        self._stages.move_to_end(where)
        return self._stages[where]

    def picture(self, scene: Scene, light: Light | None = None) -> npt.NDArray[np.uint8]:
        """What the camera sees: (height, width, 3), blue first; a new array each time."""
        light = light or Light()
        stage = self.stage(scene)
        stage.show(scene, light, self._sensor)
        return self._sensor.expose(stage.canvas.coded, stage.canvas.noise, light)
