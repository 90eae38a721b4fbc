"""Visible shares: what geometry says agrees with what the picture shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hw_sim.camera import cover_of
from hw_sim.camera.ball import ball_rect, meet_ball
from hw_sim.scene import Hand, Marble, MarbleKind, Thing, ThingKind
from tests.hw_sim_camera.stand import STILL, board, camera, scene

HAND = Hand(-13.0, 42.0, 14.0, -75.0, (0.9, 0.1, 0.0))


def test_nothing_hides_a_board_at_rest() -> None:
    cover = cover_of(camera("black_ceiling"), scene())
    assert min(cover.slots.values()) > 0.95
    assert cover.knob > 0.95
    assert len(cover.well) == 8
    assert min(cover.well) > 0.9


def test_a_hand_hides_the_share_that_it_covers_in_the_picture() -> None:
    sim = camera("black_ceiling")
    seen = replace(scene(), marbles=(), hands=(HAND,))
    picture = sim.picture(seen, STILL).astype(int)
    cover = cover_of(sim, seen)
    view = sim.stage(seen).view
    partly = 0
    for name, place in board().slot_centres().items():
        rect = ball_rect(np.array(place), 8.0, view)
        inside, _ = meet_ball(np.array(place), 8.0, view, view.rays(rect))
        blue, _, red = np.moveaxis(picture[rect.slices], 2, 0)
        skin = (red > 60) & (red > 2 * blue)
        assert 1 - skin[inside > 0].mean() == pytest.approx(cover.slots[name], abs=0.08)
        partly += 0.1 < cover.slots[name] < 0.9
    assert min(cover.slots.values()) < 0.3
    assert max(cover.slots.values()) == 1
    assert partly


def test_a_thing_hides_the_knob() -> None:
    phone = Thing(ThingKind.PHONE, 0.0, -44.0, 18.0, 0.0, (0.1, 0.1, 0.1))
    assert cover_of(camera("black_ceiling"), replace(scene(), things=(phone,))).knob < 0.02


def test_a_marble_in_the_air_hides_seats_behind_it_but_not_its_own() -> None:
    held = Marble(MarbleKind.WHITE, -13.0, 42.0, 30.0)
    seen = replace(scene(), marbles=(*scene().marbles, held))
    sim = camera("black_ceiling")
    assert cover_of(sim, seen, balls_only=True).slots["2.2"] < 0.7
    seated = replace(held, z_mm=2.0)
    assert cover_of(sim, replace(scene(), marbles=(seated,))).slots["2.2"] == 1


def test_what_lies_beyond_the_picture_is_not_in_sight() -> None:
    far = replace(scene(), bump_mm=(0.0, 90.0))
    cover = cover_of(camera("black_ceiling"), far)
    assert cover.slots["2.4"] == 0
    assert cover.knob > 0.9
