"""The stages of `companion bench` that look at pictures: simulated ones of one camera and light at rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any

from companion.cli.simulated import calibrated_camera, calibrated_finity_camera

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.cli.simulated import CalibratedCamera
    from vision.recogniser import Recogniser

Steps = Iterator[Callable[[], object]]

FRAMES = 8
"""Pictures of one position, each with noise of its own: no stage sees the same bytes twice in a row."""
INFINITY_LAYOUTS = (("BY..|KYB.|W...|YBB.", "BYBYBYBYY", 2), ("Y...|KYBB|WYB.|YB..", "BYBYBYB", -1))
"""Two positions: channels, well, stop of the knob."""
INFINITY_LOOK = "slate_window"
FINITY_LOOK = "granite_window"
PLAYERS = 4
"""The largest board of Finity: 13 stations, 72 slots."""
PATTERN = "bwbbwbww"


@dataclass(frozen=True, slots=True)
class Pictures:
    """Simulated pictures from one camera.

    Attributes:
        frames: (720, 1280, 3) uint8 each; one position, camera and light at rest.
        others: as many of another position.
        touched: as many of the first with one piece turned round, where the game has such.
        jpeg: one of them as a file's bytes.
    """

    calibration: Calibration
    frames: tuple[Any, ...]
    others: tuple[Any, ...]
    touched: tuple[Any, ...]
    jpeg: bytes


def draw_infinity(seed: int) -> Pictures:
    """A calibrated simulated camera and two positions before it."""
    from calibration.infinity.board import reference_board
    from hw_sim.camera.positions import Layout
    from hw_sim.camera.troubles import resting_scene

    board = reference_board()
    scenes = [resting_scene(Layout(*layout), board, 0.0) for layout in INFINITY_LAYOUTS]
    return _drawn(calibrated_camera(INFINITY_LOOK, seed), *scenes)


def draw_finity(seed: int) -> Pictures:
    """A calibrated simulated camera and two positions of four players before it."""
    from calibration.finity.board import reference_board
    from hw_sim.finity.camera.references import references
    from hw_sim.finity.scene import FinityScene, PieceKind

    table = FinityScene(PLAYERS, PATTERN)
    (one, _), (other, _) = references(table, reference_board(), seed + 1, 2)
    bridge = next(number for number, piece in enumerate(one.pieces) if piece.kind is PieceKind.BRIDGE)
    turned = replace(one.pieces[bridge], turn_deg=one.pieces[bridge].turn_deg + 180)
    touched = replace(one, pieces=(*one.pieces[:bridge], turned, *one.pieces[bridge + 1 :]))
    return _drawn(calibrated_finity_camera(FINITY_LOOK, seed, table), one, other, touched)


def _drawn(sim: CalibratedCamera, one: Any, other: Any, touched: Any = None) -> Pictures:
    def taken(scene: Any) -> tuple[Any, ...]:
        return () if scene is None else tuple(sim.camera.picture(scene) for _ in range(FRAMES))

    return Pictures(sim.calibration, taken(one), taken(other), taken(touched), sim.jpeg)


def infinity_stages(pictures: Pictures) -> Iterator[tuple[str, Steps]]:
    """The copy of a frame, which is the floor; decoding; a frame in which nothing, or everything, has changed."""
    from vision.pictures import decode_picture
    from vision.recogniser import recogniser_for

    recogniser = recogniser_for(pictures.calibration)
    frames = pictures.frames
    into = frames[0].copy()
    yield "copy", cycle([partial(into.__setitem__, slice(None), frame) for frame in frames])
    yield "decode", cycle([lambda: decode_picture(pictures.jpeg)])
    yield "recognise_infinity", _looks(recogniser, frames, check_pose=False)
    yield "recognise_infinity_pose", _looks(recogniser, frames, check_pose=True)
    yield "recognise_infinity_full", _looks(recogniser, _in_turn(frames, pictures.others), check_pose=False)


def finity_stages(pictures: Pictures) -> Iterator[tuple[str, Steps]]:
    """A frame in which nothing has changed, one place looked at again, a frame in which one bridge was turned round
    (its neighbours are looked at, too), and a position of which nothing is known yet."""
    from vision.recogniser import recogniser_for

    recogniser = recogniser_for(pictures.calibration)
    yield "recognise_finity", _looks(recogniser, pictures.frames, check_pose=False)
    yield "recognise_finity_pose", _looks(recogniser, pictures.frames, check_pose=True)
    yield "recognise_finity_place", _places_again(pictures)
    yield "recognise_finity_move", _looks(recogniser, _in_turn(pictures.frames, pictures.touched), check_pose=False)
    yield "recognise_finity_full", _looks_from_nothing(pictures)


def _looks(recogniser: Recogniser, frames: Sequence[Any], *, check_pose: bool) -> Steps:
    return cycle([partial(recogniser.look, frame, check_pose=check_pose) for frame in frames])


def _places_again(pictures: Pictures) -> Steps:
    """One place after another, each in another picture, with all others known."""
    from calibration.finity.appearance import FinityCalibration
    from calibration.finity.view import UNIT, View
    from vision.finity.slots import SlotReader
    from vision.finity.stations import StationReader

    told = pictures.calibration
    assert isinstance(told, FinityCalibration)
    board, players = told.board, told.appearance.players
    views = [View(frame, told.lens, told.pose, UNIT) for frame in pictures.frames]
    slots, stations = SlotReader(told, told.pose), StationReader(told, told.pose)
    known = dict(stations.read(views[0], [name for name in board.stations(players) if name != board.map.centre]))
    names = [slot.name for slot in board.slot_places(players)]
    known |= slots.read(views[0], names, known)
    return cycle([partial(slots.read, views[n % FRAMES], [name], known) for n, name in enumerate(names)])


def _looks_from_nothing(pictures: Pictures) -> Steps:
    """Each look is the first one of a recogniser; making that is not timed."""
    from vision.recogniser import recogniser_for

    for frame in cycle(_in_turn(pictures.frames, pictures.others)):
        yield partial(recogniser_for(pictures.calibration).look, frame, check_pose=False)


def _in_turn(frames: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    return [frame for pair in zip(frames, others, strict=True) for frame in pair]
