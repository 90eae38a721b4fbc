"""A calibration that does not read its own references as their states say is refused, or the doubt is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.calibration.finity_scenes import scene
from tests.cli.conftest import Command, Outcome


@pytest.fixture
def folder() -> Path:
    return scene(0)


def calibrated(companion: Command, folder: Path, empty: str, state: str | Path) -> Outcome:
    return companion(
        *("calibrate", "--game", "finity", "--empty", folder / empty, "--reference", folder / "ref1.jpg"),
        *("--reference-state", folder / state, "--out", "cal.json", "--json"),
    )


def test_an_empty_picture_with_pieces_on_it_is_refused(companion: Command, folder: Path) -> None:
    answer = calibrated(companion, folder, "ref2.jpg", "ref1.json")
    assert answer.code == 1
    assert "places cannot be read" in answer.errors[-1]
    assert "does the empty picture show the bare board" in answer.errors[-1]
    assert not Path("cal.json").exists()


def test_a_bridge_left_out_of_a_state_is_named(companion: Command, folder: Path) -> None:
    state = json.loads((folder / "ref1.json").read_text(encoding="utf-8"))
    state["bridges"].remove("b E>NE L")
    Path("state.json").write_text(json.dumps(state), encoding="utf-8")
    answer = calibrated(companion, folder, "empty.jpg", Path("state.json").resolve())
    assert answer.code == 0
    (doubt,) = json.loads(answer.out)["doubtful"]
    assert "NE>E R (says nothing, looks like b E)" in doubt


def test_a_state_of_the_other_game_is_told(companion: Command, folder: Path) -> None:
    answer = companion(
        *("calibrate", "--empty", folder / "empty.jpg", "--reference", folder / "ref1.jpg"),
        *("--reference-state", folder / "ref1.json", "--out", "cal.json"),
    )
    assert answer.code == 1
    assert "give --game finity" in answer.errors[-1]
