"""The calibration file: all that a camera has learnt of a board, as JSON that is written whole or not at all."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.board import Board, digest_of, parse_board
from calibration.camera import Lens, Pose
from calibration.errors import BoardError, CalibrationError, CalibrationFileError
from calibration.light import Values
from calibration.sentences import Sentence, error_sentence, system_sentence
from calibration.whole_file import write_whole

FORMAT = "companion-calibration"
VERSION = 3


class Calibration(Protocol):
    """Where a fixed camera sees a board, and how it looks; each game's own has that look, too.

    `pose` is that of the empty picture, `shrink` the apparent size of markers against their printed size, `opencv` the
    version that found the markers: another one may find them shifted.
    """

    @property
    def board(self) -> Board: ...
    @property
    def lens(self) -> Lens: ...
    @property
    def pose(self) -> Pose: ...
    @property
    def shrink(self) -> float: ...
    @property
    def opencv(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of the pictures it is for."""

    def look_json(self) -> dict[str, Any]:
        """How the board looks, as the file has it."""


def save(calibration: Calibration, path: str | Path) -> None:
    """Write a calibration file in one step: a crash leaves the old file or the new one, never half of one.

    Raises:
        CalibrationError: where it cannot be written.
    """
    data = _to_json(calibration)
    text = json.dumps({**data, "digest": digest_of(data)}, indent=1)
    try:
        write_whole(path, text)
    except OSError as error:
        raise CalibrationError(
            Sentence("{path}: the calibration cannot be written: {why}", path=str(path), why=system_sentence(error))
        ) from None


def load(path: str | Path, game: str | None = None) -> Calibration:
    """Read a calibration file, for a certain game where one is given.

    Raises:
        CalibrationFileError: where it is absent, no calibration, of another version or game, or damaged.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CalibrationFileError(
            Sentence("{path}: there is no such calibration file; make it with `companion calibrate`", path=str(path))
        ) from None
    except OSError as error:
        raise CalibrationFileError(
            Sentence("{path}: the calibration cannot be read: {why}", path=str(path), why=system_sentence(error))
        ) from None
    except (ValueError, RecursionError):
        raise CalibrationFileError(
            Sentence("{path}: is no calibration file (no JSON); make it with `companion calibrate`", path=str(path))
        ) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CalibrationFileError(
            Sentence("{path}: is no calibration file; make it with `companion calibrate`", path=str(path))
        )
    if data.get("version") != VERSION:
        raise CalibrationFileError(
            Sentence(
                "{path}: is a calibration of version {theirs}, this program reads {ours}; make it "
                "with `companion calibrate` again",
                path=str(path),
                theirs=str(data.get("version")),
                ours=VERSION,
            )
        )
    try:
        if data.pop("digest", None) != digest_of(data):
            raise ValueError(Sentence("it is not as it was written"))
        calibration = _from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, BoardError) as error:
        raise CalibrationFileError(
            Sentence(
                "{path}: the calibration is damaged ({why}); make it with `companion calibrate` again",
                path=str(path),
                why=error_sentence(error),
            )
        ) from None
    if game is not None and calibration.game != game:
        raise CalibrationFileError(
            Sentence(
                "{path}: is a calibration for {made}, not for {game}", path=str(path), made=calibration.game, game=game
            )
        )
    return calibration


def _to_json(calibration: Calibration) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": calibration.game,
        "opencv": calibration.opencv,
        "board": calibration.board.to_json(),
        "lens": asdict(calibration.lens),
        "pose": asdict(calibration.pose),
        "shrink": calibration.shrink,
        **calibration.look_json(),
    }


def _from_json(data: dict[str, Any]) -> Calibration:
    from calibration.finity.appearance import FinityCalibration
    from calibration.finity.board import FinityBoard
    from calibration.infinity.appearance import InfinityCalibration
    from calibration.infinity.board import InfinityBoard

    board = parse_board(data["board"], Sentence("in the calibration"))
    lens = Lens(**{**data["lens"], "dist": tuple(data["lens"]["dist"])})
    pose = Pose(tuple(data["pose"]["rvec"]), tuple(data["pose"]["tvec"]))
    shrink, opencv = float(data["shrink"]), str(data["opencv"])
    if isinstance(board, InfinityBoard):
        return InfinityCalibration.from_json(board, lens, pose, shrink, opencv, data)
    if isinstance(board, FinityBoard):
        return FinityCalibration.from_json(board, lens, pose, shrink, opencv, data)
    raise ValueError(f"it is for {board.game}")


def packed(values: Values) -> dict[str, Any]:
    """An array as JSON. Half precision is 1/2000 of a value here, a tenth of the noise."""
    halves = np.ascontiguousarray(values, dtype="<f2")
    return {"shape": list(values.shape), "f2": base64.b64encode(halves.tobytes()).decode("ascii")}


def unpacked(data: Mapping[str, Any]) -> Values:
    """What `packed` made.

    Raises:
        ValueError: where it is damaged.
    """
    values = np.frombuffer(base64.b64decode(data["f2"], validate=True), dtype="<f2").reshape(data["shape"])
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite")
    return values.astype(np.float32)
