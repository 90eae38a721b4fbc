"""Finity's board file: the built-in one, its agreement with the rules, and every fault of a user's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calibration.board import load_board, parse_board
from calibration.errors import BoardError, CalibrationError
from calibration.finity.board import PLAYER_COUNTS, SECTIONS, FinityBoard, reference_board
from calibration.finity.states import parse_state
from companion.games.finity.board import builtin_board
from companion.games.registry import game_named
from tests.shared_material import shared


def built_in() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(reference_board().to_json()))
    return data


def test_the_pictures_own_board_file_is_the_built_in_board() -> None:
    assert load_board(shared("images", "finity", "board.json")) == reference_board()


def test_what_is_written_is_read_again() -> None:
    again = parse_board(built_in())
    assert isinstance(again, FinityBoard)
    assert again == reference_board()
    assert again.digest == reference_board().digest


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_places_and_labels_are_those_of_the_rules(players: int) -> None:
    board = reference_board()
    game = game_named("finity", {}, {"players": players, "pattern": "bwbbwbww"})
    assert tuple(game.sight(game.start())) == board.places(players)
    bridges = {label for slot in board.slot_places(players) for label in slot.labels}
    assert {f"b {station}" for station in board.stations(players)} <= bridges


def test_the_map_is_that_of_the_rules() -> None:
    rules = builtin_board()
    board = reference_board()
    assert set(board.map.stations) == set(rules.stations)
    assert {frozenset(pair) for pair in board.map.pairs} == {frozenset(pair) for pair in rules.pairs}


def test_left_is_left_as_seen_from_the_tail() -> None:
    board = reference_board()
    left, forward = board.slot_named("C>N L")
    same, backward = board.slot_named("N>C R")
    assert (left, forward, backward) == (same, True, False)
    assert left.x_mm == pytest.approx(-16)
    assert left.y_mm == pytest.approx(43.30, abs=0.01)


@pytest.mark.parametrize("section", sorted(SECTIONS))
def test_a_missing_section_is_named(section: str) -> None:
    data = built_in()
    del data[section]
    with pytest.raises(BoardError, match=f"{section} is missing"):
        parse_board(data)


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("hex_side",), 0, "hex_side must be above 0"),
        (("rings", "radii_sides", "M"), [0.1, 0.3], "S and M overlap"),
        (("rings", "radii_sides", "M"), [0.3, 0.1], "smaller, larger"),
        (("rings", "seat_z"), {"S": 1}, "must be an object with S, M, L"),
        (("tower", "cone_height"), [20, 10], "smaller, larger"),
        (("tower", "cones"), 8.5, "tower.cones must be a whole number"),
        (("post", "top_z"), 5, "post.top_z must be above post.hub_z"),
        (("markers", "centres"), {"4": [0, 0]}, "at least two markers"),
        (("markers", "centres"), {"4": [900, 0], "5": [0, 0]}, "markers.centres 4 lies outside the mat"),
        (("patches", "order"), ["grey1", "grey2"], "one reflectance for each"),
        (("map", "pairs"), [["C", "XX"]], "there is no station XX"),
        (("map", "layouts"), {"2": ["C"]}, "map.layouts must be for 2, 3, 4 players"),
        (("map",), {"centre": "C"}, "map must have"),
        (("bridge", "lenght"), 3, "bridge.lenght is not known"),
    ],
)
def test_a_fault_is_named(path: tuple[str, ...], value: object, fault: str) -> None:
    data = built_in()
    section: Any = data
    for key in path[:-1]:
        section = section[key]
    section[path[-1]] = value
    with pytest.raises(BoardError, match=fault):
        parse_board(data)


def test_a_measured_cone_height_has_no_doubt() -> None:
    data = built_in()
    data["tower"]["cone_height"] = 14
    board = parse_board(data)
    assert isinstance(board, FinityBoard)
    assert board.tower.cone_height == (14, 14)


STATE: dict[str, Any] = {
    "players": 2,
    "bridges": ["b NE>N R"],
    "rings": {"NE": {"S": "A"}},
    "posts": {"A": "N", "B": "S"},
    "blockers": {"A": ["N>C L"]},
    "hidden": ["N>NE L"],
}


def test_a_state_names_every_place() -> None:
    state = parse_state(STATE, reference_board())
    assert set(state.labels) == set(reference_board().places(2))
    there = {place: label for place, label in state.labels.items() if label != "."}
    assert there == {"N>NE L": "b NE", "NE.S": "A", "N.P": "A", "S.P": "B", "C>N R": "blocker A"}
    assert state.hidden == {"N>NE L"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": 5}, "needs players"),
        ({"bridges": ["b N>XX M"]}, "there is no such slot"),
        ({"bridges": ["g N>NE M"]}, "a bridge is b or w"),
        ({"bridges": ["b NE>N R", "w N>NE L"]}, "two pieces"),
        ({"rings": {"NE": {"XL": "A"}}}, "no such place"),
        ({"rings": {"NE": {"S": "C"}}}, "there is no player C"),
        ({"posts": {"A": "FNW"}}, "no such place for 2 players"),
        ({"blockers": []}, '"blockers" must be an object'),
        ({"hidden": "N"}, '"hidden" must be a list'),
    ],
)
def test_a_wrong_state_is_told(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(CalibrationError, match=fault):
        parse_state({**STATE, **change}, reference_board())


def test_a_tile_that_lies_elsewhere_takes_its_slots_along() -> None:
    data = built_in()
    assert "shifts_mm" not in data["map"]
    data["map"]["shifts_mm"] = {"NE": [2.0, -1.0]}
    board = parse_board(data)
    assert isinstance(board, FinityBoard)
    assert parse_board(json.loads(json.dumps(board.to_json()))) == board
    plain = reference_board()
    x, y = plain.station_centres["NE"]
    assert board.station_centres["NE"] == pytest.approx((x + 2, y - 1))
    assert board.station_centres["N"] == plain.station_centres["N"]
    moved, still = board.slot_named("C>NE M")[0], plain.slot_named("C>NE M")[0]
    assert (moved.x_mm - still.x_mm, moved.y_mm - still.y_mm) == pytest.approx((1.0, -0.5))


@pytest.mark.parametrize(
    ("shifts", "fault"), [({"X": [1, 2]}, "there is no station X"), ({"NE": [1]}, "map must have"), ([], "map must")]
)
def test_shifts_that_cannot_be_are_named(shifts: object, fault: str) -> None:
    data = built_in()
    data["map"]["shifts_mm"] = shifts
    with pytest.raises(BoardError, match=fault):
        parse_board(data)


def test_markers_stuck_on_askew_are_kept_so() -> None:
    data = built_in()
    data["markers"]["turns_deg"] = {"5": 1.5}
    board = parse_board(data)
    assert board.aruco.turns_deg == (0.0, 1.5, 0.0, 0.0)
    assert parse_board(json.loads(json.dumps(board.to_json()))) == board
    data["markers"]["turns_deg"] = {"9": 1.5}
    with pytest.raises(BoardError, match="there is no marker 9"):
        parse_board(data)
