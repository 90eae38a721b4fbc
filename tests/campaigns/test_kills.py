"""kill -9 of the whole program, again and again, in the middle of games that go on; and the broker comes and goes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from companion.journal.reader import read_journal
from hw_sim.faults import Faults
from tests.campaigns.world import World
from tests.cli.processes import ROOT
from tests.mqtt.material import EVENT, STATE, Listener, Mosquitto, until

SPEED = 8.0
SLOW = 0.4
"""How fast people play who have noticed that the referee is away."""
THINKS_S = 1.0
"""How long people look at a question or an accusation, in real seconds, before one of them does something."""
PATIENCE_S = 60.0
FAULTS = Faults(hands_rate=1.0, lost_frames=0.05, bounce_ms=1.0, rolls_back=0.01, glare_rate=0.5)


class Hall:
    """The program, started and killed; its table; its broker; somebody who notes all that is heard of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.broker = Mosquitto(folder / "broker", persistent=True)
        self.broker.start()
        self.listener = Listener(self.broker.port)
        self.world = World(folder, seed, FAULTS, SPEED)
        self.journal = folder / "journal.sqlite"
        self._folder = folder
        self._orders = folder / "orders.json"
        self._orders.write_text(json.dumps(self._config()))
        self._program: subprocess.Popen[bytes] | None = None
        self._heard = 0
        self._state: Mapping[str, Any] = {}
        self._asked_since_s: float | None = None
        self._sent = 0
        self.helped = 0
        self.plays_on = False

    def _config(self) -> Mapping[str, Any]:
        config = {
            "table": {"node": "node"},
            "serial": {"port": str(self.world.port.path)},
            "mqtt": {"host": "127.0.0.1", "port": self.broker.port, "commands": True},
            "page": {"port": 0},
            "journal": {"path": str(self.journal)},
        }
        return {"config": config, "sights": str(self.world.sights), "speed": SPEED}

    # The program

    def start(self) -> None:
        self.world.looked_at.clear()
        with (self._folder / "out").open("ab") as out:
            command = [sys.executable, "-m", "tests.campaigns.program", str(self._orders)]
            self._program = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)

    def runs(self) -> bool:
        return self._program is not None and self._program.poll() is None

    def kill(self) -> None:
        assert self._program is not None
        assert self._program.poll() is None, f"the program ended by itself: {self.out}"
        self._program.kill()
        self._program.wait(10)

    @property
    def out(self) -> str:
        return (self._folder / "out").read_text()

    # What is known outside

    @property
    def state(self) -> Mapping[str, Any]:
        """The newest state that was heard."""
        heard = self.listener.heard
        for message in heard[self._heard :]:
            if message.topic == STATE:
                self._state = message.data
            self._heard += 1
        return self._state

    @property
    def moves(self) -> list[str]:
        return moves_of(self.state)

    def kept(self) -> tuple[int, list[str]]:
        """The last event in the journal, and the moves of the game then."""
        with closing(read_journal(self.journal)) as journal:
            return journal.last_seq(), moves_of(journal.last_state() or {})

    # The people

    def live(self, seconds: float) -> None:
        """Let the evening go on."""
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            self._attend()
            time.sleep(0.02)

    def settle(self, what: str, settled: Any) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not settled():
            self._attend()
            assert self.runs(), f"the program ended by itself: {self.out}"
            assert time.monotonic() < ends_s, f"waited in vain for {what}: {self._where()}"
            time.sleep(0.02)

    def _where(self) -> str:
        keys = ("ply", "question", "illegal", "outcome", "devices")
        told = {key: self.state.get(key) for key in keys}
        told["results"] = [m.text for m in self.listener.heard if "/result/" in m.topic][-6:]
        return f"moves {self.moves}, made {self.world.truth().moves}; {told}; {self.out[-2000:]}"

    def _attend(self) -> None:
        """Begin the next game where one is over, and help the referee where it asks."""
        state, truth = self.state, self.world.truth()
        if self.world.over and not self.world.players.stops.is_set():
            fresh = not self.moves and state.get("outcome") is None
            if state.get("outcome") is not None or fresh:
                self.world.next_game()
                if not fresh:
                    self._command("new_game", {})
            return
        asked = state.get("question") is not None or state.get("illegal") is not None
        self.world.speed = SLOW if asked or (not self.world.looked_at.is_set() and not self.plays_on) else SPEED
        if not asked:
            self._asked_since_s = None
            return
        self._asked_since_s = self._asked_since_s or time.monotonic()
        if time.monotonic() - self._asked_since_s > THINKS_S:
            self._asked_since_s = None
            self._help(state, list(truth.moves))

    def _help(self, state: Mapping[str, Any], made: list[str]) -> None:
        question = state.get("question")
        if question is not None:
            choices = question["choices"]
            choice = self.world.answer(choices, state["ply"])
            if choice is None and len(moves_of(state)) == len(made):  # a move that was told is asked about
                choice = self.world.answer(choices, None)
            if choice is not None:
                self._command("answer", {"question": question["question"], "choice": choice})
                return
        told = moves_of(state)
        if told == made[: len(told)] and len(told) < len(made):
            self._command("play", {"move": made[len(told)]})

    def _command(self, name: str, args: Mapping[str, Any]) -> None:
        self._sent += 1
        self.helped += name != "new_game"
        body = {"transaction": f"t{self._sent}", "seq": self.state["seq"], "by": "Ada", "args": args}
        with suppress(RuntimeError):  # the broker is away just now: they will try again
            self.listener.say(f"companion/node/table/cmd/{name}", json.dumps(body).encode())

    def close(self) -> None:
        if self.runs():
            self.kill()
        self.world.close()
        self.listener.close()
        self.broker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def moves_of(state: Mapping[str, Any]) -> list[str]:
    return [move["move"] for move in state.get("moves", ())]


