"""The page's token, kept so that the link on a phone still works after a restart.

It lies in a file of its own that only its owner may read. A file that others could read, or that somebody has changed,
is not trusted: a new token takes its place.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from companion.errors import InputError, system_words
from companion.texts import text

log = logging.getLogger(__name__)

TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
"""24 bytes from the system's own source of chance, as URLs write them."""


def default_token_file() -> Path:
    """The token's file in the user's data folder (`~/.local/share/companion` on Linux)."""
    from platformdirs import user_data_path

    return user_data_path("companion") / "page-token"


def kept_token(path: Path) -> str:
    """The token of a file; a new one where there is none, or none that can be trusted.

    Raises:
        InputError: if the file can neither be read nor written.
    """
    token = _read(path)
    return write_new_token(path) if token is None else token


def write_new_token(path: Path) -> str:
    """Make a new token and keep it, whole or not at all, readable for its owner alone.

    Raises:
        InputError: if it cannot be written.
    """
    token = secrets.token_urlsafe(24)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600 from the start
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(f"{token}\n")
            os.replace(scratch, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(scratch)
            raise
    except OSError as error:
        raise InputError(
            text(
                "{path}: {why}; name another token_file in the config's [page]", path=str(path), why=system_words(error)
            )
        ) from error
    return token


def _read(path: Path) -> str | None:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) or mode & (stat.S_IRWXG | stat.S_IRWXO):
            log.warning("%s: others could read or change the page's token; a new one takes its place", path)
            return None
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        token = ""
    except OSError as error:
        raise InputError(
            text(
                "{path}: {why}; name another token_file in the config's [page]", path=str(path), why=system_words(error)
            )
        ) from error
    if TOKEN.fullmatch(token):
        return token
    log.warning("%s: holds no token of the page; a new one takes its place", path)
    return None
