"""A calibration of a simulated camera, made once, and the real command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.file import Calibration, save
from companion.cli.simulated import calibrated_camera
from tests.cli.conftest import companion

__all__ = ["companion"]


@pytest.fixture(scope="session")
def learnt() -> Calibration:
    return calibrated_camera("slate_window", 1).calibration


@pytest.fixture(scope="session")
def learnt_file(learnt: Calibration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("learnt") / "calibration.json"
    save(learnt, path)
    return path
