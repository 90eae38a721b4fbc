"""Home Assistant with nothing but its MQTT integration, run by its own Python: states out, presses of buttons in.

    python probe.py CONFIG_DIR BROKER_PORT HTTP_PORT

Writes a JSON line for every change of a state (`{"entity", "state", "attributes"}`), `{"ready": true}` when it is up,
and takes lines such as `{"press": "button.table_pause"}`. Not part of the package: it imports Home Assistant.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any


def say(**line: Any) -> None:
    print(json.dumps(line, default=str), flush=True)


async def run(folder: str, broker: int, http: int) -> None:
    from homeassistant import auth, bootstrap, config_entries, core, loader
    from homeassistant.setup import async_setup_component

    Path(folder, "configuration.yaml").touch()
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])

    def changed(event: Any) -> None:
        new = event.data["new_state"]
        if new is None:
            say(entity=event.data["entity_id"], state=None, attributes={})
        else:
            say(entity=new.entity_id, state=new.state, attributes=dict(new.attributes))

    hass.bus.async_listen(core.EVENT_STATE_CHANGED, core.callback(changed))
    await async_setup_component(hass, "homeassistant", {})
    server = {"http": {"server_host": ["127.0.0.1"], "server_port": http}}
    assert await async_setup_component(hass, "http", server), "its web server does not come up"
    entry = config_entries.ConfigEntry(
        data={"broker": "127.0.0.1", "port": broker},
        discovery_keys=MappingProxyType({}),
        domain="mqtt",
        entry_id="mqtt",
        minor_version=2,
        options={},
        source="user",
        subentries_data=(),
        title="broker",
        unique_id=None,
        version=1,
    )
    if hass.config_entries.async_entries("mqtt"):  # of its last run
        await async_setup_component(hass, "mqtt", {})
    else:
        await hass.config_entries.async_add(entry)
    await hass.async_start()
    say(ready=True)
    await obey(hass)


async def obey(hass: Any) -> None:
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        entity = json.loads(line)["press"]
        await hass.services.async_call("button", "press", {"entity_id": entity}, blocking=True)
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
