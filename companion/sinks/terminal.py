"""Events as lines for people in a terminal; colours and bold type only where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from companion.events import GameStarted, Record
from companion.sinks.queued import QueuedSink
from companion.sinks.words import Weight, words_of, words_of_event
from companion.texts import ENGLISH

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Terminal", "words_of"]

STYLES = {
    Weight.QUIET: "dim",
    Weight.PLAIN: "",
    Weight.GOOD: "bold green",
    Weight.WARNING: "bold yellow",
    Weight.QUESTION: "bold cyan",
}


class Terminal(QueuedSink):
    """Writes to `out`, in a language; plain text where that is no terminal, or `NO_COLOR` is set.

    Args:
        table: stands before every line, where one of several tables is told of.
    """

    def __init__(self, out: TextIO, language: str = ENGLISH, table: str = "") -> None:
        super().__init__(out)
        self._language = language
        self._before = f"{table}: " if table else ""
        self._names: Mapping[str, str] = {}
        self._console: Console | None = None

    def text_of(self, record: Record) -> str:
        if isinstance(record.event, GameStarted):
            self._names = record.event.names
        words = self._before + words_of(record, self._language, self._names)
        if not self._out.isatty():
            return f"{words}\n"
        from rich.text import Text

        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self._out, highlight=False, markup=False, soft_wrap=True)
        with self._console.capture() as captured:
            self._console.print(Text(words, STYLES[words_of_event(record.event).weight]))
        return captured.get()
