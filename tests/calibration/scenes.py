"""Sets of pictures of the shared material, read and calibrated once for all tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2

from calibration.infinity.appearance import InfinityCalibration
from calibration.infinity.board import InfinityBoard, reference_board
from calibration.infinity.procedure import Reference, Report, calibrate
from calibration.infinity.states import load_state
from calibration.sampling import Picture
from tests.shared_material import shared
from vision.pictures import read_picture

cv2.setNumThreads(1)

BOARD: InfinityBoard = reference_board()


def scene(number: int) -> Path:
    return shared("images", "infinity", "dev", f"scene{number:02d}")


def references(folder: Path, *names: str) -> list[Reference]:
    return [
        Reference(f"{name}.jpg", read_picture(folder / f"{name}.jpg"), load_state(folder / f"{name}.json", BOARD))
        for name in names or ("ref1", "ref2")
    ]


@cache
def calibrated(folder: Path, *names: str) -> tuple[InfinityCalibration, Report]:
    return calibrate(BOARD, read_picture(folder / "empty.jpg"), references(folder, *names))


@cache
def truths(folder: Path, file: str = "truth.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / file).read_text(encoding="utf-8").splitlines()]


@cache
def geometry(folder: Path) -> dict[str, Any]:
    """Where the renderer put everything; a test may look, the program has none of it."""
    images: dict[str, Any] = json.loads((folder / "debug.json").read_text(encoding="utf-8"))["images"]
    return images


def labels(truth: dict[str, Any]) -> dict[str, str]:
    return dict(zip(BOARD.slot_centres(), truth["board"].replace("|", ""), strict=True))


def frame(folder: Path, name: str) -> Picture:
    return read_picture(folder / "frames" / f"{name}.jpg")
