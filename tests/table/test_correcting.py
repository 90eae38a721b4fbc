"""The record put right by people: anything in it, seen before it is accepted, and announced once."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import UsageError
from companion.events import Corrected, QuestionAsked, record_json
from companion.games.game import Json
from companion.journal.events_json import record_from_json
from companion.referee import Referee
from companion.table import Table
from tests.reconciler.sights import EMPTY, a_table, hand, infinity, shown, words
from tests.table.boards import finity_table, told_moves

FOUR = ("B1", "Y2", "B3", "Y4")


def by_hand(*moves: str, **options: Any) -> Table:
    table = a_table(**{"first": "blue", **options})
    for number, move in enumerate(moves, start=1):
        table.command("play", {"move": move}, float(number), "Ada")
    return table


def fates(preview: dict[str, Json]) -> list[tuple[str, str]]:
    moves = preview["moves"]
    assert isinstance(moves, list)
    return [(str(each["move"]), str(each["fate"])) for each in moves if isinstance(each, dict)]


def preview(table: Table, **args: Any) -> dict[str, Json]:
    before = table.state_json()
    found = table.ask("preview_correct", args)
    assert table.state_json() == before, "who only looks changes nothing"
    return found


def test_a_replaced_move_shows_what_stays() -> None:
    table = by_hand(*FOUR)
    found = preview(table, ply=2, moves=["W3"])
    assert fates(found) == [("Y2", "gone"), ("W3", "new"), ("B3", "stays"), ("Y4", "stays")]
    assert found["why"] is None
    assert found["seq"] == table.state_json()["seq"]
    table.command("correct", {"ply": 2, "moves": ["W3"]}, 9.0)
    assert told_moves(table) == ["B1", "W3", "B3", "Y4"]
    assert found["position"] == table.state_json()["position"]
    assert found["sight"] == table.state_json()["sight"]


def test_a_missed_move_is_put_in_and_what_falls_says_why() -> None:
    table = by_hand(*FOUR)
    found = preview(table, ply=3, moves=["B2"], replaces=0)
    assert fates(found) == [("B2", "new"), ("B3", "falls"), ("Y4", "falls")]
    assert found["why"] == {"move": "B3", "reason": "not_your_turn", "detail": found["why"]["detail"]}  # type: ignore[index,call-overload]
    told = table.command("correct", {"ply": 3, "moves": ["B2"], "replaces": 0}, 9.0)
    assert words(told, without=()) == ["correction"]
    assert told_moves(table) == ["B1", "Y2", "B2"]


def test_two_missed_moves_put_in_leave_all_later_ones() -> None:
    table = by_hand(*FOUR)
    found = preview(table, ply=3, moves=["B2", "Y1"], replaces=0)
    assert [fate for _, fate in fates(found)] == ["new", "new", "stays", "stays"]


def test_a_move_that_never_was_is_taken_out() -> None:
    table = by_hand(*FOUR)
    assert fates(preview(table, ply=4, moves=[])) == [("Y4", "gone")]
    assert fates(preview(table, ply=3, moves=[], replaces=2)) == [("B3", "gone"), ("Y4", "gone")]
    table.command("correct", {"ply": 3, "moves": [], "replaces": 2, "why": "a shadow"}, 9.0, "Ada")
    assert told_moves(table) == ["B1", "Y2"]


def test_two_moves_in_the_wrong_order_are_swapped() -> None:
    moves = ["add b N>NE M", "add w NE>E M"]
    table = finity_table(*moves, "add b N>NW M")
    found = preview(table, ply=1, moves=moves[::-1], replaces=2)
    assert fates(found) == [
        *((move, "gone") for move in moves),
        *((move, "new") for move in moves[::-1]),
        ("add b N>NW M", "stays"),
    ]
    with pytest.raises(UsageError, match="cannot stand at ply 1"):
        table.command("correct", {"ply": 1, "moves": ["ring C S", moves[0]], "replaces": 2}, 9.0)
    table.command("correct", {"ply": 1, "moves": moves[::-1], "replaces": 2}, 9.0)
    assert told_moves(table) == [*moves[::-1], "add b N>NW M"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"ply": 9, "moves": ["B1"]}, "no move 9"),
        ({"ply": 0, "moves": ["B1"]}, "no move 0"),
        ({"ply": 4, "moves": [], "replaces": 2}, "not 2 moves"),
        ({"ply": 4, "moves": [], "replaces": -1}, "not -1 moves"),
        ({"ply": 4, "moves": [], "replaces": 0}, "nothing would change"),
        ({"ply": 1, "moves": ["Y1"]}, "cannot stand"),
        ({"ply": 1, "moves": ["xyz"]}, "cannot stand"),
    ],
)
def test_what_cannot_be_is_refused_by_the_preview_and_by_the_command(args: dict[str, Any], said: str) -> None:
    table = by_hand(*FOUR)
    before = table.state_json()
    with pytest.raises(UsageError, match=said):
        table.ask("preview_correct", args)
    with pytest.raises(UsageError, match=said):
        table.command("correct", args, 9.0)
    assert table.state_json() == before


def test_a_preview_says_score_turn_and_end_before_and_after() -> None:
    table = a_table(position={"board": "BB..|BB..|BB..|B...", "score": -4, "to_move": "blue"})
    table.command("play", {"move": "B4"}, 1.0)
    found = table.ask("preview_undo", {"ply": 1})
    assert found["before"] == {
        "score": -4,
        "to_move": None,
        "orphans": [],
        "outcome": {"winner": "blue", "by": "two_rows"},
        "outcome_words": "Blue wins (two rows)",
        "plies": 1,
    }
    after = found["after"]
    assert isinstance(after, dict)
    assert (after["score"], after["to_move"], after["outcome"]) == (-4, "blue", None)


def test_a_preview_of_finity_names_the_rings_that_a_move_would_cut_off() -> None:
    table = finity_table("add b N>NE M", "add w SE>S M", "ring NE S", "add b SW>S M")
    found = preview(table, ply=4, moves=["reverse N>NE M"])
    after = found["after"]
    assert isinstance(after, dict)
    assert after["orphans"] == [["A", "NE", "S"]]


def test_undo_after_a_mistaken_end() -> None:
    """The win is taken back, announced by the correction alone, and the winner is to move again."""
    table = a_table(position={"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"})
    told = table.command("play", {"move": "B4"}, 1.0)
    assert words(told) == ["B4", "game_over"]
    assert table.state_json()["outcome"] is not None
    assert words(table.command("undo", {"ply": 1}, 2.0, "Ada"), without=()) == ["correction"]
    assert table.state_json()["to_move"] == "blue"
    assert table.state_json()["outcome"] is None
    assert words(table.command("play", {"move": "B1"}, 3.0)) == ["B1"]


def restarted(table: Table, told: list[Any]) -> Table:
    lines = [record_from_json(record_json(record)) for record in told]
    return Table(infinity(first="blue"), game_id="a game", earlier=lines)


def test_undo_twice_after_a_restart_leaves_the_right_player() -> None:
    """R12, with a kill in between."""
    table = a_table(first="blue")
    told = Referee(infinity(first="blue"), "a game").start(0.0)
    for number, move in enumerate(("B1", "Y2", "B3"), start=1):
        told += table.command("play", {"move": move}, float(number))
    again = restarted(table, told)
    again.start(20.0)
    for ply in (3, 2):
        told += again.command("undo", {"ply": ply}, 21.0)
    assert told_moves(again) == ["B1"]
    assert again.state_json()["to_move"] == "yellow"
    assert told_moves(restarted(again, told)) == ["B1"]


def test_every_kind_of_correction_comes_back_after_a_restart() -> None:
    table = a_table(first="blue")
    told = Referee(infinity(first="blue"), "a game").start(0.0)
    for number, move in enumerate(FOUR, start=1):
        told += table.command("play", {"move": move}, float(number), "Ada")
    corrections: tuple[dict[str, Any], ...] = (
        {"ply": 3, "moves": ["B2", "Y1"], "replaces": 0},
        {"ply": 2, "moves": ["Y3", "K2"], "replaces": 2},
        {"ply": 6, "moves": []},
    )
    for args in corrections:
        told += table.command("correct", args, 9.0, "Ada")
        again = restarted(table, told)
        assert told_moves(again) == told_moves(table)
        assert again.state_json()["position"] == table.state_json()["position"]


def test_a_correction_keeps_who_and_why() -> None:
    table = by_hand(*FOUR)
    told = table.command("correct", {"ply": 4, "moves": ["W1"], "why": "it was white"}, 9.0, "Żaneta")
    event = told[0].event
    assert isinstance(event, Corrected)
    assert (event.by, event.why, event.old, event.new) == ("Żaneta", "it was white", ("Y4",), ("W1",))


def test_a_question_about_a_move_that_is_taken_back_is_void() -> None:
    table = a_table(first="blue")
    before = table.referee.record
    table.referee.record = before.play("B1", ("K1",))  # type: ignore[assignment]
    table.referee.questions.after_moves(1.0, table.referee.record, [], "evidence", over=False)
    assert table.referee.question is not None
    told = table.command("undo", {"ply": 1}, 2.0)
    assert words(told, without=()) == ["question_closed", "correction"]
    assert table.referee.question is None


def seen_then_undone() -> Table:
    """The camera has seen B1, a person takes it back on the page, and the marble still lies there."""
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(hand(1.1))
    assert words(shown(table, "B...|....|....|....", 1.2, 3.0)) == ["B1"]
    assert words(table.command("undo", {"ply": 1}, 3.1, "Ada")) == ["correction"]
    return table


def test_what_still_lies_there_after_a_takeback_is_no_new_move() -> None:
    table = seen_then_undone()
    assert words(shown(table, "B...|....|....|....", 3.2, 9.0)) == []
    table.take(hand(9.1))
    assert words(shown(table, EMPTY, 9.2, 11.0)) == []
    table.take(hand(11.1))
    assert words(shown(table, "....|B...|....|....", 11.2, 13.0)) == ["B2"]


def test_a_takeback_that_the_board_goes_on_to_contradict_is_asked_about_once() -> None:
    table = seen_then_undone()
    told = shown(table, "B...|....|....|....", 3.2, 40.0)
    assert words(told) == ["question"]
    asked = next(record.event for record in told if isinstance(record.event, QuestionAsked))
    assert asked.choices == ("B1", "as recorded", "none")
    assert words(table.command("answer", {"question": asked.question, "choice": "B1"}, 41.0)) == [
        "question_closed",
        "B1",
    ]
    assert words(shown(table, "B...|....|....|....", 41.1, 60.0)) == []


def test_a_camera_that_misreads_is_overruled_by_one_tap() -> None:
    table = seen_then_undone()
    shown(table, "B...|....|....|....", 3.2, 16.0)
    told = table.command("answer", {"question": "q1", "choice": "as recorded"}, 16.5, "Ada")
    assert words(told) == ["question_closed", "place_said"]
    assert words(shown(table, "B...|....|....|....", 17.0, 40.0)) == []
    assert told_moves(table) == []


def test_a_board_that_shows_another_move_than_the_corrected_one_offers_it() -> None:
    table = seen_then_undone()
    table.command("play", {"move": "K1"}, 3.5)
    told = shown(table, "B...|....|....|....", 3.6, 20.0)
    asked = next(record.event for record in told if isinstance(record.event, QuestionAsked))
    assert asked.choices == ("B1", "as recorded", "none")
    told = table.command("answer", {"question": asked.question, "choice": "B1"}, 21.0, "Ada")
    assert words(told) == ["question_closed", "correction"]
    assert told_moves(table) == ["B1"]
