"""Picture files as arrays, with a clear word where one cannot be used."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from calibration.picture_size import JPEG_START, LARGEST_PX, stated_size
from calibration.sampling import Picture
from calibration.sentences import Sentence, system_sentence
from vision.errors import PictureError

JPEG_END = b"\xff\xd9"
SMALLEST = 64
"""Pixels along a side below which nothing of a board can be told."""


def read_picture(path: str | Path) -> Picture:
    """Read a picture file: (H, W, 3) uint8, BGR.

    Raises:
        PictureError: where the file is absent, empty, no picture, or cut off.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PictureError(
            Sentence("{path}: the picture cannot be read: {why}", path=str(path), why=system_sentence(error))
        ) from None
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str = "picture") -> Picture:
    """Decode a JPEG or PNG; `name` is told in errors.

    A JPEG that ends early would decode with grey where its rest should be, and grey can look like a piece: refused.
    So is a picture that would take more memory than a small computer has.
    """
    if not data:
        raise PictureError(Sentence("{name}: the file is empty", name=name))
    if data.startswith(JPEG_START) and JPEG_END not in data[-64:]:
        raise PictureError(Sentence("{name}: the JPEG is cut off; copy or take it again", name=name))
    size = stated_size(data)
    if size is not None and size[0] * size[1] > LARGEST_PX:
        raise PictureError(
            Sentence(
                "{name}: {width}x{height} pixels are too many; make the picture smaller",
                name=name,
                width=size[0],
                height=size[1],
            )
        )
    decoded = None if size is None else _decoded(data)
    if decoded is None:
        raise PictureError(Sentence("{name}: is no picture (JPEG and PNG can be read)", name=name))
    if min(decoded.shape[:2]) < SMALLEST:
        raise PictureError(
            Sentence(
                "{name}: is only {width}x{height} pixels", name=name, width=decoded.shape[1], height=decoded.shape[0]
            )
        )
    return decoded


def _decoded(data: bytes) -> Picture | None:
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # a header that OpenCV itself finds absurd
        return None
    return None if decoded is None else np.asarray(decoded, dtype=np.uint8)


def encode_jpeg(picture: Picture, quality: int = 90) -> bytes:
    """Encode a picture as it is: (H, W, 3) uint8, BGR; `quality` 1 to 100."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "OpenCV always encodes an 8-bit picture"
    return data.tobytes()
