"""A draft takes what can be, refuses what cannot with a reason, and is the same after it was written and read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config import checked_config
from companion.errors import InputError
from companion.setup.draft import (
    CameraChoice,
    Draft,
    choose_camera,
    choose_game,
    choose_sensors,
    parse_draft,
    provisional_game,
    set_game,
    set_language,
    set_names,
    set_rules,
)
from companion.setup.writing import config_data, draft_of

CAMERA = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam-video-index0"
PATTERN = "bwbbwbww"
INFINITY = choose_game(Draft(), "infinity")
FINITY = set_game(choose_game(Draft(), "finity", 3), {"pattern": PATTERN})
PINS = {"knob_a": "BCM17", "knob_b": "BCM18"}


def whole() -> list[Draft]:
    """Drafts with everything chosen."""
    infinity = set_rules(set_names(INFINITY, {"blue": " Ada ", "yellow": "<b>Ben</b>"}), {"first": "blue"})
    infinity = choose_camera(infinity, CAMERA, (1920, 1080), [CAMERA])
    finity = set_names(set_game(FINITY, {"posts": {"A": "S", "B": "NE", "C": "NW"}}), {"C": "Cleo 🎲"})
    finity = choose_camera(set_rules(finity, {"draw_rounds": 0}), "0", (1280, 720), ["0"])
    wired = choose_sensors(choose_camera(INFINITY, None, (0, 0), []), None, PINS, [])
    return [infinity, finity, choose_sensors(infinity, {"usb_serial": "75"}, None, [{"usb_serial": "75"}]), wired]


@pytest.mark.parametrize("draft", [Draft(), INFINITY, FINITY, *whole()], ids=range(7))
def test_a_draft_that_is_written_is_read_as_it_was(draft: Draft) -> None:
    assert parse_draft(draft.to_json()) == draft


@pytest.mark.parametrize("draft", whole(), ids=range(4))
def test_a_config_made_of_a_draft_gives_the_draft_back(draft: Draft) -> None:
    data = config_data(draft, "calibration.json", {})
    assert draft_of(checked_config(data, Path("table.toml"))) == draft


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: choose_game(Draft(), "chess"), "no such game"),
        (lambda: choose_game(Draft(), "infinity", 3), "cannot play"),
        (lambda: choose_game(Draft(), "finity", True), "cannot play"),
        (lambda: set_names(Draft(), {"blue": "Ada"}), "Choose the game"),
        (lambda: set_names(INFINITY, {"A": "Ada"}), "no such player"),
        (lambda: set_names(INFINITY, {"blue": "x" * 61}), "up to 60"),
        (lambda: set_names(INFINITY, {"blue": "two\nlines"}), "one line"),
        (lambda: set_names(INFINITY, {"blue": ["Ada"]}), "up to 60"),
        (lambda: set_rules(INFINITY, {"joker_overide": "rows"}), "did you mean"),
        (lambda: set_rules(INFINITY, {"joker_override": "x" * 10_000}), "joker_override"),
        (lambda: set_rules(FINITY, {"pattern_length": 10**9}), "pattern_length"),
        (lambda: set_rules(FINITY, {"blue_knob": "cw"}), "blue_knob"),
        (lambda: set_game(INFINITY, {"pattern": PATTERN}), "has no pattern"),
        (lambda: set_game(FINITY, {"pattern": "bw" * 5000}), "pattern_length"),
        (lambda: set_game(FINITY, {"pattern": "bwxbwbww"}), "letters b and w"),
        (lambda: set_game(FINITY, {"pattern": 8}), "pattern"),
        (lambda: set_game(FINITY, {"posts": {"A": "Q"}}), "base station"),
        (lambda: set_game(FINITY, {"posts": "S"}), "posts"),
        (lambda: choose_camera(INFINITY, "/etc/passwd", (1280, 720), [CAMERA]), "no such camera"),
        (lambda: choose_camera(INFINITY, "http://elsewhere/stream", (1280, 720), [CAMERA]), "no such camera"),
        (lambda: choose_camera(INFINITY, CAMERA * 1000, (1280, 720), [CAMERA]), "no such camera"),
        (lambda: choose_camera(INFINITY, ["0"], (1280, 720), ["0"]), "no such camera"),
        (lambda: choose_camera(INFINITY, CAMERA, (10**9, 1), [CAMERA]), "160 x 120"),
        (lambda: choose_sensors(INFINITY, {"port": "/etc/passwd"}, None, [{"port": "/dev/ttyACM0"}]), "no such port"),
        (lambda: choose_sensors(INFINITY, {"port": "x"}, PINS, [{"port": "x"}]), "not by both"),
        (lambda: choose_sensors(INFINITY, None, {"knob_a": "BCM99"}, []), "99"),
        (lambda: choose_sensors(INFINITY, None, "BCM17", []), "knob_a"),
        (lambda: set_language(INFINITY, "tlh"), "no texts in that language"),
    ],
)
def test_what_cannot_be_is_refused_with_a_short_reason(change: Callable[[], Draft], words: str) -> None:
    with pytest.raises(InputError) as refusal:
        change()
    assert words in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_another_game_drops_what_it_cannot_have() -> None:
    infinity, *_ = whole()
    finity = choose_game(infinity, "finity", 4)
    assert (finity.names, finity.setup, finity.options) == ({}, {"players": 4}, {})
    assert finity.camera == infinity.camera


def test_fewer_players_keep_their_names_and_the_tower() -> None:
    four = set_names(choose_game(FINITY, "finity", 4), {"A": "Ada", "D": "Dan"})
    assert four.setup == {"players": 4, "pattern": PATTERN}
    assert choose_game(four, "finity", 2).names == {"A": "Ada"}


def test_a_short_tower_is_a_short_game_and_a_long_one_a_long_one_again() -> None:
    short = set_game(FINITY, {"pattern": "bwbbwb"})
    assert short.options == {"pattern_length": 6}
    assert set_game(short, {"pattern": PATTERN}).options == {}


def test_only_rules_that_differ_are_kept() -> None:
    changed = set_rules(INFINITY, {"knob_grace_s": 20, "first": "blue"})
    assert changed.options == {"knob_grace_s": 20, "first": "blue"}
    assert set_rules(changed, {"knob_grace_s": 10.0, "first": None}).options == {}


def test_an_empty_name_takes_it_away() -> None:
    named = set_names(INFINITY, {"blue": "Ada", "yellow": "Ben"})
    assert set_names(named, {"blue": "  "}).names == {"yellow": "Ben"}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada \u202e123", "Ada 123"),  # would turn round whatever stands after the name
        ("\u2067Ada\u2069 \u200eAda", "Ada Ada"),
        ("דוד 👩\u200d👧 Żółć", "דוד 👩\u200d👧 Żółć"),
        ("<b>Ada</b>", "<b>Ada</b>"),
    ],
)
def test_a_name_cannot_turn_the_sentence_round(given: str, kept: str) -> None:
    assert set_names(INFINITY, {"blue": given}).names == {"blue": kept}
    config = {"table": {"game": "infinity"}, "players": {"blue": given}}
    assert checked_config(config, Path("table.toml")).players == {"blue": kept}


def test_the_camera_chosen_may_be_away() -> None:
    chosen = choose_camera(INFINITY, CAMERA, (1280, 720), [CAMERA])
    assert choose_camera(chosen, CAMERA, (640, 480), []).camera == CameraChoice(CAMERA, 640, 480)


def test_a_game_without_its_tower_can_be_drawn() -> None:
    game = provisional_game(choose_game(Draft(), "finity", 4))
    assert game.players == ("A", "B", "C", "D")


@pytest.mark.parametrize(
    "data",
    [None, [], "x", {"game": 3}, {"game": "chess"}, {"game": "infinity", "names": ["x"]},
     {"game": "finity", "setup": {"players": 2}, "options": {"pattern_length": 10**9}},
     {"camera": {"device": "0"}}, {"gpio": {"knob_a": "BCM99"}}],
)  # fmt: skip
def test_a_damaged_draft_is_told(data: Any) -> None:
    with pytest.raises(InputError):
        parse_draft(data)
