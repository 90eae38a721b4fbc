"""Who may ask the page what: hosts, origins, the token, and the headers that bind the browser.

A name that resolves to this machine but is not ours (DNS rebinding) is refused by its Host header; an address in
numbers cannot be rebound, so it is let in. Another site's page is refused by its Origin, and could not send the
token's header without a leave that is never given.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-companion-token"

CONTENT_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """The names under which this machine is reached, and those that the user adds."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", *(name.lower() for name in more)})


def host_allowed(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header ("table.local:8420") is an address in numbers or one of `names`."""
    name = _host_name(f"//{host}")
    if name is None:
        return False
    return name in names or _is_address(name)


def origin_allowed(origin: str | None, host: str, outer_names: Collection[str] = ()) -> bool:
    """Whether a request that changes something comes from the page itself.

    Programs send no Origin and pass by their token; browsers always send it with a POST. Behind a proxy that renames
    the host, the name that the browser knows must be among `outer_names`.
    """
    if origin is None:
        return True
    scheme, _, authority = origin.partition("://")
    if scheme not in ("http", "https"):
        return False
    return authority.lower() == host.lower() or _host_name(origin) in outer_names


def token_matches(given: str | None, token: str) -> bool:
    return given is not None and hmac.compare_digest(given.encode(), token.encode())


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware: refuses foreign hosts, and puts `HEADERS` on every answer."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *HEADERS]}
            await send(message)

        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and host_allowed(hosts[0], self.names):
            await self.app(scope, receive, send_guarded)
        else:
            await _refuse(hosts, scope, receive, send_guarded)


async def _refuse(hosts: list[str], scope: Scope, receive: Receive, send: Send) -> None:
    from starlette.responses import PlainTextResponse

    said = hosts[0] if hosts else "nothing"
    text = f"This page is not reached as {said!r}: use the machine's address, or add the name to the page's hosts.\n"
    await PlainTextResponse(text, status_code=421)(scope, receive, send)
