"""Keeps one table announced to Home Assistant: said on every connection, when players change, and when it is reborn."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from companion.games.game import Json
from companion.homeassistant.discovery import Unit, components_of, discovery, discovery_topic
from companion.mqtt.delivery import as_text
from companion.mqtt.settings import MqttSettings
from companion.mqtt.topics import node_topics, table_topics, topic_part

MACHINE_ID = Path("/etc/machine-id")
"""A number that every Linux machine gets when it is installed (man 5 machine-id); nobody is told but its hash."""


class Announcer:
    """What Home Assistant is told of one table.

    Args:
        prefix: of Home Assistant's discovery, `homeassistant` unless somebody has changed it there.
    """

    def __init__(self, unit: Unit, prefix: str = "homeassistant") -> None:
        self._unit = unit
        self._prefix = prefix
        self._birth = f"{prefix}/status"
        self._config = discovery_topic(prefix, unit.id)
        self._earlier: dict[str, str] = {}

    @property
    def topics(self) -> tuple[str, ...]:
        """What must be listened to: Home Assistant's birth, and what the broker has kept of an earlier run of ours."""
        return self._birth, self._config

    def kept(self, state: Mapping[str, Json]) -> dict[str, str]:
        """What the broker should keep, by topic."""
        return {self._config: as_text(discovery(self._unit, state, self._earlier))}

    def left_by(self, table: str) -> tuple[str, ...]:
        """What the broker may still keep of a table that the program has no more: without it, its device goes."""
        return (discovery_topic(self._prefix, self._unit.id_of(table)),)

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Take a message; returns whether all that is kept is to be said again."""
        if topic == self._config and retained:
            self._earlier |= components_of(payload)
            return True
        return topic == self._birth and payload == b"online"


def unit_of(settings: MqttSettings, table: str, *, takes_commands: bool, language: str) -> Unit:
    """A table of this machine. Two machines that are called the same stay two devices."""
    try:
        machine = hashlib.sha256(b"companion " + MACHINE_ID.read_bytes().strip()).hexdigest()[:6]
    except OSError:
        machine = "0"
    return Unit(
        names=(topic_part(settings.node), topic_part(table), machine),
        name=table,
        node=node_topics(settings),
        table=table_topics(settings, table),
        takes_commands=takes_commands,
        language=language,
    )
