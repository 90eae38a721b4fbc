"""A camera that hangs the other way round: the markers say which way the board lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.finity.procedure import Reference, calibrate
from calibration.finity.states import load_state
from calibration.sampling import Picture
from tests.calibration.finity_scenes import BOARD, labels, picture_of, scene, truth_of, wrong_places
from vision.finity.recogniser import FinityRecogniser
from vision.pictures import read_picture

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_places_keep_their_names_under_a_turned_camera(degrees: int) -> None:
    folder = scene(3)

    def turned(picture: Picture) -> Picture:
        return np.ascontiguousarray(cv2.rotate(picture, TURNS[degrees]), dtype=np.uint8)

    empty, first = (turned(read_picture(folder / f"{name}.jpg")) for name in ("empty", "ref1"))
    calibration, _ = calibrate(BOARD, empty, [Reference("ref1", first, load_state(folder / "ref1.json", BOARD))])
    truth = truth_of(folder, "plain")
    reading = FinityRecogniser(calibration).look(turned(picture_of(folder, truth)))
    assert wrong_places(reading, truth) == {}
    sure = [place for place in labels(truth) if reading.places[place].sure]
    assert len(sure) > 0.95 * len(reading.places)
