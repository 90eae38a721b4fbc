"""A table on live devices: one loop owns all state, devices put evidence in, sinks are handed what was told.

Devices run in threads of their own and only ever call `TableLoop.put`. The page's threads only ever read what the
loop left ready, or hand it a command and wait for the answer.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol, runtime_checkable

from companion.beam_memory import COUNTED, BeamMemory
from companion.errors import CompanionError, UsageError
from companion.events import DeviceReported, Record, record_json
from companion.evidence import DeviceChanged, DeviceState, Evidence, KnobAt, Sight
from companion.games.game import Json
from companion.knob_places import KnobDevice, KnobPlaces
from companion.newest import NewestLines
from companion.page.commands import overtaken, refused
from companion.page.table import CommandResult, Request
from companion.sinks.sink import Sink
from companion.table import A_PERSON, Table
from companion.texts import text

log = logging.getLogger(__name__)

TICK_S = 0.1
"""How long the loop waits for evidence before it looks at the clock again; grace times are tenths of seconds longer."""
COMMAND_TIMEOUT_S = 4.0
"""A command waits for one turn of the loop; longer than this the loop is not well."""
QUEUE_LIMIT = 1000
"""Evidence waiting for the loop. A camera gives 15 looks a second, so a full queue means a loop that stands still."""

LOOKS_WAITING = 5
"""More waiting evidence than this, and looks are left out, the oldest first: on a slow or busy machine the camera then
is a slower one, and whoever answers or corrects is heard within the time of so many looks."""

JOURNAL = "journal"
"""The keeper's name among the devices: people are told of a full disk as they are of a cable that was pulled."""
RETRY_S = 1.0
"""How often the keeper is asked: a stick that was pulled is told, and whoever has made room sees that it helped."""

Picture = Callable[[], "tuple[bytes, float] | None"]


class Device(Protocol):
    """A device that reports to `TableLoop.put` from a thread of its own between `start` and `stop`."""

    def start(self) -> object: ...
    def stop(self) -> None: ...


@runtime_checkable
class Eye(Protocol):
    """A device that can learn anew how the board looks, from a position that lies there."""

    def recalibrate(self, position: Mapping[str, Json]) -> object: ...


@runtime_checkable
class Speaks(Protocol):
    """A sink that says what it is told aloud."""

    def say(self, words: str) -> object: ...


