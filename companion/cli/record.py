"""`companion record`: what devices give, written to a folder that can be played again and sent with a report."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.referee import sink_for, stop_on_signals
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.devices import Taps
    from companion.games.game import Json
    from companion.recording import RecordingWriter


def record(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the recording.")],
    config: Annotated[Path | None, typer.Option(metavar="TABLE.toml", help="The table's config file.")] = None,
    simulated: Annotated[bool, typer.Option("--simulated", help="Record a simulated table instead.")] = False,
    seconds: Annotated[float, typer.Option(min=0, help="Stop after so long; 0 waits for Ctrl-C.")] = 0,
    pictures: Annotated[float, typer.Option(min=0.1, max=30, help="Most pictures a second to keep.")] = 2,
    speed: Annotated[float, typer.Option(min=0.1, max=50, help="How fast a simulated table plays.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of a simulated game.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Events in JSON, one object a line.")] = False,
) -> None:
    """Record camera, port and pins of a live table, and referee it meanwhile.

    The folder holds no names. `companion referee --recording DIR` plays it.

    Example:

    \b
      companion record evening/ --config table.toml
      companion record /tmp/try/ --simulated --seconds 20
    """
    if (config is None) != simulated:
        raise UsageError("give either --config TABLE.toml or --simulated")
    from companion.cli.log import tell_log
    from companion.config import load_config
    from companion.devices import Stand

    tell_log()
    with ExitStack() as stack:
        if config is not None:
            loaded, stand, calibration, begin = load_config(config), Stand(), None, None
        else:
            from companion.cli.simulation import simulation

            sim = stack.enter_context(simulation(seed=seed, speed=speed))
            loaded, stand, calibration, begin = sim.config, sim.stand, sim.calibration, sim.table.start
        writer = stack.enter_context(_writer(folder, loaded, calibration))
        taps = _taps(writer, stand.clock, 1 / pictures)
        if begin is not None:
            begin()
        _run(stack, loaded, taps, seconds, as_json, stand=stand, calibration=calibration)
    typer.echo(f"companion: written to {folder}; play it with: companion referee --recording {folder}", err=True)


def _run(stack: ExitStack, config: Config, taps: Taps, seconds: float, as_json: bool, **parts: Any) -> None:
    from companion.station import Station

    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    plain = config.model_copy(
        update={
            "mqtt": None,
            "page": config.page.model_copy(update={"enabled": False}),
            "journal": config.journal.model_copy(update={"path": scratch / "journal.sqlite"}),
        }
    )
    station = stack.enter_context(Station(plain, [sink_for(as_json)], taps=taps, **parts))
    stop_on_signals(station.loop.stop)
    if seconds:
        timer = threading.Timer(seconds, station.loop.stop)
        timer.daemon = True
        timer.start()
    station.run(lambda state: state.get("outcome") is not None)


def _writer(folder: Path, config: Config, calibration: Any) -> RecordingWriter:
    """Begin the folder: what is played, the calibration's file, the wiring."""
    from companion.games.registry import game_named
    from companion.recording import RecordingWriter

    game = game_named(config.table.game, config.options)
    meta: dict[str, Json] = {
        "game": game.name,
        "options": config.options,
        "calibration": None if config.camera is None else "calibration.json",
    }
    if config.gpio is not None:
        meta["wiring"] = config.gpio
    writer = RecordingWriter(folder, meta)
    if calibration is not None:
        from calibration.file import save

        save(calibration, folder / "calibration.json")
    elif config.camera is not None:
        shutil.copyfile(config.camera.calibration, folder / "calibration.json")
    return writer


def _taps(writer: RecordingWriter, clock: Callable[[], float], picture_s: float) -> Taps:
    from companion.devices import Taps
    from vision.pictures import encode_jpeg

    began_s = clock()
    lock = threading.Lock()
    next_s = began_s

    def frame(t_s: float, image: Any) -> None:
        nonlocal next_s
        if t_s < next_s:
            return
        next_s = t_s + picture_s
        jpeg = encode_jpeg(image)
        with lock:
            writer.add_frame(max(0.0, t_s - began_s), jpeg)

    def serial(t_s: float, port: str, data: bytes) -> None:
        with lock:
            writer.add_serial(max(0.0, t_s - began_s), port, data)

    def level(t_s: float, pin: str, value: int) -> None:
        with lock:
            writer.add_level(max(0.0, t_s - began_s), pin, value)

    return Taps(frame, serial, level)
