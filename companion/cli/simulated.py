"""Simulated cameras with their calibrations, as the demo and the bench use them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from hw_sim.finity.scene import FinityScene


REFERENCES = 2
"""Pictures of known positions from which Finity's pieces are learnt: people are asked for one or two."""


@dataclass(frozen=True, slots=True)
class CalibratedCamera:
    """A simulated camera (`hw_sim.camera.camera.SimCamera`, or one of the same face), what calibrating it from its own
    pictures gave, and one of those pictures as a file."""

    camera: Any
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
        raise UsageError(text("there is no look {look}; known: {known}", look=look_name, known=", ".join(PRESETS)))
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


def calibrated_finity_camera(look_name: str, seed: int, scene: FinityScene) -> CalibratedCamera:
    """Set a camera up above a table of Finity: a picture of the bare tiles, references, `companion calibrate`.

    Args:
        scene: the table: how many play, how its tiles lie, its tower.
    Raises:
        UsageError: if there is no look of that name.
        CalibrationError: if the pictures do not calibrate.
    """
    from calibration.finity.board import reference_board
    from calibration.finity.procedure import Reference, calibrate
    from calibration.finity.states import parse_state
    from companion.errors import UsageError
    from hw_sim.finity.camera.camera import FinityCamera
    from hw_sim.finity.camera.looks import FINITY_LOOKS
    from hw_sim.finity.camera.references import bare, references
    from vision.pictures import decode_picture, encode_jpeg

    if look_name not in FINITY_LOOKS:
        raise UsageError(text("there is no look {look}; known: {known}", look=look_name, known=", ".join(FINITY_LOOKS)))
    board = reference_board()
    camera = FinityCamera(board, look=FINITY_LOOKS[look_name], seed=seed)
    empty = encode_jpeg(camera.picture(bare(scene)))
    learnt = [
        (encode_jpeg(camera.picture(laid)), parse_state(state, board))
        for laid, state in references(scene, board, seed, REFERENCES)
    ]
    pairs = [
        Reference(f"reference {number}", decode_picture(jpeg), state) for number, (jpeg, state) in enumerate(learnt, 1)
    ]
    calibration, _ = calibrate(board, decode_picture(empty), pairs)
    return CalibratedCamera(camera, calibration, learnt[-1][0])
