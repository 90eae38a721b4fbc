"""The knob's pointer: its contrast against the knob's top, learnt once and found again at any stop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.infinity.appearance import STOPS, KnobLook
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
    top = np.median([np.median(polar, axis=0) for polar in polars], axis=0).astype(np.float32)
    resting = _resting(polars, stops)
    template = np.zeros((2 * WINDOW + 1, *polars[0].shape[1:]), dtype=np.float32)
    at = [_angle(stop) for stop in stops]
    for _ in range(3):
        windows = [_window(contrast(polar) - resting, angle) for polar, angle in zip(polars, at, strict=True)]
        template = np.mean(windows, axis=0)
        at = [
            _best_angle(polar, KnobLook(template, resting, top, 0.0, 0.0), stop)
            for polar, stop in zip(polars, stops, strict=True)
        ]
    look = KnobLook(template, resting, top, 0.0, 0.0)
    noise = float(np.quantile([_off_top(polar, look) for polar in polars], 0.9))
    scores = [stop_scores(polar, look) for polar in polars]
    for score, stop in zip(scores, stops, strict=True):
        if max(score, key=lambda s: score[s]) != stop:
            return None
    agreement = min(score[stop] for score, stop in zip(scores, stops, strict=True))
    return KnobLook(template, resting, look.top, agreement, noise)


def stop_scores(polar: Values, look: KnobLook) -> dict[int, float]:
    """Correlation, -1 to 1, of the pointer's template at every stop."""
    agreement = agreements(polar, look)
    return {stop: float(agreement[_around(stop)].max()) for stop in STOPS}


def between_stops(polar: Values, look: KnobLook) -> bool:
    """Whether the pointer agrees best at an angle that belongs to no stop: the knob is being turned."""
    best = int(agreements(polar, look).argmax()) * DEG
    return abs(best - round(best / 36) * 36) > (PLAY + 1) * DEG


def agreements(polar: Values, look: KnobLook) -> Values:
    """(angles,) correlation, -1 to 1, of the pointer's template at every angle."""
    thin, model = (contrast(polar) - look.resting)[:, INNER], look.template[:, INNER]
    windows = thin[(np.arange(len(thin))[:, None] + np.arange(-WINDOW, WINDOW + 1)) % len(thin)]
    length = np.sqrt(np.einsum("awrc,awrc->a", windows, windows) * (model * model).sum())
    return np.asarray(np.einsum("awrc,wrc->a", windows, model) / np.maximum(length, 1e-6))


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


def _around(stop: int) -> NDArray[np.intp]:
    """The angles that belong to a stop."""
    return (_angle(stop) + np.arange(-PLAY, PLAY + 1)) % (360 // DEG)


def _best_angle(polar: Values, look: KnobLook, stop: int) -> int:
    around = _around(stop)
    return int(around[agreements(polar, look)[around].argmax()])


def _resting(polars: Sequence[Values], stops: Sequence[int]) -> Values:
    """(angles, radii, 3) contrast that stays when the knob turns: a lamp's mirror image, a shadow.

    Known where at least three stops were seen: then the pointer is in the minority everywhere.
    """
    latest = dict(zip(stops, polars, strict=True))
    if len(latest) < 3:
        return np.zeros_like(polars[0])
    return np.asarray(np.median([contrast(polar) for polar in latest.values()], axis=0), dtype=np.float32)


def _window(thin: Values, angle: int) -> Values:
    rows = np.arange(angle - WINDOW, angle + WINDOW + 1) % len(thin)
    window: Values = thin[rows]
    return window
