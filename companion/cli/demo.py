"""`companion demo`: a whole game on simulated hardware, refereed by the real program."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.game_options import Pattern, Players, setup_of
from companion.cli.language import Language, language_of, teller
from companion.cli.link import tell_phone_link
from companion.cli.people import People
from companion.cli.plan import Plan, Sensors
from companion.cli.referee import sink_for
from companion.cli.simulated_finity import PATTERN
from companion.cli.simulation import Simulation, checked, simulation
from companion.cli.stopping import stop_on_signals
from companion.errors import UsageError
from companion.texts import Text, plural, text

if TYPE_CHECKING:
    from companion.games.game import Json

SPEEDS = {"infinity": 4.0, "finity": 2.0}
"""How fast a demo passes where nobody says it. Finity has no sensors beside the camera, so it must not look seldom."""
MOST_SPEED_SEEN = 5.0
"""Two pictures in a second of the game; with fewer, whole moves pass between two looks."""
LINGER_S = 2.5
"""How long people stay at the table after the end; the board's cable is pulled a little later."""
LAST_LOOKS_S = 15.0
"""Of real time, how long they stay at most until the referee has all moves: a busy machine looks seldom."""


def demo(
    game: Annotated[str, typer.Option(metavar="NAME", help="infinity or finity.")] = "infinity",
    speed: Annotated[
        float | None,
        typer.Option(min=0.1, max=20, help="How fast the game passes; 1 is real time; 4 if left out, 2 for Finity."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed is another game.")] = 1,
    players: Players = None,
    pattern: Pattern = None,
    moves: Annotated[int, typer.Option(min=0, help="Stop after so many moves; 0 plays to the end.")] = 0,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="FILE[/ID]", help="Play this recorded game: a text, an online log, or one of a .jsonl."),
    ] = None,
    sensors: Annotated[
        Sensors | None, typer.Option("--device", help="How beams and knob are read (Infinity); serial if left out.")
    ] = None,
    camera: Annotated[bool, typer.Option("--camera/--no-camera", help="Whether a camera looks on.")] = True,
    look: Annotated[
        str | None, typer.Option(metavar="NAME", help="Colours, light and camera of the table; a wrong name lists all.")
    ] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Everything goes wrong at times.")] = False,
    breach: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Break the rules once, e.g. two_marbles; repeat; a wrong name lists all."),
    ] = None,
    page: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The page's port here; 0 takes any free one.")
    ] = 8420,
    qr: Annotated[
        bool, typer.Option("--qr", help="Let phones in this network watch and take part: a QR code of the link.")
    ] = False,
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
    language: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Events in JSON, one object a line.")] = False,
) -> None:
    """Referee a game at a simulated table: camera, hands and the board's sensors are simulated, the referee is real.

    Watch it on the page whose link is printed, or on MQTT. It ends with the game.

    Example:

    \b
      companion demo --speed 8 --breach two_marbles
      companion demo --game finity --players 3 --pattern bwwbbwbw
    """
    from companion.cli.log import tell_log
    from companion.page.server import can_listen

    tell_log()
    plan = checked(
        planned(
            game,
            setup_of(players, pattern),
            replay,
            seed=seed,
            speed=speed,
            sensors=sensors,
            camera=camera,
            look=look,
            faults=faults,
            breaches=tuple(breach or ()),
            moves=moves,
        )
    )
    talks = language_of(language)
    tell = teller(talks)
    host = "0.0.0.0" if qr else "127.0.0.1"
    if not no_page:
        can_listen(host, page)
    with ExitStack() as stack:
        tell(text("setting up the simulated table"))
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sections: dict[str, Any] = {
            "page": {"enabled": not no_page, "port": page, "host": host},
            "journal": {"path": journal.absolute() if journal else scratch / "journal.sqlite"},
            "table": {"language": talks},
        }
        if not no_mqtt:
            sections["mqtt"] = _broker(stack, mqtt, tell)
        agreed = _referee(stack, stack.enter_context(simulation(plan)), sections, keep_on, as_json, tell)
    if not agreed:
        raise typer.Exit(1)


def planned(
    game: str,
    setup: dict[str, Json],
    replay: Path | None = None,
    *,
    sensors: Sensors | None = None,
    speed: float | None = None,
    **more: Any,
) -> Plan:
    """What a person asks for, with what was not said filled in.

    Args:
        setup: as it was given on the command line.
        replay: the recorded game; its own set-up counts.
        more: other attributes of the plan.
    Raises:
        UsageError: for what another game has.
        InputError: if the recorded game cannot be played.
    """
    told: dict[str, Any] = {"setup": setup, "sensors": sensors or Sensors.SERIAL, **more}
    if replay is not None:
        from companion.cli.replayed import replayed_game

        wanted = replayed_game(replay, setup.get("pattern"), setup.get("players"))  # type: ignore[arg-type]
        game = wanted.game
        told |= {"setup": wanted.setup, "options": wanted.options, "names": wanted.names, "replay": wanted.moves}
    elif game == "finity":
        tower = setup.get("pattern", PATTERN)
        told |= {"setup": {"players": 2, "pattern": tower, **setup}, "options": {"pattern_length": len(str(tower))}}
    elif setup:
        raise UsageError(
            text(
                "{options}: only Finity has that; add --game finity",
                options=" and ".join(f"--{key}" for key in setup),
            )
        )
    if game == "finity":
        if sensors is not None:
            raise UsageError(text("--device: Finity's board has no sensors; leave it out"))
        told["sensors"] = Sensors.NONE
        if speed is not None and speed > MOST_SPEED_SEEN:
            raise UsageError(
                text(
                    "--speed {speed:g}: only a camera sees Finity, and above {most:g} it would miss moves",
                    speed=speed,
                    most=MOST_SPEED_SEEN,
                )
            )
    return Plan(game, speed=speed or SPEEDS.get(game, 1.0), **told)


