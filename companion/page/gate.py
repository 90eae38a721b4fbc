"""The way of a command from a browser to the table: origin, token, form, double taps, staleness, time limit."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from companion.page.commands import Request, overtaken, parse_request, refused
from companion.page.guard import TOKEN_HEADER, origin_allowed, token_matches
from companion.page.table import CommandResult, PageTable

if TYPE_CHECKING:
    from starlette import requests
    from starlette.responses import Response

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
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
    "failed": 500,
    "busy": 503,
}
REFUSED = 409
"""Stale, closed, and every reason of the table itself."""


class CommandGate:
    """Takes commands for one table; each transaction is carried out once, however often it is sent."""

    def __init__(
        self, table: PageTable, *, token: str, outer_names: frozenset[str] = frozenset(), timeout_s: float = 5.0
    ) -> None:
        self.table = table
        self.token = token
        self.outer_names = outer_names
        self.timeout_s = timeout_s
        self._transactions: OrderedDict[str, asyncio.Task[CommandResult]] = OrderedDict()

    async def receive(self, request: requests.Request) -> Response:
        """Answer a POST of a command."""
        result = await self._result(request)
        answer = {
            "ok": result.ok,
            "reason": result.reason,
            "detail": result.detail,
            "seq": self.table.state().get("seq"),
        }
        status = STATUS.get(result.reason, REFUSED) if not result.ok else 200
        return JSONResponse(answer, status_code=status, headers={"Cache-Control": "no-store"})

    async def _result(self, request: requests.Request) -> CommandResult:
        host = request.headers.get("host", "")
        if not origin_allowed(request.headers.get("origin"), host, self.outer_names):
            return refused("origin")
        if not token_matches(request.headers.get(TOKEN_HEADER), self.token):
            return refused("token")
        body = await _body(request)
        if body is None:
            return refused("too_large")
        wanted = parse_request(request.path_params["name"], _json(body))
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
        # A browser that leaves must not take a half-done command with it.
        return await asyncio.shield(task)

    def _forget_failure(self, transaction: str, task: asyncio.Task[CommandResult]) -> None:
        """What was not carried out may be tried again under the same name."""
        if task.cancelled() or task.exception() is not None or not task.result().ok:
            self._transactions.pop(transaction, None)

    async def _carry_out(self, request: Request) -> CommandResult:
        late = overtaken(request, self.table.state(), self.table.records(request.seq))
        if late is not None:
            return late
        try:
            work = asyncio.to_thread(self.table.command, request.name, request.args)
            return await asyncio.wait_for(work, self.timeout_s)
        except TimeoutError:
            return refused("busy")
        except Exception:
            # A fault of the table must reach the person who waits for the answer, and the log.
            log.exception("the command %s failed", request.name)
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
