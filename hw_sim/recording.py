"""A simulated game written as a recording: the folder that `companion referee --recording` plays.

The folder has meta.json, gpio.jsonl (levels of the pins), serial.jsonl where the game has a board with a port,
frames.jsonl and frames/ where a camera draws them, and truth.jsonl: one line a turn, and one a breach of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.errors import InputError
from firmware_bridge.wiring import Wiring
from hw_sim.game_run import SimGame
from hw_sim.happenings import BreachEnded, BreachMade, BytesSent, FrameTaken, Happening, KnobTurned, MoveMade
from hw_sim.scene import Light, Scene
from hw_sim.wires import Edge

Draw = Callable[[Scene, Light], bytes]
"""A camera: draws a scene in a light as the bytes of a JPEG."""
PORT = "board"


def write_recording(folder: Path, game: SimGame, *, draw: Draw | None = None, calibration: str | None = None) -> None:
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
        raise InputError(f"{folder} has a recording already; choose an empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder, game, draw, calibration)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}; choose a folder that can be written") from error


def _write(folder: Path, game: SimGame, draw: Draw | None, calibration: str | None) -> None:
    wiring = game.table.wires.wiring
    meta = {"game": "infinity", "options": game.options, "calibration": calibration, "wiring": wiring_json(wiring)}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    lines: dict[str, list[dict[str, Any]]] = {"gpio": list(_first_levels(game)), "truth": []}
    if game.board_device is not None:
        lines["serial"] = []
    if draw is not None:
        lines["frames"] = []
        (folder / "frames").mkdir(exist_ok=True)
    for happening in game.run():
        if draw is not None and isinstance(happening, FrameTaken):
            image = f"frames/{len(lines['frames']) + 1:04}.jpg"
            (folder / image).write_bytes(draw(happening.scene, happening.light))
            lines["frames"].append({"t": round(happening.t_s, 3), "image": image})
        for name, line in _lines(game, happening):
            lines[name].append(line)
    for name, rows in lines.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


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


def _lines(game: SimGame, happening: Happening) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file and the line for what happened, where it belongs into one."""
    t = round(happening.t_s, 6)
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
