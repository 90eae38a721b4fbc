"""The mat with tiles and resting pieces as maps over its plane: height, paint, material, normals, arriving light.

Everything that rests is a height field seen from above: a piece is stamped into the maps, and taken out by stamping
its surroundings anew from the bare tiles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping

import cv2
import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.board_maps import PX_PER_MM, normals_of
from hw_sim.camera.lens import Floats, Rect, disjoint, floats
from hw_sim.camera.textures import cloud
from hw_sim.finity.camera.look import FinityLook, Material, material_of
from hw_sim.finity.camera.mat import CELL, COARSE, open_sky, print_mat, reduce_into
from hw_sim.finity.camera.shapes import Form, height_mm, reach_mm, solid
from hw_sim.finity.camera.tiles import share_inside, tile_heights
from hw_sim.finity.scene import Piece, PieceKind, TileShift

AROUND_MM, AROUND_TALL_MM = 9.0, 13.5
"""How far from a piece normals and the room's light change: two or three standard deviations of the widest hollow."""
TALL_MM = 13.0
STACKED_MM = 6.0
"""Like pieces nearer to each other than this stand on each other."""
RESTS_MM = 1.0
"""A piece that has not more air under it than this rests; nudged pieces lie on marks and rims."""
LAID_MM = 4.0
"""What reaches farther beyond the mat than this is no part of the maps."""
REMEMBERED = 2000
"""For so many pieces and places it is remembered whether they rest there; a game has some 150 pieces."""


