"""A simulated camera over a table of Finity: scenes in, pictures out."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.finity.board import FinityBoard
from hw_sim.camera.bodies import Placed
from hw_sim.camera.camera import PLACES_KEPT, start_from_now
from hw_sim.camera.canvas import Canvas
from hw_sim.camera.ground import TablePlane, table_layers, table_texture
from hw_sim.camera.hand import placed_hand
from hw_sim.camera.lens import Doubles, Floats, Lens, Pose, Rect, View, disjoint, rect_around
from hw_sim.camera.sensor import SensorModel
from hw_sim.camera.shading import Layers, rig
from hw_sim.camera.things import placed_thing
from hw_sim.finity.camera.lit import Lit
from hw_sim.finity.camera.look import FinityLook
from hw_sim.finity.camera.maps import Maps
from hw_sim.finity.camera.shapes import Form, PieceBodies, height_mm, reach_mm
from hw_sim.finity.camera.surface import Surface
from hw_sim.finity.camera.tower import Tower
from hw_sim.finity.scene import FinityScene, Piece, PieceKind, TileShift
from hw_sim.scene import Hand, Light, Thing

BLOCK_PX = 64
"""The standing layers are drawn in blocks of this side: most of them hold only flat mat, which is quick."""
PAPER_MM = 0.3
"""How far the table lies under the mat's face."""

Over = Hand | Thing | Piece

