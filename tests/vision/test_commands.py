"""`companion calibrate` and `companion recognise`, from files to lines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from calibration.errors import CalibrationError
from calibration.file import load, save
from calibration.infinity.appearance import InfinityCalibration
from companion.cli.calibrate import calibrate
from companion.cli.recognise import recognise
from companion.errors import UsageError
from tests.calibration.scenes import scene, truths


def run(command: Any, *arguments: object) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def calibrating(folder: Path, out: Path, *more: object, **changed: object) -> Result:
    given: dict[str, object] = {
        "game": "infinity",
        "empty": folder / "empty.jpg",
        "reference": folder / "ref1.jpg",
        "reference-state": folder / "ref1.json",
        "out": out,
        **changed,
    }
    return run(calibrate, *(word for key, value in given.items() for word in (f"--{key}", value)), *more)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, out = scene(3), tmp_path_factory.mktemp("cal") / "cal.json"
    result = calibrating(folder, out, "--reference", folder / "ref2.jpg", "--reference-state", folder / "ref2.json")
    assert result.exit_code == 0, result.output
    for words in ("reprojection error", "smallest margin", "doubtful", "4 in "):
        assert words in result.output
    return out


def test_every_image_gets_its_line_in_order(made: Path) -> None:
    folder = scene(3)
    wanted = truths(folder)
    images = [folder / truth["image"] for truth in wanted]
    result = run(recognise, *images, "--calibration", made, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [line["image"] for line in lines] == [str(image) for image in images]
    for line, truth in zip(lines, wanted, strict=True):
        assert line["game"] == "infinity"
        if not truth["hand"]:
            assert (line["status"], line["board"], line["unsure"]) == ("ok", truth["board"], [])
            assert line["well"] == truth["well_counts"]
            assert line["knob"] == {"stop": truth["knob_stop"], "unsure": False}
            assert 0.98 < line["confidence"] <= 1
        else:
            assert line["status"] == "occluded"
            assert line["board"].count("?") == len([place for place in line["unsure"] if "." in place]) > 0


def test_files_that_are_no_pictures_are_answers(made: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("hello", encoding="utf-8")
    good = scene(3) / "frames" / "f01.jpg"
    result = run(recognise, text, tmp_path / "none.jpg", good, "--calibration", made, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["status"] for line in lines] == ["bad_image", "bad_image", "ok"]
    assert "is no picture" in lines[0]["detail"]
    assert lines[0]["board"] is None
    assert result.exit_code == 0
    assert run(recognise, text, "--calibration", made, "--json").exit_code == 1


def test_a_table_for_people_and_pictures_with_what_was_seen(made: Path, tmp_path: Path) -> None:
    result = run(recognise, scene(3) / "frames" / "f01.jpg", "--calibration", made, "--annotate", tmp_path / "seen")
    assert "KY..|BB..|YB..|...." in result.output
    assert (tmp_path / "seen" / "f01.jpg").stat().st_size > 10_000


def test_a_report_as_json_and_a_board_of_ones_own(tmp_path: Path) -> None:
    from tests.shared_material import shared

    board = shared("images", "infinity", "board.json")
    result = calibrating(scene(3), tmp_path / "cal.json", "--json", "--board", board)
    report = json.loads(result.stdout)
    assert report["reprojection_error_px"] < 0.4
    assert report["colour_margin"] > 3
    assert report["blind"] == []
    assert any("only once" in doubt for doubt in report["doubtful"])


def test_a_refused_calibration_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "cal.json"
    result = calibrating(scene(3), out, reference=scene(3) / "frames" / "f02.jpg")
    assert isinstance(result.exception, CalibrationError)
    assert "is said to be" in str(result.exception)
    assert not out.exists()


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    out = tmp_path / "cal.json"
    odd = calibrating(scene(3), out, "--reference", scene(3) / "ref2.jpg")
    assert isinstance(odd.exception, UsageError)
    assert "each --reference needs its --reference-state" in str(odd.exception)
    assert isinstance(calibrating(scene(3), out, game="chess").exception, UsageError)
    assert isinstance(calibrating(scene(3), tmp_path / "no" / "cal.json").exception, UsageError)
    missing = run(recognise, "x.jpg", "--calibration", tmp_path / "none.json")
    assert isinstance(missing.exception, CalibrationError)


def test_the_order_of_pictures_changes_no_answer(made: Path) -> None:
    """A bumped board, a hand and a picture without the board lie between others."""
    images = [scene(3) / truth["image"] for truth in truths(scene(3))]
    images.insert(3, scene(1) / "empty.jpg")
    answers = []
    for order in (images, images[::-1]):
        result = run(recognise, *order, "--calibration", made, "--json")
        answers.append({line["image"]: line for line in map(json.loads, result.stdout.splitlines())})
    assert answers[0] == answers[1]


def test_a_calibration_of_another_opencv_is_said_to_be_one(made: Path, tmp_path: Path) -> None:
    calibration = load(made)
    assert isinstance(calibration, InfinityCalibration)
    older = tmp_path / "older.json"
    save(replace(calibration, opencv="4.1.0"), older)
    picture = scene(3) / "frames" / "f01.jpg"
    told = run(recognise, picture, "--calibration", older, "--json")
    assert "was made with OpenCV 4.1.0" in told.stderr
    assert json.loads(told.stdout)["status"] == "ok"
    assert run(recognise, picture, "--calibration", made, "--json").stderr == ""
