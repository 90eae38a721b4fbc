"""A few minutes of what devices give, recorded for a bug report while a game goes on, and packed into one file.

It is bounded in time and in size, holds no names (`begin_recording`) and no serial numbers. Its pictures show what the
camera sees: the table, and who sits at it.
"""

from __future__ import annotations

import logging
import shutil
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError, system_words
from companion.recording.recorder import Recorder, begin_recording
from companion.texts import text

if TYPE_CHECKING:
    from companion.config import Config
    from companion.devices import Taps

log = logging.getLogger(__name__)

LONGEST_MINUTES = 10
LARGEST_BYTES = 60_000_000
"""Six minutes of pictures as a camera of 1280x720 gives them; larger ones no tracker takes."""
PICTURE_S = 0.5
"""Two pictures a second settle every position, as the referee itself does with them."""


@dataclass(frozen=True, slots=True)
class ReportState:
    """How a report stands.

    Attributes:
        left_s: seconds until it ends by itself; None while none is recorded.
        size: bytes so far, or of the finished file.
        ready: whether there is a finished file to take along.
        failed: why the last one could not be written; empty where it could.
    """

    left_s: float | None = None
    size: int = 0
    ready: bool = False
    failed: str = ""


class Reports:
    """Records a table for reports, one at a time. Usable from any thread; `taps` are called in those of devices.

    Args:
        folder: where the finished report lies; it is made. The last one stays, older ones make room for it.
        config, calibration: of the table.
        clock: the one that devices stamp with.
    """

    def __init__(self, folder: Path, config: Config, calibration: Any, clock: Callable[[], float]) -> None:
        from companion.devices import Taps

        self.taps = Taps(self._frame, self._serial, self._level)
        self._folder = folder
        self._config = config
        self._calibration = calibration
        self._clock = clock
        self._lock = threading.RLock()
        self._recorder: Recorder | None = None
        self._ends_s = 0.0
        self._failed = ""

    @property
    def file(self) -> Path:
        """The finished report."""
        return self._folder / "report.zip"

    @property
    def _scratch(self) -> Path:
        return self._folder / "report"

    def state(self) -> ReportState:
        self._end_when_due()
        with self._lock:
            recorder = self._recorder
            if recorder is not None:
                return ReportState(max(0.0, self._ends_s - self._clock()), recorder.size)
            ready = self.file.is_file()
            return ReportState(None, self.file.stat().st_size if ready else 0, ready, self._failed)

    def start(self, minutes: int) -> None:
        """Begin to record, for so many minutes at most. One that is under way goes on.

        Raises:
            CompanionError: if it cannot be written.
        """
        with self._lock:
            if self._recorder is not None:
                return
            shutil.rmtree(self._scratch, ignore_errors=True)
            writer = begin_recording(self._scratch, self._config, self._calibration)
            self.file.unlink(missing_ok=True)
            self._failed = ""
            self._ends_s = self._clock() + 60 * max(1, min(minutes, LONGEST_MINUTES))
            self._recorder = Recorder(writer, self._clock, PICTURE_S, anonymous=True)

    def stop(self) -> None:
        """End the recording that is under way, and pack it."""
        with self._lock:
            recorder, self._recorder = self._recorder, None
            if recorder is None:
                return
            failed = recorder.failed
            recorder.close()
            try:
                _pack(self._scratch, self.file)
            except OSError as error:
                failed = CompanionError(
                    text("{file}: {why}; make room for it", file=str(self.file), why=system_words(error))
                )
            finally:
                shutil.rmtree(self._scratch, ignore_errors=True)
            self._failed = "" if failed is None else str(failed)

    def _end_when_due(self) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        if self._clock() >= self._ends_s or recorder.size >= LARGEST_BYTES or recorder.failed is not None:
            self.stop()

    def _frame(self, t_s: float, image: Any) -> None:
        if (taps := self._recording()) is not None and taps.frame is not None:
            taps.frame(t_s, image)

    def _serial(self, t_s: float, port: str, data: bytes) -> None:
        if (taps := self._recording()) is not None and taps.serial is not None:
            taps.serial(t_s, port, data)

    def _level(self, t_s: float, pin: str, value: int) -> None:
        if (taps := self._recording()) is not None and taps.level is not None:
            taps.level(t_s, pin, value)

    def _recording(self) -> Taps | None:
        """Where to write; None while nobody records, or no more may be written."""
        recorder = self._recorder
        if recorder is None or self._clock() >= self._ends_s or recorder.size >= LARGEST_BYTES:
            return None
        return recorder.taps


def both(one: Taps, other: Taps) -> Taps:
    """Taps that tell two."""
    from companion.devices import Taps

    def each(first: Any, second: Any) -> Any:
        if first is None or second is None:
            return first or second

        def tell(*told: Any) -> None:
            first(*told)
            second(*told)

        return tell

    return Taps(each(one.frame, other.frame), each(one.serial, other.serial), each(one.level, other.level))


def _pack(folder: Path, file: Path) -> None:
    """All files of a folder in one archive, whole or not at all. Pictures are as small as they get already."""
    scratch = file.with_suffix(".part")
    with zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(f"report/{path.relative_to(folder).as_posix()}")  # with no date and no owner
                entry.compress_type = zipfile.ZIP_STORED if path.suffix == ".jpg" else zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    scratch.replace(file)
