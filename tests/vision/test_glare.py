"""Lamps mirrored in glossy marbles and bare seats: a white patch is left out, doubted, and never read as a piece."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture
from tests.calibration.scenes import BOARD, calibrated, frame, scene
from tests.vision.test_trouble import BLUE, DARK, WHITE, assert_nothing_wrong, truth
from tests.vision.trouble import px
from vision.infinity.recogniser import InfinityRecogniser


def with_glare(picture: Picture, calibration: InfinityCalibration, place: str, share: float, towards: float) -> Picture:
    """A marble's circle with a white patch over this share of it.

    Args:
        towards: how far the patch lies off the centre, in radii; 1 is the rim.
    """
    x, y, z = BOARD.slot_centres()[place]
    at, edge = px(calibration, x, y, z), px(calibration, x + BOARD.marble.d / 2, y, z)
    radius = float(np.linalg.norm(edge - at))
    patch = radius * share**0.5
    centre = at + radius * towards * np.array([0.6, -0.8])
    mask = np.zeros(picture.shape[:2], np.uint8)
    in_16ths = [int(value * 16) for value in (*centre, patch)]
    cv2.circle(mask, (in_16ths[0], in_16ths[1]), in_16ths[2], 255, -1, cv2.LINE_AA, 4)
    covered = cv2.GaussianBlur(mask, (0, 0), 0.7)[..., None] / 255.0
    return np.asarray(np.clip(picture * (1 - covered) + 255 * covered, 0, 255), dtype=np.uint8)


SHARES = ((0.12, 0.3), (0.3, 0.3), (0.45, 0.5), (0.1, 0.9))
"""From a small highlight off the centre to nearly half of it white; the last one is a bright rim."""


@pytest.mark.parametrize("number", [DARK, WHITE, pytest.param(BLUE, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("share", "towards"),
    [SHARES[0], SHARES[2], *(pytest.param(*each, marks=pytest.mark.long) for each in SHARES[1::2])],
)
def test_a_lamp_mirrored_in_a_place_makes_it_no_other(number: int, share: float, towards: float) -> None:
    """Marbles of every kind and bare seats: each is what it is, or in doubt; coloured or black is never white."""
    look = InfinityRecogniser(calibrated(scene(number))[0])
    true = truth(number, "f02")
    for slot in range(1, 5):  # a lamp in every channel at once
        picture = frame(scene(number), "f02")
        for channel in range(1, 5):
            picture = with_glare(picture, look.calibration, f"{channel}.{slot}", share, towards)
        assert_nothing_wrong(dict(look.look(picture).places), true)
