"""From pictures to one lens and a pose for each: the part of calibrating that is the same for every board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.board import Board
from calibration.camera import MAX_ERROR_PX, SHARP_ERROR_PX, Corners, Fit, Lens, fit_cameras
from calibration.errors import RefusedError
from calibration.markers import find_markers, gray
from calibration.sampling import Picture
from calibration.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Views:
    """Pictures of one camera, fitted together.

    Attributes:
        corners: the markers found in each.
        doubts: sentences for people.
    """

    fit: Fit
    corners: tuple[Corners, ...]
    doubts: tuple[str, ...]


def fit_views(names: Sequence[str], pictures: Sequence[Picture], board: Board, lens: Lens | None = None) -> Views:
    """Find the markers in each picture and fit lens and poses; a lens that is given stays as it is.

    Raises:
        RefusedError: where they do not fit, with what is wrong and what to do.
    """
    _check_sizes(names, pictures, lens)
    corners = tuple(_markers(name, picture, board) for name, picture in zip(names, pictures, strict=True))
    height, width = pictures[0].shape[:2]
    fit = fit_cameras(corners, board, (width, height), lens)
    if fit.error_px > MAX_ERROR_PX:
        check = (
            Sentence(
                "check the lens file, the measures in the board file, and that the markers are stuck "
                "on upright and in order"
            )
            if lens
            else Sentence(
                "check the measures in the board file, and that the markers are stuck on upright and in order"
            )
        )
        raise RefusedError(
            Sentence(
                "the markers lie {px:.1f} px from where the board description has them: {check}",
                px=fit.error_px,
                check=check,
            )
        )
    wanted = len(board.aruco.centres)
    doubts = [
        Sentence("{picture}: only {seen} of {all} markers were found", picture=name, seen=len(view), all=wanted)
        for name, view in zip(names, corners, strict=True)
        if len(view) < wanted
    ]
    if fit.error_px > SHARP_ERROR_PX:
        doubts.append(
            Sentence("the markers are {px:.2f} px off on average: measure the board again or refocus", px=fit.error_px)
        )
    return Views(fit, corners, tuple(doubts))


def _check_sizes(names: Sequence[str], pictures: Sequence[Picture], lens: Lens | None) -> None:
    height, width = pictures[0].shape[:2]
    for name, picture in zip(names, pictures, strict=True):
        if picture.shape[:2] != (height, width):
            raise RefusedError(
                Sentence(
                    "{picture} is {its_width}x{its_height} pixels and {first} is {width}x{height}: "
                    "take all pictures with the same camera settings",
                    picture=name,
                    its_width=picture.shape[1],
                    its_height=picture.shape[0],
                    first=names[0],
                    width=width,
                    height=height,
                )
            )
    if lens and (lens.width, lens.height) != (width, height):
        raise RefusedError(
            Sentence(
                "the lens file is for {its_width}x{its_height} pixels and {picture} has "
                "{width}x{height}: leave --lens out or take the pictures at the lens file's size",
                its_width=lens.width,
                its_height=lens.height,
                picture=names[0],
                width=width,
                height=height,
            )
        )


def _markers(name: str, picture: Picture, board: Board) -> Corners:
    found = find_markers(gray(picture), board)
    wanted = len(board.aruco.centres)
    if not found:
        raise RefusedError(
            Sentence(
                "{picture}: none of the board's {all} markers was found: the whole board must be in "
                "the picture, sharp and lit",
                picture=name,
                all=wanted,
            )
        )
    if len(found) < min(3, wanted):
        raise RefusedError(
            Sentence(
                "{picture}: only {seen} of the board's {all} markers was found: take away what covers the others",
                picture=name,
                seen=len(found),
                all=wanted,
            )
        )
    return found
