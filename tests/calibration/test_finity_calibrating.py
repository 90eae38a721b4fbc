"""Calibrating Finity: what is learnt and reported, and refusing what would misread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import Lens
from calibration.errors import RefusedError
from calibration.file import load, save
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import SIZES
from calibration.finity.examples import State
from calibration.finity.known import EMPTY
from calibration.finity.procedure import Reference, Report, calibrate
from calibration.finity.states import load_state
from calibration.finity.stations import StationLook, off_colours
from calibration.sampling import Picture
from tests.calibration.finity_scenes import BOARD, SCENES, calibrated, scene
from vision.pictures import read_picture

RINGS = tuple(f".{size}" for size in SIZES)


def empty(number: int) -> Picture:
    return read_picture(scene(number) / "empty.jpg")


def reference(number: int, name: str = "ref1") -> Reference:
    folder = scene(number)
    return Reference(f"{name}.jpg", read_picture(folder / f"{name}.jpg"), load_state(folder / f"{name}.json", BOARD))


def without(known: Reference, letter: str, kinds: tuple[str, ...]) -> Reference:
    """The reference with nothing to be learnt from a player's rings (".S"...), post (".P") or blockers ("L"...)."""
    state = known.state
    own = [
        place
        for place, label in state.labels.items()
        if label in (letter, f"blocker {letter}") and place.endswith(kinds)
    ]
    return replace(known, state=replace(state, hidden=state.hidden | frozenset(own)))


def refusal(bare: Picture, *references: Reference) -> str:
    with pytest.raises(RefusedError) as told:
        calibrate(BOARD, bare, references)
    return str(told.value)


@pytest.mark.parametrize("number", SCENES)
def test_what_is_measured_is_reported(number: int) -> None:
    calibration, report = calibrated(scene(number))
    assert report.error_px < 0.4
    assert report.colour_margin > 2
    assert set(report.closest) <= {EMPTY, *calibration.appearance.stations.colours}
    assert set(report.markers) == {"the empty picture", "ref1.jpg", "ref2.jpg"}
    assert set(report.markers.values()) == {4}
    assert not report.doubts


def test_a_calibration_is_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    calibration, _ = calibrated(scene(0))
    save(calibration, tmp_path / "finity.json")
    again = load(tmp_path / "finity.json", "finity")
    assert isinstance(again, FinityCalibration)
    assert again.appearance.stations == calibration.appearance.stations
    assert again.appearance.tiles == calibration.appearance.tiles
    assert np.array_equal(again.appearance.empty, calibration.appearance.empty)


def test_a_known_lens_is_kept() -> None:
    lens = Lens(1280, 720, 1050.0, 1050.0, 639.5, 359.5)
    calibration, report = calibrate(BOARD, empty(0), [reference(0)], lens)
    assert calibration.lens == lens
    assert report.error_px < 0.4


def test_gloss_moves_a_colour_towards_white_and_light_changes_its_brightness_only() -> None:
    red = np.array([[-0.6, -0.7, 0.4]], dtype=np.float32)
    glossy = np.log(np.exp(2 * red) + 0.45) / 2
    for shown, brighter in ((red, 0.0), (glossy, 0.0), (red - 0.5, -0.5)):
        light, tint, _ = off_colours(shown.astype(np.float32), red)
        assert float(tint[0, 0]) < 0.02
        assert float(light[0, 0]) == pytest.approx(brighter, abs=0.02)


def test_a_player_is_learnt_from_the_post_or_the_blockers_where_no_ring_is_shown() -> None:
    whole = calibrated(scene(0))[0].appearance.stations
    for hidden in (RINGS, (*RINGS, ".P")):
        references = [without(reference(0, name), "A", hidden) for name in ("ref1", "ref2")]
        calibration, report = calibrate(BOARD, empty(0), references)
        learnt: StationLook = calibration.appearance.stations
        assert learnt.unseen == ("A",)
        assert any("no ring of player A" in doubt for doubt in report.doubts)
        assert np.abs(np.array(learnt.colours["A"]) - np.array(whole.colours["A"])).max() < 0.2


def test_no_reference_is_refused() -> None:
    assert "at least one reference picture" in refusal(empty(0))


def test_references_of_different_tables_are_refused() -> None:
    assert "different numbers of players" in refusal(empty(0), reference(0), reference(3))


def test_a_player_without_any_piece_is_refused() -> None:
    told = refusal(empty(0), without(reference(0), "B", (*RINGS, ".P", "L", "M", "R")))
    assert "no piece of player B" in told


def test_a_reference_in_another_light_is_refused() -> None:
    dark = replace(reference(0), picture=np.full_like(empty(0), 3))
    assert "ref1.jpg" in refusal(empty(0), dark)
    strip = reference(0)
    dim = replace(strip, picture=(strip.picture.astype(np.float32) * 0.08).astype(np.uint8))
    assert "ref1.jpg" in refusal(empty(0), dim)


def test_players_who_look_alike_are_refused() -> None:
    """Half of B's rings are said to be A's: then both have both colours."""
    known = reference(0)
    labels, turn = dict(known.state.labels), 0
    for place, label in known.state.labels.items():
        if label in ("A", "B"):
            turn += 1
            labels[place] = "AB"[turn % 2]
    mixed = replace(known, state=State(known.state.players, labels, known.state.hidden))
    told = refusal(empty(0), mixed)
    assert "look too much alike" in told or "check the state" in told


def test_a_grey_picture_has_no_colours_to_tell_apart() -> None:
    grey = [
        np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
        for picture in (empty(3), reference(3).picture)
    ]
    assert "look too much alike" in refusal(grey[0], replace(reference(3), picture=grey[1]))


def test_a_state_that_does_not_fit_its_picture_is_refused() -> None:
    known = reference(0)
    place = next(place for place, label in known.state.labels.items() if label == EMPTY and place.endswith(RINGS))
    wrong = replace(known, state=replace(known.state, labels={**known.state.labels, place: "A"}))
    told = refusal(empty(0), wrong)
    assert f"ref1.jpg: {place} is not as its state says, it looks empty" in told


def test_every_step_is_told() -> None:
    steps: list[str] = []
    _, report = calibrate(BOARD, empty(0), [reference(0)], progress=steps.append)
    assert isinstance(report, Report)
    assert steps == ["looking for markers, fitting lens and pose", "fitting the tiles", "learning the pieces"]
