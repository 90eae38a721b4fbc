"""The house rules as options: read, refused, and what each does that no worked example shows."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import InputError
from companion.games.game import Illegal, Played
from companion.games.infinity import Infinity, Options, Position
from companion.games.infinity.gaps import JOKER_ROWS, TWO_ROWS, other_readings
from companion.games.infinity.options import option_fields
from companion.games.infinity.words import house_rules_applied

FIXED = [(name, choice) for name, item in option_fields().items() for choice in item.metadata["choices"]]


@pytest.mark.parametrize(("name", "choice"), FIXED)
def test_every_choice_is_taken(name: str, choice: Any) -> None:
    assert Options.parse({name: choice}).as_json()[name] == choice


@pytest.mark.parametrize(("name", "item"), option_fields().items())
def test_a_wrong_value_is_refused_with_the_choices(name: str, item: Any) -> None:
    with pytest.raises(InputError) as refused:
        Options.parse({name: ["wrong"]})
    message = str(refused.value)
    assert message.startswith(f"option {name} must be ")
    assert message.endswith(", not a list")
    for choice in item.metadata["choices"]:
        assert {None: "null", True: "true", False: "false"}.get(choice, str(choice)) in message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("two_rows_net", 1),  # no yes or no, though Python thinks 1 equals true
        ("two_rows_net", "yes"),
        ("first", "Blue"),
        ("max_turns", 0),
        ("max_turns", True),
        ("max_turns", 2.5),
        ("knob_grace_s", -1),
        ("knob_grace_s", float("nan")),
        ("knob_grace_s", float("inf")),
        ("knob_grace_s", 10_000),
        ("knob_grace_s", True),
        ("knob_overshoot", "wrap"),
    ],
)
def test_values_that_are_nearly_right_are_refused(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"option {name} must be"):
        Options.parse({name: value})


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(InputError) as refused:
        Options.parse({"joker_overide": "rows", "colour": 1, "blue_knob": "left"})
    assert str(refused.value) == (
        "unknown option 'joker_overide' (did you mean joker_override?); "
        f"unknown option 'colour' (known: {', '.join(option_fields())}); "
        "option blue_knob must be 'cw' or 'ccw', not 'left'"
    )


def test_the_defaults_are_those_of_the_table() -> None:
    assert Infinity().options == {
        "joker_override": "points",
        "joker_override_new_rows_only": False,
        "both_jokers": "difference",
        "joker_cancels_two_rows": False,
        "two_rows_net": False,
        "both_two_rows": "continue",
        "knob_overshoot": "clamp",
        "score_on_forfeit": False,
        "allow_pass": False,
        "joker_may_be_withheld": False,
        "two_rows_disjoint": False,
        "max_turns": None,
        "first": None,
        "blue_knob": "cw",
        "knob_grace_s": 10,
    }
    assert Options.parse(Infinity().options) == Options()


def play(game: Infinity, data: tuple[str, int, str], move: str) -> Played[Position] | Illegal:
    board, score, to_move = data
    return game.play(game.parse_position({"board": board, "score": score, "to_move": to_move}), move)


def facts(verdict: Played[Position] | Illegal) -> Any:
    assert isinstance(verdict, Played), verdict
    return verdict.facts


def test_a10_passing() -> None:
    place = ("BBBB|Y...|....|....", 1, "blue")
    refused = play(Infinity(), place, "pass")
    assert isinstance(refused, Illegal)
    assert (refused.reason, "A10" in refused.detail) == ("pass_not_allowed", True)
    passed = play(Infinity(Options(allow_pass=True)), place, "pass")
    assert facts(passed)["house_rules"] == ["A9", "A10"]
    assert (facts(passed)["points"], facts(passed)["rows"]["blue"]) == ({"blue": 0, "yellow": 0}, 1)
    scored = play(Infinity(Options(allow_pass=True, score_on_forfeit=True)), place, "pass")
    assert facts(scored)["score"] == 2


def test_a11_the_joker_may_be_kept_back() -> None:
    only_joker = ("BBYY|BBYY|BBYY|BBYY", 0, "blue")
    game, free = Infinity(), Infinity(Options(joker_may_be_withheld=True))
    assert getattr(play(game, only_joker, "B1"), "reason", "") == "no_marble_left"
    assert getattr(play(game, only_joker, "pass"), "reason", "") == "pass_not_allowed"
    assert facts(play(free, only_joker, "pass"))["house_rules"] == ["A11"]
    position = free.parse_position({"board": only_joker[0], "score": 0, "to_move": "blue"})
    assert free.legal_moves(position) == ("K1", "K2", "K3", "K4", "pass")
    assert getattr(play(free, ("B...|Y...|....|....", 0, "blue"), "pass"), "reason", "") == "pass_not_allowed"


def test_a15_long_games_are_told_once_and_go_on() -> None:
    game = Infinity(Options(max_turns=2))
    position = game.start()
    told = []
    for move in ("B1", "Y1", "B2", "Y2"):
        played = game.play(position, move)
        told.append(facts(played)["house_rules"])
        assert isinstance(played, Played)
        assert ("2 turns are played" in played.explanation) == (move == "Y1")
        position = played.after
    assert told == [[], ["A15"], [], []]
    assert (position.turns, position.outcome) == (4, None)


@pytest.mark.parametrize("blue_knob", ["cw", "ccw"])
@pytest.mark.parametrize("score", range(-5, 6))
def test_a17_the_knob_turns_blues_way(blue_knob: str, score: int) -> None:
    game = Infinity(Options(blue_knob=blue_knob))
    stop = game.knob_stop(Position(score=score))
    if abs(score) == 5:
        assert stop == 5
    else:
        assert stop == (score if blue_knob == "cw" else -score)


def test_every_reading_of_every_gap_can_be_said() -> None:
    for options in (Options(), Options(max_turns=3, allow_pass=True, joker_may_be_withheld=True)):
        for gap, other in other_readings(options, JOKER_ROWS + TWO_ROWS):
            assert gap in house_rules_applied([gap], other)
        assert house_rules_applied(["A7", "A8", "A9", "A14"], options).startswith("The leaflet is silent here; house")
    assert house_rules_applied(["A10", "A11", "A15"], options).count("A1") == 3
    counted = {gap for gap, _ in other_readings(Options(), JOKER_ROWS + TWO_ROWS)}
    assert counted == {"A1", "A2", "A3", "A4", "A5", "A6", "A13"}
