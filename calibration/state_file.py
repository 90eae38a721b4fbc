"""Reference states as files: JSON, read for whichever game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from calibration.errors import CalibrationError
from calibration.sentences import Sentence, error_sentence, system_sentence

S = TypeVar("S")


def read_state(path: str | Path, parse: Callable[[object], S]) -> S:
    """Read a reference state's file.

    Args:
        parse: makes the state of what the file has, raising CalibrationError for what it cannot be.
    Raises:
        CalibrationError: where it is absent or says no position, with the file's name.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(
            Sentence("{path}: cannot be read: {why}", path=str(path), why=system_sentence(error))
        ) from None
    except (ValueError, RecursionError) as error:
        raise CalibrationError(Sentence("{path}: is no JSON: {why}", path=str(path), why=str(error))) from None
    try:
        return parse(data)
    except CalibrationError as error:
        raise CalibrationError(Sentence("{path}: {why}", path=str(path), why=error_sentence(error))) from None
