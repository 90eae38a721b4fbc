"""Serial ports: which there are and who has them. None is opened: that would start an Arduino anew."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.config import SerialSection
from companion.doctor.finding import Finding, Part, Verdict
from companion.doctor.node import Node, held_by, node_at, not_allowed
from companion.doctor.services import GRABBERS, Running
from companion.texts import text
from firmware_bridge.held import Holder
from firmware_bridge.port_list import ListedPort, listed_ports


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A port with the facts of its device file."""

    listed: ListedPort
    node: Node


def ports(held: Mapping[str, tuple[Holder, ...]]) -> tuple[SerialPort, ...]:
    return tuple(SerialPort(listed, node_at(listed.device, held)) for listed in listed_ports())


@dataclass(frozen=True, slots=True)
class Wanted:
    """The config's port: `spec` as it is written, `node` where there is one now."""

    spec: str
    by_serial: bool
    node: Node | None


def wanted_port(section: SerialSection, held: Mapping[str, tuple[Holder, ...]]) -> Wanted:
    from firmware_bridge.port_open import find

    spec = section.port or section.usb_serial or ""
    path = find(spec)
    there = path is not None and "://" not in path
    return Wanted(spec, section.port is None, node_at(path, held) if there and path is not None else None)


def of_ports(found: Sequence[SerialPort], wanted: Wanted | None, running: Sequence[Running] = ()) -> list[Finding]:
    """Judge the ports: the configured one must be there, free and allowed; of the others on USB it is told."""
    told = [] if wanted is None else list(_configured(wanted, found, running))
    at = None if wanted is None or wanted.node is None else wanted.node.path
    on_usb = [port for port in found if port.listed.usb is not None]
    told += [finding for port in on_usb if port.node.path != at for finding in _other(port)]
    if wanted is None and not on_usb:
        told.append(
            Finding(
                Part.PORTS, Verdict.NOTE, text("no board is plugged in over USB; with a camera or pins none is needed")
            )
        )
    return told


def _configured(wanted: Wanted, found: Sequence[SerialPort], running: Sequence[Running]) -> Iterator[Finding]:
    if "://" in wanted.spec:
        yield Finding(
            Part.PORTS,
            Verdict.NOTE,
            text("the table's port {port} is in the network, and shows when the table runs", port=wanted.spec),
        )
        return
    node = wanted.node
    if node is None:
        yield _not_there(wanted, found, running)
        return
    called = wanted.spec if wanted.spec == node.path else f"{wanted.spec} ({node.path})"
    if not node.usable:
        words, mend = not_allowed(node)
        yield Finding(Part.PORTS, Verdict.WRONG, text("the table's port {why}", why=words), mend)
    elif node.holders:
        yield Finding(
            Part.PORTS,
            Verdict.WRONG,
            text("the table's port {port} is in use by {programs}", port=called, programs=held_by(node)),
            _end(node),
        )
    else:
        yield Finding(Part.PORTS, Verdict.OK, text("the table's port {port} is there and free", port=called))
    port = next((port for port in found if port.node.path == node.path), None)
    if wanted.spec == node.path and port is not None and (lasting := _lasting(port)):
        yield Finding(
            Part.PORTS,
            Verdict.NOTE,
            text("the number of {port} changes when it is plugged in again", port=wanted.spec),
            lasting,
        )


def _not_there(wanted: Wanted, found: Sequence[SerialPort], running: Sequence[Running]) -> Finding:
    there = [port.listed.by_id or port.listed.device for port in found if port.listed.usb is not None]
    words = (
        text("no port has the table's USB serial number {serial}", serial=wanted.spec)
        if wanted.by_serial
        else text("there is no port {port}", port=wanted.spec)
    )
    if there:
        words = text("{words}; there is {others}", words=words, others=", ".join(there))
    brltty = next((program for program in running if program.name == "brltty"), None)
    if brltty is not None:
        mend = text(
            "plug the board in; brltty runs, which takes CH340 boards away: {command}",
            command=GRABBERS["brltty"].keep_off,
        )
    else:
        mend = (
            text("plug the board in, or name one that is there in [serial]")
            if there
            else text("plug the board in; {command}", command="ls /dev/serial/by-id")
        )
    return Finding(Part.PORTS, Verdict.WRONG, words, mend)


def _other(port: SerialPort) -> Iterator[Finding]:
    listed, node = port.listed, port.node
    name = f" ({listed.name})" if listed.name else ""
    port_name = f"{listed.by_id or listed.device}{name}"
    called = (
        text(
            "{port} is {path}, USB serial number {serial}", port=port_name, path=listed.device, serial=listed.usb_serial
        )
        if listed.usb_serial
        else text("{port} is {path}, without a USB serial number", port=port_name, path=listed.device)
    )
    if not node.usable:
        words, mend = not_allowed(node)
        yield Finding(Part.PORTS, Verdict.NOTE, words, mend)
    elif node.holders:
        yield Finding(
            Part.PORTS, Verdict.NOTE, text("{port}; in use by {programs}", port=called, programs=held_by(node))
        )
    else:
        yield Finding(Part.PORTS, Verdict.OK, called)


def _lasting(port: SerialPort) -> str | None:
    """How to name a port in the config for good."""
    listed = port.listed
    if listed.usb_serial:
        return text('in [serial], write usb_serial = "{serial}" in place of port', serial=listed.usb_serial)
    path = listed.by_id or listed.by_path
    return text('set serial.port = "{path}"', path=path) if path else None


def _end(node: Node) -> str:
    grabber = next((GRABBERS[holder.name] for holder in node.holders if holder.name in GRABBERS), None)
    if grabber is not None:
        return grabber.keep_off
    mine = [holder for holder in node.holders if os.getpid() != holder.pid]
    return (
        text("kill {pid}  # or end it in its own way", pid=mine[0].pid)
        if len(mine) == 1
        else text("end these programs first")
    )
