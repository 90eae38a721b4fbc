"""In which language a command talks: as it is told to, else as the table's config says, else as the terminal has it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UsageError
from companion.texts import ENGLISH, best_language, in_language, languages, text

if TYPE_CHECKING:
    from companion.config import Config

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set says the terminal's language, as everywhere on Linux."""


def _known(language: str | None) -> str | None:
    if language is not None and language not in languages():
        raise UsageError(
            text("--language {language}: there are {known}", language=language, known=", ".join(languages()))
        )
    return language


Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        callback=_known,
        help="en or pl; else as the config says, else as your terminal.",
        show_default=False,
    ),
]


def language_of(asked: str | None, config: Config | None = None) -> str:
    """The language to talk in.

    Args:
        asked: by the command line.
        config: the table's, whose language counts where it was given.
    """
    if asked is not None:
        return asked
    if config is not None and "language" in config.table.model_fields_set:
        return config.table.language
    return best_language([next((value for name in VARIABLES if (value := os.environ.get(name))), "")])


def language_of_line(arguments: Sequence[str]) -> str:
    """The language for what is told of a command line that has failed, though it may not be one that can be read."""
    if "--json" in arguments:
        return ENGLISH
    asked = [new for old, new in pairwise((*arguments, "")) if old == "--language"]
    asked += [word.partition("=")[2] for word in arguments if word.startswith("--language=")]
    return language_of(next((language for language in asked if language in languages()), None))


def say(line: str, *, err: bool = False) -> None:
    """One line of an answer, in the terminal's language."""
    typer.echo(in_language(line, language_of(None)), err=err)


def tell(line: str) -> None:
    """One line beside the answer, in the terminal's language."""
    teller(language_of(None))(line)


def teller(language: str) -> Callable[[str], None]:
    """Says one line for people at a time on standard error, in a language."""

    def tell(line: str) -> None:
        typer.echo(f"companion: {in_language(line, language)}", err=True)

    return tell