class Maps:
    """Maps of one table, of shape (rows, columns); row 0 is the mat's far edge (+y).

    Attributes:
        height: millimetres above the mat.
        paint: linear RGB.
        material: `Material` of each place.
        form: normal x, normal y, share of the room's light that arrives.
        half_mm: half of what the maps cover in x and y.
    """

    def __init__(self, board: FinityBoard, look: FinityLook, players: int, tiles: Mapping[str, TileShift]) -> None:
        self._board = board
        self._look = look
        self.half_mm = (board.mat[0] / 2 + LAID_MM, board.mat[1] / 2 + LAID_MM)
        self._columns, self._rows = (round(2 * half * PX_PER_MM) for half in self.half_mm)
        across, down = (np.arange(n, dtype=np.float32) + np.float32(0.5) for n in (self._columns, self._rows))
        self._x = floats(across[None, :] / PX_PER_MM - self.half_mm[0])
        self._y = floats(self.half_mm[1] - down[:, None] / PX_PER_MM)
        self.height = np.zeros((self._rows, self._columns), np.float32)
        self.material = np.zeros(self.height.shape, np.uint8)
        self.paint = np.ones((*self.height.shape, 3), np.float32) * np.array(look.paper.rgb, np.float32)
        print_mat(self.paint, self._x, self._y, board)
        colour = np.array(look.tile.rgb, np.float32)
        for name in board.stations(players):
            x, y = board.station_centres[name]
            shift = tiles.get(name, TileShift())
            is_centre = name == board.map.centre
            self._stamp(
                (x + shift.dx_mm, y + shift.dy_mm, shift.turn_deg),
                board.hex_side + 1,
                lambda u, v, here=is_centre: tile_heights(board, u, v, is_centre=here),  # type: ignore[misc]
                colour,
                Material.TILE,
            )
        reach = board.hex_side + AROUND_TALL_MM
        middles = [board.station_centres[name] for name in board.stations(players)]
        (low_x, high_x), (low_y, high_y) = ((min(at) - reach, max(at) + reach) for at in zip(*middles, strict=True))
        tiled = self.window(low_x, low_y, high_x, high_y)
        self._roughen(tiled, np.random.default_rng([look.seed, 3]))
        self._bare = self.height.copy(), self.paint.copy(), self.material.copy()
        self.form = np.zeros((*self.height.shape, 3), np.float32)
        self._high = np.zeros((-(-self._rows // CELL), -(-self._columns // CELL)), np.float32)
        self._low = np.zeros_like(self._high)
        self.form[...] = (0, 0, 1)
        self._renew(tiled)
        self._pieces: tuple[Piece, ...] = ()
        self._lying: dict[Piece, bool] = {}

    def column(self, x_mm: Floats) -> Floats:
        return (x_mm + np.float32(self.half_mm[0])) * np.float32(PX_PER_MM) - np.float32(0.5)

    def row(self, y_mm: Floats) -> Floats:
        return (np.float32(self.half_mm[1]) - y_mm) * np.float32(PX_PER_MM) - np.float32(0.5)

    def window(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """The part between two corners in millimetres."""
        c0, c1 = ((x + self.half_mm[0]) * PX_PER_MM for x in (x0, x1))
        r0, r1 = ((self.half_mm[1] - y) * PX_PER_MM for y in (y1, y0))
        rect = Rect(math.floor(c0), math.floor(r0), math.ceil(c1), math.ceil(r1))
        return rect.clipped((self._columns, self._rows))

    def grid(self, window: Rect) -> tuple[Floats, Floats]:
        """Millimetres x and y of a part's places."""
        return self._x[:, window.x0 : window.x1], self._y[window.y0 : window.y1]

    def middle_mm(self, window: Rect) -> tuple[float, float]:
        x, y = (window.x0 + window.x1) / 2 / PX_PER_MM, (window.y0 + window.y1) / 2 / PX_PER_MM
        return x - self.half_mm[0], self.half_mm[1] - y

    def resting(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        """The pieces that lie on the mat or the tiles, or on their like, and can be a part of the maps."""
        lying = {piece for piece in pieces if self._lies(piece)}
        above = sorted((piece for piece in pieces if piece not in lying), key=lambda piece: piece.z_mm)
        # Of a stack in one colour nothing but the topmost is seen from above: it is one with what it stands on.
        like = {(p.kind, p.colour, p.size) for p in above}
        tops = [p for p in lying if (p.kind, p.colour, p.size) in like] if above else []
        for piece in above:
            if any(self._carries(low, piece) for low in tops):
                lying.add(piece)
                tops.append(piece)
        return tuple(piece for piece in pieces if piece in lying)

    def _carries(self, low: Piece, piece: Piece) -> bool:
        if (low.kind, low.colour, low.size) != (piece.kind, piece.colour, piece.size):
            return False
        gap = piece.z_mm - low.z_mm - height_mm(Form.of(low), self._board)
        return abs(gap) <= RESTS_MM and math.hypot(low.x_mm - piece.x_mm, low.y_mm - piece.y_mm) < STACKED_MM

    def _lies(self, piece: Piece) -> bool:
        if piece not in self._lying:
            if len(self._lying) > REMEMBERED:
                self._lying.clear()
            self._lying[piece] = self._on_map(piece) and piece.z_mm <= self._ground_mm(piece) + RESTS_MM
        return self._lying[piece]

    def _on_map(self, piece: Piece) -> bool:
        reach = reach_mm(Form.of(piece), self._board)
        return abs(piece.x_mm) + reach <= self.half_mm[0] and abs(piece.y_mm) + reach <= self.half_mm[1]

    def _ground_mm(self, piece: Piece) -> float:
        """The highest place of mat or tiles under a piece."""
        form = Form.of(piece)
        at = (piece.x_mm, piece.y_mm, piece.turn_deg)
        window, x, y = self._own_grid(*at, reach_mm(form, self._board))
        inside = solid(form, self._board, self._look.roundness, x, y).inside > 0
        return float(self._bare[0][window.slices][inside].max(initial=0.0))

    def show(self, pieces: tuple[Piece, ...]) -> tuple[list[Piece], list[Rect]]:
        """Bring the maps up to date for the resting pieces.

        Returns:
            The pieces that came or went, and the parts of the maps that changed with them.
        """
        changed = (Counter(pieces) - Counter(self._pieces)) + (Counter(self._pieces) - Counter(pieces))
        self._pieces = pieces
        for part in disjoint([self._around(piece, 1) for piece in changed]):
            self._restore(part)
        parts = disjoint(
            [self._around(piece, AROUND_TALL_MM if self._is_tall(piece) else AROUND_MM) for piece in changed]
        )
        for part in parts:
            self._renew(part)
        return list(changed), parts

    def _is_tall(self, piece: Piece) -> bool:
        """Whether a piece, alone or on a stack, rises far over what it stands on."""
        return piece.z_mm + height_mm(Form.of(piece), self._board) - self._ground_mm(piece) > TALL_MM

    def _around(self, piece: Piece, more_mm: float) -> Rect:
        reach = reach_mm(Form.of(piece), self._board) + more_mm
        return self.window(piece.x_mm - reach, piece.y_mm - reach, piece.x_mm + reach, piece.y_mm + reach)

    @property
    def highest_mm(self) -> float:
        return float(self._high.max())

    def bounds(self, window: Rect) -> tuple[float, float]:
        """The lowest and the highest place of a part and its close surroundings."""
        cells = slice(window.y0 // CELL, -(-window.y1 // CELL)), slice(window.x0 // CELL, -(-window.x1 // CELL))
        return float(self._low[cells].min()), float(self._high[cells].max())

    def _renew(self, window: Rect) -> None:
        """Take over changed heights into everything that is made of them."""
        self._form(window)
        r0, c0 = window.y0 // CELL, window.x0 // CELL
        part = self.height[r0 * CELL : window.y1, c0 * CELL : window.x1]
        reduce_into(part, self._high[r0:, c0:], np.maximum)
        reduce_into(part, self._low[r0:, c0:], np.minimum)

    def _restore(self, window: Rect) -> None:
        """Stamp every piece that reaches into a part anew, from the bare tiles."""
        height, paint, material = self._bare
        self.height[window.slices] = height[window.slices]
        self.paint[window.slices] = paint[window.slices]
        self.material[window.slices] = material[window.slices]
        x, y = self.grid(window)
        low_x, high_x, low_y, high_y = x[0, 0], x[0, -1], y[-1, 0], y[0, 0]
        for piece in self._pieces:
            form = Form.of(piece)
            reach = reach_mm(form, self._board)
            if (low_x - reach < piece.x_mm < high_x + reach) and (low_y - reach < piece.y_mm < high_y + reach):
                self._stamp_piece(piece, form, reach, window)

    def _stamp_piece(self, piece: Piece, form: Form, reach: float, within: Rect) -> None:
        # Of a post only what rises above its hub is drawn: its peg may reach down into it.
        low = max(piece.z_mm, self._ground_mm(piece)) if piece.kind is PieceKind.POST else piece.z_mm

        def heights(u: Floats, v: Floats) -> tuple[Floats, Floats]:
            inside, top, _ = solid(form, self._board, self._look.roundness, u, v)
            return inside, top + np.float32(low)

        colour = np.array(self._look.finish_of(piece).rgb, np.float32)
        at = (piece.x_mm, piece.y_mm, piece.turn_deg)
        # Only within what was restored: edges that are stamped twice would grow.
        self._stamp(at, reach + 0.5, heights, colour, material_of(piece), within)

    def _own_grid(
        self, x_mm: float, y_mm: float, turn_deg: float, reach: float, within: Rect | None = None
    ) -> tuple[Rect, Floats, Floats]:
        """The part of the maps around a place, and its places in a frame that lies there and is turned."""
        window = self.window(x_mm - reach, y_mm - reach, x_mm + reach, y_mm + reach)
        window = window.common(within) if within else window
        x, y = self.grid(window)
        x, y = x - np.float32(x_mm), y - np.float32(y_mm)
        c, s = (np.float32(f(math.radians(turn_deg))) for f in (math.cos, math.sin))
        return window, floats(x * c + y * s), floats(y * c - x * s)

    def _stamp(
        self,
        at: tuple[float, float, float],
        reach: float,
        heights: Callable[[Floats, Floats], tuple[Floats, Floats]],
        colour: Floats,
        material: Material,
        within: Rect | None = None,
    ) -> None:
        """Put something in one colour on the maps, where it is higher than what is there."""
        window, u, v = self._own_grid(*at, reach, within)
        inside, top = heights(u, v)
        height = self.height[window.slices]
        rise = share_inside(inside) * np.maximum(top - height, 0)
        higher = (rise > 0) & (inside > 0)
        height += rise
        np.copyto(self.paint[window.slices], colour, where=higher[..., None])
        np.copyto(self.material[window.slices], np.uint8(material), where=higher)

    def _form(self, window: Rect) -> None:
        """Normals and the room's light of a part."""
        far = window.grown(round(AROUND_TALL_MM * PX_PER_MM))
        # Hollows are found on a coarser grid, which must be the same for every part.
        snapped = (n // COARSE * COARSE for n in far)
        wide = Rect(*snapped).clipped((self._columns, self._rows))
        height = self.height[wide.slices]
        nx, ny = normals_of(floats(cv2.GaussianBlur(height, (0, 0), 0.2 * PX_PER_MM)), PX_PER_MM)
        form = np.stack([nx, ny, open_sky(height)], axis=-1)
        self.form[window.slices] = form[window.within(wide).slices]

    def _roughen(self, window: Rect, rng: np.random.Generator) -> None:
        """The grain of the tiles' plastic, in place."""
        rows, columns = window.y1 - window.y0, window.x1 - window.x0
        grain = 1 + np.float32(0.03) * cloud((rows, columns), (rows // 6, columns // 6), rng, 2)
        grain[self.material[window.slices] != Material.TILE] = 1
        self.paint[window.slices] *= grain[..., None]
