"""Pictures follow from scene, geometry and light, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hw_sim.camera.ball import centre_of
from hw_sim.camera.positions import Layout, marbles_of
from hw_sim.scene import Hand, Light, Marble, MarbleKind, Scene, Thing, ThingKind
from tests.hw_sim_camera.stand import LAYOUT, STILL, board, camera, fresh_camera, linear, scene

HAND = Hand(14.0, 25.0, 12.0, -60.0)
MUG = Thing(ThingKind.MUG, 40.0, 60.0, 10.2, 30.0, (0.4, 0.03, 0.02))


def test_same_seed_and_scenes_give_the_same_bytes() -> None:
    scenes = [scene(), replace(scene(), hands=(HAND,)), replace(scene(), knob_deg=20.0)]
    one, two, other = (fresh_camera("slate_window", seed) for seed in (1, 1, 2))
    for each in scenes:
        picture = one.picture(each)
        assert picture.shape == (720, 1280, 3)
        assert picture.dtype == np.uint8
        assert np.array_equal(picture, two.picture(each))
        assert not np.array_equal(picture, other.picture(each))


def test_noise_differs_from_picture_to_picture() -> None:
    sim = camera("white_felt")
    assert not np.array_equal(sim.picture(scene()), sim.picture(scene()))
    assert np.array_equal(sim.picture(scene(), STILL), sim.picture(scene(), STILL))


@pytest.mark.parametrize("look", ["green_desk_lamp", "blue_warm_sideways"])
def test_what_is_redrawn_in_part_equals_what_is_drawn_anew(look: str) -> None:
    rest = scene()
    first = rest.marbles[0]
    steps = [
        rest,
        replace(rest, hands=(HAND,)),
        replace(rest, hands=(replace(HAND, x_mm=-20.0, z_mm=30.0),), knob_deg=55.0),
        replace(rest, marbles=(replace(first, y_mm=first.y_mm + 8, z_mm=4.5), *rest.marbles[1:]), things=(MUG,)),
        replace(rest, marbles=rest.marbles[3:], knob_deg=-80.0),
        replace(rest, bump_mm=(4.0, 1.0), bump_deg=-1.0),
        replace(rest, marbles=(Marble(MarbleKind.WHITE, 20.0, 60.0, 30.0), *rest.marbles)),
    ]
    sim = camera(look)
    for step in steps:
        last = sim.picture(step, STILL)
    for step in (steps[3], steps[-1]):
        sim.picture(rest, STILL)
        last = sim.picture(step, STILL)
        anew = fresh_camera(look).picture(step, STILL)
        assert np.abs(last.astype(int) - anew).max() <= 1


@pytest.mark.parametrize("place", [(-13.0, 42.0, 2.0), (39.0, 86.0, 2.0), (10.0, 10.0, 40.0)])
def test_a_marble_is_drawn_where_geometry_has_it(place: tuple[float, float, float]) -> None:
    sim = camera("black_ceiling")
    marble = Marble(MarbleKind.WHITE, *place)
    # White against black in the same place differ only on the ball: its shade is the same.
    white, black = (sim.picture(Scene((replace(marble, kind=MarbleKind(kind)),)), STILL) for kind in "WK")
    view = sim.stage(scene()).view
    expected = view.project(centre_of(marble)[None])[0]
    x, y = (round(float(c)) for c in expected)
    around = np.s_[y - 32 : y + 33, x - 32 : x + 33]
    rows, columns = np.nonzero((linear(white[around]) - linear(black[around])).mean(axis=2) > 0.05)
    middle = np.array([x - 32 + (columns.min() + columns.max()) / 2, y - 32 + (rows.min() + rows.max()) / 2])
    # A ball seen from the side is an ellipse whose middle lies a little outside of its projected centre.
    assert np.linalg.norm(middle - expected) < 1.5
    radius_px = view.lens.focal_px * 8 / np.linalg.norm(centre_of(marble) - view.camera_mm)
    assert np.sqrt(len(rows) / np.pi) == pytest.approx(radius_px, abs=1.5)


def test_the_knob_points_where_it_is_turned() -> None:
    sim = camera("black_ceiling")
    knob = board().knob
    middle = np.array([knob.cx, knob.cy])
    for degrees in (0.0, 90.0, 216.0):
        picture = sim.picture(replace(scene(), knob_deg=degrees), STILL)
        turn = np.radians(degrees)
        tip = middle + 13.5 * np.array([np.sin(turn), np.cos(turn)])
        tail = middle - 13.5 * np.array([np.sin(turn), np.cos(turn)])
        points = sim.stage(scene()).view.project(np.array([[*tip, knob.pointer_z], [*tail, knob.pointer_z]]))
        light = [linear(picture[round(y), round(x)]).mean() for x, y in points]
        assert light[0] > 2 * light[1]


def test_a_hand_covers_what_is_under_it_and_shades_what_is_beside() -> None:
    sim = camera("green_desk_lamp")
    without, covered = sim.picture(scene(), STILL), sim.picture(replace(scene(), hands=(HAND,)), STILL)
    view = sim.stage(scene()).view
    under = view.project(np.array([[HAND.x_mm + 25, HAND.y_mm - 43, 30.0]]))[0]
    blue, _, red = covered[round(under[1]), round(under[0])].astype(int)
    assert red > blue + 30
    away = view.project(np.array([[-60.0, 90.0, 0.0]]))[0]
    x, y = round(away[0]), round(away[1])
    assert np.array_equal(covered[y - 8 : y + 9, x - 8 : x + 9], without[y - 8 : y + 9, x - 8 : x + 9])
    changed = np.abs(covered.astype(int) - without).max(axis=2) > 3
    darker = changed & (covered.astype(int).sum(axis=2) < 0.7 * without.astype(int).sum(axis=2))
    assert darker.sum() > 3000


@pytest.mark.parametrize("kind", list(ThingKind))
def test_every_thing_is_seen(kind: ThingKind) -> None:
    sim = camera("white_felt")
    thing = Thing(kind, -20.0, 50.0, 10.2, 20.0, (0.3, 0.02, 0.02))
    without, seen = sim.picture(scene(), STILL), sim.picture(replace(scene(), things=(thing,)), STILL)
    assert (np.abs(seen.astype(int) - without).max(axis=2) > 25).sum() > 2500


def test_exposure_white_balance_and_noise_do_what_they_say() -> None:
    sim = camera("grey_dusk")
    plain = linear(sim.picture(scene(), STILL))
    darker = linear(sim.picture(scene(), Light(exposure=0.5, noise=0)))
    redder = linear(sim.picture(scene(), Light(white_balance=(1.2, 1.0, 0.8), noise=0)))
    somewhere = plain[..., 1] > 0.02
    assert np.median(darker[somewhere] / plain[somewhere]) == pytest.approx(0.5, abs=0.02)
    assert np.median(redder[somewhere] / plain[somewhere], axis=0) == pytest.approx([0.8, 1.0, 1.2], abs=0.03)

    white = camera("white_felt")
    one, two = (white.picture(scene(), Light(exposure=0.28, noise=0.02)).astype(float) for _ in range(2))
    mid_grey = (np.abs(one - 128) < 12) & (np.abs(two - 128) < 12)
    assert mid_grey.sum() > 10_000
    wanted = 0.02 * 255 * white.look.sensor.noise
    # Values picked by their nearness to mid grey spread a little less than all.
    assert (one - two)[mid_grey].std() / np.sqrt(2) == pytest.approx(wanted, rel=0.3)


def test_grey_patches_keep_their_reflectance() -> None:
    sim = camera("black_ceiling")
    picture = linear(sim.picture(scene(), STILL))
    strip = board().grey_strip
    points = sim.stage(scene()).view.project(np.array([(x, y, strip.z) for x, y in strip.centres]))
    seen = np.array([picture[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].mean() for x, y in points])
    # Gloss lies over all paints alike, so the light grows with the reflectance along a straight line.
    slope, gloss = np.polyfit(strip.reflectance_linear, seen, 1)
    assert seen == pytest.approx(slope * np.array(strip.reflectance_linear) + gloss, abs=0.025)
    assert 0.6 < slope < 1.1
    assert 0 <= gloss < 0.08


def test_even_a_black_marble_differs_from_a_dark_empty_seat() -> None:
    sim = camera("black_ceiling")
    layout = Layout("B...|K...|Y...|W...", "", 0)
    picture = sim.picture(scene(layout), STILL)
    view = sim.stage(scene()).view
    seats = board().slot_centres()
    names = ["1.1", "2.1", "3.1", "4.1", "1.3"]
    points = view.project(np.array([seats[name] for name in names]))
    seen = [picture[round(y) - 6 : round(y) + 7, round(x) - 6 : round(x) + 7].mean(axis=(0, 1)) for x, y in points]
    for i, one in enumerate(seen):
        for two in seen[i + 1 :]:
            assert np.abs(one - two).max() > 4


def test_a_position_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="no position of 4 x 4"):
        marbles_of(replace(LAYOUT, board="BB|Y"), board())
