"""Players' colours on the page: those that the table's camera has learnt."""

from __future__ import annotations

import colorsys

import pytest

from calibration.board import load_board
from calibration.file import Calibration
from companion.cli.simulated import calibrated_finity_camera
from companion.page.layout import layout_for
from companion.page.layout.colours import contrast, learnt_colours, look_of, seen_colour, with_colours
from companion.page.layout.finity import PLAYERS
from hw_sim.finity.scene import FinityScene

HUES = {"red": 0, "yellow": 48, "green": 130, "cyan": 191, "blue": 225, "purple": 275}
EDITIONS = {
    "oak_ceiling": ("cyan", "yellow", "purple", "red"),
    "granite_window": ("green", "red", "blue", "yellow"),
}


def nearest(colour: str) -> str:
    """The name of a colour by its hue."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue = 360 * colorsys.rgb_to_hsv(red, green, blue)[0]
    return min(HUES, key=lambda name: min(abs(hue - HUES[name]), 360 - abs(hue - HUES[name])))


@pytest.mark.parametrize("look", EDITIONS)
def test_each_editions_colours_are_drawn(look: str) -> None:
    calibration: Calibration = calibrated_finity_camera(look, 1, FinityScene(4, "bwbbwbww")).calibration
    colours = learnt_colours(calibration)
    assert tuple(nearest(colours[player]) for player in "ABCD") == EDITIONS[look]


def test_a_table_without_a_camera_has_the_usual_ones() -> None:
    assert learnt_colours(None) == {}
    assert with_colours(PLAYERS, {}) == PLAYERS


def test_known_colours_stand_everywhere_on_the_board() -> None:
    board = load_board("finity").to_json()
    layout = layout_for("finity", board, {"players": 2, "pattern": "bwbbwbww"}, {"B": "#4e64c7"})
    labels, players = layout["labels"], layout["players"]
    assert isinstance(labels, dict)
    assert isinstance(players, dict)
    assert (labels["B"]["fill"], labels["blocker B"]["fill"], players["B"]["line"]) == ("#4e64c7",) * 3
    assert labels["A"]["fill"] == PLAYERS["A"]["fill"]


@pytest.mark.parametrize("log_ratio", [(0.0, 0.0, 0.0), (1.5, 1.5, 1.5), (-3.0, -3.0, -3.0), (2.0, -3.0, 0.5)])
def test_letters_are_readable_on_every_colour(log_ratio: tuple[float, float, float]) -> None:
    look = look_of(seen_colour(log_ratio))
    assert contrast(look["ink"], look["fill"]) >= 4.5


def test_black_and_white_pieces_stay_so() -> None:
    assert contrast(seen_colour((-1.4, -1.4, -1.4)), "#000000") < 2
    assert contrast(seen_colour((1.2, 1.2, 1.2)), "#ffffff") < 1.3
