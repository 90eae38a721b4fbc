"""Where the material outside the project lies: pictures, recordings and games that tests read but do not copy.

Tests skip on a machine without it, and fail where `CI` is set: there its absence would hide a missing check.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared(*parts: str) -> Path:
    """A path in the shared material; skips the calling test (fails it in CI) where it is absent."""
    root = Path(os.environ.get("COMPANION_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        absent(f"the shared material {'/'.join(parts)} is not beside this checkout")
    return path


def absent(reason: str) -> None:
    """Skip the calling test because a real part is missing; in CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"in CI this part must be present: {reason}")
    pytest.skip(reason)


def program(name: str, *places: str) -> str:
    """The path of a program (mosquitto, chromium) that the calling test drives for real."""
    for folder in (*os.environ.get("PATH", "").split(":"), "/usr/sbin", "/usr/bin", *places):
        candidate = Path(folder) / name
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    absent(f"the program {name} is not installed")
    raise AssertionError("absent() ends the test")
