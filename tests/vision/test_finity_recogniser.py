"""Pictures of Finity that cannot be read, what cannot be true together, and the answer lines."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.calibrate import calibrate
from companion.cli.recognise import recognise
from companion.errors import UsageError
from companion.games.finity.sight_json import bridge_text, sight_json
from tests.calibration.finity_scenes import BOARD, calibrated, picture_of, scene, truth_of, truths
from tests.vision.test_commands import calibrating, run
from vision.finity.patches import colourless, red_and_blue_exchanged
from vision.finity.recogniser import FinityRecogniser
from vision.finity.supply import contradictions
from vision.reading import PlaceReading, Reading, Status
from vision.recogniser import recogniser_for


def test_the_program_finds_the_reader_of_a_calibrations_game() -> None:
    assert isinstance(recogniser_for(calibrated(scene(0))[0]), FinityRecogniser)


def test_a_picture_with_red_and_blue_exchanged_is_said_to_be_one() -> None:
    calibration = calibrated(scene(0))[0]
    picture = picture_of(scene(0), truth_of(scene(0), "plain"))
    recogniser = FinityRecogniser(calibration)
    reading = recogniser.look(np.ascontiguousarray(picture[..., ::-1]))
    assert reading.status is Status.BAD_IMAGE
    assert "channel order" in reading.detail
    assert recogniser.look(picture).status is not Status.BAD_IMAGE


def test_a_picture_without_colour_is_said_to_be_one() -> None:
    calibration = calibrated(scene(0))[0]
    picture = picture_of(scene(0), truth_of(scene(0), "plain"))
    grey = np.repeat(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2).astype(np.uint8)
    reading = FinityRecogniser(calibration).look(grey)
    assert reading.status is Status.BAD_IMAGE
    assert "no colour" in reading.detail


def test_a_grey_sleeve_over_the_patches_takes_no_colour() -> None:
    reference = calibrated(scene(0))[0].appearance.light
    for sleeve in (0.2, 0.5):
        assert not colourless(np.full(reference.strip.shape, sleeve, dtype=np.float32), reference)
    assert not colourless(reference.strip * 0.8, reference)


def test_a_hand_over_the_patches_exchanges_nothing() -> None:
    reference = calibrated(scene(0))[0].appearance.light
    for skin in ((0.35, 0.5, 0.75), (0.75, 0.5, 0.35)):
        assert not red_and_blue_exchanged(np.array([skin] * len(reference.strip), dtype=np.float32), reference)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.zeros((720, 1280, 3), np.uint8), "black"),
        (np.full((720, 1280, 3), 255, np.uint8), "white"),
        (np.zeros((720, 1280), np.uint8), "no 8-bit colour picture"),
        (np.full((480, 640, 3), 90, np.uint8), "640x480"),
    ],
)
def test_unfit_pictures_are_refused_with_the_reason(picture: np.ndarray, words: str) -> None:
    reading = FinityRecogniser(calibrated(scene(0))[0]).look(picture)
    assert reading.status is Status.BAD_IMAGE
    assert words in reading.detail


def test_two_markers_are_enough_to_follow_a_bump() -> None:
    calibration = calibrated(scene(0))[0]
    recogniser = FinityRecogniser(calibration)
    recogniser.look(picture_of(scene(0), truth_of(scene(0), "plain")))
    bumped = picture_of(scene(0), truth_of(scene(0), "bump")).copy()
    whole = FinityRecogniser(calibration)
    whole.look(bumped)
    bumped[:, :420] = (70, 90, 110)
    reading = recogniser.look(bumped)
    assert reading.shift_px > 3
    assert np.linalg.norm(whole.pose.eye_mm - recogniser.pose.eye_mm) < 12


def test_more_pieces_than_the_box_holds_are_in_doubt() -> None:
    posts = {"N.P": "A", "S.P": "A", "E.P": "B", "W.P": "."}
    assert contradictions(posts) == {"N.P", "S.P"}
    blockers = dict.fromkeys(("C>N L", "C>N R", "C>S L"), "blocker A")
    assert contradictions(blockers) == set(blockers)
    assert contradictions({"C>N L": "blocker A", "C>N R": "blocker A", "C>S L": "blocker B"}) == set()
    rings = {f"{station}.L": "A" for station in BOARD.stations(4) if station != "C"}
    assert len(rings) == 12
    assert contradictions(rings) == set(rings)
    assert contradictions(dict(list(rings.items())[:7])) == set()
    bridges = {slot.name: "b C" for slot in BOARD.slot_places(4)}
    assert contradictions(bridges) == set(bridges)
    assert contradictions(dict(list(bridges.items())[:32])) == set()


def test_a_bridge_is_named_from_its_tail() -> None:
    assert bridge_text("C>N L", "w C") == "w C>N L"
    assert bridge_text("C>N L", "b N") == "b N>C R"
    assert bridge_text("C>N M", "b N") == "b N>C M"


def test_the_answer_line_leaves_out_what_is_covered_and_posts_in_doubt() -> None:
    def seat(label: str, sure: bool, covered: bool = False) -> PlaceReading:
        return PlaceReading({label: 1.0, **dict.fromkeys({"A", "B", "."} - {label}, 0.01)}, sure, covered)

    places = {
        "N.S": seat("A", True),
        "N.P": seat("A", False),
        "S.P": seat("B", True),
        "S.S": seat("B", False, covered=True),
        "S.M": seat("B", False),
        "C>N L": PlaceReading({"b N": 1.0, ".": 0.1}, True),
        "C>N R": PlaceReading({"blocker A": 1.0, ".": 0.1}, True),
    }
    line = sight_json("x.jpg", Status.OCCLUDED, Reading(Status.OCCLUDED, places, blind=("S.S",)))
    assert line["bridges"] == ["b N>C R"]
    assert line["rings"] == {"N": {"S": "A"}, "S": {"M": "B"}}
    assert line["posts"] == {"B": "S"}
    assert line["blockers"] == {"A": ["C>N R"], "B": []}
    assert line["unsure"] == ["N.P", "S.M"]
    assert line["blind"] == ["S.S"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, out = scene(1), tmp_path_factory.mktemp("cal") / "cal.json"
    more = ("--reference", folder / "ref2.jpg", "--reference-state", folder / "ref2.json")
    result = calibrating(folder, out, *more, game="finity")
    assert result.exit_code == 0, result.output
    for words in ("reprojection error", "smallest margin", "never seen           C>N", "doubtful"):
        assert words in result.output
    return out


def test_every_image_gets_its_line(made: Path, tmp_path: Path) -> None:
    folder = scene(1)
    truth = truths(folder)[3]
    text = tmp_path / "x.jpg"
    text.write_text("no picture", encoding="utf-8")
    result = run(recognise, text, folder / truth["image"], "--calibration", made, "--json", "--annotate", tmp_path)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert lines[0]["status"] == "bad_image"
    assert lines[0]["bridges"] is None
    assert lines[1]["game"] == "finity"
    assert lines[1]["posts"] == truth["posts"]
    assert lines[1]["rings"] == {s: sizes for s, sizes in truth["rings"].items() if s != "C"}
    assert len(lines[1]["blind"]) == 2
    assert not set(lines[1]["blind"]) & set(lines[1]["unsure"])
    assert (tmp_path / f"{Path(truth['image']).stem}.jpg").stat().st_size > 10_000


def test_pieces_in_words_for_people(made: Path) -> None:
    folder = scene(1)
    result = run(recognise, folder / truths(folder)[3]["image"], "--calibration", made)
    for kind in ("bridges", "rings", "posts", "blockers", "unsure", "never seen"):
        assert f"\n  {kind}" in result.output


def test_a_board_of_another_game_is_refused(tmp_path: Path) -> None:
    from tests.shared_material import shared

    other = shared("images", "infinity", "board.json")
    result = calibrating(scene(1), tmp_path / "cal.json", "--board", other, game="finity")
    assert isinstance(result.exception, UsageError)
    assert "a board of infinity" in str(result.exception)
    assert calibrate.__doc__
    assert "--game finity" in calibrate.__doc__
