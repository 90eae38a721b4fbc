"""What the page asks of a table: the seam between the live loop and the browser.

The page runs in a thread of its own and calls every method of `PageTable` from there. `state`, `layout`, `records`
and `picture` return at once (they hand out what the loop left ready); `command` may wait for the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.games.game import Json


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a command.

    Attributes:
        ok: whether it was carried out.
        reason: one word where it was not ("stale", "no_such_choice", ...), empty where it was.
        detail: a sentence for people, may be empty where it was carried out.
    """

    ok: bool
    reason: str = ""
    detail: str = ""


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

    def command(self, name: str, args: Mapping[str, Json]) -> CommandResult:
        """Carry out a command of `companion.page.commands.COMMANDS`; `args` are checked for form, not for sense."""
        ...
