"""How high the tower is, from what it covers of the tiles.

The higher the tower, the further its head leans away from the camera in the picture, and the wider it looks. What a
tower of each height would cover is therefore a row of growing shapes; the tower ends where what is newly covered looks
like bare tiles. How bare tiles look there, other tiles say: all of them are alike. A head that casts its shadow just
behind itself is taken for higher than it is, which hides a little too much and misleads nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.board import FinityBoard
from calibration.finity.examples import Bare
from calibration.finity.hiding import hidden_by_tower
from calibration.finity.tiles import Tiles
from calibration.light import Values
from calibration.sampling import Picture
from calibration.sentences import Sentence

Pixels = NDArray[np.float64]

STEP_MM = 2.0
"""Steps of the tower's height; less than a pixel in nearly every view."""
STRANGE = 0.5
"""Largest difference of a pixel from the bare tile that counts, in logarithms of root light: black and white cones
differ from grey tiles by more, and a highlight shall not outweigh them all."""
CLEAR = 0.12
"""Least difference between the tower's foot and the tiles around, in the same measure, for the tower to be seen."""
SHARES = (0.35, 0.5, 0.65)
"""A band belongs to the tower when it is further than this share of the way from the tiles' look to the tower's: parts
of a white cone in the shade look like tiles, while bare bands hardly ever differ. Where a tower's own shade lies behind
its head they do: the tower would never end, and the next share counts."""
MARGIN_PX = 2.0
"""How far the edge of what the tower covers may be misjudged: blur and a bright edge each take a pixel."""
MARGIN_CONES = 0.5
"""The same in cones where the tower leans much: how the uppermost tapers is not known."""
FLAT_SIDES = (0.5, 0.66)
"""Between so many hexagon sides from a tile's middle its floor is flat: beyond the seats, inside of the slots' rims."""
AROUND_PX = 12
"""Width of the surroundings of the highest tower that say how bare tiles differ from each other."""
ROUND = 48
BOARD_MM = 200.0
"""Unit of places on the board where light is fitted."""
LIGHT_ROUNDS = 8
LIGHT_OFF = 0.1
"""How far, in logarithms of root light, a floor point is off where light changes slowly."""


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Pixels (N, 2) that a tower may cover or that lie around, and for each the first of `heights_mm` that covers it:
    0 for all towers, len(heights_mm) for none."""

    px: Pixels
    step: NDArray[np.intp]
    heights_mm: Floats


def measure_tower(bare: Bare) -> tuple[Tiles, tuple[str, ...]]:
    """Bounds of the tower's height from the bare picture.

    Only that picture tells: beside the tower stand pieces in all others. Where it does not show the tower clearly the
    bounds of the board file stay, and a doubt says so.

    Returns:
        The tiles with those bounds, and sentences for people.
    """
    low, high = bare.board.tower.cone_height
    if low == high:
        return bare.tiles, ()
    bounds = _bounds(bare)
    if bounds is None:
        doubt = Sentence(
            "the tower was not found in the empty picture: all that the highest tower may hide is taken as hidden"
        )
        return bare.tiles, (doubt,)
    return Tiles(bare.tiles.places, bounds), ()


def _bounds(bare: Bare) -> tuple[float, float] | None:
    """Bounds of the tower's top, in mm above the mat; None where it is not seen clearly."""
    shapes = _shapes(bare.board, bare.tiles, bare.view.lens, bare.view.pose)
    count = len(shapes.heights_mm)
    strange = _strangeness(bare, shapes)
    known = np.isfinite(strange)
    foot, around = strange[known & (shapes.step == 0)], strange[known & (shapes.step == count)]
    if len(foot) < ROUND or len(around) < ROUND:
        return None
    bare_level, tower_level = float(around.mean()), float(foot.mean())
    if tower_level - bare_level < CLEAR:
        return None
    last = 0
    for share in SHARES:
        limit = bare_level + share * (tower_level - bare_level)
        excess = np.bincount(shapes.step[known], weights=strange[known] - limit, minlength=count + 1)[1:count]
        last = int(np.argmax(np.concatenate([[0.0], np.cumsum(excess)])))
        if last < count - 1:
            break
    lowest, top, highest = (float(shapes.heights_mm[index]) for index in (0, last, -1))
    cone = (top - bare.board.tile.floor_z - bare.board.tower.foot) / bare.board.tower.cones
    margin = max(MARGIN_CONES * cone, MARGIN_PX / _px_per_mm(bare, top))
    # the shapes end at the upper rim of the last cone: a lip or a head above it looks like more height
    return max(lowest, top - 2 * margin), min(highest, top + margin)


