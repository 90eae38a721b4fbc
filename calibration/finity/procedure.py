"""From a picture of the bare board and pictures of known positions to a calibration, or a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2

from calibration.camera import Lens
from calibration.errors import RefusedError
from calibration.finity.appearance import FinityAppearance, FinityCalibration
from calibration.finity.board import FinityBoard
from calibration.finity.examples import Bare, Example, State
from calibration.finity.hiding import blind_places
from calibration.finity.laying import lay_tiles
from calibration.finity.slots import learn_slots
from calibration.finity.stations import StationLook, in_words, learn_stations
from calibration.finity.tiles import Tiles
from calibration.finity.tower import measure_tower
from calibration.finity.view import UNIT, View, light_of, view_of
from calibration.sampling import Picture
from calibration.sentences import Sentence
from calibration.views import fit_views

CLEAR_MARGIN = 2.0
"""Colour margin below which some rings and posts stay unsure: different paints have 2.3 and more."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reference:
    """A picture of a known position."""

    name: str
    picture: Picture
    state: State


@dataclass(frozen=True, slots=True)
class Report:
    """What calibrating measured.

    Attributes:
        error_px: root mean square reprojection error of the marker corners.
        colour_margin: how well the closest two labels of rings and posts are told apart (`StationLook.margin`).
        closest: these two: a player's letter or ".".
        markers: markers found in each picture, by its name.
        focal_px, k1: the lens as fitted.
        blind: places that this camera can never see.
        doubts: sentences for people; what they name is read as unsure more often.
    """

    error_px: float
    colour_margin: float
    closest: tuple[str, str]
    markers: Mapping[str, int]
    focal_px: float
    k1: float
    blind: tuple[str, ...] = field(default=())
    doubts: tuple[str, ...] = field(default=())


def calibrate(
    board: FinityBoard,
    empty: Picture,
    references: Sequence[Reference],
    lens: Lens | None = None,
    empty_name: str = Sentence("the empty picture"),
    progress: Progress | None = None,
) -> tuple[FinityCalibration, Report]:
    """Learn where a fixed camera sees this board and how its pieces look.

    Args:
        board: the copy that the pictures show.
        empty: (H, W, 3) BGR, bare tiles; the tower may stand.
        references: pictures of known positions of the same number of players, same camera, same light.
        lens: the camera's lens where it is known; else it is estimated.
        progress: told what is done next.

    Raises:
        RefusedError: where the calibration would misread, with what is wrong and what to do.
    """
    say = progress or (lambda _: None)
    if not references:
        raise RefusedError(
            Sentence("at least one reference picture with its state is needed to learn the pieces' colours")
        )
    players = references[0].state.players
    if any(reference.state.players != players for reference in references):
        raise RefusedError(
            Sentence("the reference states are for different numbers of players: take them of one table")
        )
    say(Sentence("looking for markers, fitting lens and pose"))
    names = [empty_name, *(reference.name for reference in references)]
    seen = fit_views(names, [empty, *(reference.picture for reference in references)], board, lens)
    fit = seen.fit
    say(Sentence("fitting the tiles"))
    light = light_of(empty, board, fit.lens, fit.poses[0])
    view = View(empty, fit.lens, fit.poses[0], UNIT)
    bare, bare_doubts = _bare(board, players, view)
    blind = blind_places(board, players, bare.tiles, fit.lens, fit.poses[0])
    say(Sentence("learning the pieces"))
    examples = []
    for reference, pose in zip(references, fit.poses[1:], strict=True):
        shown = view_of(reference.picture, board, fit.lens, pose, light)
        if shown is None:
            raise RefusedError(
                Sentence(
                    "{picture}: its light cannot be compared with the empty picture's: lock exposure and white balance",
                    picture=reference.name,
                )
            )
        examples.append(Example(reference.name, shown, reference.state))
    stations = learn_stations(bare, examples)
    slots = learn_slots(bare, examples)
    appearance = FinityAppearance(players, empty, light, bare.tiles, stations, slots)
    calibration = FinityCalibration(board, fit.lens, fit.poses[0], fit.shrink, appearance, cv2.__version__)
    report = Report(
        fit.error_px,
        stations.margin,
        stations.closest,
        {name: len(view) for name, view in zip(names, seen.corners, strict=True)},
        fit.lens.fx,
        fit.lens.dist[0],
        blind,
        (*seen.doubts, *bare_doubts, *_colour_doubts(stations), *slots.doubts),
    )
    return calibration, report


def _bare(board: FinityBoard, players: int, view: View) -> tuple[Bare, tuple[str, ...]]:
    """The bare board as it really lies and stands, and sentences for people."""
    nominal = Bare(board, players, Tiles.as_in_file(board, players), view)
    tiles, of_tiles = lay_tiles(nominal)
    tiles, of_tower = measure_tower(Bare(board, players, tiles, view))
    return Bare(board, players, tiles, view), (*of_tiles, *of_tower)


def _colour_doubts(look: StationLook) -> tuple[str, ...]:
    doubts = [
        Sentence(
            "no ring of player {player} is in sight in the reference pictures: rings of {player} "
            "will be unsure more often, add a picture with some",
            player=letter,
        )
        for letter in look.unseen
    ]
    if look.margin < CLEAR_MARGIN:
        first, second = map(in_words, look.closest)
        doubts.append(
            Sentence(
                "{one} and {other} look much alike (margin {margin:.2f}): they will be unsure more often",
                one=first,
                other=second,
                margin=look.margin,
            )
        )
    return tuple(doubts)
