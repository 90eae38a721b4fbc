"""What a calibrated camera has learnt of a Finity board: the bare board itself, its tiles and tower, and its pieces."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.camera import Lens, Pose
from calibration.file import packed, unpacked
from calibration.finity.board import FinityBoard
from calibration.finity.slots import SlotLook
from calibration.finity.stations import StationLook
from calibration.finity.tiles import Tiles
from calibration.light import LightReference
from calibration.picture_size import LARGEST_PX, stated_size
from calibration.sampling import Picture


@dataclass(frozen=True, slots=True)
class FinityAppearance:
    """Attributes:
    players: how many play on this layout: which stations and slots there are.
    empty: (H, W, 3) BGR, the picture of the bare board from `FinityCalibration.pose`.
    light: printed patches and the plain mat as `empty` shows them.
    tiles: how each tile lies against the board file, and the tower.
    stations, slots: how the pieces look that stand on stations and in slots.
    """

    players: int
    empty: Picture
    light: LightReference
    tiles: Tiles
    stations: StationLook
    slots: SlotLook


@dataclass(frozen=True, slots=True)
class FinityCalibration:
    """See `calibration.file.Calibration`."""

    board: FinityBoard
    lens: Lens
    pose: Pose
    shrink: float
    appearance: FinityAppearance
    opencv: str

    @property
    def game(self) -> str:
        return self.board.game

    @property
    def size(self) -> tuple[int, int]:
        return self.lens.width, self.lens.height

    def look_json(self) -> dict[str, Any]:
        look = self.appearance
        return {
            "players": look.players,
            "empty": _png(look.empty),
            "light": {"strip": packed(look.light.strip), "plain": packed(look.light.plain)},
            "tiles": look.tiles.to_json(),
            "stations": look.stations.to_json(),
            "slots": look.slots.to_json(),
        }

    @classmethod
    def from_json(
        cls, board: FinityBoard, lens: Lens, pose: Pose, shrink: float, opencv: str, data: Mapping[str, Any]
    ) -> FinityCalibration:
        """The calibration of a file's data; what is damaged in it raises KeyError, TypeError or ValueError."""
        empty = _picture(data["empty"])
        if empty.shape[:2] != (lens.height, lens.width):
            raise ValueError("the empty picture is not of the lens's size")
        appearance = FinityAppearance(
            int(data["players"]),
            empty,
            LightReference(unpacked(data["light"]["strip"]), unpacked(data["light"]["plain"])),
            Tiles.from_json(data["tiles"]),
            StationLook.from_json(data["stations"]),
            SlotLook.from_json(data["slots"]),
        )
        return cls(board, lens, pose, shrink, appearance, opencv)


def _png(picture: Picture) -> str:
    done, data = cv2.imencode(".png", picture)
    assert done, "OpenCV always encodes an 8-bit picture"
    return base64.b64encode(data.tobytes()).decode("ascii")


def _picture(text: str) -> Picture:
    data = base64.b64decode(text, validate=True)
    size = stated_size(data)
    fits = size is not None and size[0] * size[1] <= LARGEST_PX
    picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR) if fits else None
    if picture is None:
        raise ValueError("the empty picture is damaged")
    return np.asarray(picture, dtype=np.uint8)
