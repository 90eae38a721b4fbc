"""Finity's calibration renewed from a picture of a known position.

What is read is compared with the bare board, and that cannot be seen now. It is put together: from the new picture
where nothing stands, and under the pieces from the old one, moved to where the camera is now and lit as the bare places
around are.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Pose, board_mm_from_px, project
from calibration.errors import RefusedError
from calibration.finity.appearance import FinityAppearance, FinityCalibration
from calibration.finity.board import COLOURS, FinityBoard
from calibration.finity.examples import Bare, Example, State
from calibration.finity.hiding import disc_mm, standing, tower
from calibration.finity.slots import SlotLook, learn_slots
from calibration.finity.view import UNIT, View, light_of, view_of
from calibration.light import ROOT_OF_LINEAR, SATURATED, Values
from calibration.outlines import circle
from calibration.sampling import Picture
from calibration.sentences import Sentence

AROUND_MM = 5.0
"""How far beside a piece its shade and a hand's inaccuracy reach."""
SMOOTH_MM = 45.0
"""Over such lengths light changes: the bare places within them say how it did."""
FAINT = 1e-3
"""Weight of the picture's mean where no bare place is near."""
STRAY = 0.03
"""Root of linear light added before dividing: stray light and noise decide what is darker, not colour."""
HAND_SHARE, HAND_TINT = 0.5, 0.09
"""A patch of this share of `SMOOTH_MM` whose colour is off by so much (logarithm of a channel's root light) is a hand's
or a thing's: on simulated tables other lamps came to 0.04, hands to 0.15 and more."""
FACE = 0.95
"""Share of a tile within its seams."""
LEAST_BRIDGES = 3
"""Bridges of a colour that say how bright it is now; fewer are averaged with what was known."""


def renew_finity(old: FinityCalibration, picture: Picture, pose: Pose, state: State) -> FinityCalibration:
    """See `calibration.renewing.renew`.

    Raises:
        RefusedError: where the light cannot be compared with the old one, or the state is of other players.
    """
    look, board = old.appearance, old.board
    if state.players != look.players:
        raise RefusedError(
            Sentence(
                "the calibration is for {learnt} players, and {players} play: calibrate anew",
                learnt=look.players,
                players=state.players,
            )
        )
    if view_of(picture, board, old.lens, pose, look.light) is None:
        raise RefusedError(
            Sentence(
                "the light is too far from what it was, or the patches are covered: bring light to "
                "the board, or calibrate anew"
            )
        )
    empty = _bare_now(old, picture, pose, state)
    light = light_of(picture, board, old.lens, pose)
    bare = Bare(board, look.players, look.tiles, View(empty, old.lens, pose, UNIT))
    shown = learn_slots(bare, [Example(Sentence("the board now"), View(picture, old.lens, pose, UNIT), state)])
    appearance = FinityAppearance(look.players, empty, light, look.tiles, look.stations, _merged(look.slots, shown))
    return replace(old, pose=pose, appearance=appearance, opencv=cv2.__version__)


def _merged(old: SlotLook, now: SlotLook) -> SlotLook:
    """What the picture shows of bridges and blockers; what it does not show stays as it was known."""
    ratios, samples = {}, {}
    for colour in COLOURS:
        shown = now.samples[colour]
        if not shown:
            ratios[colour], samples[colour] = old.ratios[colour], old.samples[colour]
            continue
        (mean, spread), (before, usual) = now.ratios[colour], old.ratios[colour]
        ratios[colour] = (mean if len(shown) >= LEAST_BRIDGES else (mean + before) / 2, max(spread, usual))
        samples[colour] = shown
    return SlotLook(ratios, samples, {**old.blockers, **now.blockers})


