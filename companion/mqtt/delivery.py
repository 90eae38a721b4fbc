"""What is to be said on one connection, in which order, and what is done when the broker has it.

First every table's state, then the birth (`online`, and whose), when the states are there to be read; then all else:
what a table keeps on the broker beside its state, the results of commands, and the events of its outbox, at most 16 of
them unanswered at a time, each marked as sent only when the broker has taken it over. Retained topics are said when
they change. Pure but for the outboxes: it sends through a function and reads no clock.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.journal.journal import Outgoing
from companion.mqtt.topics import NodeTopics, TableTopics
from companion.sinks.sink import Outbox
from companion.texts import in_language

IN_FLIGHT = 16
"""Few enough for any broker's queues, enough to keep a slow link busy."""

ONLINE, STOPPED, OFFLINE = "online", "stopped", "offline"


class Send(Protocol):
    def __call__(self, topic: str, payload: str, *, retain: bool, expiry_s: int | None = None) -> int:
        """Send a message; returns its number."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table's retained topics should say; None where there is nothing to say yet.

    Attributes:
        kept: more retained texts by topic; an empty text takes a topic off the broker.
    """

    state: str | None = None
    camera: str | None = None
    kept: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command, to be told once."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A message under way.

    Attributes:
        outbox, seq: whose event it was, and which.
        may_fail: whether we can live with the broker's refusal.
    """

    topic: str
    at_s: float
    outbox: Outbox | None = None
    seq: int | None = None
    may_fail: bool = False


class UnderWay:
    """The messages that the broker has not answered yet."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._sent: dict[int, Sent] = {}
        self._said: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._sent)

    @property
    def events(self) -> int:
        return sum(sent.seq is not None for sent in self._sent.values())

    def oldest_s(self, now_s: float) -> float:
        """How long the broker has owed an answer."""
        return max((now_s - sent.at_s for sent in self._sent.values()), default=0.0)

    def keep(self, topic: str, text: str | None, now_s: float) -> None:
        """Say a retained topic's newest text; one at a time is under way, so that those between are skipped."""
        if text is None or self._said.get(topic) == text or any(s.topic == topic for s in self._sent.values()):
            return
        self._said[topic] = text
        self._sent[self._send(topic, text, retain=True)] = Sent(topic, now_s)

    def tell(self, sent: Sent, text: str, expiry_s: int | None = None) -> None:
        """Say something once."""
        self._sent[self._send(sent.topic, text, retain=False, expiry_s=expiry_s)] = sent

    def take_off(self, topic: str, now_s: float) -> None:
        """Let the broker keep nothing of a topic."""
        self._sent[self._send(topic, "", retain=True)] = Sent(topic, now_s, may_fail=True)

    def acknowledged(self, message: int) -> Sent | None:
        return self._sent.pop(message, None)

    def said(self, topic: str) -> str | None:
        return self._said.get(topic)

    def forget(self, topic: str) -> None:
        """Let a retained topic be said again though its text is the same."""
        self._said.pop(topic, None)


class TableDelivery:
    """Says one table's `Wanted`, results and events.

    Args:
        name: the table's, for people.
        answers: results of commands, taken out as they are sent; another thread may put more in.
        language: in which events say what is meant for people.
    """

    def __init__(
        self,
        name: str,
        topics: TableTopics,
        outbox: Outbox,
        under_way: UnderWay,
        answers: deque[Answer],
        language: str = "en",
    ) -> None:
        self.topics = topics
        self._name = name
        self._outbox = outbox
        self._under_way = under_way
        self._answers = answers
        self._language = language
        self._last_queued = 0
        self._kept: frozenset[str] = frozenset()
        self.state_arrived = False
        self.all_sent = False
        """Whether the outbox held nothing more when it was asked last."""

    def say_state(self, wanted: Wanted, now_s: float) -> None:
        self._under_way.keep(self.topics.state, wanted.state, now_s)

    def say_rest(self, wanted: Wanted, now_s: float, *, leaving: bool) -> None:
        """All that may be said when the state has arrived."""
        camera = OFFLINE if leaving and wanted.camera is not None else wanted.camera
        self._under_way.keep(self.topics.camera, camera, now_s)
        self._kept = frozenset(wanted.kept)
        for topic, text in wanted.kept.items():
            self._under_way.keep(topic, text, now_s)
        while self._answers:
            answer = self._answers.popleft()
            self._under_way.tell(Sent(answer.topic, now_s), answer.text, RESULT_EXPIRY_S)

    def send_events(self, now_s: float) -> None:
        room = IN_FLIGHT - self._under_way.events
        if room <= 0:
            return
        events = self._outbox.unsent(room, after=self._last_queued)
        self.all_sent = len(events) < room
        for event in events:
            self._under_way.tell(Sent(self.topics.event, now_s, self._outbox, event.seq), self._event_text(event))
            self._last_queued = event.seq

    def say_again(self) -> None:
        """Somebody has missed what is retained, or makes it anew of the state: say it once more."""
        for topic in (self.topics.state, self.topics.camera, *self._kept):
            self._under_way.forget(topic)

    def _event_text(self, event: Outgoing) -> str:
        line = event.line
        told = {**line, "event_type": line["event"], "at": event.utc, "table": self._name}
        return as_text(in_language(told, self._language))


