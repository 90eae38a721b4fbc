"""`companion judge`: the contract's answers, forfeits, and lines that are no cases."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import Illegal, Json
from companion.games.registry import game_named, game_names
from companion.judge import judge_case, judge_lines, outcome_json
from tests.rules.playthrough import SETUPS

FORFEITING = {"board": "BYYY|YBBB|BYYB|BKYB", "score": 2, "to_move": "blue"}


def answers(*lines: str) -> list[tuple[Any, bool]]:
    return list(judge_lines(lines))


def answer(**case: Any) -> Any:
    return judge_case({"id": 1, "game": "infinity", **case})


def reason(move: str, **case: Any) -> str:
    verdict = answer(moves=[move], **case)["verdicts"][-1]
    assert verdict["legal"] is False
    assert set(verdict) == {"move", "legal", "reason", "detail"}
    return str(verdict["reason"])


def at(board: str, to_move: str | None = "blue", score: int = 0) -> dict[str, Any]:
    return {"board": board, "score": score, "to_move": to_move}


def test_from_the_start_as_in_the_contract() -> None:
    line = '{"id":"x0","game":"infinity","options":{"first":"yellow"},"moves":["Y1","B1","W2"]}'
    ((told, good),) = answers(line)
    quiet = {"rows": {"blue": 0, "yellow": 0}, "points": {"blue": 0, "yellow": 0}, "score": 0, "house_rules": []}
    assert good
    assert told == {
        "id": "x0",
        "verdicts": [{"move": move, "legal": True, **quiet} for move in ("Y1", "B1", "W2")],
        "position": {"board": "BY..|W...|....|....", "score": 0, "to_move": "blue"},
        "outcome": None,
    }


def test_legal_moves_are_those_of_the_last_position() -> None:
    told = answer(moves=["K1", "Y1"], list=True)
    assert told["legal_moves"] == ["B1", "B2", "B3", "B4"]
    assert len(answer(list=True)["legal_moves"]) == 16
    assert answer(position=FORFEITING, list=True)["legal_moves"][0] == "Y1"
    assert answer(position=at("BB..|BB..|BB..|BB..", None), list=True)["legal_moves"] == []


@pytest.mark.parametrize(
    ("move", "position", "expected"),
    [
        ("Y1", at("....|....|....|...."), "not_your_turn"),
        ("W2", at("....|....|....|...."), "not_your_turn"),
        ("B0", at("....|....|....|...."), "no_such_channel"),
        ("B5", at("....|....|....|...."), "no_such_channel"),
        ("K44", at("....|....|....|...."), "no_such_channel"),
        ("B01", at("....|....|....|...."), "no_such_channel"),
        ("B" + "9" * 10_000, at("....|....|....|...."), "no_such_channel"),
        ("K1", at("K...|Y...|....|...."), "joker_not_available"),
        ("B1", at("BBYY|BBYY|BBYY|BBYY"), "no_marble_left"),
        ("K1", at("BBBB|BBBB|K...|....", "yellow"), "not_your_turn"),
        ("pass", at("....|....|....|...."), "pass_not_allowed"),
        ("pass", at("....|....|....|....", None), "pass_not_allowed"),
        ("B1", at("BB..|BB..|BB..|BB..", None), "game_over"),
        ("pass", at("BB..|BB..|BB..|BB..", None, 5), "game_over"),
        ("B1", FORFEITING, "must_forfeit"),
        ("K3", FORFEITING, "must_forfeit"),
        *((text, at("....|....|....|...."), "unreadable_move") for text in ("", "b1", "B 1", "B", "1B", "Z1")),
        ("B\u0661", at("....|....|....|...."), "unreadable_move"),
        ("B1\n", at("....|....|....|...."), "unreadable_move"),
        ("Pass", at("....|....|....|...."), "unreadable_move"),
    ],
)
def test_illegal_moves_have_their_reason(move: str, position: Any, expected: str) -> None:
    assert reason(move, position=position) == expected


def test_verdicts_stop_at_the_first_illegal_move() -> None:
    told = answer(moves=["B1", "B2", "Y1"])
    assert [verdict["legal"] for verdict in told["verdicts"]] == [True, False]
    assert told["position"] == at("B...|....|....|....", "yellow")


def test_a_nearly_right_move_is_suggested() -> None:
    assert "did you mean B3?" in answer(moves=[" b3"])["verdicts"][0]["detail"]


def test_a_forfeit_in_the_moves_is_the_forfeit() -> None:
    told = answer(position=FORFEITING, moves=["pass", "Y3"])
    assert [verdict["move"] for verdict in told["verdicts"]] == ["pass", "Y3"]
    assert told["verdicts"][0]["forfeit"] is True


def test_a_forfeit_left_out_of_the_moves_is_played() -> None:
    told = answer(position=FORFEITING, moves=["Y1", "Y1"])
    moves = [(verdict["move"], verdict.get("by")) for verdict in told["verdicts"]]
    assert moves == [("pass", "blue"), ("Y1", None), ("pass", "blue"), ("Y1", None), ("pass", "blue")]


def test_where_both_could_have_passed_a_pass_is_a_move() -> None:
    """Forfeits are not in the moves: with passing allowed the text is the next player's pass."""
    told = answer(position=FORFEITING, moves=["pass"], options={"allow_pass": True})
    assert [verdict.get("forfeit", False) for verdict in told["verdicts"]] == [True, False, True]
    assert told["position"]["to_move"] == "yellow"


def test_an_unreadable_move_after_a_forfeit_is_told_after_it() -> None:
    told = answer(position=FORFEITING, moves=["what"])
    assert [verdict.get("reason") for verdict in told["verdicts"]] == [None, "unreadable_move"]


