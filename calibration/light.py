"""Light as numbers that can be compared between pictures.

Pixels become the square root of linear light, 0 to 1: there the noise of a sensor is about the same over dark and
bright, and a change of exposure or white balance is one factor a channel. Channels are in OpenCV's order, BGR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.order import median_of

Values = NDArray[np.float32]

_CODE = np.arange(256) / 255.0
ROOT_OF_LINEAR: Values = np.sqrt(np.where(_CODE <= 0.04045, _CODE / 12.92, ((_CODE + 0.055) / 1.055) ** 2.4)).astype(
    np.float32
)
"""sRGB code value to the square root of linear light."""

SATURATED = 0.985
"""From here on a value may have been cut off at the top (code 252 and above)."""
DARK = 0.06
"""Below this a value is read noise (code 13 and below)."""
STRAIGHT = 0.88
"""Up to here (code 226) cameras answer to light as sRGB says; above, many bend their curve to save highlights."""
STRIP_FIT = 0.06
"""Relative misfit up to which the grey patches still look like the ones calibrated; a hand's shade is far off."""
STRIP_NOISE = 0.01
"""What a dim picture's noise, JPEG and stray light add to the misfit of a dark patch."""
BOARD_SHADE = (0.5, 1.3)
"""Root factors that shadow and glare may change the plain board's light by."""
BOARD_TINT = 0.15
"""How far one channel of a plain point may be off after that: coloured light and a dim picture's noise reach 0.1."""
MAX_GAIN = 2.2
"""Root factor at which a picture is too dark or too bright to be compared: nearly five times the light."""


@dataclass(frozen=True, slots=True)
class LightReference:
    """The grey patches and the plain board as the empty picture shows them: (N, 3) roots of linear light each."""

    strip: Values
    plain: Values


@dataclass(frozen=True, slots=True)
class LightGain:
    """What to multiply a picture's values with to have them as in the empty picture.

    Attributes:
        root: (3,) factor for each channel's root values.
        from_strip: whether the grey patches told it; else the plain board did.
    """

    root: Values
    from_strip: bool


def estimate_gain(strip: Values, plain: Values, reference: LightReference) -> LightGain | None:
    """Compare light with the empty picture's; None where nothing usable is seen (black, white, all covered).

    Args:
        strip: (P, 3) values of the grey patches now.
        plain: (N, 3) values of plain board points now; the median of their ratios stands many covered points.
    """
    gain = _ratio(strip, reference.strip, at_least=2, top=STRAIGHT)
    if gain is not None:
        usable = _usable(strip, reference.strip, STRAIGHT)
        misfit = np.abs(strip * gain - reference.strip) - STRIP_FIT * reference.strip
        if float(misfit[usable].max()) <= STRIP_NOISE and _plausible(gain):
            return LightGain(gain, True)
    gain = _ratio(plain, reference.plain, at_least=max(4, len(plain) // 4))
    if gain is not None and _plausible(gain):
        return LightGain(gain, False)
    return None


def board_share(plain: Values, gain: LightGain, reference: LightReference) -> float:
    """Share of the plain board's points that have the calibrated board's colour, in light or in shade.

    Only grey patches that are in sight can tell: without them the gain itself comes from these points.
    """
    usable = _usable(plain, reference.plain).all(axis=1)
    if not gain.from_strip or not usable.any():
        return 1.0
    ratio = plain[usable] * gain.root / reference.plain[usable]
    shade = ratio.mean(axis=1)
    same = (shade > BOARD_SHADE[0]) & (shade < BOARD_SHADE[1])
    same &= np.abs(ratio / shade[:, None] - 1).max(axis=1) < BOARD_TINT
    return float(same.mean())


def _usable(now: Values, then: Values, top: float = SATURATED) -> NDArray[np.bool_]:
    usable: NDArray[np.bool_] = (now > DARK) & (now < top) & (then > DARK) & (then < top)
    return usable


def _ratio(now: Values, then: Values, at_least: int, top: float = SATURATED) -> Values | None:
    usable = _usable(now, then, top)
    if int(usable.sum(axis=0).min()) < at_least:
        return None
    return median_of(then / np.maximum(now, 1e-3), usable).astype(np.float32)


def _plausible(gain: Values) -> bool:
    return bool(gain.max() < MAX_GAIN and gain.min() > 1 / MAX_GAIN)
