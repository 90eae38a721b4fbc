"""A live picture judged before it is calibrated from: what is seen of the board, what is missing, and what to do.

`look` takes some 15 ms of a 1280x720 picture, `draw` some 10 more: both can follow a camera.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.advice import faults
from calibration.board import Board
from calibration.camera import Corners, Floats, Lens, Pose, fit_one, project
from calibration.light import ROOT_OF_LINEAR
from calibration.markers import Gray, find_all_markers, gray
from calibration.outlines import Outline, outlines, template_corners
from calibration.sampling import Picture
from calibration.sentences import Sentence

Px = tuple[float, float]

EDGE_POINTS = 24
"""Where along a marker's edge it is looked at how steep the edge is; the ends, where corners round it off, are left
out."""
EDGE_REACH_PX = 5.0
EDGE_STEP_PX = 0.25
WHITE = 250
"""Code from which all three channels are taken as cut off: a mirrored lamp."""
BRIGHT = 252
"""Code from which one channel is cut off."""
BRIGHTEST = 99
"""Percentile of what is in the light."""
GLARE_SHARE = 0.35
"""Share of a place that a mirrored lamp may take: a white marble mirrors one in a quarter of itself."""
SPREAD = 5
"""Points across a place, to see glare."""
LOOKED_AT = ("slot", "station", "knob", "patch")

SEEN, MISSING, LINE = (80, 220, 60), (60, 60, 255), (255, 200, 0)
"""BGR of what is drawn: markers found, places with glare, the template."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """What one picture shows of a board.

    Attributes:
        board, players: what was looked for; `players` of Finity, None for the most.
        size: width and height of the picture in pixels.
        markers: top left, top right, bottom right and bottom left corner in picture px of every marker seen, by id.
        missing: the board's markers that are not seen.
        twice: markers that are seen twice.
        strange: ids that are seen and not the board's.
        lens, pose: where the board lies, as well as one picture tells; None with fewer than two markers.
        error_px: how far the markers lie from where the board file has them; None without a pose.
        blur_px: width (standard deviation) of edges; None where no marker is seen.
        clipped: share of the board that is cut off at white.
        bright: code that a hundredth of the board's pixels reach.
        greys: codes of the printed grey patches, dark to light; empty without a pose.
        whole: whether all of the board is in the picture; False without a pose.
        piece_px: width of the smallest piece that must be told apart, where it is farthest; None without a pose.
        tilt_deg: how far from straight above the camera looks; None without a pose.
        glare: places on which a lamp is mirrored.
    """

    board: Board
    players: int | None
    size: tuple[int, int]
    markers: Mapping[int, tuple[Px, Px, Px, Px]]
    missing: tuple[int, ...]
    twice: tuple[int, ...]
    strange: tuple[int, ...]
    lens: Lens | None
    pose: Pose | None
    error_px: float | None
    blur_px: float | None
    clipped: float
    bright: int
    greys: tuple[int, ...]
    whole: bool
    piece_px: float | None
    tilt_deg: float | None
    glare: tuple[str, ...]

    @property
    def quality(self) -> float:
        """0 to 1, how well a calibration from such a picture is expected to read; 0 where it would misread."""
        return math.prod(left for left, _ in faults(self))

    @property
    def ready(self) -> bool:
        """Whether a calibration may be made from such a picture."""
        return self.quality > 0

    @property
    def advice(self) -> tuple[Sentence, ...]:
        """What to do, the most urgent first; empty where nothing can be better."""
        return tuple(sentence for _, sentence in faults(self))


def look(picture: Picture, board: Board, players: int | None = None, lens: Lens | None = None) -> BoardLook:
    """Judge a picture.

    Args:
        picture: (H, W, 3) uint8, BGR.
        players: of Finity, whose layout is looked at; the most where it is not said.
        lens: the camera's lens where it is known; else it is estimated.
    """
    height, width = picture.shape[:2]
    shades = gray(picture)
    found = find_all_markers(shades, board)
    # two markers are enough for a pose, and a lens that fits them to nothing
    fit = fit_one(found.corners, board, (width, height), lens) if len(found.corners) > 1 else None
    glare: tuple[str, ...] = ()
    greys: tuple[int, ...] = ()
    whole, piece_px, tilt_deg = False, _piece_px_of_markers(found.corners, board), None
    box = (0, 0, width, height)
    if fit is not None:
        lens, pose = fit.lens, fit.poses[0]
        edge = project(np.array(template_corners(board)), lens, pose)
        whole = bool((edge >= 0).all() and (edge[:, 0] < width).all() and (edge[:, 1] < height).all())
        box = _box(edge, width, height)
        piece_px, tilt_deg = _piece_px(board, lens, pose), _tilt_deg(pose)
        codes = _codes(picture, [line for line in outlines(board, players) if line.kind in LOOKED_AT], lens, pose)
        glare = tuple(name for name, seen in codes.items() if _is_glare(name, seen))
        greys = tuple(round(float(seen.max(axis=1).mean())) for name, seen in codes.items() if _is_grey(name))
    clipped, bright = _light(picture, box)
    return BoardLook(
        board=board,
        players=players,
        size=(width, height),
        markers={marker: _corner_px(corners) for marker, corners in found.corners.items()},
        missing=tuple(marker for marker in board.aruco.ids if marker not in found.corners),
        twice=found.twice,
        strange=found.strange,
        lens=None if fit is None else fit.lens,
        pose=None if fit is None else fit.poses[0],
        error_px=None if fit is None else fit.error_px,
        blur_px=_blur_px(shades, found.corners),
        clipped=clipped,
        bright=bright,
        greys=greys,
        whole=whole,
        piece_px=piece_px,
        tilt_deg=tilt_deg,
        glare=glare,
    )


def draw(picture: Picture, seen: BoardLook, jpeg_quality: int = 80) -> bytes:
    """The picture as JPEG, with the markers that were found, the board's places as far as the pose is known, and the
    places with glare."""
    drawn = np.ascontiguousarray(picture).copy()
    if seen.pose is not None and seen.lens is not None:
        lines = [line for line in outlines(seen.board, seen.players) if line.kind != "marker"]
        for line, px in zip(lines, _projected(lines, seen.lens, seen.pose), strict=True):
            colour, wide = (MISSING, 2) if line.place in seen.glare else (LINE, 1)
            _line(drawn, px, line.closed, colour, wide)
    for marker, corners in seen.markers.items():
        px = np.array(corners)
        _line(drawn, px, True, SEEN, 2)
        x, y = (round(value) for value in px.mean(axis=0))
        cv2.putText(drawn, str(marker), (x - 8, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.putText(drawn, str(marker), (x - 8, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, SEEN, 2, cv2.LINE_AA)
    done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])
    assert done, "OpenCV always encodes an 8-bit picture"
    return data.tobytes()


def _line(drawn: Picture, px: Floats, closed: bool, colour: tuple[int, int, int], wide: int) -> None:
    # far outside the picture OpenCV's whole numbers would run over
    points = np.rint(np.clip(px, -30000, 30000)).astype(np.int32)
    cv2.polylines(drawn, [points], closed, (0, 0, 0), wide + 2, cv2.LINE_AA)
    cv2.polylines(drawn, [points], closed, colour, wide, cv2.LINE_AA)


def _projected(lines: Iterable[Outline], lens: Lens, pose: Pose) -> list[Floats]:
    lines = list(lines)
    px = project(np.array([point for line in lines for point in line.points]), lens, pose)
    return np.split(px, np.cumsum([len(line.points) for line in lines])[:-1])


def _corner_px(corners: Floats) -> tuple[Px, Px, Px, Px]:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _box(edge: Floats, width: int, height: int) -> tuple[int, int, int, int]:
    left, top = np.clip(np.floor(edge.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(edge.max(axis=0)) + 1, (left + 1, top + 1), (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _tilt_deg(pose: Pose) -> float:
    """Between the board's upright and the way from its middle to the camera."""
    eye = pose.eye_mm
    return float(np.degrees(np.arccos(np.clip(eye[2] / np.linalg.norm(eye), -1, 1))))


