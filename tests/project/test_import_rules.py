"""Data moves to the right only: no file imports what its folder must not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.import_rules import RULES, forbidden_arrows

ROOT = Path(__file__).resolve().parents[2]


def test_no_forbidden_arrow() -> None:
    assert [str(arrow) for arrow in forbidden_arrows(ROOT)] == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("calibration/a.py", "import vision"),
        ("vision/a.py", "from companion.games import game"),
        ("vision/a.py", "from hw_sim.camera import SimCamera"),
        ("vision/reading.py", "import numpy as np"),
        ("firmware_bridge/a.py", "from companion.games.game import Player"),
        ("companion/a.py", "def late():\n    import cv2"),
        ("companion/a.py", "from serial import Serial"),
        ("companion/a.py", "from hw_sim.table import SimTable"),
        ("companion/a.py", "from companion.cli import app"),
        ("companion/games/infinity/a.py", "import time"),
        ("companion/games/infinity/a.py", "from companion.referee import Referee"),
        ("companion/games/a.py", "from .. import journal"),
        ("companion/reconciler/a.py", "from companion.journal import Journal"),
        ("hw_sim/a.py", "from vision.reading import Reading"),
        ("hw_sim/a.py", "from companion.sinks import mqtt"),
    ],
)
def test_the_rule_bites(tmp_path: Path, file: str, line: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert len(forbidden_arrows(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("companion/cli/demo.py", "from hw_sim.table import SimTable"),
        ("companion/evidence.py", "from vision.reading import Reading"),
        ("vision/a.py", "import numpy as np"),
        ("companion/games/infinity/a.py", "from companion.games.game import Player"),
        ("companion/games/a.py", "from . import game"),
    ],
)
def test_the_rule_lets_right_arrows_pass(tmp_path: Path, file: str, line: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert forbidden_arrows(tmp_path) == []


def test_every_folder_of_the_table_exists() -> None:
    for rule in RULES:
        place = ROOT.joinpath(*rule.folder.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), rule.folder
