"""All commands under one name, and the one place where an error becomes a line for a person."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, NamedTuple

import typer
import typer.main
from typer.core import TyperGroup

from calibration.errors import CalibrationError
from companion import __version__
from companion.cli.bench import bench
from companion.cli.board import board
from companion.cli.broker_config import broker_config
from companion.cli.calibrate import calibrate
from companion.cli.club import club
from companion.cli.demo import demo
from companion.cli.doctor import doctor
from companion.cli.export_game import export_game
from companion.cli.import_game import import_game
from companion.cli.install_service import install_service
from companion.cli.judge import judge
from companion.cli.language import language_of_line
from companion.cli.mat import mat
from companion.cli.recalibrate import recalibrate
from companion.cli.recognise import recognise
from companion.cli.record import record
from companion.cli.referee import referee
from companion.cli.replay import replay
from companion.cli.setup import setup
from companion.cli.token import token
from companion.errors import CompanionError, error_words, system_words
from companion.texts import ENGLISH, in_language, text
from firmware_bridge.errors import BridgeError
from vision.errors import VisionError


class Commands(TyperGroup):
    """The commands. Their help option that was not given is `False`, as any other switch, and not nothing.

    typer loads all of pydantic to make a `bool` of nothing: 0.2 s before the first letter of a command's help.
    """

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option


app = typer.Typer(
    name="companion",
    cls=Commands,
    add_completion=False,
    help="A referee for Rubik's Infinity and Finity on a real table: it sees the pieces and keeps the game.\n\n"
    "Start with `companion demo`, a whole game on simulated hardware.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (demo, setup, referee, record, doctor, mat, board, calibrate, recalibrate, recognise, judge, replay):
    app.command()(command)
app.command()(token)
app.command()(bench)
app.command()(club)
app.command("broker-config")(broker_config)
app.command("install-service")(install_service)
app.command("import")(import_game)
app.command("export")(export_game)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"companion {__version__}")
        raise typer.Exit


@app.callback()
def companion(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say the version."),
) -> None:
    """A referee for Rubik's Infinity and Finity on a real table: it sees the pieces and keeps the game.

    Start with `companion demo`, a whole game on simulated hardware.
    """


EXPECTED = (CompanionError, CalibrationError, VisionError, BridgeError)
"""The error roots whose messages are written for people."""


class Ending(NamedTuple):
    """How a command ended: what is said of it, and the exit code."""

    words: str
    code: int


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns its exit code and never raises."""
    words, code = _run(arguments)
    if words:
        with suppress(OSError):
            told = in_language(words, language_of_line(arguments))
            print("companion: " + " ".join(str(told).split()), file=sys.stderr)
    return code


def _run(arguments: Sequence[str]) -> Ending:
    try:
        command, language = typer.main.get_command(app), language_of_line(arguments)
        with nullcontext() if language == ENGLISH else _speaking(command, language):
            result = command(list(arguments), standalone_mode=False, prog_name="companion")
        sys.stdout.flush()
    except typer.Abort:
        return Ending(text("stopped"), 1)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # so says typer that nobody reads any more
            return _unread()
        return _ended(ended.code)
    except BrokenPipeError:
        return _unread()
    except EXPECTED as error:
        return Ending(error_words(error), getattr(error, "exit_code", 1))
    except OSError as error:
        return Ending(_unusable(error), 1)
    except ImportError as error:
        return Ending(_missing(error), 1)
    except Exception as error:  # noqa: BLE001 - the last net: a person gets a line, the details go to a file
        if hasattr(error, "format_message"):
            return _usage(error)
        return Ending(_internal(error), 1)
    return _ended(result or 0)


def _speaking(command: Any, language: str) -> AbstractContextManager[None]:
    from companion.cli.help_words import speaking

    return speaking(command, language)


def _ended(code: object) -> Ending:
    """The exit code of a command that has ended by itself, or was ended by a signal."""
    known = code if isinstance(code, int) else 1
    return Ending(text("stopped"), known) if known > 128 else Ending("", known)


def _usage(error: Exception) -> Ending:
    """A wrong option or argument, in one line with the way to the help; the help itself where nothing was asked."""
    context, code = getattr(error, "ctx", None), int(getattr(error, "exit_code", 2))
    message = str(getattr(error, "format_message")()).strip()  # noqa: B009
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message, file=sys.stderr)
        return Ending("", code)
    path = context.command_path if context is not None else "companion"
    from companion.cli.help_words import wrong_words

    what = wrong_words(message.rstrip("."))
    return Ending(text("{what}. See `{command} --help`", what=what, command=path), code)


def _unusable(error: OSError) -> str:
    """An error of the system that no part of the program has translated: of a named file, or of the output."""
    if error.filename:
        return text("{file}: {why}", file=str(error.filename), why=system_words(error))
    _let_output_go()
    return text("the output cannot be written: {why}; make room, or write it elsewhere", why=system_words(error))


def _missing(error: ImportError) -> str:
    """OpenCV needs libraries of the desktop, which pip does not bring; a server or a slim Raspberry Pi has none."""
    if ".so" not in str(error):
        return _internal(error)
    return text(
        "this machine lacks a library ({error}); on Debian: sudo apt install libgl1 libglib2.0-0", error=str(error)
    )


def _internal(error: Exception) -> str:
    from companion.cli.log import keep_details

    return text(
        "internal error: {kind}: {why} (details in {place})",
        kind=type(error).__name__,
        why=str(error),
        place=keep_details(),
    )


def _unread() -> Ending:
    """Nobody reads the output any more (`| head`), which is no failure."""
    _let_output_go()
    return Ending("", 0)


def _let_output_go() -> None:
    """Keep Python from trying the same output once more at its end, which would print a traceback."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
