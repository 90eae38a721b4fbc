"""The worked examples E1 to E19 of the rules of Infinity, and every house rule that they name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.game import Json, Outcome, Played
from companion.games.infinity import Infinity, Options, Position
from companion.games.infinity.marbles import BLUE, OWNER, YELLOW, Marble
from companion.judge import judge_case
from tests.rules.naive import OPPONENT

BLUE_BY_TWO = Outcome(winner=BLUE, by="two_rows")
BLUE_BY_FIVE = Outcome(winner=BLUE, by="five_ahead")
YELLOW_BY_TWO = Outcome(winner=YELLOW, by="two_rows")
YELLOW_BY_FIVE = Outcome(winner=YELLOW, by="five_ahead")


def position(game: Infinity, board: str, score: int, to_move: str) -> Position:
    return game.parse_position({"board": board, "score": score, "to_move": to_move})


def turn_ending_with(board: str, score: int, mover: str, options: Mapping[str, Json]) -> Played[Position]:
    """Play the push that leaves this board: the last marble of the mover at an entry end, taken back first."""
    game = Infinity(Options.parse(options))
    channels = board.split("|")
    for index in (3, 2, 1, 0):
        first = channels[index][0]
        if first != "." and OWNER[Marble(first)] == mover:
            before = [*channels[:index], channels[index][1:] + ".", *channels[index + 1 :]]
            played = game.play(position(game, "|".join(before), score, mover), f"{first}{index + 1}")
            assert isinstance(played, Played)
            assert played.after.board == board
            return played
    raise AssertionError(f"{mover} cannot have made {board}")


@pytest.mark.parametrize(
    ("name", "board", "mover", "score", "options", "expected", "outcome"),
    [
        ("E2", "B...|B...|B...|B...", "blue", 0, {}, 1, None),
        ("E3", "BY..|BY..|BY..|BY..", "blue", 0, {}, 0, None),
        ("E4", "K...|B...|B...|B...", "blue", 0, {}, 2, None),
        ("E4 rows", "K...|B...|B...|B...", "blue", 0, {"joker_override": "rows"}, 1, None),
        ("E5", "KY..|BY..|BY..|BY..", "blue", 0, {}, 2, None),
        ("E5 rows", "KY..|BY..|BY..|BY..", "blue", 0, {"joker_override": "rows"}, 1, None),
        ("E5 off", "KY..|BY..|BY..|BY..", "blue", 0, {"joker_override": "off"}, 1, None),
        ("E6", "KW..|BY..|BY..|BY..", "blue", 0, {}, 0, None),
        ("E6 mover", "KW..|BY..|BY..|BY..", "blue", 0, {"both_jokers": "mover"}, 2, None),
        ("E6 none", "KW..|BY..|BY..|BY..", "blue", 0, {"both_jokers": "none"}, 0, None),
        ("E8", "BBBB|B...|B...|B...", "blue", 0, {}, 0, BLUE_BY_TWO),
        ("E8 disjoint", "BBBB|B...|B...|B...", "blue", 0, {"two_rows_disjoint": True}, 2, None),
        ("E10", "BBBB|Y...|....|....", "yellow", 4, {}, 5, BLUE_BY_FIVE),
        ("E11", "K...|B...|B...|B...", "blue", 4, {}, 5, BLUE_BY_FIVE),
        ("E12", "K...|B...|B...|B...", "blue", -4, {}, -2, None),
        ("E13", "WB..|YB..|YB..|YB..", "yellow", -4, {}, -5, YELLOW_BY_FIVE),
        ("E14", "WB..|YB..|YB..|YB..", "yellow", 4, {}, 2, None),
        ("E14 rows", "WB..|YB..|YB..|YB..", "yellow", 4, {"joker_override": "rows"}, 3, None),
        ("E14 off", "WB..|YB..|YB..|YB..", "yellow", 4, {"joker_override": "off"}, 3, None),
        ("E15", "B...|YB..|YYB.|YYYB", "blue", 0, {}, 1, None),
        ("E15 on Yellow's turn", "B...|YB..|YYB.|YYYB", "yellow", 0, {}, 1, None),
        ("E16", "YYK.|YYB.|YYB.|YYB.", "yellow", 4, {}, 4, YELLOW_BY_TWO),
        ("E16 cancelled", "YYK.|YYB.|YYB.|YYB.", "yellow", 4, {"joker_cancels_two_rows": True}, 5, BLUE_BY_FIVE),
        ("E16 net", "YYK.|YYB.|YYB.|YYB.", "yellow", 2, {"two_rows_net": True}, 4, None),
    ],
)
def test_the_end_of_a_turn(
    name: str,
    board: str,
    mover: str,
    score: int,
    options: dict[str, Json],
    expected: int,
    outcome: Outcome | None,
) -> None:
    after = turn_ending_with(board, score, mover, options).after
    assert (after.score, after.outcome) == (expected, outcome), name
    assert after.to_move == (None if outcome else OPPONENT[mover])


def judged(board: str, score: int, to_move: str, moves: list[str], **options: Json) -> Any:
    return judge_case(
        {
            "id": "e",
            "game": "infinity",
            "options": options,
            "position": {"board": board, "score": score, "to_move": to_move},
            "moves": moves,
        }
    )


def test_e1_the_marble_pushed_over_is_back_in_the_well() -> None:
    game = Infinity()
    before = position(game, "YBYB|....|....|....", 0, "blue")
    played = game.play(before, "B1")
    assert isinstance(played, Played)
    assert (played.after.board, played.after.score) == ("BYBY|....|....|....", 0)
    assert game.well(before)["B"] == game.well(played.after)["B"] == 6  # type: ignore[index]
    assert game.describe(before, "B1") == "Blue pushes a marble into channel 1; a blue marble goes back to the well"


def test_e7_as_the_contract_prints_it() -> None:
    assert judged("BB..|BB..|BB..|B...", -4, "blue", ["B4"]) == {
        "id": "e",
        "verdicts": [
            {
                "move": "B4",
                "legal": True,
                "rows": {"blue": 2, "yellow": 0},
                "points": {"blue": 2, "yellow": 0},
                "score": -4,
                "house_rules": [],
            }
        ],
        "position": {"board": "BB..|BB..|BB..|BB..", "score": -4, "to_move": None},
        "outcome": {"winner": "blue", "by": "two_rows"},
    }


def test_e9_a_row_of_blue_on_yellows_turn() -> None:
    answer = judged("B...|YB..|BB..|YB..", 0, "yellow", ["Y1"])
    assert answer["position"] == {"board": "YB..|YB..|BB..|YB..", "score": 1, "to_move": "blue"}
    assert answer["verdicts"][0]["points"] == {"blue": 1, "yellow": 0}


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [("continue", None), ("mover", {"winner": "blue", "by": "two_rows"}), ("draw", {"draw": "both_two_rows"})],
)
def test_e17_both_have_two_rows(rule: str, outcome: Json) -> None:
    answer = judged("BBYY|BBYY|BBYY|BYYK", 0, "blue", ["B4"], both_two_rows=rule)
    assert answer["position"]["board"] == "BBYY|BBYY|BBYY|BBYY"
    assert answer["outcome"] == outcome
    assert answer["position"]["to_move"] == (None if outcome else "yellow")
    assert answer["verdicts"][0]["score"] == 0
    assert answer["verdicts"][0]["house_rules"] == ["A6"]


@pytest.mark.parametrize("score", [-4, 0, 3])
def test_e18_blue_forfeits_and_yellow_moves(score: int) -> None:
    forfeit = {"move": "pass", "by": "blue", "forfeit": True, "legal": True, "score": score}
    answer = judged("BYYY|YBBB|BYYB|BKYB", score, "blue", [])
    assert answer["verdicts"] == [forfeit]
    assert answer["position"] == {"board": "BYYY|YBBB|BYYB|BKYB", "score": score, "to_move": "yellow"}
    answer = judged("BYYY|YBBB|BYYB|BKYB", score, "blue", ["Y2"])
    assert answer["verdicts"][0] == forfeit
    assert answer["verdicts"][1]["move"] == "Y2"
    assert answer["position"]["to_move"] == "blue"  # a blue marble went over


@pytest.mark.parametrize("before", ["YBY.", "YBYY"])
def test_e19_the_turn_scores_and_the_forfeit_does_not(before: str) -> None:
    answer = judged(f"BBBB|BKYY|YBBY|{before}", 3, "yellow", ["Y4"])
    assert [verdict["score"] for verdict in answer["verdicts"]] == [4, 4]
    assert [verdict.get("forfeit", False) for verdict in answer["verdicts"]] == [False, True]
    assert answer["position"] == {"board": "BBBB|BKYY|YBBY|YYBY", "score": 4, "to_move": "yellow"}


def test_e19_where_a_forfeit_scores() -> None:
    answer = judged("BBBB|BKYY|YBBY|YBY.", 3, "yellow", ["Y4"], score_on_forfeit=True)
    assert [verdict["score"] for verdict in answer["verdicts"]] == [4, 5]
    assert answer["verdicts"][1]["house_rules"] == ["A9"]
    assert answer["outcome"] == {"winner": "blue", "by": "five_ahead"}


@pytest.mark.parametrize(
    ("board", "mover", "score", "gaps"),
    [
        ("B...|B...|B...|B...", "blue", 0, []),
        ("K...|B...|B...|B...", "blue", 0, ["A1"]),
        ("K...|B...|B...|B...", "blue", 4, ["A8"]),
        ("KW..|BY..|BY..|BY..", "blue", 0, ["A3"]),
        ("BBBB|B...|B...|B...", "blue", 0, ["A13"]),
        ("YYK.|YYB.|YYB.|YYB.", "yellow", 4, ["A4", "A5", "A7"]),
        ("BY..|BY..|BY..|BY..", "blue", 0, []),
    ],
)
def test_the_gaps_that_decided_are_named(board: str, mover: str, score: int, gaps: list[str]) -> None:
    played = turn_ending_with(board, score, mover, {})
    assert played.facts["house_rules"] == gaps
    assert ("The leaflet is silent here" in played.explanation) == bool(gaps)
    assert all(gap in played.explanation for gap in gaps)


def test_a2_a_standing_joker_row_overrides_by_default_only() -> None:
    """Blue's Joker row stands in channel 1 while Yellow completes a row in channel 2."""
    by_default = judged("BKBB|YYY.|....|....", 0, "yellow", ["Y2"])["verdicts"][0]
    new_only = judged("BKBB|YYY.|....|....", 0, "yellow", ["Y2"], joker_override_new_rows_only=True)["verdicts"][0]
    assert (by_default["score"], new_only["score"]) == (2, 1)
    assert "A2" in by_default["house_rules"]
    assert "A2" in new_only["house_rules"]


def test_a14_two_rows_that_both_stood_before() -> None:
    """Both have two rows and play goes on (A6); Blue spoils one of Yellow's, and Blue's own two, both old, win."""
    answer = judged("BBBB|BBBB|YYYY|YYYY", 0, "blue", ["K4"])
    assert answer["outcome"] == {"winner": "blue", "by": "two_rows"}
    assert "A14" in answer["verdicts"][0]["house_rules"]


def test_who_starts() -> None:
    game = Infinity()
    assert game.start().to_move is None
    assert len(game.legal_moves(game.start())) == 16
    played = game.play(game.start(), "W3")
    assert isinstance(played, Played)
    assert (played.by, played.after.to_move) == (YELLOW, BLUE)
    first = Infinity(Options(first="yellow"))
    assert first.start().to_move == YELLOW
    assert getattr(first.play(first.start(), "B1"), "reason", None) == "not_your_turn"
