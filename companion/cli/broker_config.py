"""`companion broker-config`: a ready configuration for mosquitto."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.language import say
from companion.errors import UsageError
from companion.texts import text


def broker_config(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the files.")],
    node: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A program with tables; again for more. This machine if left out."),
    ] = None,
    base: Annotated[str, typer.Option(help="The first level of all topics, as in the tables' configs.")] = "companion",
    tls: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Encrypt, and reach the broker under this name or address; again for more."),
    ] = None,
    websockets: Annotated[
        int | None, typer.Option(metavar="PORT", min=1, max=65535, help="Listen for websockets, too.")
    ] = None,
    home: Annotated[
        str, typer.Option(metavar="PATH", help="Where the files will lie on the broker's machine.")
    ] = "/etc/mosquitto",
) -> None:
    """Write a configuration for mosquitto: users, passwords, access list, queue limits, and TLS where it is wanted.

    Every program with tables is a user of its own and may write nothing but its own topics; Home Assistant reads all
    tables and may command them; the club page only reads. Passwords stand in files that only you can read.

    Example:

    \b
      companion broker-config broker/ --node kitchen --node club-room
      companion broker-config broker/ --tls homeassistant.local --tls 192.168.1.5
    """
    import socket

    from companion.mqtt.broker_files import Broker, write_broker_files

    if not re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", base):
        raise UsageError(text("--base {base}: names of letters, digits, _ and -, with / between them", base=base))
    wrong = next((host for host in tls or () if not re.fullmatch(r"[A-Za-z0-9.:*-]{1,253}", host)), None)
    if wrong is not None:
        raise UsageError(text("--tls {name}: is no name or address of a machine", name=wrong))
    broker = Broker(base, tuple(node or [socket.gethostname()]), tuple(tls or ()), websockets, home.rstrip("/"))
    passwords = write_broker_files(folder, broker)
    for line in _next_steps(folder, broker.home, passwords, encrypted=bool(tls), port=broker.port):
        say(line)


def _next_steps(folder: Path, home: str, passwords: dict[str, Path], *, encrypted: bool, port: int) -> list[str]:
    files = "companion.passwd companion.acl" + (" ca.crt broker.crt broker.key" if encrypted else "")
    config = f'port = {port}\nusername = "…"\npassword_file = "…"' + ('\nca_file = "ca.crt"' if encrypted else "")
    return [
        text("Wrote {folder}. On the broker's machine:", folder=str(folder)),
        f"  cd {folder} && sudo install -o mosquitto -m 600 {files} {home}/",
        f"  sudo install -m 644 companion.conf {home}/conf.d/ && sudo systemctl restart mosquitto",
        text("The passwords, each to be copied to the machine of its user (never by mail):"),
        *(f"  {user}: {file}" for user, file in passwords.items()),
        text("In the tables' configs:"),
        *(f"  {line}" for line in ("[mqtt]", *config.splitlines())),
    ]
