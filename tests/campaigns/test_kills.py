"""kill -9 of the whole program, again and again, in the middle of games that go on; and the broker comes and goes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from companion.journal.reader import read_journal
from companion.questions import NO_MOVE
from hw_sim.faults import Faults
from tests.campaigns.people import FORFEIT, Command, Help, moves_of, putting_right
from tests.campaigns.world import World
from tests.cli.processes import ROOT
from tests.mqtt.material import EVENT, STATE, Listener, Mosquitto, until

SPEED = 6.0
AWAY_PLIES = 3
"""So many more plies people make at most who play on while the referee is away; the others wait for it."""
FIRST_LOOK_S = 2.0
"""Within so much of its own time a camera that has just been opened has shown the board long enough to settle it."""
THINKS_S = 1.0
"""How long people look at a question or an accusation, in real seconds, before one of them does something."""
BEHIND_S = 8.0
"""For so long they wait for a record that is behind, and nobody says why; then one of them puts it right. So long
they wait, too, where the record is right and the referee has to see the board, as after a game when it is cleared."""
TRUST_S = 30.0
"""For so long where nothing was changed behind its back: a program that is short of processor time is not at a loss."""
SETS_UP_S = 2.0
"""Before a new game the board is cleared, and its sensors are plugged in anew: nobody pushes a marble so long."""
PATIENCE_S = 60.0
FAULTS = Faults(hands_rate=1.0, lost_frames=0.05, bounce_ms=1.0, rolls_back=0.01, glare_rate=0.5)


class Hall:
    """The program, started and killed; its table; its broker; somebody who notes all that is heard of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        command = [sys.executable, "-m", "tests.campaigns.program"]
        pipe = subprocess.PIPE
        self._starter = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        assert self._starter.stdout is not None
        assert self._starter.stdout.readline() == "ready\n"
        self.broker = Mosquitto(folder / "broker", persistent=True)
        self.broker.start()
        self.listener = Listener(self.broker.port)
        self.world = World(folder, seed, FAULTS, SPEED)
        self.journal = folder / "journal.sqlite"
        self._folder = folder
        self._orders = folder / "orders.json"
        self._orders.write_text(json.dumps(self._config()))
        self._program: int | None = None
        self._heard = 0
        self._state: Mapping[str, Any] = {}
        self._wanted_since_s: float | None = None
        self._begun_s = time.monotonic()
        self._sent = 0
        self._absent_since: tuple[str, ...] | None = ()
        self._changed: str | None = None
        self.helps: list[Help] = []
        self.quiet = 0
        self.plays_on = 0

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
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        self._starter.stdin.write(json.dumps([str(self._orders), str(self._folder / "out")]) + "\n")
        self._starter.stdin.flush()
        self._program = int(self._starter.stdout.readline())

    def runs(self) -> bool:
        if self._program is None:
            return False
        try:
            os.kill(self._program, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self) -> None:
        assert self._program is not None
        assert self.runs(), f"the program ended by itself: {self.out}"
        os.kill(self._program, signal.SIGKILL)
        assert until(lambda: not self.runs())
        self.world.looked_at.clear()
        if self._absent_since is None:
            self._absent_since = self.world.truth().moves

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

    def kept(self) -> tuple[int, list[str] | None]:
        """The last event in the journal, and the moves of the game then; None where it was over or one was asked of."""
        with closing(read_journal(self.journal)) as journal:
            state = journal.last_state() or {}
            open_ = state.get("outcome") or state.get("question")
            return journal.last_seq(), None if open_ else moves_of(state)

    # The people

    def live(self, seconds: float) -> None:
        """Let the evening go on."""
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            self._attend()
            time.sleep(0.02)

    def settle(self, what: str, settled: Callable[[], bool]) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not settled():
            self._attend()
            assert self.runs(), f"the program ended by itself: {self.out}"
            assert time.monotonic() < ends_s, f"waited in vain for {what}: {self._where()}"
            time.sleep(0.02)

    def right(self) -> bool:
        """Whether the record is what was played, and nobody is asked or accused."""
        return not self._asked() and self.moves == list(self.world.truth().moves)

    def _asked(self) -> bool:
        return self.state.get("question") is not None or self.state.get("illegal") is not None

    def _where(self) -> str:
        keys = ("ply", "question", "illegal", "outcome", "devices")
        told = {key: self.state.get(key) for key in keys}
        told["results"] = [m.text for m in self.listener.heard if "/result/" in m.topic][-6:]
        return f"moves {self.moves}, made {self.world.truth().moves}; {told}; {self.out[-2000:]}"

    def _attend(self) -> None:
        """Begin the next game where one is over, and help the referee where it asks or stays behind."""
        self._notice()
        away = self._absent_since is not None
        patient = away and not self.plays_on
        sets_up = time.monotonic() - self._begun_s < SETS_UP_S
        self.world.follow(-1 if patient or sets_up or self._asked() else len(self.moves) + away * self.plays_on)
        self.world.speed = 1.0 if patient else SPEED
        if self.world.over and not self.world.players.stops.is_set() and self._next_game():
            return
        if self.right() or not self.runs() or self._absent_since is not None:
            self._wanted_since_s = None
            return
        self._wanted_since_s = self._wanted_since_s or time.monotonic()
        wrong = self._asked() and self.moves != list(self.world.truth().moves)
        behind_s = BEHIND_S if self._changed else TRUST_S
        if time.monotonic() - self._wanted_since_s > (THINKS_S if wrong else behind_s):
            self._wanted_since_s = None
            self._help()

    def _next_game(self) -> bool:
        fresh = not self.moves and self.state.get("outcome") is None
        told = fresh or (self.state.get("outcome") is not None and self.right())
        if not told or self._absent_since is not None:
            return False
        self.world.next_game()
        self._begun_s = time.monotonic()
        self._changed = None
        if not fresh:
            self._command(Command("new_game", {}))
        return True

    def _notice(self) -> None:
        """Note whether the board was changed while nobody watched; a record that is right has made up for it."""
        made = self.world.truth().moves
        seen_s = self.world.seen_s
        if self._absent_since is not None:
            if made != self._absent_since:
                self._changed = f"made while it was away: {made[len(self._absent_since) :]}"
            if seen_s > FIRST_LOOK_S:
                self._absent_since = None
        elif self._changed is not None and self.right() and seen_s > FIRST_LOOK_S:
            self._changed = None

    def note_untold(self, moves: list[str]) -> None:
        """Moves were made that the record did not have when the program died: of two, the order died with it."""
        pushed = [move for move in moves if move != FORFEIT]
        if len(pushed) > 1:
            self._changed = f"made and not told of yet when it was killed: {pushed}"

    def _help(self) -> None:
        state, made = self.state, list(self.world.truth().moves)
        command = self._answer(state, made) or putting_right(state, made)
        if command is None:
            return
        asked = state.get("question") or state.get("illegal") or {"text": "the record is wrong"}
        told = f"{asked.get('text') or asked.get('detail')}; told {moves_of(state)}, made {made}"
        self.helps.append(Help(command, self._changed or "", told))
        self._command(command)

    def _answer(self, state: Mapping[str, Any], made: list[str]) -> Command | None:
        question = state.get("question")
        if question is None:
            return None
        choice = self.world.answer(question["choices"], state["ply"])
        if choice is None and len(moves_of(state)) == len(made):  # a move that was told is asked about
            choice = self.world.answer(question["choices"], None)
        if choice is None and moves_of(state) == made and NO_MOVE in question["choices"]:
            choice = NO_MOVE
        return None if choice is None else Command("answer", {"question": question["question"], "choice": choice})

    def _command(self, command: Command) -> None:
        self._sent += 1
        body = {"transaction": f"t{self._sent}", "seq": self.state["seq"], "by": "Ada", "args": command.args}
        with suppress(RuntimeError):  # the broker is away just now: they will try again
            self.listener.say(f"companion/node/table/cmd/{command.name}", json.dumps(body).encode())

    def close(self) -> None:
        if self.runs():
            self.kill()
        self._starter.communicate()
        self.world.close()
        self.listener.close()
        self.broker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@pytest.mark.timeout(0)
