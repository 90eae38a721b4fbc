"""`companion install-service`: a table that starts with the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.language import say
from companion.errors import InputError, UsageError, system_words
from companion.texts import text


def install_service(
    config: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE.toml", help="The table's config; again for more. Your own if left out."),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Under whose name it runs; yours if left out.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Only write the files there, to look at; else they are installed (as root)."),
    ] = None,
) -> None:
    """Write a unit for systemd and rules for udev: the table is refereed from when the machine starts.

    The unit restarts the program when it ends or stands still, gives it the groups for ports, cameras and pins, and
    keeps the rest of the system from it. The rules keep ModemManager away from the board.

    Example:

    \b
      sudo .venv/bin/companion install-service --config ~/.config/companion/table.toml --user pi
      companion install-service --out service/
    """
    from companion.config import default_config, load_config
    from companion.service.files import RULES, UNIT, Service, rules_text, unit_text

    configs = tuple(path.absolute() for path in config or [default_config()])
    for path in configs:
        load_config(path)  # a fault of it is said now, and not by a service that starts at night
    name = user or _caller()
    if out is None:
        _check_known(name)
    service = Service(Path(sys.executable), configs, name, _groups())
    folders = (out, out) if out else (Path("/etc/systemd/system"), Path("/etc/udev/rules.d"))
    try:
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
        for folder, file, content in zip(folders, (UNIT, RULES), (unit_text(service), rules_text()), strict=True):
            _write(folder / file, content)
            say(text("Wrote {path}", path=str(folder / file)))
    except PermissionError as error:
        raise InputError(
            text("{path}: may not be written; run it with sudo, or with --out DIR to look", path=error.filename)
        ) from error
    except OSError as error:
        raise InputError(text("{file}: {why}", file=str(error.filename), why=system_words(error))) from error
    place = f"sudo cp {out}/{UNIT} /etc/systemd/system/ && sudo cp {out}/{RULES} /etc/udev/rules.d/ && " if out else ""
    say(text("Now: {command}", command=f"{place}sudo systemctl daemon-reload && sudo udevadm control --reload"))
    enable = f"sudo systemctl enable --now {UNIT}"
    say(text("     {command}      # and {journal} to read along", command=enable, journal=f"journalctl -fu {UNIT}"))


def _check_known(user: str) -> None:
    """Files that are only looked at may be for another machine; a unit that is installed needs its user here.

    Raises:
        UsageError: where there is none of this name.
    """
    import pwd

    try:
        pwd.getpwnam(user)
    except KeyError as error:
        raise UsageError(text("there is no user {user} on this machine; name one with --user", user=user)) from error


def _caller() -> str:
    """Who called, behind sudo, too.

    Raises:
        UsageError: where that is root alone: a referee needs none of root's rights.
    """
    import getpass
    import os

    name = os.environ.get("SUDO_USER") or getpass.getuser()
    if name == "root":
        raise UsageError(text("say with --user under whose name it shall run; a referee needs none of root's rights"))
    return name


def _groups() -> tuple[str, ...]:
    """The groups that this machine has."""
    import grp

    from companion.service.files import GROUPS

    known = {group.gr_name for group in grp.getgrall()}
    return tuple(group for group in GROUPS if group in known)


def _write(path: Path, text: str) -> None:
    from companion.setup.writing import write_whole

    write_whole(path, text.encode())
