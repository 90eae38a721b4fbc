"""What is wrong with a picture of a board, how much it matters, and what to do about it.

Each fault is one line of a table: when it is there, how much of the quality it leaves (nothing, where a calibration
would misread), and the sentence that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from calibration.camera import MAX_ERROR_PX, SHARP_ERROR_PX
from calibration.sentences import Sentence

if TYPE_CHECKING:
    from calibration.preview import BoardLook

Fault = tuple[float, Sentence]
"""What is left of the quality, and what to do."""

LEAST_MARKERS = 3
"""Fewer do not tell a lens; `calibration.views` refuses them."""
BLUR_PX = (1.5, 2.2)
"""On simulated tables positions are still read at 1.5; at 1.7 the first markers are lost."""
PIECE_PX = (16.0, 12.0)
"""On simulated tables marbles of 14 px and bridges of 16 px are read; then markers get too small to be found."""
TILT_DEG = (30.0, 45.0)
"""Seen so much aslant, pieces hide what stands behind them; pictures that are read well are within 22 degrees."""
CLIPPED = (0.1, 0.3)
"""Share of the board cut off at white: white paper, patches and pieces are no brighter than code 240 in a good
exposure."""
DARK = (96, 40)
"""Code of the brightest thing, the brightest patch where it is in sight: below, the noise of a dim picture is as large
as what tells black pieces from dark tiles."""
GREYS = (240, 226, 13)
"""Code from which the brightest patch tells less and less; and those between which patches tell the light (`STRAIGHT`
and `DARK` of `calibration.light`)."""
LEAST_GREYS = 2
MOST_NAMED = 4


def faults(seen: BoardLook) -> list[Fault]:
    """All that could be better, the worst first; those that matter alike in the order of what to do first."""
    found = [fault for check in _CHECKS for fault in check(seen)]
    return sorted(found, key=lambda fault: fault[0])


def _light(seen: BoardLook) -> Iterator[Fault]:
    brightest = max(seen.greys, default=seen.bright)
    if brightest < DARK[1]:
        yield 0.0, Sentence("the picture is too dark: put more light on the board, or take the cover off the lens")
    elif brightest < DARK[0]:
        yield 0.5, Sentence("the picture is dark: put more light on the board")
    telling = [code for code in seen.greys if GREYS[2] <= code <= GREYS[1]]
    if seen.clipped > CLIPPED[1] or (seen.greys and brightest > GREYS[1] and len(telling) < LEAST_GREYS):
        yield 0.0, Sentence("the picture is too bright: lower the exposure, or turn the lamp down or away")
    elif seen.clipped > CLIPPED[0] or (seen.greys and brightest > GREYS[0]):
        yield 0.7, Sentence("the picture is a little too bright: lower the exposure a little, or soften the light")
    if seen.glare:
        named = ", ".join(seen.glare[:MOST_NAMED])
        yield 0.7, Sentence("a lamp is mirrored at {places}: turn the lamp away or move it", places=named)


def _markers(seen: BoardLook) -> Iterator[Fault]:
    wanted = len(seen.board.aruco.ids)
    names = ", ".join(map(str, seen.missing))
    if seen.twice:
        twice = ", ".join(map(str, seen.twice))
        yield 0.0, Sentence("marker {ids} is in the picture twice: take the second sheet or the mirror away", ids=twice)
    if not seen.markers and seen.strange:
        yield (
            0.0,
            Sentence(
                "these are markers {ids}, not the {game} board's {wanted}: choose the other game, or lay its own mat",
                ids=", ".join(map(str, seen.strange[:MOST_NAMED])),
                game=seen.board.game.capitalize(),
                wanted=", ".join(map(str, seen.board.aruco.ids)),
            ),
        )
    elif not seen.markers:
        yield (
            0.0,
            Sentence(
                "no marker is seen: lay the printed mat or stick the markers on, and point the camera at all of the "
                "board, near and sharp"
            ),
        )
    elif seen.missing and not seen.twice:
        left = 0.0 if len(seen.markers) < min(LEAST_MARKERS, wanted) else 0.6
        yield left, Sentence("marker {ids} is not seen: uncover it, light it, or turn the camera to it", ids=names)


def _place(seen: BoardLook) -> Iterator[Fault]:
    if seen.pose is not None and not seen.whole:
        yield 0.0, Sentence("the board is not whole in the picture: move the camera back, or turn it to the board")
    if seen.piece_px is not None and seen.piece_px < PIECE_PX[0]:
        left = 0.0 if seen.piece_px < PIECE_PX[1] else 0.6
        yield left, Sentence("the board is small in the picture: move the camera nearer, or choose a larger picture")
    if seen.tilt_deg is not None and seen.tilt_deg > TILT_DEG[0]:
        left = 0.3 if seen.tilt_deg > TILT_DEG[1] else 0.7
        yield left, Sentence("the camera looks from the side: put it more above the middle of the board")
    if seen.error_px is not None and seen.error_px > SHARP_ERROR_PX:
        yield (
            0.0 if seen.error_px > MAX_ERROR_PX else 0.6,
            Sentence(
                "the markers do not lie where the board file has them ({px:.1f} px off): see that the mat lies flat "
                "and the markers are upright and in order, or measure them in the board editor",
                px=round(seen.error_px, 1),
            ),
        )


def _sharpness(seen: BoardLook) -> Iterator[Fault]:
    if seen.blur_px is None or seen.blur_px <= BLUR_PX[0]:
        return
    left = 0.0 if seen.blur_px > BLUR_PX[1] else 0.5
    yield left, Sentence("the picture is not sharp: focus the camera, clean its lens, and see that it stands still")


_CHECKS: tuple[Callable[[BoardLook], Iterator[Fault]], ...] = (_light, _markers, _place, _sharpness)
