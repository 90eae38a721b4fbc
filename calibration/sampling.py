"""Looking a picture up at places between its pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import ROOT_OF_LINEAR, Values

Picture = NDArray[np.uint8]
"""(H, W, 3) BGR."""
Maps = NDArray[np.float32]
"""(..., 2) x and y in image pixels."""


def sample(picture: Picture, maps: Maps) -> Values:
    """Look a picture up at (..., 2) image pixels, between pixels where need be: (..., 3) roots of linear light."""
    shape = maps.shape[:-1]
    flat = maps.reshape(-1, shape[-1], 2)
    codes = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(ROOT_OF_LINEAR[codes].reshape(*shape, 3), dtype=np.float32)
