"""A device file: whether this user may use it, and who has it open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.texts import joined, text
from firmware_bridge.held import Holder


@dataclass(frozen=True, slots=True)
class Node:
    """A device file.

    Attributes:
        path: its real one, without links.
        usable: whether this user may read and write it.
        group: whose members may, where it is not everybody.
        member: whether the user is in that group; a new member has to log in again.
        holders: who has it open.
    """

    path: str
    usable: bool = True
    group: str = ""
    member: bool = False
    holders: tuple[Holder, ...] = ()


def node_at(path: str, held: Mapping[str, tuple[Holder, ...]]) -> Node:
    """The facts of a device file that is there."""
    real = os.path.realpath(path)
    group = _group(real)
    return Node(
        path=real,
        usable=os.access(real, os.R_OK | os.W_OK),
        group=group,
        member=group in _groups_of_user(),
        holders=held.get(path, ()),
    )


def not_allowed(node: Node) -> tuple[str, str]:
    """Why this user may not use a device, and what mends it."""
    if node.member:
        return text(
            "{path} may not be used yet: you are in the group {group}, but not since you logged in",
            path=node.path,
            group=node.group,
        ), text("{command}  # or log out and in again", command=f"newgrp {node.group}")
    if not node.group or node.group == "root":
        return text("{path} may be used by root only", path=node.path), text(
            "see {path}'s udev rule; docs/troubleshooting.md has one", path=node.path
        )
    return text("{path} may not be used: you are not in the group {group}", path=node.path, group=node.group), (
        text("{command}  # then log out and in again", command=f"sudo usermod -aG {node.group} $USER")
    )


def held_by(node: Node) -> str:
    return joined(
        (text("{program} (process {pid})", program=holder.name, pid=holder.pid) for holder in node.holders), ", "
    )


def _group(path: str) -> str:
    import grp

    with suppress(OSError, KeyError):
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    return ""


def _groups_of_user() -> frozenset[str]:
    """The groups that the user would be in after logging in again."""
    import grp
    import pwd

    with suppress(KeyError):
        user = pwd.getpwuid(os.geteuid())
        names = set()
        for number in os.getgrouplist(user.pw_name, user.pw_gid):
            with suppress(KeyError):
                names.add(grp.getgrgid(number).gr_name)
        return frozenset(names)
    return frozenset()
