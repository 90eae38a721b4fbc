"""The players' colours as a table's camera has learnt them, made plain enough to be told apart on a screen.

Which colour is whose differs from edition to edition, and only the calibration knows it: it keeps every player's colour
as its ratio to bare tile. A tile is taken for a middle grey here; hue and richness then are the pieces' own, and the
brightness is moved to where letters on it can be read.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from calibration.file import Calibration

TILE_ROOT: Final = 0.36
"""Root of the light that a slate grey tile sends back, where white is 1."""
COLOURED: Final = 0.25
"""From this saturation on a piece is coloured; below, it is black, grey or white."""
RICH: Final = (0.66, 0.88)
"""Saturation of what is coloured: pale plastic is drawn richer, for small letters must be told apart by it."""
BRIGHT: Final = (0.82, 0.94)
"""Brightness of what is coloured."""
GREY: Final = (0.13, 0.94)
"""Brightness of what is not: no piece vanishes into the page's black or white."""
DARKER: Final = 0.48
"""Brightness of a piece's edge by that of its face."""
INKS: Final = ("#10131a", "#ffffff")


def learnt_colours(calibration: Calibration | None) -> dict[str, str]:
    """Each player's colour, "#rrggbb", as far as a camera has learnt it; empty for a game with colours of its own."""
    if calibration is None:
        return {}
    from calibration.finity.appearance import FinityCalibration

    if not isinstance(calibration, FinityCalibration):
        return {}
    return {player: seen_colour(ratio) for player, ratio in calibration.appearance.stations.colours.items()}


def seen_colour(log_ratio: tuple[float, float, float]) -> str:
    """A colour to draw, from the logarithms of its root light's ratio to bare tile, in the order BGR."""
    blue, green, red = (_encoded((TILE_ROOT * math.exp(each)) ** 2) for each in log_ratio)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if saturation >= COLOURED:
        saturation, value = _within(saturation, RICH), _within(value, BRIGHT)
    else:
        value = _within(value, GREY)
    return _hex(colorsys.hsv_to_rgb(hue, saturation, value))


def look_of(fill: str) -> dict[str, str]:
    """What a label of a layout says of its colour: face, edge and the ink that is read best on it."""
    red, green, blue = _channels(fill)
    ink = max(INKS, key=lambda each: contrast(each, fill))
    return {"fill": fill, "shade": _hex((DARKER * red, DARKER * green, DARKER * blue)), "ink": ink}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def with_colours(looks: Mapping[str, Mapping[str, str]], colours: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The looks by player, with the colours that are known in place of the usual ones."""
    return {player: look_of(colours[player]) if player in colours else dict(look) for player, look in looks.items()}


def _encoded(linear: float) -> float:
    linear = min(1.0, max(0.0, linear))
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def _luminance(colour: str) -> float:
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * each):02x}" for each in channels)


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(bounds[1], max(bounds[0], value))
