"""Board files: the built-in one, and every fault of a user's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calibration.board import load_board, parse_board
from calibration.errors import BoardError
from calibration.infinity.board import SECTIONS, reference_board
from tests.shared_material import shared


def built_in() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(reference_board().to_json()))
    return data


def test_the_pictures_own_board_file_is_the_built_in_board() -> None:
    assert load_board(shared("images", "infinity", "board.json")) == reference_board()


def test_what_is_written_is_read_again() -> None:
    board = reference_board()
    assert parse_board(built_in()) == board
    assert parse_board(built_in()).digest == board.digest


def test_slots_are_named_from_the_left_and_the_entry_end() -> None:
    centres = reference_board().slot_centres()
    assert list(centres)[:5] == ["1.1", "1.2", "1.3", "1.4", "2.1"]
    assert centres["1.1"] == (-39.0, 20.0, 2.0)
    assert centres["4.4"] == (39.0, 86.0, 2.0)


def test_the_well_fills_from_its_lowest_point_and_holds_a_whole_set() -> None:
    board = reference_board()
    assert board.well_centres(1)[0][:2] == pytest.approx((0.0, -108.0))
    left, right = board.well_centres(2)
    assert left[0] == pytest.approx(-right[0])
    assert board.well_capacity() >= 18


@pytest.mark.parametrize("section", sorted(SECTIONS))
def test_a_missing_section_is_named(section: str) -> None:
    data = built_in()
    del data[section]
    with pytest.raises(BoardError, match=f"{section} is missing"):
        parse_board(data)


@pytest.mark.parametrize(
    ("section", "key", "value", "fault"),
    [
        ("slots", "pitch", -1, "slots.pitch must be above 0"),
        ("slots", "pitch", 10, "the marbles would overlap"),
        ("slots", "pich", 22, "slots.pich is not known"),
        ("slots", "count", 2.5, "slots.count must be a whole number"),
        ("marble", "d", "16", "marble.d must be a number"),
        ("marble", "d", True, "marble.d must be a number"),
        ("marble", "d", float("nan"), "marble.d must be a number"),
        ("aruco", "dict", "DICT_4X4_50", "aruco.dict must be DICT_APRILTAG_36h11"),
        ("aruco", "centres", [[0, 0]], "aruco.centres must be a list of at least 2"),
        ("aruco", "centres", [[0, 0], [5, 0]], "overlaps another marker"),
        ("aruco", "centres", [[0, 0], [500, 0]], "outside the board"),
        ("aruco", "centres", [[0, 0], [1, 2, 3]], "must be a pair"),
        ("aruco", "turns_deg", [1.0, 0.0], "one turn for each"),
        ("aruco", "turns_deg", [1.0, "a", 0, 0], "must be a number"),
        ("grey_strip", "reflectance_linear", [0.1, 1.4], "must be at most 1"),
        ("grey_strip", "reflectance_linear", [0.1, 0.4], "one reflectance for each"),
        ("groove", "end_deg", 100, "groove.end_deg must be greater"),
        ("channels", "end_y", 0, "channels.end_y must be greater"),
    ],
)
def test_a_wrong_value_is_named(section: str, key: str, value: object, fault: str) -> None:
    data = built_in()
    data[section][key] = value
    with pytest.raises(BoardError, match=fault.replace(".", r"\.")):
        parse_board(data, "my.json")


def test_all_faults_are_told_at_once() -> None:
    data = built_in()
    data["knob"]["r"] = 0
    data["marble"]["d"] = None
    data["colour"] = "green"
    data["units"] = "inch"
    with pytest.raises(BoardError) as told:
        parse_board(data, "my.json")
    assert len(told.value.faults) == 4
    assert str(told.value).startswith("board file my.json: ")


def test_a_file_that_is_no_board_is_said_so(tmp_path: Path) -> None:
    text = tmp_path / "board.json"
    text.write_text("not json", encoding="utf-8")
    with pytest.raises(BoardError, match="is no JSON"):
        load_board(text)
    text.write_text("[]", encoding="utf-8")
    with pytest.raises(BoardError, match="one JSON object"):
        load_board(text)
    with pytest.raises(BoardError, match="no such file, and no built-in board"):
        load_board("chess")


def test_markers_stuck_on_askew_are_kept_so() -> None:
    data = built_in()
    assert "turns_deg" not in data["aruco"]
    data["aruco"]["turns_deg"] = [0.0, 90.0, 0.0, 0.0]
    board = parse_board(data)
    assert parse_board(json.loads(json.dumps(board.to_json()))) == board
    assert board.digest != reference_board().digest
    straight = reference_board().aruco.corners()
    turned = board.aruco.corners()
    assert turned[0] == straight[0]
    # a quarter counter-clockwise: what was its top right corner is now top left
    assert turned[1][1] == pytest.approx(straight[1][0])
