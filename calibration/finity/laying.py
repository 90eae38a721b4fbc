"""How each tile really lies, from a picture of the bare board.

Along a side the tile ends: a dark gap to its neighbour, or the mat. A side is cut into stretches, and in each the
picture is followed from the tile outwards to where it stops looking like the tile. All these ends together, with what
noise and shadow spoil left out, give a shift and a turn for each tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats
from calibration.finity.examples import Bare
from calibration.finity.hiding import hidden_by_tower, in_picture
from calibration.finity.tiles import TilePlace, Tiles
from calibration.light import Values
from calibration.sentences import Sentence

REACH_MM = 4.0
"""How far a tile's side may lie from where the file has it: tiles further off would no longer hold together."""
STEP_MM = 0.25
STRETCH_OF_SLOT = 0.8
"""Share of a slot's width that is a stretch: between slots stand the higher bumps, which end elsewhere in a picture
taken aslant."""
PLAIN_MM = 3.0
"""Width of the plain strip inside the searched one that says how the tile looks."""
MIN_STEP = 0.14
"""Share of a tile's own value that must change for its end: marks and bumps on tiles change it by less than 0.1."""
NOISES = 5.0
"""The same in standard deviations of what is left of the noise."""
FULL_STEP_MM = 1.0
"""Way within which the change is complete: the blur of a camera that is just not sharp."""
END_MM = 0.2
"""How precisely an end is found."""
USUAL_MM = 1.5
"""How far tiles commonly lie off, and degrees that they are turned: what is hardly measured stays near the file."""
MIN_ENDS = 6
MAX_SPREAD_MM = 0.6
"""Robust spread of a tile's ends about the fit above which they are not its sides."""


@dataclass(frozen=True, slots=True)
class _End:
    """Where a tile ends: `off_mm` outwards from its nominal side, `along_mm` counter-clockwise along it."""

    tile: int
    normal: tuple[float, float]
    along_mm: float
    off_mm: float
    at_gap: bool


def lay_tiles(bare: Bare) -> tuple[Tiles, tuple[str, ...]]:
    """Fit every tile; one that is hardly seen is taken to lie as the others do, and is named in a doubt.

    Returns:
        The tiles, with the tower's bounds as they were, and sentences for people.
    """
    names = bare.board.stations(bare.players)
    ends = [end for tile in range(len(names)) for end in _ends(bare, tile)]
    if not ends:
        return bare.tiles, (
            Sentence("no tile's sides were found: the tiles are taken to lie as the board file has them"),
        )
    fitted, misses = _fit(ends, len(names))
    clear = [_is_clear(tile, place, ends, misses) for tile, place in enumerate(fitted)]
    # a tile that is hardly seen was pushed along with the others
    usual = (*np.median(fitted[clear][:, :2], axis=0), 0.0) if any(clear) else (0.0, 0.0, 0.0)
    places = {}
    for name, place, is_clear in zip(names, fitted, clear, strict=True):
        dx, dy, turn = place if is_clear else usual
        places[name] = TilePlace(float(dx), float(dy), float(np.degrees(turn)))
    doubts = [
        Sentence("the tile {tile} could not be measured: it is taken to lie as the others do", tile=name)
        for name, is_clear in zip(names, clear, strict=True)
        if not is_clear
    ]
    return Tiles(places, bare.tiles.tower_height_mm), tuple(doubts)


def _is_clear(tile: int, place: Floats, ends: list[_End], misses: Floats) -> bool:
    """Whether a tile's ends agree well enough to say where it lies."""
    own = [index for index, end in enumerate(ends) if end.tile == tile]
    # two sides and their opposites could not tell a shift along them
    sides = {ends[index].normal for index in own if abs(misses[index]) < 3 * END_MM}
    if len(own) < MIN_ENDS or len(sides) < 3 or np.hypot(*place[:2]) > REACH_MM:
        return False
    return float(np.median(np.abs(misses[own]))) < MAX_SPREAD_MM


