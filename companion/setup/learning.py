"""What the camera learns from the pictures that were taken."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError, error_words
from companion.setup.desk import Learnt
from companion.setup.shots import CALLED, Shot, mark_of
from companion.texts import in_words, text

if TYPE_CHECKING:
    from calibration.board import Board

log = logging.getLogger(__name__)


def learnt_from(board: Board, shots: Sequence[Shot], say: Callable[[str], None]) -> Learnt | str:
    """Calibrate from the pictures; why not, where that cannot be. It takes seconds, and `say` is told how it goes."""
    from calibration.errors import CalibrationError
    from companion.calibrating import learn
    from vision.errors import VisionError

    try:
        empty, *references = [_pictured(shot, board) for shot in shots if shot.jpeg is not None]
        calibration, measured = learn(board, empty, references, None, lambda progress: say(in_words(progress)))
    except (CalibrationError, VisionError, CompanionError) as error:
        return error_words(error)
    except Exception as error:
        log.exception("calibrating failed")
        return text("Calibrating failed: {why}", why=error_words(error))
    return Learnt(calibration, measured, mark_of(board.digest, shots))


def _pictured(shot: Shot, board: Board) -> Any:
    """A shot as `companion.calibrating` takes it."""
    from companion.calibrating import Shot as Pictured
    from companion.calibrating import parse_state
    from vision.pictures import decode_picture

    assert shot.jpeg is not None
    called = CALLED[shot.name]
    picture = decode_picture(shot.jpeg, called)
    return Pictured(called, picture, None if shot.state is None else parse_state(shot.state, board))
