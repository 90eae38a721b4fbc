"""One table of a node on MQTT: the sink that its loop tells, and the commands that come for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from companion.events import DeviceReported, Record
from companion.games.game import Json
from companion.mqtt.connection import Received
from companion.mqtt.delivery import OFFLINE, ONLINE, Answer, TableDelivery, UnderWay, Wanted, as_text
from companion.mqtt.topics import TableTopics
from companion.sinks.sink import Outbox
from companion.texts import in_language

if TYPE_CHECKING:
    from companion.mqtt.node import MqttNode

CAMERA_WORDS = {"ok": ONLINE, "back": ONLINE, "stale": "stale", "lost": OFFLINE}


class Desk(Protocol):
    """Takes commands from the broker; returns at once and answers later."""

    def take(self, name: str, payload: bytes, *, retained: bool, answer: Callable[[Mapping[str, Json]], None]) -> None:
        """Carry out a command.

        Args:
            name: the last level of its topic.
            retained: whether the broker had kept it: it may be of any age.
            answer: takes the result, from any thread, at most once.
        """
        ...


class Announcer(Protocol):
    """Keeps a home's own program told of a table, by more retained topics."""

    @property
    def topics(self) -> tuple[str, ...]:
        """What must be listened to."""
        ...

    def kept(self, state: Mapping[str, Json]) -> Mapping[str, str]:
        """What the broker should keep, by topic."""
        ...

    def left_by(self, table: str) -> Sequence[str]:
        """What the broker may still keep of a table that the program has no more; its name as topics carry it."""
        ...

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> bool:
        """Take a message; returns whether all that is kept is to be said again."""
        ...


class MqttTable:
    """A table's sink. Made by `MqttNode.table`."""

    def __init__(self, node: MqttNode, name: str, topics: TableTopics, outbox: Outbox, language: str) -> None:
        self._node = node
        self._name = name
        self.topics = topics
        self._outbox = outbox
        self._language = language
        self._desk: Desk | None = None
        self._announcer: Announcer | None = None
        self._state: Mapping[str, Json] | None = None
        self._wanted = Wanted()
        self._wanted_lock = threading.Lock()
        self._answers: deque[Answer] = deque()

    def take_commands(self, desk: Desk) -> None:
        """Give commands to a desk; said before the table is started. A table without one takes none."""
        self._desk = desk

    def announce(self, announcer: Announcer) -> None:
        """Let an announcer be heard; said before the table is started."""
        self._announcer = announcer

    def leave(self) -> None:
        """The table will never start: nobody need wait for its state."""
        self._node.take_away(self)

    # The loop's side

    def start(self) -> None:
        """Begin to connect; whether the broker is there or not, the table can start.

        Raises:
            InputError: if a certificate cannot be used.
        """
        self._node.begin()

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        """Tell the broker soon. The events themselves come from the outbox."""
        text = self._said({"table": self._name, **state})
        camera = next((word for word in map(_camera_word, reversed(records)) if word is not None), None)
        with self._wanted_lock:
            self._state = state
            self._wanted = Wanted(text, camera or self._wanted.camera, self._kept())
        self._node.wake()

    def stop(self) -> None:
        """Deliver what the broker takes within two seconds."""
        self._node.end()

    # The node's side

    @property
    def commands(self) -> tuple[str, ...]:
        """The topics on which the table takes commands."""
        return () if self._desk is None else (f"{self.topics.command}+",)

    @property
    def listens_to(self) -> tuple[str, ...]:
        """The topics that the table wants to hear beside them."""
        return () if self._announcer is None else self._announcer.topics

    def left_by(self, table: str) -> Sequence[str]:
        """What the broker may keep, beside its own topics, of a table that the program has no more."""
        return () if self._announcer is None else self._announcer.left_by(table)

    def is_command(self, topic: str) -> bool:
        return self._desk is not None and topic.startswith(self.topics.command)

    @property
    def wanted(self) -> Wanted:
        with self._wanted_lock:
            return self._wanted

    def delivery(self, under_way: UnderWay) -> TableDelivery:
        """What says this table on a new connection; answers of the last one find nobody who waits any more."""
        self._answers.clear()
        return TableDelivery(self._name, self.topics, self._outbox, under_way, self._answers, self._language)

    def heard(self, message: Received) -> bool:
        """Take a message that may be for this table; returns whether all that is kept is to be said again."""
        self._take_command(message)
        announcer = self._announcer
        if announcer is None or not announcer.heard(message.topic, message.payload, retained=message.retained):
            return False
        with self._wanted_lock:
            self._wanted = replace(self._wanted, kept=self._kept())
        return True

    def _said(self, told: Mapping[str, Json]) -> str:
        return as_text(in_language(told, self._language))

    def _kept(self) -> Mapping[str, str]:
        return {} if self._announcer is None or self._state is None else self._announcer.kept(self._state)

    def _take_command(self, message: Received) -> None:
        if self._desk is None or not self.is_command(message.topic):
            return
        name = message.topic.removeprefix(self.topics.command)

        def answer(result: Mapping[str, Json]) -> None:
            self._answers.append(Answer(f"{self.topics.result}{name}", self._said(result)))
            self._node.wake()

        self._desk.take(name, message.payload, retained=message.retained, answer=answer)


def _camera_word(record: Record) -> str | None:
    event = record.event
    if isinstance(event, DeviceReported) and event.device.startswith("camera"):
        return CAMERA_WORDS.get(event.state)
    return None
