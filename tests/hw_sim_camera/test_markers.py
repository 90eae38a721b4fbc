"""The drawn markers are real ones, and they are where lens and pose put them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from hw_sim.camera import PRESETS, Look, SimCamera, random_look
from hw_sim.camera.lens import Doubles
from hw_sim.camera.presets import is_whole
from hw_sim.scene import Scene
from tests.hw_sim_camera.stand import board, camera, fresh_camera, scene

FOUND_WITHIN_PX = 0.5
INWARDS_PX = 0.85
"""Blur and the gamma curve move the edges of a black square on white paper inwards, and its corners by 1.4 times that;
more in the blurred picture of a camera in the dusk."""


def corners_in(picture: npt.NDArray[np.uint8]) -> dict[int, Doubles]:
    """Corners of the markers that OpenCV finds, by id."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    found, ids, _ = cv2.aruco.ArucoDetector(family, parameters).detectMarkers(picture)
    return {int(i): np.asarray(c[0], np.float64) for i, c in zip(np.ravel(ids) if found else (), found, strict=True)}


def errors_px(sim: SimCamera, seen: Scene) -> tuple[Doubles, float]:
    """How far the sixteen corners are from where geometry has them, but for what blur moves all of them inwards.

    Returns:
        Distances (16,) that remain, and how far the corners have moved inwards.
    """
    found = corners_in(sim.picture(seen))
    assert sorted(found) == [0, 1, 2, 3]
    view = sim.stage(seen).view
    offsets, inwards = [], []
    for marker, corners in board().aruco.corners().items():
        expected = view.project(np.array(corners))
        to_middle = expected.mean(axis=0) - expected
        inwards.append(to_middle / np.linalg.norm(to_middle, axis=1)[:, None])
        offsets.append(found[marker] - expected)
    offset, inward = np.concatenate(offsets), np.concatenate(inwards)
    common = float((offset * inward).sum(axis=1).mean())
    return np.linalg.norm(offset - common * inward, axis=1), common


def looks() -> list[Look]:
    return [*PRESETS.values(), random_look(1, board()), random_look(2, board())]


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_four_markers_are_found_where_they_are(look: Look) -> None:
    errors, inwards = errors_px(SimCamera(board(), look=look, seed=3), scene())
    assert errors.mean() < FOUND_WITHIN_PX
    # In the dusk single corners move with the noise.
    assert errors.max() < FOUND_WITHIN_PX * max(1.0, look.sensor.noise * 0.6)
    assert 0 < inwards < INWARDS_PX


def test_a_bumped_board_is_where_the_bump_puts_it() -> None:
    sim = fresh_camera("white_felt")
    before = corners_in(sim.picture(scene()))
    bumped = replace(scene(), bump_mm=(6.0, -4.0), bump_deg=2.5)
    assert errors_px(sim, bumped)[0].max() < FOUND_WITHIN_PX
    moved = np.linalg.norm(corners_in(sim.picture(bumped))[0] - before[0], axis=1)
    assert moved.min() > 5


def test_without_the_board_there_are_no_markers() -> None:
    assert corners_in(camera("white_felt").picture(replace(scene(), board_present=False))) == {}


def test_random_looks_differ_and_show_the_whole_board() -> None:
    drawn = [random_look(seed, board()) for seed in range(40)]
    assert all(is_whole(board(), look.lens, look.pose) for look in drawn)
    assert len({look.pose for look in drawn}) == 40
    assert random_look(7, board()) == random_look(7, board())
    assert len({look.board.rgb for look in drawn}) > 30
