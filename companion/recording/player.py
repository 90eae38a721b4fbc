"""Playing a recording: its lines through the decoders and the recogniser into a table, on its own time stamps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.errors import InputError, error_words
from companion.events import Record
from companion.evidence import BridgeReading, Evidence, Sight
from companion.recording.lines import FrameLine, LevelLine, Line, SerialLine
from companion.recording.reader import Recording, open_recording
from companion.table import Table, TableSettings
from companion.texts import text
from firmware_bridge.gpio import PinDecoder
from firmware_bridge.serial_decoder import SerialDecoder
from vision.reading import Reading

TICK_S = 0.25
"""Between two lines time passes in such steps, so that what was due in between is told when it was due."""

LONGEST_TICKS_S = 30.0
"""All waiting (grace times, settling, questions) is over by then; the rest of a gap passes in one step."""

CAMERA = "camera"

Look = Callable[[Path], Reading]
"""Reads a picture file; an unreadable one is a reading, too."""


class Decoder(Protocol):
    """Pins or a port: tells late what only time could show."""

    def tick(self, t_s: float) -> Sequence[BridgeReading]: ...


@dataclass(frozen=True, slots=True)
class Played:
    """How far playing has come: lines so far, and pictures that could not be read."""

    lines: int = 0
    frames: int = 0


class RecordingPlayer:
    """Plays one recording once.

    Args:
        recording: an opened one.
        look: reads pictures; by default the recogniser with the recording's calibration.

    Attributes:
        table: the table that it is played to, for its state.
        progress: how far it is.
    """

    def __init__(self, recording: Recording, *, look: Look | None = None, game_id: str | None = None) -> None:
        self.recording = recording
        self.table = Table(
            recording.game,
            TableSettings(gap_settles=True),
            game_id=game_id or f"recording {recording.folder.resolve().name}",
            names=recording.names,
        )
        self.progress = Played()
        self._look = look
        self._pins = PinDecoder(recording.wiring) if recording.wiring is not None else None
        self._ports: dict[str, SerialDecoder] = {}
        self._now_s = 0.0

    def play(self) -> Iterator[Record]:
        """All records, in order.

        Raises:
            InputError: if the recording's calibration or files cannot be read.
        """
        if self._look is None and "frames.jsonl" in self.recording.files:
            self._look = recogniser_of(self.recording)  # before anything is told: it may not fit this game
        yield from self.table.start(0.0)
        for line in self.recording.lines():
            yield from self._pass_until(line.t_s)
            self.progress = Played(self.progress.lines + 1, self.progress.frames + isinstance(line, FrameLine))
            for evidence in self._evidence(line):
                yield from self.table.take(evidence)
        yield from self._pass_until(self._now_s + LONGEST_TICKS_S)
        yield from self.table.finish(self._now_s)

    def _pass_until(self, t_s: float) -> Iterator[Record]:
        """Let time pass up to `t_s`; decoders tell what was only waiting for it."""
        start_s = self._now_s
        while self._now_s < t_s:
            step_s = TICK_S if self._now_s - start_s < LONGEST_TICKS_S else t_s - self._now_s
            self._now_s = min(t_s, self._now_s + step_s)
            for evidence in self._due(self._now_s):
                yield from self.table.take(evidence)
            yield from self.table.tick(self._now_s)

    def _due(self, t_s: float) -> list[BridgeReading]:
        decoders: list[Decoder] = [*self._ports.values(), *([self._pins] if self._pins else [])]
        return sorted((each for decoder in decoders for each in decoder.tick(t_s)), key=lambda each: each.t_s)

    def _evidence(self, line: Line) -> Iterator[Evidence]:
        match line:
            case LevelLine() if self._pins is not None:
                yield from self._pins.feed(line.t_s, line.pin, line.level)
            case SerialLine():
                if line.port not in self._ports:
                    self._ports[line.port] = SerialDecoder(line.port, verified=True)
                yield from self._ports[line.port].feed(line.t_s, line.data)
            case FrameLine():
                if self._look is not None:
                    yield Sight(line.t_s, CAMERA, self._look(self.recording.picture(line)))


def recogniser_of(recording: Recording) -> Look:
    """A reader of pictures with the recording's calibration.

    Raises:
        InputError: if the calibration cannot be used.
    """
    from calibration.errors import CalibrationError
    from calibration.file import load
    from companion.devices import misfit
    from vision.errors import PictureError
    from vision.pictures import read_picture
    from vision.reading import Status
    from vision.recogniser import recogniser_for
    from vision.runtime import one_thread

    one_thread()
    if recording.calibration is None:
        raise InputError(text("{folder}: no calibration to read its pictures with", folder=str(recording.folder)))
    try:
        calibration = load(recording.calibration, recording.game.name)
    except CalibrationError as error:
        raise InputError(error_words(error)) from error
    if fault := misfit(calibration, recording.game):
        raise InputError(text("{path}: {why}", path=str(recording.calibration), why=fault))
    recogniser = recogniser_for(calibration)

    def look(path: Path) -> Reading:
        try:
            return recogniser.look(read_picture(path))
        except PictureError as error:
            recording.faults.add(path.name, error_words(error))
            return Reading(Status.BAD_IMAGE, detail=error_words(error))

    return look


def play_recording(folder: Path, *, look: Look | None = None) -> Iterator[Record]:
    """The records of a recording, at full speed.

    Raises:
        InputError: with every fault of the folder and its `meta.json`.
    """
    yield from RecordingPlayer(open_recording(folder), look=look).play()