@pytest.mark.parametrize(
    ("line", "number", "error"),
    [
        ("nonsense", None, "no JSON: Expecting value: line 1 column 1 (char 0)"),
        ('{"id":1,', None, "no JSON: Expecting property name enclosed in double quotes: line 1 column 9 (char 8)"),
        ("[1]", None, "a case must be an object such as"),
        ("3", None, "a case must be an object such as"),
        ("[" * 100_000, None, "no JSON that can be read: too deeply nested"),
        ('{"id":4,"game":"infinity","moves":' + "[" * 200_000 + "]" * 200_000 + "}", None, "no JSON that can be read"),
        ('{"id":1,"game":"infinity","x":NaN}', 1, "no JSON: NaN is no number"),
        ('{"id":NaN,"game":"infinity"}', None, "no JSON: NaN is no number"),
        ('{"id":1,"game":"infinity","x":-Infinity}', 1, "no JSON: -Infinity is no number"),
        ('{"id":1,"game":"infinity","x":1e999}', 1, "the number 1e999 is too large"),
        ('{"id":1,"x":' + "9" * 5000 + "}", None, "no JSON: Exceeds the limit"),
        ('{"id":1}', 1, "game is missing"),
        ('{"id":1,"game":3}', 1, "game must be a text such as 'infinity', not 3"),
        ('{"id":1,"game":"chess"}', 1, "unknown game 'chess'; known: infinity and finity"),
        ('{"id":[1],"game":"infinity"}', None, "id must be a text or a number, not a list"),
        ('{"id":true,"game":"infinity"}', None, "id must be a text or a number, not true"),
        ('{"id":"a","game":"infinity","moves":"B1"}', "a", "moves must be a list of texts, not 'B1'"),
        ('{"id":"a","game":"infinity","moves":["B1",2]}', "a", "moves must be a list of texts, but number 2 is 2"),
        ('{"id":"a","game":"infinity","moves":null}', "a", "moves must be a list of texts, not null"),
        ('{"id":"a","game":"infinity","options":[]}', "a", "options must be an object, not a list"),
        ('{"id":"a","game":"infinity","option":{}}', "a", "unknown key 'option'; did you mean options?"),
        ('{"id":"a","game":"infinity","options":{"x":1}}', "a", "unknown option 'x' (known: "),
        ('{"id":"a","game":"infinity","options":{"first":"red"}}', "a", "option first must be null, 'blue' or"),
        ('{"id":"a","game":"infinity","position":"B..."}', "a", "position must be an object, not 'B...'"),
        ('{"id":"a","game":"infinity","position":{}}', "a", "board must be a text such as"),
        ('{"id":"a","game":"infinity","list":1}', "a", "list must be true or false, not 1"),
        ('{"id":"a","game":"infinity","explain":"no"}', "a", "explain must be true or false, not 'no'"),
        ('{"id":"\\ud800","game":"infinity"}', None, "a text has half a character"),
        ('{"id":"a","game":"infinity","moves":["\\ud800"]}', "a", "a text has half a character"),
        ('{"id":"a\ufffd","game":"infinity"}', "a\ufffd", "the line is no text in UTF-8"),
    ],
)
def test_a_bad_line_is_answered_and_the_next_one_judged(line: str, number: Json, error: str) -> None:
    (bad, was_good), (_, next_good) = answers(line, '{"game":"infinity"}')
    assert (was_good, next_good) == (False, True)
    assert set(bad) == {"id", "error"}
    assert bad["id"] == number
    assert bad["error"].startswith(error)
    assert "\n" not in bad["error"]
    assert len(bad["error"]) < 500


def test_blank_lines_and_a_byte_order_mark_are_no_cases() -> None:
    found = answers("\n", '\ufeff{"id":1,"game":"infinity"}\r\n', "  \n")
    assert [(told["id"], good) for told, good in found] == [(1, True)]


def test_keys_of_other_games_are_left_alone() -> None:
    assert answer(players=2, pattern="bw", comment="from the club")["outcome"] is None


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner))
keys = st.sampled_from(["id", "game", "options", "position", "moves", "list", "board", "score", "to_move", "first"])
games = st.sampled_from(["infinity", "finity", 1])
garbage = st.text() | st.dictionaries(keys, values).map(json.dumps)
near_misses = st.fixed_dictionaries(
    {"game": games},
    optional={
        "id": values,
        "options": values,
        "moves": st.lists(st.sampled_from(["B1", "Y2", "K3", "W4", "pass", "B5"]) | values, max_size=6),
        "position": st.fixed_dictionaries({}, optional={"board": values, "score": values, "to_move": values}) | values,
        "list": st.booleans() | values,
    },
).map(json.dumps)


@given(st.lists(garbage | near_misses, max_size=4))
def test_no_line_stops_the_judge_or_spoils_its_answers(lines: list[str]) -> None:
    found = answers(*lines)
    assert len(found) == sum(bool(line.lstrip("\ufeff").strip()) for line in lines)
    for told, good in found:
        written = json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
        assert json.loads(written) == told
        assert ("error" in told) == (not good)


def test_games_are_known_by_name() -> None:
    assert "infinity" in game_names()
    for name in game_names():
        assert game_named(name, {}, SETUPS[name]).name == name


def test_an_outcome_has_a_path_only_where_there_is_one() -> None:
    from companion.games.game import Outcome, Player

    assert outcome_json(None) is None
    assert outcome_json(Outcome(draw="tie")) == {"draw": "tie"}
    assert outcome_json(Outcome(Player("A"), "full_path", path=("N", "C"))) == {
        "winner": "A",
        "by": "full_path",
        "path": ["N", "C"],
    }


def test_illegal_is_a_value() -> None:
    game = game_named("infinity", {})
    assert isinstance(game.play(game.start(), "x"), Illegal)