def _piece_px(board: Board, lens: Lens, pose: Pose) -> float:
    """The smallest width of the board's smallest piece at the corners of the template."""
    corners = np.array(template_corners(board))
    steps = np.array([(board.piece_mm, 0.0, 0.0), (0.0, board.piece_mm, 0.0)])
    ends = project((corners[:, None] + steps).reshape(-1, 3), lens, pose).reshape(4, 2, 2)
    return float(np.linalg.norm(ends - project(corners, lens, pose)[:, None], axis=-1).min())


def _piece_px_of_markers(corners: Corners, board: Board) -> float | None:
    """The width of a piece beside the smallest marker, where there is no pose."""
    sides = [float(np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).min()) for px in corners.values()]
    return min(sides) / board.aruco.size * board.piece_mm if sides else None


def _codes(picture: Picture, places: list[Outline], lens: Lens, pose: Pose) -> dict[str, Picture]:
    """(N, 3) pixels spread over the inside of each place; places outside the picture are left out."""
    height, width = picture.shape[:2]
    shares = np.linspace(0.2, 0.8, SPREAD)
    grid = np.stack([axis.ravel() for axis in np.meshgrid(shares, shares)], axis=-1)
    found = {}
    for place, px in zip(places, _projected(places, lens, pose), strict=True):
        low, high = px.min(axis=0), px.max(axis=0)
        at = np.rint(low + grid * (high - low)).astype(int)
        if (at >= 0).all() and (at[:, 0] < width).all() and (at[:, 1] < height).all():
            found[place.place] = picture[at[:, 1], at[:, 0]]
    return found


