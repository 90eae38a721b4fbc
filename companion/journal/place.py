"""Where the journal is kept when nobody says otherwise."""

from __future__ import annotations

from pathlib import Path


def default_journal() -> Path:
    """The journal in the user's data folder (`~/.local/share/companion` on Linux)."""
    from platformdirs import user_data_path

    return user_data_path("companion") / "journal.sqlite"
