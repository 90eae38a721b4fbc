"""Pictures of Finity's board to `Reading`s."""

from __future__ import annotations

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.view import view_of
from calibration.sampling import Picture
from vision.finity.sighting import Sighting
from vision.finity.slots import SlotReader
from vision.finity.stations import StationReader
from vision.reading import PlaceReading, Reading, Status


class FinityRecogniser:
    """See `vision.recogniser.Recogniser`."""

    def __init__(self, calibration: FinityCalibration) -> None:
        self.calibration = calibration
        self._pose = calibration.pose
        self._stations = StationReader(calibration, self._pose)
        self._slots = SlotReader(calibration, self._pose)

    @property
    def pose(self) -> Pose:
        return self._pose

    def look(self, picture: Picture, check_pose: bool = True) -> Reading:
        c = self.calibration
        board, look = c.board, c.appearance
        view = view_of(picture, board, c.lens, self._pose, look.light)
        if view is None:
            return Reading(Status.BAD_IMAGE, detail="the light cannot be compared with the calibration's")
        stations = [name for name in board.stations(look.players) if name != board.map.centre]
        seen: dict[str, Sighting] = dict(self._stations.read(view, stations))
        seen.update(self._slots.read(view, [slot.name for slot in board.slot_places(look.players)], seen))
        places = {
            name: PlaceReading(seen[name].likelihoods, not seen[name].doubts, seen[name].covered)
            for name in board.places(look.players)
        }
        status = Status.OK if all(place.sure for place in places.values()) else Status.UNSURE
        return Reading(status, places)
