"""Simulated hours at a table where every device, the disk, the broker and the clock fail in turn."""

from __future__ import annotations

import gc
import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
import serial

import companion.devices
import companion.journal.journal
import companion.live
import companion.mqtt.desk
import firmware_bridge.pin_board
import firmware_bridge.port
import vision.camera
import vision.recogniser
from companion.config import Config
from companion.devices import Stand
from companion.journal.reader import read_journal
from companion.mqtt.local_broker import free_port
from companion.service.memory import give_back, share_one_heap
from companion.station import Station
from hw_sim.recording import wiring_json
from hw_sim.serial_port import SimSerialPort
from hw_sim.wires import TABLE_WIRING
from tests.campaigns.evening import TICK_S, Evening, PinSenses, Senses, SerialSenses
from tests.campaigns.lookers import EventCounter, FaithfulViewer
from tests.campaigns.stepped_devices import SteppedCamera, SteppedLine, SteppedPins, plain_calibration
from tests.campaigns.stepped_time import SteppedTime
from tests.campaigns.troubles import Trouble, Turns, camera_troubles, full_disk, stick, viewers
from tests.mqtt.material import Mosquitto, until

WEEKS = timedelta(weeks=3)
HOURS = float(os.environ.get("EVENING_HOURS", "24"))
"""A whole day; less where somebody wants to look quickly."""
SEED = int(os.environ.get("EVENING_SEED", "24"))
"""Another one is another day."""
AWAY_H, AGAIN_H = 2.0, 6.0
"""The broker is away for so many hours, and again after so many."""
LASTING = ("port ", "pins ", "camera ", "looking", "mqtt", "page")
LASTING_NAMES = 5
"""Of these threads a table with one kind of sensors has all but one; they live as long as it does."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Sensors at the table, what the config says of them, and the pins that they are at."""

    senses: Senses
    config: dict[str, Any]
    pin_factory: Any = None


def resident_kb() -> int:
    gc.collect()
    give_back()
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


class WallClock(datetime):
    """The time on the wall, which jumps."""

    off = timedelta(0)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> WallClock:
        return super().now(tz) + cls.off

    @classmethod
    def jump(cls) -> None:
        cls.off = WEEKS if cls.off <= timedelta(0) else -WEEKS


class BrokerAway:
    """Lets the broker be away for a part of the time, whatever else fails meanwhile."""

    def __init__(self, broker: Mosquitto, hours: float) -> None:
        self.times = 0
        self._broker = broker
        scale = min(1.0, hours / AGAIN_H)  # a short evening has short hours
        self._every_s, self._for_s = scale * AGAIN_H * 3600, scale * AWAY_H * 3600
        self._away = False

    def mind(self, now_s: float) -> None:
        away = self._every_s / 2 < now_s % self._every_s < self._every_s / 2 + self._for_s
        if away is not self._away:
            self._away = away
            self.times += away
            (self._broker.stop if away else self._broker.start)()


class HourlyLook:
    """What is looked at every hour: the program's size, and that all its threads live."""

    def __init__(self) -> None:
        self.resident_kb: dict[int, int] = {}
        self.lost: list[str] = []
        self._threads: list[threading.Thread] = []

    def first(self) -> None:
        self._threads = [thread for thread in threading.enumerate() if thread.name.startswith(LASTING)]
        assert len({thread.name.split()[0] for thread in self._threads}) == LASTING_NAMES

    def __call__(self, hour: int) -> None:
        self.resident_kb[hour] = resident_kb()
        self.lost += [f"{thread.name} by hour {hour}" for thread in self._threads if not thread.is_alive()]


def serial_senses(clock: SteppedTime, folder: Path, patch: pytest.MonkeyPatch) -> Fitted:
    line = SteppedLine(clock, SimSerialPort(folder / "board"))
    patch.setattr(serial, "Serial", line.serial_class())
    return Fitted(SerialSenses(line), {"serial": {"port": str(line.port.path)}})


def pin_senses(_clock: SteppedTime, _folder: Path, _patch: pytest.MonkeyPatch) -> Fitted:
    pins = SteppedPins()
    return Fitted(PinSenses(pins), {"gpio": wiring_json(TABLE_WIRING)}, pins.factory)


def stepped_clock(patch: pytest.MonkeyPatch) -> SteppedTime:
    """Let devices and the table go by simulated time, as fast as the table takes it."""
    clock = SteppedTime()
    clock.stand_in_for(patch, companion.devices, firmware_bridge.port, firmware_bridge.pin_board, vision.camera)
    patch.setattr(companion.live, "TICK_S", 0.0)
    patch.setattr(WallClock, "off", timedelta(0))
    for module in (companion.live, companion.journal.journal, companion.mqtt.desk):
        patch.setattr(module, "datetime", WallClock)
    return clock


