"""Positions as people write them: what is refused, and that nothing is left unsaid."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import PositionError
from companion.games.game import Outcome
from companion.games.infinity import Infinity, Options
from companion.games.infinity.marbles import BLUE

GOOD: dict[str, Any] = {"board": "BY..|K...|....|Y...", "score": 1, "to_move": "blue"}


def faults(changes: dict[str, Any], options: Options | None = None) -> tuple[str, ...]:
    with pytest.raises(PositionError) as refused:
        Infinity(options or Options()).parse_position({**GOOD, **changes})
    return refused.value.faults


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"board": None}, "board must be a text such as 'BY..|K...|....|Y...', not null"),
        ({"board": 7}, "board must be a text such as 'BY..|K...|....|Y...', not 7"),
        ({"board": "BY..|K...|...."}, "board has 3 channels, not 4"),
        ({"board": "BY..|K...|....|Y...|...."}, "board has 5 channels, not 4"),
        ({"board": "BY..|K..|....|Y..."}, "channel 2 has 3 slots, not 4"),
        ({"board": "BY..|K....|....|Y..."}, "channel 2 has 5 slots, not 4"),
        ({"board": "BY..|x...|....|Y..."}, "channel 2 has 'x'; a slot is B, K, Y, W or . for empty"),
        ({"board": "BY..|.B..|....|Y..."}, "channel 2 has a gap at slot 1: channels fill from the entry end"),
        ({"board": "BBBB|BBBB|B...|Y..."}, "9 blue marbles on the board, but there are only 8"),
        ({"board": "YYYY|YYYY|Y...|B..."}, "9 yellow marbles on the board, but there are only 8"),
        ({"board": "KB..|K...|....|...."}, "2 black Jokers on the board, but there is only 1"),
        ({"board": "W...|W...|W...|...."}, "3 white Jokers on the board, but there is only 1"),
        ({"score": 6}, "score must be a whole number from -5 to 5, not 6"),
        ({"score": -(10**30)}, f"score must be a whole number from -5 to 5, not {str(-(10**30))[:40]}"),
        ({"score": 1.0}, "score must be a whole number from -5 to 5, not 1.0"),
        ({"score": True}, "score must be a whole number from -5 to 5, not true"),
        ({"score": None}, "score must be a whole number from -5 to 5, not null"),
        ({"to_move": "green"}, "to_move must be 'blue', 'yellow' or null, not 'green'"),
        ({"to_move": ["blue"]}, "to_move must be 'blue', 'yellow' or null, not a list"),
        ({"to_move": None}, "to_move is null, but nobody has won: say whose turn it is"),
        ({"score": 5}, "to_move is 'blue', but the game is over (the score is 5): it must be null"),
        (
            {"outcome": {"winner": "blue", "by": "two_rows"}},
            "to_move is 'blue', but the game is over (an outcome is given): it must be null",
        ),
        (
            {"outcome": {"winner": "blue", "by": "luck"}, "to_move": None},
            "outcome must be null, a winner with by 'two_rows' or 'five_ahead', or draw 'both_two_rows'",
        ),
    ],
)
def test_each_fault_is_named(changes: dict[str, Any], fault: str) -> None:
    assert faults(changes) == (fault,)


def test_turns_are_read_where_they_are_counted() -> None:
    assert faults({"turns": -1}, Options(max_turns=9)) == ("turns must be a whole number from 0 on, not -1",)
    assert Infinity(Options(max_turns=9)).parse_position({**GOOD, "turns": 4}).turns == 4
    assert Infinity().parse_position({**GOOD, "turns": 4}).turns == 0


def test_every_fault_is_reported_at_once() -> None:
    found = faults({"board": "B.BB|KK.Q|WW...", "score": 9, "to_move": 3, "outcome": []}, Options(max_turns=3))
    assert found == (
        "board has 3 channels, not 4",
        "channel 1 has a gap at slot 2: channels fill from the entry end",
        "channel 2 has 'Q'; a slot is B, K, Y, W or . for empty",
        "channel 2 has a gap at slot 3: channels fill from the entry end",
        "channel 3 has 5 slots, not 4",
        "2 black Jokers on the board, but there is only 1",
        "2 white Jokers on the board, but there is only 1",
        "score must be a whole number from -5 to 5, not 9",
        "to_move must be 'blue', 'yellow' or null, not 3",
        "outcome must be null, a winner with by 'two_rows' or 'five_ahead', or draw 'both_two_rows'",
    )
    with pytest.raises(PositionError) as refused:
        Infinity().parse_position({})
    assert refused.value.faults == (
        "board must be a text such as 'BY..|K...|....|Y...', not null",
        "score is missing",
        "to_move is missing",
    )
    assert "; ".join(refused.value.faults) == str(refused.value)


def test_a_finished_game_is_known_by_its_last_position() -> None:
    over: dict[str, Any] = {"board": "BB..|BB..|BB..|BB..", "score": -4, "to_move": None}
    game = Infinity()
    position = game.parse_position(over)
    assert position.outcome == Outcome(winner=BLUE, by="two_rows")
    assert game.position_json(position) == over
    assert game.parse_position({**GOOD, "score": -5, "to_move": None}).outcome == Outcome(
        winner=game.players[1], by="five_ahead"
    )


def test_where_the_last_position_does_not_tell_the_outcome_is_written() -> None:
    """Both have two rows and the mover won: the position alone does not say who that was."""
    game = Infinity(Options(both_two_rows="mover"))
    before = game.parse_position({"board": "BBYY|BBYY|BBYY|BYYK", "score": 0, "to_move": "blue"})
    played: Any = game.play(before, "B4")
    written = game.position_json(played.after)
    assert written["outcome"] == {"winner": "blue", "by": "two_rows"}
    assert game.parse_position(written) == played.after


def test_rows_that_stand_before_the_turn_count_at_its_end() -> None:
    """A position belongs to before the mover's turn: two rows on it have not won yet."""
    game = Infinity()
    position = game.parse_position({"board": "BB..|BB..|BB..|BB..", "score": 0, "to_move": "yellow"})
    assert position.outcome is None
    spoilt: Any = game.play(position, "Y1")
    assert (spoilt.after.outcome, spoilt.after.score) == (None, 1)
    won: Any = game.play(game.parse_position({**game.position_json(position), "to_move": "blue"}), "K1")
    assert won.after.outcome == Outcome(winner=BLUE, by="two_rows")


def test_an_empty_board_without_a_mover_is_the_start() -> None:
    empty: dict[str, Any] = {"board": "....|....|....|....", "score": 0, "to_move": None}
    assert Infinity().parse_position(empty) == Infinity().start()
    first = Infinity(Options(first="yellow"))
    assert first.parse_position(empty) == first.start()
