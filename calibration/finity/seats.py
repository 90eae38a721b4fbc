"""Where rings and posts of one pose are looked at, and what is seen there against the bare tiles.

Every seat is cut into sectors, each with a few dozen samples on the upper face of a ring at the ring's own height. A
post is looked at twice: on a disc at its head and on one at its foot (the tile's hub), which lie apart in a picture
taken aslant. What a sector shows is the ratio of its mean colour to that of the bare tile at the same board points, as
logarithms: whatever light falls there is in both and drops out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.board import POST, SIZES, FinityBoard
from calibration.finity.hiding import Flags, disc_mm, hidden_by, in_picture, standing, tower
from calibration.finity.tiles import Tiles
from calibration.finity.view import View
from calibration.light import SATURATED, Values
from calibration.sampling import Maps, sample

HEAD, FOOT, RIM = "head", "foot", "rim"
POST_PARTS = (HEAD, FOOT)
PARTS = (*POST_PARTS, *SIZES, RIM)
"""What is looked at of a station."""
HIDERS = {"S": (POST,), "M": (POST, "S"), "L": (POST, "S", "M"), RIM: (POST, *SIZES)}
"""Which pieces of the same station reach up before a part: those further inside stand higher."""
BACKGROUND = {"S": ("M", "L"), "M": ("L",)}
"""Which pieces show behind an empty seat, as its samples lie as high as its ring would."""
SECTORS = 12
PER_SECTOR = 8
"""Directions in a sector of a ring."""
RING_WIDTH = (0.15, 0.38, 0.62, 0.85)
"""Where samples lie between a ring's inner and outer radius: off its rims, that half a millimetre may not matter."""
PLAIN = "S"
"""The seat that says how plain tile looks at a station: it lies next to the hub, and no step runs through it."""
RIM_SIDES = (0.432, 0.45)
"""Radii of the strip around a large ring where a tile is bare: bridges end further out."""
POST_SECTORS = 4
POST_RADII = (0.2, 0.45, 0.7)
MIN_SEEN = 1 / 3
"""Share of a sector's samples that must be in sight for it to count."""
STRAY = 0.03
"""Root of linear light added before dividing: stray light and noise decide what is darker, not colour."""


@dataclass(frozen=True, slots=True)
class Seats:
    """All stations of one pose, but C.

    Attributes:
        stations: their names; the first axis of all that follows.
        points_mm: for each part, (stations, sectors, samples, 3) where it is looked at.
        maps: the same in image pixels.
        clear: which samples the tower surely does not hide and both pictures show.
        spoilt: for each part and each piece beside it, which samples tell nothing when that piece stands: it hides
            them, or shows behind them when nothing else does.
    """

    stations: tuple[str, ...]
    points_mm: dict[str, Floats]
    maps: dict[str, Maps]
    clear: dict[str, Flags]
    spoilt: dict[tuple[str, str], Flags]


@dataclass(frozen=True, slots=True)
class Look:
    """What one part of some stations shows.

    Attributes:
        ratios: (stations, sectors, 3) logarithms of the colour against bare tile just there, BGR; 0 where not seen.
        colours: the same against the station's plain tile: on the hub there are a hole and an edge.
        seen: (stations, sectors) share of each sector's samples that tell something, 0 where too few do.
    """

    ratios: Values
    colours: Values
    seen: Values


