"""Bridges and blockers: what lies in each slot."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.view import View
from vision.finity.sighting import Sighting


class SlotReader:
    """Reads slots from one pose; maps are made once.

    Args:
        calibration: how the board and its pieces look.
        pose: where the board lies.
    """

    def __init__(self, calibration: FinityCalibration, pose: Pose) -> None:
        look = calibration.appearance
        self._slots = {slot.name: slot for slot in calibration.board.slot_places(look.players)}
        self._blockers = tuple(f"blocker {letter}" for letter in "ABCD"[: look.players])

    def read(self, view: View, slots: Collection[str], known: Mapping[str, Sighting]) -> Mapping[str, Sighting]:
        """Each of these slots, by name.

        Args:
            known: what is known so far of the other places (rings, posts and neighbouring slots reach in and hide).
        """
        return {
            name: Sighting(dict.fromkeys((".", *self._slots[name].labels, *self._blockers), 1.0), ("not looked at",))
            for name in slots
        }
