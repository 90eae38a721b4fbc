"""What is to be said on one connection, in which order, and what is done when the broker has it.

First the state, then the birth (`online`, and whose), when the state is there to be read; then the events of the
outbox, at most 16 of them unanswered at a time, each marked as sent only when the broker has taken it over. State,
status and camera are said when they change. Pure but for the outbox: it sends through a function and reads no clock.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from companion.journal.journal import Outgoing
from companion.sinks.mqtt_settings import Topics
from companion.sinks.sink import Outbox

IN_FLIGHT = 16
"""Few enough for any broker's queues, enough to keep a slow link busy."""

ONLINE, STOPPED, OFFLINE = "online", "stopped", "offline"

Send = Callable[[str, str, bool], int]
"""Topic, payload, whether to retain; returns the message's number."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the retained topics should say; None where there is nothing to say yet."""

    state: str | None = None
    camera: str | None = None


class _Sent(NamedTuple):
    topic: str
    seq: int | None
    at_s: float


class Delivery:
    """Says `Wanted` and the outbox's events on one connection."""

    def __init__(self, topics: Topics, table: str, instance: str, outbox: Outbox, send: Send) -> None:
        self._topics = topics
        self._instance = instance
        self._table = table
        self._outbox = outbox
        self._send = send
        self._in_flight: dict[int, _Sent] = {}
        self._said: dict[str, str] = {}
        self._state_arrived = False
        self._last_queued = 0
        self.leaving = False
        """Whether the good-bye is being said."""
        self._all_said = False

    @property
    def born(self) -> bool:
        """Whether the broker has the state, and so the birth may be said."""
        return self._state_arrived

    @property
    def quiet(self) -> bool:
        """Whether all there was to say has been said and answered."""
        return self._all_said and not self._in_flight

    def leave(self) -> None:
        """From now on say `stopped`, that nobody looks through the camera, and no more events."""
        if not self.leaving:
            self.leaving = True
            self._all_said = False

    def oldest_unanswered_s(self, now_s: float) -> float:
        """How long the broker has owed an answer."""
        return max((now_s - sent.at_s for sent in self._in_flight.values()), default=0.0)

    def pump(self, wanted: Wanted, now_s: float) -> None:
        """Say what can be said now."""
        self._say(self._topics.state, wanted.state, now_s)
        if not self._state_arrived:
            return
        camera = OFFLINE if self.leaving and wanted.camera is not None else wanted.camera
        self._say(self._topics.instance, self._instance, now_s)
        self._say(self._topics.camera, camera, now_s)
        self._say(self._topics.status, STOPPED if self.leaving else ONLINE, now_s)
        if self.leaving:
            # A retained text under way is answered first; its newer one is said at the next pump.
            self._all_said = self._said.get(self._topics.status) == STOPPED
        else:
            self._send_events(now_s)

    def acknowledged(self, message: int) -> int | None:
        """Note that the broker has a message; returns the event's number where it was one."""
        sent = self._in_flight.pop(message, None)
        if sent is None:
            return None
        if sent.topic == self._topics.state:
            self._state_arrived = True
        return sent.seq

    def heard_status(self, payload: bytes) -> None:
        """Take what the status topic says now: where it is not what we said, pump will say it again.

        The will of an earlier connection of ours may speak after our birth.
        """
        said = self._said.get(self._topics.status)
        if said is not None and payload != said.encode():
            del self._said[self._topics.status]

    def _say(self, topic: str, text: str | None, now_s: float) -> None:
        """Say a retained topic's newest text; one at a time is under way, so that those between are skipped."""
        if text is None or self._said.get(topic) == text or any(s.topic == topic for s in self._in_flight.values()):
            return
        self._said[topic] = text
        self._in_flight[self._send(topic, text, True)] = _Sent(topic, None, now_s)

    def _send_events(self, now_s: float) -> None:
        room = IN_FLIGHT - sum(sent.seq is not None for sent in self._in_flight.values())
        if room <= 0:
            return
        events = self._outbox.unsent(room, after=self._last_queued)
        self._all_said = len(events) < room
        for event in events:
            message = self._send(self._topics.event, self._event_text(event), False)
            self._in_flight[message] = _Sent(self._topics.event, event.seq, now_s)
            self._last_queued = event.seq

    def _event_text(self, event: Outgoing) -> str:
        line = json.loads(event.payload)
        line |= {"event_type": line["event"], "at": event.utc, "table": self._table}
        return as_text(line)


def as_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
