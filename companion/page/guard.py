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

from companion.page.refusals import Refusals

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-companion-token"
METHOD_NOT_ALLOWED = 405

CONTENT_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Home Assistant's ingress shows the page under its own address, which is 'self' to the browser."""

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


def is_this_machine(name: str) -> bool:
    """Whether a host's name means the machine that asks itself: on a phone it would mean the phone."""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def headers_for(frames: Iterable[str]) -> tuple[tuple[bytes, bytes], ...]:
    """What stands on every answer.

    Args:
        frames: other sites that may show the page in a frame ("https://homeassistant.local:8123").
    """
    sites = " ".join(frames).encode("ascii")
    if not sites:
        return HEADERS
    told = {**dict(HEADERS), b"content-security-policy": CONTENT_POLICY + b" " + sites}
    del told[b"x-frame-options"]  # it can name no other site, and the policy above says the same better
    return tuple(told.items())


def relative_location(location: bytes) -> bytes:
    """A redirect's target as seen from where the browser is: behind a prefix only that leads to the right place.

    The only redirects are those that add a slash to an address, or take one away.
    """
    target = urlsplit(location.decode("latin-1"))
    query = f"?{target.query}" if target.query else ""
    last = target.path.rstrip("/").rpartition("/")[2]
    return (f"./{last}/{query}" if target.path.endswith("/") else f"../{last}{query}").encode("latin-1")


class Guard:
    """ASGI middleware: refuses foreign hosts and addresses that lead outside, and puts headers on every answer.

    Args:
        names: under which the page is reached.
        frames: other sites that may show it in a frame.
        refusals: hears of what was refused.
    """

    def __init__(
        self, app: ASGIApp, names: frozenset[str], frames: Iterable[str] = (), refusals: Refusals | None = None
    ) -> None:
        self.app = app
        self.names = names
        self.headers = headers_for(frames)
        self.refusals = refusals or Refusals()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == METHOD_NOT_ALLOWED:
                    self.refusals.note("wrong method", f"{scope['method']} {scope['path']}")
                headers = [
                    (name, relative_location(value) if name == b"location" else value)
                    for name, value in message["headers"]
                ]
                message = {**message, "headers": [*headers, *self.headers]}
            await send(message)

        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not host_allowed(hosts[0], self.names):
            self.refusals.note("foreign host", hosts[0] if hosts else "none")
            await _refuse(hosts, scope, receive, send_guarded)
        elif leads_outside(scope["path"]):
            self.refusals.note("address that leads outside", scope["path"])
            await _not_found(scope, receive, send_guarded)
        else:
            await self.app(scope, receive, send_guarded)


def leads_outside(path: str) -> bool:
    """Whether a decoded path has what no address of ours has: dots that lead up, backslashes, control characters.

    No file is ever opened by a path that somebody sent, so this only tells who knocks for what.
    """
    outside = ".." in path or "\\" in path or any(ord(letter) < 32 for letter in path)
    return outside or "%2e" in path.lower() or "%2f" in path.lower()


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    from starlette.responses import PlainTextResponse

    await PlainTextResponse("There is no such page here.\n", status_code=404)(scope, receive, send)


async def _refuse(hosts: list[str], scope: Scope, receive: Receive, send: Send) -> None:
    from starlette.responses import PlainTextResponse

    said = hosts[0] if hosts else "nothing"
    text = f"This page is not reached as {said!r}: use the machine's address, or add the name to the page's hosts.\n"
    await PlainTextResponse(text, status_code=421)(scope, receive, send)
