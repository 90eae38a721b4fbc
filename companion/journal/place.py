"""Where the journal is when nobody says."""

from __future__ import annotations

from pathlib import Path


def default_journal() -> Path:
    """The user's journal, in the data folder of the platform."""
    from platformdirs import user_data_path

    return user_data_path("companion") / "journal.sqlite"
