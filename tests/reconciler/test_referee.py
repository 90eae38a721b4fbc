"""Commands, corrections, questions, the knob, and a referee that comes back from its own events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.errors import UsageError
from companion.events import Corrected, IllegalSeen, KnobMismatch, MovePlayed, Record, record_json
from companion.evidence import DeviceChanged, DeviceState, KnobAt, MarbleEntered
from companion.referee import Referee
from companion.table import Table
from tests.reconciler.sights import EMPTY, a_table, hand, infinity, shown, words

THREE = "BB..|....|....|...."
ROW = {"board": "B...|B...|B...|Y...", "score": 0, "to_move": "blue"}


def play(table: Table, *boards: str, since_s: float = 0.0, knob: int | None = 0) -> list[Record]:
    """Show one board after the other, a hand between them."""
    told, now_s = [], since_s
    for board in boards:
        told += table.take(hand(now_s + 0.1))
        told += shown(table, board, now_s + 0.2, now_s + 1.6, knob=knob)
        now_s += 1.7
    return told


def three_moves() -> Table:
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    told = play(table, "B...|....|....|....", "B...|Y...|....|....", "BB..|Y...|....|....", since_s=1.0)
    assert words(told) == ["B1", "Y2", "B1"]
    return table


def moves_of(table: Table) -> list[str]:
    moves = table.state_json()["moves"]
    assert isinstance(moves, list)
    return [str(move["move"]) for move in moves if isinstance(move, dict)]


def test_undo_twice_leaves_one_move_and_the_right_player() -> None:
    """R12"""
    table = three_moves()
    for ply in (3, 2):
        assert words(table.command("undo", {"ply": ply}, 10.0, by="Ada")) == ["correction"]
    assert moves_of(table) == ["B1"]
    assert table.state_json()["to_move"] == "yellow"


def test_time_never_runs_back_in_the_record() -> None:
    """A late picture bears the time of its taking."""
    table = a_table(first="blue")
    told = table.take(DeviceChanged(8.0, "camera", DeviceState.LOST, ""))
    told += table.take(DeviceChanged(7.0, "camera", DeviceState.BACK, ""))
    assert [record.t_s for record in told] == [8.0, 8.0]


def test_only_the_last_move_can_be_taken_back() -> None:
    table = three_moves()
    with pytest.raises(UsageError, match="that is ply 3, not 1"):
        table.command("undo", {"ply": 1}, 10.0)
    with pytest.raises(UsageError, match="no move to take back"):
        a_table().command("undo", {"ply": 1}, 10.0)


def test_a_correction_is_one_event_and_no_new_score() -> None:
    """R20: who, why, old and new, and the later moves that still stand."""
    table = three_moves()
    args: dict[str, Any] = {"ply": 2, "moves": ["Y3"], "why": "it was channel 3"}
    told = table.command("correct", args, 10.0, by="Ada")
    assert words(told, without=()) == ["correction"]
    event = told[0].event
    assert isinstance(event, Corrected)
    assert (event.old, event.new, event.by, event.why) == (("Y2", "B1"), ("Y3", "B1"), "Ada", "it was channel 3")
    assert event.position["board"] == "BB..|....|Y...|...."


def test_a_correction_that_scores_otherwise_tells_its_score_in_itself() -> None:
    table = a_table(position=ROW)
    shown(table, "B...|B...|B...|Y...", 0.1, 1.0)
    told = play(table, "B...|B...|B...|BY..", since_s=1.0)
    assert words(told, without=("occluded", "clear")) == ["B4", "score"]
    told = table.command("correct", {"ply": 1, "moves": ["B1"]}, 5.0)
    assert words(told, without=()) == ["correction"]
    assert isinstance(told[0].event, Corrected)
    assert told[0].event.score == 0


def test_a_score_that_does_not_change_is_not_told() -> None:
    """R19: a turn worth nothing is a move, and no score of 0."""
    told = play(a_table(first="blue"), "B...|....|....|....", since_s=1.0)
    assert words(told, without=("occluded", "clear")) == ["B1"]


def test_an_illegal_correction_is_refused_and_changes_nothing() -> None:
    table = three_moves()
    before = table.state_json()
    with pytest.raises(UsageError, match="Yellow's turn"):
        table.command("correct", {"ply": 2, "moves": ["B2"]}, 10.0)
    with pytest.raises(UsageError, match="no move 9"):
        table.command("correct", {"ply": 9, "moves": ["B2"]}, 10.0)
    assert table.state_json() == before


@pytest.mark.parametrize(
    ("name", "args"), [("dance", {}), ("undo", {}), ("answer", {"question": "q7", "choice": "B1"}), ("correct", {})]
)
def test_commands_that_cannot_be_are_refused(name: str, args: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        a_table().command(name, args, 1.0)


def test_a_breach_is_named_once_and_cleared_when_it_is_put_right() -> None:
    table = a_table(position={"board": "BY..|....|....|....", "score": 0, "to_move": "blue"})
    shown(table, "BY..|....|....|....", 0.1, 1.0)
    told = play(table, "YBY.|....|....|....", since_s=1.0)
    told += shown(table, "YBY.|....|....|....", 2.7, 8.0)
    assert words(told) == ["illegal"]
    event = next(record.event for record in told if isinstance(record.event, IllegalSeen))
    assert event.reason == "not_your_turn"
    assert event.also == ("wrong_player", "no_move")
    assert event.seen == {"1.1": "Y", "1.2": "B", "1.3": "Y"}
    assert table.state_json()["illegal"] is not None
    told = play(table, "BY..|....|....|....", since_s=9.0)
    assert words(told) == ["illegal_cleared"]
    assert table.state_json()["illegal"] is None


def test_a_misread_place_accuses_nobody() -> None:
    table = a_table(position={"board": "BY..|....|....|....", "score": 0, "to_move": "blue"})
    shown(table, "BY..|....|....|....", 0.1, 1.0)
    told = shown(table, "BY..|....|....|....", 1.1, 1.4, misread={"1.2": "."})
    told += shown(table, "BY..|....|....|....", 1.5, 4.0)
    assert words(told) == []


def test_after_the_end_a_new_game_begins_by_command_and_numbers_go_on() -> None:
    table = a_table(position={"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"})
    play(table, "BB..|BB..|BB..|BB..", since_s=0.1)
    seq = table.state_json()["seq"]
    assert table.finished
    told = table.command("new_game", {}, 9.0)
    assert words(told) == ["game_started"]
    assert told[0].seq == int(str(seq)) + 1
    assert table.state_json()["outcome"] is None
    assert words(play(table, "B...|....|....|....", since_s=10.0)) == ["B1"]


# The knob


def at(t_s: float, stop: int, *, at_rest: bool = True, verified: bool = True) -> KnobAt:
    return KnobAt(t_s, "gpio", stop, stop, at_rest, verified)


def scored() -> Table:
    """Blue has just scored 1; the camera does not see the knob, the encoder stands at 0."""
    table = a_table(position=ROW)
    table.take(at(0.0, 0))
    shown(table, "B...|B...|B...|Y...", 0.1, 1.0, knob=None)
    assert words(play(table, "B...|B...|B...|BY..", since_s=1.0, knob=None)) == ["B4"]
    return table


def mismatches(told: Sequence[Record]) -> list[tuple[int, int, bool]]:
    events = [record.event for record in told if isinstance(record.event, KnobMismatch)]
    return [(event.expected, event.seen, event.resolved) for event in events]


def test_a_knob_may_lag_for_the_grace_time_and_is_told_then_and_when_it_is_right() -> None:
    table = scored()
    assert mismatches(table.tick(9.0)) == []
    assert mismatches(table.tick(13.0)) == [(1, 0, False)]
    assert mismatches(table.tick(40.0)) == []
    assert mismatches(table.take(at(41.0, 1))) == [(1, 1, True)]


def test_a_knob_turned_in_time_is_no_news() -> None:
    table = scored()
    told = table.take(at(5.0, 1, at_rest=False)) + table.take(at(5.3, 1)) + table.tick(60.0)
    assert mismatches(told) == []


def test_a_knob_turned_wrong_is_told_after_the_grace_time_too() -> None:
    table = scored()
    told = table.take(at(5.0, -1)) + table.tick(9.0)
    assert mismatches(told) == []
    assert mismatches(table.tick(14.0)) == [(1, -1, False)]


def test_a_knob_that_turns_or_that_nobody_trusts_says_nothing() -> None:
    table = scored()
    told = table.take(at(5.0, 2, at_rest=False)) + table.tick(60.0)
    told += table.take(at(61.0, 2, verified=False)) + table.tick(90.0)
    assert mismatches(told) == []
    assert table.state_json()["knob"] == {"expected": 1, "seen": 2, "verified": False, "wrong": False}, (
        "shown, but not believed"
    )


def test_a_knob_turned_without_a_move_is_said_so() -> None:
    table = a_table(first="blue")
    table.take(at(0.0, 0))
    table.take(at(1.0, 0))
    told = table.take(at(5.0, 2)) + table.tick(14.0)
    assert mismatches(told) == []
    told = table.tick(16.0)
    assert mismatches(told) == [(0, 2, False)]
    assert "without a move" in str(record_json(told[0])["words"])


def test_an_encoder_after_power_up_is_believed_when_the_camera_or_a_person_confirms_it() -> None:
    table = scored()
    table.take(at(5.0, 4, verified=False))
    assert mismatches(table.tick(30.0)) == []
    told = shown(table, "B...|B...|B...|BY..", 30.1, 32.0, knob=1)
    assert mismatches(told) == []
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": True, "wrong": False}
    table = scored()
    table.take(at(5.0, 4, verified=False))
    table.command("confirm_knob", {}, 6.0)
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": True, "wrong": False}


def test_an_encoder_that_lost_edges_is_put_right_by_the_camera() -> None:
    table = scored()
    table.take(at(5.0, 2))
    told = shown(table, "B...|B...|B...|BY..", 5.1, 20.0, knob=1)
    assert mismatches(told) == []


def test_a_wrong_knob_is_told_where_the_encoder_lost_edges_in_that_very_turn() -> None:
    table = scored()
    table.take(at(5.0, 1))
    told = shown(table, "B...|B...|B...|BY..", 5.1, 20.0, knob=2)
    assert mismatches(told) == [(1, 2, False)]


def test_an_encoder_that_was_silent_is_not_trusted() -> None:
    table = scored()
    told = table.take(DeviceChanged(5.0, "gpio", DeviceState.LOST)) + table.take(
        DeviceChanged(6.0, "gpio", DeviceState.BACK)
    )
    assert words(told) == ["device", "device"]
    assert mismatches(table.tick(60.0)) == []


def test_an_encoder_that_counted_while_it_was_silent_is_trusted_when_it_says_so() -> None:
    table = scored()
    table.take(at(5.0, 1))
    table.take(DeviceChanged(6.0, "gpio", DeviceState.STALE))
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": False, "wrong": False}
    table.take(DeviceChanged(8.0, "gpio", DeviceState.BACK))
    table.take(at(8.0, 1))
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": True, "wrong": False}


def test_an_encoder_that_was_put_right_by_a_person_is_believed_as_it_is() -> None:
    table = scored()
    table.take(at(5.0, 3))
    table.command("confirm_knob", {}, 6.0)
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": True, "wrong": False}
    table.take(at(6.0, 1))
    assert table.state_json()["knob"] == {"expected": 1, "seen": 1, "verified": True, "wrong": False}


def test_both_players_share_the_stop_at_infinity() -> None:
    position = {"board": "....|B...|B...|B...", "score": 4, "to_move": "blue"}
    table = a_table(position=position)
    table.take(at(0.0, 4))
    shown(table, "....|B...|B...|B...", 0.1, 1.0, knob=None)
    assert words(play(table, "K...|B...|B...|B...", since_s=1.0, knob=None)) == ["K1", "game_over"]
    assert table.state_json()["knob"] == {"expected": 5, "seen": 4, "verified": True, "wrong": False}
    assert mismatches(table.take(at(5.0, 5)) + table.tick(60.0)) == []


# Coming back


def without_moment(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in ("knob",)}


def test_a_referee_comes_back_from_its_own_events() -> None:
    table = a_table(first="blue")
    told = list(shown(table, EMPTY, 0.0, 1.0))
    start = Referee(infinity(first="blue"), "a game").start(0.0)
    told = [*start, *told]
    told += table.take(DeviceChanged(1.0, "camera", DeviceState.OK))
    told += play(table, "B...|....|....|....", "B...|Y...|....|....", since_s=1.0)
    told += table.command("correct", {"ply": 2, "moves": ["W2"], "why": "seen"}, 8.0, by="Ada")
    told += play(table, "BB..|W...|....|....", since_s=9.0)
    told += play(table, "BB..|....|....|....", since_s=12.0)
    assert words(told)[-1] == "illegal"
    for length in range(1, len(told) + 1):
        back = Referee.restore(infinity(first="blue"), "a game", told[:length])
        assert back.seq == length
    assert back.state_json() == table.referee.state_json()


def test_a_resumed_table_compares_the_board_and_goes_on() -> None:
    first = three_moves()
    records = first_records(first)
    table = Table(infinity(first="blue"), game_id="a game", earlier=records)
    assert table.start(100.0) == []
    assert words(shown(table, "BB..|Y...|....|....", 100.1, 103.0)) == []
    told = play(table, "BB..|YY..|....|....", since_s=104.0)
    assert words(told) == ["Y2"]
    assert told[-1].seq == records[-1].seq + sum(1 for _ in told)


def test_a_knob_told_wrong_before_a_restart_is_told_right_after_it() -> None:
    table = Table(infinity(first="blue"), game_id="a game")
    records = table.start(0.0) + table.take(at(0.0, 0)) + table.take(at(1.0, 0)) + table.take(at(5.0, 2))
    records += table.tick(16.0)
    assert mismatches(records) == [(0, 2, False)]
    back = Table(infinity(first="blue"), game_id="a game", earlier=records)
    assert back.start(100.0) == []
    assert mismatches(back.take(at(100.0, 2)) + back.tick(130.0)) == [], "it was told before"
    assert mismatches(back.take(at(131.0, 0)) + back.tick(132.0)) == [(0, 0, True)]


def first_records(table: Table) -> list[Record]:
    """The records of three moves, as a journal would have kept them."""
    referee = Referee(infinity(first="blue"), "a game")
    records = referee.start(0.0)
    for move in moves_of(table):
        from companion.reconciler.verdicts import FoundMove, MovesFound

        records += referee.take(1.0, MovesFound((FoundMove(move),)))
    return records


def test_ids_follow_from_the_game_and_the_number_alone() -> None:
    one, other = (Referee(infinity(), "a game").start(float(t)) for t in (0, 5))
    assert one[0].id == other[0].id
    assert Referee(infinity(), "another game").start(0.0)[0].id != one[0].id


# Without a camera


def entered(table: Table, t_s: float, channel: int) -> list[Record]:
    return table.take(MarbleEntered(t_s, "gpio", channel)) + table.tick(t_s + 1.0) + table.tick(t_s + 3.0)


def test_the_turn_gives_the_colour_and_a_person_says_whether_it_was_the_joker() -> None:
    table = a_table(first="blue")
    told = entered(table, 1.0, 3)
    assert words(told) == ["B3", "question"]
    assert isinstance(told[0].event, MovePlayed)
    assert told[0].event.others == ("K3",)
    told = table.command("answer", {"question": "q1", "choice": "K3"}, 5.0, by="Ada")
    assert words(told) == ["question_closed", "correction"]
    assert moves_of(table) == ["K3"]
    entered(table, 6.0, 1)
    assert words(entered(table, 12.0, 1)) == ["B1", "question_closed"] or moves_of(table)[-1] == "B1"


def test_who_began_is_asked_and_nothing_is_told_before() -> None:
    table = a_table()
    assert words(entered(table, 1.0, 3)) == ["question"]
    assert words(entered(table, 6.0, 1)) == []
    told = table.command("answer", {"question": "q1", "choice": "Y3"}, 12.0)
    assert [word for word in words(told) if word[0] in "BKYW"] == ["Y3", "B1"]


def test_a_joker_that_is_on_the_board_is_no_question() -> None:
    table = a_table(position={"board": "K...|....|....|....", "score": 0, "to_move": "blue"})
    assert words(entered(table, 1.0, 3)) == ["B3"]


def test_the_knob_tells_the_joker() -> None:
    """With the Joker the row scores two."""
    for stop, move in ((1, "B4"), (2, "K4")):
        table = a_table(position=ROW)
        table.take(at(0.0, 0))
        assert words(table.take(MarbleEntered(1.0, "gpio", 4)) + table.tick(2.0)) == ["question"]
        told = table.take(at(4.0, stop)) + table.tick(4.5)
        assert words(told) == [move, "question_closed"]


def test_a_full_channel_without_its_far_beam_is_still_that_move() -> None:
    position = {"board": "YBYB|K...|....|....", "score": 0, "to_move": "blue"}
    table = a_table(position=position)
    assert words(entered(table, 1.0, 1)) == ["B1"]