PLANE = TablePlane(
    np.array([0.0, 0.0, -PAPER_MM]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
)


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The part of a scene on which the standing layers depend."""

    players: int
    pattern: str
    tiles: tuple[tuple[str, TileShift], ...]
    bump_mm: tuple[float, float]
    bump_deg: float
    board_present: bool

    @classmethod
    def of(cls, scene: FinityScene) -> Whereabouts:
        tiles = tuple(sorted(scene.tiles.items()))
        return cls(scene.players, scene.pattern, tiles, scene.bump_mm, scene.bump_deg, scene.board_present)


@dataclass(frozen=True, slots=True)
class Props:
    """What does not depend on how things lie."""

    board: FinityBoard
    look: FinityLook
    bodies: PieceBodies
    texture: Floats


class Stage:
    """The table with mat, tiles and tower at one place: everything drawn so far, and what a scene changes.

    Attributes:
        view: in the frame of the mat as it lies now.
        still: layers of the whole picture with all that rests.
        canvas: its values with hands, things and what hangs in the air.
    """

    def __init__(self, props: Props, lens: Lens, pose: Pose, size: tuple[int, int], where: Whereabouts) -> None:
        self._props = props
        self._where = where
        board, look = props.board, props.look
        R, t = start_from_now(where.bump_mm, where.bump_deg, PLANE)
        self._now_from_start: tuple[Doubles, Doubles] = (R.T, -R.T @ t)
        self.view = View(lens, Pose.of(pose.rotation @ R, pose.rotation @ t + pose.translation), size)
        self.lamp = rig(look.lamp, look.sensor.white_balance, 2.0**look.sensor.ev).turned(*self._now_from_start)
        self._table, _, _ = table_layers(self.view, self.lamp, PLANE, props.texture, look.table, (R, t))
        self.still = self._table.copy()
        self.canvas: Canvas[Over] = Canvas(self.view, self.lamp, PLANE)
        self._owed: list[Rect] = []
        self.tower: Tower | None = None
        if not where.board_present:
            return
        tiles = dict(where.tiles)
        shift = tiles.get(board.map.centre, TileShift())
        if where.pattern:
            self.tower = Tower(board, look, where.pattern, (shift.dx_mm, shift.dy_mm))
        self._maps = Maps(board, look, where.players, tiles)
        self._lit = Lit(self._maps, self.lamp)
        self._surface = Surface(self._maps, self._lit, self.tower, look, self.view, self.lamp)
        if self.tower is not None:
            self._tower_rect = self.tower.rect(self.view)
            self._tower_layers = self.tower.layers(self.view, self.lamp, self._tower_rect)
        self._draw(Rect(0, 0, *size))

    def place(self, over: Over) -> Placed:
        """A hand, a thing or a piece in the air in the frame of the mat as it lies now."""
        if isinstance(over, Hand):
            return placed_hand(over)
        if isinstance(over, Piece):
            return self._props.bodies.placed(over)
        start = placed_thing(over, PLANE.normal)
        R, t = self._now_from_start
        return Placed(start.relief, R @ start.R, R @ start.t + t)

    def over(self, scene: FinityScene) -> tuple[Over, ...]:
        """What is drawn over all that rests."""
        if not self._where.board_present:
            return (*scene.hands, *scene.things)
        resting = set(self._maps.resting(scene.pieces))
        return (*(piece for piece in scene.pieces if piece not in resting), *scene.hands, *scene.things)

    def show(self, scene: FinityScene, light: Light, sensor: SensorModel) -> None:
        """Bring the canvas up to date for a scene."""
        over, dirty = self._bring(scene)
        self.canvas.show(self.still, dirty, over, self.place, light, sensor)

    def seen(self, scene: FinityScene) -> Layers:
        """Layers of the whole picture with everything in it; a copy. The canvas stays as it was."""
        over, dirty = self._bring(scene)
        self._owed += dirty
        return self.canvas.layers(self.still, over, self.place)

    def _bring(self, scene: FinityScene) -> tuple[tuple[Over, ...], list[Rect]]:
        """Bring what rests up to date: what is over it, and where the canvas has to follow."""
        over = self.over(scene)
        hanging = set(over)
        dirty = self._rest(tuple(piece for piece in scene.pieces if piece not in hanging))
        owed, self._owed = self._owed, []
        return over, [*owed, *dirty]

    def _rest(self, pieces: tuple[Piece, ...]) -> list[Rect]:
        """Redraw what rests where it changed; the rectangles that did."""
        if not self._where.board_present:
            return []
        changed, parts = self._maps.show(pieces)
        parts = disjoint([*parts, *(self._shaded_by(piece) for piece in changed)])
        for part in parts:
            self._lit.renew(part)
        highest = max((self._top_mm(piece) for piece in changed), default=0.0)
        rects = disjoint([self._rect_of(part, highest) for part in parts])
        for rect in rects:
            self._draw(rect)
        return rects

    def _shaded_by(self, piece: Piece) -> Rect:
        """The part of the maps in which a piece takes the lamp's light."""
        top = self._top_mm(piece)
        dx, dy = self._lit.shadow_mm(piece.x_mm, piece.y_mm, top)
        reach = reach_mm(Form.of(piece), self._props.board) + 1 + self.lamp.softness * math.hypot(dx, dy, top)
        ends_x, ends_y = (piece.x_mm, piece.x_mm + dx), (piece.y_mm, piece.y_mm + dy)
        return self._maps.window(min(ends_x) - reach, min(ends_y) - reach, max(ends_x) + reach, max(ends_y) + reach)

    def _top_mm(self, piece: Piece) -> float:
        return max(piece.z_mm, self._floor_mm(piece)) + height_mm(Form.of(piece), self._props.board)

    def _floor_mm(self, piece: Piece) -> float:
        """Posts stand on hubs, however deep their pegs go."""
        return self._props.board.post.hub_z if piece.kind is PieceKind.POST else 0.0

    def _rect_of(self, window: Rect, top_mm: float) -> Rect:
        """The pixels in which a part of the maps is seen, up to a height."""
        x, y = self._maps.grid(window)
        if not x.size or not y.size:
            return Rect(0, 0, 0, 0)
        corners = [(a, b, z) for a in (x[0, 0], x[0, -1]) for b in (y[0, 0], y[-1, 0]) for z in (0.0, top_mm)]
        return rect_around(self.view.project(np.array(corners)), 2).clipped(self.view.size)

    def _draw(self, rect: Rect) -> None:
        """Draw all that rests in a rectangle, block by block."""
        for y in range(rect.y0, rect.y1, BLOCK_PX):
            for x in range(rect.x0, rect.x1, BLOCK_PX):
                block = Rect(x, y, min(x + BLOCK_PX, rect.x1), min(y + BLOCK_PX, rect.y1))
                self._draw_block(block)

    def _draw_block(self, block: Rect) -> None:
        into, table = self.still.crop(block), self._table.crop(block)
        for plane, bare in zip(into, table, strict=True):
            plane[...] = bare
        top = self._surface.layers(block)
        if top is not None:
            into.blend(top[1], top[0])
        here = self._tower_rect.common(block) if self.tower is not None else Rect(0, 0, 0, 0)
        if not here.is_empty:
            seen, cover = self._tower_layers
            inner = here.within(self._tower_rect)
            into.crop(here.within(block)).blend(cover[inner.slices], seen.crop(inner))


class FinityCamera:
    """Draws scenes of one board of Finity through a lens and a pose.

    Pictures depend only on the arguments, the scenes and the lights given so far: the same seed and the same sequence
    give the same bytes.

    Args:
        board: the board's measures.
        look: colours, light and sensor.
        lens, pose: those of the look where not given. The pose is that of the mat before any bump.
        seed: of the sensor's noise.
        size: width and height of the pictures.
    """

    def __init__(
        self,
        board: FinityBoard,
        *,
        look: FinityLook,
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
        texture = table_texture(look.table, np.random.default_rng([look.seed, 3]))
        self._props = Props(board, look, PieceBodies(board, look), texture)
        self._sensor = SensorModel(look.sensor, size, seed)
        self._stages: OrderedDict[Whereabouts, Stage] = OrderedDict()

    def stage(self, scene: FinityScene) -> Stage:
        """The layers for how things lie in a scene; made when they are first seen so (about a second)."""
        where = Whereabouts.of(scene)
        if where not in self._stages:
            self._stages[where] = Stage(self._props, self.lens, self.pose, self.size, where)
            while len(self._stages) > PLACES_KEPT:
                self._stages.popitem(last=False)
        self._stages.move_to_end(where)
        return self._stages[where]

    def picture(self, scene: FinityScene, light: Light | None = None) -> npt.NDArray[np.uint8]:
        """What the camera sees: (height, width, 3), blue first; a new array each time."""
        light = light or Light()
        stage = self.stage(scene)
        stage.show(scene, light, self._sensor)
        return self._sensor.expose(stage.canvas.coded, stage.canvas.noise, light)
