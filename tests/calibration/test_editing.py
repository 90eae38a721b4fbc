"""The board editor: a template dragged over a picture becomes the board that the picture shows."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.board import load_board, parse_board
from calibration.camera import Floats, Lens, Pose, project
from calibration.editing import Editing, begin, edit, moved_to_mm
from calibration.errors import BoardError, CalibrationError
from calibration.finity.board import FinityBoard
from calibration.infinity.board import InfinityBoard, parse_infinity_board
from calibration.measuring import measure_markers
from calibration.outlines import template_corners
from calibration.sampling import Picture
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.presets import PRESETS
from tests.hw_sim_camera import finity_stand, stand

LOOK = PRESETS["slate_window"]
LENS = Lens(1280, 720, 1190, 1190, 639.5, 359.5)
POSE = Pose((2.9, 0.15, -0.1), (8.0, -12.0, 470.0))


def other_copy() -> InfinityBoard:
    """A copy a little larger, its knob and its markers elsewhere."""
    data = stand.board().to_json()
    data["channels"] |= {"pitch": 27.0}
    data["slots"] |= {"pitch": 22.6, "first_y": 18.5}
    data["knob"] |= {"cx": 1.5, "cy": -46.0}
    data["groove"] |= {"cx": 1.5, "cy": -46.0, "r": 62.5}
    data["aruco"]["centres"] = [(-70.0, 101.0), (68.0, 105.0), (69.5, -103.0), (-68.0, -105.5)]
    return parse_infinity_board(data)


def picture_of(board: InfinityBoard) -> tuple[Picture, SimCamera]:
    camera = SimCamera(board, look=LOOK, seed=1)
    return camera.picture(stand.scene()), camera


def shown(camera: SimCamera, *points_mm: tuple[float, float, float]) -> list[list[float]]:
    """Where the simulated camera really has points of its board."""
    view = camera.stage(stand.scene()).view
    px: list[list[float]] = view.project(np.array(points_mm)).tolist()
    return px


@cache
def infinity() -> Editing:
    return begin(stand.camera("slate_window").picture(stand.scene()), stand.board())


@cache
def finity(players: int = 2) -> Editing:
    return begin(
        finity_stand.camera("oak_ceiling").picture(finity_stand.scene()), finity_stand.board(), players=players
    )


def fault(editing: Editing, **arguments: Any) -> str:
    before = editing.board
    with pytest.raises(BoardError) as told:
        edit(editing, arguments)
    assert editing.board == before
    return "; ".join(told.value.faults)


def test_a_page_gets_all_that_it_draws() -> None:
    for editing, kinds in (
        (infinity(), {"board", "channel", "slot", "well", "knob", "marker", "patch"}),
        (finity(), {"board", "station", "seat", "bridge", "tower", "marker", "patch"}),
    ):
        data = json.loads(json.dumps(editing.to_json()))
        assert data["game"] == data["source"] == editing.board.game
        assert data["size"] == [1280, 720]
        assert {line["kind"] for line in data["outlines"]} == kinds
        assert len(data["corners"]) == 4
        assert all(0 <= x <= 1280 and 0 <= y <= 720 for x, y in data["corners"])
        assert data["markers"] == {"seen": list(editing.board.aruco.ids), "missing": []}
        assert data["error_px"] < 0.3
        assert data["advice"] == []
        assert data["undo"] == 0
        assert data["saved"] is None
        assert parse_board(data["board"]) == editing.board
        assert {handle["kind"] for handle in data["handles"]} == {"place", "print"}


def test_finitys_stations_are_those_of_the_players() -> None:
    for players in (2, 3):
        lines = finity(players).to_json()["outlines"]
        named = {line["place"] for line in lines if line["kind"] == "station"}
        assert named == set(finity_stand.board().stations(players))


def test_outlines_lie_where_the_camera_sees_the_places() -> None:
    picture, camera = picture_of(stand.board())
    data = begin(picture, stand.board()).to_json()
    lines = {line["place"]: np.array(line["points"]) for line in data["outlines"]}
    for place in ("1.1", "4.4", "2.3"):
        (middle,) = shown(camera, stand.board().slot_centres()[place])
        assert lines[place].mean(axis=0) == pytest.approx(middle, abs=0.7)


def test_another_copy_is_measured_by_dragging_its_template() -> None:
    true = other_copy()
    picture, camera = picture_of(true)
    editing = begin(picture, stand.board())
    assert editing.error_px is not None
    assert editing.error_px > 0.6
    assert "measure them from the picture" in editing.advice[0]
    editing = edit(editing, {"do": "measure_markers"})
    assert editing.error_px is not None
    assert editing.error_px < 0.4
    editing = edit(editing, {"do": "corners", "corners": shown(camera, *template_corners(true))})
    board = editing.board
    assert isinstance(board, InfinityBoard)
    assert board.aruco.centres == pytest.approx(np.array(true.aruco.centres), abs=0.5)
    slots, knob = true.slot_centres(), (true.knob.cx, true.knob.cy, true.knob.pointer_z)
    for place, at in (("1.1", slots["1.1"]), ("4.4", slots["4.4"]), ("knob", knob)):
        (to,) = shown(camera, at)
        editing = edit(editing, {"do": "move", "place": place, "to": to})
    for place, angle_deg in (("well", 270.0), ("well_size", 0.0)):
        (to,) = shown(camera, true.groove_point(angle_deg))
        editing = edit(editing, {"do": "move", "place": place, "to": to})
    board = editing.board
    assert isinstance(board, InfinityBoard)
    for place, (x, y, _) in true.slot_centres().items():
        assert board.slot_centres()[place][:2] == pytest.approx((x, y), abs=0.6)
    assert (board.knob.cx, board.knob.cy) == pytest.approx((1.5, -46.0), abs=0.6)
    assert (board.groove.cx, board.groove.cy, board.groove.r) == pytest.approx((1.5, -46.0, 62.5), abs=1.0)


def test_corners_dragged_where_they_are_change_nothing() -> None:
    for editing in (infinity(), finity()):
        same = edit(editing, {"do": "corners", "corners": editing.to_json()["corners"]})
        assert np.array(template_corners(same.board)) == pytest.approx(
            np.array(template_corners(editing.board)), abs=0.1
        )
        assert np.array(same.board.aruco.centres) == pytest.approx(np.array(editing.board.aruco.centres), abs=0.1)


def test_corners_take_the_game_along_and_leave_the_print_where_it_is() -> None:
    for editing in (infinity(), finity()):
        markers = {line["place"]: line["points"] for line in editing.to_json()["outlines"] if line["kind"] == "marker"}
        corners = np.array(editing.to_json()["corners"])
        middle = corners.mean(axis=0)
        turn = np.radians(3)
        turned = (corners - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        to = middle + 1.04 * turned + (6, -4)
        moved = edit(editing, {"do": "corners", "corners": to.tolist()})
        data = moved.to_json()
        if editing.board.game == "infinity":
            # Finity's corners are the rectangle around tiles, which stays upright
            assert np.array(data["corners"]) == pytest.approx(to, abs=1.5)
        for line in data["outlines"]:
            if line["kind"] == "marker":
                assert np.array(line["points"]) == pytest.approx(np.array(markers[line["place"]]), abs=0.7)
        assert parse_board(json.loads(json.dumps(data["board"]))) == moved.board


def test_finitys_tiles_go_where_they_are_dragged() -> None:
    editing = finity()
    at = {handle["place"]: (handle["x"], handle["y"]) for handle in editing.to_json()["handles"]}
    x, y = at["NE"]
    moved = edit(editing, {"do": "move", "place": "NE", "to": [x + 5, y - 3]})
    board, plain = moved.board, editing.board
    assert isinstance(board, FinityBoard)
    assert isinstance(plain, FinityBoard)
    shift = np.array(board.station_centres["NE"]) - plain.station_centres["NE"]
    assert shift == pytest.approx((5 / 1.68, 3 / 1.68), abs=0.4)
    assert set(board.map.shifts_mm) == {"NE"}
    assert {**board.station_centres, "NE": None} == {**plain.station_centres, "NE": None}
    assert "NE and E overlap" in fault(editing, do="move", place="NE", to=[x + 90, y])


def test_numbers_do_the_same_as_dragging() -> None:
    editing = edit(infinity(), {"do": "shape", "scale": 1.02, "shift_mm": [1, -2], "turn_deg": 0.5})
    board, plain = editing.board, stand.board()
    assert isinstance(board, InfinityBoard)
    assert board.channels.pitch == pytest.approx(26 * 1.02)
    assert board.marble.d == pytest.approx(16 * 1.02)
    assert board.aruco.size == plain.aruco.size
    assert board.aruco.turns_deg == pytest.approx((-0.5,) * 4)
    back = edit(editing, {"do": "undo"})
    assert back.board == plain
    wider = edit(infinity(), {"do": "shape", "scale_x": 1.1}).board
    assert isinstance(wider, InfinityBoard)
    assert (wider.channels.pitch, wider.slots.pitch) == pytest.approx((26 * 1.1, 22))
    small = edit(finity(), {"do": "shape", "scale": 0.9}).board
    assert isinstance(small, FinityBoard)
    assert small.hex_side == pytest.approx(45)
    assert small.post.top_z == pytest.approx(31 * 0.9)
    assert small.map.shifts_mm == {}
    turned = edit(finity(), {"do": "shape", "turn_deg": 2.0}).board
    assert isinstance(turned, FinityBoard)
    x, y = finity_stand.board().station_centres["E"]
    assert np.hypot(*turned.station_centres["E"]) == pytest.approx(np.hypot(x, y), abs=0.01)


def test_places_can_be_told_in_millimetres() -> None:
    board = moved_to_mm(infinity(), "knob", 2.0, -45.0).board
    assert isinstance(board, InfinityBoard)
    assert (board.knob.cx, board.knob.cy) == (2.0, -45.0)
    with pytest.raises(BoardError, match="there is no place 'dial'"):
        moved_to_mm(infinity(), "dial", 0, 0)


def test_patches_can_be_dragged_alone() -> None:
    editing = infinity()
    at = next(handle for handle in editing.to_json()["handles"] if handle["place"] == "patches")
    board = edit(editing, {"do": "move", "place": "patches", "to": [at["x"], at["y"] + 9]}).board
    assert isinstance(board, InfinityBoard)
    assert board.grey_strip.cy == pytest.approx(113.3 - 9 / 2.3, abs=1)
    assert board.grey_strip.centres[0][1] == pytest.approx(board.grey_strip.cy)
    up = edit(finity(), {"do": "move", "place": "patches", "to": [640, 60]}).board
    assert isinstance(up, FinityBoard)
    assert up.patches.y != 190


def test_without_markers_the_template_is_laid_by_eye() -> None:
    grey = np.full((720, 1280, 3), 90, dtype=np.uint8)
    for board in (stand.board(), finity_stand.board()):
        editing = begin(grey, board)
        assert editing.error_px is None
        assert "drag the corners by eye" in editing.advice[0]
        corners = np.array(editing.to_json()["corners"])
        assert corners.min() > 0
        (left, top), (right, bottom) = corners[0], corners[2]
        assert left < right
        assert top < bottom
        to = project(np.array(template_corners(board)), LENS, Pose(POSE.rvec, (8.0, -12.0, 900.0)))
        moved = edit(editing, {"do": "corners", "corners": to.tolist()})
        assert moved.board == board
        assert np.array(moved.to_json()["corners"]) == pytest.approx(to, abs=2)
        back = edit(moved, {"do": "undo"})
        assert np.array(back.to_json()["corners"]) == pytest.approx(corners)
        with pytest.raises(BoardError, match="0 markers are in sight"):
            edit(editing, {"do": "measure_markers"})


def test_without_a_picture_there_is_a_drawing() -> None:
    editing = begin(None, load_board("finity"), size=(800, 600))
    data = editing.to_json()
    assert data["size"] == [800, 600]
    points = np.array(data["corners"])
    assert points.min() > 0
    assert (points.max(axis=0) < (800, 600)).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"do": "fly"}, "do must be one of corners"),
        ({}, "do must be one of"),
        ({"do": ["corners"]}, "do must be one of"),
        ({"do": "corners"}, "corners must be four points"),
        ({"do": "corners", "corners": [[0, 0]]}, "corners must be four points"),
        ({"do": "corners", "corners": [[0, 0], [1, 1], [2, "x"], [3, 3]]}, "corners must be four points"),
        ({"do": "corners", "corners": [[0, 0], [1e999, 1], [2, 2], [3, 3]]}, "corners must be four points"),
        ({"do": "corners", "corners": [[900, 100], [400, 100], [400, 600], [900, 600]]}, "the corners are crossed"),
        ({"do": "corners", "corners": [[600, 300], [603, 300], [603, 304], [600, 304]]}, "scale_x must be from 0.2"),
        ({"do": "move", "place": "dial", "to": [1, 1]}, "there is no place 'dial'"),
        ({"do": "move", "place": ["knob"], "to": [1, 1]}, "there is no place"),
        ({"do": "move", "place": "knob"}, "to must be a point"),
        ({"do": "move", "place": "knob", "to": "12"}, "to must be a point"),
        ({"do": "move", "place": "4.4", "to": [640, 300]}, "slots.pitch must be above 0"),
        ({"do": "set", "what": "channels.pich", "value": 3}, "there is no number 'channels.pich'"),
        ({"do": "set", "what": "game", "value": "finity"}, "there is no number 'game'"),
        ({"do": "set", "value": 3}, "there is no number"),
        ({"do": "set", "what": "slots.pitch", "value": 3}, "marbles would overlap"),
        ({"do": "set", "what": "slots.pitch", "value": "wide"}, "slots.pitch must be a number"),
        ({"do": "shape", "scale": 0}, "scale_x must be from"),
        ({"do": "shape", "scale": "big"}, "scale must be a number"),
        ({"do": "shape", "scale": True}, "scale must be a number"),
        ({"do": "shape", "turn_deg": 400}, "turn_deg must be from"),
        ({"do": "shape", "shift_mm": 3}, "shift_mm must be two numbers"),
        ({"do": "shape", "size": 3}, "size: shape takes"),
        ({"do": "undo"}, "there is nothing to take back"),
        ({"do": "save"}, "path must name a file"),
        ({"do": "save", "path": "  "}, "path must name a file"),
    ],
)
def test_an_edit_that_cannot_be_says_why(arguments: dict[str, Any], words: str) -> None:
    assert words in fault(infinity(), **arguments)


def test_all_faults_of_an_edit_are_named() -> None:
    told = fault(infinity(), do="shape", scale_x=9, scale_y=-1, turn_deg=999)
    assert all(word in told for word in ("scale_x", "scale_y", "turn_deg"))


def test_a_saved_board_is_the_edited_one(tmp_path: Path) -> None:
    editing = edit(infinity(), {"do": "set", "what": "channels.pitch", "value": 26.5})
    assert editing.to_json()["undo"] == 1
    at = tmp_path / "mine.json"
    saved = edit(editing, {"do": "save", "path": str(at)})
    assert saved.to_json()["saved"] == str(at)
    assert load_board(at) == editing.board
    assert edit(saved, {"do": "undo"}).saved is None
    before = at.read_bytes()
    with pytest.raises(CalibrationError, match="cannot be written"):
        edit(editing, {"do": "save", "path": str(tmp_path / "nowhere" / "mine.json")})
    assert at.read_bytes() == before
    assert list(tmp_path.iterdir()) == [at]


def test_an_edit_that_changes_nothing_is_not_remembered() -> None:
    editing = infinity()
    assert edit(editing, {"do": "set", "what": "channels.pitch", "value": 26}) is editing


def distances(at: Floats) -> Floats:
    apart: Floats = np.linalg.norm(at[:, None] - at[None], axis=-1)
    return apart


@pytest.mark.parametrize("seed", range(4))
def test_markers_stuck_on_by_hand_are_measured(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = stand.board().aruco
    true = replace(
        known,
        centres=tuple(
            (x + float(dx), y + float(dy))
            for (x, y), (dx, dy) in zip(known.centres, rng.uniform(-8, 8, (4, 2)), strict=True)
        ),
        turns_deg=tuple(rng.uniform(-6, 6, 4).tolist()),
    )
    seen = {
        marker: project(np.array(corners), LENS, POSE) + rng.normal(0, 0.08, (4, 2))
        for marker, corners in true.corners(0.985).items()
    }
    for lens in (LENS, None):
        measured = measure_markers(seen, known, (1280, 720), lens)
        assert measured.error_px < 0.2
        found, wanted = np.array(measured.markers.centres), np.array(true.centres)
        # how they lie to each other is what counts; the frame is the board file's, as near as can be
        assert distances(found) == pytest.approx(distances(wanted), abs=0.8 if lens else 1.5)
        turns = np.array(measured.markers.turns_deg) - true.turns_deg
        assert turns - turns.mean() == pytest.approx(np.zeros(4), abs=0.4)
        # and a frame that fits them is seen where it is
        again = project(np.array(measured.markers.corners(0.985)[2]), measured.lens, measured.pose)
        assert again == pytest.approx(seen[2], abs=0.5)


def test_squares_of_another_size_are_refused() -> None:
    known = stand.board().aruco
    seen = {marker: project(np.array(corners), LENS, POSE) for marker, corners in known.corners().items()}
    seen[1] = seen[1].mean(axis=0) + 0.8 * (seen[1] - seen[1].mean(axis=0))
    with pytest.raises(BoardError, match="printed at 100 %"):
        measure_markers(seen, known, (1280, 720), LENS)
