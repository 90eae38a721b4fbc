"""Events as lines for people in a terminal; colours and bold type only where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from companion.events import Record
from companion.sinks.queued import QueuedSink
from companion.sinks.words import Weight, words_of, words_of_event

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
    """Writes to `out`; plain text where that is no terminal, or `NO_COLOR` is set."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._console: Console | None = None

    def text_of(self, record: Record) -> str:
        from rich.text import Text

        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self._out, highlight=False, markup=False, soft_wrap=True)
        with self._console.capture() as captured:
            self._console.print(Text(words_of(record), STYLES[words_of_event(record.event).weight]))
        return captured.get()
