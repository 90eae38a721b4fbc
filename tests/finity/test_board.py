"""The board's data: the built-in one, every fault that another can have, and a game on another."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from companion.errors import InputError
from companion.games.finity import Finity
from companion.games.finity.board import builtin_board, parse_board
from companion.games.finity.layout import layout_of
from tests.shared_material import shared

Board = dict[str, Any]


def builtin() -> Board:
    text = files("companion.games.finity").joinpath("board.json").read_text(encoding="utf-8")
    data: Board = json.loads(text)
    return data


@pytest.mark.parametrize(
    ("players", "stations", "pairs", "slots", "corners", "posts"),
    [
        (2, 9, 16, 48, 8, ("N", "S")),
        (3, 10, 18, 54, 9, ("NW", "NE", "S")),
        (4, 13, 24, 72, 12, ("NW", "NE", "SE", "SW")),
    ],
)
def test_the_counts_of_each_layout(
    players: int, stations: int, pairs: int, slots: int, corners: int, posts: tuple[str, ...]
) -> None:
    layout = layout_of(builtin_board(), players)
    assert (len(layout.names), len(layout.pairs), len(layout.slot_names)) == (stations, pairs, slots)
    assert (len(layout.corners), layout.base_posts) == (corners, posts)
    assert all(corner.bit_count() == 3 for corner in layout.corners)


def test_the_board_is_that_of_the_rules() -> None:
    """Stations, corners and layouts against the geometry that the rules come with."""
    given = json.loads(shared("rules", "finity_topology.json").read_text(encoding="utf-8"))
    board = builtin_board()
    assert {s["name"]: tuple(map(int, s["bga"].split(","))) for s in given["stations"]} == dict(board.stations)
    assert [tuple(pair) for pair in given["pairs"]] == list(board.pairs)
    corners = {frozenset(slot.replace("-", ">").replace(":", " ") for slot in v["slots"]) for v in given["vertices"]}
    assert {frozenset(corner) for corner in board.corners} == corners
    for count, layout in given["layouts"].items():
        ours = board.layouts[int(count)]
        assert sorted(ours.stations) == sorted(layout["stations"])
        assert list(ours.posts) == layout["base_posts_clockwise"]
        assert list(ours.online_order) == layout["bga_turn_order"]


def _set(*path: Any, to: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        for key in path[:-1]:
            board = board[key]
        board[path[-1]] = to

    return change


def _drop(*path: Any) -> Callable[[Board], None]:
    def change(board: Board) -> None:
        for key in path[:-1]:
            board = board[key]
        del board[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_set("centre", to="Q"), "centre must be one of the stations, not 'Q'"),
        (_set("stations", to=[]), "stations must be an object"),
        (_set("stations", "N", to=[1]), "station 'N' must stand at two whole numbers"),
        (_set("stations", "N", to=[0, 0]), "station 'N' stands at [0, 0], where C stands"),
        (_set("stations", "a b", to=[5, 5]), "station 'a b' must have a name of letters and digits"),
        (_set("pairs", 0, to=["C", "Q"]), "pair 1: there is no station 'Q'"),
        (_set("pairs", 0, to=["C"]), "pair 1 must have two stations, not 1"),
        (_set("pairs", 0, to=["C", "E"]), "pair 1: C and E are no neighbours"),
        (_set("pairs", 0, to=["NE", "C"]), "pair 2: C and NE are a pair already"),
        (_set("pairs", 0, to=3), "pair 1 must be a list of texts"),
        (_set("pairs", to=3), "pairs must be a list"),
        (_drop("pairs", 0), "C and N are neighbours by their coordinates, but no pair"),
        (_set("corners", to=3), "corners must be a list"),
        (_set("corners", 0, 0, to="C>N Q"), "corner 1: there is no slot 'C>N Q'"),
        (_set("corners", 0, 0, to="C>N R"), "do not touch one corner"),
        (_drop("corners", 0), "the corner between C, N and NW is missing"),
        (_set("corners", 1, to=["C>N L", "C>NW R", "N>NW L"]), "do not touch one corner, or stand twice"),
        (_set("layouts", to=1), "layouts must be an object"),
        (_drop("layouts", "3"), "layout 3 must be an object"),
        (_set("layouts", "2", "stations", 1, to="Q"), "layout 2: there is no station 'Q'"),
        (_set("layouts", "2", "stations", 1, to="NE"), "layout 2: a station stands twice"),
        (_set("layouts", "2", "stations", 0, to="FNW"), "layout 2 must have the centre"),
        (_set("layouts", "2", "posts", "C", to=[]), "base station 'C' must be a station of it, and not the centre"),
        (_set("layouts", "2", "posts", "N", to=["N>C L", "N>FNE R"]), "there is no slot 'N>FNE R'"),
        (_set("layouts", "2", "posts", "N", to=["N>C L", "C>N R"]), "slot C>N R is taken"),
        (_drop("layouts", "2", "posts", "N"), "layout 2 must have 2 base stations, not 1"),
        (_set("layouts", "2", "online_order", to=["N"]), "online_order must name the base stations"),
        (_set("supply", "bridges", "b", to=0), "supply: bridges: b must be a whole number from 1 on, not 0"),
        (_drop("supply", "rings"), "supply: rings must be an object"),
    ],
)
def test_a_fault_of_a_board_is_named(change: Callable[[Board], None], said: str) -> None:
    board = builtin()
    change(board)
    with pytest.raises(InputError) as caught:
        parse_board(board)
    assert said in str(caught.value)


def test_all_faults_of_a_board_are_told_at_once() -> None:
    board = builtin()
    for change in (_set("centre", to="Q"), _drop("pairs", 3), _drop("corners", 2), _set("supply", to=1)):
        change(board)
    with pytest.raises(InputError) as caught:
        parse_board(board)
    for said in ("centre", "but no pair", "corner between", "supply"):
        assert said in str(caught.value)
    with pytest.raises(InputError, match="must be an object"):
        parse_board(None)


def test_another_board_is_played_on() -> None:
    """A board of another owner: other names, fewer bridges, blockers elsewhere."""
    text = json.dumps(builtin()).replace('"N"', '"Top"').replace('"N>', '"Top>').replace(">N ", ">Top ")
    board: Board = json.loads(text)
    board["supply"]["bridges"]["w"] = 1
    board["layouts"]["2"]["posts"]["Top"] = ["Top>NE M", "Top>NW M"]
    game = Finity.of({"players": 2, "pattern": "bwbbwbww", "board": board})
    position = game.start()
    assert game.position_json(position)["posts"] == {"A": "Top", "B": "S"}
    assert "blocker Top>NE M to C>NE L" in game.legal_moves(position)
    played: Any = game.play(position, "add w Top>C M")
    assert not [move for move in game.legal_moves(played.after) if move.startswith("add w")]
    assert Finity.of(game.setup, game.options).start() == position
    assert "board" not in Finity.of({"pattern": "bwbbwbww"}).setup


def test_the_built_in_board_is_read_once_and_never_changed() -> None:
    before = copy.deepcopy(builtin())
    Finity.of({"players": 4, "pattern": "bwbbwbww"}).legal_moves(Finity.of({"pattern": "bwbbwbww"}).start())
    assert builtin_board() is builtin_board()
    assert builtin() == before
