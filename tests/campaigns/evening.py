"""A whole table in simulated time: station, devices, journal, page and broker are real, and whatever can fail fails.

The board's bytes go through a pty to pyserial, or its levels through gpiozero's mock pins; pictures come from a driver
that can be pulled, freeze, hang or go dark; people answer on the page. What the camera's pictures show is told by the
simulator's eyes: drawing and recognising a day of them would take a day.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.events import IllegalSeen, KnobMismatch, QuestionAsked, Record, record_json
from companion.games.game import Json
from companion.live import TableLoop
from companion.questions import AS_RECORDED, NO_MOVE, TAKE_BACK
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.happenings import BytesSent, FrameTaken, GameEnded, Happening, PortChanged
from hw_sim.timeline import Act, Doing
from tests.campaigns.lookers import give
from tests.campaigns.people import moves_of, putting_right
from tests.campaigns.stepped_devices import SteppedCamera, SteppedLine, SteppedPins
from tests.campaigns.stepped_time import SteppedTime
from tests.campaigns.troubles import Trouble, Turns

TICK_S = 0.1
FRAME_S = 0.5
ANSWER_S = 1.5
"""People read a question before they answer."""
SETTLES_S = 60.0
"""After the last move of a game the record is right by then, with all that people had to be asked."""
BEGUN_S = 10.0
"""Everything that belongs to the table runs by then."""
PEOPLE = Faults(hands_rate=1.0, things_rate=0.2, bounce_ms=2.0, misread=0.02, glare_rate=1.0, lost_frames=0.05)


@dataclass
class Played:
    games: int = 0
    moves: int = 0
    answers: int = 0
    corrections: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Senses(Protocol):
    """The board's sensors, however they are read."""

    serial: bool

    def begin(self, game: SimGame) -> None:
        """Another table stands there."""

    def take(self, happening: Happening) -> None: ...
    def hear(self) -> None:
        """What the host has sent."""

    def troubles(self, rng: random.Random) -> list[Trouble]: ...


class SerialSenses:
    """A board at a pty."""

    serial = True

    def __init__(self, line: SteppedLine) -> None:
        self._line = line
        self._noise: random.Random | None = None

    def begin(self, game: SimGame) -> None:
        assert game.board_device is not None
        self._device = game.board_device

    def take(self, happening: Happening) -> None:
        match happening:
            case BytesSent(data=data):
                self._line.send(self._noise.randbytes(len(data)) if self._noise else data)
            case PortChanged(plugged=plugged):
                (self._line.plug if plugged else self._line.unplug)()

    def hear(self) -> None:
        data = self._line.port.receive()
        if data:
            self._device.write(data)

    def troubles(self, rng: random.Random) -> list[Trouble]:
        def noise(on: bool) -> None:
            self._noise = rng if on else None

        def plug(in_place: bool) -> None:
            (self._device.plug if in_place else self._device.unplug)()

        return [
            Trouble("board unplugged", "board", lambda: plug(False), lambda: plug(True)),
            Trouble("board frozen", "board", lambda: self._device.silence(1e6), lambda: self._device.silence(0.0)),
            Trouble("board garbled", "board", lambda: noise(True), lambda: noise(False)),
        ]


class PinSenses:
    """Beams and knob at the pins."""

    serial = False

    def __init__(self, pins: SteppedPins) -> None:
        self._pins = pins

    def begin(self, game: SimGame) -> None:
        self._pins.at(game.table)

    def take(self, happening: Happening) -> None: ...
    def hear(self) -> None: ...

    def troubles(self, rng: random.Random) -> list[Trouble]:
        def set_to(name: str, value: bool) -> Callable[[], None]:
            return lambda: setattr(self._pins, name, value)

        def sparks() -> None:
            for _ in range(20):
                self._pins.spark(f"{rng.choice(('entry', 'exit'))}{rng.randint(1, 4)}")

        return [
            Trouble("pins unreadable", "gpio", set_to("broken", True), set_to("broken", False)),
            Trouble("pins' interrupts lost", None, set_to("deaf", True), set_to("deaf", False)),
            Trouble("pins garbled", None, sparks, sparks),
        ]


