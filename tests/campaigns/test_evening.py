"""Simulated hours at a table where every device, the disk, the broker and the clock fail in turn."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import companion.live
from companion.config import Config
from companion.devices import Stand
from companion.journal.reader import read_journal
from companion.mqtt.local_broker import free_port
from companion.station import Station
from tests.campaigns.evening import Evening, Trouble, look_at, stick
from tests.mqtt.material import Listener, Mosquitto, until

WEEKS = timedelta(weeks=3)


def resident_kb() -> int:
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


class WallClock:
    """The time on the wall, which jumps."""

    def __init__(self) -> None:
        self.off = timedelta(0)

    def now(self, zone: object = UTC) -> datetime:
        return datetime.now(UTC) + self.off

    def jump(self) -> None:
        self.off = WEEKS if self.off <= timedelta(0) else -WEEKS


def broker_away(broker: Mosquitto) -> Trouble:
    return Trouble("broker away", None, broker.stop, broker.start)


def clock_jumps(wall: WallClock) -> Trouble:
    return Trouble("clock jumps", None, wall.jump, lambda: None)


def viewers(evening: Callable[[], str | None]) -> Trouble:
    def come() -> None:
        link = evening()
        assert link is not None
        for _ in range(3):
            threading.Thread(target=look_at, args=(link,), name="viewer", daemon=True).start()

    return Trouble("viewers", None, come, lambda: None)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("hours", [0.25, pytest.param(24.0, marks=pytest.mark.long)], ids=["short", "long"])
def test_everything_fails_in_turn_and_no_score_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: float
) -> None:
    wall, sizes = WallClock(), {}
    monkeypatch.setattr(companion.live, "TICK_S", 0.0)  # simulated time passes as fast as the table takes it
    monkeypatch.setattr(companion.live, "datetime", wall)
    folder = tmp_path / "stick"
    before = set(threading.enumerate())
    with Mosquitto(tmp_path / "broker", persistent=True) as broker, Listener(broker.port) as listener:
        threads_of_test = set(threading.enumerate())
        more = [stick(folder), broker_away(broker), clock_jumps(wall), viewers(lambda: evening.link)]
        evening = Evening(int(hours), hours, more)
        config = Config.model_validate(
            {
                "table": {"node": "node"},
                "mqtt": {"host": "127.0.0.1", "port": broker.port},
                "page": {"port": free_port()},
                "journal": {"path": folder / "journal.sqlite"},
            }
        )
        with Station(config, [evening], stand=Stand(evening.clock), tell=lambda _: None) as station:
            station.journal._utc = lambda: wall.now().isoformat(timespec="milliseconds")
            evening.loop, evening.link = station.loop, station.link
            evening.hourly = lambda hour: sizes.update({hour: resident_kb()})
            began_s = time.monotonic()
            station.run(evening)
            took_s = time.monotonic() - began_s
        tally, last = evening.tally, _kept(folder / "journal.sqlite")
        print(f"{hours} h in {took_s:.0f} s: {tally.games} games, {tally.moves} moves, {last} events, {tally.troubles}")
        print(f"resident kB by hour: {sizes}")
        assert not tally.wrong
        assert not tally.late
        assert len(tally.troubles) == 9
        with Station(config, [], tell=lambda _: None) as again:  # what could not be sent in time is sent now
            thread = threading.Thread(target=again.run)
            thread.start()
            assert until(lambda: not again.journal.unsent(1), 60)
            again.loop.stop()
            thread.join(10)
        assert until(lambda: set(threading.enumerate()) <= threads_of_test, 10), threading.enumerate()
        last = _kept(folder / "journal.sqlite")
        assert until(lambda: listener.seqs()[-1:] == [last], 20)
        assert listener.seqs() == list(range(1, last + 1))
    assert until(lambda: set(threading.enumerate()) <= before, 10)
    if len(sizes) > 2:
        assert sizes[max(sizes)] < 1.05 * sizes[1]


def _kept(path: Path) -> int:
    journal = read_journal(path)
    seqs = [record.seq for record in journal.records()]
    journal.close()
    assert seqs == list(range(1, len(seqs) + 1))
    return len(seqs)
