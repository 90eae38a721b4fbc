"""`companion recalibrate`: a calibration renewed from one picture of the position that lies on the board."""

from __future__ import annotations

import queue
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.errors import DeviceError, UsageError
from companion.texts import text

if TYPE_CHECKING:
    from calibration.sampling import Picture
    from companion.config import CameraSection

WAIT_S = 10.0
"""Cameras set their exposure within a second or two of being opened."""
SETTLING = 10
"""Pictures that are let pass meanwhile."""


def recalibrate(
    state: Annotated[Path, typer.Option(metavar="STATE.json", help="What lies there, as for `companion calibrate`.")],
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="TABLE.toml", help="The table whose camera it is.")
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option(metavar="CAL.json", help="The calibration, where no config is given.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="A picture; else the config's camera takes one.")
    ] = None,
) -> None:
    """Learn anew where the board lies and how it looks, without clearing it: the camera or the lamp was moved.

    The calibration file is replaced in one step, and stays as it was where the picture would be misread. While a game
    runs, the page does the same without this command.

    Examples:

    \b
      echo '{"board":"BY..|K...|W...|...."}' > now.json
      companion recalibrate --config table.toml --state now.json
      companion recalibrate --calibration infinity.json --picture now.jpg --state now.json
    """
    from calibration.file import load, save
    from calibration.state_file import read_state
    from companion.config import load_config
    from companion.recalibrating import renewed
    from vision.pictures import read_picture

    section = None if config is None else load_config(config).camera
    at = calibration or (None if section is None else section.calibration)
    if at is None:
        raise UsageError(text("give --config with a [camera], or --calibration"))
    position = read_state(state, _position)
    old = load(at)
    if picture is not None:
        shown = read_picture(picture)
    elif section is not None:
        shown = _taken(section)
    else:
        raise UsageError(text("give --picture, or --config with a [camera] to take one"))
    save(renewed(old, shown, position), at)
    typer.echo(text("{path} is renewed", path=str(at)))


def _position(data: object) -> Mapping[str, Any]:
    from calibration.errors import CalibrationError

    if not isinstance(data, Mapping):
        raise CalibrationError(text("a state is one JSON object, as for `companion calibrate`"))
    return data


def _taken(section: CameraSection) -> Picture:
    """A picture of the config's camera, when its exposure has settled.

    Raises:
        DeviceError: where it gives none in time.
    """
    from vision.camera import Camera, CameraSettings, Frame

    frames: queue.Queue[Frame] = queue.Queue()
    camera = Camera(CameraSettings(str(section.device), section.width, section.height), frames.put, lambda _: None)
    camera.start()
    try:
        for _ in range(SETTLING):
            frame = frames.get(timeout=WAIT_S)
    except queue.Empty:
        raise DeviceError(
            text("camera {device} gives no picture: `companion doctor` says why", device=str(section.device))
        ) from None
    finally:
        camera.stop()
    return frame.image
