"""Finity's pieces drawn into a camera picture, as they were read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Pose, project
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import POST, SIZES, SlotPlace
from calibration.sampling import Picture
from vision.marks import Colour, cross, doubt, words
from vision.reading import PlaceReading, Reading

INK: dict[str, Colour] = {
    "A": (255, 200, 0),
    "B": (200, 0, 255),
    "C": (0, 255, 0),
    "D": (0, 170, 255),
    "b": (40, 40, 40),
    "w": (255, 255, 255),
}
"""BGR. The letters beside say the same, so that colour alone tells nothing; the pieces' own colours are in the picture
already."""
RIM = {"b": (255, 255, 255), "w": (0, 0, 0)}
BLIND: Colour = (150, 150, 150)


def draw_finity(drawn: Picture, reading: Reading, calibration: FinityCalibration, pose: Pose, scale: float) -> None:
    """Draw every place of a reading into a picture of `scale` times the calibrated size."""
    pen = _Pen(drawn, calibration, pose, scale)
    for place, seen in reading.places.items():
        if place in reading.blind:
            cv2.drawMarker(drawn, pen.middle(place), BLIND, cv2.MARKER_TILTED_CROSS, 6, 1, cv2.LINE_AA)
        elif seen.covered:
            cross(drawn, *pen.middle(place), 7)
        elif seen.label not in {".", None} or not seen.sure:
            pen.piece(place, seen)
    for station in calibration.board.stations(calibration.appearance.players):
        pen.names(station, reading)


class _Pen:
    def __init__(self, drawn: Picture, calibration: FinityCalibration, pose: Pose, scale: float) -> None:
        self._drawn, self._calibration, self._pose, self._scale = drawn, calibration, pose, scale
        self._board, self._tiles = calibration.board, calibration.appearance.tiles
        self._slots = {slot.name: slot for slot in self._board.slot_places(calibration.appearance.players)}

    def middle(self, place: str) -> tuple[int, int]:
        """Where a place's mark goes: rings at their front, so that those of a station stand apart."""
        if place in self._slots:
            return self._px(self._in_slot(place, [(0.0, 0.0)], self._board.bridge.top_z))[0]
        station, _, what = place.partition(".")
        if what == POST:
            return self._px(self._on_station(station, np.zeros((1, 2)), self._board.post.top_z))[0]
        inner, outer = self._board.rings.radii_sides[what]
        front = np.array([(0.0, -(inner + outer) / 2 * self._board.hex_side)])
        return self._px(self._on_station(station, front, self._board.rings.seat_z[what]))[0]

    def piece(self, place: str, seen: PlaceReading) -> None:
        label = seen.label or "?"
        if not seen.sure:
            # an empty seat that is in doubt says so without a guess
            doubt(self._drawn, *self.middle(place), 7, "?" if label == "." else f"{label.removeprefix('blocker ')}?")
        elif place not in self._slots:
            self._seat(place, label)
        elif label.startswith("blocker "):
            self._blocker(place, label.removeprefix("blocker "))
        else:
            self._bridge(self._slots[place], label)

    def names(self, station: str, reading: Reading) -> None:
        """The owners of a station's rings, small to large, under it."""
        owners = [
            f"{size}:{seen.label}"
            for size in SIZES
            if (seen := reading.places.get(f"{station}.{size}")) and seen.sure and seen.label != "."
        ]
        if owners:
            below = np.array([(0.0, -0.62 * self._board.hex_side)])
            at = self._px(self._on_station(station, below, self._board.tile.floor_z))[0]
            words(self._drawn, " ".join(owners), *at, (255, 255, 255), size=0.4)

    def _seat(self, place: str, label: str) -> None:
        station, _, what = place.partition(".")
        if what == POST:
            at = self.middle(place)
            cv2.circle(self._drawn, at, 8, INK[label], 2, cv2.LINE_AA)
            words(self._drawn, label, *at, (255, 255, 255), size=0.4)
            return
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        for radius in self._board.rings.radii_sides[what]:
            circle = radius * self._board.hex_side * np.stack([np.cos(turn), np.sin(turn)], axis=1)
            top = self._board.rings.seat_z[what] + self._board.rings.thickness
            self._outline(self._on_station(station, circle, top), INK[label], 1)

    def _bridge(self, slot: SlotPlace, label: str) -> None:
        colour, _, tail = label.partition(" ")
        reach = self._board.bridge.length_sides * self._board.hex_side / 2
        ends = [(-reach, 0.0), (reach, 0.0)]
        tail_px, tip_px = self._px(
            self._in_slot(slot.name, ends if tail == slot.stations[0] else ends[::-1], self._board.bridge.top_z)
        )
        cv2.arrowedLine(self._drawn, tail_px, tip_px, RIM[colour], 4, cv2.LINE_AA, tipLength=0.35)
        cv2.arrowedLine(self._drawn, tail_px, tip_px, INK[colour], 2, cv2.LINE_AA, tipLength=0.35)

    def _blocker(self, place: str, player: str) -> None:
        half = self._board.blocker.cube_sides * self._board.hex_side / 2
        corners = [(half, half), (half, -half), (-half, -half), (-half, half)]
        self._outline(self._in_slot(place, corners, self._board.blocker.top_z), INK[player], 2)
        at = self._px(self._in_slot(place, [(0.0, 0.0)], self._board.blocker.top_z))[0]
        words(self._drawn, player, *at, (255, 255, 255), size=0.4)

    def _outline(self, points_mm: Floats, ink: Colour, thick: int) -> None:
        cv2.polylines(self._drawn, [np.array(self._px(points_mm), dtype=np.int32)], True, ink, thick, cv2.LINE_AA)

    def _on_station(self, station: str, xy: NDArray[np.float64], z: float) -> Floats:
        return self._tiles.station_mm(self._board, station, np.column_stack([xy, np.full(len(xy), z)]))

    def _in_slot(self, place: str, xy: list[tuple[float, float]], z: float) -> Floats:
        return self._tiles.slot_mm(self._board, self._slots[place], np.array([(x, y, z) for x, y in xy]))

    def _px(self, points_mm: Floats) -> list[tuple[int, int]]:
        px = project(points_mm, self._calibration.lens, self._pose) * self._scale
        return [(round(x), round(y)) for x, y in px.tolist()]
