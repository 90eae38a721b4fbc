"""A calibration renewed in the middle of a game: the camera was moved and the lamp was, and the board is full."""

from __future__ import annotations

import queue
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.errors import RefusedError
from calibration.file import Calibration, load, save
from calibration.finity.procedure import Reference as FinityReference
from calibration.finity.procedure import calibrate as calibrate_finity
from calibration.finity.states import parse_state as parse_finity
from calibration.infinity.procedure import Reference, calibrate
from calibration.infinity.states import parse_state
from calibration.sampling import Picture
from calibration.suggested import suggested
from companion.config import CameraSection
from companion.devices import CameraEye, Stand, Taps
from companion.errors import InputError
from companion.evidence import DeviceChanged, Sight
from companion.recalibrating import renewed
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.lens import looking_at
from hw_sim.camera.positions import SET, Layout, random_layout, start_layout
from hw_sim.camera.presets import PRESETS
from hw_sim.camera.troubles import resting_scene
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.looks import FINITY_LOOKS
from hw_sim.finity.camera.positions import Standing, played, scene_of
from hw_sim.finity.scene import FinityScene
from hw_sim.scene import Hand
from tests.hw_sim_camera import finity_stand, stand
from vision.recogniser import recogniser_for

BOARD, FINITY = stand.board(), finity_stand.board()
LOOK, FINITY_LOOK = PRESETS["slate_window"], FINITY_LOOKS["oak_ceiling"]
HAND = (0.56, 0.35, 0.25)
PATTERN = "bwbbwwbw"


def laid(state: dict[str, Any]) -> Layout:
    left = list(SET)
    for letter in state["board"].replace("|", "").replace(".", ""):
        left.remove(letter)
    return Layout(state["board"], "".join(left), state.get("knob_stop", 0))


@cache
def infinity() -> Calibration:
    camera, rng = SimCamera(BOARD, look=LOOK, seed=1), np.random.default_rng(2)
    pairs = [
        Reference(str(number), camera.picture(resting_scene(laid(state), BOARD)), parse_state(state, BOARD))
        for number, state in enumerate(suggested(BOARD))
    ]
    return calibrate(BOARD, camera.picture(resting_scene(start_layout(rng), BOARD)), pairs)[0]


@cache
def moved() -> SimCamera:
    """The same board: its camera stands elsewhere, and the lamp does."""
    lamp = replace(LOOK.lamp, azimuth_deg=LOOK.lamp.azimuth_deg + 70)
    look = replace(LOOK, pose=looking_at(14, -20, -6, LOOK.lens.focal_px * 0.37, (5, 4)), lamp=lamp)
    return SimCamera(BOARD, look=look, seed=4)


MIDDLE = random_layout(np.random.default_rng(9))


def shown(layout: Layout, hands: tuple[Hand, ...] = ()) -> Picture:
    return moved().picture(replace(resting_scene(layout, BOARD), hands=hands))


@cache
def renewed_infinity() -> Calibration:
    return renewed(infinity(), shown(MIDDLE), {"board": MIDDLE.board})


def test_infinity_reads_on_with_another_lamp_and_place() -> None:
    rng, old_unsure, unsure = np.random.default_rng(1), 0, 0
    for _ in range(3):
        layout = random_layout(rng)
        picture = shown(layout)
        true = dict(zip(BOARD.slot_centres(), layout.board.replace("|", ""), strict=True))
        reading = recogniser_for(renewed_infinity()).look(picture)
        assert not [name for name, place in reading.places.items() if place.sure and place.label != true[name]]
        unsure += sum(not place.sure for place in reading.places.values())
        old_unsure += sum(not place.sure for place in recogniser_for(infinity()).look(picture).places.values())
    assert old_unsure > 24  # of 48: with the old one the evening would be over
    assert unsure <= 3


def test_the_renewed_calibration_is_a_file_like_any_other(tmp_path: Path) -> None:
    save(renewed_infinity(), tmp_path / "cal.json")
    again = load(tmp_path / "cal.json", "infinity")
    assert again.pose == renewed_infinity().pose
    assert again.lens == infinity().lens


@pytest.mark.parametrize("at", [(0.0, 40.0), (-30.0, 60.0), (40.0, 80.0)])
def test_a_hand_is_not_learnt_as_the_board(at: tuple[float, float]) -> None:
    hand = Hand(*at, 16.0, -80.0, HAND, False)
    with pytest.raises((InputError, RefusedError)) as told:
        renewed(infinity(), shown(MIDDLE, (hand,)), {"board": MIDDLE.board})
    assert any(word in str(told.value) for word in ("hand", "marker", "record"))


