"""A loop that takes longer over a look than the camera: it is behind by a few looks, and never deaf to people."""

from __future__ import annotations

import threading
import time

from companion.games.registry import game_named
from companion.live import COMMAND_TIMEOUT_S, TableLoop
from companion.page.table import Request
from companion.table import Table
from tests.reconciler.sights import sight

TURN_S = 0.05
LOOKS = 200
"""At a twentieth of a second each more than twice what a command waits for."""


def slow_clock() -> float:
    """Every turn of the loop asks for the time once: a machine that needs as long for each look."""
    time.sleep(TURN_S)
    return time.monotonic()


def test_a_command_is_heard_while_more_looks_come_than_can_be_taken() -> None:
    loop = TableLoop(Table(game_named("infinity", {"first": "blue"})), [], clock=slow_clock)
    for number in range(LOOKS):
        loop.put(sight(number * 0.1, "....|....|....|...."))
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        began = time.monotonic()
        answer = loop.command(Request("pause", 10**6, "pause/1", {}))
        assert answer.ok, answer
        assert time.monotonic() - began < COMMAND_TIMEOUT_S / 2
        assert loop.state()["paused"] is True
    finally:
        loop.stop()
        thread.join(10.0)
