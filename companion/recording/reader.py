"""Opening a recording: its `meta.json` checked as a whole, its files merged in the order of time."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, InputError, error_words, system_words
from companion.games.game import Json, TableGame
from companion.games.registry import game_named
from companion.recording.lines import FILES, Faults, FrameLine, Line, read_lines
from companion.texts import joined, listed, plural, text
from firmware_bridge.errors import BridgeError
from firmware_bridge.wiring import Wiring


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that can be played.

    Attributes:
        folder: where it lies.
        game: the rules under the house rules of the recording.
        names: what the players were called, where it says so.
        calibration: the calibration file, None where there are no pictures to read.
        wiring: which pin is what, None without levels of pins.
        files: those of its files that are there.
        faults: what could not be used, filled while the lines are read.
    """

    folder: Path
    game: TableGame[Any]
    names: Mapping[str, str]
    calibration: Path | None
    wiring: Wiring | None
    files: tuple[str, ...]
    faults: Faults = field(default_factory=Faults)

    def lines(self) -> Iterator[Line]:
        """All lines of all files in the order of time; levels and bytes come before a picture of the same moment."""
        order = [name for name in ("gpio.jsonl", "serial.jsonl", "frames.jsonl") if name in self.files]
        streams = [read_lines(self.folder / name, self.faults) for name in order]
        return heapq.merge(*streams, key=lambda line: line.t_s)

    def picture(self, line: FrameLine) -> Path:
        return self.folder / line.image


def open_recording(folder: Path, setup: Mapping[str, Json] | None = None) -> Recording:
    """Check a recording's folder and its `meta.json`.

    Args:
        setup: what stands in place of `players`, `pattern` and `posts` in `meta.json`.
    Raises:
        InputError: with every fault at once, and what to do.
    """
    if not folder.is_dir():
        if folder.exists():
            raise InputError(
                text("{folder}: is no folder; unpack the recording and name its folder", folder=str(folder))
            )
        raise InputError(text("{folder}: there is no such folder", folder=str(folder)))
    meta = {**_meta(folder / "meta.json"), **(setup or {})}
    files = tuple(name for name in FILES if (folder / name).is_file())
    faults: list[str] = []
    if not files:
        faults.append(text("none of {files} is there, so there is nothing to play", files=", ".join(FILES)))
    elif not any((folder / name).stat().st_size for name in files):
        faults.append(
            plural(
                "{files} is empty, so there is nothing to play",
                "{files} are empty, so there is nothing to play",
                len(files),
                files=listed(files),
            )
        )
    game = _game(meta, faults)
    calibration = _calibration(folder, meta, faults)
    if calibration is None and "frames.jsonl" in files and not faults:
        faults.append(
            text(
                "there are pictures but no calibration to read them with: run `companion calibrate` "
                'and set "calibration" in meta.json, or take frames.jsonl away'
            )
        )
    wiring = _wiring(meta, faults)
    if wiring is None and "gpio.jsonl" in files and not faults:
        faults.append(text('there is a gpio.jsonl but no "wiring" in meta.json that says which pin is what'))
    if faults or game is None:
        raise InputError(text("{folder}: {why}", folder=str(folder), why=joined(faults, "; ")))
    names = meta.get("names")
    named = {str(k): str(v) for k, v in names.items()} if isinstance(names, dict) else {}
    return Recording(folder, game, named, calibration, wiring, files)


def _meta(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise InputError(
            text("{parent}: there is no meta.json; is this the folder of a recording?", parent=str(path.parent))
        ) from None
    except OSError as error:
        raise InputError(text("{path}: {why}", path=str(path), why=system_words(error))) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            text("{path}: is no JSON ({why}); is the recording whole?", path=str(path), why=str(error))
        ) from error
    if not isinstance(data, dict):
        raise InputError(text("{path}: is no JSON object; a recording's meta.json begins with {{", path=str(path)))
    return data


def _game(meta: Mapping[str, Any], faults: list[str]) -> TableGame[Any] | None:
    name, options = meta.get("game"), meta.get("options")
    if not isinstance(name, str):
        faults.append(text('meta.json lacks "game"'))
        return None
    if options is not None and not isinstance(options, dict):
        faults.append(text('"options" in meta.json is no object'))
        return None
    given: dict[str, Json] = dict(options or {})
    wiring = meta.get("wiring")
    if isinstance(wiring, dict) and "blue_knob" in wiring and "blue_knob" not in given:
        given["blue_knob"] = wiring["blue_knob"]
    try:
        return game_named(name, given, meta)
    except CompanionError as error:
        faults.append(f"meta.json: {error}")
        return None


def _calibration(folder: Path, meta: Mapping[str, Any], faults: list[str]) -> Path | None:
    value = meta.get("calibration")
    if value is None:
        return None
    if not isinstance(value, str):
        faults.append(text('"calibration" in meta.json is neither a file name nor null'))
        return None
    if not (folder / value).is_file():
        faults.append(text("the calibration {path} is not there", path=value))
        return None
    return folder / value


def _wiring(meta: Mapping[str, Any], faults: list[str]) -> Wiring | None:
    value = meta.get("wiring")
    if value is None:
        return None
    if not isinstance(value, dict):
        faults.append(text('"wiring" in meta.json is no object'))
        return None
    try:
        return Wiring.parse(value)
    except BridgeError as error:
        faults.append(text("wiring in meta.json: {why}", why=error_words(error)))
        return None
