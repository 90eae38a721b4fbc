"""Sets of Finity's pictures of the shared material, read and calibrated once for all tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2

from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import FinityBoard, reference_board
from calibration.finity.procedure import Reference, Report, calibrate
from calibration.finity.states import load_state, parse_state
from calibration.sampling import Picture
from tests.shared_material import shared
from vision.pictures import read_picture
from vision.reading import Reading

cv2.setNumThreads(1)

BOARD: FinityBoard = reference_board()
SCENES = (0, 1, 2, 3, 4, 5)


def scene(number: int) -> Path:
    return shared("images", "finity", "dev", f"scene{number:02d}")


@cache
def calibrated(folder: Path, *names: str) -> tuple[FinityCalibration, Report]:
    references = [
        Reference(f"{name}.jpg", read_picture(folder / f"{name}.jpg"), load_state(folder / f"{name}.json", BOARD))
        for name in names or ("ref1", "ref2")
    ]
    return calibrate(BOARD, read_picture(folder / "empty.jpg"), references)


@cache
def truths(folder: Path, file: str = "truth.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / file).read_text(encoding="utf-8").splitlines()]


def truth_of(folder: Path, kind: str) -> dict[str, Any]:
    """The first frame of a kind: plain, hand, drift or bump."""
    return next(truth for truth in truths(folder) if truth["kind"] == kind)


def picture_of(folder: Path, truth: dict[str, Any]) -> Picture:
    return read_picture(folder / truth["image"])


def labels(truth: dict[str, Any]) -> dict[str, str]:
    """What every place shows; the rings around the tower's foot are no places."""
    rings = {station: sizes for station, sizes in truth["rings"].items() if station != BOARD.map.centre}
    return dict(parse_state({**truth, "rings": rings}, BOARD).labels)


def hidden(truth: dict[str, Any]) -> frozenset[str]:
    """The places of which too little can be seen for anything to be asked."""
    return parse_state({"players": truth["players"], "hidden": truth["hidden"]}, BOARD).hidden


@cache
def visible(folder: Path, image: str) -> dict[str, float]:
    """Share of each place that can be seen, from the renderer; a test may look, the program has none of it."""
    detail = json.loads((folder / "detail" / f"{Path(image).stem}.json").read_text(encoding="utf-8"))
    shares = {}
    for what in [*detail["places"], *detail["slots"]]:
        place = what["place"]
        shares[BOARD.slot_named(place)[0].name if ">" in place else place] = float(what["visible_fraction"])
    return shares


def wrong_places(reading: Reading, truth: dict[str, Any]) -> dict[str, tuple[str, str | None]]:
    """Places that are told as sure and are not so: true label and told one."""
    return {
        place: (label, reading.places[place].label)
        for place, label in labels(truth).items()
        if place not in hidden(truth) and reading.places[place].sure and reading.places[place].label != label
    }
