"""Under which address a phone in the same network finds the page."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

EVERYWHERE: Final = ("0.0.0.0", "::", "")
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of the documentation's own network: the way there is looked up, and nothing is sent."""


def lan_address() -> str | None:
    """This machine's own address on the way out; None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
            address = str(way.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_loopback else address


def lan_url(bound: tuple[str, int] | None) -> str | None:
    """The page's address for phones; None where only this machine reaches it.

    Args:
        bound: the address and port that the server listens on.
    """
    if bound is None:
        return None
    host, port = bound
    if host in EVERYWHERE:
        found = lan_address()
        return None if found is None else f"http://{found}:{port}/"
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if local:
        return None
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
