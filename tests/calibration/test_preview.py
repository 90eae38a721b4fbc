"""A live picture judged: what is seen, what is missing, and what a person is told to do."""

from __future__ import annotations

import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board import load_board, parse_board
from calibration.camera import project
from calibration.preview import BoardLook, draw, look
from calibration.sampling import Picture
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.lens import looking_at
from hw_sim.camera.presets import PRESETS
from hw_sim.scene import Light, Thing, ThingKind
from tests.hw_sim_camera import finity_stand, stand

INFINITY, FINITY = load_board("infinity"), load_board("finity")


def infinity(light: Light | None = None) -> Picture:
    return stand.camera("slate_window").picture(stand.scene(), light)


def finity() -> Picture:
    return finity_stand.camera("oak_ceiling").picture(finity_stand.scene())


def judged(picture: Picture) -> BoardLook:
    return look(picture, INFINITY)


def seen_from(distance_mm: float, tilt_deg: float = 5, *, aside_mm: float = 0, blur_px: float = 0.6) -> BoardLook:
    """What a camera with the usual lens sees from there."""
    usual = PRESETS["slate_window"]
    own = replace(
        usual,
        pose=looking_at(tilt_deg, -80, 8, distance_mm, (aside_mm, 0)),
        sensor=replace(usual.sensor, blur_px=blur_px),
    )
    return judged(SimCamera(stand.board(), look=own, seed=1).picture(stand.scene()))


def test_a_good_picture_is_ready_and_nothing_is_to_be_done() -> None:
    for seen in (judged(infinity()), look(finity(), FINITY, players=2)):
        assert seen.ready
        assert seen.quality == 1
        assert seen.advice == ()
        assert set(seen.markers) == set(seen.board.aruco.ids)
        assert seen.missing == seen.twice == seen.strange == ()
        assert seen.glare == ()
        assert seen.whole
        assert seen.error_px is not None
        assert seen.error_px < 0.3


def test_pose_and_sizes_are_those_of_the_simulated_camera() -> None:
    camera = stand.camera("slate_window")
    seen = judged(infinity())
    assert seen.pose is not None
    assert seen.lens is not None
    eye = -camera.pose.rotation.T @ camera.pose.translation
    assert seen.pose.eye_mm == pytest.approx(eye, abs=0.02 * float(np.linalg.norm(eye)))
    # the usual focal length is a guess, and the distance with it; the size in the picture is not
    assert seen.piece_px == pytest.approx(33, abs=1)
    assert seen.tilt_deg == pytest.approx(17, abs=2)
    assert seen.blur_px == pytest.approx(0.65, abs=0.15)


def test_a_covered_marker_is_named() -> None:
    x, y = INFINITY.aruco.centres[2]
    over = Thing(ThingKind.CARD, x, y, 1.0, 0.0, (0.3, 0.02, 0.02))
    seen = judged(stand.camera("slate_window").picture(replace(stand.scene(), things=(over,))))
    assert seen.missing == (2,)
    assert seen.ready
    assert any("marker 2 is not seen" in sentence for sentence in seen.advice)


def test_too_few_markers_are_no_board() -> None:
    picture = infinity()
    picture[:, :640] = 90
    seen = judged(picture)
    assert len(seen.missing) >= 2
    assert not seen.ready
    assert "is not seen" in seen.advice[0]


def test_nothing_at_all_is_said_so() -> None:
    seen = judged(np.full((720, 1280, 3), 110, dtype=np.uint8))
    assert not seen.ready
    assert seen.pose is None
    assert "no marker is seen" in seen.advice[0]


def test_the_other_games_mat_is_said_so() -> None:
    seen = judged(finity())
    assert not seen.ready
    assert seen.strange == FINITY.aruco.ids
    assert "not the Infinity board's 0, 1, 2, 3" in seen.advice[0]


def test_a_second_sheet_is_said_so() -> None:
    picture = infinity()
    corners = np.array(judged(picture).markers[0])
    (left, top), (right, bottom) = corners.min(axis=0).astype(int) - 8, corners.max(axis=0).astype(int) + 8
    copy = picture[top:bottom, left:right].copy()
    picture[300 : 300 + len(copy), 40 : 40 + copy.shape[1]] = copy
    seen = judged(picture)
    assert seen.twice == (0,)
    assert not seen.ready
    assert "marker 0 is in the picture twice" in seen.advice[0]


