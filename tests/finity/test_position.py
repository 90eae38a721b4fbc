"""Positions and set-ups as people write them: every fault at once, each with its place, and nothing lost in writing."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import InputError, PositionError
from companion.games.finity import Finity
from companion.games.game import Outcome
from tests.finity.play import game_of

GAME = game_of({})


def faults(data: dict[str, Any], game: Finity = GAME) -> tuple[str, ...]:
    with pytest.raises(PositionError) as caught:
        game.parse_position(data)
    return caught.value.faults


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "to_move is missing"),
        ({"to_move": "C"}, "to_move: there is no player 'C'; there are A and B"),
        ({"to_move": None}, "to_move is null, but nobody has a full path"),
        ({"bridges": "b N>NE M"}, "bridges must be a list of texts, not 'b N>NE M'"),
        ({"bridges": [3]}, "bridges, number 1: must be a text, not 3"),
        ({"bridges": ["x N>NE M"]}, "bridge 'x N>NE M' is no bridge"),
        ({"bridges": ["b N>NE"]}, "bridge b 'N>NE' is no slot"),
        ({"bridges": ["b N>X M"]}, "bridge b 'N>X M': There is no station 'X'"),
        ({"bridges": ["b N>FNE M"]}, "There is no station 'FNE' on this board"),
        ({"bridges": ["b N>SE M"]}, "N and SE are no neighbours"),
        (
            {"bridges": ["b N>NE M", "w NE>N M"]},
            "two pieces in the middle slot from N to NE: the bridge b N>NE M and the bridge w NE>N M",
        ),
        ({"bridges": ["b N>C L"]}, "a blocker of A (blockers are left out, so they lie as at the start)"),
        ({"bridges": ["b N>NE M", "b N>NE L"]}, "bridge 'b N>NE L' is redundant"),
        ({"bridges": ["b NE>SE R", "w C>NE R"]}, "2 bridges at one corner, in C>NE R and NE>SE R"),
        ({"rings": []}, "rings must be an object"),
        ({"rings": {"X": {"S": "A"}}}, "rings: There is no station 'X'"),
        ({"rings": {"C": {"S": "A"}}}, "no ring is ever placed on C"),
        ({"rings": {"NE": "A"}}, "rings on 'NE' must be an object"),
        ({"rings": {"NE": {"S": "E"}}}, "rings on NE, S: there is no player 'E'"),
        ({"rings": {"NE": {"XL": "A"}}}, "rings on NE, XL: there is no such size"),
        ({"posts": {"A": "N"}}, "posts: B's is missing"),
        ({"posts": {"A": "N", "B": "N"}}, "several posts on N"),
        ({"posts": {"A": "N", "B": "C"}}, "B's post cannot stand on C"),
        ({"posts": {"A": "N", "B": 3}}, "posts: B: There is no station '3'"),
        ({"posts": {"A": "N", "B": "S", "C": "E"}}, "posts: there is no player 'C'"),
        ({"blockers": {"A": ["N>C L", "N>C R", "NE>C M"], "B": []}}, "A has 3 blockers, but there are only 2"),
        ({"blockers": {"A": ["N>C L"], "B": ["C>N R"]}}, "two pieces in the right slot from C to N"),
        ({"blockers": {"A": "N>C L"}}, "blockers of A must be a list of texts"),
        ({"blockers": {"D": ["N>C L"]}}, "blockers: there is no player 'D'"),
        ({"in_hand": {"A": 1}}, "A has 3 blockers"),
        ({"in_hand": {"A": "one"}}, "in_hand of A must be a whole number"),
        ({"ply": -1}, "ply must be a whole number from 0 on, not -1"),
        ({"ringless": True}, "ringless must be a whole number from 0 on, not true"),
        ({"barred": ["dance"]}, "barred: 'dance' is no move"),
        ({"places": ["A"]}, "to_move: A has finished"),
        ({"places": ["B", "B"]}, "places: a player stands twice"),
        ({"outcome": {"winner": "A", "by": "luck"}}, "outcome must be null, a winner with by 'full_path'"),
        ({"outcome": 3}, "outcome must be null"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(data: dict[str, Any], said: str) -> None:
    told = faults(data if not data or "to_move" in data else {"to_move": "A", **data})
    assert any(said in fault for fault in told), told


def test_all_faults_are_told_at_once() -> None:
    told = faults(
        {
            "to_move": "Z",
            "bridges": ["b N>X M", "w NE>N M", "b N>NE M"],
            "rings": {"NE": {"S": "Q"}, "Y": {}},
            "posts": {"A": "C", "B": "S"},
            "blockers": {"A": ["N>C Q"]},
            "ply": "three",
        }
    )
    for said in ("'Z'", "'X'", "two pieces", "'Q'", "'Y'", "cannot stand on C", "is no slot", "ply"):
        assert any(said in fault for fault in told), said


def test_supply_faults() -> None:
    rings = {name: {"L": "A"} for name in ("N", "NE", "SE", "S", "SW", "NW", "E", "W")}
    assert faults({"to_move": "A", "rings": rings}) == (
        "rings: A has 8 large rings on the board, but there are only 7",
    )
    assert game_of({}, enforce_supply=False).parse_position({"to_move": "A", "rings": rings})


def test_what_is_left_out_is_as_at_the_start() -> None:
    position = GAME.parse_position({"to_move": "B"})
    told: Any = GAME.position_json(position)
    assert told["posts"] == {"A": "N", "B": "S"}
    assert told["blockers"] == {"A": ["C>N L", "C>N R"], "B": ["C>S L", "C>S R"]}
    assert position.ply > 0
    assert "add b N>NE M" in GAME.legal_moves(GAME.parse_position({"to_move": "B"}))
    assert "add b N>NE M" not in GAME.legal_moves(GAME.parse_position({"to_move": "B", "ply": 0}))


def test_slots_may_be_named_from_either_station() -> None:
    one = GAME.parse_position({"to_move": "A", "blockers": {"A": ["NE>SE R"], "B": []}})
    other = GAME.parse_position({"to_move": "A", "blockers": {"A": ["SE>NE L"], "B": []}})
    assert one == other


def test_a_full_path_in_a_given_position_is_told_and_a_named_player_may_go_on() -> None:
    game = game_of({"pattern": "bw"}, pattern_length=2)
    data: dict[str, Any] = {"bridges": ["b N>NE M", "w NE>C M"], "rings": {"NE": {"S": "A"}}}
    over = game.parse_position({"to_move": None, **data})
    won = Outcome(game.players[0], "full_path", path=("N", "NE", "C"))
    assert (game.outcome(over), game.legal_moves(over)) == (won, ())
    going_on = game.parse_position({"to_move": "B", **data})
    assert game.outcome(going_on) == won
    assert game.legal_moves(going_on)


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"players": 5}, "players must be 2, 3 or 4, not 5"),
        ({"players": "2"}, "players must be 2, 3 or 4, not '2'"),
        ({"pattern": "bwb"}, "pattern 'bwb' has 3 cones, but the option pattern_length says 8"),
        ({"pattern": "bwbxbwww"}, "pattern must be letters b and w"),
        ({"pattern": None}, "pattern is missing"),
        ({"pattern": 8}, "pattern must be letters b and w"),
        ({"posts": ["N", "S"]}, "posts must be an object"),
        ({"posts": {"A": "N"}, "players": 2}, "posts: B must be a base station (N or S), not null"),
        ({"posts": {"A": "N", "B": "N"}}, "posts: several players start on N"),
        ({"posts": {"A": "N", "B": "E"}}, "posts: B: nobody can start on E"),
        ({"posts": {"A": "N", "B": "S", "Q": "E"}, "players": 2}, "posts: there is no player 'Q'"),
        ({"board": 3}, "board must be an object"),
    ],
)
def test_wrong_set_ups_are_refused(setup: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        game_of(setup)
    assert said in str(caught.value)


def test_all_faults_of_a_set_up_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Finity.of({"players": 7, "pattern": "b", "posts": 1}, {})
    assert str(caught.value).count(";") == 2


def test_a_set_up_survives_its_json() -> None:
    for setup in ({"players": 3}, {"players": 4}, {"posts": {"A": "S", "B": "N"}}, {"pattern": "bbbbbbbb"}):
        game = game_of(setup)
        again = Finity.of(game.setup, game.options)
        assert (again.setup, again.options, again.start()) == (game.setup, game.options, game.start())


def test_the_number_of_players_may_follow_from_the_posts() -> None:
    assert len(Finity.of({"pattern": "bwbbwbww", "posts": {"A": "S", "B": "NW", "C": "NE"}}).players) == 3
