"""Asking things that may hang, or fail in any way, without hanging or failing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.texts import text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing could be found out, and why."""

    why: str


class Asked(Generic[T]):
    """A question on its way, in a thread of its own that is left alone if it does not come back.

    Args:
        probe: what finds it out.
        limit_s: how long the answer is waited for, from now on.
    """

    def __init__(self, probe: Callable[[], T], limit_s: float) -> None:
        self._probe = probe
        self._limit_s = limit_s
        self._until_s = time.monotonic() + limit_s
        self._answers: list[T | Unknown] = []
        self._thread = threading.Thread(target=self._run, name="asking", daemon=True)
        self._thread.start()

    def answer(self) -> T | Unknown:
        """What was found out in time."""
        self._thread.join(max(0.0, self._until_s - time.monotonic()))
        return (
            self._answers[0]
            if self._answers
            else Unknown(text("no answer within {seconds:g} s", seconds=self._limit_s))
        )

    def _run(self) -> None:
        try:
            self._answers.append(self._probe())
        except Exception as error:  # noqa: BLE001 - whatever a driver or library raises is an answer, too
            self._answers.append(Unknown(f"{type(error).__name__}: {error}"))