def _shapes(board: FinityBoard, tiles: Tiles, lens: Lens, pose: Pose) -> _Shapes:
    base = board.tile.floor_z + board.tower.foot
    cones = board.tower.cones
    low, high = (base + cones * height for height in board.tower.cone_height)
    heights = np.arange(low, high + STEP_MM, STEP_MM)
    first = np.full((lens.height, lens.width), len(heights) + 1, dtype=np.int32)
    outer = cv2.dilate(
        _covered(board, tiles, lens, pose, float(heights[-1])),
        np.ones((2 * AROUND_PX + 1, 2 * AROUND_PX + 1), dtype=np.uint8),
    )
    first[outer > 0] = len(heights)
    for index in range(len(heights) - 1, -1, -1):
        first[_covered(board, tiles, lens, pose, float(heights[index])) > 0] = index
    y, x = np.nonzero(first <= len(heights))
    px = np.stack([x, y], axis=1).astype(np.float64)
    return _Shapes(px, first[y, x].astype(np.intp), heights)


def _covered(board: FinityBoard, tiles: Tiles, lens: Lens, pose: Pose, top_mm: float) -> Picture:
    """(H, W) what a tower of this height covers in the picture: its body up to the last cone, and that cone."""
    base = board.tile.floor_z + board.tower.foot
    shoulder = base + (top_mm - base) * (board.tower.cones - 1) / board.tower.cones
    rims = ((board.tower.bottom_radius, board.tile.floor_z), (board.tower.bottom_radius, shoulder))
    points = np.concatenate([_rim(board, tiles, *rim) for rim in (*rims, (board.tower.top_radius, top_mm))])
    hull = cv2.convexHull(project(points, lens, pose).astype(np.float32))
    mask: Picture = np.zeros((lens.height, lens.width), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, shift=4)
    return mask


def _rim(board: FinityBoard, tiles: Tiles, radius: float, z: float) -> Floats:
    angle = np.arange(ROUND) * (2 * np.pi / ROUND)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(ROUND, z)], axis=1)
    return tiles.station_mm(board, board.map.centre, ring)


def _px_per_mm(bare: Bare, top_mm: float) -> float:
    """Mean way that the edge of what is covered moves in the picture for a millimetre of height."""
    board, tiles, lens, pose = bare.board, bare.tiles, bare.view.lens, bare.view.pose
    less, more = (float(_covered(board, tiles, lens, pose, top).sum()) for top in (top_mm - STEP_MM, top_mm + STEP_MM))
    width = float(np.ptp(project(_rim(board, tiles, board.tower.bottom_radius, top_mm), lens, pose), axis=0).mean())
    # the edge that moves is about the far half of the rim
    return max((more - less) / (2 * STEP_MM) / (np.pi / 2 * width), 1e-3)


def _strangeness(bare: Bare, shapes: _Shapes) -> Floats:
    """(N,) how much each pixel differs from the bare tile expected there, 0 to `STRANGE`; nan where none is known."""
    floor = _floor_points(bare.view.lens, bare.view.pose, shapes.px, bare.board.tile.floor_z)
    expected, seen = _usual_tiles(bare, floor).mean(axis=1), bare.view.values(floor).mean(axis=1)
    differs = np.abs(np.log(np.maximum(seen, 1e-2) / np.maximum(expected, 1e-2)))
    return np.asarray(np.minimum(differs, STRANGE), dtype=np.float64)