def test_a_board_that_shows_something_else_is_not_learnt() -> None:
    camera = SimCamera(BOARD, look=LOOK, seed=1)
    picture = camera.picture(resting_scene(MIDDLE, BOARD))
    other = MIDDLE.board.replace("B", "?", 1).replace("Y", "B", 1).replace("?", "Y", 1)
    with pytest.raises(InputError, match="does not look as the record has it"):
        renewed(infinity(), picture, {"board": other})


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.full((720, 1280, 3), 100, dtype=np.uint8), "is not seen"),
        (np.full((480, 640, 3), 100, dtype=np.uint8), "640x480"),
    ],
)
def test_a_picture_of_nothing_is_refused(picture: Picture, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        renewed(infinity(), picture, {"board": MIDDLE.board})


def test_another_zoom_is_refused() -> None:
    look = replace(LOOK, lens=replace(LOOK.lens, focal_px=LOOK.lens.focal_px * 1.5), pose=looking_at(25, -80, 8, 800))
    picture = SimCamera(BOARD, look=look, seed=1).picture(resting_scene(MIDDLE, BOARD))
    try:
        fresh = renewed(infinity(), picture, {"board": MIDDLE.board})
    except (RefusedError, InputError):
        return
    reading = recogniser_for(fresh).look(picture)
    true = dict(zip(BOARD.slot_centres(), MIDDLE.board.replace("|", ""), strict=True))
    assert {name: place.label for name, place in reading.places.items() if place.sure}.items() <= true.items()


@cache
def finity() -> tuple[Calibration, FinityScene]:
    camera, rng = FinityCamera(FINITY, look=FINITY_LOOK, seed=3), np.random.default_rng(7)
    table = FinityScene(2, PATTERN)
    (state,) = suggested(FINITY, players=2)
    standing = Standing(tuple(state["bridges"]), state["rings"], state["posts"], state["blockers"])
    scene = scene_of(standing, FINITY, 2, PATTERN, tiles={}, rng=rng, centre_rings="AB")
    pair = FinityReference("reference", camera.picture(scene), parse_finity(state, FINITY))
    return calibrate_finity(FINITY, camera.picture(table), [pair])[0], table


def finity_scene(moves: int, seed: int) -> tuple[FinityScene, Standing]:
    standing = played(2, PATTERN, np.random.default_rng(seed), moves)
    return scene_of(
        standing, FINITY, 2, PATTERN, tiles={}, rng=np.random.default_rng(seed), centre_rings="AB"
    ), standing


@cache
def moved_finity() -> FinityCamera:
    lamp = replace(FINITY_LOOK.lamp, azimuth_deg=FINITY_LOOK.lamp.azimuth_deg + 70)
    pose = looking_at(13, -40, -6, FINITY_LOOK.lens.focal_px * 0.66, (5, 4))
    return FinityCamera(FINITY, look=replace(FINITY_LOOK, pose=pose, lamp=lamp), seed=4)


def test_finity_reads_on_with_another_lamp_and_place(tmp_path: Path) -> None:
    old, _ = finity()
    scene, standing = finity_scene(12, 99)
    fresh = renewed(old, moved_finity().picture(scene), {"players": 2, **standing.to_json()})
    save(fresh, tmp_path / "cal.json")
    again = load(tmp_path / "cal.json", "finity")
    later, position = finity_scene(40, 40)
    picture, true = moved_finity().picture(later), position.labels(FINITY)
    reading = recogniser_for(again).look(picture)
    asked = {name: place for name, place in reading.places.items() if name not in reading.blind}
    assert not [name for name, place in asked.items() if place.sure and place.label != true.get(name, ".")]
    before = recogniser_for(old).look(picture)
    assert sum(not place.sure for place in asked.values()) <= sum(not place.sure for place in before.places.values())
    assert sum(not place.sure for place in asked.values()) <= 3


def test_finitys_hand_is_not_learnt_as_the_board() -> None:
    scene, standing = finity_scene(12, 99)
    over = replace(scene, hands=(Hand(-90.0, 10.0, 20.0, -80.0, HAND, False),))
    with pytest.raises((InputError, RefusedError), match=r"hands|record"):
        renewed(finity()[0], moved_finity().picture(over), {"players": 2, **standing.to_json()})


def test_finitys_other_players_are_refused() -> None:
    (state,) = suggested(FINITY, players=3)
    with pytest.raises((InputError, RefusedError)):
        renewed(finity()[0], moved_finity().picture(finity_scene(12, 99)[0]), state)


class Gives:
    """A capture of one picture, a little different every time."""

    def __init__(self, picture: Picture) -> None:
        self._picture, self._number = picture, 0

    def read(self) -> tuple[bool, Picture]:
        time.sleep(0.02)
        self._number += 1
        picture = self._picture.copy()
        picture[0, 0] = self._number % 256
        return True, picture

    def release(self) -> None:
        pass


def news(told: queue.Queue[Any]) -> str:
    while True:
        evidence = told.get(timeout=20)
        if isinstance(evidence, DeviceChanged) and "recalibrated" in evidence.detail:
            return evidence.detail


def test_the_eye_of_a_running_game_looks_with_the_new_one(tmp_path: Path) -> None:
    at = tmp_path / "cal.json"
    save(infinity(), at)
    told: queue.Queue[Any] = queue.Queue()
    section = CameraSection(device="/dev/v4l/by-id/usb-cam", calibration=at)
    eye = CameraEye(section, infinity(), told.put, Stand(open_capture=lambda _: Gives(shown(MIDDLE))), Taps())
    eye.start()
    try:
        eye.recalibrate({"board": MIDDLE.board.replace("B", "Y", 1)})
        assert news(told).startswith("not recalibrated: ")
        assert load(at).pose == infinity().pose
        eye.recalibrate({"board": MIDDLE.board})
        assert news(told) == "recalibrated"
        assert load(at).pose != infinity().pose
        while not isinstance(sight := told.get(timeout=20), Sight):
            pass
        sure = {name: place.label for name, place in sight.reading.places.items() if place.sure}
        true = dict(zip(BOARD.slot_centres(), MIDDLE.board.replace("|", ""), strict=True))
        assert len(sure) >= 14
        assert sure.items() <= true.items()
    finally:
        eye.stop()