def _is_grey(place: str) -> bool:
    return place.startswith("grey")


def _is_glare(place: str, codes: Picture) -> bool:
    """Whether a lamp's mirror image takes too much of a place. White pieces are no brighter than paper, which a good
    exposure does not cut off; how bright the patches are is judged by itself."""
    return not _is_grey(place) and float((codes.min(axis=1) >= WHITE).mean()) > GLARE_SHARE


def _light(picture: Picture, box: tuple[int, int, int, int]) -> tuple[float, int]:
    """Share of pixels cut off at white, and the code that a hundredth of them reach, in every fourth row and column."""
    left, top, right, bottom = box
    codes = picture[top:bottom:4, left:right:4].reshape(-1, 3).max(axis=1)
    return float((codes >= BRIGHT).mean()), int(np.percentile(codes, BRIGHTEST))


def _blur_px(shades: Gray, corners: Corners) -> float | None:
    """How wide edges are: the median, over the markers' edges, of the width of the step from white to black.

    A step blurred by a Gaussian of width s rises at most by its height / (s sqrt(2 pi)) a pixel.
    """
    if not corners:
        return None
    # (edges, points along, points across, 2)
    start = np.concatenate([corners[marker] for marker in corners])
    end = np.concatenate([np.roll(corners[marker], -1, axis=0) for marker in corners])
    middle = np.concatenate([np.tile(corners[marker].mean(axis=0), (4, 1)) for marker in corners])
    way = end - start
    outward = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.linalg.norm(way, axis=1, keepdims=True)
    outward *= np.sign(np.sum(outward * ((start + end) / 2 - middle), axis=1, keepdims=True))
    along, across = np.linspace(0.2, 0.8, EDGE_POINTS), np.arange(-EDGE_REACH_PX, EDGE_REACH_PX + 0.01, EDGE_STEP_PX)
    points = start[:, None] + along[:, None] * way[:, None]
    maps = (points[:, :, None] + across[:, None] * outward[:, None, None]).astype(np.float32)
    flat = maps.reshape(-1, len(across), 2)
    codes = cv2.remap(shades, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # lenses blur light, not codes
    profiles = (ROOT_OF_LINEAR[codes] ** 2).reshape(maps.shape[:-1]).mean(axis=1)
    heights = np.ptp(profiles, axis=1)
    steepest = np.gradient(profiles, EDGE_STEP_PX, axis=1).max(axis=1)
    return float(np.median(heights / np.maximum(steepest, 1e-6))) / math.sqrt(2 * math.pi)
