"""Writing a recording while it happens: every line is in its file when the call returns, so a kill loses nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TextIO

from companion.errors import InputError, system_words
from companion.games.game import Json
from companion.texts import text


class RecordingWriter:
    """A recording under way.

    Args:
        folder: is made; must be empty where it is there.
        meta: `meta.json` of the contract: game, options, calibration (a file in the folder, or None), wiring, ...
    Raises:
        InputError: if the folder cannot be written or holds anything, which would be mixed up or overwritten.
    """

    def __init__(self, folder: Path, meta: Mapping[str, Json]) -> None:
        self.folder = folder
        self.frames = 0
        self._files: dict[str, TextIO] = {}
        if (folder / "meta.json").exists():
            raise InputError(text("{folder}: holds a recording already; name a new folder", folder=str(folder)))
        try:
            if folder.is_dir() and any(folder.iterdir()):
                raise InputError(text("{folder}: holds files already; name a new folder", folder=str(folder)))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise _unwritable(folder, error) from error

    def add_frame(self, t_s: float, jpeg: bytes) -> str:
        """Add a picture as the camera gave it.

        Args:
            t_s: seconds since the start of the recording.
        Returns:
            The picture's path in the folder.
        Raises:
            InputError: if it cannot be written (the disk is full).
        """
        image = f"frames/{self.frames + 1:04}.jpg"
        path = self.folder / image
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(jpeg)
        except OSError as error:
            raise _unwritable(path, error) from error
        self.frames += 1
        self._add("frames.jsonl", {"t": round(t_s, 3), "image": image})
        return image

    def add_serial(self, t_s: float, port: str, data: bytes) -> None:
        """Add bytes as they were read from a port."""
        self._add("serial.jsonl", {"t": round(t_s, 6), "port": port, "hex": data.hex()})

    def add_level(self, t_s: float, pin: str, level: int) -> None:
        """Add a pin's level; the first of every pin says where it stands."""
        self._add("gpio.jsonl", {"t": round(t_s, 6), "pin": pin, "level": level})

    def _add(self, name: str, line: Mapping[str, Json]) -> None:
        path = self.folder / name
        try:
            if name not in self._files:
                self._files[name] = path.open("a", encoding="utf-8", buffering=1)
            self._files[name].write(json.dumps(line) + "\n")
        except OSError as error:
            raise _unwritable(path, error) from error

    def close(self) -> None:
        """Close the files; safe to call twice."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        text("{path}: {why}; make room or name a folder that can be written", path=str(path), why=system_words(error))
    )
