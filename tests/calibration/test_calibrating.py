"""Calibrating on pictures with known geometry, and refusing what would misread."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Lens, load_lens, project
from calibration.errors import CalibrationError, RefusedError
from calibration.infinity.procedure import Reference, calibrate
from calibration.infinity.states import State, parse_state
from calibration.sampling import Picture
from tests.calibration.scenes import BOARD, calibrated, geometry, references, scene, truths
from vision.pictures import read_picture


def empty(number: int) -> Picture:
    return read_picture(scene(number) / "empty.jpg")


@pytest.mark.parametrize("number", [1, 6])
def test_seats_lie_where_the_renderer_put_them(number: int) -> None:
    """Within 0.3 px, upright and with a lens that bends, though corners are found 0.3 px inwards."""
    calibration, report = calibrated(scene(number))
    truth = geometry(scene(number))["empty.jpg"]["slots"]
    px = project(np.array(list(BOARD.slot_centres().values())), calibration.lens, calibration.pose)
    off = np.linalg.norm(px - [truth[place]["px"] for place in BOARD.slot_centres()], axis=1)
    assert off.max() < 0.3
    assert report.error_px < 0.4
    assert report.colour_margin > 1.8
    assert set(report.markers.values()) == {4}


def test_a_known_lens_is_kept() -> None:
    folder = scene(1)
    K = np.array(geometry(folder)["empty.jpg"]["K"])
    lens = Lens(1280, 720, K[0, 0], K[1, 1], K[0, 2], K[1, 2])
    calibration, report = calibrate(BOARD, empty(1), references(folder, "ref1"), lens)
    assert calibration.lens == lens
    assert report.error_px < 0.4


def test_a_kind_that_no_slot_shows_is_learnt_from_the_well() -> None:
    refs = references(scene(3))
    bare = [
        replace(ref, state=replace(ref.state, hidden=frozenset(p for p, k in ref.state.slots.items() if k == "W")))
        for ref in refs
    ]
    calibration, report = calibrate(BOARD, empty(3), bare)
    assert any("no reference has a white marble" in doubt for doubt in report.doubts)
    true = calibrated(scene(3))[0].appearance.marbles["W"]
    assert np.abs(calibration.appearance.marbles["W"] - true)[12:29, 12:29].mean() < 0.05


def refusal(number: int, refs: list[Reference], bare: Picture | None = None) -> str:
    with pytest.raises(RefusedError) as told:
        calibrate(BOARD, empty(number) if bare is None else bare, refs)
    return str(told.value)


def test_no_reference_is_refused() -> None:
    assert "at least one reference" in refusal(1, [])


def test_a_picture_without_markers_is_refused() -> None:
    table = np.tile(empty(1)[:, :160], (1, 8, 1))
    assert "none of the board's 4 markers" in refusal(1, references(scene(1)), table)


def test_a_covered_marker_leaves_three_and_two_covered_are_refused() -> None:
    picture = empty(1).copy()
    corners = geometry(scene(1))["empty.jpg"]["aruco"]
    for marker in ("0", "1"):
        x, y = np.mean(corners[marker], axis=0).astype(int)
        if marker == "1":
            _, report = calibrate(BOARD, picture, references(scene(1), "ref1"))
            assert report.markers["the empty picture"] == 3
            assert any("only 3 of 4 markers" in doubt for doubt in report.doubts)
        picture[y - 20 : y + 20, x - 20 : x + 20] = 90
    assert "only 2 of the board's 4 markers" in refusal(1, references(scene(1), "ref1"), picture)


def test_pictures_of_two_sizes_are_refused() -> None:
    small = cv2.resize(empty(1), (640, 360))
    assert "1280x720" in refusal(1, references(scene(1)), np.asarray(small, dtype=np.uint8))


def test_exchanged_channels_are_called_that() -> None:
    refs = [replace(ref, picture=ref.picture[..., ::-1].copy()) for ref in references(scene(1))]
    assert "channel order" in refusal(1, refs, empty(1)[..., ::-1].copy())


def test_a_state_of_another_picture_is_refused() -> None:
    first, second = references(scene(2))
    told = refusal(2, [replace(first, state=second.state), second])
    assert "is said to be" in told
    assert "check that each state belongs to its picture" in told


def test_one_wrong_letter_is_found() -> None:
    first, second = references(scene(2))
    wrong = replace(first, state=replace(first.state, slots={**first.state.slots, "1.1": "B"}))
    assert "ref1.jpg: 1.1 is said to be blue and looks yellow" in refusal(2, [wrong, second])


@pytest.mark.parametrize(("one", "other", "told"), [("W", "K", "black and white"), ("B", "Y", "blue and yellow")])
def test_kinds_exchanged_in_every_state_are_named(one: str, other: str, told: str) -> None:
    """The states agree with each other, so only the names of the colours tell."""
    exchanged = [
        replace(ref, state=replace(ref.state, slots={p: {one: other, other: one}.get(k, k) for p, k in slots.items()}))
        for ref in references(scene(2))
        for slots in (ref.state.slots,)
    ]
    assert f"{told} marbles look exchanged" in refusal(2, exchanged)


def test_states_that_say_only_the_board_are_enough() -> None:
    bare = [replace(ref, state=replace(ref.state, knob_stop=None, well=None)) for ref in references(scene(2))]
    assert calibrate(BOARD, empty(2), bare)[0].appearance.knob is not None, "the empty picture shows the knob at 0"


def test_a_reference_may_be_bumped_against_the_empty_picture() -> None:
    truth = next(truth for truth in truths(scene(2)) if truth["kind"] == "bump")
    bumped = Reference("bump.jpg", read_picture(scene(2) / truth["image"]), parse_state(truth, BOARD))
    calibration, report = calibrate(BOARD, empty(2), [*references(scene(2), "ref1"), bumped])
    assert report.colour_margin > 2
    moved = np.array(calibration.pose.tvec) - calibrated(scene(2))[0].pose.tvec
    assert np.abs(moved[:2]).max() < 0.5, "the empty picture says where the board lies"


def test_marbles_in_the_empty_picture_are_refused() -> None:
    first, second = references(scene(3))
    told = refusal(3, [second], first.picture)
    assert "marble lies in" in told or "is said to be" in told


def test_a_hand_in_a_reference_is_refused() -> None:
    folder = scene(5)
    hand = read_picture(folder / "frames" / "f06.jpg")
    state = parse_state({"board": "....|BBY.|BYBY|YBB."}, BOARD)
    told = refusal(5, [*references(folder), Reference("hand.jpg", hand, state)])
    assert "hand.jpg: " in told


def test_a_blurred_picture_does_not_pass_silently() -> None:
    blurred = np.asarray(cv2.GaussianBlur(empty(4), (0, 0), 6), dtype=np.uint8)
    assert "marker" in refusal(4, references(scene(4)), blurred)


def test_the_wrong_board_file_is_noticed() -> None:
    other = replace(BOARD, aruco=replace(BOARD.aruco, centres=((-69, 90), (69, 104), (69, -104), (-69, -104))))
    with pytest.raises(RefusedError, match="from where the board description has them"):
        calibrate(other, empty(1), references(scene(1)))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], 'needs "board"'),
        ({"board": "BY..|...."}, "must look like"),
        ({"board": "BX..|....|....|...."}, "only B, K, Y, W"),
        ({"board": "KK..|....|....|...."}, "2 black marbles"),
        ({"board": "....|....|....|....", "well": 7}, '"well"'),
        ({"board": "....|....|....|....", "knob_stop": 6}, '"knob_stop"'),
        ({"board": "....|....|....|....", "hidden": "1.1"}, '"hidden"'),
    ],
)
def test_a_wrong_state_is_named(data: object, fault: str) -> None:
    with pytest.raises(CalibrationError, match=fault):
        parse_state(data, BOARD)


def test_other_keys_of_a_state_do_not_matter() -> None:
    state = parse_state({"board": "BY..|....|....|....", "image": "x", "hand": False}, BOARD)
    assert state.slots["1.2"] == "Y"
    assert State.empty(BOARD).slots["4.4"] == "."


def test_a_lens_file_says_how_it_is_written(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "lens.json"
    file.write_text('{"fx":1}', encoding="utf-8")
    with pytest.raises(CalibrationError, match='"width":1280'):
        load_lens(file)
    file.write_text('{"width":1280,"height":720,"fx":1000,"fy":1000,"cx":639.5,"cy":359.5}', encoding="utf-8")
    assert load_lens(file).fx == 1000
