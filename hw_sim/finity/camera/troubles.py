"""What may trouble a picture of Finity: a hand, other light, a bump, things, pieces nudged, held, fallen, piled up."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.troubles import SKINS, THING_COLOURS
from hw_sim.finity.camera.positions import Standing
from hw_sim.finity.places import Places
from hw_sim.finity.scene import FinityScene, Piece, PieceKind
from hw_sim.scene import Hand, Light, Thing, ThingKind

ON_PIECES_MM = 22.5
"""Underside of a thing that lies on hubs and rings."""
NUDGED_MM: Mapping[PieceKind, float] = {
    PieceKind.RING: 1.2, PieceKind.POST: 0.3, PieceKind.BRIDGE: 2.5, PieceKind.BLOCKER: 2.5,
}  # fmt: skip
"""How far pieces slip and still belong to their places: rings are held by the steps that they sit on."""
NUDGED_DEG = 7.0
DOUBTFUL_MM = 32.0
"""Places nearer than this to a fallen post may be under it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture to be: what is seen, and what is true of it."""

    standing: Standing
    scene: FinityScene
    light: Light
    doubtful: tuple[str, ...] = ()
    """Places at which something lies that does not belong there: no reader can be asked about them."""
    note: str = ""


Maker = Callable[[Standing, FinityScene, FinityBoard, np.random.Generator], Frame]


def _spot(scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> tuple[float, float]:
    spots = list(Places(board, scene.players, scene.tiles).spots.values())
    return spots[int(rng.integers(len(spots)))]


def _hand(scene: FinityScene, board: FinityBoard, rng: np.random.Generator, *, pinching: bool = False) -> Hand:
    """A hand over some place, from any side but mostly from the players'."""
    x, y = _spot(scene, board, rng)
    arm = float(rng.choice([-90, -45, -135, 90, 0, 180])) + float(rng.normal(0, 16))
    skin = SKINS[int(rng.integers(len(SKINS)))]
    return Hand(x, y, float(rng.uniform(16, 45)), arm, skin, pinching)