def _fit(ends: list[_End], count: int) -> tuple[Floats, Floats]:
    """(count, 3) shift in mm and turn in radians of each tile, and each end's miss in mm. What blur and light shift all
    ends at gaps by, and all at the mat, is fitted with them."""
    tile = np.array([end.tile for end in ends])
    normal = np.array([end.normal for end in ends])
    along, off = np.array([end.along_mm for end in ends]), np.array([end.off_mm for end in ends])
    kind = np.array([0 if end.at_gap else 1 for end in ends])

    def misses(x: Floats) -> Floats:
        moved = x[: 3 * count].reshape(count, 3)[tile]
        out: Floats = (moved[:, :2] * normal).sum(axis=1) - moved[:, 2] * along + x[3 * count :][kind] - off
        return out

    def weighted(x: Floats) -> Floats:
        moved = x[: 3 * count].reshape(count, 3)
        usual = np.concatenate([moved[:, :2].ravel(), np.degrees(moved[:, 2])]) / USUAL_MM
        return np.concatenate([misses(x) / END_MM, usual, x[3 * count :] / USUAL_MM])

    from scipy.optimize import least_squares

    x = least_squares(weighted, np.zeros(3 * count + 2), loss="cauchy", max_nfev=100).x
    return x[: 3 * count].reshape(count, 3), misses(x)


def _ends(bare: Bare, tile: int) -> list[_End]:
    board = bare.board
    names = board.stations(bare.players)
    middle = np.array(board.station_centres[names[tile]])
    others = np.array([board.station_centres[name] for name in names])
    apothem = np.sqrt(3) / 2 * board.hex_side
    found = []
    for k in range(6):
        angle = np.pi / 6 + k * np.pi / 3
        normal = np.array([np.cos(angle), np.sin(angle)])
        at_gap = bool((np.hypot(*(others - middle - 2 * apothem * normal).T) < board.hex_side / 4).any())
        side = middle + (apothem - board.tile.gap / 2) * normal
        for share in board.slots.lateral_offset_sides.values():
            along = share * board.hex_side
            off = _end_of(bare, side, normal, along)
            if off is not None:
                found.append(_End(tile, (float(normal[0]), float(normal[1])), along, off, at_gap))
    return found


def _end_of(bare: Bare, side: Floats, normal: Floats, along_mm: float) -> float | None:
    """Where one stretch of a side ends, in mm outwards from where the file has it; None where that is not seen."""
    board = bare.board
    half = STRETCH_OF_SLOT * board.slots.width_sides * board.hex_side / 2
    off = np.arange(-REACH_MM - PLAIN_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    along = along_mm + np.linspace(-half, half, 13)
    tangent = np.array([-normal[1], normal[0]])
    xy = side + off[:, None, None] * normal + along[None, :, None] * tangent
    points = np.concatenate([xy, np.full((*xy.shape[:2], 1), board.tile.floor_z)], axis=2)
    seen = in_picture(bare.view.lens, bare.view.pose, points)
    if not seen.all() or hidden_by_tower(board, bare.tiles, bare.view.pose.eye_mm, points).any():
        return None
    return _first_step(off, np.median(bare.view.values(points), axis=1))


def _first_step(off: Floats, profile: Values) -> float | None:
    """Where a profile (N, 3) along `off` first leaves the value of its plain start: the middle of that step."""
    smooth = np.stack([np.convolve(channel, [0.25, 0.5, 0.25], mode="same") for channel in profile.T], axis=1)[1:-1]
    off = off[1:-1]
    plain = off < off[0] + PLAIN_MM
    level = np.median(smooth[plain], axis=0)
    change = np.abs(smooth - level).mean(axis=1)
    noise = float(np.median(change[plain])) * 1.5
    far = ~plain & (change > max(MIN_STEP * float(level.mean()), NOISES * noise))
    if not far.any():
        return None
    first = int(np.argmax(far))
    top = float(change[first : first + int(FULL_STEP_MM / STEP_MM) + 1].max())
    over = int(np.argmax(~plain & (change >= top / 2)))
    before, after = float(change[over - 1]), float(change[over])
    return float(off[over] - STEP_MM * (after - top / 2) / max(after - before, 1e-6))
