"""SQLite's write-ahead log, read by ourselves.

Where one byte of it is damaged, SQLite drops everything that was committed after it, and says nothing. Here it is found
out that something was, and the pages behind the damage are put back for whatever can be believed of them; rows have
checksums of their own (`companion.journal.salvage`).

Format: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HEADER = struct.Struct(">8I")
"""Magic number, version, bytes of a page, number of the checkpoint, two salts, two sums."""
FRAME = struct.Struct(">6I")
"""Page, pages of the whole database where a commit ends here (else 0), two salts, two sums; then the page itself."""
BIG_ENDIAN, LITTLE_ENDIAN = 0x377F0683, 0x377F0682
PAGE_BYTES = 4096
"""SQLite's own default, where the header does not say."""

DATABASE = b"SQLite format 3\0"
LEGACY = b"\x01\x01"
"""Read and write version of a database that has no log, at byte 18."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as a commit wrote it; `pages` of the whole database where the commit ends with it, else 0."""

    page: int
    pages: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Wal:
    """The frames of the newest log in a file, in order; SQLite reads those before `sound`."""

    frames: tuple[Frame, ...]
    sound: int

    @property
    def damaged(self) -> bool:
        """Whether something that was committed stands behind what SQLite reads.

        A write that was cut off by a loss of power leaves no commit behind it: that is no damage.
        """
        return any(frame.pages for frame in self.frames[self.sound :])


def read_wal(path: Path) -> Wal:
    """The log of a database; one without frames where there is none."""
    try:
        data = Path(f"{path}-wal").read_bytes()
    except OSError:
        return Wal((), 0)
    if len(data) < HEADER.size + FRAME.size:
        return Wal((), 0)
    magic, _, size, _, *salts, one, other = HEADER.unpack_from(data)
    order = "<" if magic == LITTLE_ENDIAN else ">"
    sums = _summed((0, 0), data[: HEADER.size - 8], order)
    whole = magic in (BIG_ENDIAN, LITTLE_ENDIAN) and sums == (one, other)
    if not whole:  # its frames carry the same salts
        size = PAGE_BYTES
        salts = list(FRAME.unpack_from(data, HEADER.size)[2:4])
    frames: list[Frame] = []
    sound = 0
    for head, content in _cut(data, size):
        page, pages, salt, pepper, one, other = FRAME.unpack(head)
        if [salt, pepper] != salts:
            if whole and len(frames) == sound:
                break  # what follows is of the log before this one
            continue
        frames.append(Frame(page, pages, content))
        if whole and sound == len(frames) - 1:
            sums = _summed(_summed(sums, head[:8], order), content, order)
            sound += sums == (one, other)
    return Wal(tuple(frames), sound)


def _cut(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    step = FRAME.size + size
    for start in range(HEADER.size, len(data) - step + 1, step):
        yield data[start : start + FRAME.size], data[start + FRAME.size : start + step]


def _summed(sums: tuple[int, int], data: bytes, order: str) -> tuple[int, int]:
    """The log's running sums, gone on over so many bytes (a multiple of 8)."""
    one, other = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + other) & 0xFFFFFFFF
        other = (other + odd + one) & 0xFFFFFFFF
    return one, other


def put_together(path: Path, wal: Wal, head: bytes, target: Path, *, without: Sequence[int] = ()) -> None:
    """Write the database as it would be with every commit of its log, to be read for what can be believed.

    Args:
        head: the first page of a copy, for a file whose own is no database's any more; may be empty.
        without: numbers of frames to leave out.
    Raises:
        OSError: where the file cannot be read, or the target not be written.
    """
    committed = max((number for number, frame in enumerate(wal.frames) if frame.pages), default=-1)
    size = len(wal.frames[0].data) if wal.frames else PAGE_BYTES
    whole = bytearray()
    with suppress(FileNotFoundError):
        whole += path.read_bytes()
    for number, frame in enumerate(wal.frames[: committed + 1]):
        if number in without or frame.page < 1 or frame.page > (len(whole) // size) + len(wal.frames):
            continue
        end = frame.page * size
        whole.extend(bytes(max(0, end - len(whole))))
        whole[end - size : end] = frame.data
    if not whole.startswith(DATABASE) and head.startswith(DATABASE):
        whole[: len(head)] = head
    if whole.startswith(DATABASE):
        whole[18:20] = LEGACY
        whole[28:32] = struct.pack(">I", len(whole) // size)
        whole[92:96] = whole[24:28]  # the count of pages is as new as the last change
    target.write_bytes(whole)