RESULT_EXPIRY_S = 60
"""Whoever asked waits some seconds for the answer; a broker need not keep it longer for one that is away."""


class NodeDelivery:
    """Says what a node and its tables have to say on one connection."""

    def __init__(self, topics: NodeTopics, instance: str, tables: Sequence[TableDelivery], under_way: UnderWay) -> None:
        self._topics = topics
        self._instance = instance
        self._tables = tuple(tables)
        self._under_way = under_way
        self._turn = 0
        self.leaving = False
        """Whether the good-bye is being said."""
        self._all_said = False
        self._taken_off: set[str] = set()

    @property
    def born(self) -> bool:
        """Whether the broker has the states, and so the birth may be said."""
        return all(table.state_arrived for table in self._tables)

    @property
    def quiet(self) -> bool:
        """Whether all there was to say has been said and answered."""
        return self._all_said and not self._under_way

    def leave(self) -> None:
        """From now on say `stopped`, that nobody looks through the cameras, and no more events."""
        if not self.leaving:
            self.leaving = True
            self._all_said = False

    def pump(self, wanted: Sequence[Wanted], now_s: float) -> None:
        """Say what can be said now; `wanted` has one for each table."""
        for table, its in zip(self._tables, wanted, strict=True):
            table.say_state(its, now_s)
        if not self.born:
            return
        self._under_way.keep(self._topics.instance, self._instance, now_s)
        self._under_way.keep(self._topics.status, STOPPED if self.leaving else ONLINE, now_s)
        for table, its in zip(self._tables, wanted, strict=True):
            table.say_rest(its, now_s, leaving=self.leaving)
        if self.leaving:
            # A retained text under way is answered first; its newer one is said at the next pump.
            self._all_said = self._under_way.said(self._topics.status) == STOPPED
        else:
            self._send_events(now_s)

    def _send_events(self, now_s: float) -> None:
        """Each table in turn has the first word, so that a long outbox does not hold up the others."""
        self._turn = (self._turn + 1) % len(self._tables)
        for table in (*self._tables[self._turn :], *self._tables[: self._turn]):
            table.send_events(now_s)
        self._all_said = all(table.all_sent for table in self._tables)

    def acknowledged(self, message: int) -> Sent | None:
        """Note that the broker has a message."""
        sent = self._under_way.acknowledged(message)
        if sent is not None:
            for table in self._tables:
                table.state_arrived = table.state_arrived or sent.topic == table.topics.state
        return sent

    def take_off(self, topic: str, now_s: float) -> None:
        """Let the broker keep nothing more of a topic that we do not say; its access list may forbid that."""
        self._taken_off.add(topic)
        self._under_way.take_off(topic, now_s)

    def took_off(self, topic: str) -> bool:
        return topic in self._taken_off

    def heard_status(self, payload: bytes) -> None:
        """Take what the status topic says now: where it is not what we said, pump will say it again.

        The will of an earlier connection of ours may speak after our birth.
        """
        said = self._under_way.said(self._topics.status)
        if said is not None and payload != said.encode():
            self._under_way.forget(self._topics.status)

    def say_again(self) -> None:
        """Say all that is retained once more."""
        for table in self._tables:
            table.say_again()
        self._under_way.forget(self._topics.status)


def as_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
