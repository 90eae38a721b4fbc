"""What hands can do at the table that is no move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings

from companion.games.game import Breach, Played, Trace
from companion.games.infinity import Infinity, Options, Position
from tests.rules import boards

SUPPLY = {"B": 8, "K": 1, "Y": 8, "W": 1}
GAME = Infinity()


def at(board: str, to_move: str | None = "blue", score: int = 0) -> Position:
    return GAME.parse_position({"board": board, "score": score, "to_move": to_move})


def seen_after(position: Position, changes: Mapping[Any, Any]) -> str:
    sight = {**GAME.sight(position), **changes}
    return "|".join("".join(sight[f"{channel}.{slot}"] for slot in range(1, 5)) for channel in range(1, 5))


def found(position: Position, board: str, reason: str) -> Breach:
    """The breach that leaves this board, with this reason."""
    looks = [b for b in GAME.breaches(position) if seen_after(position, b.changes) == board and b.reason == reason]
    assert looks, sorted({(b.reason, seen_after(position, b.changes)) for b in GAME.breaches(position)})
    return looks[0]


@pytest.mark.parametrize(
    ("board", "after", "reason", "moves", "detail"),
    [
        (
            "B...|....|....|....",
            "B...|....|Y...|....",
            "not_your_turn",
            ("Y3",),
            "It is Blue's turn, but a yellow marble was pushed into channel 3",
        ),
        (
            "BYBY|....|....|....",
            "WBYB|....|....|....",
            "not_your_turn",
            ("W1",),
            "It is Blue's turn, but a white Joker was pushed into channel 1",
        ),
        (
            "B...|....|....|....",
            "BBB.|....|....|....",
            "two_moves",
            ("B1", "B1"),
            "Blue pushed two marbles in one turn, into channel 1",
        ),
        (
            "Y...|....|....|....",
            "BY..|....|....|K...",
            "two_moves",
            ("B1", "K4"),
            "Blue pushed two marbles in one turn, into channels 1 and 4",
        ),
        (
            "BYB.|K...|....|....",
            "B.B.|K...|....|....",
            "piece_taken",
            (),
            "The yellow marble in channel 1, slot 2, was taken away",
        ),
        (
            "BYB.|K...|....|....",
            "....|K...|....|....",
            "piece_taken",
            (),
            "3 marbles of channel 1, from slot 1 on, were taken away",
        ),
        (
            "BYB.|Y...|....|....",
            "BY..|YB..|....|....",
            "piece_moved",
            (),
            "The blue marble in channel 1, slot 3, was moved to channel 2, slot 2",
        ),
        (
            "BYB.|Y...|....|....",
            ".YBB|Y...|....|....",
            "piece_moved",
            (),
            "The blue marble in channel 1, slot 1, was moved to slot 4",
        ),
        (
            "BY..|YB..|....|....",
            "B...|YBY.|....|....",
            "piece_moved",
            (),
            "The yellow marble in channel 1, slot 2, was moved to channel 2, slot 3",
        ),
        (
            "BYY.|B...|....|....",
            "BY..|YB..|....|....",
            "piece_moved",
            (),
            "The yellow marble in channel 1, slot 3, was taken out and pushed into channel 2",
        ),
        (
            "BYY.|B...|....|....",
            "BYY.|B..B|....|....",
            "wrong_end",
            (),
            "A blue marble was put into channel 2 from the far end, not from the entry end",
        ),
        (
            "BYYB|B...|....|....",
            "YYBY|B...|....|....",
            "wrong_end",
            (),
            "A yellow marble was put into channel 1 from the far end, not from the entry end",
        ),
        (
            "K...|Y...|....|....",
            "K...|KY..|....|....",
            "joker_not_available",
            ("K2",),
            "Blue's Joker is on the board already, but a black marble was pushed into channel 2",
        ),
        (
            "K...|Y...|....|....",
            "....|KY..|....|....",
            "joker_not_available",
            ("K2",),
            "Blue's Joker was taken out of channel 1 and pushed into channel 2 again",
        ),
        ("K...|Y...|....|....", "K...|Y...|....|....", "no_move", (), "It is Blue's turn, and no marble was played"),
    ],
)
def test_each_kind_is_there(board: str, after: str, reason: str, moves: tuple[str, ...], detail: str) -> None:
    breach = found(at(board), after, reason)
    assert (breach.moves, breach.detail) == (moves, detail)


def test_beams_that_are_broken() -> None:
    full = at("YBYB|B...|....|....")
    assert found(full, "YYBY|B...|....|....", "not_your_turn").traces == (Trace("entered", 1), Trace("left", 1))
    assert found(full, "YBYB|YB..|....|....", "not_your_turn").traces == (Trace("entered", 2),)
    assert found(full, "BYBB|B...|....|....", "wrong_end").traces == (Trace("left", 1), Trace("entered", 1))
    assert found(full, "YBYB|BY..|....|....", "wrong_end").traces == (Trace("left", 2),)
    assert found(full, "YBYB|BBB.|....|....", "two_moves").traces == (Trace("entered", 2), Trace("entered", 2))
    fell = [b.traces for b in GAME.breaches(full) if seen_after(full, b.changes) == "YBY.|B...|....|...."]
    assert fell == [(), (Trace("left", 1),)]


def test_before_the_first_move_nobody_is_out_of_turn() -> None:
    reasons = Counter(breach.reason for breach in GAME.breaches(GAME.start()))
    assert set(reasons) == {"two_moves", "wrong_end"}


def test_after_the_end_only_marbles_pushed_in_are_breaches() -> None:
    over = at("BB..|BB..|BB..|BB..", None)
    told = list(GAME.breaches(over))
    assert {breach.reason for breach in told} == {"game_over"}
    assert {breach.moves[0][0] for breach in told} == {"K", "Y", "W"}
    assert told[0].detail == "The game is over, but a black Joker was pushed into channel 1"


def test_two_marbles_are_right_where_the_other_player_forfeits_between_them() -> None:
    """Yellow's push leaves Blue without a marble: Yellow moves again, and that is no breach."""
    before = at("BBBB|BKYY|YBBY|YBY.", "yellow")
    assert not [breach for breach in GAME.breaches(before) if breach.moves == ("Y4", "Y2")]
    assert found(at("BBB.|BKYY|YBBY|YBY.", "yellow"), "BBB.|YBKY|YBBY|YYBY", "two_moves")


