"""What a board tells on coming back may be news or not, and of several pushes it does not know the order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.events import MovePlayed, QuestionAsked, Record
from companion.evidence import DeviceChanged, DeviceState
from companion.games.game import Illegal
from companion.record import GameRecord
from companion.table import Table
from firmware_bridge.readings import MarbleEntered, MarbleLeft
from tests.reconciler.sights import a_table, hand, infinity, shown

BOARD = "YBBB|YYBY|YYW.|BYBK"
"""All marbles are about, and blue is to move."""


def board_after(*moves: str) -> str:
    game = infinity()
    record = GameRecord(game, game.parse_position({"board": BOARD, "score": 0, "to_move": "blue"})).play_all(moves)
    assert not isinstance(record, Illegal)
    return str(game.position_json(record.position)["board"])


def moves_told(told: Sequence[Record]) -> list[MovePlayed]:
    return [record.event for record in told if isinstance(record.event, MovePlayed)]


def questions(told: Sequence[Record]) -> list[QuestionAsked]:
    return [record.event for record in told if isinstance(record.event, QuestionAsked)]


def comes_back(table: Table, t_s: float, channels: Sequence[int]) -> list[Record]:
    """The board is heard again, and its first report tells what passed meanwhile, in the order of the wire."""
    told = table.take(DeviceChanged(t_s, "board", DeviceState.BACK))
    for channel in channels:
        told += table.take(MarbleEntered(t_s, "board", channel))
    for channel in channels:
        told += table.take(MarbleLeft(t_s, "board", channel))
    return told + table.take(DeviceChanged(t_s + 0.1, "board", DeviceState.OK))


def pushed(table: Table, t_s: float, channel: int) -> list[Record]:
    """A marble into a channel that is full."""
    return table.take(MarbleEntered(t_s, "board", channel)) + table.take(MarbleLeft(t_s + 0.2, "board", channel))


def goes_blind(table: Table, t_s: float) -> list[Record]:
    told = table.take(DeviceChanged(t_s, "camera", DeviceState.LOST))
    for tenth in range(1, 12):
        told += table.tick(t_s + tenth / 10)
    return told


def at_a_board() -> Table:
    table = a_table(position={"board": BOARD, "score": 0, "to_move": "blue"})
    shown(table, BOARD, 0.1, 3.0)
    table.take(DeviceChanged(3.0, "board", DeviceState.STALE))
    return table


def a_push_before_the_next_unseen() -> tuple[Table, list[Record]]:
    """Blue's push is told late, and before the camera has seen it in the open it is gone; then yellow pushes."""
    table = at_a_board()
    for tenth in range(10):
        table.take(hand(4.0 + tenth / 10, BOARD))
    told = comes_back(table, 5.0, [2])
    told += table.take(hand(5.5, board_after("B2")))
    told += pushed(table, 6.2, 4)
    return table, told + goes_blind(table, 7.3)


def test_a_push_told_late_that_no_look_has_shown_is_in_doubt_and_not_forgotten() -> None:
    _, told = a_push_before_the_next_unseen()
    first, *_ = moves_told(told)
    assert {first.move, *first.others} == {"B2", "B4"}
    assert {choice for asked in questions(told) for choice in asked.choices} == {"B2", "B4"}


@pytest.mark.parametrize("made", [("B2", "Y4"), ("B4",)], ids=" ".join)
def test_the_answer_is_taken(made: tuple[str, ...]) -> None:
    """Either may be so: the board may have told of a push that was known."""
    table, told = a_push_before_the_next_unseen()
    table.command("answer", {"question": questions(told)[-1].question, "choice": made[0]}, 9.0)
    assert table.referee.record.moves == made


@pytest.mark.parametrize("made", [("B2", "Y4"), ("B4",)], ids=" ".join)
def test_a_look_answers(made: tuple[str, ...]) -> None:
    table, _ = a_push_before_the_next_unseen()
    shown(table, board_after(*made), 9.0, 13.0)
    assert table.referee.record.moves == made
    assert table.state_json()["question"] is None


def test_a_push_told_late_that_the_camera_has_seen_is_no_other() -> None:
    table = at_a_board()
    for tenth in range(5):
        table.take(hand(4.0 + tenth / 10, BOARD))
    shown(table, board_after("B2"), 4.5, 6.0)
    comes_back(table, 6.05, [2])
    shown(table, board_after("B2"), 6.1, 8.5)
    told = pushed(table, 9.0, 4) + goes_blind(table, 9.1)
    assert [event.move for event in moves_told(told)] == ["Y4"]
    assert questions(told) == []


