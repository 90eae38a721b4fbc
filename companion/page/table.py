"""What the page asks of a table: the seam between the live loop and the browser.

The page runs in a thread of its own and calls every method of `PageTable` from there. `state`, `layout`, `records`
and `picture` return at once (they hand out what the loop left ready); `command` and `ask` may wait for the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.games.game import Json


@dataclass(frozen=True, slots=True)
class Request:
    """A command of good form.

    Attributes:
        seq: the state that the person had before the eyes.
        transaction: a name of its own; a command that comes twice under one name is carried out once.
        by: who gives it, empty where they do not say.
    """

    name: str
    seq: int
    transaction: str
    args: Mapping[str, Json]
    by: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a command, or of what was asked.

    Attributes:
        ok: whether it was carried out.
        reason: one word where it was not ("stale", "no_such_choice", ...), empty where it was.
        detail: a sentence for people, may be empty where it was carried out.
        data: what was asked for.
    """

    ok: bool
    reason: str = ""
    detail: str = ""
    data: Mapping[str, Json] = field(default_factory=dict)


class PageTable(Protocol):
    """One table, as the page sees it."""

    def state(self) -> Mapping[str, Json]:
        """The whole state; `seq` is the number of the last record that is in it. Every other key may be absent."""
        ...

    def layout(self) -> Mapping[str, Json]:
        """How to draw the board: the mapping of `companion.page.layout.layout_for`."""
        ...

    def records(self, after_seq: int) -> Sequence[Mapping[str, Json]]:
        """The lines of the contract with a larger `seq`, in order (`companion.events.record_json`)."""
        ...

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change of state or records, from any thread; what is returned ends it.

        `wake` never blocks and never raises. A change that comes while the page is busy may be told once with others.
        """
        ...

    def picture(self) -> tuple[bytes, float] | None:
        """The newest annotated camera picture as JPEG and its age in seconds; None where there is none."""
        ...

    def command(self, request: Request) -> CommandResult:
        """Carry out a command of `companion.page.commands.COMMANDS`, unless it comes too late (`overtaken`).

        That is checked where commands come one after another, so that of two people who tap at once one is refused.
        Its `args` are checked for form already, not for sense.
        """
        ...

    def ask(self, name: str, args: Mapping[str, Json]) -> CommandResult:
        """Answer one of `companion.page.commands.ASKED` in the `data` of the result; nothing changes by it."""
        ...
