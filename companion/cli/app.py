"""All commands under one name, and the one place where an error becomes a line for a person."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from calibration.errors import CalibrationError
from companion import __version__
from companion.cli.bench import bench
from companion.cli.calibrate import calibrate
from companion.cli.demo import demo
from companion.cli.judge import judge
from companion.cli.recognise import recognise
from companion.cli.record import record
from companion.cli.referee import referee
from companion.cli.replay import replay
from companion.errors import CompanionError
from firmware_bridge.errors import BridgeError
from vision.errors import VisionError

app = typer.Typer(
    name="companion",
    help="A referee for Rubik's Infinity on a real table: it sees the marbles, feels the knob and keeps the score.\n\n"
    "Start with `companion demo`, a whole game on simulated hardware.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (demo, referee, record, calibrate, recognise, judge, replay, bench):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"companion {__version__}")
        raise typer.Exit


@app.callback()
def companion(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say the version."),
) -> None:
    """A referee for Rubik's Infinity on a real table: it sees the marbles, feels the knob and keeps the score.

    Start with `companion demo`, a whole game on simulated hardware.
    """


EXPECTED = (CompanionError, CalibrationError, VisionError, BridgeError)
"""The error roots whose messages are written for people."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns its exit code and never raises."""
    try:
        result = app(list(arguments), standalone_mode=False, prog_name="companion")
    except typer.Abort:
        return _told("stopped", 1)
    except KeyboardInterrupt:
        return _told("stopped", 130)
    except BrokenPipeError:
        return 0
    except EXPECTED as error:
        return _told(str(error), getattr(error, "exit_code", 1))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _told(f"{where}{error.strerror or error}", 1)
    except Exception as error:  # noqa: BLE001 - the last net: a person gets a line, the details go to a file
        if hasattr(error, "format_message"):
            return _usage(error)
        return _told(f"internal error: {type(error).__name__}: {error} (details in {_keep_details()})", 1)
    return result if isinstance(result, int) else 0


def _usage(error: Exception) -> int:
    """A wrong option or argument, in one line with the way to the help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "companion"
    message = str(getattr(error, "format_message")()).strip().replace("\n", " ")  # noqa: B009
    if not message:  # a command that shows its help where nothing was asked of it
        return int(getattr(error, "exit_code", 2))
    return _told(f"{message.rstrip('.')}. See `{path} --help`", int(getattr(error, "exit_code", 2)))


def _told(message: str, code: int) -> int:
    print("companion: " + " ".join(message.split()), file=sys.stderr)
    return code


def _keep_details() -> str:
    import logging

    from platformdirs import user_log_path

    try:
        path = user_log_path("companion", ensure_exists=True) / "errors.log"
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        return f"no file: {error.strerror}"
    logging.Logger("companion.errors").addHandler(handler)
    record = logging.LogRecord("companion", logging.ERROR, __file__, 0, "internal error", None, sys.exc_info())
    handler.emit(record)
    handler.close()
    return str(Path(path))
