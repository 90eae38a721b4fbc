"""Home Assistant's own schemas over discovery messages, run by its own Python: messages in, what they lose out."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import tempfile
from copy import deepcopy
from typing import Any


async def check(payloads: list[dict[str, Any]]) -> dict[str, Any]:
    """Names every key that a schema silently drops; raises where one refuses."""
    from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers import frame

    hass = HomeAssistant(tempfile.mkdtemp())
    frame.async_setup(hass)
    entities, dropped = 0, []
    for payload in payloads:
        taken = DEVICE_DISCOVERY_SCHEMA(deepcopy(payload))
        dropped += [f"device message: {key}" for key in payload.keys() - taken.keys()]
        dropped += [f"device: {key}" for key in payload["device"].keys() - taken["device"].keys()]
        shared = {key: payload[key] for key in ("device", "origin", "availability")}
        for name, entity in payload["components"].items():
            if len(entity) == 1:
                continue  # taken away
            platform = importlib.import_module(f"homeassistant.components.mqtt.{entity['platform']}")
            taken = platform.DISCOVERY_SCHEMA(deepcopy({**shared, **entity}))
            dropped += [f"{name}: {key}" for key in entity.keys() - taken.keys() - {"platform"}]
            entities += 1
    await hass.async_stop(force=True)
    return {"entities": entities, "dropped": dropped}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(check(json.load(sys.stdin)))))
