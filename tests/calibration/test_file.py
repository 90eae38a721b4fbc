"""Calibration files: whole or not at all, and refused where they are not what they should be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import CalibrationError, CalibrationFileError
from calibration.file import load, save
from calibration.infinity.appearance import InfinityCalibration
from tests.calibration.scenes import calibrated, scene


@pytest.fixture(scope="module")
def calibration() -> InfinityCalibration:
    return calibrated(scene(1))[0]


def test_what_is_saved_is_loaded(calibration: InfinityCalibration, tmp_path: Path) -> None:
    save(calibration, tmp_path / "cal.json")
    again = load(tmp_path / "cal.json", "infinity")
    assert (again.board, again.lens, again.pose) == (calibration.board, calibration.lens, calibration.pose)
    assert isinstance(again, InfinityCalibration)
    for kind, look in calibration.appearance.marbles.items():
        assert np.abs(again.appearance.marbles[kind] - look).max() < 1e-3
    assert [path.name for path in tmp_path.iterdir()] == ["cal.json"]


def test_a_folder_that_is_not_there_leaves_nothing(calibration: InfinityCalibration, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        save(calibration, tmp_path / "none" / "cal.json")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_file(
    calibration: InfinityCalibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(calibration, tmp_path / "cal.json")
    before = (tmp_path / "cal.json").read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CalibrationError, match="No space left"):
        save(calibration, tmp_path / "cal.json")
    assert (tmp_path / "cal.json").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "other"}, "is no calibration file"),
        ({"version": 99}, "version 99"),
        ({"seats": {"shape": [2], "f2": "AAAA"}}, "damaged"),
        ({"lens": {}}, "damaged"),
        ({"shrink": 0.5}, "not as it was written"),
        ({"digest": None}, "not as it was written"),
    ],
)
def test_a_wrong_file_is_told(
    calibration: InfinityCalibration, tmp_path: Path, change: dict[str, object], told: str
) -> None:
    save(calibration, tmp_path / "cal.json")
    data = json.loads((tmp_path / "cal.json").read_text(encoding="utf-8"))
    (tmp_path / "cal.json").write_text(json.dumps({**data, **change}), encoding="utf-8")
    with pytest.raises(CalibrationFileError, match=told):
        load(tmp_path / "cal.json")


def test_absent_text_and_other_game_are_told(calibration: InfinityCalibration, tmp_path: Path) -> None:
    with pytest.raises(CalibrationFileError, match="no such calibration file"):
        load(tmp_path / "cal.json")
    (tmp_path / "text.json").write_text("hello", encoding="utf-8")
    with pytest.raises(CalibrationFileError, match="is no calibration file"):
        load(tmp_path / "text.json")
    save(calibration, tmp_path / "cal.json")
    with pytest.raises(CalibrationFileError, match="for infinity, not for finity"):
        load(tmp_path / "cal.json", "finity")
