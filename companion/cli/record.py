"""`companion record`: what devices give, written to a folder that can be played again and sent with a report."""

from __future__ import annotations

import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.demo import planned
from companion.cli.game_options import Pattern, Players, Posts, setup_of
from companion.cli.language import tell
from companion.cli.referee import sink_for
from companion.cli.stopping import stop_on_signals
from companion.errors import InputError, UsageError
from companion.texts import text

if TYPE_CHECKING:
    from companion.config import Config
    from companion.recording.recorder import Recorder


def record(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the recording.")],
    config: Annotated[Path | None, typer.Option(metavar="TABLE.toml", help="The table's config file.")] = None,
    simulated: Annotated[bool, typer.Option("--simulated", help="Record a simulated table instead.")] = False,
    game: Annotated[str, typer.Option(metavar="NAME", help="The simulated game, infinity or finity.")] = "infinity",
    players: Players = None,
    pattern: Pattern = None,
    posts: Posts = None,
    seconds: Annotated[float, typer.Option(min=0, help="Stop after so long; 0 waits for Ctrl-C.")] = 0,
    pictures: Annotated[float, typer.Option(min=0.1, max=30, help="Most pictures a second to keep.")] = 2,
    speed: Annotated[
        float, typer.Option(min=0.1, max=20, help="How fast a simulated table plays; its pictures get rarer with it.")
    ] = 1,
    seed: Annotated[int, typer.Option(help="Seed of a simulated game.")] = 1,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Take serial numbers out, too, for a report that others can read.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Events in JSON, one object a line.")] = False,
) -> None:
    """Record camera, port and pins of a live table, and referee it meanwhile.

    The folder holds no names, hosts, paths or secrets; its pictures show what the camera sees.
    `companion referee --recording DIR` plays it.

    Example:

    \b
      companion record evening/ --config table.toml
      companion record report/ --config table.toml --anonymous --seconds 120
      companion record /tmp/try/ --simulated --game finity --seconds 20
    """
    if (config is None) != simulated:
        raise UsageError(text("give either --config TABLE.toml or --simulated"))
    setup = setup_of(players, pattern, posts)
    from companion.cli.log import tell_log
    from companion.config import load_config
    from companion.devices import Stand, load_calibration
    from companion.recording.recorder import Recorder, begin_recording

    tell_log()
    with ExitStack() as stack:
        if config is not None:
            loaded, stand, begin = load_config(config, setup), Stand(), None
            if loaded.by_hand:
                raise InputError(
                    text(
                        "{config}: names no camera, no serial board and no pins: there is nothing to record",
                        config=str(config),
                    )
                )
            calibration = load_calibration(loaded.camera, loaded.make_game()) if loaded.camera else None
        else:
            from companion.cli.simulation import checked, simulation

            plan = checked(planned(game, setup, seed=seed, speed=speed))
            tell(text("setting up the simulated table"))
            sim = stack.enter_context(simulation(plan))
            loaded, stand, calibration, begin = sim.config, sim.stand, sim.calibration, sim.table.start
        writer = stack.enter_context(begin_recording(folder, loaded, calibration))
        recorder = Recorder(writer, stand.clock, 1 / pictures, anonymous=anonymous)
        if begin is not None:
            begin()
        _run(stack, loaded, recorder, seconds, as_json, stand=stand, calibration=calibration)
    tell(text("written to {folder}; play it with: companion referee --recording {folder}", folder=str(folder)))


def _run(stack: ExitStack, config: Config, recorder: Recorder, seconds: float, as_json: bool, **parts: Any) -> None:
    from companion.station import Station

    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    plain = config.model_copy(
        update={
            "mqtt": None,
            "page": config.page.model_copy(update={"enabled": False}),
            "journal": config.journal.model_copy(update={"path": scratch / "journal.sqlite"}),
        }
    )
    station = stack.enter_context(Station(plain, [sink_for(as_json)], taps=recorder.taps, **parts))
    stop_on_signals(station.loop.stop)
    if seconds:
        timer = threading.Timer(seconds, station.loop.stop)
        timer.daemon = True
        timer.start()
    station.run(lambda state: recorder.failed is not None or state.get("outcome") is not None)
    if recorder.failed is not None:
        raise recorder.failed
