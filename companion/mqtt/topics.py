"""Where on the broker things stand: the topics of a node and of its tables."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from zlib import crc32

from companion.mqtt.settings import MqttSettings

STROKED = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss"})
"""Letters that Unicode does not take apart into a Latin one and a mark."""


@dataclass(frozen=True, slots=True)
class NodeTopics:
    """What a program says of itself; all retained.

    Attributes:
        states: with `+` in it; the state of every table that was ever told in the program's name.
    """

    status: str
    instance: str
    states: str


@dataclass(frozen=True, slots=True)
class TableTopics:
    """What is said of a table, and what may be said to it.

    Attributes:
        state, camera: retained.
        event: never retained.
        command, result: with the command's name behind them.
    """

    state: str
    event: str
    camera: str
    command: str
    result: str


def node_topics(settings: MqttSettings) -> NodeTopics:
    node = _node(settings)
    return NodeTopics(status=f"{node}/status", instance=f"{node}/instance", states=f"{node}/+/state")


def table_topics(settings: MqttSettings, table: str) -> TableTopics:
    """The topics of a table.

    Args:
        table: its name for people.
    """
    root = f"{_node(settings)}/{topic_part(table)}"
    return TableTopics(
        state=f"{root}/state",
        event=f"{root}/event",
        camera=f"{root}/camera/status",
        command=f"{root}/cmd/",
        result=f"{root}/result/",
    )


def table_at(settings: MqttSettings, topic: str) -> str | None:
    """The name, as topics carry it, of the table whose state a topic would be; None where it cannot be one of ours."""
    levels = topic.removeprefix(f"{_node(settings)}/").split("/")
    name = levels[0]
    return name if topic == table_topics(settings, name).state else None


def client_id(settings: MqttSettings) -> str:
    """The same at every start: a new connection then ends a dead one of ours, before its will can speak."""
    return f"companion-{settings.base.replace('/', '-')}-{topic_part(settings.node)}"


def topic_part(name: str) -> str:
    """A name as one level of a topic: letters, digits, `_` and `-` only, accents dropped, never empty.

    >>> topic_part("Kitchen board.local/#1")
    'Kitchen_board_local_1'
    """
    plain = unicodedata.normalize("NFKD", name.translate(STROKED)).encode("ascii", "ignore").decode()
    part = re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_")
    # A name without any Latin letter still needs a level of its own.
    return part or f"x{crc32(name.encode()):08x}"


def _node(settings: MqttSettings) -> str:
    return f"{settings.base}/{topic_part(settings.node)}"
