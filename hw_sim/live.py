"""A simulated game that passes in real time (or some times faster), with real devices to open.

    game = SimGame(seed=7, frame_s=0, sights=False, serial=True)
    with LiveTable(game, speed=2.0, port=SimSerialPort(folder / "board")) as live:
        SimCameraDevice(camera, live.see, clock=live.clock)
        live.finished.wait(600)

One thread moves the table; everything public may be called from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Protocol

from hw_sim.board_device import SimBoard
from hw_sim.clock import PacedClock
from hw_sim.happenings import BytesSent, PortChanged
from hw_sim.scene import Light
from hw_sim.serial_port import SimSerialPort
from hw_sim.timeline import Timeline

LOOK_S = 0.01
"""The thread sleeps no longer than this at once, in real seconds: a command from the host waits no longer."""


class SeenTable(Protocol):
    """A table that a camera can look at; a scene is what the camera of its game draws."""

    @property
    def now_s(self) -> float: ...
    @property
    def timeline(self) -> Timeline: ...
    @property
    def light(self) -> Light: ...
    def scene(self) -> Any: ...


class LiveGame(Protocol):
    """What `LiveTable` asks of a game: `hw_sim.game_run.SimGame`, `hw_sim.finity.game_run.FinityGame`."""

    @property
    def table(self) -> SeenTable: ...
    @property
    def board_device(self) -> SimBoard | None: ...
    @property
    def next_s(self) -> float | None: ...
    def step(self) -> Sequence[object]: ...
    def complain(self, reason: str, position: Any = None) -> None: ...
    def point_out(self, orphans: Iterable[tuple[str, str, str]]) -> None: ...
    def remind(self, orphans: Iterable[tuple[str, str, str]]) -> None: ...
    def follow(self, plies: int) -> None: ...
    def answer(self, choices: Sequence[str], ply: int | None = None) -> str | None: ...
    def truth(self) -> Any: ...


class LiveTable:
    """Lets a game pass.

    Args:
        game: the game; nothing else may step it.
        speed: simulated seconds in a real one.
        port: a serial port for the game's board (the game needs `serial=True`); closed at the end.
        on_happening: called from the table's thread with everything that happens.

    Attributes:
        clock: simulated seconds since the start.
        finished: set when the game and what follows it are over.
    """

    def __init__(
        self,
        game: LiveGame,
        *,
        speed: float = 1.0,
        port: SimSerialPort | None = None,
        on_happening: Callable[[Any], None] = lambda happening: None,
    ) -> None:
        if port is not None and game.board_device is None:
            raise ValueError("this game has no board with a serial port; make it with serial=True")
        self.clock = PacedClock(speed)
        self.finished = threading.Event()
        self._game = game
        self._port = port
        self._on_happening = on_happening
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._pass, name="simulated table", daemon=True)

    def __enter__(self) -> LiveTable:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Begin now."""
        self.clock = PacedClock(self.clock.speed)
        self._thread.start()

    def stop(self) -> None:
        """End, whether the game is over or not. May be called twice."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(2)
        if self._port is not None:
            self._port.close()

    def look(self) -> tuple[float, Any, Light]:
        """What a camera would see now, and when that is."""
        with self._lock:
            scene, light = self.see(self.clock())
            return self._game.table.now_s, scene, light

    def see(self, t_s: float) -> tuple[Any, Light]:
        """What a camera would see at `t_s` of `clock`: at the table time cannot run back, nor past what is due."""
        with self._lock:
            table = self._game.table
            due_s = table.timeline.next_s
            table.timeline.clock.advance_to(t_s if due_s is None else min(t_s, due_s))
            return table.scene(), table.light

    def complain(self, reason: str, position: Any = None) -> None:
        """See the game's `complain`."""
        with self._lock:
            self._game.complain(reason, position)

    def point_out(self, orphans: Iterable[tuple[str, str, str]]) -> None:
        """See the game's `point_out`."""
        with self._lock:
            self._game.point_out(orphans)

    def remind(self, orphans: Iterable[tuple[str, str, str]]) -> None:
        """See the game's `remind`."""
        with self._lock:
            self._game.remind(orphans)

    def follow(self, plies: int) -> None:
        """See the game's `follow`."""
        with self._lock:
            self._game.follow(plies)

    def answer(self, choices: Sequence[str], ply: int | None = None) -> str | None:
        """See the game's `answer`."""
        with self._lock:
            return self._game.answer(choices, ply)

    def truth(self) -> Any:
        """See the game's `truth`."""
        with self._lock:
            return self._game.truth()

    def _pass(self) -> None:
        while not self._stopping.is_set():
            due_s = self._game.next_s
            if due_s is None:
                break
            left_s = (due_s - self.clock()) / self.clock.speed
            self._hear_host()
            if left_s > 0:
                self._stopping.wait(min(left_s, LOOK_S))
                continue
            with self._lock:
                happened = self._game.step()
            for happening in happened:
                self._dispatch(happening)
        self.finished.set()

    def _hear_host(self) -> None:
        data = self._port.receive() if self._port else b""
        if data and self._game.board_device:
            with self._lock:
                self._game.board_device.write(data)

    def _dispatch(self, happening: object) -> None:
        if self._port is not None:
            if isinstance(happening, BytesSent):
                self._port.send(happening.data)
            elif isinstance(happening, PortChanged):
                (self._port.plug if happening.plugged else self._port.unplug)()
        self._on_happening(happening)
