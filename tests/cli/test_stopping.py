"""Ctrl-C, SIGTERM, SIGKILL: a clean end, nobody left behind, and the game goes on where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.mqtt.local_broker import find_mosquitto, free_port
from hw_sim.game_run import SimGame
from hw_sim.live import LiveTable
from hw_sim.players import HeuristicPlayer
from hw_sim.serial_port import SimSerialPort
from tests.cli.conftest import Command
from tests.cli.processes import begun, descendants, runs, until
from tests.mqtt.material import Listener, Mosquitto


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_demo_that_is_ended_takes_its_broker_along(tmp_path: Path, how: signal.Signals) -> None:
    with begun(tmp_path, "demo", "--no-camera", "--page", "0", "--speed", "2") as demo:
        until(lambda: "ok" in text(tmp_path / "out") and "MQTT: connected" in text(tmp_path / "errors"), "the demo")
        children = descendants(demo.pid)
        assert children or find_mosquitto() is None
        demo.send_signal(how)
        assert demo.wait(20) == (-how if how is signal.SIGKILL else 0)
    until(lambda: not any(map(runs, children)), "its children to end")
    if how is not signal.SIGKILL:
        assert text(tmp_path / "errors").splitlines()[-1].startswith("companion: stopped after")
    assert "Traceback" not in text(tmp_path / "errors")


# Where Ctrl-C meets Python within `exec`, it ends a program that has caught it by the signal, too; shells say 130.
@pytest.mark.parametrize(("how", "codes"), [(signal.SIGINT, (130, -2)), (signal.SIGTERM, (143,))])
def test_a_demo_that_is_ended_while_it_sets_up_says_so(
    tmp_path: Path, how: signal.Signals, codes: tuple[int, ...]
) -> None:
    with begun(tmp_path, "demo", "--page", "0", "--no-mqtt") as demo:
        until(lambda: "setting up" in text(tmp_path / "errors"), "the set-up")
        demo.send_signal(how)
        assert demo.wait(20) in codes
    assert text(tmp_path / "errors").splitlines() == [
        "companion: setting up the simulated table",
        "companion: stopped",
    ]


def test_a_referee_that_was_killed_goes_on_with_the_game(tmp_path: Path, companion: Command) -> None:
    """Nothing that was told is told otherwise after a kill, no number is missing, and the state is there at once."""
    port = free_port()
    with Mosquitto(tmp_path / "broker") as broker:
        (tmp_path / "table.toml").write_text(
            f'[table]\nname="t"\nnode="n"\n[rules]\nfirst="blue"\n[serial]\nport="{tmp_path}/board"\n'
            f'[page]\nport={port}\n[journal]\npath="j.db"\n[mqtt]\nhost="127.0.0.1"\nport={broker.port}\n',
            encoding="utf-8",
        )
        game = SimGame(3, players=HeuristicPlayer(), frame_s=0, sights=False, serial=True)
        with LiveTable(game, speed=4, port=SimSerialPort(tmp_path / "board")):
            out = tmp_path / "out"
            with begun(tmp_path, "referee", "--config", "table.toml", "--json"):
                until(lambda: text(out).count('"event": "move"') >= 2, "two moves")
            before = [json.loads(line) for line in text(out).splitlines(keepends=True) if line.endswith("\n")]
            with begun(tmp_path, "referee", "--config", "table.toml", "--json") as again:
                until(lambda: text(tmp_path / "errors").count("the page is at") == 2, "the second start")
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/state") as answer:
                    shown = json.load(answer)
                with Listener(broker.port, "late") as late:
                    until(lambda: late.on("companion/n/t/state"), "the retained state")
                    retained = json.loads(late.on("companion/n/t/state")[0])
                until(lambda: text(out).count('"event": "move"') >= 4, "two more moves")
                again.terminate()
                assert again.wait(20) == 0
    assert "going on with the unfinished game" in text(tmp_path / "errors")
    kept = [json.loads(line) for line in companion("replay", tmp_path / "j.db", "--json").out.splitlines()]
    assert [event["seq"] for event in kept] == list(range(1, len(kept) + 1))
    assert kept[: len(before)] == before, "what was told before the kill stays as it was"
    told = {json.loads(line)["id"] for line in text(out).splitlines() if line.endswith("}")}
    assert told <= {event["id"] for event in kept}
    assert len({event["id"] for event in kept}) == len(kept)
    assert [event["event"] for event in kept].count("game_started") == 1
    for state in (shown, retained):
        assert [move["move"] for move in state["moves"]][:2] == [
            event["move"] for event in before if event["event"] == "move"
        ][:2]


def test_an_interrupt_that_python_loses_ends_the_program_all_the_same() -> None:
    """What a handler raises within a weak reference's callback, as they run during imports, goes nowhere."""
    script = """
import os, signal, weakref
from companion.cli.stopping import begin, stop_on_signals
begin()
class Thing: pass
thing = Thing()
kept = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
del thing
print("went on", flush=True)
try:
    stop_on_signals(print)
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout.splitlines(), done.stderr) == (["went on", "stopped"], "")
