"""Where the knobs stood, kept beside the journal for the next start: the wires tell of turns, not of places.

A board that kept its power has counted on, and its place is as good as it was. Any other place is what was true when
the program ended, and is shown as unverified until somebody confirms it.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from companion.aside import kept_aside
from firmware_bridge.knob import KnobPlace

log = logging.getLogger(__name__)

FORMAT = "companion-knobs"


@runtime_checkable
class KnobDevice(Protocol):
    """A device with a knob that can be told where it stands."""

    @property
    def device(self) -> str: ...
    @property
    def place(self) -> KnobPlace: ...
    def confirm_knob(self, stop: int) -> None: ...


class KnobPlaces:
    """The places in a file, which is written whole or not at all.

    Args:
        path: the file; what is wrong with it costs the places and no more.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = _read(path)
        self._told = False

    @classmethod
    def beside(cls, journal: Path) -> KnobPlaces:
        return cls(Path(f"{journal}.knobs"))

    def saved(self, device: str) -> KnobPlace | None:
        """The place of a device's knob as it was kept last."""
        place = self._places.get(device)
        # pins do not count while the program is off
        return place if place is None or place.boot_id is not None else replace(place, verified=False)

    def keep(self, device: str, place: KnobPlace) -> None:
        """Write a place, where it is another one."""
        if self._places.get(device) == place:
            return
        self._places[device] = place
        try:
            self._write()
        except OSError as error:
            if not self._told:
                log.warning("%s cannot be written (%s): after a restart the knob's place is a guess", self._path, error)
            self._told = True

    def _write(self) -> None:
        places = {device: asdict(place) for device, place in self._places.items()}
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"format": FORMAT, "places": places}, file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _read(path: Path) -> dict[str, KnobPlace]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError("it is another program's")
        return {str(device): _place(**fields) for device, fields in data["places"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        kept = kept_aside(path)
        log.warning("%s cannot be read (%s): the knob's place is a guess until it is confirmed%s", path, error, kept)
        return {}


def _place(*, detents: Any, verified: Any, boot_id: Any, zero: Any, edges_per_detent: Any) -> KnobPlace:
    numbers = (detents, zero, edges_per_detent, boot_id if boot_id is not None else 0)
    if not isinstance(verified, bool) or edges_per_detent not in (1, 2, 4):
        raise ValueError("a place is damaged")
    if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
        raise ValueError("a place is damaged")
    return KnobPlace(detents, verified, boot_id, zero, edges_per_detent)
