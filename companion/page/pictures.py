"""The camera pictures of a table for all who look on: one is drawn and encoded for all, none while nobody looks.

A browser asks for a row of pictures and gets the newest ones for some seconds, each behind 8 bytes: its length and its
age in milliseconds, both big-endian. A length of 0 says that no picture is fresh, an age of `NO_PICTURE` that there
never was one. Then the row ends and the browser asks for the next: a browser has six connections to a server, and three
open windows must not keep the commands of a fourth waiting for ever.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from companion.page.table import PageTable

PICTURE_S = 0.1
"""Ten pictures a second: hands are seen to move, and a Raspberry Pi has other work, too."""
SHARED_S = 0.08
"""For so long a picture is handed to others, too: less than the time between two, or one in two would be missed."""
ROW_S = 3.0
"""How long one row lasts: as long as a person would wait for a command in the worst case."""
REPEATED_S = 1.0
"""How often it is said again that nothing is new: the browser greys a picture that nobody says anything of."""
NO_PICTURE = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as JPEG, and when it was taken, by the feed's clock."""

    jpeg: bytes
    taken_s: float


class PictureFeed:
    """The newest picture of a table.

    Args:
        table: its `picture` may take its time (it draws and encodes) and is called in a thread, by one at a time.
        fresh_s: an older picture is not handed out.
        clock: seconds, monotonic.
    """

    def __init__(self, table: PageTable, fresh_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._fresh_s = fresh_s
        self._clock = clock
        self._looked_s = float("-inf")
        self._look: asyncio.Task[Shot | None] | None = None

    async def newest(self) -> tuple[bytes | None, float | None]:
        """The picture, None where it is not fresh, and its age in seconds, None where there never was one.

        Whoever asks while one is on its way, or shortly after it came, is given that one.
        """
        if self._look is None or (self._look.done() and self._clock() - self._looked_s >= SHARED_S):
            self._looked_s = self._clock()
            self._look = asyncio.create_task(asyncio.to_thread(self._take))
        # A browser that leaves must not take away the picture that others wait for.
        shot = await asyncio.shield(self._look)
        if shot is None:
            return None, None
        age_s = max(0.0, self._clock() - shot.taken_s)
        return (shot.jpeg if age_s <= self._fresh_s else None), age_s

    def _take(self) -> Shot | None:
        taken = self._table.picture()
        return None if taken is None else Shot(taken[0], self._clock() - taken[1])

    async def row(self, closed: Callable[[], bool]) -> AsyncIterator[bytes]:
        """The newest pictures for `ROW_S`, each once, as they stand in an answer."""
        next_s, told_s = self._clock(), float("-inf")
        end_s = next_s + ROW_S
        last: bytes | None = None
        while self._clock() < end_s and not closed():
            jpeg, age_s = await self.newest()
            news = b"" if jpeg is None or jpeg is last else jpeg
            if news or self._clock() - told_s >= REPEATED_S:
                told_s, last = self._clock(), jpeg
                yield framed(news, age_s)
            next_s = max(next_s + PICTURE_S, self._clock())
            await asyncio.sleep(next_s - self._clock())


def framed(jpeg: bytes, age_s: float | None) -> bytes:
    """A picture as it stands in a row."""
    age_ms = NO_PICTURE if age_s is None else min(round(1000 * age_s), NO_PICTURE - 1)
    return struct.pack(">II", len(jpeg), age_ms) + jpeg
