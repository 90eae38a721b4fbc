"""A simulated game written as a recording: the folder that `companion referee --recording` plays.

The folder has meta.json, frames.jsonl and frames/ where a camera draws them, and truth.jsonl: one line a turn, and one
a breach of the rules. A game of Infinity also has gpio.jsonl (levels of the pins), and serial.jsonl where it has a
board with a port.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.errors import InputError, system_words
from companion.texts import text
from firmware_bridge.wiring import Wiring
from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import FrameTaken as FinityFrameTaken
from hw_sim.finity.truth_lines import FinityLines
from hw_sim.game_run import SimGame
from hw_sim.happenings import BreachEnded, BreachMade, BytesSent, FrameTaken, KnobTurned, MoveMade
from hw_sim.scene import Light
from hw_sim.wires import Edge

Draw = Callable[[Any, Light], bytes]
"""A camera: draws a scene of its game in a light as the bytes of a JPEG."""
PORT = "board"


class Lines(Protocol):
    """What a game's recording says beside its pictures."""

    @property
    def meta(self) -> Mapping[str, Any]: ...
    @property
    def files(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The lines of each file but frames.jsonl, by its name without the ending."""
        ...

    def note(self, happening: object) -> None: ...


def write_recording(
    folder: Path, game: SimGame | FinityGame, *, draw: Draw | None = None, calibration: str | None = None
) -> None:
    """Play a game to its end and write what its devices gave.

    Args:
        folder: is made; must not have a recording in it.
        game: not yet run.
        draw: the camera; without it there are no pictures.
        calibration: name of the calibration file, for meta.json.

    Raises:
        InputError: if the folder cannot be written, or has a recording already.
    """
    if (folder / "meta.json").exists():
        raise InputError(text("{folder} has a recording already; choose an empty folder", folder=str(folder)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder, game, draw, calibration)
    except OSError as error:
        raise InputError(
            text("{folder}: {why}; choose a folder that can be written", folder=str(folder), why=system_words(error))
        ) from error


def _write(folder: Path, game: SimGame | FinityGame, draw: Draw | None, calibration: str | None) -> None:
    lines: Lines = FinityLines(game) if isinstance(game, FinityGame) else InfinityLines(game)
    meta = {**lines.meta, "calibration": calibration}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    frames: list[dict[str, Any]] = []
    if draw is not None:
        (folder / "frames").mkdir(exist_ok=True)
    for happening in game.run():
        if draw is not None and isinstance(happening, FrameTaken | FinityFrameTaken):
            image = f"frames/{len(frames) + 1:04}.jpg"
            (folder / image).write_bytes(draw(happening.scene, happening.light))
            frames.append({"t": round(happening.t_s, 3), "image": image})
        lines.note(happening)
    for name, rows in lines.files.items():
        _write_lines(folder / f"{name}.jsonl", rows)
    if draw is not None:
        _write_lines(folder / "frames.jsonl", frames)


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


class InfinityLines:
    """What a recording of Infinity says beside its pictures; see `Lines`."""

    def __init__(self, game: SimGame) -> None:
        self._game = game
        self.files: dict[str, list[dict[str, Any]]] = {"gpio": list(_first_levels(game)), "truth": []}
        if game.board_device is not None:
            self.files["serial"] = []

    @property
    def meta(self) -> Mapping[str, Any]:
        game = self._game
        return {"game": "infinity", "options": game.options, "wiring": wiring_json(game.table.wires.wiring)}

    def note(self, happening: object) -> None:
        for name, line in _lines(self._game, happening):
            self.files[name].append(line)


def wiring_json(wiring: Wiring) -> dict[str, Any]:
    """The wiring as meta.json has it."""
    return {
        "knob_a": wiring.knob_a,
        "knob_b": wiring.knob_b,
        "edges_per_detent": wiring.edges_per_detent,
        "entry": list(wiring.entry),
        "exit": list(wiring.exit),
        "beam_blocked_level": wiring.beam_blocked_level,
        "blue_knob": wiring.blue_knob,
    }


def _first_levels(game: SimGame) -> Iterator[dict[str, Any]]:
    for line, pin in game.pins.items():
        yield {"t": 0.0, "pin": pin, "level": game.table.wires.levels[line]}


def _lines(game: SimGame, happening: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file and the line for what happened, where it belongs into one."""
    t = round(getattr(happening, "t_s", 0.0), 6)
    match happening:
        case Edge(line=line, level=level) if line in game.pins:
            yield "gpio", {"t": t, "pin": game.pins[line], "level": level}
        case BytesSent(data=data):
            yield "serial", {"t": t, "port": PORT, "hex": data.hex()}
        case MoveMade():
            yield "truth", _turn(happening)
        case KnobTurned(by=by, stop=stop):
            yield "truth", {"t_knob": t, "by": by, "knob": stop}
        case BreachMade(kind=kind, by=by, reasons=reasons, words=words):
            yield "truth", {"t_breach": t, "by": by, "breach": kind, "reasons": sorted(reasons), "words": words}
        case BreachEnded(kind=kind):
            yield "truth", {"t_right": t, "breach": kind}


def _turn(made: MoveMade) -> dict[str, Any]:
    return {
        "turn": made.ply,
        "t_push": round(made.t_s, 6),
        "by": made.by,
        "move": made.move,
        "board": made.board,
        "score": made.score,
        "knob_stop": made.knob_stop,
        "pushed_over": made.over,
        "outcome": {"winner": made.winner, "by": made.by_what} if made.by_what else None,
    }
