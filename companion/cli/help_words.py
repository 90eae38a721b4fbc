"""The help of all commands, and what is wrong with a command line, in another language.

The help is written in English where the commands are. It is translated paragraph by paragraph, by the catalogue
`cli.po` (`scripts/texts` makes it of the commands as they are built); examples stay as they are: they are commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import typer.core

from companion.catalogues import HELP, read_part
from companion.texts import Said, Text, noted

AS_IT_IS = "\b"
"""Begins a paragraph that is not filled anew: an example."""
HEADS = ("Usage: ", "Options", "Arguments", "Commands", "required", "default: {default}", "Show this message and exit.")
"""What the library for command lines says itself in a help."""

WRONG = (
    noted("No such option: {option}. Did you mean {others}?"),
    noted("No such option: {option} (Possible options: {others})"),
    noted("No such option: {option}"),
    noted("No such command {command}. Did you mean {others}?"),
    noted("No such command {command}"),
    noted("Missing option {option}"),
    noted("Missing argument {argument}"),
    noted("Missing command"),
    noted("Got unexpected extra argument(s) ({given})"),
    noted("Invalid value for {option}: {why}"),
    noted("Invalid value: {why}"),
    noted("Option {option} requires an argument"),
    noted("Option {option} does not take a value"),
    noted("Input should be a valid integer, unable to parse string as an integer"),
    noted("Input should be a valid number, unable to parse string as a number"),
    noted("Input should be greater than or equal to {least}"),
    noted("Input should be less than or equal to {most}"),
    noted("Input should be {expected}"),
)
"""What it says of a command line that cannot be, without its full stop; the first that fits counts."""


def paragraphs(words: str) -> Iterator[tuple[str, bool]]:
    """The paragraphs of a help, and whether each is language; their lines are filled anew anyway."""
    for paragraph in words.strip().split("\n\n"):
        example = paragraph.startswith(AS_IT_IS) or paragraph.lstrip().startswith("companion ")
        yield (paragraph, False) if example else (" ".join(paragraph.split()), True)


@contextmanager
def speaking(command: Any, language: str) -> Iterator[None]:
    """A command and those below it give their help in a language; the library does so within the block."""
    say = read_part(language, HELP).one
    usual, typer.core._ = typer.core._, say  # type: ignore[attr-defined]
    _speak(command, say)
    try:
        yield
    finally:
        typer.core._ = usual  # type: ignore[attr-defined]


def _speak(command: Any, say: Callable[[str], str]) -> None:
    for each in commands_of(command):
        each.help = _said(each.help, say)
        each.format_usage = partial(_format_usage, each, say(HEADS[0]))
        each.get_help_option = partial(_help_option, each.get_help_option, say(HEADS[-1]))
        for parameter in each.params:
            parameter.help = _said(getattr(parameter, "help", None), say)


def commands_of(command: Any) -> Iterator[Any]:
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from commands_of(each)


def helps_of(command: Any) -> Iterator[str]:
    """Every message of the catalogue: the paragraphs of all helps, and the heads over them."""
    yield from HEADS
    for each in commands_of(command):
        for words in (each.help, *(getattr(parameter, "help", None) for parameter in each.params)):
            yield from (paragraph for paragraph, told in paragraphs(words or "") if told and paragraph)


def wrong_words(said: str) -> str:
    """What is wrong with a command line, able to be said in other languages where it is known."""
    for pattern, message in _patterns():
        found = pattern.fullmatch(said)
        if found is not None:
            return Text(said, Said(message, {key: wrong_words(value) for key, value in found.groupdict().items()}))
    return said


def _said(words: str | None, say: Callable[[str], str]) -> str | None:
    if not words:
        return words
    return "\n\n".join(say(paragraph) if told else paragraph for paragraph, told in paragraphs(words))


def _format_usage(command: Any, head: str, context: Any, formatter: Any) -> None:
    formatter.write_usage(context.command_path, " ".join(command.collect_usage_pieces(context)), prefix=head)


def _help_option(made: Callable[[Any], Any], words: str, context: Any) -> Any:
    option = made(context)
    if option is not None:
        option.help = words
    return option


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    place = re.compile(r"\\\{(\w+)\\\}")
    return tuple((re.compile(place.sub(r"(?P<\1>.+?)", re.escape(message))), message) for message in WRONG)