@pytest.mark.parametrize(
    ("kills", "broker_restarts", "quiet"),
    [(6, 1, 0), pytest.param(300, 30, 75, marks=pytest.mark.long)],
    ids=["short", "long"],
)
def test_no_kill_loses_a_point(tmp_path: Path, kills: int, broker_restarts: int, quiet: int) -> None:
    """Of so many kills at least the `quiet` ones come while the record is right and nobody plays."""
    with Hall(tmp_path, seed=kills) as hall:
        random_ = hall.random
        restarts = set(random_.sample(range(kills), broker_restarts))
        hall.start()
        hall.settle("its first look", hall.world.looked_at.is_set)
        for number in range(kills):
            if random_.random() < 0.8:  # else it dies with whatever is open or not told yet
                hall.settle("a record that is right", hall.right)
            hall.live(random_.uniform(0.0, 2.5))
            if number in restarts:
                hall.broker.stop()
                hall.live(random_.uniform(0.0, 1.0))
                hall.broker.start()
            _one_death(hall, plays_on=random_.randint(1, AWAY_PLIES) if random_.random() < 0.3 else 0)
        hall.world.players.stops.set()
        hall.settle("the last game", lambda: hall.world.over and hall.right())
        _check(hall)
        figures = f"{len(hall.world.truths) + 1} games, {hall.kept()[0]} events"
        print(
            f"{kills} kills, {figures}, {hall.quiet} times nothing had changed, {len(hall.helps)} helps",
            *hall.helps,
            sep="\n",
        )
        assert [str(each) for each in hall.helps if not each.why_allowed] == []
        assert hall.quiet >= quiet, "this campaign has not shown what it is for"


def _one_death(hall: Hall, *, plays_on: int) -> None:
    """Kill the program and start it again; where the board is as the journal has it, nobody need help.

    After the end of a game a new one begins with the program, and people are asked to clear the board.
    """
    hall.kill()
    seq, moves = hall.kept()
    assert max(hall.listener.seqs(), default=0) <= seq, "something was told that is not kept"
    hall.plays_on = plays_on
    helped, made = len(hall.helps), list(hall.world.truth().moves)
    if moves is not None:
        hall.note_untold(made[len(moves) :])
    if hall.random.random() < 0.2:
        hall.start()
        hall.live(hall.random.uniform(0.0, 1.0))
        hall.kill()  # before it has come to itself
    hall.start()
    hall.settle("its look", hall.world.looked_at.is_set)
    hall.settle("its state", lambda: hall.state.get("seq", 0) >= seq)
    if list(hall.world.truth().moves) == made == moves:
        hall.quiet += 1
        hall.live(0.5)
        assert hall.state.get("question") is None, hall.state
        assert len(hall.helps) == helped


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
