"""What can be wrong with a board file, a calibration file or the pictures to calibrate from.

CalibrationError              one line for a person: what, where, what to do
+-- BoardError                a board file, with every fault of it
+-- CalibrationFileError      a calibration file that cannot be used
+-- RefusedError              pictures from which a calibration would misread
"""

from __future__ import annotations

from calibration.sentences import Sentence, several

EDIT = Sentence("edit")
"""Where a board has its faults that is no file yet."""


class CalibrationError(Exception):
    """Root of the errors of this package."""


class BoardError(CalibrationError):
    """A board file with all its faults."""

    def __init__(self, where: str, faults: tuple[str, ...]) -> None:
        super().__init__(Sentence("board file {where}: {faults}", where=where, faults=several(faults)))
        self.faults = faults


class CalibrationFileError(CalibrationError):
    pass


class RefusedError(CalibrationError):
    pass
