"""The calibration file: all that a camera has learnt of a board, as JSON that is written whole or not at all."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.appearance import Appearance, KnobLook
from calibration.board import Board, parse_board
from calibration.camera import Lens, Pose
from calibration.errors import BoardError, CalibrationError, CalibrationFileError
from calibration.light import LightReference, Values

FORMAT = "companion-calibration"
VERSION = 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where a fixed camera sees a board, and how it looks.

    Attributes:
        pose: of the empty picture.
        shrink: apparent size of markers against their printed size.
        opencv: version that found the markers; another one may find them shifted.
    """

    board: Board
    lens: Lens
    pose: Pose
    shrink: float
    appearance: Appearance
    opencv: str

    @property
    def game(self) -> str:
        return self.board.game

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of the pictures it is for."""
        return self.lens.width, self.lens.height


def save(calibration: Calibration, path: str | Path) -> None:
    """Write a calibration file in one step: a crash leaves the old file or the new one, never half of one.

    Raises:
        CalibrationError: where it cannot be written.
    """
    path = Path(path)
    text = json.dumps(_to_json(calibration), indent=1)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CalibrationError(f"{path}: the calibration cannot be written: {error.strerror}") from None


def load(path: str | Path, game: str | None = None) -> Calibration:
    """Read a calibration file, for a certain game where one is given.

    Raises:
        CalibrationFileError: where it is absent, no calibration, of another version or game, or damaged.
    """
    again = "make it with `companion calibrate`"
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CalibrationFileError(f"{path}: there is no such calibration file; {again}") from None
    except OSError as error:
        raise CalibrationFileError(f"{path}: the calibration cannot be read: {error.strerror}") from None
    except ValueError:
        raise CalibrationFileError(f"{path}: is no calibration file (no JSON); {again}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CalibrationFileError(f"{path}: is no calibration file; {again}")
    if data.get("version") != VERSION:
        raise CalibrationFileError(
            f"{path}: is a calibration of version {data.get('version')}, this program reads {VERSION}; {again} again"
        )
    try:
        calibration = _from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError, BoardError) as error:
        raise CalibrationFileError(f"{path}: the calibration is damaged ({error}); {again} again") from None
    if game is not None and calibration.game != game:
        raise CalibrationFileError(f"{path}: is a calibration for {calibration.game}, not for {game}")
    return calibration


def _to_json(calibration: Calibration) -> dict[str, Any]:
    look = calibration.appearance
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": calibration.game,
        "opencv": calibration.opencv,
        "board": calibration.board.to_json(),
        "board_digest": calibration.board.digest,
        "lens": asdict(calibration.lens),
        "pose": asdict(calibration.pose),
        "shrink": calibration.shrink,
        "light": {"strip": _pack(look.light.strip), "plain": _pack(look.light.plain)},
        "marbles": {kind: _pack(values) for kind, values in look.marbles.items()},
        "seats": _pack(look.seats),
        "usual": dict(look.usual),
        "shift": list(look.shift),
        "radius": {kind: list(values) for kind, values in look.radius.items()},
        "structure": list(look.structure),
        "shade": look.shade,
        "board_noise": look.board_noise,
        "knob": look.knob
        and {
            "template": _pack(look.knob.template),
            "resting": _pack(look.knob.resting),
            "top": _pack(look.knob.top),
            "agreement": look.knob.agreement,
            "top_noise": look.knob.top_noise,
        },
    }


def _from_json(data: dict[str, Any]) -> Calibration:
    board = parse_board(data["board"], "in the calibration")
    if board.digest != data["board_digest"]:
        raise ValueError("its board was changed by hand")
    lens = Lens(**{**data["lens"], "dist": tuple(data["lens"]["dist"])})
    pose = Pose(tuple(data["pose"]["rvec"]), tuple(data["pose"]["tvec"]))
    knob = data["knob"]
    appearance = Appearance(
        LightReference(_unpack(data["light"]["strip"]), _unpack(data["light"]["plain"])),
        {kind: _unpack(values) for kind, values in data["marbles"].items()},
        _unpack(data["seats"]),
        {label: float(value) for label, value in data["usual"].items()},
        (float(data["shift"][0]), float(data["shift"][1])),
        {kind: (float(mean), float(play)) for kind, (mean, play) in data["radius"].items()},
        (float(data["structure"][0]), float(data["structure"][1]), float(data["structure"][2])),
        float(data["shade"]),
        float(data["board_noise"]),
        knob
        and KnobLook(
            _unpack(knob["template"]),
            _unpack(knob["resting"]),
            _unpack(knob["top"]),
            knob["agreement"],
            knob["top_noise"],
        ),
    )
    return Calibration(board, lens, pose, float(data["shrink"]), appearance, str(data["opencv"]))


def _pack(values: Values) -> dict[str, Any]:
    """Half precision is 1/2000 of a value here, a tenth of the noise."""
    halves = np.ascontiguousarray(values, dtype="<f2")
    return {"shape": list(values.shape), "f2": base64.b64encode(halves.tobytes()).decode("ascii")}


def _unpack(packed: dict[str, Any]) -> Values:
    values = np.frombuffer(base64.b64decode(packed["f2"], validate=True), dtype="<f2").reshape(packed["shape"])
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite")
    return values.astype(np.float32)
