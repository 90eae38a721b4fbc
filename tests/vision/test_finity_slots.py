"""What lies in the slots: all pictures with truth, one reference alone, covered slots, and what is learnt of pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Pose, project, solve_pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.arrow import distance_mm, outline_mm
from calibration.finity.board import POST, SIZES
from calibration.finity.examples import Bare, Example
from calibration.finity.hiding import visible_share
from calibration.finity.slots import SlotLook, learn_slots
from calibration.finity.states import load_state
from calibration.finity.view import UNIT, View, view_of
from calibration.markers import find_markers, gray
from calibration.sampling import Picture
from tests.calibration.finity_scenes import BOARD, SCENES, calibrated, hidden, labels, picture_of, scene, truths
from tests.shared_material import shared
from vision.finity.sighting import Sighting
from vision.finity.slot_verdict import HIDDEN
from vision.finity.slots import SlotReader
from vision.pictures import read_picture

UNSURE_IS_NO_FAULT = 0.6
"""Between 0.4 and this share in sight nobody is blamed for being unsure."""
SKIN = (110, 150, 205)


def pose_in(calibration: FinityCalibration, picture: Picture) -> Pose:
    corners = find_markers(gray(picture), calibration.board)
    return solve_pose(corners, calibration.board, calibration.lens, calibration.shrink, calibration.pose)[0]


def view(calibration: FinityCalibration, picture: Picture, pose: Pose) -> View:
    seen = view_of(picture, calibration.board, calibration.lens, pose, calibration.appearance.light)
    assert seen is not None
    return seen


def stations_of(truth: Mapping[str, Any]) -> dict[str, Sighting]:
    """Rings and posts as they stand: what the reader of stations would have told."""
    return {
        place: Sighting({label: 1.0})
        for place, label in labels(dict(truth)).items()
        if place.partition(".")[2] in (*SIZES, POST)
    }


def slot_names(calibration: FinityCalibration) -> list[str]:
    return [slot.name for slot in BOARD.slot_places(calibration.appearance.players)]


@cache
def reader(calibration_of: tuple[Path, tuple[str, ...]]) -> SlotReader:
    folder, names = calibration_of
    calibration = calibrated(folder, *names)[0]
    return SlotReader(calibration, calibration.pose)


_READ: dict[tuple[Path, str, tuple[str, ...]], Mapping[str, Sighting]] = {}


def read(folder: Path, truth: dict[str, Any], *names: str, picture: Picture | None = None) -> Mapping[str, Sighting]:
    """All slots of a frame, or of another picture; frames are read once for all tests."""
    if picture is not None:
        return read_anew(folder, truth, names, picture)
    key = (folder, truth["image"], names)
    if key not in _READ:
        _READ[key] = read_anew(folder, truth, names, picture_of(folder, truth))
    return _READ[key]


def read_anew(folder: Path, truth: dict[str, Any], names: tuple[str, ...], picture: Picture) -> Mapping[str, Sighting]:
    calibration = calibrated(folder, *names)[0]
    pose, slots = calibration.pose, reader((folder, names))
    if truth.get("kind") == "bump":
        pose = pose_in(calibration, picture)
        slots = SlotReader(calibration, pose)
    return slots.read(view(calibration, picture, pose), slot_names(calibration), stations_of(truth))


def wrong(seen: Mapping[str, Sighting], truth: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Slots told as sure that hold something else: the true label and the one told."""
    true = labels(truth)
    return {
        name: (true[name], sighting.label)
        for name, sighting in seen.items()
        if not sighting.doubts and sighting.label != true[name] and name not in hidden(truth)
    }


def unsure(seen: Mapping[str, Sighting], truth: dict[str, Any]) -> list[str]:
    return [
        name
        for name, sighting in seen.items()
        if sighting.doubts and sighting.visible >= UNSURE_IS_NO_FAULT and name not in hidden(truth)
    ]


@pytest.mark.parametrize("number", SCENES)
def test_no_slot_of_a_scene_is_told_wrong(number: int) -> None:
    folder = scene(number)
    for truth in truths(folder):
        assert wrong(read(folder, truth), truth) == {}, truth["image"]


def test_nearly_every_frame_without_a_hand_is_read_whole() -> None:
    frames = [(scene(number), truth) for number in SCENES for truth in truths(scene(number)) if not truth["hand"]]
    spoilt = {
        f"{folder.name}/{truth['image']}": slots
        for folder, truth in frames
        if (slots := unsure(read(folder, truth), truth))
    }
    assert len(spoilt) <= 0.05 * len(frames), spoilt


@pytest.mark.parametrize(("number", "reference"), [(1, "ref1"), (5, "ref2")])
def test_one_reference_is_enough(number: int, reference: str) -> None:
    folder = scene(number)
    for truth in truths(folder)[:3]:
        seen = read(folder, truth, reference)
        assert wrong(seen, truth) == {}, truth["image"]
        assert len(unsure(seen, truth)) <= 1, truth["image"]


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
def test_a_recorded_game(every: int) -> None:
    folder = shared("images", "finity", "recording")
    for truth in truths(folder, "frames_truth.jsonl")[::every]:
        seen = read(folder, truth)
        assert wrong(seen, truth) == {}, truth["image"]
        assert truth["hand"] or unsure(seen, truth) == [], truth["image"]


