"""A whole table in simulated time: station, journal, page and broker are real, and whatever can fail fails in turn."""

from __future__ import annotations

import random
import shutil
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.events import IllegalSeen, KnobMismatch, QuestionAsked, Record
from companion.evidence import DeviceChanged, DeviceState, Evidence, Sight
from companion.games.game import Json
from companion.live import TableLoop
from companion.page.table import Request
from firmware_bridge.serial_decoder import SerialDecoder
from hw_sim.clock import ManualClock
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.happenings import BytesSent, FrameTaken, Happening, PortChanged
from tests.hw_sim.readings_from_sim import reading_from
from vision.reading import Reading, Status

TICK_S = 0.1
FRAME_S = 0.5
ANSWER_S = 1.5
"""People read a question before they answer."""
SAID_S = 2.0
"""Within this a fault is told."""
LASTS_S = (4.0, 9.0)
BETWEEN_S = (5.0, 20.0)
SETTLES_S = 60.0
"""After the last move of a game the record is right by then, with all that people had to be asked."""
PEOPLE = Faults(hands_rate=1.0, things_rate=0.2, bounce_ms=2.0, misread=0.02, glare_rate=1.0, lost_frames=0.05)


@dataclass
class Trouble:
    """One fault: how it begins and ends, and which device tells of it; None where nothing should be told."""

    name: str
    device: str | None
    begin: Callable[[], None]
    end: Callable[[], None]


