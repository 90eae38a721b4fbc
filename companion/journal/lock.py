"""One companion a journal: a lock that the kernel lets go when its holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.errors import DeviceError
from companion.texts import text


class Lock:
    """Held from construction to `release`.

    Raises:
        DeviceError: if another process holds it.
        OSError: if the lock file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(file, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(file)
            raise DeviceError(
                text(
                    "{path}: already running: process {holder} writes this file; stop it, or name another",
                    path=str(path),
                    holder=holder,
                )
            ) from error
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._file = file

    def release(self) -> None:
        """Let the lock go; again is harmless."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