def test_a_bare_board_has_nothing_in_its_slots() -> None:
    for number in (0, 4):
        calibration = calibrated(scene(number))[0]
        bare = {"players": calibration.appearance.players, "bridges": [], "rings": {}, "posts": {}, "blockers": {}}
        seen = read(scene(number), {**bare, "hidden": []}, picture=calibration.appearance.empty)
        assert {s.label for s in seen.values() if s.visible >= UNSURE_IS_NO_FAULT} == {"."}
        assert all(not s.doubts for s in seen.values() if s.visible >= UNSURE_IS_NO_FAULT)


def test_one_slot_alone_reads_as_among_all() -> None:
    folder, truth = scene(5), truths(scene(5))[3]
    calibration = calibrated(folder)[0]
    slots = SlotReader(calibration, calibration.pose)
    seen = view(calibration, picture_of(folder, truth), calibration.pose)
    whole = slots.read(seen, slot_names(calibration), stations_of(truth))
    known = {**stations_of(truth), **whole}
    for name in slot_names(calibration)[::7]:
        alone = slots.read(seen, [name], {place: s for place, s in known.items() if place != name})[name]
        if not (alone.doubts or whole[name].doubts):
            assert alone.label == whole[name].label, name
    assert slots.read(seen, [], known) == {}


@pytest.mark.parametrize("colour", [SKIN, (200, 200, 200), (25, 25, 25)])
def test_a_thing_over_slots_is_never_a_bridge(colour: tuple[int, int, int]) -> None:
    """A stick as wide as a finger lies over slots lengthwise, in the colour of skin, of paper, of a black pen."""
    folder, truth = scene(0), truths(scene(0))[4]
    calibration = calibrated(folder)[0]
    for slot in BOARD.slot_places(2)[::5]:
        if visible_share(BOARD, calibration.appearance.tiles, calibration.lens, calibration.pose, slot.name) < 0.9:
            continue
        ends = np.array([(x, y, 25.0) for x, y in ((-90, -8), (28, -8), (28, 8), (-90, 8))])
        at = calibration.appearance.tiles.slot_mm(BOARD, slot, ends)
        picture = picture_of(folder, truth).copy()
        cv2.fillConvexPoly(picture, project(at, calibration.lens, calibration.pose).astype(np.int32), colour)
        got = read(folder, truth, picture=picture)[slot.name]
        assert got.doubts, (slot.name, got.label)


def test_what_is_covered_or_hidden_says_nothing() -> None:
    folder = scene(1)
    truth = next(truth for truth in truths(folder) if truth["hand"])
    seen = read(folder, truth)
    silent = [s for s in seen.values() if s.covered or s.visible < HIDDEN]
    assert silent
    assert all(s.doubts and set(s.likelihoods.values()) == {1.0} for s in silent)


@cache
def bare_and_examples(number: int) -> tuple[Bare, list[Example]]:
    folder = scene(number)
    calibration = calibrated(folder)[0]
    look = calibration.appearance
    bare = Bare(BOARD, look.players, look.tiles, View(look.empty, calibration.lens, calibration.pose, UNIT))
    examples = []
    for name in ("ref1", "ref2"):
        picture = read_picture(folder / f"{name}.jpg")
        state = load_state(folder / f"{name}.json", BOARD)
        examples.append(Example(name, view(calibration, picture, pose_in(calibration, picture)), state))
    return bare, examples


def test_what_is_learnt_survives_json() -> None:
    look = calibrated(scene(5))[0].appearance.slots
    assert SlotLook.from_json(json.loads(json.dumps(look.to_json()))) == look
    assert set(look.blockers) == set("ABCD")
    assert look.doubts == ()
    assert look.ratios["b"][0] < 0 < look.ratios["w"][0]
    with pytest.raises(ValueError, match="black and white"):
        SlotLook.from_json({**look.to_json(), "ratios": {"b": [0.0, 0.2]}})


def without(colour: str, labels: Mapping[str, str]) -> dict[str, str]:
    return {place: "." if label.startswith(f"{colour} ") else label for place, label in labels.items()}


@pytest.mark.parametrize("colour", ["b", "w"])
def test_a_colour_that_no_reference_shows_is_guessed_and_doubted(colour: str) -> None:
    bare, examples = bare_and_examples(0)
    less = [replace(e, state=replace(e.state, labels=without(colour, e.state.labels))) for e in examples]
    look, whole = learn_slots(bare, less), learn_slots(bare, examples)
    assert colour not in look.shown
    assert len(look.doubts) == 1
    assert abs(look.ratios[colour][0] - whole.ratios[colour][0]) < 2 * look.ratios[colour][1]
    calibration = calibrated(scene(0))[0]
    guessing = replace(calibration, appearance=replace(calibration.appearance, slots=look))
    truth = truths(scene(0))[0]
    seen = SlotReader(guessing, guessing.pose).read(
        view(guessing, picture_of(scene(0), truth), guessing.pose), slot_names(guessing), stations_of(truth)
    )
    assert wrong(seen, truth) == {}


def test_the_outline_of_a_bridge() -> None:
    outline = outline_mm(BOARD)
    length, width = np.ptp(outline, axis=0)
    assert length == pytest.approx(BOARD.bridge.length_sides * BOARD.hex_side)
    assert width == pytest.approx(BOARD.bridge.width_sides * BOARD.hex_side)
    tip, notch, beside = (length / 2 - 1, 0.0), (-length / 2 + 1, 0.0), (0.0, BOARD.bridge.shaft_sides * BOARD.hex_side)
    away = distance_mm(outline, np.array([tip, notch, beside, (0.0, 0.0)]))
    assert away[0] < 0 < away[1]
    assert away[2] == pytest.approx(beside[1] / 2)
    assert away[3] == pytest.approx(-beside[1] / 2)
