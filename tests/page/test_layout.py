"""The drawing of the boards, from their files."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Mapping
from typing import Any

import pytest

from calibration.board import load_board
from calibration.infinity.board import reference_board
from companion.errors import InputError
from companion.games.registry import game_named, game_names
from companion.page.layout import LAYOUTS, layout_for


@pytest.fixture
def board() -> dict[str, Any]:
    return copy.deepcopy(dict(reference_board().to_json()))


def shapes(layout: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    return [shape for shape in layout["shapes"] if shape["kind"] == kind]


def test_every_drawing_is_of_a_game_that_can_be_played() -> None:
    assert set(LAYOUTS) == set(game_names())


def test_infinity_has_its_places_where_the_board_file_says(board: dict[str, Any]) -> None:
    layout = layout_for("infinity", board)
    seats = {shape["place"]: (shape["x_mm"], shape["y_mm"]) for shape in shapes(layout, "disc")}
    assert sorted(seats) == [f"{channel}.{slot}" for channel in range(1, 5) for slot in range(1, 5)]
    # The board is 170 x 240 mm with its origin in the middle and y up; channels 26 mm apart, slots from 20 mm by 22.
    assert seats["1.1"] == (85 - 39, 120 - 20)
    assert seats["4.4"] == (85 + 39, 120 - 86)


def test_everything_lies_on_the_board(board: dict[str, Any]) -> None:
    layout: Mapping[str, Any] = layout_for("infinity", board)
    inside = [(shape["x_mm"], shape["y_mm"]) for kind in ("disc", "dial", "text") for shape in shapes(layout, kind)]
    inside += [tuple(seat) for seat in shapes(layout, "well")[0]["seats"]]
    assert all(0 < x < layout["width_mm"] and 0 < y < layout["height_mm"] for x, y in inside)


def test_the_well_holds_all_marbles_side_by_side(board: dict[str, Any]) -> None:
    (well,) = shapes(layout_for("infinity", board), "well")
    seats = well["seats"]
    assert len(seats) == 18
    gaps = [math.dist(a, b) for a, b in itertools.pairwise(seats)]
    assert gaps == pytest.approx([board["groove"]["marble_pitch"]] * 17, abs=0.02)
    assert seats[0][0] < seats[-1][0]
    assert seats[0][1] == pytest.approx(seats[-1][1], abs=0.02)


def test_the_dial_has_ten_stops_from_the_star_clockwise(board: dict[str, Any]) -> None:
    (dial,) = shapes(layout_for("infinity", board), "dial")
    assert {stop["stop"]: (stop["deg"], stop["text"]) for stop in dial["stops"]} == {
        -4: (-144, "4"), -3: (-108, "3"), -2: (-72, "2"), -1: (-36, "1"), 0: (0, "★"),
        1: (36, "1"), 2: (72, "2"), 3: (108, "3"), 4: (144, "4"), 5: (180, "∞"),
    }  # fmt: skip


def test_jokers_are_told_apart_by_more_than_colour(board: dict[str, Any]) -> None:
    labels: Mapping[str, Any] = layout_for("infinity", board)["labels"]  # type: ignore[assignment]
    assert {label for label, look in labels.items() if look["star"]} == {"K", "W"}
    assert len({look["text"] for look in labels.values()}) == len(labels)


@pytest.mark.parametrize("path", ["knob.cx", "channels.count", "groove.marble_pitch", "board.w"])
def test_a_measure_that_is_missing_is_named(board: dict[str, Any], path: str) -> None:
    section, key = path.split(".")
    del board[section][key]
    with pytest.raises(InputError, match=path):
        layout_for("infinity", board)


def test_a_game_without_a_drawing_is_named() -> None:
    with pytest.raises(InputError, match="'chess'"):
        layout_for("chess", {})


# Finity


@pytest.fixture
def finity_board() -> dict[str, Any]:
    return copy.deepcopy(dict(load_board("finity").to_json()))


def finity(players: int, board: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    data = load_board("finity").to_json() if board is None else board
    return layout_for("finity", data, {"players": players, "pattern": "bwbbwbww"})


@pytest.mark.parametrize(("players", "stations", "slots"), [(2, 9, 48), (3, 10, 54), (4, 13, 72)])
def test_finity_draws_every_place_that_the_rules_show(players: int, stations: int, slots: int) -> None:
    layout = finity(players)
    game = game_named("finity", {}, {"players": players, "pattern": "bwbbwbww"})
    drawn = [shape["place"] for shape in layout["shapes"] if "place" in shape]
    assert sorted(drawn) == sorted(map(str, game.sight(game.start())))
    assert len(shapes(layout, "hexagon")) == stations
    assert len(shapes(layout, "lane")) == slots


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_of_finity_lies_within_the_drawing(players: int) -> None:
    layout = finity(players)
    for tile in shapes(layout, "hexagon"):
        assert tile["r_mm"] < tile["x_mm"] < layout["width_mm"] - tile["r_mm"]
        assert 0.87 * tile["r_mm"] < tile["y_mm"] < layout["height_mm"] - 0.87 * tile["r_mm"]


def test_stations_lie_as_on_the_map() -> None:
    tiles = {tile["station"]: (tile["x_mm"], tile["y_mm"]) for tile in shapes(finity(4), "hexagon")}
    (cx, cy), (nx, ny), (ex, ey) = tiles["C"], tiles["N"], tiles["E"]
    assert nx == cx
    assert ny == pytest.approx(cy - 50 * math.sqrt(3), abs=0.02)  # north is up; tiles have sides of 50 mm
    assert (ex, ey) == (pytest.approx(cx + 150, abs=0.02), cy)


def test_an_arrow_points_away_from_its_tail() -> None:
    layout = finity(2)
    tiles = {tile["station"]: (tile["x_mm"], tile["y_mm"]) for tile in shapes(layout, "hexagon")}
    for lane in shapes(layout, "lane"):
        for label, way in lane["ways"].items():
            x, y = tiles[label.partition(" ")[2]]
            ahead = way * math.cos(math.radians(lane["deg"])), way * math.sin(math.radians(lane["deg"]))
            assert (lane["x_mm"] - x) * ahead[0] + (lane["y_mm"] - y) * ahead[1] > 0
            assert label in layout["labels"]


def test_the_left_slot_is_left_of_the_way_from_the_first_station_of_its_name() -> None:
    lanes = {lane["place"]: lane for lane in shapes(finity(2), "lane")}
    left, middle, right = (lanes[f"C>N {side}"] for side in "LMR")
    assert left["x_mm"] < middle["x_mm"] < right["x_mm"]
    assert left["names"] == ["C>N L", "N>C R"]


def test_players_of_finity_have_letters_and_no_two_one_colour() -> None:
    labels: Mapping[str, Any] = finity(4)["labels"]
    assert [labels[letter]["text"] for letter in "ABCD"] == list("ABCD")
    assert [labels[f"blocker {letter}"]["text"] for letter in "ABCD"] == list("ABCD")
    assert len({labels[letter]["fill"] for letter in "ABCD"}) == 4


def test_the_tower_shows_its_pattern_from_below() -> None:
    (tower,) = shapes(finity(2), "tower")
    assert "".join(tower["pattern"]) == "bwbbwbww"


def test_a_board_file_that_is_none_of_finity_is_told(finity_board: dict[str, Any]) -> None:
    del finity_board["hex_side"]
    with pytest.raises(InputError, match="hex_side"):
        finity(2, finity_board)


def test_a_set_up_that_is_none_is_told(finity_board: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="set-up"):
        layout_for("finity", finity_board, {"players": None})