@pytest.mark.parametrize(
    ("exposure", "words", "ready"),
    [
        (0.01, "too dark", False),
        (0.05, "put more light", True),
        (1.4, "a little too bright", True),
        (6.0, "too bright", False),
    ],
)
def test_light_that_is_wrong_is_said_so(exposure: float, words: str, ready: bool) -> None:
    seen = judged(infinity(Light(exposure=exposure)))
    assert words in " ".join(seen.advice)
    assert seen.ready is ready


def test_a_blurred_picture_is_said_so() -> None:
    assert seen_from(470, blur_px=1.2).advice == ()
    seen = seen_from(470, blur_px=2.0)
    assert seen.blur_px == pytest.approx(1.8, abs=0.25)
    assert seen.quality <= 0.5
    assert any("focus the camera" in sentence for sentence in seen.advice)


def test_a_camera_too_far_away_is_called_nearer() -> None:
    near, far = seen_from(520), seen_from(1600)
    assert near.ready
    assert not far.ready
    assert any("nearer" in sentence for sentence in far.advice)


def test_a_board_that_is_cut_off_is_said_so() -> None:
    seen = seen_from(440, aside_mm=62)
    assert not seen.whole
    assert not seen.ready
    assert any("not whole" in sentence for sentence in seen.advice)


def test_a_camera_at_the_side_is_called_above() -> None:
    seen = seen_from(620, tilt_deg=38)
    assert seen.tilt_deg == pytest.approx(38, abs=4)
    assert any("from the side" in sentence for sentence in seen.advice)


def test_a_mirrored_lamp_is_named_by_its_place() -> None:
    picture = infinity()
    seen = judged(picture)
    assert seen.lens is not None
    assert seen.pose is not None
    x, y, z = stand.board().slot_centres()["2.3"]
    px, py = project(np.array([(x, y, z)]), seen.lens, seen.pose)[0]
    cv2.circle(picture, (round(px), round(py)), 14, (255, 255, 255), -1)
    again = judged(picture)
    assert again.glare == ("2.3",)
    assert any("a lamp is mirrored at 2.3" in sentence for sentence in again.advice)


def test_a_board_with_other_measures_is_said_so() -> None:
    data = stand.board().to_json()
    (first, (x, y), *rest) = data["aruco"]["centres"]
    data["aruco"]["centres"] = [first, (x - 3.0, y), *rest]
    seen = look(infinity(), parse_board(data))
    assert any("do not lie where the board file has them" in sentence for sentence in seen.advice)


def test_sentences_remember_their_pattern() -> None:
    seen = judged(np.full((720, 1280, 3), 2, dtype=np.uint8))
    assert seen.advice[0].pattern == str(seen.advice[0])
    named = look(finity(), INFINITY).advice[0]
    assert named == named.pattern.format_map(named.values)
    assert "{" in named.pattern


def test_markers_and_places_are_drawn_where_they_are() -> None:
    picture = infinity()
    before = picture.copy()
    seen = judged(picture)
    drawn = cv2.imdecode(np.frombuffer(draw(picture, seen), dtype=np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert (picture == before).all()
    changed = np.abs(drawn.astype(int) - picture).max(axis=2) > 60
    for corners in seen.markers.values():
        for x, y in corners:
            assert changed[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].any()
    assert changed.mean() < 0.1


def test_a_picture_without_a_board_is_drawn_as_it_is() -> None:
    grey = np.full((720, 1280, 3), 110, dtype=np.uint8)
    drawn = cv2.imdecode(np.frombuffer(draw(grey, judged(grey)), dtype=np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert np.abs(drawn.astype(int) - grey).max() < 8


def test_looking_keeps_up_with_a_camera() -> None:
    picture = infinity()
    judged(picture)
    times = []
    for _ in range(5):
        began = time.process_time()
        judged(picture)
        times.append(time.process_time() - began)
    assert min(times) < 0.04