def seats_of(board: FinityBoard, players: int, tiles: Tiles, lens: Lens, pose: Pose, bare_pose: Pose) -> Seats:
    """The seats of every station as this pose sees them, to be compared with a bare board that was seen from
    `bare_pose`."""
    stations = tuple(name for name in board.stations(players) if name != board.map.centre)
    eye, high = pose.eye_mm, [tower(board, tiles)]
    points, clear, spoilt = {}, {}, {}
    for part in PARTS:
        offsets = _offsets(board, part)
        points[part] = np.array([tiles.station_mm(board, name, offsets) for name in stations])
        clear[part] = np.ones(points[part].shape[:-1], dtype=np.bool_)
        for each in {pose, bare_pose}:
            clear[part] &= in_picture(lens, each, points[part]) & ~hidden_by(high, each.eye_mm, points[part])
        beside = [(piece, eye + 0 * points[part]) for piece in HIDERS.get(part, ())]
        beside += [(piece, 2 * points[part] - eye) for piece in BACKGROUND.get(part, ())]
        for piece, ends in beside:
            solids = [standing(board, tiles, f"{name}.{piece}") for name in stations]
            spoilt[part, piece] = np.array(
                [hidden_by([solid], *each) for solid, *each in zip(solids, ends, points[part], strict=True)]
            )
    return Seats(stations, points, {part: _maps(at, lens, pose) for part, at in points.items()}, clear, spoilt)


def _maps(points_mm: Floats, lens: Lens, pose: Pose) -> Maps:
    return project(points_mm.reshape(-1, 3), lens, pose).reshape(*points_mm.shape[:-1], 2).astype(np.float32)


def look_at(
    seats: Seats, part: str, rows: Sequence[int], view: View, bare: Mapping[str, Values], pieces: Mapping[str, Flags]
) -> Look:
    """What a part of some stations shows.

    Args:
        rows: which stations, by their place in `seats.stations`.
        bare: what the bare board shows (`bare_values`).
        pieces: for each piece, at which of these stations it may stand: what it would spoil is left out.
    """
    raw = sample(view.picture, seats.maps[part][rows])
    usable = seats.clear[part][rows] & ~(raw > SATURATED).all(axis=-1)
    for piece, stands in pieces.items():
        if (part, piece) in seats.spoilt:
            usable &= ~(seats.spoilt[part, piece][rows] & stands[:, None, None])
    seen = usable.mean(axis=2, dtype=np.float32)
    seen[seen < MIN_SEEN] = 0.0
    now = _mean(raw * view.gain.root, usable)
    ratios = log_ratio(now, _mean(bare[part][rows], usable))
    colours = log_ratio(now, bare[PLAIN][rows].mean(axis=(1, 2), keepdims=True)[:, 0]) if part in POST_PARTS else ratios
    return Look(ratios * (seen > 0)[..., None], colours * (seen > 0)[..., None], seen)


def log_ratio(now: Values, then: Values) -> Values:
    """Logarithm of the ratio of two values in root light."""
    return np.asarray(np.log((now + STRAY) / (then + STRAY)), dtype=np.float32)


def _mean(values: Values, usable: Flags) -> Values:
    """(stations, sectors, 3) means over the usable samples (axis 2)."""
    count = np.maximum(usable.sum(axis=2, dtype=np.float32), 1)[..., None]
    return np.asarray((values * usable[..., None]).sum(axis=2, dtype=np.float32) / count, dtype=np.float32)


def bare_values(seats: Seats, view: View) -> dict[str, Values]:
    """For each part, (stations, sectors, samples, 3) what the bare board shows at the seats."""
    return {part: view.values(points) for part, points in seats.points_mm.items()}


def _offsets(board: FinityBoard, part: str) -> Floats:
    """(sectors, samples, 3) sample points of a part against its station's middle."""
    side = board.hex_side
    if part in POST_PARTS:
        z = board.post.top_z if part == HEAD else board.post.hub_z
        radii, sectors = board.post.radius_sides * side * np.array(POST_RADII), POST_SECTORS
        directions = POST_SECTORS * PER_SECTOR
    elif part == RIM:
        radii, z = side * np.array(RIM_SIDES), board.rings.seat_z["L"]
        sectors, directions = SECTORS, SECTORS * PER_SECTOR
    else:
        inner, outer = (radius * side for radius in board.rings.radii_sides[part])
        z = board.rings.seat_z[part] + board.rings.thickness
        radii, sectors = inner + (outer - inner) * np.array(RING_WIDTH), SECTORS
        directions = SECTORS * PER_SECTOR
    return disc_mm(radii, z, directions).reshape(sectors, -1, 3)
