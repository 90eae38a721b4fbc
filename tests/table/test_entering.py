"""Moves entered by hand: with a broken camera, with beams alone, with nothing at all, and each counted once."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import UsageError
from companion.events import MovePlayed, QuestionAsked, Record, record_json
from companion.evidence import DeviceChanged, DeviceState, MarbleEntered, MarbleLeft
from companion.games.game import Illegal
from companion.table import Table
from tests.reconciler.sights import EMPTY, a_table, hand, shown, words
from tests.table.boards import finity, finity_table, shown_sight, told_moves

B1 = "B...|....|....|...."
B1Y2 = "B...|Y...|....|...."
LOST = DeviceChanged(5.0, "camera", DeviceState.LOST, "unplugged")


def play(table: Table, move: str, now_s: float, by: str = "Ada") -> list[Record]:
    return table.command("play", {"move": move}, now_s, by)


def question(told: list[Record]) -> QuestionAsked:
    return next(record.event for record in told if isinstance(record.event, QuestionAsked))


def test_a_move_says_who_entered_it_and_one_that_was_seen_does_not() -> None:
    table = a_table(first="blue")
    [entered] = play(table, "B1", 1.0)
    assert isinstance(entered.event, MovePlayed)
    assert (entered.event.by, entered.event.person) == ("blue", "Ada")
    assert record_json(entered)["person"] == "Ada"
    shown(table, B1, 1.1, 2.0)
    table.take(hand(2.1))
    [seen] = [r for r in shown(table, B1Y2, 2.2, 4.0) if r.event.event == "move"]
    assert "person" not in record_json(seen)


@pytest.mark.parametrize(("move", "said"), [("B2", "Yellow's turn"), ("Y9", "channel"), ("<b>", "<b>")])
def test_an_illegal_entry_is_refused_and_changes_nothing(move: str, said: str) -> None:
    table = a_table(first="blue")
    play(table, "B1", 1.0)
    before = table.state_json()
    with pytest.raises(UsageError, match=said):
        play(table, move, 2.0)
    assert table.state_json() == before


def test_a_broken_camera_does_not_end_the_evening() -> None:
    """Seen, then entered blind, then seen again: nothing twice, and no question where the board agrees."""
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(hand(1.1))
    assert words(shown(table, B1, 1.2, 3.0)) == ["B1"]
    table.take(LOST)
    assert words(play(table, "Y2", 20.0)) == ["Y2"]
    assert words(play(table, "B3", 40.0)) == ["B3"]
    table.take(DeviceChanged(60.0, "camera", DeviceState.BACK))
    assert words(shown(table, "B...|Y...|B...|....", 60.1, 90.0)) == []
    table.take(hand(90.1))
    assert words(shown(table, "B...|Y...|B...|Y...", 90.2, 92.0)) == ["Y4"]


def test_a_board_that_differs_when_the_camera_is_back_is_asked_about_and_nobody_accused() -> None:
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(LOST)
    play(table, "B1", 20.0)
    table.take(DeviceChanged(60.0, "camera", DeviceState.BACK))
    told = shown(table, "....|B...|....|....", 60.1, 90.0)
    assert words(told) == ["question"]
    asked = question(told)
    assert asked.choices == ("B2", "as recorded", "none")
    table.command("answer", {"question": asked.question, "choice": "B2"}, 91.0)
    assert told_moves(table) == ["B2"]
    assert words(shown(table, "....|B...|....|....", 91.1, 110.0)) == []


def test_a_move_entered_before_it_is_made_is_waited_for() -> None:
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    play(table, "B1", 1.1)
    assert words(shown(table, EMPTY, 1.2, 8.0)) == []
    table.take(hand(8.1))
    assert words(shown(table, B1, 8.2, 20.0)) == []
    table.take(hand(20.1))
    assert words(shown(table, B1Y2, 20.2, 22.0)) == ["Y2"]


def test_a_move_that_is_never_made_is_asked_about() -> None:
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    play(table, "B1", 1.1)
    told = shown(table, EMPTY, 1.2, 30.0)
    assert words(told) == ["question"]
    asked = question(told)
    assert asked.choices == ("take back", "as recorded", "none")
    told = table.command("answer", {"question": asked.question, "choice": "take back"}, 31.0)
    assert words(told) == ["question_closed", "correction"]
    assert told_moves(table) == []
    assert words(shown(table, EMPTY, 31.1, 60.0)) == []


def blind() -> Table:
    """Beams alone."""
    table = a_table(first="blue")
    table.take(DeviceChanged(0.1, "gpio", DeviceState.OK))
    return table


def pushed(table: Table, t_s: float, channel: int) -> list[Record]:
    return table.take(MarbleEntered(t_s, "gpio", channel)) + table.tick(t_s + 2.0)


def test_a_beam_that_may_tell_of_an_entered_move_is_asked_about() -> None:
    table = blind()
    play(table, "B1", 1.0)
    told = pushed(table, 5.0, 1)
    assert words(told) == ["question"]
    assert question(told).choices == ("none", "Y1", "W1")
    assert told_moves(table) == ["B1"]


def test_the_beam_was_the_entered_move() -> None:
    table = blind()
    play(table, "B1", 1.0)
    asked = question(pushed(table, 5.0, 1))
    assert words(pushed(table, 8.0, 3)) == [], "what follows waits for the answer"
    table.command("answer", {"question": asked.question, "choice": "none"}, 9.0)
    table.tick(20.0)
    table.tick(40.0)
    assert told_moves(table)[0] == "B1"
    assert told_moves(table)[1:] in (["Y3"], ["W3"])


def test_the_beam_was_the_next_move() -> None:
    table = blind()
    play(table, "B1", 1.0)
    asked = question(pushed(table, 5.0, 1))
    table.command("answer", {"question": asked.question, "choice": "Y1"}, 9.0)
    assert told_moves(table) == ["B1", "Y1"]


def test_a_beam_of_another_channel_is_the_next_move() -> None:
    table = blind()
    play(table, "B1", 1.0)
    pushed(table, 5.0, 2)
    table.tick(30.0)
    assert told_moves(table)[0] == "B1"
    assert told_moves(table)[1] in ("Y2", "W2")


def test_both_beams_of_a_push_out_of_a_full_channel_belong_to_one_move() -> None:
    table = a_table(position={"board": "BYBY|....|....|....", "score": 0, "to_move": "blue"})
    table.take(DeviceChanged(0.1, "gpio", DeviceState.OK))
    play(table, "B1", 1.0)
    told = table.take(MarbleEntered(5.0, "gpio", 1)) + table.take(MarbleLeft(5.1, "gpio", 1)) + table.tick(9.0)
    assert words(told) == ["question"]
    table.command("answer", {"question": question(told).question, "choice": "none"}, 9.5)
    table.tick(30.0)
    assert told_moves(table) == ["B1"]


def test_a_beam_that_was_told_first_makes_the_entry_the_answer() -> None:
    """Who begins is open with beams alone: the question waits, and a person enters what was played."""
    table = a_table()
    table.take(DeviceChanged(0.1, "gpio", DeviceState.OK))
    told = pushed(table, 1.0, 1) + table.tick(20.0)
    assert "question" in words(told)
    assert words(play(table, "K1", 21.0)) == ["question_closed", "K1"]
    table.tick(60.0)
    assert told_moves(table) == ["K1"]


def whole_game(table: Table, least: int = 0) -> int:
    """Enter first legal moves to the end of the game, or so many."""
    count = 0
    while not table.finished and count < least:
        found = table.ask("legal_moves", {})
        moves = found["moves"]
        assert isinstance(moves, list)
        line: Any = moves[(7 * count) % len(moves)]
        told = play(table, str(line["move"]), float(count))
        assert any(isinstance(r.event, MovePlayed) for r in told)
        count += 1
    return count


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_a_game_can_be_played_by_hand_alone(game: str) -> None:
    table = a_table() if game == "infinity" else finity_table()
    count = whole_game(table, 60)
    assert len(told_moves(table)) == count > 10


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_every_legal_move_says_where_to_tap_and_what_then_lies_there(game: str) -> None:
    table = a_table() if game == "infinity" else finity_table("add b N>NE M", "add w SE>S M", "ring NE S")
    found: Any = table.ask("legal_moves", {})
    record = table.referee.record
    assert [line["move"] for line in found["moves"]] == list(record.game.legal_moves(record.position))
    places = set(found["sight"])
    for line in found["moves"]:
        assert line["words"]
        assert 1 <= len(line["taps"]) <= 2
        assert {place for step in line["taps"] for place in step} <= places
        after = record.play(line["move"])
        assert not isinstance(after, Illegal)
        assert line["shows"] == record.game.sight(after.position)[line["taps"][-1][0]]


def test_taps_and_labels_tell_all_moves_of_finity_apart() -> None:
    found: Any = finity_table("add b N>NE M").ask("legal_moves", {})
    told = {(str(line["taps"]), line["shows"]) for line in found["moves"]}
    assert len(told) == len(found["moves"])


def test_the_legal_moves_of_an_earlier_ply_are_those_of_then() -> None:
    table = a_table(first="blue")
    for number, move in enumerate(("B1", "Y2"), start=1):
        play(table, move, float(number))
    then: Any = table.ask("legal_moves", {"ply": 2})
    assert (then["ply"], then["to_move"], then["sight"]["1.1"], then["sight"]["2.1"]) == (2, "yellow", "B", ".")
    assert {line["move"][0] for line in then["moves"]} == {"Y", "W"}
    now: Any = table.ask("legal_moves", {"ply": 3})
    assert now == table.ask("legal_moves", {})
    with pytest.raises(UsageError, match="no move at ply 9"):
        table.ask("legal_moves", {"ply": 9})


def test_before_the_first_move_each_player_may_begin() -> None:
    found: Any = a_table().ask("legal_moves", {})
    assert {line["by"] for line in found["moves"]} == {"blue", "yellow"}


def test_finity_entered_blind_is_compared_when_the_camera_sees_the_board() -> None:
    game = finity()
    table = finity_table("add b N>NE M", "add w SE>S M")
    sight = dict(game.sight(table.referee.record.position))
    assert words(shown_sight(table, sight, 10.0, 30.0)) == []
    table = finity_table("add b N>NE M", "add w SE>S M")
    other = {**sight, "SE>S M": ".", "SE>S L": "w SE"}
    told = shown_sight(table, other, 10.0, 30.0)
    assert words(told) == ["question"]
    assert question(told).choices[0] == "add w SE>S L"
