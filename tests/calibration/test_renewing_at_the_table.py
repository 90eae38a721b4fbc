"""A game in which the camera is knocked over and the lamp is moved: recalibrated, it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibration.file import load, save
from calibration.sampling import Picture
from companion.config import CameraSection
from companion.devices import CameraEye, Stand, Taps, since_now
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.page.table import CommandResult, Request
from companion.table import Table
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.troubles import resting_scene
from tests.calibration.test_renewing import BOARD, LOOK, infinity, laid, moved

PATIENCE_S = 30.0


class Shown:
    """A capture of what lies before a simulated camera now."""

    def __init__(self, camera: SimCamera, board: str) -> None:
        self._show(camera, board)

    def _show(self, camera: SimCamera, board: str) -> None:
        self.pictures: list[Picture] = [camera.picture(resting_scene(laid({"board": board}), BOARD)) for _ in range(3)]

    def change(self, camera: SimCamera, board: str) -> None:
        self._show(camera, board)

    def read(self) -> tuple[bool, Picture]:
        time.sleep(0.05)
        pictures = self.pictures
        self.pictures = [*pictures[1:], pictures[0]]
        return True, pictures[0]

    def release(self) -> None:
        pass


def waited(condition: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < until, "nothing came of it"
        time.sleep(0.05)
    return found


def moves(loop: TableLoop) -> list[Any]:
    return [record["move"] for record in loop.records(0) if record["event"] == "move"]


def recalibrate(loop: TableLoop, transaction: str) -> CommandResult:
    seq: Any = loop.state()["seq"]
    return loop.command(Request("recalibrate", seq, transaction, {}, ""))


def said(loop: TableLoop, words: str) -> bool:
    return any(words in str(record.get("detail", "")) for record in loop.records(0) if record["event"] == "device")


def test_the_game_goes_on_after_camera_and_lamp_were_moved(tmp_path: Path) -> None:
    at = tmp_path / "cal.json"
    save(infinity(), at)
    camera = SimCamera(BOARD, look=LOOK, seed=1)
    capture = Shown(camera, "....|....|....|....")
    clock = since_now()
    loop = TableLoop(Table(game_named("infinity", {"first": "blue"})), [], clock=clock)
    section = CameraSection(device="/dev/v4l/by-id/usb-cam", calibration=at)
    stand = Stand(clock=clock, open_capture=lambda _: capture)
    loop.watch(CameraEye(section, infinity(), loop.put, stand, Taps()))
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        waited(lambda: said(loop, "") and loop.state())
        capture.change(camera, "B...|....|....|....")
        waited(lambda: moves(loop) == ["B1"])
        capture.change(moved(), "B...|....|....|....")
        assert recalibrate(loop, "one").ok
        waited(lambda: said(loop, "recalibrated"))
        assert not said(loop, "not recalibrated")
        assert load(at).pose != infinity().pose
        capture.change(moved(), "B...|Y...|....|....")
        waited(lambda: moves(loop) == ["B1", "Y2"])
        assert loop.state()["question"] is None
    finally:
        loop.stop()
        thread.join(10)


def test_a_table_without_a_camera_says_so() -> None:
    loop = TableLoop(Table(game_named("infinity", {})), [], clock=since_now())
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        result = recalibrate(loop, "one")
        assert not result.ok
        assert "no camera" in str(result.detail)
    finally:
        loop.stop()
        thread.join(10)
