"""The draft and the pictures of a set-up that is not finished, kept so that a kill costs nothing."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.aside import kept_aside
from companion.games.game import Json
from companion.journal.lock import Lock
from companion.setup.draft import Draft, parse_draft
from companion.setup.positions import State
from companion.setup.writing import write_whole

log = logging.getLogger(__name__)

FORMAT = "companion-setup"


def default_folder(config: Path) -> Path:
    """Where the set-up of a config is kept (in `~/.local/state/companion/setup` on Linux)."""
    from platformdirs import user_state_path

    mark = hashlib.sha256(str(config.absolute()).encode()).hexdigest()[:8]
    return user_state_path("companion") / "setup" / f"{config.stem}-{mark}"


class Kept:
    """A folder with `draft.json` and a JPEG for each picture; nothing of it is needed for a game.

    Args:
        folder: made where it is absent. A disk that cannot be written costs the memory, and no more.
        config: the file that is set up; what was kept for another one is not read.
    Raises:
        DeviceError: where another set-up uses the folder.
    """

    def __init__(self, folder: Path, config: Path) -> None:
        self._folder = folder
        self._config = str(config.absolute())
        self._lock: Lock | None = None
        self._told = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder / "draft.json")
        except OSError as error:
            self._tell(error)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def read(self) -> tuple[Draft, dict[str, State], float] | None:
        """The draft, what was said of each picture, and when that was kept (seconds of the file system)."""
        path = self._folder / "draft.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT or data["config"] != self._config:
                return None
            states: dict[str, State] = {str(name): dict(state) for name, state in data["states"].items()}
            return parse_draft(data["draft"]), states, path.stat().st_mtime
        except FileNotFoundError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the file, a set-up can begin anew
            log.warning("%s cannot be read (%s): the set-up begins anew%s", path, error, kept_aside(path))
            return None

    def keep(self, draft: Draft, states: dict[str, State]) -> None:
        """Write the draft, and what was said of the pictures."""
        data: Json = {"format": FORMAT, "config": self._config, "draft": draft.to_json(), "states": dict(states)}
        self._write("draft.json", json.dumps(data, default=dict).encode())

    def pictures(self, names: Iterable[str]) -> dict[str, bytes]:
        """The pictures of these names that are there."""
        found = {}
        for name in names:
            with suppress(OSError):
                found[name] = (self._folder / f"{name}.jpg").read_bytes()
        return found

    def keep_picture(self, name: str, jpeg: bytes) -> None:
        self._write(f"{name}.jpg", jpeg)

    def drop_picture(self, name: str) -> None:
        with suppress(OSError):
            (self._folder / f"{name}.jpg").unlink(missing_ok=True)

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_whole(self._folder / name, content)
        except OSError as error:
            self._tell(error)

    def _tell(self, error: OSError) -> None:
        if not self._told:
            log.warning("%s cannot be written (%s): an unfinished set-up is lost with the program", self._folder, error)
        self._told = True