def _plain(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(standing, scene, Light())


def _with_hand(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(standing, replace(scene, hands=(_hand(scene, board, rng),)), Light())


def _drift(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    if rng.random() < 0.5:
        exposure = float(rng.choice([0.7, 0.75, 1.2]))
        return Frame(standing, scene, Light(exposure=exposure), note=f"exposure x{exposure}")
    red = float(rng.choice([0.88, 1.12]))
    light = Light(white_balance=(red, 1.0, 2 - red))
    return Frame(standing, scene, light, note=f"white balance {red} 1 {2 - red:.2f}")


def _bumped(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    x, y, turn = (round(float(rng.uniform(-reach, reach)), 2) for reach in (6, 6, 2))
    bumped = replace(scene, bump_mm=(x, y), bump_deg=turn)
    return Frame(standing, bumped, Light(), note=f"bump {x} {y} mm {turn} deg")


def _with_thing(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    kind = list(ThingKind)[int(rng.integers(len(ThingKind)))]
    x, y = (float(rng.uniform(-reach, reach)) for reach in (130, 120))
    colour = THING_COLOURS[int(rng.integers(len(THING_COLOURS)))]
    thing = Thing(kind, x, y, ON_PIECES_MM, float(rng.uniform(-180, 180)), colour)
    return Frame(standing, replace(scene, things=(thing,)), Light(), note=kind.value)


def _nudged(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    """Every piece slipped a little, as after a sleeve went over the board."""

    def slipped(piece: Piece) -> Piece:
        way, share = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.5, 1)) * NUDGED_MM[piece.kind]
        x, y = piece.x_mm + share * math.cos(way), piece.y_mm + share * math.sin(way)
        return replace(piece, x_mm=x, y_mm=y, turn_deg=piece.turn_deg + float(rng.uniform(-NUDGED_DEG, NUDGED_DEG)))

    pieces = tuple(piece if _is_central(piece) else slipped(piece) for piece in scene.pieces)
    return Frame(standing, replace(scene, pieces=pieces), Light())


def _is_central(piece: Piece) -> bool:
    return math.hypot(piece.x_mm, piece.y_mm) < 3.0


def _pile(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    """The supply in heaps on the mat and beside it."""
    corners = ((-150.0, -125.0), (150.0, 125.0), (150.0, -125.0), (-150.0, 125.0))
    pieces = list(scene.pieces)
    for letter, (x, y) in zip("ABCD"[: scene.players], corners, strict=False):
        for size in "SML":
            pieces += _stack(board, letter, size, x + {"S": -22, "M": 12, "L": 52}[size] * -math.copysign(1, x), y, rng)
    beside = board.mat[0] / 2 + 26.0
    for colour, side in (("b", -beside), ("w", beside)):
        for number in range(8):
            y, turn = -110 + 26 * number + float(rng.normal(0, 2)), float(rng.normal(0, 15))
            pieces.append(Piece(PieceKind.BRIDGE, colour, "", side + float(rng.normal(0, 3)), y, 0.0, turn))
    return Frame(standing, replace(scene, pieces=tuple(pieces)), Light())


def _stack(board: FinityBoard, letter: str, size: str, x: float, y: float, rng: np.random.Generator) -> list[Piece]:
    """Rings on each other, where there is room on the mat and off the tiles."""
    clear = board.hex_side + board.rings.radii_sides[size][1] * board.hex_side
    if any(math.hypot(x - cx, y - cy) < clear for cx, cy in board.station_centres.values()):
        return []
    stack = []
    for number in range(int(rng.integers(2, 8))):
        dx, dy = (float(off) for off in rng.normal(0, 0.6, 2))
        stack.append(Piece(PieceKind.RING, letter, size, x + dx, y + dy, number * board.rings.thickness))
    return stack


def _held(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    """A piece between two fingers over some place."""
    hand = _hand(scene, board, rng, pinching=True)
    kind = list(PieceKind)[int(rng.integers(4))]
    letters = "bw" if kind is PieceKind.BRIDGE else "ABCD"[: scene.players]
    colour = letters[int(rng.integers(len(letters)))]
    size = "SML"[int(rng.integers(3))] if kind is PieceKind.RING else ""
    piece = Piece(kind, colour, size, hand.x_mm, hand.y_mm, hand.z_mm + 4, float(rng.uniform(0, 360)))
    held = replace(scene, pieces=(*scene.pieces, piece), hands=(hand,))
    return Frame(standing, held, Light(), note=f"{kind.value} {colour}{size} held {hand.z_mm + 4:.0f} mm high")


def _fallen(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    """A post that fell off its hub and lies on the floor of its tile."""
    letter = sorted(standing.posts)[int(rng.integers(len(standing.posts)))]
    station = standing.posts[letter]
    places = Places(board, scene.players, scene.tiles)
    x, y = places.station(station)
    way = float(rng.uniform(0, 2 * math.pi))
    x, y = x + 29 * math.cos(way), y + 29 * math.sin(way)

    def fallen(piece: Piece) -> Piece:
        if piece.kind is not PieceKind.POST or piece.colour != letter:
            return piece
        return replace(
            piece, x_mm=x, y_mm=y, z_mm=board.tile.floor_z, turn_deg=float(rng.uniform(0, 360)), tilt_deg=90.0
        )

    near = (name for name, (a, b) in places.spots.items() if math.hypot(a - x, b - y) < DOUBTFUL_MM)
    left = replace(standing, posts={who: at for who, at in standing.posts.items() if who != letter})
    pieces = tuple(fallen(piece) for piece in scene.pieces)
    return Frame(left, replace(scene, pieces=pieces), Light(), tuple(near), f"post {letter} fell off {station}")


def _hand_bump(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    bumped = _bumped(standing, scene, board, rng)
    return replace(bumped, scene=replace(bumped.scene, hands=(_hand(scene, board, rng),)))


def _no_board(standing: Standing, scene: FinityScene, board: FinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(standing, replace(scene, pieces=(), board_present=False), Light())


MAKERS: Mapping[str, Maker] = {
    "plain": _plain,
    "hand": _with_hand,
    "drift": _drift,
    "bump": _bumped,
    "thing": _with_thing,
    "nudged": _nudged,
    "pile": _pile,
    "held": _held,
    "fallen": _fallen,
    "hand_bump": _hand_bump,
    "no_board": _no_board,
}