def _bare_now(old: FinityCalibration, picture: Picture, pose: Pose, state: State) -> Picture:
    """(H, W, 3) the bare board as this camera would see it now."""
    maps = _maps(old, pose)
    was = cv2.remap(old.appearance.empty, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    known, now = (ROOT_OF_LINEAR[each] for each in (np.asarray(was, dtype=np.uint8), picture))
    taken = _taken(old, pose, state)
    told = ~taken & (now < SATURATED).all(axis=-1) & (known < SATURATED).all(axis=-1)
    near_px = _px_mm(old, pose) * SMOOTH_MM
    _check(now, known, told & _tile_faces(old, pose), near_px)
    lit = known * _ratio(now, known, told, near_px)
    codes = np.searchsorted(ROOT_OF_LINEAR, np.clip(lit[taken], 0, 1)).clip(0, 255).astype(np.uint8)
    bare = picture.copy()
    bare[taken] = codes
    return bare


def _check(now: Values, known: Values, told: NDArray[np.bool_], near_px: float) -> None:
    """Refuse what looks like a hand: lamps change how bright things are, and all colours alike; a hand on grey tiles is
    another colour."""
    logs = np.log((now + STRAY) / (known + STRAY))
    tint = logs - logs.mean(axis=-1, keepdims=True)
    off = np.abs(tint - np.median(tint[told], axis=0)).max(axis=-1) * told
    size = max(3, round(near_px * HAND_SHARE))
    spread = cv2.blur(off.astype(np.float32), (size, size)) / np.maximum(
        cv2.blur(told.astype(np.float32), (size, size)), 0.5
    )
    if float(spread.max()) > HAND_TINT:
        raise RefusedError(Sentence("something of another colour lies on the board: take hands and things off it"))


def _ratio(now: Values, known: Values, told: NDArray[np.bool_], near_px: float) -> Values:
    """(H, W, 3) how light has changed: the mean logarithm of the ratio of both around each pixel, where it is told."""
    logs = np.log((now + STRAY) / (known + STRAY)) * told[..., None]
    mean = logs.sum(axis=(0, 1)) / max(1, int(told.sum()))
    # a quarter of the resolution is fine enough for something so smooth
    small = (told.shape[1] // 4, told.shape[0] // 4)
    parts = [cv2.resize(each.astype(np.float32), small, interpolation=cv2.INTER_AREA) for each in (logs, told)]
    smooth = [np.asarray(cv2.GaussianBlur(part, (0, 0), near_px / 4 / 2), dtype=np.float32) for part in parts]
    local = (smooth[0] + FAINT * mean) / (smooth[1][..., None] + FAINT)
    large = cv2.resize(local.astype(np.float32), told.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.exp(large), dtype=np.float32)


def _maps(old: FinityCalibration, pose: Pose) -> NDArray[np.float32]:
    """(H, W, 2) where each pixel of the new picture was in the old one: on a tile's face or on the mat."""
    width, height = old.size
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    pixels = np.stack([xs.ravel(), ys.ravel()], axis=-1).astype(np.float64)
    board, tiles = old.board, old.appearance.tiles
    face, ground = board.tile.floor_z, board.aruco.z
    on_face, on_mat = (board_mm_from_px(pixels, old.lens, pose, z) for z in (face, ground))
    middles = [tiles.station_mm(board, name, np.zeros(3))[:2] for name in board.stations(old.appearance.players)]
    on_tile = np.any([_in_hexagon(on_face - middle, board.hex_side) for middle in middles], axis=0)
    points = np.where(on_tile[:, None], on_face, on_mat)
    at = np.column_stack([points, np.where(on_tile, face, ground)])
    px = project(np.nan_to_num(at, nan=1e4), old.lens, old.pose)
    return px.reshape(height, width, 2).astype(np.float32)


def _tile_faces(old: FinityCalibration, pose: Pose) -> NDArray[np.bool_]:
    """(H, W) the pixels of tiles, but of the middle one's and what the tower may hide in either picture."""
    board, tiles = old.board, old.appearance.tiles
    width, height = old.size
    faces = np.zeros((height, width), dtype=np.uint8)
    for name in board.stations(old.appearance.players):
        if name != board.map.centre:
            corners = np.array(circle(0.0, 0.0, board.tile.floor_z, FACE * board.hex_side, sides=6))
            px = project(tiles.station_mm(board, name, corners), old.lens, pose)
            cv2.fillConvexPoly(faces, np.rint(px).astype(np.int32), 255)
    solid = tower(board, tiles)
    middle = np.array([solid.x, solid.y, 0.0])
    foot = disc_mm(np.array([board.hex_side * FACE]), board.tile.floor_z) + middle
    head = disc_mm(np.array([solid.radius + AROUND_MM]), solid.top_z) + middle
    for eye in (pose, old.pose):
        shade = np.concatenate([foot, head])
        if eye is not pose:
            # where the old picture had the tower, on the tiles, as the new camera sees them
            seen = board_mm_from_px(project(shade, old.lens, eye), old.lens, eye, board.tile.floor_z)
            shade = np.column_stack([seen, np.full(len(seen), board.tile.floor_z)])
        hull = cv2.convexHull(project(shade, old.lens, pose).astype(np.float32))
        cv2.fillConvexPoly(faces, np.rint(hull).astype(np.int32), 0)
    return faces > 0


def _in_hexagon(offsets: Floats, side: float) -> NDArray[np.bool_]:
    """Corners left and right, as tiles lie."""
    x, y = np.abs(offsets[:, 0]), np.abs(offsets[:, 1])
    inside: NDArray[np.bool_] = (y <= np.sqrt(3) / 2 * side) & (np.sqrt(3) * x + y <= np.sqrt(3) * side)
    return inside


def _taken(old: FinityCalibration, pose: Pose, state: State) -> NDArray[np.bool_]:
    """(H, W) the pixels at which pieces may be seen, their shade included."""
    width, height = old.size
    mask = np.zeros((height, width), dtype=np.uint8)
    for place, label in state.labels.items():
        if label != "." or place in state.hidden:
            px = project(_body_mm(old, place), old.lens, pose).astype(np.float32)
            hull = np.rint(cv2.convexHull(px)).astype(np.int32)
            cv2.fillConvexPoly(mask, hull, 255)
    return mask > 0


def _body_mm(old: FinityCalibration, place: str) -> Floats:
    """(N, 3) points around a piece, from its foot to its head."""
    board, tiles = old.board, old.appearance.tiles
    station, _, what = place.partition(".")
    if what:
        solid = standing(board, tiles, place)
        rims = [disc_mm(np.array([solid.radius + AROUND_MM]), z) for z in (board.tile.floor_z, solid.top_z)]
        return tiles.station_mm(board, station, np.concatenate(rims))
    slot, _ = board.slot_named(place)
    return tiles.slot_mm(board, slot, _slot_box(board))


def _slot_box(board: FinityBoard) -> Floats:
    along, aside = (
        size * board.hex_side / 2 + AROUND_MM for size in (board.bridge.length_sides, board.bridge.width_sides)
    )
    top = max(board.bridge.top_z, board.blocker.top_z)
    return np.array([(x, y, z) for x in (-along, along) for y in (-aside, aside) for z in (board.tile.floor_z, top)])


def _px_mm(old: FinityCalibration, pose: Pose) -> float:
    """Pixels of a millimetre in the middle of the board."""
    ends = project(np.array([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0)]), old.lens, pose)
    return float(np.linalg.norm(ends[1] - ends[0])) / 10
