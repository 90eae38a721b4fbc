"""The form of commands, and what comes too late."""

from __future__ import annotations

import pytest

from companion.games.game import Json
from companion.page.commands import COMMANDS, LONGEST_TEXT, OVERTAKES, REFUSALS, overtaken, parse_request
from companion.page.gate import REFUSED, STATUS
from companion.page.table import CommandResult, Request

GOOD_ARGS: dict[str, dict[str, object]] = {
    "answer": {"question": "q1", "choice": "Y2"},
    "undo": {"ply": 3},
    "correct": {"ply": 3, "moves": ["K1"], "why": "it was the Joker"},
    "play": {"move": "B1"},
    "place": {"place": "1.1", "label": "B"},
    "new_game": {},
    "take_up": {},
    "say": {"text": "Tea is ready"},
    "pause": {},
    "resume": {},
    "confirm_knob": {},
    "recalibrate": {},
}


def body(args: object, seq: object = 5, transaction: object = "t1") -> dict[str, object]:
    return {"seq": seq, "transaction": transaction, "args": args}


def request(name: str, seq: int = 5) -> Request:
    parsed = parse_request(name, body(GOOD_ARGS[name], seq))
    assert isinstance(parsed, Request)
    return parsed


def reason(result: Request | CommandResult | None) -> str:
    assert isinstance(result, CommandResult)
    assert not result.ok
    assert result.detail
    return result.reason


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_good_form(name: str) -> None:
    assert parse_request(name, body(GOOD_ARGS[name])) == Request(name, 5, "t1", GOOD_ARGS[name])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        [],
        "undo",
        {},
        body({}, seq="5"),
        body({}, seq=None),
        body({}, transaction=""),
        body({}, transaction="x" * 101),
        body([]),
    ],
)
def test_a_body_that_is_no_command_is_refused(nonsense: object) -> None:
    assert reason(parse_request("pause", nonsense)) == "no_json"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("undo", {}),
        ("undo", {"ply": "3"}),
        ("undo", {"ply": True}),
        ("undo", {"ply": 3, "more": 1}),
        ("answer", {"question": "q1"}),
        ("answer", {"question": "q1", "choice": 3}),
        ("answer", {"question": "q1", "choice": "x" * (LONGEST_TEXT + 1)}),
        ("correct", {"ply": 1, "moves": "K1"}),
        ("correct", {"ply": 1, "moves": [1]}),
        ("correct", {"ply": 1, "moves": [["K1"]]}),
        ("new_game", {"now": "yes"}),
    ],
)
def test_arguments_of_another_form_are_refused(name: str, args: dict[str, object]) -> None:
    assert reason(parse_request(name, body(args))) == "bad_args"


def test_a_reason_may_be_left_out_of_a_correction() -> None:
    assert isinstance(parse_request("correct", body({"ply": 1, "moves": []})), Request)


def test_an_unknown_command_is_refused() -> None:
    assert reason(parse_request("shutdown", body({}))) == "unknown_command"


def test_every_refusal_has_a_status_or_is_a_conflict() -> None:
    assert {name for name in REFUSALS if STATUS.get(name, REFUSED) == REFUSED} == {"stale", "closed"}


@pytest.mark.parametrize("event", sorted(OVERTAKES))
@pytest.mark.parametrize("name", ["undo", "correct", "new_game", "confirm_knob"])
def test_news_of_the_game_overtakes_a_command_that_speaks_of_the_position(name: str, event: str) -> None:
    assert reason(overtaken(request(name), {"seq": 6}, [{"seq": 6, "event": event}])) == "stale"


@pytest.mark.parametrize("event", ["device", "occluded", "clear", "knob_mismatch", "board_moved"])
def test_a_hand_or_a_device_overtakes_nothing(event: str) -> None:
    assert overtaken(request("undo"), {"seq": 6}, [{"seq": 6, "event": event}]) is None


def test_a_command_from_another_record_is_stale() -> None:
    assert reason(overtaken(request("undo", seq=900), {"seq": 6}, [])) == "stale"


def test_pausing_is_never_too_late() -> None:
    assert overtaken(request("pause"), {"seq": 6}, [{"seq": 6, "event": "move"}]) is None


def test_an_answer_counts_while_its_question_is_open() -> None:
    news: list[dict[str, Json]] = [{"seq": 6, "event": "move"}]
    assert overtaken(request("answer"), {"seq": 6, "question": {"question": "q1"}}, news) is None
    assert reason(overtaken(request("answer"), {"seq": 6, "question": {"question": "q2"}}, news)) == "closed"
    assert reason(overtaken(request("answer"), {"seq": 6, "question": None}, news)) == "closed"
    assert reason(overtaken(request("answer"), {}, news)) == "closed"
