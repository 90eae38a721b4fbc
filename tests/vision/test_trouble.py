"""What happens at a table and must not be taken for a position."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from calibration.sampling import Picture
from tests.calibration.scenes import BOARD, calibrated, frame, labels, scene, truths
from tests.vision.trouble import in_light, px, with_marble, with_thing
from vision.infinity.recogniser import InfinityRecogniser
from vision.reading import PlaceReading, Status

DARK, WHITE, SIDE_LIGHT, BLUE = 1, 3, 5, 6
"""Scenes by their board and light."""


def recogniser(number: int) -> InfinityRecogniser:
    return InfinityRecogniser(calibrated(scene(number))[0])


def truth(number: int, name: str) -> dict[str, str]:
    return labels(next(t for t in truths(scene(number)) if t["image"] == f"frames/{name}.jpg"))


def assert_nothing_wrong(places: dict[str, PlaceReading], true: dict[str, str]) -> None:
    assert [place for place, seen in places.items() if seen.sure and seen.label != true[place]] == []


@pytest.mark.parametrize("number", [DARK, WHITE, SIDE_LIGHT, BLUE])
@pytest.mark.parametrize(
    "colour",
    [(235, 235, 235), (25, 25, 25), (150, 180, 220), (40, 190, 230), (150, 60, 30), None],
    ids=["white", "black", "skin", "yellow", "blue", "as the board"],
)
def test_a_card_over_slots_is_neither_marble_nor_empty_seat(number: int, colour: tuple[int, int, int] | None) -> None:
    look = recogniser(number)
    picture = frame(scene(number), "f02")
    x, y = (int(v) for v in px(look.calibration, -13, 42, 0))
    tone = colour or tuple(int(v) for v in np.median(picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3), axis=0))
    corners = np.array([px(look.calibration, *corner, 5.0) for corner in ((-22, 8), (22, 8), (22, 76), (-22, 76))])
    reading = look.look(with_thing(picture, corners, (tone[0], tone[1], tone[2])))
    under = [f"{channel}.{slot}" for channel in (2, 3) for slot in (1, 2, 3)]
    assert all(not reading.places[place].sure for place in under)
    assert_nothing_wrong(dict(reading.places), truth(number, "f02"))


@pytest.mark.parametrize("number", [DARK, WHITE, SIDE_LIGHT])
@pytest.mark.parametrize("z_mm", [27, 42, 62])
def test_a_marble_held_over_a_seat_is_not_in_it(number: int, z_mm: float) -> None:
    """Held above the board it looks bigger, or lies beside the seat, or both."""
    look = recogniser(number)
    true = truth(number, "f02")
    picture = frame(scene(number), "f02")
    for place, (x, y, _) in BOARD.slot_centres().items():
        source = next(p for p, label in true.items() if label not in {".", true[place]} and label in "BY")
        reading = look.look(with_marble(picture, look.calibration, source, x, y, z_mm))
        seen = reading.places[place]
        assert not seen.sure or seen.label == true[place], place
        look = recogniser(number)


@pytest.mark.parametrize("number", [DARK, SIDE_LIGHT, BLUE])
def test_a_marble_half_way_between_seats_is_in_none(number: int) -> None:
    look = recogniser(number)
    true = truth(number, "f02")
    picture = frame(scene(number), "f02")
    for channel in range(1, 5):
        filled = sum(true[f"{channel}.{slot}"] != "." for slot in range(1, 5))
        if filled > 2:
            continue
        x, y, _ = BOARD.slot_centres()[f"{channel}.{filled + 1}"]
        source = next(place for place, label in true.items() if label == "Y")
        reading = look.look(with_marble(picture, look.calibration, source, x, y + 11, 2.5))
        assert not reading.places[f"{channel}.{filled + 1}"].sure
        assert not reading.places[f"{channel}.{filled + 2}"].sure
        assert_nothing_wrong(dict(reading.places), true)


def test_a_second_joker_and_a_marble_above_a_gap_are_doubted() -> None:
    look = recogniser(WHITE)
    true = truth(WHITE, "f02")
    picture = frame(scene(WHITE), "f02")
    joker = next(place for place, label in true.items() if label == "K")
    x, y, z = BOARD.slot_centres()["1.2"]
    second = look.look(with_marble(picture, look.calibration, joker, x, y, z))
    assert not second.places["1.2"].sure
    assert not second.places[joker].sure
    assert second.places["1.2"].label == "K", "what was seen stays known for whoever weighs it"
    x, y, z = BOARD.slot_centres()["1.4"]
    above = look.look(with_marble(picture, look.calibration, "2.1", x, y, z))
    assert not above.places["1.4"].sure
    assert_nothing_wrong(dict(above.places), {**true, "1.4": "-"})


LIGHTS: dict[str, Any] = {
    "brighter": 1.4,
    "darker": 0.5,
    "warm": np.array([0.8, 1.0, 1.25]),
    "cold": np.array([1.25, 1.0, 0.8]),
    "sloping": np.linspace(0.75, 1.25, 1280)[None, :, None],
}


@pytest.mark.parametrize("light", sorted(LIGHTS))
@pytest.mark.parametrize("number", [DARK, WHITE, SIDE_LIGHT])
def test_other_light_changes_nothing(number: int, light: str) -> None:
    reading = recogniser(number).look(in_light(frame(scene(number), "f03"), LIGHTS[light]))
    assert_nothing_wrong(dict(reading.places), truth(number, "f03"))
    assert len(reading.unsure) <= 1


@pytest.mark.parametrize("number", [DARK, WHITE])
def test_a_shadow_over_half_the_board_makes_nothing_wrong(number: int) -> None:
    shade = np.ones((720, 1280, 1))
    shade[:, 640:] = 0.45
    soft = np.asarray(cv2.GaussianBlur(shade, (0, 0), 3), dtype=np.float64)[..., None]
    reading = recogniser(number).look(in_light(frame(scene(number), "f03"), soft))
    assert_nothing_wrong(dict(reading.places), truth(number, "f03"))
    assert len(reading.unsure) <= 8


@pytest.mark.parametrize("sigma", [4, 12])
def test_noise_makes_nothing_wrong(sigma: float) -> None:
    noise = np.random.default_rng(3).normal(0, sigma, (720, 1280, 3))
    noisy = np.clip(frame(scene(DARK), "f03") + noise, 0, 255).astype(np.uint8)
    assert_nothing_wrong(dict(recogniser(DARK).look(noisy).places), truth(DARK, "f03"))


def test_the_board_upside_down_keeps_its_names() -> None:
    """A picture turned by 180 degrees, as from a camera mounted the other way round: the markers tell."""
    reading = recogniser(WHITE).look(np.asarray(cv2.rotate(frame(scene(WHITE), "f03"), cv2.ROTATE_180), dtype=np.uint8))
    assert_nothing_wrong(dict(reading.places), truth(WHITE, "f03"))
    assert sum(place.sure for place in reading.places.values()) >= 14
    assert "turned by 180 degrees" in reading.detail


def test_a_moved_camera_is_followed_and_found_again() -> None:
    look = recogniser(WHITE)
    picture = frame(scene(WHITE), "f03")
    assert look.look(picture).shift_px < 1
    warp = cv2.getRotationMatrix2D((640, 360), 3, 1.0)
    warp[:, 2] += (12, -7)
    moved = look.look(np.asarray(cv2.warpAffine(picture, warp, (1280, 720)), dtype=np.uint8))
    assert moved.shift_px > 10
    assert_nothing_wrong(dict(moved.places), truth(WHITE, "f03"))
    assert look.look(picture).shift_px < 1


def hide_markers(picture: Picture, look: InfinityRecogniser, *markers: int) -> Picture:
    hidden = picture
    for marker in markers:
        x, y = BOARD.aruco.centres[marker]
        corners = np.array(
            [px(look.calibration, x + a, y + b, 0) for a, b in ((-14, -14), (14, -14), (14, 14), (-14, 14))]
        )
        hidden = with_thing(hidden, corners, (90, 90, 90))
    return hidden


def test_hidden_markers_move_nothing() -> None:
    look = recogniser(WHITE)
    picture = frame(scene(WHITE), "f03")
    for markers in ((0,), (0, 2), (0, 1, 2)):
        reading = look.look(hide_markers(picture, look, *markers))
        assert reading.status in {Status.OK, Status.UNSURE}, markers
        assert reading.shift_px < 1
        assert_nothing_wrong(dict(reading.places), truth(WHITE, "f03"))


def test_a_bump_under_a_hand_is_followed_by_two_markers() -> None:
    look = recogniser(WHITE)
    picture = hide_markers(frame(scene(WHITE), "f03"), look, 2, 3)
    warp = np.array([[1, 0, 15.0], [0, 1, 6.0]])
    reading = look.look(np.asarray(cv2.warpAffine(picture, warp, (1280, 720)), dtype=np.uint8))
    assert reading.shift_px == pytest.approx(np.hypot(15, 6), abs=1.5)
    assert_nothing_wrong(dict(reading.places), truth(WHITE, "f03"))
    assert sum(place.sure for place in reading.places.values()) >= 12


def test_one_marker_in_another_place_is_told_as_moved() -> None:
    look = recogniser(WHITE)
    picture = hide_markers(frame(scene(WHITE), "f03"), look, 1, 2, 3)
    reading = look.look(np.asarray(np.roll(picture, 20, axis=1)))
    assert reading.status is Status.MOVED
    assert not reading.places


def test_no_board_is_said_and_recovered_from() -> None:
    look = recogniser(WHITE)
    picture = frame(scene(WHITE), "f03")
    table = np.tile(picture[:, :160], (1, 8, 1))
    assert look.look(table).status is Status.NO_BOARD
    assert look.look(picture).status is Status.OK


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        (np.zeros((720, 1280, 3), np.uint8), "black"),
        (np.full((720, 1280, 3), 255, np.uint8), "white"),
        (np.zeros((480, 640, 3), np.uint8), "640x480"),
        (np.zeros((1280, 720, 3), np.uint8), "720x1280"),
        (np.zeros((720, 1280), np.uint8), "no 8-bit colour picture"),
        (np.zeros((720, 1280, 3), np.float32), "no 8-bit colour picture"),
    ],
)
def test_pictures_that_cannot_be_used_are_told(picture: Picture, told: str) -> None:
    reading = recogniser(WHITE).look(picture)
    assert reading.status is Status.BAD_IMAGE
    assert told in reading.detail


@pytest.mark.parametrize("number", [DARK, WHITE, SIDE_LIGHT])
def test_exchanged_channels_are_called_that(number: int) -> None:
    look = recogniser(number)
    reading = look.look(frame(scene(number), "f02")[..., ::-1].copy())
    assert reading.status is Status.BAD_IMAGE
    assert "channel order" in reading.detail
    assert look.look(frame(scene(number), "f02")).status is Status.OK


@pytest.mark.parametrize("cover", [(20, 20, 20), (110, 110, 110), (150, 180, 220)], ids=["phone", "sleeve", "skin"])
def test_a_covered_grey_strip_leaves_the_places_readable(cover: tuple[int, int, int]) -> None:
    look = recogniser(WHITE)
    strip = BOARD.grey_strip
    half = strip.w / 2 + 3
    corners = [px(look.calibration, strip.cx + a, strip.cy + b, 6) for a, b in ((-half, -6), (half, -6), (half, 9))]
    corners.append(px(look.calibration, strip.cx - half, strip.cy + 9, 6))
    reading = look.look(with_thing(frame(scene(WHITE), "f03"), np.array(corners), cover))
    assert reading.status in {Status.OK, Status.UNSURE}
    assert_nothing_wrong(dict(reading.places), truth(WHITE, "f03"))
    assert len(reading.unsure) <= 2


@pytest.mark.parametrize(("board", "calibrated_on"), [(SIDE_LIGHT, BLUE), (WHITE, DARK), (BLUE, WHITE)])
def test_a_board_of_another_colour_is_not_read(board: int, calibrated_on: int) -> None:
    reading = recogniser(calibrated_on).look(frame(scene(board), "f03"))
    assert all(not place.sure for place in reading.places.values())
    assert reading.knob is None or not reading.knob.sure
    assert "not the calibrated one" in reading.detail


@pytest.mark.parametrize("number", [DARK, WHITE, BLUE])
def test_a_soft_shadow_across_seats_leaves_them_readable(number: int) -> None:
    """As a hand beside the board throws: from full light to half of it within a seat's width."""
    x, _ = px(recogniser(number).calibration, 0, 40)
    shade = 0.55 + 0.45 / (1 + np.exp(-(np.arange(1280) - x) / 12))
    reading = recogniser(number).look(in_light(frame(scene(number), "f03"), shade[None, :, None]))
    assert_nothing_wrong(dict(reading.places), truth(number, "f03"))
    assert len(reading.unsure) <= 3


def test_a_place_that_fits_nothing_is_covered() -> None:
    """A printed card leaves much of the ring as it was, and hides the seats all the same."""
    look = recogniser(DARK)
    picture = frame(scene(DARK), "f02")
    corners = np.array([px(look.calibration, *corner, 4.0) for corner in ((-22, 8), (22, 8), (22, 76), (-22, 76))])
    reading = look.look(with_thing(picture, corners, (60, 45, 30)))
    assert reading.status is Status.OCCLUDED
    assert all(reading.places[f"{channel}.{slot}"].covered for channel in (2, 3) for slot in (1, 2, 3))
