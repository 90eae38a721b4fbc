"""Every reason that the rules of Finity give has a move that trips it, and a sentence that names the pieces."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.finity import Finity
from companion.games.game import Illegal, Played
from tests.finity.play import game_of

THREE_DEEP = {"S": "B", "M": "B", "L": "B"}
AROUND_N = {"NE": THREE_DEEP, "NW": THREE_DEEP}
"""All neighbours of N in the game of two, but the centre, full of B's rings."""


def verdict(
    move: str, position: dict[str, Any] | None = None, setup: dict[str, Any] | None = None, **options: Any
) -> Any:
    game = game_of(setup or {}, **options)
    given = None if position is None else {"to_move": "A", "bridges": [], "rings": {}, **position}
    return game.play(game.start() if given is None else game.parse_position(given), move)


def white_bridges(players: int) -> list[str]:
    """All 32 white bridges on the board of three or four, no corner used twice."""
    game = Finity.of({"players": players, "pattern": "bwbbwbww"}, {"enforce_supply": False})
    position = game.parse_position({"to_move": "A", "bridges": [], "blockers": {}, "ply": 1})
    bridges: list[str] = []
    while len(bridges) < 32:
        move = next(move for move in game.legal_moves(position) if move.startswith("add w"))
        bridges.append(move.removeprefix("add "))
        position = game.parse_position({"to_move": "A", "bridges": bridges, "blockers": {}, "ply": 1})
    return bridges


