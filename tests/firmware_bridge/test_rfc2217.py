"""A board behind RFC 2217: the light way to see what is done to its DTR line, whose fall and rise resets an Uno."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest
from serial.rfc2217 import PortManager
from serial.urlhandler.protocol_loop import Serial as LoopSerial

from firmware_bridge.port import PortState, PortSupervisor
from firmware_bridge.protocol import State, encode
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState
from tests.firmware_bridge.test_port import wait_for


class Remote(LoopSerial):
    """A looped-back port that writes down what is done to its DTR line."""

    def __init__(self) -> None:
        self.dtr_sets: list[bool] = []
        super().__init__("loop://")

    @property
    def dtr(self) -> bool:
        return bool(self._dtr_state)

    @dtr.setter
    def dtr(self, value: bool) -> None:
        self.dtr_sets.append(bool(value))
        self._dtr_state = value


class Connection:
    """What PortManager writes its answers to."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer

    def write(self, data: bytes) -> None:
        self._peer.sendall(data)


class Server:
    """One port on the loopback, for one client at a time."""

    def __init__(self) -> None:
        self.remote = Remote()
        self.connections = 0
        self.peer: socket.socket | None = None
        self.manager: Any = None
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(10)
        self.port = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def says(self, data: bytes) -> None:
        assert self.peer is not None
        self.peer.sendall(b"".join(self.manager.escape(data)))

    def hang_up(self) -> None:
        assert self.peer is not None
        self.peer.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(3)

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._listening.accept()
            except OSError:
                return
            with peer:
                # it needs no more of a port than Remote has, and of a connection only write
                self.peer, self.manager = peer, PortManager(cast(Any, self.remote), cast(Any, Connection(peer)))
                self.connections += 1
                try:
                    while data := peer.recv(1024):
                        b"".join(self.manager.filter(data))
                except OSError:
                    pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def test_a_board_on_the_network_is_read_found_again_and_never_reset(server: Server) -> None:
    readings: list[BridgeReading] = []

    def states() -> list[DeviceState]:
        return [reading.state for reading in readings if isinstance(reading, DeviceChanged)]

    supervisor = PortSupervisor(f"rfc2217://127.0.0.1:{server.port}", readings.append)
    supervisor.start()
    try:
        for round_trip in (1, 2):
            wait_for(lambda: supervisor.state is PortState.OPEN)
            assert server.connections == round_trip
            server.says(encode(State(boot_id=0x00FF, uptime_ms=0xFF, knob=0)))
            wait_for(lambda: states()[-1:] in ([DeviceState.OK], [DeviceState.BACK]))
            if round_trip == 1:
                server.hang_up()
                wait_for(lambda: DeviceState.LOST in states())
        assert states() == [DeviceState.OK, DeviceState.LOST, DeviceState.BACK]
        assert server.remote.dtr_sets
        assert all(server.remote.dtr_sets[1:]), "the line goes up once and stays up"
    finally:
        supervisor.stop()


def test_a_server_that_is_not_there_is_a_refused_port() -> None:
    readings: list[BridgeReading] = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    supervisor = PortSupervisor(f"rfc2217://127.0.0.1:{free}", readings.append)
    supervisor.start()
    try:
        wait_for(lambda: readings)
        (lost,) = readings
        assert isinstance(lost, DeviceChanged)
        assert "cannot be opened" in lost.detail or "went away" in lost.detail
    finally:
        supervisor.stop()
