"""What many viewers cost the server: its processor time with one and with twenty, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from companion.page.app import create_app
from companion.page.pictures import PICTURE_S
from companion.page.server import PageServer
from tests.page.fake_table import TOKEN
from tests.page.finity_table import FakeFinityTable
from tests.page.test_finity import MOVES

VIEWERS = 20
MOST_CORES = 0.15
"""What twenty viewers may cost more than one."""
MEASURED_S = 8.0


class FilmedTable(FakeFinityTable):
    """A game of Finity whose camera has a new picture, of the usual size, each time it is asked."""

    def __init__(self) -> None:
        super().__init__(MOVES)
        rng = np.random.default_rng(1)
        soft = cv2.GaussianBlur(rng.integers(0, 256, (540, 960, 3), dtype=np.uint8), (9, 9), 0)
        self._frames = [np.roll(soft, 7 * step, axis=1) for step in range(8)]

    def picture(self) -> tuple[bytes, float] | None:
        self.shots_taken += 1
        done, jpeg = cv2.imencode(".jpg", self._frames[self.shots_taken % 8], [cv2.IMWRITE_JPEG_QUALITY, 80])
        assert done
        return jpeg.tobytes(), 0.0


def main() -> None:
    """Serve a filmed table on which something happens twice a second; says its processor time when a line comes."""
    table = FilmedTable()
    with PageServer(create_app({"table": table}, token=TOKEN), port=0) as server:
        print(server.url, flush=True)
        threading.Thread(target=_busy, args=(table,), daemon=True).start()
        for _ in sys.stdin:
            print(time.process_time(), table.shots_taken, flush=True)


def _busy(table: FilmedTable) -> None:
    for number in range(10_000):
        time.sleep(0.5)
        table.tell("occluded" if number % 2 else "clear", then={"covered": bool(number % 2)}, places=[])


@contextmanager
def looking(url: str, count: int) -> Iterator[list[int]]:
    """Viewers of page and picture until the block ends; each counts the pictures that it got."""
    over = threading.Event()
    got = [0] * count

    def pictures(viewer: int) -> None:
        with httpx.Client(timeout=10) as client:
            while not over.is_set():
                data = client.get(f"{url}pictures").content
                at = 0
                while at < len(data):
                    length = int.from_bytes(data[at : at + 4], "big")
                    got[viewer] += length > 0
                    at += 8 + length

    def events() -> None:
        with httpx.stream("GET", f"{url}events", timeout=10) as response:
            for _ in response.iter_bytes():
                if over.is_set():
                    return

    work = [threading.Thread(target=pictures, args=(viewer,)) for viewer in range(count)]
    work += [threading.Thread(target=events) for _ in range(count)]
    for each in work:
        each.start()
    yield got
    over.set()
    for each in work:
        each.join()


@pytest.mark.long
def test_twenty_viewers_cost_little_more_than_one() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.page.test_viewers"]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        stdin, stdout = server.stdin, server.stdout
        url = stdout.readline().strip()

        def spent() -> tuple[float, int]:
            stdin.write("\n")
            stdin.flush()
            seconds, shots = stdout.readline().split()
            return float(seconds), int(shots)

        cores, rates = {}, {}
        for count in (1, VIEWERS):
            with looking(url, count) as got:
                time.sleep(2.0)
                (before, drawn_before), got_before = spent(), sum(got)
                time.sleep(MEASURED_S)
                (after, drawn_after), got_after = spent(), sum(got)
            cores[count] = (after - before) / MEASURED_S
            rates[count] = (got_after - got_before) / count / MEASURED_S
            assert drawn_after - drawn_before <= 1.2 * MEASURED_S / PICTURE_S
        stdin.close()
    more = cores[VIEWERS] - cores[1]
    print(
        f"one viewer: {cores[1]:.3f} cores; {VIEWERS}: {cores[VIEWERS]:.3f}, at {rates[VIEWERS]:.1f} pictures a second"
    )
    assert rates[VIEWERS] > 0.5 / PICTURE_S, "the viewers did not see a film"
    assert more < MOST_CORES


if __name__ == "__main__":
    main()
