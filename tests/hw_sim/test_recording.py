"""Recordings of simulated games have the contract's form, and say what happened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InputError
from firmware_bridge.pin_decoder import PinDecoder
from firmware_bridge.readings import KnobAt, MarbleEntered
from firmware_bridge.serial_decoder import SerialDecoder
from firmware_bridge.wiring import Wiring
from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.players import Habits, ScriptedPlayers
from hw_sim.recording import write_recording
from hw_sim.scene import Light, Scene
from tests.shared_material import shared

MOVES = ["B1", "Y2", "B1", "Y2", "B1", "Y3", "B1", "Y3"]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def drawn(scene: Scene, light: Light) -> bytes:
    return f"{len(scene.marbles)} marbles".encode()


def test_a_recording_has_every_file_that_its_devices_give(tmp_path: Path) -> None:
    game = SimGame(1, players=ScriptedPlayers(MOVES), serial=True, sights=False, frame_s=1.0)
    write_recording(tmp_path / "new" / "game", game, draw=drawn, calibration="CAL.json")
    folder = tmp_path / "new" / "game"
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    assert meta["game"] == "infinity"
    assert meta["calibration"] == "CAL.json"
    frames = rows(folder / "frames.jsonl")
    assert frames[0]["image"] == "frames/0001.jpg"
    assert all((folder / frame["image"]).read_bytes() == b"18 marbles" for frame in frames[:3])
    assert len(frames) > 30
    decoder = SerialDecoder()
    entered = [
        reading.channel
        for row in rows(folder / "serial.jsonl")
        for reading in decoder.feed(row["t"], bytes.fromhex(row["hex"]))
        if isinstance(reading, MarbleEntered)
    ]
    assert entered == [int(move[1]) for move in MOVES]
    turns = [row for row in rows(folder / "truth.jsonl") if "turn" in row]
    assert [turn["move"] for turn in turns] == MOVES
    assert turns[-1]["board"] == "BBBB|YY..|YY..|...."
    assert turns[-1]["score"] == 2


def test_its_pins_tell_the_game_through_the_product_s_decoder(tmp_path: Path) -> None:
    game = SimGame(2, players=ScriptedPlayers(MOVES), faults=Faults(bounce_ms=2.0), sights=False, frame_s=0)
    write_recording(tmp_path, game)
    assert not (tmp_path / "frames.jsonl").exists()
    assert not (tmp_path / "serial.jsonl").exists()
    meta = json.loads((tmp_path / "meta.json").read_text(encoding="utf-8"))
    decoder = PinDecoder(Wiring.parse(meta["wiring"]))
    gpio = rows(tmp_path / "gpio.jsonl")
    readings = [r for row in gpio for r in decoder.feed(row["t"], row["pin"], row["level"])]
    readings += decoder.tick(gpio[-1]["t"] + 1.0)
    assert [r.channel for r in readings if isinstance(r, MarbleEntered)] == [int(move[1]) for move in MOVES]
    assert [r.stop for r in readings if isinstance(r, KnobAt)][-1] == 2


def test_its_lines_have_the_keys_of_a_given_recording(tmp_path: Path) -> None:
    given = shared("images", "infinity", "recording")
    write_recording(tmp_path, SimGame(3, sights=False, frame_s=2.0), draw=drawn)
    for name in ("gpio.jsonl", "frames.jsonl"):
        assert set(rows(tmp_path / name)[0]) == set(rows(given / name)[0])
    ours, theirs = (json.loads((f / "meta.json").read_text(encoding="utf-8")) for f in (tmp_path, given))
    assert ours == theirs | {"options": ours["options"]}
    first = rows(given / "gpio.jsonl")[:10]
    assert sorted(rows(tmp_path / "gpio.jsonl")[:10], key=str) == sorted(first, key=str)
    turns = [row for row in rows(tmp_path / "truth.jsonl") if "turn" in row]
    assert set(turns[0]) <= set(rows(given / "truth.jsonl")[0])


def test_breaches_are_in_the_truth(tmp_path: Path) -> None:
    game = SimGame(4, breaches=(BreachKind.WRONG_END,), sights=False, frame_s=0, habits=Habits(patience_s=4.0))
    write_recording(tmp_path, game)
    breach = next(row for row in rows(tmp_path / "truth.jsonl") if "t_breach" in row)
    assert breach["reasons"] == ["wrong_end"]
    assert any("t_right" in row for row in rows(tmp_path / "truth.jsonl"))


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    write_recording(tmp_path, SimGame(5, players=ScriptedPlayers(["B1"])))
    with pytest.raises(InputError, match="has a recording already"):
        write_recording(tmp_path, SimGame(5, players=ScriptedPlayers(["B1"])))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="choose a folder"):
        write_recording(tmp_path / "file", SimGame(5, players=ScriptedPlayers(["B1"])))
