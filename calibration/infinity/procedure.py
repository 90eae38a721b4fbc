"""From an empty picture and pictures of known positions to a calibration, or a refusal that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2

from calibration.camera import Corners, Lens, Pose
from calibration.errors import RefusedError
from calibration.infinity.appearance import STOPS, Appearance, InfinityCalibration, KnobLook
from calibration.infinity.board import InfinityBoard
from calibration.infinity.knob import learn_knob
from calibration.infinity.learning import Example, Learnt, learn
from calibration.infinity.look import BoardMaps, board_maps, gain_of, light_values
from calibration.infinity.states import KINDS, State
from calibration.light import LightGain, LightReference
from calibration.sampling import Picture, sample
from calibration.sentences import Sentence
from calibration.views import fit_views

Progress = Callable[[str], None]

MIN_MARGIN = 1.25
"""Ratio of second best to best distance below which two kinds look the same."""


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
        colour_margin: smallest ratio, over all reference places, of the distance from the best wrong label to the
            distance from the right one.
        closest: the two labels that come closest.
        markers: markers found in each picture, by its name.
        focal_px, k1: the lens as fitted.
        doubts: sentences for people; what they name is read as unsure more often.
    """

    error_px: float
    colour_margin: float
    closest: tuple[str, str]
    markers: Mapping[str, int]
    focal_px: float
    k1: float
    doubts: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _View:
    name: str
    picture: Picture
    corners: Corners
    pose: Pose
    maps: BoardMaps


def calibrate(
    board: InfinityBoard,
    empty: Picture,
    references: Sequence[Reference],
    lens: Lens | None = None,
    empty_name: str = Sentence("the empty picture"),
    progress: Progress | None = None,
) -> tuple[InfinityCalibration, Report]:
    """Learn where a fixed camera sees this board and how its pieces look.

    Args:
        board: the copy that the pictures show.
        empty: (H, W, 3) BGR, channels empty, all marbles in the well, knob at 0.
        references: pictures of known positions from the same camera, same light.
        lens: the camera's lens where it is known; else it is estimated.
        progress: told what is done next.

    Raises:
        RefusedError: where the calibration would misread, with what is wrong and what to do.
    """
    say = progress or (lambda _: None)
    if not references:
        raise RefusedError(
            Sentence("at least one reference picture with its state is needed to learn the marbles' colours")
        )
    say(Sentence("looking for markers, fitting lens and pose"))
    names = [empty_name, *(reference.name for reference in references)]
    pictures = [empty, *(reference.picture for reference in references)]
    seen = fit_views(names, pictures, board, lens)
    fit = seen.fit
    views = [
        _View(name, picture, view, pose, board_maps(board, fit.lens, pose))
        for name, picture, view, pose in zip(names, pictures, seen.corners, fit.poses, strict=True)
    ]
    say(Sentence("learning colours"))
    light = light_values(empty, views[0].maps)
    gains = [_gain(view, light) for view in views]
    examples = [
        Example(view.name, view.picture, view.maps, gain, reference.state)
        for view, gain, reference in zip(views[1:], gains[1:], references, strict=True)
    ]
    learnt = learn(
        board,
        fit.lens,
        Example(empty_name, empty, views[0].maps, gains[0], State.empty(board)),
        views[0].pose,
        examples,
    )
    _check_margin(learnt)
    say(Sentence("learning the knob"))
    knob = _knob(views, gains, [reference.state for reference in references])
    doubts = [*learnt.doubts]
    if knob is None:
        doubts.append(
            Sentence("the knob's pointer was not found where the states say it stands: the knob will be unsure")
        )
    doubts += seen.doubts
    calibration = InfinityCalibration(
        board=board,
        lens=fit.lens,
        pose=views[0].pose,
        shrink=fit.shrink,
        appearance=Appearance(
            light,
            learnt.marbles,
            learnt.seats,
            learnt.usual,
            learnt.shift,
            learnt.radius,
            learnt.structure,
            learnt.shade,
            learnt.board_noise,
            knob,
        ),
        opencv=cv2.__version__,
    )
    report = Report(
        fit.error_px,
        learnt.margin,
        learnt.closest,
        {view.name: len(view.corners) for view in views},
        fit.lens.fx,
        fit.lens.dist[0],
        tuple(doubts),
    )
    return calibration, report


def _gain(view: _View, light: LightReference) -> LightGain:
    gain = gain_of(view.picture, view.maps, light)
    if gain is None:
        raise RefusedError(
            Sentence(
                "{picture}: its light cannot be compared with the empty picture's: lock exposure and white balance",
                picture=view.name,
            )
        )
    return gain


def _knob(views: Sequence[_View], gains: Sequence[LightGain], states: Sequence[State]) -> KnobLook | None:
    """How the knob looks, by the pictures whose states tell its stop; it stands at 0 in the first, the empty one."""
    polars = [sample(view.picture, view.maps.knob) * gain.root for view, gain in zip(views, gains, strict=True)]
    known = [(polars[0], 0)]
    for polar, state in zip(polars[1:], states, strict=True):
        if state.knob_stop is not None and state.knob_stop in STOPS and "knob" not in state.hidden:
            known.append((polar, state.knob_stop))
    return learn_knob([polar for polar, _ in known], [stop for _, stop in known])


def _check_margin(learnt: Learnt) -> None:
    if learnt.margin < MIN_MARGIN:
        a, b = (KINDS.get(label, Sentence("an empty seat")) for label in learnt.closest)
        raise RefusedError(
            Sentence(
                "{one} and {other} look too much alike (margin {margin:.2f}, at least {least} is "
                "needed): give the board more or softer light, or lock the exposure brighter",
                one=a,
                other=b,
                margin=learnt.margin,
                least=MIN_MARGIN,
            )
        )
