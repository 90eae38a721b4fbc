"""`companion demo`: a whole game on simulated hardware, refereed by the real program."""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.referee import sink_for, stop_on_signals
from companion.cli.simulation import Sensors, Simulation, simulation
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.events import QuestionAsked, Record
    from companion.games.game import Json
    from companion.live import TableLoop

THINKING_S = 2.0
"""How long the simulated people look at a question before one of them answers."""
LINGER_S = 2.5
"""How long people stay at the table after the end; the board's cable is pulled a little later."""


def demo(
    speed: Annotated[float, typer.Option(min=0.1, max=20, help="How fast the game passes; 1 is real time.")] = 4,
    seed: Annotated[int, typer.Option(help="Another seed is another game.")] = 1,
    sensors: Annotated[Sensors, typer.Option("--device", help="How beams and knob are read.")] = Sensors.SERIAL,
    camera: Annotated[bool, typer.Option("--camera/--no-camera", help="Whether a camera looks on.")] = True,
    look: Annotated[str, typer.Option(metavar="NAME", help="Colours, light and camera of the table.")] = "slate_window",
    faults: Annotated[bool, typer.Option("--faults", help="Everything goes wrong at times.")] = False,
    breach: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Break the rules once, e.g. two_marbles; repeat.")
    ] = None,
    page: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The page's port here; 0 takes any free one.")
    ] = 8420,
    no_page: Annotated[bool, typer.Option("--no-page", help="No page.")] = False,
    mqtt: Annotated[
        str | None, typer.Option(metavar="HOST[:PORT]", help="A broker of yours instead of our own.")
    ] = None,
    no_mqtt: Annotated[bool, typer.Option("--no-mqtt", help="No MQTT.")] = False,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the record in this file; else it is thrown away.")
    ] = None,
    keep_on: Annotated[
        bool, typer.Option("--keep-on", help="Leave the page open after the game, until Ctrl-C.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Events in JSON, one object a line.")] = False,
) -> None:
    """Referee a game at a simulated table: camera, hands, knob and serial board are simulated, the referee is real.

    Watch it on the page whose link is printed, or on MQTT. It ends with the game.

    Example:

      companion demo --speed 8 --breach two_marbles
    """
    from companion.cli.log import tell_log
    from hw_sim.breaches import BreachKind

    tell_log()
    kinds = [kind.value for kind in BreachKind]
    for kind in breach or []:
        if kind not in kinds:
            raise UsageError(f"there is no breach {kind}; known: {', '.join(kinds)}")
    if sensors is Sensors.NONE and not camera:
        raise UsageError("without a camera and sensors nothing sees the game; leave one of them")
    with ExitStack() as stack:
        _tell("setting up the simulated table")
        sections: dict[str, Any] = {"page": {"enabled": not no_page, "port": page}}
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sections["journal"] = {"path": journal.absolute() if journal else scratch / "journal.sqlite"}
        if not no_mqtt:
            sections["mqtt"] = _broker(stack, mqtt)
        sim = stack.enter_context(
            simulation(
                seed=seed,
                speed=speed,
                sensors=sensors,
                camera=camera,
                look=look,
                faults=faults,
                breaches=breach or [],
            )
        )
        agreed = _referee(stack, sim, sections, keep_on, as_json)
    if not agreed:
        raise typer.Exit(1)


def _tell(line: str) -> None:
    typer.echo(f"companion: {line}", err=True)


def _broker(stack: ExitStack, address: str | None) -> dict[str, Any]:
    """The config's MQTT section: the user's broker, or one that lives as long as the demo."""
    if address is not None:
        host, _, port = address.partition(":")
        if port and not port.isdigit():
            raise UsageError(f"--mqtt {address}: write it as HOST or HOST:PORT")
        return {"host": host, "port": int(port or 1883)}
    from companion.sinks.embedded_broker import local_broker

    broker = stack.enter_context(local_broker())
    _tell(f"MQTT ({broker.kind}): mosquitto_sub -h {broker.host} -p {broker.port} -t 'companion/#' -v")
    return {"host": broker.host, "port": broker.port, "mqtt5": broker.mqtt5}