@pytest.mark.timeout(0)
@pytest.mark.parametrize(
    ("kills", "broker_restarts"), [(6, 1), pytest.param(300, 30, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_no_kill_loses_a_point(tmp_path: Path, kills: int, broker_restarts: int) -> None:
    with Hall(tmp_path, seed=kills) as hall:
        random_ = hall.random
        restarts = set(random_.sample(range(kills), broker_restarts))
        hall.start()
        assert until(hall.world.looked_at.is_set, PATIENCE_S), hall.out
        for number in range(kills):
            hall.live(random_.uniform(0.0, 2.5))
            if number in restarts:
                hall.broker.stop()
                hall.live(random_.uniform(0.0, 1.0))
                hall.broker.start()
            _one_death(hall, plays_on=random_.random() < 0.4)
        hall.world.players.stops.set()
        hall.settle("the last game", lambda: hall.world.over and hall.moves == list(hall.world.truth().moves))
        _check(hall)
        print(f"{kills} kills, {len(hall.world.truths) + 1} games, {hall.kept()[0]} events, helped {hall.helped}")


def _one_death(hall: Hall, *, plays_on: bool) -> None:
    """Kill the program and start it again; where the board is as the journal has it, nobody need help."""
    hall.kill()
    seq, moves = hall.kept()
    assert max(hall.listener.seqs(), default=0) <= seq, "something was told that is not kept"
    hall.plays_on = plays_on
    hall.world.speed = SPEED if plays_on else SLOW
    helped, made = hall.helped, list(hall.world.truth().moves)
    if hall.random.random() < 0.2:
        hall.start()
        time.sleep(hall.random.uniform(0.0, 1.0))
        hall.kill()  # before it has come to itself
    hall.start()
    assert until(hall.world.looked_at.is_set, PATIENCE_S), hall.out
    assert until(lambda: hall.state.get("seq", 0) >= seq, PATIENCE_S), hall.out
    if list(hall.world.truth().moves) == made == moves:
        hall.live(0.5)
        assert hall.state.get("question") is None, hall.state
        assert hall.helped == helped


def _check(hall: Hall) -> None:
    last, _ = hall.kept()
    assert until(lambda: hall.listener.seqs()[-1:] == [last], PATIENCE_S)
    assert hall.listener.seqs() == list(range(1, last + 1))
    truth, state = hall.world.truth(), hall.state
    assert (state["score"], state["position"]["board"]) == (truth.score, truth.board)
    with closing(read_journal(hall.journal)) as journal:
        kept = [record.id for record in journal.records()]
        told = {(told := json.loads(text))["seq"]: told["id"] for text in hall.listener.on(EVENT)}
        assert [told[seq] for seq in range(1, last + 1)] == kept