REASONS: list[tuple[str, str, str, dict[str, Any] | None, dict[str, Any]]] = [
    ("slot_occupied", "add b N>NE M", "white bridge from NE to N", {"bridges": ["w NE>N M"]}, {}),
    ("slot_occupied", "add b N>C L", "A's blocker", {}, {}),
    ("slot_occupied", "blocker N>C L to N>NE M", "white bridge", {"bridges": ["w NE>N M"]}, {}),
    ("slot_occupied", "blocker N>C L to N>C L", "A's blocker", {}, {}),
    ("corner_taken", "add w C>NE R", "black bridge from NE to SE (right slot)", {"bridges": ["b NE>SE R"]}, {}),
    ("corner_taken", "add b N>NE R", "A's blocker", {}, {"blocker_blocks_corner": True}),
    ("corner_taken", "blocker N>C L to C>NE R", "black", {"bridges": ["b NE>SE R"]}, {"blocker_blocks_corner": True}),
    ("redundant_bridge", "add b N>NE M", "black bridge from N to NE already", {"bridges": ["b N>NE L"]}, {}),
    ("redundant_bridge", "reverse N>NE L", "from NE to N already", {"bridges": ["b N>NE L", "b NE>N M"]}, {}),
    ("no_bridge_there", "reverse N>NE M", "no bridge in the middle slot", {}, {}),
    ("no_bridge_there", "reverse N>NE M", "name it 'NE>N M'", {"bridges": ["b NE>N M"]}, {}),
    ("no_bridge_there", "remove N>NE M", "name it 'NE>N M'", {"bridges": ["b NE>N M"]}, {}),
    ("bridge_into_centre", "remove NE>C M", "can be reversed", {"bridges": ["b NE>C M"]}, {}),
    ("not_top_marker", "remove N>NE M", "nobody has a marker there", {"bridges": ["b N>NE M"]}, {}),
    (
        "not_top_marker",
        "remove N>NE M",
        "B's small ring is the top marker",
        {"bridges": ["b N>NE M"], "rings": {"NE": {"S": "B", "M": "A"}}},
        {},
    ),
    ("not_top_marker", "remove SW>S M", "B's post is the top marker", {"bridges": ["b SW>S M"]}, {}),
    ("station_unreachable", "ring NE S", "reaches NE", {}, {}),
    ("own_post_station", "ring N S", "own post stands on N", {}, {}),
    (
        "size_taken",
        "ring NE S",
        "B's ring",
        {"bridges": ["b N>NE M"], "rings": {"NE": {"S": "B"}}},
        {},
    ),
    (
        "smaller_size_free",
        "ring NE M",
        "small place on NE",
        {"bridges": ["b N>NE M"]},
        {"ring_size_choice": "smallest_free"},
    ),
    (
        "smaller_size_free",
        "ring NE L",
        "medium place on NE",
        {"bridges": ["b N>NE M"], "rings": {"NE": {"S": "B"}}},
        {"ring_size_choice": "smallest_free"},
    ),
    ("centre_station", "ring C S", "No ring", {}, {}),
    ("centre_station", "post C", "No post", {}, {}),
    ("centre_station", "teleport C", "No post", {"rings": AROUND_N}, {}),
    ("not_own_blocker", "blocker S>C L to N>NE M", "is B's", {}, {}),
    ("no_blocker_there", "blocker N>NE L to N>NE M", "no blocker in the left slot from N to NE", {}, {}),
    ("no_blocker_there", "blocker hand to N>NE M", "no blocker in hand", {}, {}),
    ("no_blocker_there", "unblock N>NE L", "no blocker", {}, {}),
    ("no_blocker_there", "unblock N>C L", "own one", {}, {"blocker_remove_min_bridges": 0}),
    ("too_few_bridges", "unblock S>C L", "20 bridges are on the board; there are 0", {}, {}),
    ("post_occupied", "post S", "B's post", {}, {}),
    ("post_occupied", "post N", "A's post", {}, {}),
    ("no_ring_supported", "post NE", "no ring of A would be left", {}, {}),
    ("not_trapped", "teleport E", "a neighbour of the post is not full", {}, {}),
    ("not_trapped", "teleport E", "is off", {"rings": AROUND_N}, {"teleport_trap": "off"}),
    ("station_not_empty", "teleport E", "ring on E", {"rings": {**AROUND_N, "E": {"S": "A"}}}, {}),
    ("first_move_restriction", "add b S>SE M", "B's base station S", None, {}),
    ("first_move_restriction", "add b C>SE R", "B's base station S", None, {}),
    ("first_move_restriction", "blocker N>C L to S>SW M", "B's base station S", None, {}),
    ("not_adjacent", "add b N>SE M", "N and SE are no neighbours", {}, {}),
    ("not_adjacent", "blocker N>C L to E>W M", "no neighbours", {}, {}),
    ("no_such_station", "ring FNW S", "no station 'FNW'", {}, {}),
    ("no_such_station", "add b N>X M", "no station 'X'", {}, {}),
    ("no_such_station", "post Z", "no station 'Z'", {}, {}),
    ("unreadable_move", "ring NE", "a move is such as", {}, {}),
    ("unreadable_move", "add x N>NE M", "a move is such as", {}, {}),
    ("unreadable_move", "", "a move is such as", {}, {}),
    ("unreadable_move", "ring NE S ", "did you mean 'ring NE S'", {}, {}),
    ("unreadable_move", "Add b n>ne m", "did you mean 'add b N>NE M'", {}, {}),
    ("unreadable_move", "pass", "a move is such as", None, {}),
]


@pytest.mark.parametrize(("reason", "move", "said", "position", "options"), REASONS)
def test_a_move_that_trips_the_reason(
    reason: str, move: str, said: str, position: dict[str, Any] | None, options: dict[str, Any]
) -> None:
    illegal = verdict(move, position, **options)
    assert isinstance(illegal, Illegal), illegal
    assert (illegal.reason, illegal.move) == (reason, move)
    assert said in illegal.detail
    assert "\n" not in illegal.detail


def test_supply_of_bridges() -> None:
    """The 33rd white bridge; a black one may still be added."""
    position: dict[str, Any] = {"bridges": white_bridges(4), "blockers": {}, "ply": 40}
    setup: dict[str, Any] = {"players": 4}
    game = game_of(setup)
    full = game.parse_position({"to_move": "A", **position})
    adds = {move for move in game.legal_moves(full) if move.startswith("add")}
    assert adds
    assert all(move.startswith("add b") for move in adds)
    endless = game_of(setup, enforce_supply=False)
    white = next(move for move in endless.legal_moves(full) if move.startswith("add w"))
    illegal = verdict(white, position, setup)
    assert illegal.reason == "no_supply"
    assert "all 32 are on the board" in illegal.detail
    assert isinstance(verdict(white, position, setup, enforce_supply=False), Played)


