"""A table with people that lives on while the program that referees it is dead."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.games.game import TableGame
from hw_sim.faults import Faults
from hw_sim.game_run import GameTruth, SimGame
from hw_sim.happenings import BytesSent, FrameTaken, GameEnded
from hw_sim.players import RandomPlayer
from hw_sim.senses import Seen
from hw_sim.serial_port import SimSerialPort

SLEEP_S = 0.005
FRAME_S = 0.5


class Mannered:
    """People who stop playing when they are told to."""

    def __init__(self) -> None:
        self.stops = threading.Event()
        self._player = RandomPlayer()

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        return None if self.stops.is_set() else self._player.choose(game, position, rng)


class World:
    """Games at one table, one after the other, in a thread of its own.

    Attributes:
        speed: simulated seconds in a real one; may be changed at any time.
        looked_at: set while a program has the camera open.
        truths: how the games before this one were.
    """

    def __init__(self, folder: Path, seed: int, faults: Faults, speed: float) -> None:
        self.speed = speed
        self.looked_at = threading.Event()
        self.truths: list[GameTruth] = []
        self.port = SimSerialPort(folder / "board")
        self.sights = folder / "sights"
        self.players = Mannered()
        self._seed = seed
        self._faults = faults
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self.sights))
        self._server.listen(1)
        self._server.setblocking(False)
        self._eye: socket.socket | None = None
        self._now_s = self._lived_s = self._opened_s = 0.0
        self._over = False
        self.game = self._new_game()
        self._thread = threading.Thread(target=self._pass, name="world", daemon=True)
        self._thread.start()

    def next_game(self) -> None:
        """The marbles go back into the well, and the people begin anew."""
        with self._lock:
            self.truths.append(self.game.truth())
            self.players = Mannered()
            self._now_s = 0.0
            self._over = False
            self.game = self._new_game()

    def truth(self) -> GameTruth:
        with self._lock:
            return self.game.truth()

    @property
    def over(self) -> bool:
        """Whether this game has come to its end, and its last marble lies still."""
        with self._lock:
            return self._over

    @property
    def seen_s(self) -> float:
        """For how many simulated seconds the camera has been open; 0 while it is not."""
        return self._lived_s - self._opened_s if self.looked_at.is_set() else 0.0

    def follow(self, plies: int) -> None:
        """So many plies are told: people wait with the next until it is there."""
        with self._lock:
            self.game.follow(plies)

    def answer(self, choices: list[str], ply: int | None) -> str | None:
        with self._lock:
            return self.game.answer(choices, ply)

    def close(self) -> None:
        self._ended.set()
        self._thread.join(5)
        self.port.close()
        self._server.close()
        if self._eye is not None:
            self._eye.close()

    def _new_game(self) -> SimGame:
        number = len(self.truths)
        return SimGame(
            f"{self._seed}/{number}",
            faults=self._faults,
            players=self.players,
            frame_s=FRAME_S,
            serial=True,
            edges=False,
        )

    def _pass(self) -> None:
        looked_s = time.monotonic()
        while not self._ended.wait(SLEEP_S):
            passed_s, looked_s = time.monotonic() - looked_s, time.monotonic()
            self._open_eye()
            with self._lock:
                self._hear_host()
                self._now_s += passed_s * self.speed
                self._lived_s += passed_s * self.speed
                self._live()

    def _live(self) -> None:
        """Let everything happen that is due by now."""
        while self.game.next_s is not None and self.game.next_s <= self._now_s:
            for happening in self.game.step():
                self._dispatch(happening)

    def _hear_host(self) -> None:
        data = self.port.receive()
        if data and self.game.board_device is not None:
            self.game.board_device.write(data)

    def _dispatch(self, happening: object) -> None:
        if isinstance(happening, BytesSent):
            self.port.send(happening.data)
        elif isinstance(happening, FrameTaken) and happening.seen is not None:
            self._show(happening.seen)
        elif isinstance(happening, GameEnded):
            self._over = True
            self.game.stay_on()

    def _show(self, seen: Seen) -> None:
        if self._eye is None:
            return
        try:
            self._eye.sendall((json.dumps(asdict(seen)) + "\n").encode())
        except OSError:
            self._eye.close()
            self._eye = None
            self.looked_at.clear()

    def _open_eye(self) -> None:
        with suppress(BlockingIOError):
            eye, _ = self._server.accept()
            if self._eye is not None:
                self._eye.close()
            eye.settimeout(1.0)
            self._eye = eye
            self._opened_s = self._lived_s
            self.looked_at.set()
