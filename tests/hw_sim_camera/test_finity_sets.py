"""Sets of pictures of Finity, their looks and what they say is hidden."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import InputError
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.cover import cover_of
from hw_sim.finity.camera.looks import FINITY_LOOKS, is_whole, random_finity_look
from hw_sim.finity.camera.positions import played, random_pattern, shows_all
from hw_sim.finity.camera.render_set import KINDS, render_finity_set
from hw_sim.finity.camera.troubles import MAKERS
from hw_sim.finity.scene import PieceKind
from hw_sim.scene import Hand, Thing, ThingKind
from tests.hw_sim_camera.finity_stand import STANDING, bare, board, camera, scene
from tests.hw_sim_camera.test_markers import corners_in

HARD = ("hand", "held", "fallen", "pile", "no_board")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, object]]]:
    folder = tmp_path_factory.mktemp("set")
    truths = render_finity_set(folder, 4, look=FINITY_LOOKS["cold_tubes"], players=3, kinds=HARD, references=1)
    return folder, {str(truth["kind"]): truth for truth in truths}


def test_a_set_is_complete(drawn: tuple[Path, dict[str, dict[str, object]]]) -> None:
    folder, truths = drawn
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    assert lines == list(truths.values())
    assert [line["kind"] for line in lines] == list(HARD)
    for name in ("empty.jpg", "ref1.jpg", *(line["image"] for line in lines)):
        picture = cv2.imread(str(folder / name))
        assert picture is not None
        assert picture.shape == (720, 1280, 3)
    keys = {"image", "game", "players", "pattern", "bridges", "rings", "posts", "blockers", "hidden", "hand", "kind"}
    assert all(keys <= set(line) for line in lines)
    assert len({line["pattern"] for line in lines}) == 1
    reference = json.loads((folder / "ref1.json").read_text())
    assert len({owner for rings in reference["rings"].values() for owner in rings.values()}) == 3
    assert json.loads((folder / "empty.json").read_text())["posts"] == {}


def test_the_truth_tells_of_troubles(drawn: tuple[Path, dict[str, dict[str, object]]]) -> None:
    folder, truths = drawn
    assert truths["hand"]["hand"]
    assert truths["held"]["hand"]
    assert not truths["pile"]["hand"]
    assert truths["fallen"]["doubtful"]
    assert isinstance(truths["fallen"]["posts"], dict)
    assert len(truths["fallen"]["posts"]) == 2
    assert truths["no_board"]["bridges"] is None
    assert truths["no_board"]["hidden"] == list(board().places(3))
    seen = json.loads((folder / "detail" / "f01.json").read_text())["places"]
    assert [item["place"] for item in seen] == list(board().places(3))
    assert truths["hand"]["hidden"] == [item["place"] for item in seen if item["visible_fraction"] < 0.4]


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 8), ("b", 8)):
        render_finity_set(tmp_path / name, seed, look=FINITY_LOOKS["dusk"], kinds=("nudged",), references=0)
    frames = [(tmp_path / name / "frames" / "f01.jpg").read_bytes() for name in "ab"]
    assert frames[0] == frames[1]


def test_nonsense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no kind of frame is called 'fog'"):
        render_finity_set(tmp_path, 1, kinds=("fog",))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="give another folder"):
        render_finity_set(tmp_path / "file", 1, look=FINITY_LOOKS["dusk"], kinds=(), references=0)


def test_every_kind_makes_a_frame_of_the_same_table() -> None:
    assert KINDS.count("plain") == 5
    assert set(KINDS) == set(MAKERS)
    for kind, make in MAKERS.items():
        frame = make(STANDING, scene(), board(), np.random.default_rng([3, len(kind)]))
        assert (frame.scene.players, frame.scene.pattern) == (scene().players, scene().pattern)
        changes = frame.scene != scene() or frame.light.exposure != 1 or frame.light.white_balance != (1, 1, 1)
        assert changes == (kind != "plain")


def test_the_tower_hides_what_lies_behind_it_and_nothing_else() -> None:
    cover = cover_of(camera("dark_low_lamp"), bare())
    camera_mm = camera("dark_low_lamp").stage(bare()).view.camera_mm
    hidden = [name for name, share in cover.items() if share < 0.4]
    assert hidden
    away = math.atan2(-camera_mm[1], -camera_mm[0])
    for name in hidden:
        slot, _ = board().slot_named(name)
        aside = (math.atan2(slot.y_mm, slot.x_mm) - away + math.pi) % (2 * math.pi) - math.pi
        assert abs(aside) < math.radians(40)
        assert math.hypot(slot.x_mm, slot.y_mm) < 100
    assert sum(share < 0.9 for share in cover.values()) < 15


def test_hands_and_things_hide_what_is_under_them() -> None:
    x, y = board().station_centres["W"]
    sim = camera("oak_ceiling")
    free = cover_of(sim, scene(), STANDING.labels(board()))
    assert min(share for name, share in free.items() if not name.startswith("C>")) > 0.8
    phone = Thing(ThingKind.PHONE, x, y, 25.0, 90.0, (0.1, 0.1, 0.1))
    assert cover_of(sim, replace(scene(), things=(phone,)))["W.L"] < 0.1
    finger = cover_of(sim, replace(scene(), hands=(Hand(x, y, 30.0, 180.0),)))
    assert finger["W.P"] < 0.5
    assert finger["E.P"] > 0.95


def test_what_lies_beyond_the_picture_is_not_in_sight() -> None:
    cover = cover_of(camera("oak_ceiling"), replace(bare(), bump_mm=(-230.0, 0.0)))
    assert cover["W.M"] == 0
    assert cover["E.M"] > 0.9


@pytest.mark.parametrize("name", list(FINITY_LOOKS))
def test_a_look_shows_all_of_the_board(name: str) -> None:
    look = FINITY_LOOKS[name]
    assert look.name == name
    assert is_whole(board(), look.lens, look.pose)
    assert 11 <= look.cone_mm <= 18


@pytest.mark.parametrize("name", ["dark_low_lamp", "dusk"])
def test_the_markers_are_found_where_they_are(name: str) -> None:
    sim = FinityCamera(board(), look=FINITY_LOOKS[name], seed=3)
    found = corners_in(sim.picture(bare()))
    assert sorted(found) == sorted(board().aruco.ids)
    view = sim.stage(bare()).view
    for marker, corners in board().aruco.corners().items():
        # Blur moves the edges of a black square on white paper inwards by up to half a pixel.
        assert np.linalg.norm(found[marker] - view.project(np.array(corners)), axis=1).max() < 1.5


def test_random_looks_differ_and_show_all_of_the_board() -> None:
    drawn = [random_finity_look(seed, board()) for seed in range(25)]
    assert all(is_whole(board(), look.lens, look.pose) for look in drawn)
    assert len({look.pose for look in drawn}) == 25
    assert len({look.colours for look in drawn}) == 25
    assert random_finity_look(7, board()) == random_finity_look(7, board())
    assert max(look.cone_mm for look in drawn) - min(look.cone_mm for look in drawn) > 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_come_from_play(players: int) -> None:
    rng = np.random.default_rng(players)
    pattern = random_pattern(rng)
    standings = [played(players, pattern, rng, 50) for _ in range(12)]
    assert any(shows_all(standing, players, board()) for standing in standings)
    for standing in standings:
        labels = standing.labels(board())
        assert set(labels) <= set(board().places(players))
        assert len(standing.posts) == players
        assert len(labels) == sum(map(len, standing.rings.values())) + len(standing.bridges) + players + sum(
            map(len, standing.blockers.values())
        )


def test_pieces_lie_near_their_places() -> None:
    seen = scene().pieces
    post = next(p for p in seen if (p.kind, p.colour) == (PieceKind.POST, "A"))
    x, y = board().station_centres["N"]
    assert math.hypot(post.x_mm - x, post.y_mm - y) < 1
    # The bridge from NE to E lies between them and points that way.
    start, end = (np.array(board().station_centres[name]) for name in ("NE", "E"))
    way = math.degrees(math.atan2(*(end - start)[::-1]))
    bridges = [p for p in seen if p.kind is PieceKind.BRIDGE]
    nearest = min(bridges, key=lambda p: math.dist((p.x_mm, p.y_mm), (start + end) / 2))
    assert abs((nearest.turn_deg - way + 180) % 360 - 180) < 5
    assert {p.z_mm for p in bridges} == {board().tile.floor_z}
