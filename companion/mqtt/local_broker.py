"""A broker of our own on this machine alone, for `companion demo` where none is configured.

mosquitto where it is installed; else amqtt in a thread of this program, which forgets what it owes a client that is
away, and speaks MQTT 3.1.1 only. Either listens on a free loopback port and lets everybody on this machine in.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from companion.errors import DeviceError
from companion.texts import text

READY_S = 10.0
"""How long a broker may take until it answers; mosquitto needs 0.05 s, amqtt 1 s on a slow machine."""
STOP_S = 5.0
GIVEN = Path("/proc/sys/net/ipv4/ip_local_port_range")
LOWEST = 16384
"""Below it many programs have a port of their own."""
TRIES = 20


class LocalBroker(Protocol):
    """A broker that is running; `stop` ends it, and so does leaving the `with` block."""

    host: str
    port: int
    kind: str
    """"mosquitto" or "amqtt"."""
    mqtt5: bool

    def stop(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def local_broker() -> LocalBroker:
    """Start the best broker that this machine has.

    Raises:
        DeviceError: if none comes up.
    """
    mosquitto = find_mosquitto()
    return MosquittoBroker(mosquitto) if mosquitto is not None else EmbeddedBroker()


def find_mosquitto() -> str | None:
    """Where mosquitto is installed; Debian keeps it out of a user's PATH."""
    return shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


class _Stopped:
    """Leaving the `with` block stops the broker."""

    def stop(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class MosquittoBroker(_Stopped):
    """mosquitto as a child process that also ends when this program is killed."""

    kind = "mosquitto"
    mqtt5 = True
    host = "127.0.0.1"

    def __init__(self, program: str) -> None:
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="companion-broker-")
        config = Path(self._folder.name) / "mosquitto.conf"
        # Beyond the queue's default of 1000, mosquitto drops messages that it has acknowledged.
        config.write_text(
            f"listener {self.port} {self.host}\nallow_anonymous true\npersistence false\n"
            "max_queued_messages 100000\nlog_dest none\n",
            encoding="utf-8",
        )
        # The shell waits for its input to end, which it does however this program ends, and takes the broker along.
        # A session of its own keeps the terminal's Ctrl-C away, so that the last words still reach the broker.
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", '"$0" -c "$1" & cat >/dev/null; kill $!; wait', program, str(config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        if not _answers(self.host, self.port):
            self.stop()
            raise DeviceError(
                text(
                    "{program} does not come up on {host}:{port}; run it by hand to see why",
                    program=program,
                    host=self.host,
                    port=self.port,
                )
            )

    def stop(self) -> None:
        """End the broker; again is harmless."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._folder.cleanup()


class EmbeddedBroker(_Stopped):
    """amqtt in a thread with its own event loop.

    Args:
        listener: "tcp" or "ws".
    """

    kind = "amqtt"
    mqtt5 = False
    host = "127.0.0.1"

    def __init__(self, listener: str = "tcp") -> None:
        self.port = free_port()
        self._listener = listener
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._failed: BaseException | None = None
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt-broker", daemon=True)
        self._thread.start()
        if not self._up.wait(READY_S) or self._failed is not None:
            raise DeviceError(
                text(
                    "the built-in MQTT broker does not come up on {host}:{port} ({why}); install "
                    "mosquitto, or name a broker in [mqtt]",
                    host=self.host,
                    port=self.port,
                    why=self._failed or text("no answer"),
                )
            ) from self._failed

    def stop(self) -> None:
        """End the broker; again is harmless."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._done.set)
            self._thread.join(STOP_S)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except Exception as error:  # noqa: BLE001 - told to whoever started the broker
            self._failed = error
        finally:
            self._up.set()
            self._loop.close()

    async def _serve(self) -> None:
        # It tells every connection and every state of its machine; what matters to people our sink says.
        for noisy in ("amqtt", "transitions"):
            logging.getLogger(noisy).setLevel(logging.CRITICAL)
        from amqtt.broker import Broker

        broker = Broker(
            {
                "listeners": {"default": {"type": self._listener, "bind": f"{self.host}:{self.port}"}},
                "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            },
            loop=self._loop,
        )
        await broker.start()
        self._up.set()
        await self._done.wait()
        await asyncio.wait_for(broker.shutdown(), STOP_S)
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def free_port() -> int:
    """A loopback port that nobody listens on now.

    Where there are such ports, it is one that the system gives to nobody: those that it does give go to outgoing
    connections, too, perhaps before somebody listens here.
    """
    for port in (*random.SystemRandom().sample(_never_given(), k=TRIES), 0):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise OSError(errno.EADDRINUSE, "no port is free")


def _never_given() -> Sequence[int]:
    """Ports that the system gives to nobody by itself; 0, which is any one, where it does not tell."""
    with suppress(OSError, ValueError):
        first = int(GIVEN.read_text(encoding="ascii").split()[0])
        if first - LOWEST > TRIES:
            return range(LOWEST, first)
    return (0,) * TRIES


def _answers(host: str, port: int) -> bool:
    until_s = time.monotonic() + READY_S
    while time.monotonic() < until_s:
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    return False
