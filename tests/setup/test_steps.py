"""What is missing at each step, from nothing chosen to a game that can begin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.registry import default_options, game_names
from companion.setup.draft import CameraChoice, Draft, choose_game, set_game
from companion.setup.positions import State
from companion.setup.rules import ELSEWHERE, rules_json
from companion.setup.shots import EMPTY, mark_of, next_shot, shots_of
from companion.setup.steps import Facts, steps_of

INFINITY = replace(choose_game(Draft(), "infinity"), camera=CameraChoice("0"))
REFERENCE: State = {"board": "BY..|K...|YB..|W...", "knob_stop": 3}
READY = Facts(INFINITY, camera="ok", missing=(), fit=True, learnt=True)


def missing(facts: Facts) -> dict[str, tuple[str, ...]]:
    """The problems of the steps that are not done."""
    return {step.name: step.problems for step in steps_of(facts) if not step.is_done}


def test_the_steps_are_always_the_same() -> None:
    names = ["game", "camera", "mat", "pictures", "players", "rules", "ready"]
    assert [step.name for step in steps_of(Facts(Draft()))] == names
    assert [step.name for step in steps_of(READY)] == names


def test_when_nothing_is_missing_it_is_ready() -> None:
    assert missing(READY) == {}


@pytest.mark.parametrize(
    ("facts", "step", "words"),
    [
        (replace(READY, draft=replace(Draft(), camera=CameraChoice("0"))), "game", "Choose the game"),
        (replace(READY, draft=choose_game(Draft(), "infinity")), "camera", "Choose the camera"),
        (replace(READY, camera="lost", camera_words="It is unplugged."), "camera", "It is unplugged."),
        (replace(READY, learnt=False, missing=None), "mat", "has to see the board"),
        (replace(READY, learnt=False, missing=(2,), fit=True), "mat", "Marker 2 is not in sight."),
        (replace(READY, stale=True, missing=(0, 2)), "mat", "Markers 0, 2 are not in sight."),
        (replace(READY, learnt=False, fit=False, advice=("more light",)), "mat", "more light"),
        (replace(READY, learnt=False), "pictures", "calibrate"),
        (replace(READY, learnt=False, refused="blue and black look alike"), "pictures", "blue and black look alike"),
        (replace(READY, stale=True), "pictures", "calibrate again"),
        (replace(READY, draft=choose_game(INFINITY, "finity")), "players", "tower's cones"),
        (replace(READY, draft=replace(INFINITY, options={"first": "red"})), "rules", "first"),
    ],
)
def test_each_step_says_what_is_missing(facts: Facts, step: str, words: str) -> None:
    found = missing(facts)
    assert words in " ".join(found[step])
    assert found["ready"][0].startswith("Still to do: ")


def test_who_wants_no_camera_needs_no_pictures() -> None:
    assert missing(Facts(replace(INFINITY, camera=None, without_camera=True))) == {}


def test_a_hand_over_the_board_takes_nothing_back_that_was_learnt() -> None:
    assert missing(replace(READY, missing=(0, 1, 2, 3), fit=False)) == {}


def test_pictures_are_taken_in_order() -> None:
    none = shots_of("infinity", [REFERENCE], {}, {})
    assert [shot.name for shot in none] == ["empty", "first"]
    assert next_shot(none) == "empty"
    empty = shots_of("infinity", [REFERENCE], {}, {EMPTY: b"jpeg"})
    assert next_shot(empty) == "first"
    left = replace(READY, learnt=False, shots=empty)
    assert "Still to take: the first position." in missing(left)["pictures"]


def test_what_was_said_of_a_picture_stands_in_place_of_what_was_suggested() -> None:
    said: State = {"board": "BYK.|....|....|W...", "knob_stop": 3}
    _, first = shots_of("infinity", [REFERENCE], {"first": said}, {})
    assert (first.state, first.suggested) == (said, REFERENCE)


def test_the_mark_of_pictures_changes_with_board_picture_and_position() -> None:
    taken = {EMPTY: b"a", "first": b"b"}
    marks = {
        mark_of("board", shots_of("infinity", [REFERENCE], {}, taken)),
        mark_of("other", shots_of("infinity", [REFERENCE], {}, taken)),
        mark_of("board", shots_of("infinity", [REFERENCE], {}, {**taken, "first": b"c"})),
        mark_of("board", shots_of("infinity", [{**REFERENCE, "knob_stop": 2}], {}, taken)),
    }
    assert len(marks) == 4


@pytest.mark.parametrize("game", game_names())
def test_every_house_rule_has_a_sentence_and_words_for_its_choices(game: str) -> None:
    rules = rules_json(game, {})
    told = {rule["option"]: rule for rule in rules if isinstance(rule, dict)}
    assert told.keys() == default_options(game).keys() - ELSEWHERE
    for name, rule in told.items():
        assert rule["words"], name
        assert rule["value"] == rule["default"] == default_options(game)[name], name
        choices, words = rule["choices"], rule["choice_words"]
        assert isinstance(choices, list)
        assert isinstance(words, list)
        assert len(choices) == len(words)
        assert all(words), name
        assert (rule["kind"] == "choice") == bool(choices), name


def test_the_short_tower_needs_its_rule() -> None:
    finity = set_game(choose_game(INFINITY, "finity"), {"pattern": "bwbbwb"})
    assert missing(replace(READY, draft=finity)) == {}
