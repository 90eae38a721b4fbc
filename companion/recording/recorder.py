"""What devices give, written down while it happens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.recording.anonymous import AnonymousBytes
from companion.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from companion.config import Config
    from companion.games.game import Json


def begin_recording(folder: Path, config: Config, calibration: Any) -> RecordingWriter:
    """Begin a recording's folder: what is played, the calibration's file, the wiring.

    It holds no names of players, table or machine, no path, no address and no secret: only what is named here. A
    calibration is measures of board, camera and light.

    Raises:
        InputError: if the folder cannot be written or holds anything.
    """
    game = config.make_game()
    meta: dict[str, Json] = {
        "game": game.name,
        **game.setup,
        "options": config.options,
        "calibration": None if config.camera is None else "calibration.json",
    }
    if config.gpio is not None:
        meta["wiring"] = config.gpio
    writer = RecordingWriter(folder, meta)
    if calibration is not None:
        from calibration.file import save

        save(calibration, folder / "calibration.json")
    return writer


class Recorder:
    """Hears what devices give, in their threads, and writes it down.

    Args:
        picture_s: the shortest time from one picture that is kept to the next.
        anonymous: whether serial numbers are taken out of what boards send.

    Attributes:
        failed: why nothing more can be written (the disk is full); what was written before stays.
        size: bytes of pictures and lines so far.
    """

    def __init__(
        self, writer: RecordingWriter, clock: Callable[[], float], picture_s: float, *, anonymous: bool = False
    ) -> None:
        from companion.devices import Taps

        self.taps = Taps(self._frame, self._serial, self._level)
        self.failed: CompanionError | None = None
        self.size = 0
        self._writer = writer
        self._picture_s = picture_s
        self._ports: dict[str, AnonymousBytes] | None = {} if anonymous else None
        self._began_s = clock()
        self._next_s = self._began_s
        self._lock = threading.Lock()

    def _frame(self, t_s: float, image: Any) -> None:
        from vision.pictures import encode_jpeg

        if t_s >= self._next_s:
            self._next_s = t_s + self._picture_s
            jpeg = encode_jpeg(image)
            self._write(lambda: self._writer.add_frame(self._since_start(t_s), jpeg), len(jpeg))

    def _serial(self, t_s: float, port: str, data: bytes) -> None:
        def line() -> None:
            known = data if self._ports is None else self._ports.setdefault(port, AnonymousBytes()).feed(data)
            if known:
                self._writer.add_serial(self._since_start(t_s), port, known)

        self._write(line, 2 * len(data))

    def _level(self, t_s: float, pin: str, value: int) -> None:
        self._write(lambda: self._writer.add_level(self._since_start(t_s), pin, value), LINE)

    def _since_start(self, t_s: float) -> float:
        return max(0.0, t_s - self._began_s)

    def _write(self, line: Callable[[], object], size: int) -> None:
        with self._lock:
            if self.failed is not None:
                return
            try:
                line()
                self.size += size + LINE
            except CompanionError as error:  # a device's thread has nobody to tell; whoever records looks here
                self.failed = error

    def close(self) -> None:
        """Take nothing more, and close the files."""
        with self._lock:
            self.failed = self.failed or CompanionError("the recording has ended")
            self._writer.close()


LINE = 60
"""Bytes of a line beside what it carries."""
