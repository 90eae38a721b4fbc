"""gpiozero's pin factories, or one clear line why there are none. gpiozero is imported here only, and late."""

from __future__ import annotations

import os
import tempfile
import warnings
from typing import Any

from calibration.sentences import Sentence
from firmware_bridge.errors import PinsUnavailable


def open_pin_factory() -> Any:
    """The best pin factory of this machine (or the one that GPIOZERO_PIN_FACTORY names).

    Raises:
        PinsUnavailable: with what each way to the pins said.
    """
    # lgpio makes a FIFO in its working folder, which is the current one unless it is told otherwise
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            from gpiozero import Device

            Device.ensure_pin_factory()
    except Exception as error:  # each backend fails with errors of its own
        tried = "; ".join(str(warning.message).removeprefix("Falling back from ") for warning in caught)
        raise PinsUnavailable(
            Sentence(
                "no GPIO pins can be used here ({error}). On a Raspberry Pi install lgpio and join "
                "the gpio group; elsewhere take the pins out of the config",
                error=tried or str(error),
            )
        ) from error
    return Device.pin_factory
