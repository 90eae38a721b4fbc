"""Each option changes what its words say, and wrong ones are refused with the choices."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import InputError
from companion.games.finity import Finity, Position
from companion.games.game import Illegal, Outcome, Played
from tests.finity.play import game_of

CHAIN = ["b N>NE M", "w NE>E M", "b E>SE M"]
FULL = {"S": "B", "M": "B", "L": "B"}


def played(game: Finity, data: dict[str, Any], *moves: str) -> Played[Position]:
    position = game.parse_position({"to_move": "A", "rings": {}, "bridges": [], **data})
    verdict: Any = None
    for move in moves:
        verdict = game.play(position, move)
        assert isinstance(verdict, Played), verdict
        position = verdict.after
    assert isinstance(verdict, Played)
    return verdict


def test_undo_exception_none_forbids_undoing_whatever_was_orphaned() -> None:
    data = {"to_move": "B", "bridges": CHAIN, "rings": {"NE": {"S": "A"}, "E": {"S": "A"}}}
    for exception, allowed in (("board_changed", True), ("none", False)):
        game = game_of({"pattern": "bwbwbbww"}, undo_exception=exception)
        after = played(game, data, "reverse NE>E M").after
        assert isinstance(game.play(after, "reverse E>NE M"), Played) == allowed
        assert ("reverse E>NE M" in game.legal_moves(after)) == allowed


def test_blockers_in_hand() -> None:
    game = game_of({}, blockers_start="in_hand")
    start = game.start()
    assert game.position_json(start)["blockers"] == {"A": [], "B": []}
    assert game.position_json(start)["in_hand"] == {"A": 2, "B": 2}
    assert "blocker hand to C>NE L" in game.legal_moves(start)
    assert isinstance(game.play(start, "blocker hand to S>SW M"), Illegal)
    position = start
    for move in ("blocker hand to NE>SE R", "blocker hand to N>NE M", "blocker SE>NE L to NE>E M", "add b N>NW M"):
        verdict = game.play(position, move)
        assert isinstance(verdict, Played), verdict
        position = verdict.after
        assert game.parse_position(game.position_json(position)) == position
    assert game.position_json(position)["in_hand"] == {"A": 1, "B": 1}
    assert "in_hand" not in game_of({}).position_json(game_of({}).start())


def test_teleport_trap() -> None:
    rings = {"NE": FULL, "NW": {**FULL, "S": "A"}}
    for trap, allowed in (("all_neighbours_full_of_opponents", False), ("all_neighbours_full", True), ("off", False)):
        game = game_of({}, teleport_trap=trap)
        position = game.parse_position({"to_move": "A", "bridges": ["b N>NW M"], "rings": rings})
        assert isinstance(game.play(position, "teleport E"), Played) == allowed
        assert ("teleport E" in game.legal_moves(position)) == allowed


def test_a_teleport_leaves_rings_behind() -> None:
    game = game_of({})
    data = {"rings": {"NE": FULL, "NW": FULL, "N": {"S": "A"}}}
    after = played(game, data, "teleport E")
    lost: Any = after.facts["orphans"]
    assert ["A", "N", "S"] in lost


@pytest.mark.parametrize(
    ("players", "rounds", "moves"), [(2, 10, 20), (3, 10, 30), (4, 10, 40), (3, 2, 6), (2, 0, None)]
)
def test_draw_rounds(players: int, rounds: int, moves: int | None) -> None:
    game = game_of({"players": players}, draw_rounds=rounds)
    adds = [move for move in game.legal_moves(game.start()) if move.startswith("add")]
    start = game.position_json(game.start())
    for ringless in (5, 19, 29, 39, 100):
        position = game.parse_position({**start, "ringless": ringless - 1})
        verdict = game.play(position, adds[0])
        assert isinstance(verdict, Played)
        outcome = game.outcome(verdict.after)
        if moves is None or ringless < moves:
            assert outcome is None
        else:
            assert outcome == Outcome(draw="no_ring_change")
            assert game.legal_moves(verdict.after) == ()


def test_a_ring_added_or_orphaned_starts_the_count_anew() -> None:
    game = game_of({})
    data = {"bridges": CHAIN, "rings": {"NE": {"S": "A"}}, "ringless": 19}
    assert played(game, data, "ring NE M").after.ringless == 0
    assert played(game, {**data, "to_move": "B"}, "reverse N>NE M").after.ringless == 0


def test_repetition() -> None:
    """Blockers going to and fro: the position after every fourth move is the same."""
    game = game_of({}, repetition_limit=3, draw_rounds=0)
    position = game.start()
    moves = ["blocker N>C L to N>NE M", "blocker S>C L to S>SE M", "blocker N>NE M to N>C L", "blocker S>SE M to S>C L"]
    for number in range(1, 9):
        verdict = game.play(position, moves[(number - 1) % 4])
        assert isinstance(verdict, Played)
        position = verdict.after
        assert game.parse_position(game.position_json(position)) == position
        expected = Outcome(draw="repetition") if number == 8 else None
        assert game.outcome(position) == expected, number
    assert game_of({}).start().seen == ()


def test_ties() -> None:
    """Both walks end over the same bridge: as many stations each, so rings decide."""
    game = game_of({"pattern": "bb"}, pattern_length=2)
    data: dict[str, Any] = {"posts": {"A": "N", "B": "E"}, "bridges": ["b N>NE M", "b E>NE M"]}
    one_each = {"NE": {"S": "A", "M": "B"}}
    draw = game.outcome(played(game, {**data, "rings": one_each}, "add b NE>C M").after)
    assert draw == Outcome(draw="tie")
    richer = {"NE": {"S": "A", "M": "B", "L": "B"}}
    by_rings = game.outcome(played(game, {**data, "rings": richer}, "add b NE>C M").after)
    assert by_rings is not None
    assert (by_rings.winner, by_rings.by, by_rings.path) == ("B", "tie_rings", ("E", "NE", "C"))
    first = game_of({"pattern": "bb"}, pattern_length=2, multi_completion="mover_first")
    mover = first.outcome(played(first, {**data, "rings": richer}, "add b NE>C M").after)
    assert mover is not None
    assert (mover.winner, mover.by) == ("A", "full_path")


def test_most_stations_come_before_most_rings() -> None:
    """Four crossings: A goes back and forth (N NE N NE C), B passes five stations; A has more rings."""
    game = game_of({"pattern": "bbbb"}, pattern_length=4)
    data: dict[str, Any] = {
        "posts": {"A": "N", "B": "S"},
        "bridges": ["b N>NE M", "b NE>N L", "b S>SE M", "b SE>E M", "b E>NE M"],
        "rings": {"N": {"S": "A"}, "NE": {"S": "A", "M": "A", "L": "B"}, "SE": {"S": "B"}, "E": {"S": "B"}},
    }
    outcome = game.outcome(played(game, data, "add b NE>C M").after)
    assert outcome is not None
    assert (outcome.winner, outcome.by, outcome.path) == ("B", "tie_stations", ("S", "SE", "E", "NE", "C"))
    other = game_of({"pattern": "bbbb"}, pattern_length=4, multi_completion="mover_first")
    mover = other.outcome(played(other, data, "add b NE>C M").after)
    assert mover is not None
    assert mover.path == ("N", "NE", "N", "NE", "C")


THREE: dict[str, Any] = {
    "posts": {"A": "NW", "B": "NE", "C": "S"},
    "bridges": ["b NW>N M", "b NE>SE M"],
    "rings": {"N": {"S": "A"}, "SE": {"S": "B"}},
}


def test_playing_on_for_places() -> None:
    """A wins; B and C go on without A, whose pieces stay; then B finishes second, and the game is over."""
    game = game_of({"players": 3, "pattern": "bw"}, pattern_length=2, continue_after_win=True)
    won = played(game, THREE, "add w N>C M")
    assert won.facts["places"] == {"A": 1}
    assert "takes place 1" in won.explanation
    position = won.after
    for move, by in (("add b S>SW M", "B"), ("add w SW>FSW M", "C")):
        assert (game.outcome(position), game.to_move(position)) == (None, by)
        assert game.parse_position(game.position_json(position)) == position
        verdict = game.play(position, move)
        assert isinstance(verdict, Played), verdict
        position = verdict.after
    assert game.to_move(position) == "B"
    second = game.play(position, "add w E>C M")
    assert isinstance(second, Illegal)  # E and C are no neighbours
    done = game.play(position, "add w SE>C M")
    assert isinstance(done, Played)
    assert done.facts["places"] == {"B": 2}
    outcome = game.outcome(done.after)
    assert outcome is not None
    assert (outcome.winner, outcome.path, outcome.places) == ("A", ("NW", "N", "C"), (("A",), ("B",), ("C",)))
    assert (game.to_move(done.after), game.legal_moves(done.after)) == (None, ())
    rings: Any = game.position_json(done.after)["rings"]
    assert rings["N"] == {"S": "A"}


def test_a_quiet_end_after_a_win_keeps_the_winner() -> None:
    """Two play on: twenty quiet moves end the game, and the winner stays the winner."""
    game = game_of({"players": 3, "pattern": "bw"}, pattern_length=2, continue_after_win=True)
    data = {**game.position_json(played(game, THREE, "add w N>C M").after), "ringless": 19}
    verdict = game.play(game.parse_position(data), "add w S>SW M")
    assert isinstance(verdict, Played)
    outcome = game.outcome(verdict.after)
    assert outcome is not None
    assert (outcome.winner, outcome.places) == ("A", (("A",), ("B",), ("C",)))


def test_places_by_longest_partial_path_where_nobody_plays_on() -> None:
    game = game_of({"players": 3, "pattern": "bw"}, pattern_length=2)
    outcome = game.outcome(played(game, THREE, "add w N>C M").after)
    assert outcome is not None
    assert (outcome.winner, outcome.places) == ("A", (("A",), ("B",), ("C",)))


def test_turn_order_seats_the_letters() -> None:
    assert game_of({"players": 3}).setup["posts"] == {"A": "NW", "B": "NE", "C": "S"}
    turned = game_of({"players": 3}, turn_order=["S", "NW", "NE"])
    assert turned.setup["posts"] == {"A": "S", "B": "NW", "C": "NE"}
    given = game_of({"players": 2, "posts": {"A": "S", "B": "N"}}, turn_order=["N", "S"])
    assert given.setup["posts"] == {"A": "S", "B": "N"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pattern_length": 0}, "pattern_length must be a whole number from 1 to 12, not 0"),
        ({"pattern_length": "8"}, "must be a whole number"),
        ({"draw_rounds": -1}, "draw_rounds must be a whole number from 0 on"),
        ({"teleport_trap": "on"}, "must be 'all_neighbours_full_of_opponents', 'all_neighbours_full' or 'off'"),
        ({"anti_kingmaker": 1}, "must be false or true"),
        ({"turn_order": "left"}, "must be 'clockwise' or a list"),
        ({"turn_order": []}, "must be 'clockwise' or a list"),
        ({"turn_order": ["N", "E"]}, "must name the base stations N and S, not N and E"),
        ({"draw_round": 3}, "did you mean draw_rounds?"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match="option") as caught:
        Finity.of({"pattern": "bwbbwbww"}, options)
    assert said in str(caught.value)


def test_all_faults_of_the_options_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Finity.of({"pattern": "bwbbwbww"}, {"draw_rounds": -1, "anti_kingmaker": 2, "x": 3})
    assert str(caught.value).count(";") == 2
