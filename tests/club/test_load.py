"""Many tables on one real broker: no event lost, every state on the page soon, and little work for the program."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.club.store import Store, open_to_read
from tests.club.material import AtBroker, ClubProgram, Viewer, seen_s
from tests.club.tables import truth_of
from tests.mqtt.material import Mosquitto, until

TOO_BUSY = "the machine has too much else to do to play that fast: measure again when it has not"


@dataclass(frozen=True, slots=True)
class Load:
    """How much there is to do.

    Attributes:
        pace_s: seconds for a move; people at a table of Infinity need about six.
        disk_s: seconds that a commit takes longer.
    """

    nodes: int
    tables: int
    seconds: float
    pace_s: float = 0.6
    disk_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it; both lists are sorted.

    Attributes:
        late_s: from when a table told a state to when a viewer saw it.
        own_s: the part of club and viewer in it, from when somebody else had it from the broker.
        pace_s: seconds for a move, as the machine has really played them.
    """

    states: int
    games: int
    late_s: list[float]
    own_s: list[float]
    pace_s: float
    cpu: float
    bytes_s: float

    def __str__(self) -> str:
        return (
            f"{self.states} states, {self.pace_s:.2f} s for a move, {self.games} games over; "
            f"seen after {_parts(self.late_s)}, of that in the club {_parts(self.own_s)}; "
            f"{self.cpu:.2f} of a core; {self.bytes_s / 1000:.0f} kB/s for a viewer"
        )


def _parts(seconds: list[float]) -> str:
    p50, p99, worst = (within(seconds, part) for part in (0.5, 0.99, 1.0))
    return f"{p50:.3f} s (half), {p99:.3f} s (99 %), {worst:.3f} s (all)"


def within(seconds: list[float], part: float) -> float:
    """The time in which this part of them all was done; they are sorted."""
    return seconds[int(part * (len(seconds) - 1))]


def run(folder: Path, load: Load) -> Figures:
    """Let tables play, and compare what they say of themselves with what a viewer and the store have."""
    truth = folder / "truth.jsonl"
    command = [sys.executable, "-m", "tests.club.tables", "{port}", str(truth), "--nodes", str(load.nodes)]
    command += ["--tables", str(load.tables), "--seconds", str(load.seconds), "--pace", str(load.pace_s)]
    with (
        Mosquitto(folder / "broker") as broker,
        ClubProgram(folder, broker.port, disk_s=load.disk_s) as club,
        Viewer(club.url) as viewer,
        AtBroker(broker.port) as heard,
    ):
        command[3] = str(broker.port)
        began_s, cpu_s = time.monotonic(), club.cpu_s()
        done = subprocess.run(command, timeout=load.seconds + 120, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, "the tables could not hand all events over"
        ran_s, cpu_s = time.monotonic() - began_s, club.cpu_s() - cpu_s
        facts = list(truth_of(truth))
        last = {fact["place"]: fact["seq"] for fact in facts if "seq" in fact}
        games = {fact["key"]: (fact["winner"], fact["score"]) for fact in facts if "key" in fact}
        complete = until(lambda: all(seen_s(viewer.saw, place, seq) is not None for place, seq in last.items()), 20)
        assert complete, "the page lacks states"
        timed = [fact for fact in facts if fact.get("connected")]
        late, own = [], []
        for place, seq, at_s in ((fact["place"], fact["seq"], fact["at_s"]) for fact in timed):
            shown_s = seen_s(viewer.saw, place, seq) or 1e9
            late.append(shown_s - at_s)
            own.append(shown_s - (seen_s(heard.saw, place, seq) or at_s))
        with closing(open_to_read(club.store)) as store:
            until(lambda: results_of(store) == games, 20)
            assert results_of(store) == games
        assert viewer.head["missed"] == 0
    played_s = timed[-1]["at_s"] - timed[0]["at_s"]
    pace_s = played_s * load.nodes * load.tables / len(timed)
    return Figures(len(late), len(games), sorted(late), sorted(own), pace_s, cpu_s / ran_s, viewer.bytes / ran_s)


def results_of(store: Store) -> dict[str, tuple[str | None, int | None]]:
    return {game.key: (game.winner, game.sides[0].points) for game in store.results()}


def test_twenty_tables_on_a_slow_disk_lose_nothing(tmp_path: Path) -> None:
    figures = run(tmp_path, Load(nodes=4, tables=5, seconds=6, pace_s=0.15, disk_s=0.2))
    print(figures)
    assert figures.games > 5


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_two_hundred_tables_for_ten_minutes_at_ten_times_human_speed(tmp_path: Path) -> None:
    figures = run(tmp_path, Load(nodes=20, tables=10, seconds=600))
    print(figures)
    assert figures.pace_s < 0.63, TOO_BUSY
    assert within(figures.late_s, 0.99) < 1.0
    assert figures.cpu < 1.0


@pytest.mark.long
def test_a_slow_disk_holds_up_nobody_who_looks_on(tmp_path: Path) -> None:
    """With 0.2 s more for a commit, as a worn memory card of a small computer takes."""
    figures = run(tmp_path, Load(nodes=20, tables=10, seconds=60, disk_s=0.2))
    print(figures)
    assert figures.pace_s < 0.63, TOO_BUSY
    assert within(figures.late_s, 0.99) < 1.0
