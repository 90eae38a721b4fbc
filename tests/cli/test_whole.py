"""Whole commands at work: a demo with page and MQTT, and a recording that is played again."""

from __future__ import annotations

import json
from pathlib import Path

from hw_sim.chip.build import missing_tools
from tests.cli.conftest import Command
from tests.mqtt.material import Listener, Mosquitto
from tests.shared_material import absent


def test_a_demo_tells_every_event_to_a_subscriber(companion: Command, tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        answer = companion(
            *("demo", "--speed", "20", "--no-camera", "--page", "0", "--journal", "j.db", "--json"),
            *("--mqtt", f"127.0.0.1:{broker.port}"),
        )
        heard = [json.loads(line) for line in listener.on("companion/demo/demo/event")]
        state = json.loads(listener.on("companion/demo/demo/state")[-1])
    assert answer.code == 0, answer.errors
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["event"] for event in events].count("game_over") == 1
    assert [(event["seq"], event["id"], event["event"]) for event in heard] == [
        (event["seq"], event["id"], event["event"]) for event in events
    ]
    assert state["outcome"] == next(event["outcome"] for event in events if event["event"] == "game_over")
    assert any("all as made" in line for line in answer.errors)
    assert any("watch it at http://127.0.0.1:" in line for line in answer.errors)
    kept = companion("replay", "j.db", "--json")
    assert [json.loads(line) for line in kept.out.splitlines()] == events


def moves(lines: str) -> list[set[str]]:
    """Each move as it was told, with those that it may as well have been: what only beams felt leaves several."""
    told = [event for event in map(json.loads, lines.splitlines()) if event["event"] == "move"]
    return [{event["move"], *event.get("others", ())} for event in told]


def test_a_recording_of_a_table_gives_the_same_moves(companion: Command) -> None:
    live = companion("record", "evening", "--simulated", "--speed", "2", "--seconds", "9", "--json")
    assert live.code == 0
    assert {path.name for path in Path("evening").iterdir()} >= {"meta.json", "calibration.json", "serial.jsonl"}
    assert "referee --recording evening" in live.errors[-1]
    again = companion("referee", "--recording", "evening", "--json")
    assert again.code == 0
    told, again_told = moves(live.out), moves(again.out)
    assert len(told) >= 2
    # The recording may end with a push on its way, which the live table had no time to settle; and it keeps fewer
    # pictures than were looked at, on a busy machine far fewer: a move may be left open there, and is no other one.
    assert len(again_told) >= len(told)
    assert all(one & other for one, other in zip(told, again_told, strict=False)), (live.out, again.out)
    one = companion("record", "evening", "--simulated")
    assert one.code == 1
    assert one.errors[-1] == "companion: evening: holds a recording already; name a new folder"


def test_a_whole_game_through_the_firmware_on_a_simulated_chip(companion: Command) -> None:
    if reason := missing_tools():
        absent(reason)
    answer = companion(
        *("demo", "--device", "chip", "--no-camera", "--speed", "12", "--seed", "3"),
        *("--no-page", "--no-mqtt", "--journal", "j.db", "--json"),
    )
    assert answer.code == 0, answer.errors
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [event["event"] for event in events].count("game_over") == 1
    assert any("all as made" in line for line in answer.errors)