class Evening:
    """Plays games, one after the other; is the loop's `done`, and a sink of it.

    It is called once in every turn of the loop, in its thread, and lets time pass until there is something to take.
    """

    def __init__(self, seed: int, hours: float, time: SteppedTime, senses: Senses, camera: SteppedCamera) -> None:
        self.played = Played()
        self.loop: TableLoop | None = None
        self.link = ""
        self.begun: Callable[[], None] = lambda: None
        self.hourly: Callable[[int], None] = lambda hour: None
        self.turns: Turns | None = None
        self.also: Callable[[float], None] = lambda now_s: None
        self._time = time
        self._senses = senses
        self._camera = camera
        self._seed = seed
        self._ends_s = hours * 3600
        self._hour = 0
        self._minded = False
        self._ticked_s = 0.0
        self._questions: list[tuple[float, QuestionAsked]] = []
        self._hand = ThreadPoolExecutor(1, "people")
        self._tap: Future[bool] | None = None
        self._over_s: float | None = None
        self._clearing: Doing[None] | None = None
        self._begin_game()

    # As a sink

    def start(self) -> None: ...

    def stop(self) -> None:
        self._hand.shutdown()

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        for record in records:
            self._told.append(str(record_json(record)))
            match record.event:
                case IllegalSeen(reason=reason) if self._clearing is None:
                    position: Any = state["position"]
                    self._game.complain(reason, position["board"])
                    self._accused_s = self._time() + ANSWER_S
                case KnobMismatch(resolved=False) if self._clearing is None:
                    self._game.complain("knob_mismatch")
                    self._called_s = self._time() + ANSWER_S
                case QuestionAsked() as asked:
                    self._questions.append((self._time() + ANSWER_S, asked))

    # As the loop's `done`

    def __call__(self, state: Mapping[str, Any]) -> bool:
        assert self.loop is not None
        if self._tapping():
            return False
        inbox = self.loop._inbox
        while inbox.empty():
            next_s = self._game.next_s
            due_s = self._ticked_s + TICK_S if next_s is None else min(self._ticked_s + TICK_S, self._offset_s + next_s)
            if not self._time.pass_until(due_s, lambda: not inbox.empty()):
                break
            if due_s >= self._ticked_s + TICK_S:
                self._ticked_s = due_s
                self._mind(state, due_s)
                break
            for happening in self._game.step():
                self._take(happening)
        over = self._time() > self._ends_s
        if over:
            self.hourly(self._hour + 1)
        return over

    # The table

    def _begin_game(self) -> None:
        self._offset_s = self._time()
        self._game = SimGame(
            f"{self._seed}/{self.played.games}",
            faults=PEOPLE,
            frame_s=FRAME_S,
            serial=self._senses.serial,
            edges=False,
        )
        self._senses.begin(self._game)
        self._questions.clear()
        self._accused_s = self._called_s = float("inf")
        self._told: list[str] = []
        self._over_s = self._clearing = None

    def _take(self, happening: Happening) -> None:
        if isinstance(happening, FrameTaken) and happening.seen is not None:
            self._camera.show(happening.seen)
        elif isinstance(happening, GameEnded):
            self._over_s = self._time()
            self._game.stay_on()
        else:
            self._senses.take(happening)

    def _mind(self, state: Mapping[str, Any], now_s: float) -> None:
        if not self._minded and now_s > BEGUN_S:
            self._minded = True
            self.begun()
        if now_s // 3600 > self._hour:
            self._hour += 1
            self.hourly(self._hour)
        self._senses.hear()
        self._answer(state)
        if self.turns is not None:
            self.turns.mind(now_s, state, playing=self._over_s is None)
        self.also(now_s)
        if self._over_s is not None and self._tap is None:
            self._mind_end(state, now_s - self._over_s)

    def _answer(self, state: Mapping[str, Any]) -> None:
        while self._tap is None and self._questions and self._questions[0][0] <= self._time():
            _, asked = self._questions.pop(0)
            question = state["question"]
            if question is None or question["question"] != asked.question:
                continue
            self._help(state, asked)
        if self._tap is None and self._accused_s <= self._time():
            self._accused_s = float("inf")
            if state["illegal"] is not None:  # nobody breaks a rule here: the referee has missed something
                self._put_right(state, str(state["illegal"]))
        if self._tap is None and self._called_s <= self._time():
            self._called_s = float("inf")
            made, told = list(self._game.truth().moves), moves_of(state)
            if told != made if self._over_s is not None else told != made[: len(told)]:
                self._put_right(state, "the knob does not show the score")  # called to look, they see why

    def _help(self, state: Mapping[str, Any], asked: QuestionAsked) -> None:
        """Give the answer that is true; where none of them is, put the record right."""
        made, told = list(self._game.truth().moves), moves_of(state)
        choice = self._game.answer(asked.choices, asked.ply - 1)
        if choice is None:
            same = told == made[: len(told)]
            true = {
                NO_MOVE: told == made,
                AS_RECORDED: told == made,
                TAKE_BACK: not same and told[:-1] == made[: len(told) - 1],
            }
            choice = next((each for each in asked.choices if true.get(each)), None)
        self._told.append(f"asked at {self._time():.1f} s, when {made} had been made: {choice}")
        if choice is not None:
            self.played.answers += 1
            self._command("answer", {"question": asked.question, "choice": choice})
        else:
            self._put_right(state, asked.text)

    def _put_right(self, state: Mapping[str, Any], told: str) -> None:
        right = putting_right(state, self._game.truth().moves)
        if right is not None:
            self.played.corrections.append(f"{right.name} {dict(right.args)} at {self._time():.0f} s, told: {told}")
            self._command(right.name, right.args)

    def _command(self, name: str, args: Mapping[str, Json]) -> None:
        """Somebody taps on the page; time stands still until the table has answered."""
        assert self.loop is not None
        seq: Any = self.loop.state()["seq"]
        self._tap = self._hand.submit(give, self.link, name, seq, args)

    def _tapping(self) -> bool:
        """Whether a tap is under way still: the loop goes on and finds it in its queue."""
        if self._tap is None:
            return False
        if not self._tap.done():
            return True
        self._tap = None
        return False

    def _mind_end(self, state: Mapping[str, Any], since_s: float) -> None:
        """The game is over: compare, clear up, and begin the next one."""
        if self._clearing is not None:
            if self._clearing.done:
                self.played.games += 1
                self._begin_game()
                self._command("new_game", {})
            return
        made, told = list(self._game.truth().moves), [move["move"] for move in state["moves"]]
        right = told == made and state["score"] == self._game.truth().score
        if not right and since_s < SETTLES_S:
            return
        if not right:
            what = f"game {self.played.games} from {self._offset_s:.0f} s: {told} instead of {made}"
            self.played.wrong.append("\n".join((what, *self._told)))
        self.played.moves += len(made)
        if self.turns is not None:
            self.turns.end(self._time())
        self._clearing = self._game.table.start(self._clear_up())

    def _clear_up(self) -> Act[None]:
        person = self._game.table.person("blue")
        while person.busy:
            yield TICK_S
        yield from person.arrange("....|....|....|....")
        yield from person.turn_knob(0)
        yield 2.0
