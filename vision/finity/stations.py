"""Rings and posts: what stands on each station."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import POST, SIZES
from calibration.finity.view import View
from vision.finity.sighting import Sighting


class StationReader:
    """Reads stations from one pose; maps are made once.

    Args:
        calibration: how the board and its pieces look.
        pose: where the board lies.
    """

    def __init__(self, calibration: FinityCalibration, pose: Pose) -> None:
        self._letters = tuple("ABCD"[: calibration.appearance.players])

    def read(self, view: View, stations: Collection[str]) -> Mapping[str, Sighting]:
        """The seats and the post of each of these stations, by place."""
        nothing = dict.fromkeys((".", *self._letters), 1.0)
        seats = [f"{station}.{what}" for station in stations for what in (*SIZES, POST)]
        return {seat: Sighting(nothing, ("not looked at",)) for seat in seats}