def _broker(stack: ExitStack, address: str | None, tell: Callable[[str], object]) -> dict[str, Any]:
    """The config's MQTT section: the user's broker, or one that lives as long as the demo."""
    if address is not None:
        host, _, port = address.partition(":")
        if port and not port.isdigit():
            raise UsageError(text("--mqtt {address}: write it as HOST or HOST:PORT", address=address))
        return {"host": host, "port": int(port or 1883)}
    from companion.mqtt.local_broker import local_broker

    broker = stack.enter_context(local_broker())
    tell(f"MQTT ({broker.kind}): mosquitto_sub -h {broker.host} -p {broker.port} -t 'companion/#' -v")
    return {"host": broker.host, "port": broker.port, "mqtt5": broker.mqtt5}


def _referee(
    stack: ExitStack,
    sim: Simulation,
    sections: dict[str, Any],
    keep_on: bool,
    as_json: bool,
    tell: Callable[[str], object],
) -> bool:
    """Referee the game to its end; returns whether referee and truth agree."""
    from companion.config import Config
    from companion.station import Station

    told = sim.config.model_dump(exclude_unset=True)
    sections["table"] |= told.get("table", {})
    config = Config.model_validate({**told, **sections})
    people = People(sim)
    station = stack.enter_context(
        Station(
            config,
            [sink_for(as_json, config.table.language), people],
            stand=sim.stand,
            calibration=sim.calibration,
            new_game=True,
            tell=tell,
        )
    )
    people.loop = station.loop
    stop_on_signals(station.loop.stop)
    if station.link:
        tell(text("watch it at {link}", link=station.link))
        if not keep_on:
            tell(text("the page closes with the game; --keep-on leaves it open until Ctrl-C"))
        tell_phone_link(tell, station.phone_link, qr=config.page.host == "0.0.0.0")
    ending = End(sim, keep_on)
    sim.table.start()
    station.run(ending.come)
    words, agreed = _compared(sim, station.loop.state(), interrupted=not ending.over)
    tell(words)
    return agreed


class End:
    """When the demo is over: the game has ended by the rules, or the players have stopped and all is told."""

    def __init__(self, sim: Simulation, keep_on: bool) -> None:
        self._sim = sim
        self._keep_on = keep_on
        self._since_s: float | None = None
        self._waits_until = 0.0
        self.over = False

    def come(self, state: Mapping[str, Json]) -> bool:
        now_s = self._sim.stand.clock()
        if state.get("outcome") is None and not self._sim.table.finished.is_set():
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s, self._waits_until = now_s, time.monotonic() + LAST_LOOKS_S
        behind = len(_told(state)) < len(_made(self._sim)) and time.monotonic() < self._waits_until
        self.over = now_s - self._since_s > LINGER_S and not behind
        return self.over and not self._keep_on


def _told(state: Mapping[str, Json]) -> list[Json]:
    """The moves that the referee has, without forfeits."""
    moves = state.get("moves")
    told = [move["move"] for move in moves if isinstance(move, Mapping)] if isinstance(moves, Sequence) else []
    return [move for move in told if move != "pass"]


def _made(sim: Simulation) -> list[str]:
    """The moves that were really made, without forfeits."""
    return [move for move in sim.game.truth().moves if move != "pass"]


def _words(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _compared(sim: Simulation, state: Mapping[str, Json], *, interrupted: bool) -> tuple[Text, bool]:
    """How the game ended in words, and whether the referee has it as it really was."""
    seen, made = _told(state), _made(sim)
    if interrupted:
        return plural("stopped after {n} move", "stopped after {n} moves", len(seen)), True
    if seen == made and sim.kind.agrees(sim.game, state):
        ended = _words(state.get("outcome_words")) or sim.kind.standing(sim.game)
        return plural("{n} move as made; {ended}", "{n} moves, all as made; {ended}", len(seen), ended=ended), True
    if seen == made:
        return plural(
            "{n} move as made, but the position of the referee is another one",
            "{n} moves, all as made, but the position of the referee is another one",
            len(seen),
        ), False
    pairs = zip_longest(seen, made, fillvalue="-")
    first, (told, really) = next((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return text(
        "moves of the referee: {seen}, moves made: {made}; "
        "they differ from move {first} on ({told} instead of {really})",
        seen=len(seen),
        made=len(made),
        first=first,
        told=str(told),
        really=really,
    ), False
