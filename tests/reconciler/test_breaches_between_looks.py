"""Breaches of which looks and beams show only a part: behind hands, beside a move that was not told yet, in glare."""

from __future__ import annotations

from collections.abc import Sequence

from companion.events import IllegalSeen, Record
from companion.evidence import MarbleEntered, MarbleLeft, Sight
from companion.table import Table
from tests.reconciler.sights import a_table, hand, shown, sight, words
from vision.reading import PlaceReading, Reading, Status

UNSAID = ("occluded", "clear", "score", "illegal_cleared")


def table_at(board: str, to_move: str) -> Table:
    """A table that has seen this board lie still."""
    table = a_table(position={"board": board, "score": 0, "to_move": to_move})
    shown(table, board, 0.1, 1.0)
    return table


def accused(told: Sequence[Record]) -> list[tuple[str, tuple[str, ...]]]:
    """The reasons told, each with the others that look the same."""
    events = [record.event for record in told if isinstance(record.event, IllegalSeen)]
    return [(event.reason, event.also) for event in events]


def doubtful(t_s: float, board: str, place: str, likelihoods: dict[str, float]) -> Sight:
    """A look at a board with glare on one place."""
    look = sight(t_s, board)
    places = {**look.reading.places, place: PlaceReading(likelihoods, sure=False)}
    return Sight(t_s, look.camera, Reading(Status.UNSURE, places, look.reading.knob))


def glared(table: Table, board: str, place: str, likelihoods: dict[str, float], looks: int) -> list[Record]:
    """Let the camera look a tenth of a second apart, with glare on one place."""
    sights = (doubtful(1.6 + index * 0.1, board, place, likelihoods) for index in range(looks))
    return [record for each in sights for record in table.take(each)]


def test_what_lay_wrong_is_no_sign_of_moves_that_leave_the_board_as_it_was() -> None:
    """Pushed into a full channel of both colours by turns, two marbles leave it as it was."""
    board = "BYBY|BYB.|....|...."
    table = table_at(board, "yellow")
    table.take(hand(1.1, board))
    told = shown(table, "BBYB|BY..|....|....", 1.2, 5.0)
    table.take(hand(5.1, board))
    told += shown(table, board, 5.2, 8.0)
    assert words(told) == ["illegal", "illegal_cleared"]


def test_a_far_beam_alone_tells_of_a_push_before_the_next() -> None:
    """One hand pushed two marbles, of the first only the far beam told; a hand that comes later is none of it."""
    board = "YBYB|BY..|YWY.|BYBB"
    table = table_at(board, "blue")
    table.take(hand(1.1, board))
    table.take(MarbleLeft(1.2, "gpio", 1))
    table.take(MarbleEntered(1.9, "gpio", 2))
    after = "KYBY|BBY.|YWY.|BYBB"
    told = shown(table, after, 2.5, 2.7)
    told += table.take(hand(2.8, after))
    told += shown(table, after, 2.9, 5.0)
    assert accused(told)[0][0] == "two_moves"


def test_two_marbles_of_which_either_may_be_the_legal_one_are_two_moves() -> None:
    """A hand that came back between them, or pushed both: nobody waits for what no look to come will tell."""
    board = "YBYB|BY..|YWY.|BYBB"
    table = table_at(board, "blue")
    table.take(hand(1.1, board))
    table.take(MarbleEntered(1.9, "gpio", 2))
    after = "KYBY|BBY.|YWY.|BYBB"
    told = shown(table, after, 2.5, 2.7)
    told += table.take(hand(2.8, after))
    told += shown(table, after, 2.9, 9.0)
    assert accused(told) == [("two_moves", ("not_your_turn",))]


def test_a_move_and_a_breach_are_told_apart_where_neither_explains_the_board() -> None:
    table = table_at("....|....|....|BW..", "yellow")
    table.take(MarbleEntered(1.2, "gpio", 1))
    table.take(MarbleLeft(4.5, "gpio", 4))
    told = shown(table, "Y...|....|....|BWK.", 5.0, 9.0)
    assert words(told) == ["Y1", "illegal"]
    assert accused(told)[0][0] == "wrong_end"


def test_so_they_are_while_an_earlier_breach_has_only_just_been_put_right() -> None:
    board = "YBYY|YYY.|KB..|BBBB"
    table = table_at(board, "yellow")
    table.take(hand(1.1, board))
    told = shown(table, "BYBY|YYY.|KB..|BBBB", 1.2, 4.0)
    table.take(hand(4.1, board))
    told += shown(table, "YBYY|KYYY|W.B.|BBBB", 4.2, 9.0)
    assert words(told, without=UNSAID) == ["illegal", "W3", "illegal"]


def test_what_lay_there_before_tells_a_move_and_a_breach_from_one_that_leaves_the_same_board() -> None:
    """The Joker pushed again into a full channel: the blue marble at its end was there before, behind a hand."""
    table = table_at("BBBK|WB..|BY..|YYYY", "blue")
    table.take(MarbleEntered(1.2, "gpio", 1))
    table.take(MarbleLeft(1.3, "gpio", 1))
    between = "BBBB|WB..|BY..|YYYY"
    told = shown(table, between, 1.5, 4.0, foreign=True, covered=("4.1", "4.2"))
    told += shown(table, between, 4.1, 5.0, foreign=True, covered=("2.1", "2.2", "2.3", "3.1", "3.2"))
    table.take(MarbleLeft(5.8, "gpio", 1))
    told += shown(table, "WBBB|.B..|BY..|YYYY", 6.2, 9.0)
    assert words(told) == ["B1", "illegal"]
    assert accused(told)[0][0] == "joker_not_available"


def test_a_joker_that_is_on_the_board_already_is_glare_on_another_marble() -> None:
    board = "....|Y...|....|BWBK"
    table = table_at(board, "yellow")
    table.take(MarbleEntered(1.2, "gpio", 3))
    likelihoods = {"W": 1.0, "B": 0.6, "Y": 0.05, "K": 0.05, ".": 0.05}
    told = glared(table, "....|Y...|W...|BWBK", "3.1", likelihoods, looks=60)
    assert accused(told)[0][0] == "not_your_turn"


def test_no_move_is_told_while_glare_hides_whose_marble_it_was() -> None:
    board = "BYY.|B...|BKW.|YBYB"
    table = table_at(board, "yellow")
    table.take(MarbleEntered(1.2, "gpio", 1))
    likelihoods = {"B": 1.0, "Y": 0.5, "W": 0.3, "K": 0.3, ".": 0.1}
    told = glared(table, "BBYY|B...|BKW.|YBYB", "1.1", likelihoods, looks=50)
    assert words(told) == []
    told += shown(table, "BBYY|B...|BKW.|YBYB", 6.6, 9.0)
    assert accused(told)[0][0] == "not_your_turn"
    assert words(told) == ["illegal"]
