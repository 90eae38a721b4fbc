"""Commands that come from the broker: their form and age checked, each carried out once, all answered.

A command is a JSON object on `…/cmd/<name>`:

    {"transaction": "any text of your own", "seq": 17, "by": "Anna", "args": {"ply": 12}}

`seq` says which state the sender had before the eyes. An automation has none before its eyes: it sends `at`, the time
on the wall (UTC, ISO 8601), in its place, and the command is about the state as it is now. `args` may be left out where
the state says them: `undo` takes the last move back, and `answer` takes the `number` of a choice of the open question.
The result goes to `…/result/<name>` with the same `transaction`.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Lock
from typing import Protocol

from companion.games.game import Json
from companion.page.commands import COMMANDS, parse_request, refused
from companion.page.table import CommandResult, Request
from companion.texts import text

log = logging.getLogger(__name__)

LARGEST = 64 * 1024
"""Bytes of a command; as much as the page takes."""
OLDEST_S = 30.0
"""An `at` that is farther from our clock is refused: two machines that keep the time differ by less than a second, and
a broker that was away for longer hands over old news."""
WAITING = 16
"""Commands that wait for the table; people and automations send one at a time."""
REMEMBERED = 256
"""Transactions that are known again."""
BY = "MQTT"
"""Who gives a command that names nobody."""

REFUSALS = {
    "retained": text("A retained command may be of any age; send commands without the retain flag."),
    "too_old": text("The command's time is not that of this machine's clock; send it anew, or set the clocks."),
    "no_json": text("The command is not a JSON object with transaction, and seq or at."),
    "no_question": text("No question is open, or it has no such choice."),
}

Answer = Callable[[Mapping[str, Json]], None]


class Commanded(Protocol):
    """A table, as `companion.page.table.PageTable` has it."""

    def state(self) -> Mapping[str, Json]: ...
    def command(self, request: Request) -> CommandResult: ...


class CommandDesk:
    """Takes commands for one table.

    Args:
        table: carries them out; may take some seconds.
        now: the time on the wall.
    """

    def __init__(self, table: Commanded, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._table = table
        self._now = now
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="mqtt command")
        self._lock = Lock()
        self._waiting = 0
        self._results: OrderedDict[tuple[str, str], Mapping[str, Json] | None] = OrderedDict()

    def take(self, name: str, payload: bytes, *, retained: bool, answer: Answer) -> None:
        """See `companion.mqtt.table.Desk.take`."""
        body = _object(payload)
        transaction = body.get("transaction") if body is not None else None
        tagged = transaction if isinstance(transaction, str) else None
        if retained:
            self._refuse(answer, tagged, _no("retained"))
            return
        wanted = _no("no_json") if body is None else self._request(name, body)
        if isinstance(wanted, CommandResult):
            self._refuse(answer, tagged, wanted)
            return
        known, result = self._remember(wanted)
        if known:
            if result is not None:
                answer(result)
            return
        if result is not None:
            answer(result)
            return
        self._worker.submit(self._carry_out, wanted, answer)

    def close(self, *, wait: bool = False) -> None:
        """Take nothing more; what was taken is forgotten, or with `wait` carried out first."""
        self._worker.shutdown(wait=wait, cancel_futures=not wait)

    def _remember(self, request: Request) -> tuple[bool, Mapping[str, Json] | None]:
        """Whether this transaction is known, and its result where there is one by now, or where there is no room."""
        key = (request.name, request.transaction)
        with self._lock:
            if key in self._results:
                return True, self._results[key]
            if self._waiting >= WAITING:
                return False, self._told(request.transaction, refused("busy"))
            self._waiting += 1
            self._results[key] = None
            while len(self._results) > REMEMBERED:
                self._results.popitem(last=False)
        return False, None

    def _carry_out(self, request: Request, answer: Answer) -> None:
        try:
            result = self._table.command(request)
        except Exception:
            # A fault of the table must reach whoever waits for the answer, and the log.
            log.exception("the command %s failed", request.name)
            result = refused("failed")
        told = self._told(request.transaction, result)
        key = (request.name, request.transaction)
        with self._lock:
            self._waiting -= 1
            if result.ok:
                self._results[key] = told
            else:
                self._results.pop(key, None)  # what was not carried out may be tried again under the same name
        answer(told)

    def _request(self, name: str, body: Mapping[str, Json]) -> Request | CommandResult:
        filled = dict(body)
        if "seq" not in body:
            late = self._age_fault(body.get("at"))
            if late is not None:
                return late
            filled["seq"] = self._table.state().get("seq", 0)
        filled.setdefault("by", BY)
        args = _filled(name, body.get("args", {}), self._table.state())
        if isinstance(args, CommandResult):
            return args
        filled["args"] = args
        wanted = parse_request(name, filled)
        if isinstance(wanted, CommandResult) and wanted.reason == "no_json":
            return _no("no_json")
        return wanted

    def _age_fault(self, at: Json) -> CommandResult | None:
        """Why a command without a `seq` is not of now; None where it is."""
        if not isinstance(at, str):
            return _no("no_json")
        try:
            sent = datetime.fromisoformat(at)
        except ValueError:
            return _no("no_json")
        if sent.tzinfo is None:
            sent = sent.replace(tzinfo=UTC)
        return None if abs((self._now() - sent).total_seconds()) <= OLDEST_S else _no("too_old")

    def _refuse(self, answer: Answer, transaction: str | None, result: CommandResult) -> None:
        log.info("a command from MQTT was refused: %s", result.reason)
        answer(self._told(transaction, result))

    def _told(self, transaction: str | None, result: CommandResult) -> dict[str, Json]:
        return {
            "transaction": transaction,
            "ok": result.ok,
            "reason": result.reason,
            "detail": result.detail,
            "seq": self._table.state().get("seq"),
        }


def _no(reason: str) -> CommandResult:
    return CommandResult(False, reason, REFUSALS[reason])


def _object(payload: bytes) -> Mapping[str, Json] | None:
    if len(payload) > LARGEST:
        return None
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _filled(name: str, args: Json, state: Mapping[str, Json]) -> Json | CommandResult:
    """The arguments with what the state says."""
    if not isinstance(args, Mapping) or name not in COMMANDS:
        return args
    if name == "undo" and not args:
        return {"ply": state.get("ply", 0)}
    if name == "answer" and args.keys() == {"number"}:
        question, number = state.get("question"), args["number"]
        choices = question.get("choices") if isinstance(question, Mapping) else None
        if not isinstance(choices, list) or type(number) is not int or not 1 <= number <= len(choices):
            return _no("no_question")
        return {
            "question": question["question"] if isinstance(question, Mapping) else None,
            "choice": choices[number - 1],
        }
    return args