class Keeper(Protocol):
    """What keeps the record (the journal): one call, one transaction."""

    def append(self, records: Sequence[Record], state: Mapping[str, Json]) -> str | None:
        """Keep records and the state after them; returns a line for people where that is in danger."""
        ...

    def retry(self) -> str | None:
        """Keep what could not be kept before, and see whether more could be; returns what `append` does."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the table, nothing being changed."""

    name: str
    args: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A command or something asked on its way to the loop."""

    wish: Request | Asked
    result: Future[CommandResult] = field(default_factory=Future)


class TableLoop:
    """Runs a `Table` until it is stopped. Implements the page's `PageTable`.

    Args:
        table: the table, not started yet or restored from the journal.
        sinks: terminal, MQTT and others; one that fails is logged and does not hold up the rest.
        clock: seconds, monotonic; the same that the devices stamp with.
        keeper: where records are kept before any sink hears of them; None keeps nothing.
        layout: how the page draws the board.
        picture: the newest annotated picture and its age in seconds.
        places: where knobs' places are kept for the next start; None keeps none.
        mended: what was done for a damaged keeper before the start: people at the table are told, too.
    """

    def __init__(
        self,
        table: Table,
        sinks: Sequence[Sink],
        *,
        clock: Callable[[], float],
        keeper: Keeper | None = None,
        earlier: Sequence[Record] = (),
        layout: Mapping[str, Json] | None = None,
        picture: Picture | None = None,
        places: KnobPlaces | None = None,
        mended: str | None = None,
    ) -> None:
        self._table = table
        self._devices: list[Device] = []
        self._sinks = sinks
        self._clock = clock
        self._keeper = keeper
        self._layout = layout or {}
        self._picture = picture
        self._places = places
        self._beams = BeamMemory()
        self._kept_beams: Mapping[str, Json] = {}
        self._inbox: queue.Queue[Evidence | Waiting | None] = queue.Queue(QUEUE_LIMIT)
        self._lines = NewestLines(map(record_json, earlier))
        self._since: dict[str, str] = {}
        self._state: Mapping[str, Json] = self._with_wall_clock(table.state_json())
        self._in_danger: str | None = None
        self._told_danger: str | None = _danger_told(self._state)
        self._retried_s = float("-inf")
        self._mended = mended
        self._wakers: set[Callable[[], None]] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    # The devices' side

    def put(self, evidence: Evidence) -> None:
        """Hand over evidence, from any thread. A loop that stands still loses the newest, never the order."""
        try:
            self._inbox.put_nowait(evidence)
        except queue.Full:
            log.warning("the table does not keep up: evidence of %s is lost", type(evidence).__name__)

    def watch(self, device: Device) -> None:
        """Start a device with the table and stop it with it."""
        self._devices.append(device)

    def stop(self) -> None:
        """End `run` soon, from any thread."""
        self._stopped.set()

    # The page's side

    def state(self) -> Mapping[str, Json]:
        return self._state

    def layout(self) -> Mapping[str, Json]:
        return self._layout

    def records(self, after_seq: int) -> Sequence[Mapping[str, Json]]:
        with self._lock:
            return self._lines.after(after_seq)

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        with self._lock:
            self._wakers.add(wake)
        return lambda: self._wakers.discard(wake)

    def picture(self) -> tuple[bytes, float] | None:
        return self._picture() if self._picture else None

    def command(self, request: Request) -> CommandResult:
        return self._wait_for(request)

    def ask(self, name: str, args: Mapping[str, Json]) -> CommandResult:
        return self._wait_for(Asked(name, args))

    def _wait_for(self, wish: Request | Asked) -> CommandResult:
        waiting = Waiting(wish)
        try:
            self._inbox.put(waiting, timeout=COMMAND_TIMEOUT_S)
            return waiting.result.result(timeout=COMMAND_TIMEOUT_S)
        except (queue.Full, FutureTimeoutError):
            return refused("busy")

    # The loop

    def run(self, done: Callable[[Mapping[str, Json]], bool] = lambda _: False) -> None:
        """Referee until `stop` is called or `done(state)` holds, then stop all devices and sinks.

        Raises:
            CompanionError: if a device cannot be used at all at the start.
        """
        started: list[Device | Sink] = []
        try:
            for sink in self._sinks:
                sink.start()
                started.append(sink)
            self._in_danger = None if self._keeper is None else self._keeper.retry()
            self._tell(self._table.start(self._clock()))
            if self._mended is not None:
                back = DeviceChanged(self._clock(), JOURNAL, DeviceState.BACK, self._mended)
                self._tell(self._table.take(back))
            for sink in self._sinks:
                sink.publish([], self._state)  # a resumed table has nothing to say, but a state to show
            for device in self._devices:
                device.start()
                started.append(device)
            while not self._stopped.is_set() and not done(self._state):
                self._turn()
        finally:
            for part in reversed(started):
                try:
                    part.stop()
                except (CompanionError, OSError) as error:
                    log.warning("%s did not stop: %s", type(part).__name__, error)

    def _turn(self) -> None:
        """Take what waits, then let time pass: one step of the loop."""
        try:
            item = self._inbox.get(timeout=TICK_S)
        except queue.Empty:
            item = None
        if isinstance(item, Waiting):
            item.result.set_result(self._obeyed(item.wish))
        elif isinstance(item, Sight) and self._inbox.qsize() > LOOKS_WAITING:
            return  # newer ones wait behind it, and show at least as much
        elif item is not None:
            self._beams.take(item)
            self._tell(self._table.take(item))
            if isinstance(item, KnobAt) and item.at_rest:
                self._keep_places()
        self._tell(self._table.tick(self._clock()))
        self._keep_beams()
        self._mind_keeper()

    def _obeyed(self, wish: Request | Asked) -> CommandResult:
        try:
            if isinstance(wish, Asked):
                return CommandResult(True, data=self._table.ask(wish.name, wish.args))
            # Checked here, where one command follows the other: of two that were sent at once the second comes late.
            late = overtaken(wish, self._state, self.records(wish.seq))
            if late is not None:
                return late
            by = wish.by or A_PERSON
            if wish.name == "say":
                self._say(str(wish.args["text"]))
                return CommandResult(True)
            if wish.name == "recalibrate":
                self._recalibrate()
            self._tell(self._table.command(wish.name, wish.args, self._clock(), by))
        except CompanionError as error:
            return CommandResult(False, "refused", error.args[0] if error.args else "")
        if wish.name == "confirm_knob":
            self._confirm_knobs()
        return CommandResult(True)

    def _say(self, words: str) -> None:
        """Say something aloud.

        Raises:
            UsageError: where there is no voice.
        """
        speakers = [sink for sink in self._sinks if isinstance(sink, Speaks)]
        if not speakers:
            raise UsageError(text("this table has no voice; set enabled = true in [voice] of its config"))
        for speaker in speakers:
            speaker.say(words)

    def _recalibrate(self) -> None:
        """Let the camera learn what lies there; it tells as a device how that went.

        Raises:
            UsageError: where that is not sure, or there is no camera.
        """
        eye = next((device for device in self._devices if isinstance(device, Eye)), None)
        if eye is None:
            raise UsageError(text("this table has no camera to recalibrate"))
        eye.recalibrate(self._table.lying_for_sure())

    def _confirm_knobs(self) -> None:
        """Tell the devices, too: they count on from there, and keep it over a restart."""
        stop = self._table.knob_stop
        for device in self._devices:
            if stop is not None and isinstance(device, KnobDevice):
                device.confirm_knob(stop)

    def _keep_places(self) -> None:
        for device in self._devices:
            if self._places is not None and isinstance(device, KnobDevice):
                self._places.keep(device.device, device.place)

    def _tell(self, records: Sequence[Record]) -> None:
        """Keep first, then tell: nothing is heard of that a power cut could take back."""
        for record in records:
            if isinstance(record.event, DeviceReported):
                self._since[record.event.device] = datetime.now(UTC).isoformat(timespec="seconds")
        state = self._with_wall_clock(self._table.state_json())
        if not records and state == self._state:
            return
        if records and self._keeper is not None:
            self._in_danger = self._keeper.append(records, self._with_beams(state))
        with self._lock:
            self._lines.extend(record_json(record) for record in records)
            self._state = state
            wakers = tuple(self._wakers)
        for sink in self._sinks:
            sink.publish(records, state)
        for wake in wakers:
            wake()

    def _with_beams(self, state: Mapping[str, Json]) -> Mapping[str, Json]:
        """The state to be kept: with what beams have told up to it, for the next start."""
        self._kept_beams = self._beams.accounted(self._table.pending_beams)
        return {**state, COUNTED: self._kept_beams} if self._kept_beams else state

    def _keep_beams(self) -> None:
        """Keep that beams told of nothing, too: else it would be news to the next start."""
        if self._keeper is not None and self._beams.accounted(self._table.pending_beams) != self._kept_beams:
            self._in_danger = self._keeper.append([], self._with_beams(self._state))

    def _mind_keeper(self) -> None:
        """Tell where the record cannot be kept, and when it can again."""
        now_s = self._clock()
        if self._keeper is not None and now_s - self._retried_s > RETRY_S:
            self._retried_s = now_s
            self._in_danger = self._keeper.retry()
        if self._in_danger == self._told_danger:
            return
        self._told_danger = self._in_danger
        state = DeviceState.BACK if self._in_danger is None else DeviceState.LOST
        self._tell(self._table.take(DeviceChanged(now_s, JOURNAL, state, self._in_danger or "")))

    def _with_wall_clock(self, state: dict[str, Json]) -> dict[str, Json]:
        """Devices' `since` as people read it; the table itself knows no wall clock."""
        devices = state.get("devices")
        if isinstance(devices, Mapping):
            state["devices"] = {
                name: {**device, "since": self._since.get(name)}
                for name, device in devices.items()
                if isinstance(device, Mapping)
            }
        return state


def _danger_told(state: Mapping[str, Json]) -> str | None:
    """What people were told of the record before a restart that has not been put right since; None where nothing."""
    match state:
        case {"devices": {"journal": {"state": "lost", "detail": str(detail)}}}:
            return detail
    return None