def test_a_push_seen_before_the_camera_failed_is_not_told_again_when_the_board_comes_back() -> None:
    table = at_a_board()
    for tenth in range(5):
        table.take(hand(4.0 + tenth / 10, BOARD))
    told = shown(table, board_after("B2"), 4.5, 6.0) + goes_blind(table, 6.2)
    told += comes_back(table, 8.0, [2])
    for tenth in range(1, 200):
        told += table.tick(8.0 + tenth / 10)
    assert [event.move for event in moves_told(told)] == ["B2"]
    told = pushed(table, 30.0, 4)
    for tenth in range(1, 200):
        told += table.tick(30.0 + tenth / 10)
    first, *_ = moves_told(told)
    assert {first.move, *first.others} == {"Y2", "Y4"}
    assert questions(told), "yellow may have pushed into channel 2, too, when nothing was seen or heard"


@pytest.mark.parametrize("made", [("B2", "Y4"), ("B4", "Y2")], ids=" ".join)
def test_of_pushes_told_at_once_the_order_is_asked(made: tuple[str, ...]) -> None:
    table = at_a_board()
    told = goes_blind(table, 3.5)
    told += comes_back(table, 15.0, [2, 4])
    for tenth in range(1, 200):
        told += table.tick(15.0 + tenth / 10)
    asked, open_moves = questions(told), moves_told(told)
    assert [{move.move, *move.others} for move in open_moves] == [{"B2", "B4"}, {"Y2", "Y4"}]
    table.command("answer", {"question": asked[-1].question, "choice": made[1]}, 40.0)
    assert table.referee.record.moves == made


def test_the_turns_after_it_are_read_from_the_right_line() -> None:
    """Blue's and yellow's other pushes would lead to a board that differs at one covered place only."""
    table, told = a_push_before_the_next_unseen()
    made: tuple[str, ...] = ("B2", "Y4")
    for number, move in enumerate(("K4", "Y1")):
        began_s = 9.0 + 6.0 * number
        told += shown(table, board_after(*made), began_s, began_s + 3.0, covered=["4.2"])
        made = (*made, move)
        for tenth in range(10):
            told += table.take(hand(began_s + 3.1 + tenth / 10, board_after(*made), ["2.1", "4.2", "4.1"]))
    told += shown(table, board_after(*made), 21.0, 30.0, covered=["4.2"], knob=-2)
    assert table.referee.record.moves == made
    assert table.state_json()["question"] is None


def spoken_against_twice() -> tuple[Table, list[Record]]:
    """Something lies over a seat while six marbles are pushed, of which the first is felt by no beam. Four moves leave
    the same board, with one push missed and one felt too many."""
    board = "WKBY|BYB.|YBYY|YBYY"
    table = a_table(position={"board": board, "score": -2, "to_move": "blue"})
    table.take(DeviceChanged(0.0, "gpio", DeviceState.OK))
    shown(table, board, 0.1, 1.0, knob=-2)
    told = table.take(hand(1.5, board))
    pushes = ((3.0, 3, "WKBY|BYB.|BYBY|YBYY"), (9.0, 1, "WKBY|BYB.|YBYB|YBYY"), (14.0, 4, "BWKB|BYB.|YBYB|YBYY"))
    for t_s, channel, before in (*pushes, (16.0, 3, "BWKB|BYB.|YBYB|YYBY")):
        told += table.take(hand(t_s - 0.1, before))
        told += table.take(MarbleEntered(t_s, "gpio", channel)) + table.take(MarbleLeft(t_s + 0.02, "gpio", channel))
    told += table.take(hand(19.9, "BWKB|BYB.|BYBY|YYBY")) + table.take(MarbleEntered(20.1, "gpio", 2))
    told += shown(table, "BWKB|YBYB|BYBY|YYBY", 20.5, 33.0, step_s=0.5, knob=-4)
    return table, told


def test_moves_that_beams_speak_against_twice_are_asked_about() -> None:
    _, told = spoken_against_twice()
    assert moves_told(told) == []
    assert questions(told)[0].choices[-1] == "none"


def test_beams_close_no_question_that_looks_left_open_a_moment_ago() -> None:
    """The camera fails while people read the question, and the next marble is pushed."""
    table, asked = spoken_against_twice()
    told = table.take(DeviceChanged(33.5, "camera", DeviceState.STALE))
    told += table.take(MarbleEntered(34.0, "gpio", 3)) + table.take(MarbleLeft(34.2, "gpio", 3))
    for tenth in range(40):
        told += table.tick(35.0 + tenth / 10)
    assert moves_told(told) == []
    question = table.referee.question
    assert question is not None
    assert question.asked == questions(asked)[-1]