def _usual_tiles(bare: Bare, floor: Floats) -> Values:
    """(N, 3) what bare tiles look like at floor points: the median of what other tiles show at the same place of
    theirs, in the bare picture; nan beyond all tiles."""
    board, tiles = bare.board, bare.tiles
    names = board.stations(bare.players)
    middles = np.array([tiles.station_mm(board, name, np.zeros(3))[:2] for name in names])
    away = np.hypot(*(floor[:, None, :2] - middles).transpose(2, 0, 1))
    own = away.argmin(axis=1)
    offset = floor[:, :2] - middles[own]
    light = _floor_light(bare, middles, names)
    values = []
    for index, name in enumerate(names):
        if name == board.map.centre:
            continue
        points = np.column_stack([offset + middles[index], floor[:, 2]])
        hidden = hidden_by_tower(board, tiles, bare.view.pose.eye_mm, points) | (own == index)
        values.append(np.where(hidden[:, None], np.nan, bare.view.values(points) / _light_at(light, points)))
    usual = np.full((len(floor), 3), np.nan, dtype=np.float32)
    stack = np.array(values)
    some = np.isfinite(stack[..., 0]).any(axis=0) & (away.min(axis=1) < board.hex_side)
    usual[some] = np.nanmedian(stack[:, some], axis=0) * _light_at(light, floor[some])
    return usual


def _floor_light(bare: Bare, middles: Floats, names: Sequence[str]) -> Floats:
    """How the floor's light changes over the board, for `_light_at`: a lamp nearby makes one side twice as bright."""
    board = bare.board
    line = np.arange(-1, 1.01, 0.1) * board.hex_side
    square = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    away = np.hypot(*square.T) / board.hex_side
    flat = square[(away > FLAT_SIDES[0]) & (away < FLAT_SIDES[1])]
    others = [middle for middle, name in zip(middles, names, strict=True) if name != board.map.centre]
    points = np.concatenate([flat + middle for middle in others])
    points = np.column_stack([points, np.full(len(points), board.tile.floor_z)])
    points = points[~hidden_by_tower(board, bare.tiles, bare.view.pose.eye_mm, points)]
    bright = np.log(np.maximum(bare.view.values(points).mean(axis=1), 1e-2)).astype(np.float64)
    parts, weight = _bends(points), np.ones(len(points))
    for _ in range(LIGHT_ROUNDS):
        found = np.linalg.lstsq(parts * weight[:, None], bright * weight, rcond=None)[0]
        # what lies in the tower's shade, or in a rim's, is far off
        weight = np.sqrt(1 / (1 + ((bright - parts @ found) / LIGHT_OFF) ** 2))
    return np.asarray(found, dtype=np.float64)


def _light_at(light: Floats, points: Floats) -> Floats:
    """(N, 1) the floor's light at points (N, 3)."""
    return np.exp(_bends(points) @ light)[:, None]


def _bends(points: Floats) -> Floats:
    x, y = points[:, 0] / BOARD_MM, points[:, 1] / BOARD_MM
    return np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])


def _floor_points(lens: Lens, pose: Pose, px: Pixels, z: float) -> Floats:
    """(N, 3) board points at height z that these pixels (N, 2) show."""
    straight = cv2.undistortPoints(px.reshape(-1, 1, 2), lens.K, np.array(lens.dist)).reshape(-1, 2)
    rays = np.column_stack([straight, np.ones(len(straight))]) @ pose.rotation
    eye = pose.eye_mm
    points = eye + rays * ((z - eye[2]) / rays[:, 2])[:, None]
    return np.asarray(points, dtype=np.float64)
