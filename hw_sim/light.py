"""The light over the table and the camera's automatics: steps of brightness and of white balance."""

from __future__ import annotations

import random

from hw_sim.scene import Light

STEADY = Light()


def stepped(rng: random.Random) -> Light:
    """The light after the camera's automatics made a step: brightness in one of two cases, else white balance.

    The sizes (brightness x0.7 to x1.35, single colours up to 12 %) are those of the drifted pictures of a locked
    camera under changing daylight.
    """
    if rng.random() < 0.5:
        return Light(exposure=rng.choice((rng.uniform(0.7, 0.85), rng.uniform(1.15, 1.35))))
    warmth = rng.uniform(-0.12, 0.12)
    return Light(white_balance=(1 + warmth, 1.0, 1 - warmth))
