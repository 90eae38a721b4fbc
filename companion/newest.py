"""The newest lines of a table's record, at hand for those who look on; the journal has the rest."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from companion.games.game import Json

MOST_LINES = 4000
"""An evening's game has some hundred lines; one that is left lying in a busy room for days has more, of devices and
of hands over the board. So many take a few megabytes."""


class NewestLines:
    """Lines as `companion.events.record_json` makes them: those of the running game and of the one before it.

    Of a game with very many lines these are the newest, and the one that began it.
    """

    def __init__(self, lines: Iterable[Mapping[str, Json]] = (), most: int = MOST_LINES) -> None:
        self._most = most
        self._lines: list[Mapping[str, Json]] = []
        self.extend(lines)

    def extend(self, lines: Iterable[Mapping[str, Json]]) -> None:
        for line in lines:
            if line["event"] == "game_started":
                self._lines = self._lines[self._start() :]
            self._lines.append(line)
        if len(self._lines) > self._most:
            # A quarter at once: lists are cut at their beginning slowly.
            cut = len(self._lines) - 3 * self._most // 4
            start = self._start()
            kept = self._lines[start : start + 1] if start < cut else []
            self._lines = [*kept, *self._lines[cut:]]

    def after(self, seq: int) -> Sequence[Mapping[str, Json]]:
        """The lines with a larger `seq`, in order, as far as they are here."""
        return self._lines[bisect_right(self._lines, seq, key=_seq) :]

    def _start(self) -> int:
        """Where the running game begins; 0 where none does."""
        count = len(self._lines)
        return next((n for n in range(count - 1, -1, -1) if self._lines[n]["event"] == "game_started"), 0)


def _seq(line: Mapping[str, Json]) -> int:
    seq = line["seq"]
    return seq if isinstance(seq, int) else 0
