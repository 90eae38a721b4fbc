"""What the coloured patches on the mat tell of a picture's colours: red and blue exchanged, or none at all."""

from __future__ import annotations

import numpy as np

from calibration.light import DARK, LightReference, Values

COLOURED = 0.5
"""Natural logarithm of red over blue, in roots of light, from which a patch is a red or a blue one; greys in coloured
light stay below 0.2."""

GREY = 0.2
PRINTED = 0.9
"""Correlation of the greys with the printed ones; half covered ones stay below."""


def red_and_blue_exchanged(strip: Values, reference: LightReference) -> bool:
    """Whether every red patch looks blue and every blue one red.

    A hand over the patches cannot make them so: it gives all of them the same colour.

    Args:
        strip: (patches, 3) roots of linear light, BGR, as the picture has them.
    """
    now, then = _red_over_blue(strip), _red_over_blue(reference.strip)
    red, blue = then > COLOURED, then < -COLOURED
    if not red.any() or not blue.any():
        return False
    return bool((now[red] < -COLOURED).all() and (now[blue] > COLOURED).all())


def colourless(strip: Values, reference: LightReference) -> bool:
    """Whether every red and every blue patch is grey, as from a camera that has switched to its night mode.

    A hand or a sleeve over the patches is no such picture: the greys beside them must still rise as printed.

    Args:
        strip: (patches, 3) roots of linear light, BGR, as the picture has them.
    """
    then = _red_over_blue(reference.strip)
    coloured, greys = np.abs(then) > COLOURED, np.abs(then) < GREY
    if not coloured.any() or greys.sum() < 3:
        return False
    if (np.abs(_red_over_blue(strip)[coloured]) >= GREY).any():
        return False
    seen = strip[greys].mean(axis=1)
    return bool(np.ptp(seen) > DARK and np.corrcoef(seen, reference.strip[greys].mean(axis=1))[0, 1] > PRINTED)


def _red_over_blue(strip: Values) -> Values:
    lit = np.maximum(strip, DARK)
    return np.asarray(np.log(lit[:, 2] / lit[:, 0]), dtype=np.float32)
