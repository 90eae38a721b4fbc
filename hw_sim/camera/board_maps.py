"""The board's top as maps over its plane: height, normals, reflectance, gloss, and how much light reaches each point.

All maps share one grid of `PX_PER_MM`; `BoardMaps.column` and `.row` say where board millimetres lie on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.lens import Doubles, Floats, floats
from hw_sim.camera.look import Finish
from hw_sim.camera.textures import cloud

PX_PER_MM = 4.0
MARGIN_MM = 3.0
OUTSIDE_MM = -100.0
"""Height beside the board: below every table, so that lines of sight pass."""
PAPER_GLOSS = 0.35
"""Share of the board's gloss that printed paper has."""


@dataclass(frozen=True, slots=True)
class BoardMaps:
    """Maps of one look of one board, all of shape (rows, columns) with the channels named.

    Attributes:
        height: millimetres, 0 on the plain top.
        paint: linear RGB and share of the board's gloss.
        form: normal x, normal y, share of the room's light that arrives, unused.
        half_mm: half the width and height that the maps cover.
    """

    board: InfinityBoard
    height: Floats
    paint: Floats
    form: Floats
    half_mm: tuple[float, float]

    def column(self, x_mm: Floats) -> Floats:
        return (x_mm + np.float32(self.half_mm[0])) * np.float32(PX_PER_MM) - np.float32(0.5)

    def row(self, y_mm: Floats) -> Floats:
        return (np.float32(self.half_mm[1]) - y_mm) * np.float32(PX_PER_MM) - np.float32(0.5)


def rounded_box(x: Floats, y: Floats, half_w: float, half_h: float, corner_r: float) -> Floats:
    """Signed distance to a rectangle with round corners, negative inside."""
    qx, qy = np.abs(x) - (half_w - corner_r), np.abs(y) - (half_h - corner_r)
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return floats(outside + np.minimum(np.maximum(qx, qy), 0) - corner_r)


def _from_segment(x: Floats, y: Floats, a: tuple[float, float], b: tuple[float, float]) -> Floats:
    """Distance to the segment from a to b."""
    bx, by = b[0] - a[0], b[1] - a[1]
    along = np.clip(((x - a[0]) * bx + (y - a[1]) * by) / max(bx * bx + by * by, 1e-9), 0, 1)
    return floats(np.hypot(x - a[0] - along * bx, y - a[1] - along * by))


def _from_arc(x: Floats, y: Floats, board: InfinityBoard) -> Floats:
    """Distance to the groove's middle line."""
    groove = board.groove
    angle = (np.degrees(np.arctan2(y - groove.cy, x - groove.cx)) - groove.start_deg) % 360
    on_arc = angle <= groove.end_deg - groove.start_deg
    ends = []
    for end in (groove.start_deg, groove.end_deg):
        ex = groove.cx + groove.r * math.cos(math.radians(end))
        ey = groove.cy + groove.r * math.sin(math.radians(end))
        ends.append(np.hypot(x - ex, y - ey))
    from_circle = np.abs(np.hypot(x - groove.cx, y - groove.cy) - groove.r)
    return floats(np.where(on_arc, from_circle, np.minimum(*ends)))


def _trough(distance: Floats, radius: float, depth: float) -> Floats:
    """Height of a round trough or bowl whose middle lies `depth` below the top; 0 outside."""
    reach = np.maximum(radius * radius - distance * distance, 0)
    return floats(np.minimum(radius - depth - np.sqrt(reach), 0))


def near(x: Floats, y: Floats, a: tuple[float, float], b: tuple[float, float], reach: float) -> tuple[slice, slice]:
    """The part of the grid within `reach` of the box from a to b."""
    columns = np.flatnonzero((x[0] > min(a[0], b[0]) - reach) & (x[0] < max(a[0], b[0]) + reach))
    rows = np.flatnonzero((y[:, 0] > min(a[1], b[1]) - reach) & (y[:, 0] < max(a[1], b[1]) + reach))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _carve(
    height: Floats, x: Floats, y: Floats, a: tuple[float, float], b: tuple[float, float], radius: float, depth: float
) -> None:
    """Cut a trough from a to b, in place."""
    part = near(x, y, a, b, radius)
    trough = _trough(_from_segment(x[part], y[part], a, b), radius, depth)
    np.minimum(height[part], trough, out=height[part])


