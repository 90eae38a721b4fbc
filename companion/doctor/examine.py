"""The whole examination: every probe at the same time, none longer than its limit, then all findings in their order."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from companion.config import CameraSection, Config, PageSection, load_config
from companion.doctor.bounded import Asked, Unknown
from companion.doctor.cameras import Camera, listed_cameras, of_cameras, source_of, video_nodes
from companion.doctor.eyes import Eyes, ask_opencv
from companion.doctor.finding import Finding, Part, Verdict
from companion.doctor.network import knock, of_broker, of_page, page_port
from companion.doctor.node import Node
from companion.doctor.pins import of_pins, pins
from companion.doctor.places import journal_place, learnt, of_calibration, of_journal
from companion.doctor.ports import SerialPort, Wanted, of_ports, ports, wanted_port
from companion.doctor.program import Program, installed, of_program
from companion.doctor.services import of_services, running
from companion.errors import InputError, error_words
from companion.games.game import Json
from companion.journal.place import default_journal
from companion.texts import text
from firmware_bridge.held import Holder, holders
from firmware_bridge.port_list import listed_ports
from firmware_bridge.wiring import Wiring

T = TypeVar("T")

LIMIT_S = 2.0
"""Files, sockets on this machine and a broker in the house answer within milliseconds."""

LOAD_S = 10.0
"""Loading OpenCV or a calibration's arithmetic takes a second or two on a Raspberry Pi, and longer on a busy one."""

EYES_S = LOAD_S + 5.0
"""The same, and four seconds for pictures: that limit is the looking process's own."""

ANY_SIZE = (1280, 720)
"""What a camera is asked for that no config speaks of: the default of `[camera]`."""


def examine(config_path: Path | None, setup: Mapping[str, Json] | None = None) -> list[Finding]:
    """Look at the machine, and at the table of a config where one is given. Changes nothing, and always comes back.

    Args:
        setup: what stands in place of the config's `players`, `pattern` and `posts`.
    """
    config, told = (None, []) if config_path is None else _config(config_path, setup)
    return told + _examined(config)


def _config(path: Path, setup: Mapping[str, Json] | None) -> tuple[Config | None, list[Finding]]:
    try:
        config = load_config(path, setup)
    except InputError as error:
        mend = text("put the config right as docs/configuration.md says")
        return None, [Finding(Part.CONFIG, Verdict.WRONG, error_words(error), mend)]
    return config, [
        Finding(Part.CONFIG, Verdict.OK, text("{path} is a table of {game}", path=str(path), game=config.table.game))
    ]


def _examined(config: Config | None) -> list[Finding]:
    camera = None if config is None else config.camera
    wiring = None if config is None or config.gpio is None else Wiring.parse(config.gpio)
    page = PageSection() if config is None else config.page
    journal = (None if config is None else config.journal.path) or default_journal()

    broker = Asked(lambda: None if config is None else knock(config, LIMIT_S), 2 * LIMIT_S + 0.5)
    calibration = Asked(lambda: None if config is None or camera is None else learnt(config, camera), LOAD_S)
    reachable_pins = Asked(lambda: pins(wiring is not None), LIMIT_S)
    services = Asked(running, LIMIT_S)
    place = Asked(lambda: journal_place(journal), LIMIT_S)
    port = Asked(lambda: page_port(page), LIMIT_S)
    wheels = Asked(installed, LIMIT_S)
    held = Asked(lambda: _held(config), LIMIT_S).answer()
    held = {} if isinstance(held, Unknown) else held
    cameras = Asked(lambda: listed_cameras(held), LIMIT_S).answer()
    eyes = Asked(lambda: ask_opencv(_sources(cameras, camera), EYES_S), EYES_S + 1.0)
    serial = Asked(lambda: _serial(config, held), LIMIT_S)

    seen = eyes.answer()
    seen = Eyes(late=True) if isinstance(seen, Unknown) else seen
    programs = services.answer()
    others = () if isinstance(programs, Unknown) else programs
    configured = config is not None
    return [
        *_of(Part.PROGRAM, wheels, lambda found: of_program(_program(found, seen))),
        *_told(Part.CAMERAS, cameras, lambda found: of_cameras(found, seen, camera)),
        *_of(Part.PORTS, serial, lambda found: of_ports(*found, others)),
        *_of(Part.PINS, reachable_pins, lambda found: of_pins(found, wiring)),
        *_told(Part.SERVICES, programs, of_services),
        *of_calibration(calibration.answer(), seen.opencv),
        *_of(Part.BROKER, broker, of_broker),
        *_of(Part.PAGE, port, lambda found: of_page(found, configured)),
        *_of(Part.JOURNAL, place, lambda found: of_journal(found, configured)),
    ]


def _of(part: Part, asked: Asked[T], judge: Callable[[T], list[Finding]]) -> list[Finding]:
    return _told(part, asked.answer(), judge)


def _told(part: Part, found: T | Unknown, judge: Callable[[T], list[Finding]]) -> list[Finding]:
    """The findings of a part; what could not be found out is no fault of the table's."""
    if isinstance(found, Unknown):
        return [Finding(part, Verdict.NOTE, text("this could not be looked at ({why})", why=found.why))]
    return judge(found)


def _program(found: tuple[dict[str, str], tuple[str, ...]], seen: Eyes) -> Program:
    wheels, missing = found
    version = ".".join(map(str, sys.version_info[:3]))
    return Program(version, wheels, missing, seen.opencv, seen.fault, seen.late)


def _held(config: Config | None) -> Mapping[str, tuple[Holder, ...]]:
    """Who has what, in one look at all programs."""
    paths = [*video_nodes(), *(port.device for port in listed_ports())]
    if config is not None and config.serial is not None:
        from firmware_bridge.port_open import find

        path = find(config.serial.port or config.serial.usb_serial or "")
        paths += [path] if path is not None and "://" not in path else []
    return holders(paths)


def _sources(cameras: Sequence[Camera] | Unknown, section: CameraSection | None) -> list[tuple[str, int, int]]:
    """Cameras to look through: those that may be used and are free, and the config's in the size that it asks for."""
    wanted = [] if section is None else [(source_of(section), section.width, section.height)]
    real = {os.path.realpath(source) for source, *_ in wanted}
    barred = (
        {camera.node.path for camera in cameras if _barred(camera.node)} if not isinstance(cameras, Unknown) else set()
    )
    others = () if isinstance(cameras, Unknown) else cameras
    free = [(camera.node.path, *ANY_SIZE) for camera in others if camera.node.path not in barred | real]
    return [each for each in wanted if os.path.realpath(each[0]) not in barred] + free


def _barred(node: Node) -> bool:
    """A camera that another program looks through is left alone."""
    return not node.usable or bool(node.holders)


def _serial(
    config: Config | None, held: Mapping[str, tuple[Holder, ...]]
) -> tuple[Sequence[SerialPort], Wanted | None]:
    section = None if config is None else config.serial
    return ports(held), None if section is None else wanted_port(section, held)