@pytest.mark.timeout(0)
@pytest.mark.parametrize("fit", [serial_senses, pin_senses], ids=["serial", "pins"])
@pytest.mark.parametrize("hours", [0.1, pytest.param(HOURS, marks=pytest.mark.long)], ids=["short", "long"])
def test_everything_fails_in_turn_and_no_score_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: float, fit: Callable[..., Fitted]
) -> None:
    share_one_heap()  # as every node does
    clock, rng, hourly = stepped_clock(monkeypatch), random.Random(SEED), HourlyLook()
    camera = SteppedCamera(clock, plain_calibration())
    monkeypatch.setattr(vision.recogniser, "recogniser_for", lambda _: camera)
    fitted = fit(clock, tmp_path, monkeypatch)
    folder = tmp_path / "stick"
    before = set(threading.enumerate())
    with Mosquitto(tmp_path / "broker", persistent=True) as broker, EventCounter(broker.port) as counter:
        threads_of_test = set(threading.enumerate())
        config = Config.model_validate(
            {
                "table": {"node": "node"},
                "mqtt": {"host": "127.0.0.1", "port": broker.port},
                "page": {"port": free_port()},
                "journal": {"path": folder / "journal.sqlite"},
                "camera": {"device": "/dev/v4l/by-id/usb-cam", "calibration": tmp_path / "unused.json"},
                **fitted.config,
            }
        )
        evening = Evening(SEED, hours, clock, fitted.senses, camera)
        stand = Stand(clock, open_capture=camera.open, pin_factory=fitted.pin_factory)
        with Station(config, [evening], stand=stand, calibration=camera.calibration, tell=lambda _: None) as station:
            evening.loop, evening.link = station.loop, str(station.link)
            troubles = [
                *camera_troubles(camera),
                *fitted.senses.troubles(rng),
                stick(folder),
                full_disk(lambda: station.journal),
                Trouble("clock jumps", None, WallClock.jump, lambda: None),
                viewers(lambda: evening.link),
            ]
            away = BrokerAway(broker, hours)
            evening.turns = turns = Turns(troubles, rng, TICK_S)
            evening.begun, evening.hourly, evening.also = hourly.first, hourly, away.mind
            viewer = FaithfulViewer(evening.link)
            began_s, cpu_s = time.monotonic(), time.process_time()
            station.run(evening)
            turns.leave()  # a thread ends no sooner than the driver that it hangs in
            took_s, cpu_s = time.monotonic() - began_s, time.process_time() - cpu_s
            last = int(str(station.loop.state()["seq"]))
            assert until(lambda: viewer.last == last or viewer.broke_off, 20)
            viewer.leave()
        print(f"{hours} h in {took_s:.0f} s, {cpu_s:.0f} s of CPU: {evening.played}, {last} events")
        print(f"{turns.tally}, broker away {away.times} times; resident kB by hour: {hourly.resident_kb}")
        assert not evening.played.wrong
        assert not turns.tally.late
        assert not hourly.lost
        assert set(turns.tally.times) == {trouble.name for trouble in troubles}
        assert away.times
        assert not viewer.missed
        assert not viewer.broke_off
        with Station(without_devices(config), [], tell=lambda _: None) as again:  # what could not be sent in time
            thread = threading.Thread(target=again.run)
            thread.start()
            assert until(lambda: not again.journal.unsent(1), 60)
            again.loop.stop()
            thread.join(10)
        assert until(lambda: set(threading.enumerate()) <= threads_of_test, 10), threading.enumerate()
        last = _kept(folder / "journal.sqlite")
        assert until(lambda: counter.last == last, 20)
        assert not counter.missed
    assert until(lambda: set(threading.enumerate()) <= before, 10)
    if hours > 1:
        assert turns.tally.unseen.get("disk full", 0) < turns.tally.times["disk full"]
        assert hourly.resident_kb[max(hourly.resident_kb)] < 1.05 * hourly.resident_kb[1]


def without_devices(config: Config) -> Config:
    return config.model_copy(update={"camera": None, "serial": None, "gpio": None})


def _kept(path: Path) -> int:
    journal = read_journal(path)
    seqs = [record.seq for record in journal.records()]
    journal.close()
    assert seqs == list(range(1, len(seqs) + 1))
    return len(seqs)