def _heights(board: InfinityBoard, x: Floats, y: Floats) -> Floats:
    channels, slots, knob = board.channels, board.slots, board.knob
    height = _trough(_from_arc(x, y, board), board.groove.profile_r, board.groove.depth)
    for name, (sx, sy, _) in board.slot_centres().items():
        _carve(height, x, y, (sx, sy), (sx, sy), slots.r, slots.depth)
        if name.endswith(".1"):
            ends = (sx, channels.entry_y), (sx, channels.end_y)
            _carve(height, x, y, *ends, channels.profile_r, channels.depth)
    for notch in range(knob.notches):
        angle = 2 * math.pi * notch / knob.notches
        ux, uy = math.sin(angle), math.cos(angle)
        inner, outer = ((knob.cx + ux * r, knob.cy + uy * r) for r in (knob.ring_r - 3.0, knob.ring_r + 3.0))
        _carve(height, x, y, inner, outer, knob.notch_r, knob.notch_r * 0.45)
    edge = -rounded_box(x, y, board.board.w / 2, board.board.h / 2, board.board.corner_r)
    bevel = board.board.bevel
    down = np.clip(bevel - edge, 0, bevel)
    height = np.minimum(height, np.sqrt(np.maximum(bevel * bevel - down * down, 0)) - bevel)
    return floats(np.where(edge < 0, OUTSIDE_MM, height))


def _open_sky(height: Floats) -> Floats:
    """Share of the room's light that reaches each point: less in hollows, by how deep they lie at three widths."""
    level = np.maximum(height, -8.0)
    shut = np.zeros_like(level)
    for width_mm, weight in ((1.2, 0.30), (3.0, 0.40), (7.0, 0.35)):
        around = cv2.GaussianBlur(level, (0, 0), width_mm * PX_PER_MM)
        shut += weight * np.maximum(np.asarray(around) - level, 0) / width_mm
    return floats(np.clip(1 - shut, 0.12, 1))


def box_cover(x: Floats, y: Floats, cx: float, cy: float, w: float, h: float) -> Floats:
    """Coverage (0 to 1) of a rectangle."""
    across = np.clip((w / 2 - np.abs(x - cx)) * PX_PER_MM + 0.5, 0, 1)
    return floats(across * np.clip((h / 2 - np.abs(y - cy)) * PX_PER_MM + 0.5, 0, 1))


def _stick(paint: Floats, coverage: Floats, reflectance: Floats | float) -> None:
    """Lay printed paper over the paint, in place."""
    new = np.empty_like(paint)
    new[..., :3] = np.asarray(reflectance, np.float32)[..., None]
    new[..., 3] = PAPER_GLOSS
    paint += coverage[..., None] * (new - paint)


def marker_cells(dictionary: str, marker: int) -> Floats:
    """The marker's cells, one a pixel, 0 black and 1 white, first row on top."""
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    cells = cv2.aruco.generateImageMarker(family, marker, family.markerSize + 2)
    return floats(cells) / np.float32(255)


