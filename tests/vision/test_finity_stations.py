"""Rings and posts read from pictures: never a wrong sure answer, and nearly always a sure one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.camera import Pose, solve_pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import SIZES
from calibration.finity.procedure import Reference, calibrate
from calibration.finity.states import parse_state
from calibration.finity.view import View, view_of
from calibration.markers import find_markers, gray
from calibration.sampling import Picture
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.looks import FINITY_LOOKS, random_finity_look
from hw_sim.finity.camera.positions import played, random_pattern, random_tiles, scene_of
from hw_sim.finity.camera.references import bare, references
from hw_sim.finity.scene import FinityScene, Piece, PieceKind
from hw_sim.scene import Hand
from tests.calibration.finity_scenes import (
    BOARD,
    SCENES,
    calibrated,
    hidden,
    labels,
    picture_of,
    scene,
    truth_of,
    truths,
    visible,
)
from tests.shared_material import shared
from vision.finity.sighting import Sighting
from vision.finity.stations import StationReader

Sightings = Mapping[str, Sighting]


def seen_by(calibration: FinityCalibration, picture: Picture, pose: Pose | None = None) -> View:
    pose = pose or calibration.pose
    view = view_of(picture, BOARD, calibration.lens, pose, calibration.appearance.light)
    assert view is not None
    return view


def stations(calibration: FinityCalibration) -> list[str]:
    return [name for name in BOARD.stations(calibration.appearance.players) if name != BOARD.map.centre]


@cache
def reader(folder: Path) -> StationReader:
    calibration, _ = calibrated(folder)
    return StationReader(calibration, calibration.pose)


def read(folder: Path, truth: dict[str, Any]) -> Sightings:
    calibration, _ = calibrated(folder)
    return reader(folder).read(seen_by(calibration, picture_of(folder, truth)), stations(calibration))


def wrong(sightings: Sightings, true: Mapping[str, str], but: frozenset[str] = frozenset()) -> list[str]:
    """Places that are told as sure and are not so."""
    return [
        f"{place}: {seen.label} for {true[place]}"
        for place, seen in sightings.items()
        if place not in but and not seen.doubts and seen.label != true[place]
    ]


def unsure(sightings: Sightings) -> dict[str, tuple[str, ...]]:
    return {place: seen.doubts for place, seen in sightings.items() if seen.doubts}


@pytest.mark.parametrize("number", SCENES)
def test_every_seat_of_the_shared_pictures_is_right(number: int) -> None:
    """Without a hand, nothing that is well in sight is left unsure either, in drifted light too."""
    folder = scene(number)
    for truth in truths(folder):
        if truth["kind"] in ("plain", "drift"):
            sightings = read(folder, truth)
            assert not wrong(sightings, labels(truth), hidden(truth)), truth["image"]
            shares = visible(folder, truth["image"])
            assert not {place for place in unsure(sightings) if shares[place] >= 0.6}, truth["image"]


@pytest.mark.parametrize("number", SCENES)
def test_under_a_hand_nothing_is_told_wrong(number: int) -> None:
    """Not even where the hand hides all: nobody is asked there, but skin is no ring of anybody's."""
    truth = truth_of(scene(number), "hand")
    assert not wrong(read(scene(number), truth), labels(truth))


@pytest.mark.parametrize("number", SCENES)
def test_a_bumped_board_is_read_from_its_new_pose(number: int) -> None:
    calibration, _ = calibrated(scene(number))
    truth = truth_of(scene(number), "bump")
    picture = picture_of(scene(number), truth)
    corners = find_markers(gray(picture), BOARD)
    pose, _ = solve_pose(corners, BOARD, calibration.lens, calibration.shrink, calibration.pose)
    sightings = StationReader(calibration, pose).read(seen_by(calibration, picture, pose), stations(calibration))
    assert not wrong(sightings, labels(truth), hidden(truth))
    assert not unsure(sightings)


def test_a_station_reads_alone_as_it_reads_among_all() -> None:
    calibration, _ = calibrated(scene(0))
    view = seen_by(calibration, picture_of(scene(0), truth_of(scene(0), "plain")))
    whole = reader(scene(0)).read(view, stations(calibration))
    assert list(whole) == [*dict.fromkeys(whole)]
    assert set(whole) == {f"{name}.{what}" for name in stations(calibration) for what in (*SIZES, "P")}
    for name in ("NW", "E"):
        alone = reader(scene(0)).read(view, [name])
        assert set(alone) == {f"{name}.{what}" for what in (*SIZES, "P")}
        for place, seen in alone.items():
            assert seen.label == whole[place].label
            assert seen.likelihoods == pytest.approx(whole[place].likelihoods, abs=1e-4)
    assert not reader(scene(0)).read(view, [])
    assert not reader(scene(0)).read(view, [BOARD.map.centre])


def test_likelihoods_are_of_all_labels_and_the_largest_is_one() -> None:
    for seen in read(scene(3), truth_of(scene(3), "plain")).values():
        assert set(seen.likelihoods) == {".", "A", "B", "C"}
        assert max(seen.likelihoods.values()) == 1
        assert min(seen.likelihoods.values()) >= 0


def test_what_is_out_of_sight_says_nothing() -> None:
    calibration, _ = calibrated(scene(0))
    high = replace(calibration.appearance.tiles, tower_height_mm=(500.0, 560.0))
    hidden_by_it = replace(calibration, appearance=replace(calibration.appearance, tiles=high))
    view = seen_by(calibration, picture_of(scene(0), truth_of(scene(0), "plain")))
    sightings = StationReader(hidden_by_it, calibration.pose).read(view, ["N"])
    told = [seen for seen in sightings.values() if seen.visible == 0]
    assert told
    for seen in told:
        assert set(seen.likelihoods.values()) == {1.0}
        assert seen.doubts == ("it is hidden",)


