"""The way of a command from a browser to the table: origin, token, form, double taps, time limit.

Whether it comes too late the table itself says, where commands come one after another.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from companion.page.commands import ASKED, COMMANDS, Form, fits, parse_request, refused
from companion.page.guard import TOKEN_HEADER, origin_allowed, token_matches
from companion.page.language import language_of
from companion.page.refusals import Refusals
from companion.page.table import CommandResult, PageTable, Request
from companion.texts import ENGLISH, in_language, names_in, names_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette import requests
    from starlette.responses import Response

    from companion.games.game import Json

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
BODY_S = 10.0
"""Seconds for a whole body: a phone with one bar needs one."""
REMEMBERED = 256
"""Transactions that are known again: far more than people tap before the page has its answer."""

STATUS = {
    "": 200,
    "no_json": 400,
    "bad_args": 400,
    "token": 403,
    "origin": 403,
    "unknown_command": 404,
    "too_large": 413,
    "too_slow": 408,
    "failed": 500,
    "busy": 503,
}
REFUSED = 409
"""Stale, closed, and every reason of the table itself."""
NOTED: Mapping[str, str] = {
    "origin": "foreign origin",
    "token": "command without the token",
    "too_large": "huge body",
    "too_slow": "slow body",
    "no_json": "no command",
    "unknown_command": "unknown command",
}
"""What the log hears of; the rest happens to well-meaning people."""


class Commanded(Protocol):
    """What takes commands: a table, or a set-up."""

    def state(self) -> Mapping[str, Json]: ...
    def command(self, request: Request) -> CommandResult: ...


class CommandGate:
    """Takes commands for one table; each transaction is carried out once, however often it is sent.

    Args:
        table: what takes them.
        forms: the commands that it knows.
        refusals: hears of what was refused.
        language: of an answer to who prefers no language that there is.
    """

    def __init__(
        self,
        table: Commanded,
        *,
        token: str,
        outer_names: frozenset[str] = frozenset(),
        timeout_s: float = 5.0,
        forms: Mapping[str, Form] = COMMANDS,
        refusals: Refusals | None = None,
        language: str = ENGLISH,
    ) -> None:
        self.table = table
        self.token = token
        self.outer_names = outer_names
        self.timeout_s = timeout_s
        self.forms = forms
        self.refusals = refusals or Refusals()
        self.language = language
        self._transactions: OrderedDict[str, asyncio.Task[CommandResult]] = OrderedDict()

    async def receive(self, request: requests.Request) -> Response:
        """Answer a POST of a command."""
        result = await self._result(request)
        if not result.ok and result.reason in NOTED:
            told = {"origin": request.headers.get("origin", ""), "unknown_command": request.path_params["name"]}
            self.refusals.note(NOTED[result.reason], told.get(result.reason, ""))
        return self._answer(request, result)

    def _answer(self, request: requests.Request, result: CommandResult) -> Response:
        state = self.table.state()
        answer: Json = {
            "ok": result.ok,
            "reason": result.reason,
            "detail": result.detail,
            "seq": state.get("seq"),
            **result.data,
        }
        status = STATUS.get(result.reason, REFUSED) if not result.ok else 200
        told = in_language(names_in(answer, names_of(state)), language_of(request, self.language))
        return JSONResponse(told, status_code=status, headers={"Cache-Control": "no-store"})

    async def ask(self, request: requests.Request, table: PageTable) -> Response:
        """Answer a GET of what is asked, with its arguments as JSON in `args`."""
        if not token_matches(request.headers.get(TOKEN_HEADER), self.token):
            return self._answer(request, refused("token"))
        name, args = request.path_params["name"], _json(request.query_params.get("args", "{}").encode())
        if name not in ASKED:
            return self._answer(request, refused("unknown_command"))
        if not isinstance(args, dict) or not fits(ASKED[name], args):
            return self._answer(request, refused("bad_args"))
        return self._answer(request, await self._in_time(name, lambda: table.ask(name, args)))

    async def _result(self, request: requests.Request) -> CommandResult:
        host = request.headers.get("host", "")
        if not origin_allowed(request.headers.get("origin"), host, self.outer_names):
            return refused("origin")
        if not token_matches(request.headers.get(TOKEN_HEADER), self.token):
            return refused("token")
        try:
            body = await asyncio.wait_for(_body(request), BODY_S)
        except (TimeoutError, ClientDisconnect):  # who has hung up hears no answer, and is no fault of the program
            return refused("too_slow")
        if body is None:
            return refused("too_large")
        wanted = parse_request(request.path_params["name"], _json(body), self.forms)
        if isinstance(wanted, CommandResult):
            return wanted
        return await self._once(wanted)

    async def _once(self, request: Request) -> CommandResult:
        task = self._transactions.get(request.transaction)
        if task is None:
            task = asyncio.create_task(self._carry_out(request))
            self._transactions[request.transaction] = task
            task.add_done_callback(partial(self._forget_failure, request.transaction))
            while len(self._transactions) > REMEMBERED:
                self._transactions.popitem(last=False)
        elif task.done():
            self.refusals.note("replayed command", request.name)  # answered as before; nothing is done again
        # A browser that leaves must not take a half-done command with it.
        return await asyncio.shield(task)

    def _forget_failure(self, transaction: str, task: asyncio.Task[CommandResult]) -> None:
        """What was not carried out may be tried again under the same name."""
        if task.cancelled() or task.exception() is not None or not task.result().ok:
            self._transactions.pop(transaction, None)

    async def _carry_out(self, request: Request) -> CommandResult:
        return await self._in_time(request.name, lambda: self.table.command(request))

    async def _in_time(self, name: str, work: Callable[[], CommandResult]) -> CommandResult:
        try:
            return await asyncio.wait_for(asyncio.to_thread(work), self.timeout_s)
        except TimeoutError:
            return refused("busy")
        except Exception:
            # A fault of the table must reach the person who waits for the answer, and the log.
            log.exception("the command %s failed", name)
            return refused("failed")


async def _body(request: requests.Request) -> bytes | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            return None
    return body


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
