"""How OpenCV and the C library run in this process."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from calibration.file import Calibration
from calibration.sentences import Sentence

OPENBLAS = "numpy.libs/libscipy_openblas64_*"
"""Where NumPy's wheels keep their OpenBLAS; of other builds the environment (`OPENBLAS_NUM_THREADS`) must say it."""
M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
KEPT_BYTES = 64 << 20


def opencv_version() -> str:
    return str(cv2.__version__)


def other_opencv(calibration: Calibration) -> str:
    """What to tell where another OpenCV made the calibration; its last number does not move markers."""
    now = opencv_version()
    if now.split(".")[:2] == calibration.opencv.split(".")[:2]:
        return ""
    return Sentence(
        "was made with OpenCV {theirs} and this is {ours}, which may find markers a little "
        "elsewhere; calibrate again if places become unsure",
        theirs=calibration.opencv,
        ours=now,
    )


def one_thread() -> None:
    """Let OpenCV and NumPy's OpenBLAS work in the calling thread alone: on frames of this size and matrices of this
    size their threads cost more than they give, many times more where other processes want the cores."""
    cv2.setNumThreads(1)
    for path in Path(np.__file__).parent.parent.glob(OPENBLAS):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(str(path)).scipy_openblas_set_num_threads64_(1)


def keep_freed_memory() -> None:
    """Let glibc keep what is freed for the next frame.

    By default it gives every decoded picture's pages back and faults them in again, which doubles the time to decode.
    Elsewhere than on glibc nothing is done.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, KEPT_BYTES)
        libc.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