@dataclass
class Tally:
    """What came of it all."""

    games: int = 0
    moves: int = 0
    troubles: dict[str, int] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Evening:
    """Plays games, one after the other; is the loop's `done`, and a sink of it.

    It is called once in every turn of the loop, in its thread, and hands over one piece of evidence at a time, so that
    all is in order, as fast as the table can take it.
    """

    def __init__(self, seed: int, hours: float, more: Sequence[Trouble]) -> None:
        self.clock = ManualClock()
        self.tally = Tally()
        self.loop: TableLoop | None = None
        self.link: str | None = None
        self.hourly: Callable[[int], None] = lambda hour: None
        self._random = random.Random(seed)
        self._seed = seed
        self._ends_s = hours * 3600
        self._hour = 0
        self._pending: deque[Evidence] = deque()
        self._questions: deque[tuple[float, QuestionAsked]] = deque()
        self._board = SerialDecoder("board", verified=True)
        self._board.opened(0.0)
        self._blind = self._frozen = self._noise = self._away = False
        self._troubles = [
            Trouble("camera unplugged", "camera", self._unplug_camera, self._plug_camera),
            Trouble("camera garbled", None, lambda: self._garble(True), lambda: self._garble(False)),
            Trouble("board unplugged", "board", self._unplug_board, self._plug_board),
            Trouble("board frozen", "board", lambda: self._board_device.silence(1e6), self._wake_board),
            Trouble("board garbled", "board", lambda: self._make_noise(True), lambda: self._make_noise(False)),
            *more,
        ]
        self._trouble: Trouble | None = None
        self._turn = 0
        self._next_s = 20.0
        self._told = True
        self._began_s = 0.0
        self._cleared_by_s: tuple[float, str, str] | None = None
        self._over_s: float | None = None
        self._begin_game()

    # As a sink

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        for record in records:
            match record.event:
                case IllegalSeen(reason=reason):
                    position: Any = state["position"]
                    self._game.complain(reason, position["board"])
                case KnobMismatch(resolved=False):
                    self._game.complain("knob_mismatch")
                case QuestionAsked() as asked:
                    self._questions.append((self.clock() + ANSWER_S, asked))

    # As the loop's `done`

    def __call__(self, state: Mapping[str, Any]) -> bool:
        while not self._pending:
            if self._game.next_s is None or self._offset_s + self._game.next_s > self.clock() + TICK_S:
                self.clock.advance(TICK_S)
                self._pending.extend(self._board.tick(self.clock()))
                self._mind(state)
                break
            for happening in self._game.step():
                self._pending.extend(self._evidence(happening))
        if self._pending and self.loop is not None:
            self.loop.put(self._pending.popleft())
        return self.clock() > self._ends_s

    # The table

    @property
    def _board_device(self) -> Any:
        return self._game.board_device

    def _begin_game(self) -> None:
        self._offset_s = self.clock()
        self._game = SimGame(
            f"{self._seed}/{self.tally.games}", faults=PEOPLE, frame_s=FRAME_S, serial=True, edges=False
        )
        self._board = SerialDecoder("board", verified=True)
        self._board.opened(self.clock())
        self._questions.clear()
        self._over_s = None

    def _evidence(self, happening: Happening) -> Iterator[Evidence]:
        t_s = self._offset_s + happening.t_s
        self.clock.advance_to(t_s)
        match happening:
            case FrameTaken(seen=seen) if seen is not None and not self._blind:
                yield Sight(t_s, "camera", Reading(Status.BAD_IMAGE) if self._frozen else reading_from(seen))
            case BytesSent(data=data):
                yield from self._board.feed(t_s, self._random.randbytes(len(data)) if self._noise else data)
            case PortChanged(plugged=True):
                self._board.opened(t_s)
            case PortChanged(plugged=False):
                yield from self._board.lost(t_s, "the cable was pulled")

    def _mind(self, state: Mapping[str, Any]) -> None:
        now_s = self.clock()
        if now_s // 3600 > self._hour:
            self._hour += 1
            self.hourly(self._hour)
        self._answer(state)
        self._mind_trouble(state, now_s)
        if self._game.next_s is None:
            self._mind_end(state, now_s)

    def _answer(self, state: Mapping[str, Any]) -> None:
        while self._questions and self._questions[0][0] <= self.clock():
            _, asked = self._questions.popleft()
            question = state["question"]
            if question is None or question["question"] != asked.question or self.loop is None:
                continue
            game = self._game
            choice = game.answer(asked.choices, state["ply"]) or game.answer(asked.choices)
            choice = choice or ("none" if "none" in asked.choices else None)
            if choice is not None:
                self._command("answer", {"question": asked.question, "choice": choice})

    def _command(self, name: str, args: Mapping[str, Json]) -> None:
        """Give a command in the loop's own thread: it is carried out in the next turn."""
        from companion.live import Waiting

        assert self.loop is not None
        self.loop._inbox.put(Waiting(Request(name, self.loop.state()["seq"], f"{name} {self.clock()}", args)))  # type: ignore[arg-type]

    def _mind_end(self, state: Mapping[str, Any], now_s: float) -> None:
        """The game is over: compare, and begin the next one."""
        made, told = list(self._game.truth().moves), [move["move"] for move in state["moves"]]
        self._over_s = self._over_s or now_s
        if told != made and now_s - self._over_s < SETTLES_S:
            return
        if told != made or state["score"] != self._game.truth().score:
            self.tally.wrong.append(f"game {self.tally.games}: {told} instead of {made}")
        self.tally.games += 1
        self.tally.moves += len(made)
        if self._trouble is not None:
            self._end_trouble()
        self._begin_game()
        self._command("new_game", {})

    # The troubles

    def _mind_trouble(self, state: Mapping[str, Any], now_s: float) -> None:
        trouble = self._trouble
        if trouble is None:
            self._mind_cleared(state, now_s)
            if now_s >= self._next_s and self._game.next_s is not None:
                trouble = self._trouble = self._troubles[self._turn % len(self._troubles)]
                self._turn += 1
                self._began_s, self._told = now_s, trouble.device is None
                self._next_s = now_s + self._random.uniform(*LASTS_S)
                trouble.begin()
            return
        if not self._told and _state_of(state, trouble.device) in ("stale", "lost"):
            self._told = True
            if now_s - self._began_s > SAID_S + TICK_S:
                self.tally.late.append(f"{trouble.name} told after {now_s - self._began_s:.1f} s")
        if now_s >= self._next_s:
            self._end_trouble()

    def _end_trouble(self) -> None:
        trouble, self._trouble = self._trouble, None
        assert trouble is not None
        if not self._told:
            self.tally.late.append(f"{trouble.name} not told at all")
        trouble.end()
        self.tally.troubles[trouble.name] = self.tally.troubles.get(trouble.name, 0) + 1
        if trouble.device is not None:
            self._cleared_by_s = self.clock() + 3 * SAID_S, trouble.device, trouble.name
        self._next_s = self.clock() + self._random.uniform(*BETWEEN_S)

    def _mind_cleared(self, state: Mapping[str, Any], now_s: float) -> None:
        if self._cleared_by_s is None:
            return
        by_s, device, name = self._cleared_by_s
        if _state_of(state, device) in ("ok", "back", None):
            self._cleared_by_s = None
        elif now_s > by_s and self._game.next_s is not None:
            self._cleared_by_s = None
            self.tally.late.append(f"{name}: {device} still {_state_of(state, device)}")

    def _unplug_camera(self) -> None:
        self._blind = True
        self._pending.append(DeviceChanged(self.clock(), "camera", DeviceState.LOST, "is it unplugged?"))

    def _plug_camera(self) -> None:
        self._blind = False
        self._pending.append(DeviceChanged(self.clock(), "camera", DeviceState.BACK, "pictures come"))

    def _garble(self, on: bool) -> None:
        self._frozen = on

    def _make_noise(self, on: bool) -> None:
        self._noise = on

    def _unplug_board(self) -> None:
        self._board_device.unplug()

    def _plug_board(self) -> None:
        self._board_device.plug()

    def _wake_board(self) -> None:
        self._board_device.silence(0.0)


def _state_of(state: Mapping[str, Any], device: str | None) -> str | None:
    found = state["devices"].get(device)
    return None if found is None else str(found["state"])


def stick(folder: Path) -> Trouble:
    """The stick with the journal is pulled, and put in again."""
    away = folder.with_name("pulled")

    def plug() -> None:
        shutil.copytree(away, folder)
        shutil.rmtree(away)

    return Trouble("journal's stick pulled", "journal", lambda: (folder.rename(away), None)[1], plug)


def look_at(link: str) -> None:
    """A viewer comes, reads a little of what happens, and goes."""
    address = link.partition("#")[0]
    with suppress(OSError), urllib.request.urlopen(f"{address}events", timeout=5) as stream:
        stream.read(500)