def _referee(stack: ExitStack, sim: Simulation, sections: dict[str, Any], keep_on: bool, as_json: bool) -> bool:
    """Referee the game to its end; returns whether referee and truth agree."""
    from companion.config import Config
    from companion.station import Station

    told = sim.config.model_dump(exclude_unset=True)
    config = Config.model_validate({**told, **sections})
    people = People(sim)
    station = stack.enter_context(
        Station(
            config, [sink_for(as_json), people], stand=sim.stand, calibration=sim.calibration, new_game=True, tell=_tell
        )
    )
    people.loop = station.loop
    if station.link:
        _tell(f"watch it at {station.link}")
    stop_on_signals(station.loop.stop)
    ending = End(sim, keep_on)
    sim.table.start()
    station.run(ending.come)
    return _compare(sim, station.loop.state(), interrupted=not ending.over)


class End:
    """When the demo is over: the game has ended by the rules, or the players have stopped and all is told."""

    def __init__(self, sim: Simulation, keep_on: bool) -> None:
        self._sim = sim
        self._keep_on = keep_on
        self._since_s: float | None = None
        self.over = False

    def come(self, state: Mapping[str, Json]) -> bool:
        now_s = self._sim.stand.clock()
        if state.get("outcome") is None and not self._sim.table.finished.is_set():
            self._since_s = None
            return False
        self._since_s = now_s if self._since_s is None else self._since_s
        self.over = now_s - self._since_s > LINGER_S
        return self.over and not self._keep_on


class People:
    """The simulated people as a sink: they hear complaints and put the table right, and they answer questions."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._questions: queue.SimpleQueue[tuple[float, QuestionAsked, int] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._answer, name="simulated people", daemon=True)
        self.loop: TableLoop | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._questions.put(None)
        self._thread.join(5)

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        from companion.events import IllegalSeen, KnobMismatch, QuestionAsked

        for record in records:
            match record.event:
                case IllegalSeen() as illegal:
                    position = state.get("position")
                    board = position.get("board") if isinstance(position, Mapping) else None
                    self._sim.table.complain(illegal.reason, board if isinstance(board, str) else None)
                case KnobMismatch(resolved=False):
                    self._sim.table.complain("knob_mismatch")
                case QuestionAsked() as asked:
                    ply = state.get("ply")
                    self._questions.put((record.t_s + THINKING_S, asked, ply if isinstance(ply, int) else 0))

    def _answer(self) -> None:
        clock = self._sim.table.clock
        while (item := self._questions.get()) is not None:
            due_s, asked, ply = item
            clock.wait_until(due_s)
            choice = self._sim.table.answer(asked.choices, ply) or self._sim.table.answer(asked.choices)
            if choice is not None and self.loop is not None:
                self.loop.command("answer", {"question": asked.question, "choice": choice})


def _compare(sim: Simulation, state: Mapping[str, Json], *, interrupted: bool) -> bool:
    """Say how the game ended, and whether the referee has it as it really was."""
    truth = sim.game.truth()
    moves = state.get("moves")
    told = [m["move"] for m in moves if isinstance(m, Mapping)] if isinstance(moves, Sequence) else []
    seen = [move for move in told if move != "pass"]
    made = [move for move in truth.moves if move != "pass"]
    if interrupted:
        _tell(f"stopped after {len(seen)} moves")
        return True
    if seen == made and state.get("score") == truth.score:
        words = state.get("outcome_words") or f"the score is {truth.score}"
        _tell(f"{len(seen)} moves, all as they were made; {words}")
        return True
    first = next(
        (n for n, pair in enumerate(zip(seen, made, strict=False), 1) if pair[0] != pair[1]),
        min(len(seen), len(made)) + 1,
    )
    _tell(f"the referee has {len(seen)} moves where {len(made)} were made; they differ from move {first} on")
    return False