def test_supply_of_rings() -> None:
    """Eight small rings; of large ones seven, for one lies on the centre from the start."""
    stations = ("NE", "NW", "SE", "SW", "E", "W", "FNW", "FNE")
    bridges = ["b N>NE M", "b NW>N M", "b N>FNE M"]
    for size, count in (("S", 8), ("M", 8), ("L", 7)):
        rings = {station: {size: "A"} for station in stations[:count]}
        rings.pop("NE", None)
        extra = {"FSW": {size: "A"}} if size != "L" else {"FSE": {size: "A"}}
        position = {
            "bridges": bridges,
            "rings": {**rings, **extra},
            "posts": dict(zip("ABCD", ("N", "S", "SE", "SW"), strict=True)),
        }
        illegal = verdict(f"ring NE {size}", position, {"players": 4})
        assert illegal.reason == "no_supply", size
        assert f"all {count}" in illegal.detail
        assert isinstance(verdict(f"ring NE {size}", position, {"players": 4}, enforce_supply=False), Played)


def test_undo_and_refill() -> None:
    game = game_of({})
    added: Any = game.play(game.parse_position({"to_move": "A", "posts": {"A": "N", "B": "NE"}}), "add b N>NE M")
    undone = game.play(added.after, "remove N>NE M")
    assert isinstance(undone, Illegal)
    assert (undone.reason, "just added" in undone.detail) == ("undo", True)
    turned: Any = game.play(added.after, "reverse N>NE M")
    back = game.play(turned.after, "reverse NE>N M")
    assert isinstance(back, Illegal)
    assert (back.reason, "just reversed" in back.detail) == ("undo", True)
    later: Any = game.play(turned.after, "add w S>SW M")
    assert isinstance(game.play(later.after, "reverse NE>N M"), Played)


def test_game_over_comes_before_all_but_unreadable_text() -> None:
    over = {"to_move": None, "outcome": {"draw": "no_ring_change"}}
    assert verdict("ring FNW S", over).reason == "game_over"
    assert "a draw" in verdict("add b N>NE M", over).detail
    assert verdict("nonsense", over).reason == "unreadable_move"


def test_being_far_behind() -> None:
    """C is three crossings behind A and B, and may only build beside its post; blockers move only there, too."""
    position = {
        "to_move": "C",
        "bridges": ["b NW>FNW M", "w FNW>N M", "b N>NE M", "b NE>SE M", "w SE>E M", "b E>NE M"],
        "rings": {"FNW": {"S": "A"}, "N": {"S": "A"}, "SE": {"S": "B"}, "E": {"S": "B"}},
    }
    setup = {"players": 3}
    for move in ("add w N>NW M", "reverse NW>FNW M", "blocker S>C L to N>NW M"):
        illegal = verdict(move, position, setup, anti_kingmaker=True)
        assert isinstance(illegal, Illegal), move
        assert (illegal.reason, "C is more than two" in illegal.detail) == ("anti_kingmaker", True)
        assert isinstance(verdict(move, position, setup), Played)
    for move in ("add w S>SW M", "add b C>S M", "blocker S>C L to S>SW M"):
        assert isinstance(verdict(move, position, setup, anti_kingmaker=True), Played), move


def test_every_reason_of_the_contract_is_tripped_here() -> None:
    elsewhere = {"no_supply", "undo", "refill_after_removal", "game_over", "anti_kingmaker"}
    wanted = set(
        "slot_occupied corner_taken no_supply redundant_bridge undo refill_after_removal no_bridge_there "  # noqa: SIM905
        "bridge_into_centre not_top_marker station_unreachable own_post_station size_taken centre_station "
        "not_own_blocker no_blocker_there too_few_bridges post_occupied no_ring_supported not_trapped "
        "station_not_empty first_move_restriction not_adjacent no_such_station game_over unreadable_move".split()
    )
    assert wanted - elsewhere <= {reason for reason, *_ in REASONS}
