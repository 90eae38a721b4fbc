"""The positions that a person is asked to lay: they hold all that has to be learnt, and are enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.finity.board import PLAYER_COUNTS
from calibration.finity.board import reference_board as finity_board
from calibration.finity.hiding import visible_share
from calibration.finity.procedure import Reference as FinityReference
from calibration.finity.procedure import calibrate as calibrate_finity
from calibration.finity.states import parse_state as parse_finity
from calibration.finity.tiles import Tiles
from calibration.infinity.board import parse_infinity_board, reference_board
from calibration.infinity.procedure import Reference, calibrate
from calibration.infinity.states import parse_state
from calibration.preview import look
from calibration.suggested import suggested
from companion.games.registry import game_named
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.positions import SET, Layout, random_layout, start_layout
from hw_sim.camera.presets import PRESETS
from hw_sim.camera.troubles import resting_scene
from hw_sim.finity.camera.positions import Standing, played, random_tiles, scene_of
from hw_sim.finity.camera.references import bare
from hw_sim.finity.scene import FinityScene
from tests.hw_sim_camera import finity_stand
from vision.recogniser import recogniser_for

BOARD = finity_board()


def laid(state: dict[str, Any]) -> Layout:
    left = list(SET)
    for letter in state["board"].replace("|", "").replace(".", ""):
        left.remove(letter)
    return Layout(state["board"], "".join(left), state["knob_stop"])


def standing(state: dict[str, Any]) -> Standing:
    return Standing(tuple(state["bridges"]), state["rings"], state["posts"], state["blockers"])


def test_infinitys_show_every_kind_twice_with_few_marbles() -> None:
    board = reference_board()
    states = suggested(board)
    for state in states:
        slots = parse_state(state, board).slots
        assert sorted(label for label in slots.values() if label != ".") == list("BBKWYY")
    assert len({state["knob_stop"] for state in states}) == len(states)


@pytest.mark.parametrize(("channels", "slots"), [(1, 9), (2, 3), (3, 2), (9, 1), (5, 4)])
def test_infinitys_fit_other_boards(channels: int, slots: int) -> None:
    data = reference_board().to_json()
    data["channels"]["count"], data["slots"]["count"] = channels, slots
    board = parse_infinity_board(data)
    for state in suggested(board):
        labels = parse_state(state, board).slots.values()
        assert set("BYKW") <= set(labels)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_finitys_show_every_piece_of_every_player(players: int) -> None:
    for state in suggested(BOARD, players=players):
        known = parse_finity(state, BOARD)
        labels = {place: label for place, label in known.labels.items() if label != "."}
        for letter in known.letters:
            assert {place[-1] for place, label in labels.items() if label == letter} >= {"P"}
            assert any(label == letter and place[-1] in "SML" for place, label in labels.items())
            assert f"blocker {letter}" in labels.values()
        assert {label[0] for label in labels.values() if label[1:2] == " "} == {"b", "w"}
        assert {place[-1] for place in labels if place[-2] == "."} == set("SMLP")


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_a_game_can_begin_when_rings_and_bridges_are_taken_off(players: int) -> None:
    game = game_named("finity", {}, {"players": players, "pattern": "bwbbwbww"})
    start = game.position_json(game.start())
    for state in suggested(BOARD, players=players):
        assert state["posts"] == start["posts"]
        slots = {who: {BOARD.slot_named(name)[0] for name in names} for who, names in state["blockers"].items()}
        begun: Any = start["blockers"]
        assert slots == {who: {BOARD.slot_named(name)[0] for name in names} for who, names in begun.items()}


def test_posts_stand_where_the_players_sit() -> None:
    (state,) = suggested(BOARD, players=2, posts={"A": "SW", "B": "NE"})
    assert state["posts"] == {"A": "SW", "B": "NE"}
    assert not {"SW", "NE"} & set(state["rings"])
    parse_finity(state, BOARD)


def test_nothing_is_laid_behind_the_tower() -> None:
    camera = finity_stand.camera("warm_felt")
    seen = look(camera.picture(finity_stand.bare()), BOARD, players=2)
    assert seen.lens is not None
    assert seen.pose is not None
    (state,) = suggested(BOARD, players=2, seen_from=(seen.lens, seen.pose))
    tiles = Tiles.as_in_file(BOARD, 2)
    for place, label in parse_finity(state, BOARD).labels.items():
        if label != "." and not label.startswith("blocker") and not place.endswith(".P"):
            assert visible_share(BOARD, tiles, seen.lens, seen.pose, place) >= 0.8


@pytest.mark.parametrize("name", ["slate_window", "black_ceiling"])
def test_infinitys_are_enough_to_read_other_positions(name: str) -> None:
    board, rng = reference_board(), np.random.default_rng(8)
    camera = SimCamera(board, look=PRESETS[name], seed=2)
    empty = camera.picture(resting_scene(start_layout(rng), board))
    pairs = [
        Reference(str(number), camera.picture(resting_scene(laid(state), board)), parse_state(state, board))
        for number, state in enumerate(suggested(board))
    ]
    calibration, report = calibrate(board, empty, pairs)
    assert report.doubts == ()
    for _ in range(3):
        position = random_layout(rng)
        reading = recogniser_for(calibration).look(camera.picture(resting_scene(position, board)))
        assert reading.knob is not None
        assert (reading.knob.sure, reading.knob.label) == (True, str(position.knob_stop))
        labels = zip(board.slot_centres(), position.board.replace("|", ""), strict=True)
        assert {place: seen.label for place, seen in reading.places.items() if seen.sure} == dict(labels)


@pytest.mark.parametrize(("name", "players"), [("oak_ceiling", 2), ("dusk", 4)])
def test_finitys_are_enough_to_read_other_positions(name: str, players: int) -> None:
    rng = np.random.default_rng(8)
    camera = finity_stand.fresh_camera(name)
    table = FinityScene(players, "bwbbwwbw", tiles=random_tiles(BOARD, players, rng))

    def shown(position: Standing) -> FinityScene:
        letters = "ABCD"[:players]
        tiles = table.tiles
        return scene_of(position, BOARD, players, table.pattern, tiles=tiles, rng=rng, centre_rings=letters)

    pairs = [
        FinityReference(str(number), camera.picture(shown(standing(state))), parse_finity(state, BOARD))
        for number, state in enumerate(suggested(BOARD, players=players))
    ]
    calibration, report = calibrate_finity(BOARD, camera.picture(bare(table)), pairs)
    assert not [doubt for doubt in report.doubts if "no ring" in doubt or "no reference" in doubt]
    position = played(players, table.pattern, rng, 40)
    reading = recogniser_for(calibration).look(camera.picture(shown(position)))
    true = position.labels(BOARD)
    asked = {place: seen for place, seen in reading.places.items() if place not in reading.blind}
    assert not [place for place, seen in asked.items() if seen.sure and seen.label != true.get(place, ".")]
    assert sum(not seen.sure for seen in asked.values()) <= 0.03 * len(asked)
