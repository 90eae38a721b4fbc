"""From linear light to a camera's bytes: lens blur, vignetting, exposure, white balance, gamma, sharpening, noise."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from hw_sim.camera.lens import Floats, Rect, floats
from hw_sim.camera.look import Sensor
from hw_sim.camera.shading import Layers, Rig, colour
from hw_sim.scene import Light

GAMMA = 1 / 2.2
MARGIN_PX = 6
"""How many pixels around a changed rectangle blur and sharpening reach."""
_SPARE = 64
"""How much larger than a picture the tile of noise is, for random offsets."""


def _noise_by_level() -> Floats:
    """Noise of the coded value against that at mid grey, for each of 256 coded values.

    Photons make noise that grows with the root of the light, the read-out adds a constant; the gamma curve stretches
    both in the dark.
    """
    coded = np.arange(256) / 255
    light = coded ** (1 / GAMMA)
    sigma = np.sqrt(0.00012 + 0.012 * light)
    slope = GAMMA * (light + 0.006) ** (GAMMA - 1)
    noise = sigma * slope
    noise[250:] *= np.linspace(1, 0.2, 6)
    return np.asarray(noise / noise[128], np.float32)


class SensorModel:
    """One camera's sensor. Pictures are (rows, columns, 3), blue first."""

    def __init__(self, sensor: Sensor, size: tuple[int, int], seed: int) -> None:
        self._sensor = sensor
        self._size = size
        self._rng = np.random.default_rng([seed, 7])
        self._by_level = _noise_by_level()
        self._tile = self._make_tile()
        self._vignette = self._make_vignette()

    def _make_tile(self) -> Floats:
        """Noise of standard deviation 1: a little alike in neighbouring pixels and between colours, as after
        demosaicing."""
        shape = (self._size[1] + _SPARE, self._size[0] + _SPARE, 3)
        tile = self._rng.standard_normal(shape, dtype=np.float32)
        tile = np.asarray(cv2.GaussianBlur(tile, (0, 0), 0.55), np.float32)
        tile += 0.5 * tile.mean(axis=2, keepdims=True)
        return np.asarray(tile / tile.std(), np.float32)

    def _make_vignette(self) -> Floats:
        x = (np.arange(self._size[0], dtype=np.float32) - (self._size[0] - 1) / 2) / (self._size[0] / 2)
        y = (np.arange(self._size[1], dtype=np.float32) - (self._size[1] - 1) / 2) / (self._size[0] / 2)
        r2 = (x[None, :] ** 2 + y[:, None] ** 2) / 1.32
        return np.asarray(1 - self._sensor.vignette * r2, np.float32)

    def code(self, seen: Layers, lamp: Rig, rect: Rect, light: Light) -> tuple[Floats, Floats]:
        """Coded values (0 to 255, not yet rounded) of a rectangle, and their noise against mid grey's."""
        gains = np.array(light.white_balance, np.float32) * np.float32(light.exposure)
        vignette = self._vignette[rect.slices]
        values = cv2.merge([plane * vignette for plane in reversed(colour(seen, lamp, gains))])
        values = cv2.GaussianBlur(values, (0, 0), self._sensor.blur_px, dst=values)
        coded = cv2.pow(np.clip(values, 0, 1, out=np.asarray(values, np.float32)), GAMMA)
        if self._sensor.sharpen:
            blurred = cv2.GaussianBlur(coded, (0, 0), 1.0)
            coded = cv2.addWeighted(coded, 255 * (1 + self._sensor.sharpen), blurred, -255 * self._sensor.sharpen, 0)
        else:
            coded = np.asarray(coded) * np.float32(255)
        levels = np.clip(coded, 0, 255).astype(np.uint8)
        return floats(coded), floats(cv2.LUT(levels, self._by_level))

    def expose(self, coded: Floats, noise: Floats, light: Light) -> npt.NDArray[np.uint8]:
        """One picture: noise of its own, rounded, clipped, compressed where the camera does so."""
        x, y = (int(n) for n in self._rng.integers(0, _SPARE, 2))
        sign = -1.0 if self._rng.integers(0, 2) else 1.0
        tile = self._tile[y : y + self._size[1], x : x + self._size[0]]
        grain = cv2.multiply(noise, tile, scale=sign * 255 * light.noise * self._sensor.noise)
        picture = np.asarray(cv2.add(coded, grain, dtype=cv2.CV_8U), np.uint8)
        if self._sensor.jpeg is None:
            return picture
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._sensor.jpeg])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
