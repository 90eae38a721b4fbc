"""The knob's pointer: its contrast against the knob's top, learnt once and found again at any stop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.appearance import STOPS, KnobLook
from calibration.light import Values

DEG = 3
"""Degrees between angles of the polar grid."""
BESIDE = 4
"""Angles (12 degrees) from the pointer's middle to what is beside it."""
WINDOW = 10
"""Angles (30 degrees) on both sides that belong to the template."""
PLAY = 2
"""Angles (6 degrees) that the pointer may miss its stop by; 3 degrees are usual."""
INNER = slice(4, None)
"""Radii that count; nearer to the middle the pointer has no direction."""


def contrast(polar: Values) -> Values:
    """What is brighter or darker than its sides: (angles, radii, 3) of the same; shading of the light drops out."""
    beside = (np.roll(polar, BESIDE, axis=0) + np.roll(polar, -BESIDE, axis=0)) / 2
    return np.asarray(polar - beside, dtype=np.float32)


def learn_knob(polars: Sequence[Values], stops: Sequence[int]) -> KnobLook | None:
    """Learn the pointer from polar pictures (angles, radii, 3) at known stops; None where it does not stand out."""
    template = np.zeros((2 * WINDOW + 1, *polars[0].shape[1:]), dtype=np.float32)
    at = [_angle(stop) for stop in stops]
    for _ in range(3):
        windows = [_window(contrast(polar), angle) for polar, angle in zip(polars, at, strict=True)]
        template = np.mean(windows, axis=0)
        at = [_best_angle(contrast(polar), template, stop) for polar, stop in zip(polars, stops, strict=True)]
    top = np.median([np.median(polar, axis=0) for polar in polars], axis=0)
    look = KnobLook(template, top.astype(np.float32), 0.0, 0.0)
    noise = float(np.quantile([_off_top(polar, look) for polar in polars], 0.9))
    scores = [stop_scores(polar, look) for polar in polars]
    for score, stop in zip(scores, stops, strict=True):
        if max(score, key=lambda s: score[s]) != stop:
            return None
    agreement = min(score[stop] for score, stop in zip(scores, stops, strict=True))
    return KnobLook(template, look.top, agreement, noise)


def stop_scores(polar: Values, look: KnobLook) -> dict[int, float]:
    """Correlation, -1 to 1, of the pointer's template at every stop."""
    thin = contrast(polar)
    return {stop: _agreement(thin, look.template, _best_angle(thin, look.template, stop)) for stop in STOPS}


def between_stops(polar: Values, look: KnobLook) -> bool:
    """Whether the pointer agrees best at an angle that belongs to no stop: the knob is being turned."""
    thin = contrast(polar)
    best = max(range(len(thin)), key=lambda angle: _agreement(thin, look.template, angle))
    near = round(best * DEG / 36) * 36
    return abs(best * DEG - near) > (PLAY + 1) * DEG


def top_share(polar: Values, look: KnobLook) -> float:
    """Share of the knob's top that has the colour it should have; a hand's is low."""
    return float((_off_top(polar, look) < 1.5 * look.top_noise + 0.01).mean())


def _off_top(polar: Values, look: KnobLook) -> Values:
    """(angles, radii) difference from the top's colour, its shading taken out."""
    norm = np.maximum((look.top * look.top).sum(axis=-1), 1e-4)
    shade = np.clip((polar * look.top).sum(axis=-1) / norm, 0.6, 1.4)
    off: Values = np.abs(polar - shade[..., None] * look.top).mean(axis=-1)
    return off


def _angle(stop: int) -> int:
    return round(stop * 36 / DEG)


def _best_angle(thin: Values, template: Values, stop: int) -> int:
    around = range(_angle(stop) - PLAY, _angle(stop) + PLAY + 1)
    return max(around, key=lambda angle: _agreement(thin, template, angle))


def _window(thin: Values, angle: int) -> Values:
    rows = np.arange(angle - WINDOW, angle + WINDOW + 1) % len(thin)
    window: Values = thin[rows]
    return window


def _agreement(thin: Values, template: Values, angle: int) -> float:
    a, b = _window(thin, angle)[:, INNER], template[:, INNER]
    return float((a * b).sum() / max(1e-6, np.sqrt((a * a).sum() * (b * b).sum())))
