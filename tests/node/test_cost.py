"""What a node costs the small machine that it runs on: processor time where nobody plays, memory where it looks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.mqtt.local_broker import free_port
from hw_sim.serial_port import SimSerialPort, board_at
from hw_sim.table import SimTable
from tests.cli.processes import ROOT, begun, cpu_s, environment, until
from tests.mqtt.material import Mosquitto
from tests.node.watched import LENGTH

BEGINS_S = 8.0
"""A node has loaded all that it needs by then."""
IDLE_SHARE = 0.02
MOST_MB = 120.0
BEAT_S = 0.02
PLAYS_S = 45.0
FRAMES_S = 10
"""Pictures a second: more than are looked at of a camera's fifteen on a small machine."""
HEAVY = ("cv2", "numpy", "scipy")


def config(folder: Path, page: int, more: str, broker: Mosquitto | None = None) -> Path:
    path = folder / "table.toml"
    mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n' if broker else ""
    journal = f'[journal]\npath = "{folder}/journal.sqlite"\n'
    path.write_text(f'[table]\nnode = "node"\n[page]\nport = {page}\n{journal}{mqtt}{more}')
    return path


def state(page: int) -> Any:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{page}/state", timeout=5) as answer:
            return json.load(answer)
    except OSError:
        return None


def memory_mb(process: int) -> dict[str, float]:
    """Resident set and proportional set: in the second a library that others have loaded, too, counts in part."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return {name: sizes[name] / 1024 for name in ("Rss", "Pss")}


def test_a_table_without_a_camera_loads_nothing_that_looks_at_pictures(tmp_path: Path) -> None:
    page = free_port()
    path = config(tmp_path, page, f'[serial]\nport = "{tmp_path}/board"\n')
    with begun(tmp_path, "referee", "--config", path) as process:
        until(lambda: (state(page) or {}).get("devices"), "the table")
        loaded = Path(f"/proc/{process.pid}/maps").read_text()
        assert not [name for name in HEAVY if f"/{name}/" in loaded]


@pytest.mark.long
@pytest.mark.timeout(180)
def test_an_idle_table_takes_a_fiftieth_of_a_core(tmp_path: Path) -> None:
    page, seconds = free_port(), 60.0
    table = SimTable(seed=1)
    with Mosquitto(tmp_path / "broker") as broker, SimSerialPort(tmp_path / "board") as port:
        board_at(table, port)
        path = config(tmp_path, page, f'[serial]\nport = "{port.path}"\n', broker)
        with begun(tmp_path, "referee", "--config", path) as process:
            began_s = time.monotonic()

            def pass_until(t_s: float) -> float:
                while time.monotonic() - began_s < t_s:
                    time.sleep(BEAT_S)
                    table.advance(time.monotonic() - began_s - table.now_s)
                return cpu_s(process.pid)

            used_s = -pass_until(BEGINS_S) + pass_until(BEGINS_S + seconds)
            assert state(page)["devices"]["board"]["state"] == "ok"
            print(f"{100 * used_s / seconds:.2f} % of a core over {seconds:.0f} s; {memory_mb(process.pid)} MB")
            assert used_s < IDLE_SHARE * seconds


class Film:
    """A game at a simulated table that begins when somebody opens the camera, filmed."""

    def __init__(self, path: Path, camera: Any, live: Any) -> None:
        self._camera = camera
        self._live = live
        self._over = threading.Event()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(1)
        self._server.settimeout(30)
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)

    def _run(self) -> None:
        import cv2

        eye, _ = self._server.accept()
        self._live.start()
        while not self._over.wait(1 / FRAMES_S):
            scene, light = self._live.see(self._live.clock())
            jpeg = cv2.imencode(".jpg", self._camera.picture(scene, light), [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
            try:
                eye.sendall(LENGTH.pack(len(jpeg)) + jpeg.tobytes())
            except OSError:
                break
        eye.close()

    def __enter__(self) -> Film:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(10)
        self._server.close()


@contextmanager
def watched(folder: Path, path: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.node.watched", str(path), str(folder / "camera")]
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out, env=environment(folder))
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_table_with_a_camera_stays_small_while_a_game_is_played(tmp_path: Path) -> None:
    from calibration.file import save
    from companion.cli.simulated import calibrated_camera
    from hw_sim.game_run import SimGame
    from hw_sim.live import LiveTable

    page, seen = free_port(), calibrated_camera("slate_window", 1)
    save(seen.calibration, tmp_path / "calibration.json")
    camera = f'[camera]\ndevice = "/dev/v4l/by-id/usb-cam"\ncalibration = "{tmp_path}/calibration.json"\n'
    sizes: list[dict[str, float]] = []
    with Mosquitto(tmp_path / "broker") as broker:
        path = config(tmp_path, page, camera, broker)
        live = LiveTable(SimGame(3, frame_s=0, sights=False))
        with Film(tmp_path / "camera", seen.camera, live), watched(tmp_path, path) as process:
            until(lambda: (state(page) or {}).get("devices"), "the table")
            ends_s = time.monotonic() + PLAYS_S
            while time.monotonic() < ends_s:
                time.sleep(0.5)
                sizes.append(memory_mb(process.pid))
                live.follow(len(state(page)["moves"]))  # on a busy machine people wait for the referee
            told = state(page)
        live.stop()
    largest = {name: max(size[name] for size in sizes) for name in ("Rss", "Pss")}
    middle = {name: sorted(size[name] for size in sizes)[len(sizes) // 2] for name in largest}
    print(f"mostly {middle} MB, at most {largest} MB; {len(told['moves'])} moves")
    assert len(told["moves"]) > 3
    assert largest["Pss"] < MOST_MB