def test_seats_that_are_washed_out_are_not_guessed() -> None:
    calibration, _ = calibrated(scene(0))
    truth = truth_of(scene(0), "plain")
    picture = picture_of(scene(0), truth).copy()
    view = seen_by(calibration, picture)
    for name in ("NW", "S"):
        x, y = view.maps(np.array([(*BOARD.station_centres[name], 16.0)]))[0]
        picture[int(y) - 45 : int(y) + 45, int(x) - 45 : int(x) + 45] = 255
    sightings = reader(scene(0)).read(replace(view, picture=picture), ["NW", "S"])
    assert set(unsure(sightings)) == set(sightings)


@pytest.mark.long
def test_the_recorded_game_is_read_without_a_fault() -> None:
    folder = shared("images", "finity", "recording")
    for truth in truths(folder, "frames_truth.jsonl"):
        sightings = read(folder, truth)
        assert not wrong(sightings, labels(truth), hidden(truth)), truth["image"]
        if not truth["hand"]:
            assert not unsure(sightings), truth["image"]


class Table:
    """A simulated table with another set of colours, calibrated as people do."""

    def __init__(self, look: str, seed: int, players: int) -> None:
        chosen = FINITY_LOOKS.get(look) or random_finity_look(seed, BOARD)
        self.camera = FinityCamera(BOARD, look=chosen, seed=seed)
        self.players = players
        self.rng = np.random.default_rng([seed, 5])
        self.pattern = random_pattern(self.rng)
        self.tiles = random_tiles(BOARD, players, self.rng)
        empty = FinityScene(players, self.pattern, tiles=self.tiles)
        known = [
            Reference(f"reference {number}", self.picture(each), parse_state(state, BOARD))
            for number, (each, state) in enumerate(references(empty, BOARD, seed, 2))
        ]
        self.calibration, _ = calibrate(BOARD, self.picture(bare(empty)), known)
        self._reader = StationReader(self.calibration, self.calibration.pose)

    def picture(self, shown: FinityScene) -> Picture:
        return np.asarray(self.camera.picture(shown), dtype=np.uint8)

    def read(self, shown: FinityScene) -> Sightings:
        return self._reader.read(seen_by(self.calibration, self.picture(shown)), stations(self.calibration))

    def position(self, moves: int) -> tuple[FinityScene, dict[str, str]]:
        """A position after so many moves, and what stands on its seats."""
        standing = played(self.players, self.pattern, self.rng, moves)
        shown = scene_of(
            standing,
            BOARD,
            self.players,
            self.pattern,
            tiles=self.tiles,
            rng=self.rng,
            centre_rings="ABCD"[: self.players],
        )
        true = dict.fromkeys((place for place in BOARD.places(self.players) if "." in place), ".")
        return shown, {**true, **{place: label for place, label in standing.labels(BOARD).items() if "." in place}}


@cache
def simulated() -> Table:
    return Table("granite_window", 2, 2)


def test_another_set_of_colours_is_read() -> None:
    table = simulated()
    for moves in (0, 30):
        shown, true = table.position(moves)
        sightings = table.read(shown)
        assert not wrong(sightings, true)
        assert not {place: why for place, why in unsure(sightings).items() if sightings[place].visible > 0.6}


def test_foreign_things_on_a_seat_are_no_rings() -> None:
    """A blocker dropped on the seats, a bridge lying across them, a fallen post, and a finger pointing there."""
    table = simulated()
    shown, true = table.position(0)
    free = [name for name in stations(table.calibration) if true[f"{name}.P"] == "."]
    high = BOARD.rings.seat_z["L"]
    places = [BOARD.station_centres[name] for name in free]
    pieces = (
        Piece(PieceKind.BLOCKER, "A", "", places[0][0] + 17.0, places[0][1], high),
        Piece(PieceKind.BLOCKER, "B", "", places[1][0] + 6.0, places[1][1] - 2.0, 22.0),
        Piece(PieceKind.BRIDGE, "w", "", places[2][0] + 16.0, places[2][1], high, 90.0),
        Piece(PieceKind.POST, "A", "", places[3][0] + 14.0, places[3][1], high, 90.0, 90.0),
    )
    assert not wrong(table.read(replace(shown, pieces=(*shown.pieces, *pieces))), true)
    hand = Hand(places[4][0], places[4][1] + 4.0, 30.0, -80.0)
    assert not wrong(table.read(replace(shown, hands=(hand,))), true)


def test_rings_that_lie_askew_are_right_or_unsure() -> None:
    table = simulated()
    shown, true = table.position(40)
    for off in (1.0, 2.0, 3.0):
        moved = tuple(
            replace(piece, x_mm=piece.x_mm + off * 0.8, y_mm=piece.y_mm - off * 0.6)
            if piece.kind is PieceKind.RING
            else piece
            for piece in shown.pieces
        )
        sightings = table.read(replace(shown, pieces=moved))
        assert not wrong(sightings, true)
        if off < 1.5:
            assert not {place: why for place, why in unsure(sightings).items() if sightings[place].visible > 0.6}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 112))
def test_no_set_of_colours_tower_or_light_misleads(seed: int) -> None:
    table = Table("random", seed, 2 + seed % 3)
    asked = doubtful = 0
    for moves in (0, 20, 50):
        shown, true = table.position(moves)
        sightings = table.read(shown)
        assert not wrong(sightings, true)
        asked += len(sightings)
        doubtful += sum(bool(seen.doubts) and seen.visible > 0.6 for seen in sightings.values())
    assert doubtful <= 0.1 * asked
