"""A simulated camera with its calibration, as the demo and the bench use it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibration.file import Calibration
    from hw_sim.camera.camera import SimCamera


@dataclass(frozen=True, slots=True)
class CalibratedCamera:
    """A simulated camera, what calibrating it from its own pictures gave, and one of those pictures as a file."""

    camera: SimCamera
    calibration: Calibration
    jpeg: bytes


def calibrated_camera(look_name: str, seed: int) -> CalibratedCamera:
    """Set a simulated camera up as a person does: an empty picture, two references, `companion calibrate`.

    Raises:
        UsageError: if there is no look of that name.
        CalibrationError: if the pictures do not calibrate.
    """
    from calibration.infinity.board import reference_board
    from calibration.infinity.procedure import Reference, calibrate
    from calibration.infinity.states import load_state
    from companion.errors import UsageError
    from hw_sim.camera.camera import SimCamera
    from hw_sim.camera.presets import PRESETS
    from hw_sim.camera.render_set import render_set
    from vision.pictures import read_picture

    if look_name not in PRESETS:
        raise UsageError(f"there is no look {look_name}; known: {', '.join(PRESETS)}")
    board, look = reference_board(), PRESETS[look_name]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        render_set(folder, seed, look=look, board=board, kinds=())
        references = [
            Reference(image, read_picture(folder / image), load_state(folder / f"{image[:-4]}.json", board))
            for image in ("ref1.jpg", "ref2.jpg")
        ]
        calibration, _ = calibrate(board, read_picture(folder / "empty.jpg"), references)
        jpeg = (folder / "ref1.jpg").read_bytes()
    return CalibratedCamera(SimCamera(board, look=look, seed=seed), calibration, jpeg)
