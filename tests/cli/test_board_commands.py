"""`companion board` and `companion recalibrate`: boards by numbers, calibrations renewed from a picture."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from calibration.board import load_board
from calibration.file import load, save
from calibration.finity.board import FinityBoard
from calibration.infinity.board import InfinityBoard
from companion.cli.app import run
from tests.calibration.test_renewing import MIDDLE, infinity, shown
from tests.hw_sim_camera import stand


def test_a_board_by_numbers(tmp_path: Path) -> None:
    out = tmp_path / "mine.json"
    assert run(["board", "--set", "channels.pitch=26.5", "--place", "knob=0.5,-45", "--out", str(out)]) == 0
    board = load_board(out)
    assert isinstance(board, InfinityBoard)
    assert (board.channels.pitch, board.knob.cx, board.knob.cy) == (26.5, 0.5, -45.0)
    again = tmp_path / "again.json"
    assert run(["board", "--from", str(out), "--scale", "1.1", "--shift", "1,2", "--out", str(again)]) == 0
    larger = load_board(again)
    assert isinstance(larger, InfinityBoard)
    assert larger.channels.pitch == pytest.approx(26.5 * 1.1)
    assert run(["board", "--game", "finity", "--scale", "0.95", "--out", str(out)]) == 0
    small = load_board(out)
    assert isinstance(small, FinityBoard)
    assert small.hex_side == pytest.approx(47.5)


def test_markers_measured_from_a_picture(tmp_path: Path) -> None:
    picture, out = tmp_path / "board.png", tmp_path / "mine.json"
    cv2.imwrite(str(picture), stand.camera("slate_window").picture(stand.scene()))
    assert run(["board", "--picture", str(picture), "--out", str(out)]) == 0
    for found, true in zip(load_board(out).aruco.centres, stand.board().aruco.centres, strict=True):
        assert found == pytest.approx(true, abs=0.8)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--place", "dial=0,0"], 1, "there is no place 'dial'"),
        (["--place", "knob"], 2, "write it like"),
        (["--place", "knob=1"], 2, "write two numbers"),
        (["--place", "knob=1,b"], 2, "is no number"),
        (["--set", "slots.pitch=3"], 1, "marbles would overlap"),
        (["--scale", "0"], 1, "scale_x must be"),
        (["--from", "none.json"], 1, "no such file"),
        (["--game", "chess"], 2, "there is no game chess"),
    ],
)
def test_boards_that_cannot_be_are_refused(
    arguments: list[str], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.json"
    assert run(["board", *arguments, "--out", str(out)]) == code
    assert words in capsys.readouterr().err
    assert not out.exists()


def test_recalibrating_from_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at, picture, state = tmp_path / "cal.json", tmp_path / "now.png", tmp_path / "now.json"
    save(infinity(), at)
    before = at.read_bytes()
    cv2.imwrite(str(picture), shown(MIDDLE))
    arguments = ["recalibrate", "--calibration", str(at), "--picture", str(picture), "--state", str(state)]
    state.write_text(json.dumps({"board": "BBBB|BBBB|YYYY|YYYY"}), encoding="utf-8")
    assert run(arguments) == 1
    assert at.read_bytes() == before
    state.write_text("[]", encoding="utf-8")
    assert run(arguments) == 1
    assert "one JSON object" in capsys.readouterr().err
    state.write_text(json.dumps({"board": MIDDLE.board}), encoding="utf-8")
    assert run(arguments) == 0
    assert load(at).pose != infinity().pose
    assert run([*arguments[:3], *arguments[5:]]) == 2
    assert run(["recalibrate", *arguments[3:]]) == 2
    assert "--calibration" in capsys.readouterr().err
