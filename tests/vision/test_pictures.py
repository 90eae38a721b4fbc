"""Picture files that are what they should be, and those that are not; and what is drawn into pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.calibration.scenes import calibrated, frame, scene
from vision.annotate import annotated_jpeg
from vision.errors import PictureError
from vision.infinity.recogniser import InfinityRecogniser
from vision.pictures import decode_picture, read_picture
from vision.reading import Reading, Status


def test_a_cut_off_jpeg_is_refused_wherever_it_was_cut() -> None:
    data = (scene(1) / "frames" / "f01.jpg").read_bytes()
    assert decode_picture(data).shape == (720, 1280, 3)
    for cut in (2, 100, len(data) // 2, len(data) - 1000, len(data) - 70):
        with pytest.raises(PictureError, match="cut off"):
            decode_picture(data[:cut], "f01.jpg")


@pytest.mark.parametrize(
    ("data", "told"), [(b"", "is empty"), (b"hello", "is no picture"), (b"\x89PNG", "is no picture")]
)
def test_what_is_no_picture_is_told(tmp_path: Path, data: bytes, told: str) -> None:
    file = tmp_path / "picture.jpg"
    file.write_bytes(data)
    with pytest.raises(PictureError, match=told):
        read_picture(file)


def test_absent_files_and_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="No such file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="cannot be read"):
        read_picture(tmp_path)


def test_what_is_seen_is_drawn_smaller_and_the_picture_stays() -> None:
    calibration = calibrated(scene(2))[0]
    picture = frame(scene(2), "f06")
    before = picture.copy()
    look = InfinityRecogniser(calibration)
    reading = look.look(picture)
    drawn = decode_picture(annotated_jpeg(picture, reading, calibration, 640, look.pose))
    plain = decode_picture(annotated_jpeg(picture, Reading(Status.NO_BOARD, detail="gone"), calibration, 640))
    assert drawn.shape == (360, 640, 3)
    assert np.array_equal(picture, before)
    board = (slice(20, 200), slice(200, 400))
    assert np.abs(drawn[board].astype(int) - plain[board]).max() > 60
