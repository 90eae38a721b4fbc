"""What is learnt of bridges: their brightness where they lie, and what no reference showed."""

from __future__ import annotations

import json

import pytest

from calibration.finity.board import reference_board
from calibration.finity.slots import NEAR_SPREAD, UNSEEN_SPREAD, SlotLook

BOARD = reference_board()
SLOTS = sorted(BOARD.slot_places(4), key=lambda slot: slot.x_mm)
WEST, EAST = SLOTS[0], SLOTS[-1]
GLOSS = {"b": tuple((slot.x_mm, slot.y_mm, -0.5 if slot.x_mm < 0 else 0.1) for slot in SLOTS[::3]), "w": ()}
LOOK = SlotLook({"b": (-0.2, 0.3), "w": (0.8, UNSEEN_SPREAD)}, GLOSS, {"A": (0.1, 0.2, 0.3)})


def test_gloss_is_known_where_references_showed_it() -> None:
    west, east = (LOOK.ratio_at("b", slot, BOARD.hex_side) for slot in (WEST, EAST))
    assert west[0] == pytest.approx(-0.5, abs=0.1)
    assert east[0] == pytest.approx(0.1, abs=0.1)
    assert NEAR_SPREAD <= west[1] < LOOK.ratios["b"][1]


def test_far_from_all_that_was_shown_anything_is_possible() -> None:
    one = SlotLook(LOOK.ratios, {"b": ((WEST.x_mm, WEST.y_mm, -0.9),), "w": ()}, {})
    assert one.ratio_at("b", EAST, BOARD.hex_side)[0] == pytest.approx(-0.2, abs=0.02)
    assert one.ratio_at("b", EAST, BOARD.hex_side)[1] >= LOOK.ratios["b"][1]


def test_a_colour_that_no_reference_showed_is_guessed_and_told() -> None:
    assert LOOK.ratio_at("w", WEST, BOARD.hex_side) == LOOK.ratios["w"]
    assert LOOK.shown == ("b",)
    assert len(LOOK.doubts) == 1
    assert "white" in LOOK.doubts[0]


def test_it_is_kept_in_a_file() -> None:
    assert SlotLook.from_json(json.loads(json.dumps(LOOK.to_json()))) == LOOK
