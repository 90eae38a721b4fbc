"""Picture files that are what they should be, and those that are not; and what is drawn into pictures."""

from __future__ import annotations

import struct
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.picture_size import stated_size
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


def png(width: int, height: int, *, squeezed: bytes = zlib.compress(bytes(1000))) -> bytes:
    """A PNG of two colours that says this of its size; some bytes can claim any."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", squeezed) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("width", "height"), [(20_000, 20_000), (65_535, 65_535), (2**31 - 1, 1), (2**31 - 1, 2**31 - 1)]
)
def test_some_bytes_that_claim_gigabytes_are_refused_unread(width: int, height: int) -> None:
    began_s = time.process_time()
    with pytest.raises(PictureError, match=f"{width}x{height} pixels are too many"):
        decode_picture(png(width, height))
    assert time.process_time() - began_s < 0.5


@pytest.mark.parametrize(("width", "height"), [(65_500, 65_500), (9_000, 9_000)])
def test_a_jpeg_that_claims_gigabytes_is_refused_unread(width: int, height: int) -> None:
    data = bytearray((scene(1) / "frames" / "f01.jpg").read_bytes())
    at = next(n for n in range(len(data)) if bytes(data[n : n + 2]) in (b"\xff\xc0", b"\xff\xc2"))
    assert stated_size(bytes(data)) == (1280, 720)
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    with pytest.raises(PictureError, match=f"{width}x{height} pixels are too many"):
        decode_picture(bytes(data))


def test_a_png_is_read_whole_or_not_at_all() -> None:
    """Cut off anywhere: what would be black or grey could look like a piece."""
    done, encoded = cv2.imencode(".png", frame(scene(1), "f01")[:96, :128])
    assert done
    data = encoded.tobytes()
    assert decode_picture(data).shape == (96, 128, 3)
    for cut in (8, 20, 30, len(data) // 2, len(data) - 12, len(data) - 1):
        with pytest.raises(PictureError, match="is no picture"):
            decode_picture(data[:cut])