def test_where_a_forfeit_is_due_the_breaches_are_those_after_it() -> None:
    before = at("BYYY|YBBB|BYYB|BKYB")
    forfeit = GAME.forced(before)
    assert forfeit is not None
    assert list(GAME.breaches(before)) == list(GAME.breaches(forfeit.after))


@settings(max_examples=60)
@given(boards.positions())
def test_no_breach_looks_like_a_legal_move(given_position: tuple[Infinity, Position]) -> None:
    game, position = given_position
    told = list(game.breaches(position))
    assert told == list(game.breaches(position))
    assert len(told) < 400
    forfeit = game.forced(position)
    if forfeit is not None:
        position = forfeit.after
    legal = [game.play(position, move) for move in game.legal_moves(position)]
    boards_after = {played.after.board for played in legal if isinstance(played, Played) and played.move != "pass"}
    sight = game.sight(position)
    for breach in told:
        assert all(sight[place] != label for place, label in breach.changes.items())
        assert breach.detail[0].isupper() or breach.detail[0].isdigit()
        if breach.reason != "no_move":
            after = seen_after(position, breach.changes)
            assert after not in boards_after
            extra = Counter(after.replace("|", "").replace(".", "")) - Counter(SUPPLY)
            assert not extra or breach.reason == "joker_not_available"


def test_they_are_told_fast() -> None:
    """The reconciler asks for them after every change: well under a picture's time each."""
    position = at("BYBY|BKY.|WB..|YBBY")
    start = process_time()
    for _ in range(20):
        told = list(GAME.breaches(position))
    # 5 ms is the budget; three times that lets a slow and busy machine pass
    assert (process_time() - start) / 20 < 0.015
    assert 100 < len(told) < 400


def test_what_the_table_shows() -> None:
    position = at("BYBY|K...|....|W...", "yellow", -3)
    assert list(GAME.sight(position).values()) == list("BYBYK.......W...")
    assert next(iter(GAME.sight(position))) == "1.1"
    assert GAME.well(position) == {"B": 6, "K": 0, "Y": 6, "W": 0}
    assert GAME.traces(position, "Y1") == (Trace("entered", 1), Trace("left", 1))
    assert GAME.traces(position, "Y2") == (Trace("entered", 2),)
    assert GAME.traces(position, "pass") == ()
    assert GAME.knob_stop(position) == -3
    assert Infinity(Options(blue_knob="ccw")).knob_stop(position) == 3


def test_moves_in_words() -> None:
    position = at("YBYB|....|....|....")
    assert GAME.describe(position, "K2") == "Blue pushes the Joker into channel 2"
    assert GAME.describe(position, "Y3") == "Yellow pushes a marble into channel 3"
    assert GAME.describe(position, "pass") == "Blue passes"
    assert GAME.describe(at("BYYY|YBBB|BYYB|BKYB"), "pass") == "Blue has no marble in the well and forfeits the turn"
    assert GAME.describe(position, "B9") == "'B9' is no move"