def _print_sticker(board: InfinityBoard, x: Floats, y: Floats, paint: Floats, height: Floats) -> None:
    """Markers and grey strip on their paper, in place. Black ink reflects 3 %."""
    ink, strip, size = 0.03, board.grey_strip, board.aruco.size
    border = size + 2 * board.aruco.white_border_mm
    sheets = [(cx, cy, border, border, board.aruco.z) for cx, cy in board.aruco.centres]
    for cx, cy, w, h, z in (*sheets, (strip.cx, strip.cy, strip.w, strip.h, strip.z)):
        part = near(x, y, (cx, cy), (cx, cy), max(w, h) / 2 + 1)
        sheet = box_cover(x[part], y[part], cx, cy, w, h)
        _stick(paint[part], sheet, strip.paper_linear)
        height[part] += np.float32(z) * sheet
    for marker, (cx, cy) in enumerate(board.aruco.centres):
        part = near(x, y, (cx, cy), (cx, cy), size)
        cells = marker_cells(board.aruco.dict, marker)
        n = len(cells)
        column = ((x[part] - cx) / size + 0.5) * n - 0.5
        row = ((cy - y[part]) / size + 0.5) * n - 0.5
        # Nearest cell: the grid's samples never lie on a cell's edge, so cells keep their true size.
        inked = floats(cv2.remap(cells, column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE))
        _stick(paint[part], box_cover(x[part], y[part], cx, cy, size, size), ink + (strip.paper_linear - ink) * inked)
    for (cx, cy), reflectance in zip(strip.centres, strip.reflectance_linear, strict=True):
        part = near(x, y, (cx, cy), (cx, cy), strip.patch)
        _stick(paint[part], box_cover(x[part], y[part], cx, cy, strip.patch, strip.patch), reflectance)


def board_maps(board: InfinityBoard, finish: Finish, rng: np.random.Generator) -> BoardMaps:
    """Draw the top of a board in one colour, with its sticker."""
    half = (board.board.w / 2 + MARGIN_MM, board.board.h / 2 + MARGIN_MM)
    columns, rows = (round(2 * side * PX_PER_MM) for side in half)
    x, y = np.meshgrid(
        ((np.arange(columns) + 0.5) / PX_PER_MM - half[0]).astype(np.float32),
        (half[1] - (np.arange(rows) + 0.5) / PX_PER_MM).astype(np.float32),
    )
    height = _heights(board, x, y)
    grain = 1 + 0.025 * cloud((rows, columns), (rows // 5, columns // 5), rng, 2)
    paint = np.ones((rows, columns, 4), np.float32)
    paint[..., :3] = np.clip(grain[..., None] * np.array(finish.rgb, np.float32), 0, 0.95)
    _print_sticker(board, x, y, paint, height)
    smooth = np.asarray(cv2.GaussianBlur(np.maximum(height, -8.0), (0, 0), 0.35 * PX_PER_MM), np.float32)
    nx, ny = normals_of(smooth, PX_PER_MM)
    form = np.stack([nx, ny, _open_sky(height), np.ones_like(nx)], axis=-1)
    return BoardMaps(board, height, paint, form, half)


def normals_of(height: Floats, px_per_mm: float) -> tuple[Floats, Floats]:
    """The x and y of the unit normals of a height map whose rows run towards -y."""
    dx = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=px_per_mm / 8), np.float32)
    dy = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=-px_per_mm / 8), np.float32)
    length = np.sqrt(dx * dx + dy * dy + 1)
    return floats(-dx / length), floats(-dy / length)


def lit_share(maps: BoardMaps, towards: Doubles, softness: float, also: Floats | None = None) -> Floats:
    """Share of the lamp's light that reaches each point of the top, past the edges of the board's own hollows.

    Args:
        towards: unit vector to the lamp.
        softness: half a penumbra's width for each millimetre of distance.
        also: heights of something else that casts shadows, on the same grid.
    """
    casting = np.maximum(maps.height, -8.0)
    receiving = casting
    if also is not None:
        casting = np.maximum(casting, also)
    shadow = np.zeros_like(casting)
    flat = max(math.hypot(towards[0], towards[1]), 1e-3)
    rise = towards[2] / flat
    highest = float(casting.max()) + 6.0
    reach = min(highest / rise, 90.0)
    distance = 0.6
    while distance < reach:
        shift = np.array(
            [
                [1, 0, -towards[0] / flat * distance * PX_PER_MM],
                [0, 1, towards[1] / flat * distance * PX_PER_MM],
            ],
            np.float32,
        )
        seen = cv2.warpAffine(casting, shift, casting.shape[::-1], flags=cv2.INTER_LINEAR, borderValue=-8.0)
        way = distance * math.hypot(1, rise)
        above = (np.asarray(seen) - receiving - distance * rise) / max(softness * way * 2, 0.35) + 0.5
        np.maximum(shadow, np.clip(above, 0, 1), out=shadow)
        distance *= 1.25
    return floats(1 - shadow)
