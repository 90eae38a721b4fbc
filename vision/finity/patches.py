"""Whether a picture's red and blue are exchanged, told by the coloured patches on the mat."""

from __future__ import annotations

import numpy as np

from calibration.light import DARK, LightReference, Values

COLOURED = 0.5
"""Natural logarithm of red over blue, in roots of light, from which a patch is a red or a blue one; greys in coloured
light stay below 0.2."""


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


def _red_over_blue(strip: Values) -> Values:
    lit = np.maximum(strip, DARK)
    return np.asarray(np.log(lit[:, 2] / lit[:, 0]), dtype=np.float32)
