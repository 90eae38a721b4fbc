"""Cameras: which there are, whether this user may use them, and what they give."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.config import CameraSection
from companion.doctor.eyes import Eyes, Look
from companion.doctor.finding import Finding, Part, Verdict
from companion.doctor.node import Node, held_by, node_at, not_allowed
from companion.texts import text
from firmware_bridge.held import Holder
from firmware_bridge.port_list import links

DEV = Path("/dev")
SYS = Path("/sys/class/video4linux")
BY_ID = Path("/dev/v4l/by-id")
BY_PATH = Path("/dev/v4l/by-path")

QUERYCAP = 0x80685600
"""VIDIOC_QUERYCAP of linux/videodev2.h."""
_CAPABILITY = struct.Struct("16s32s32sIII3I")
_CAPTURES = 0x1 | 0x1000
"""V4L2_CAP_VIDEO_CAPTURE, and the same of several planes."""
_BOTH_WAYS = 0x4000 | 0x8000 | 0x2
"""What converters have, of which a Raspberry Pi has many: pictures go in as well as out."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A /dev/video node that gives pictures.

    Attributes:
        by_id, by_path: links that name it by itself, and by the socket that it is plugged into.
    """

    node: Node
    name: str = ""
    by_id: str | None = None
    by_path: str | None = None

    @property
    def lasting(self) -> str | None:
        """A path that stays the same when it is plugged in again."""
        return self.by_id or self.by_path


def listed_cameras(held: Mapping[str, tuple[Holder, ...]]) -> tuple[Camera, ...]:
    """All cameras; none is told to take pictures for it."""
    ids, sockets = links(BY_ID), links(BY_PATH)
    return tuple(
        Camera(node_at(path, held), _name(path), ids.get(path), sockets.get(path))
        for path in video_nodes()
        if _gives_pictures(path)
    )


def video_nodes() -> list[str]:
    return sorted((str(path) for path in DEV.glob("video[0-9]*")), key=lambda path: int(path[len("/dev/video") :]))


def captures(capability: bytes) -> bool:
    """Whether a node is a camera, of what the kernel answers to QUERYCAP; its other nodes tell of times and lights."""
    *_, device, _, _, _ = _CAPABILITY.unpack(capability)
    return bool(device & _CAPTURES) and not device & _BOTH_WAYS


def source_of(section: CameraSection) -> str:
    """The device file or address of a config's camera."""
    source = str(section.device)
    return f"/dev/video{source}" if source.isdigit() else source


def of_cameras(cameras: Sequence[Camera], eyes: Eyes, section: CameraSection | None = None) -> list[Finding]:
    """Judge the cameras: the configured one must give pictures as it is asked to, of the others it is told."""
    wanted = None if section is None else os.path.realpath(source_of(section))
    told = [_other(camera, eyes) for camera in cameras if camera.node.path != wanted]
    if section is not None:
        return [*_configured(section, cameras, eyes), *told]
    if not cameras:
        told.append(
            Finding(Part.CAMERAS, Verdict.NOTE, text("no camera is plugged in; with beams and a knob none is needed"))
        )
    return told


def _configured(section: CameraSection, cameras: Sequence[Camera], eyes: Eyes) -> Iterator[Finding]:
    source = source_of(section)
    camera = next((camera for camera in cameras if camera.node.path == os.path.realpath(source)), None)
    if source.startswith("/dev/") and not os.path.exists(source):
        there = ", ".join(camera.lasting or camera.node.path for camera in cameras)
        words = text("the table's camera {camera} is not there", camera=source)
        mend = text("plug it in; {command}", command="ls /dev/v4l/by-id")
        if there:
            words = text("{words}; there is {others}", words=words, others=there)
            mend = text("plug it in, or set camera.device to one that is there")
        yield Finding(Part.CAMERAS, Verdict.WRONG, words, mend)
        return
    yield _as_asked(section, source, camera, eyes)
    if camera is not None and (str(section.device).isdigit() or source == camera.node.path) and camera.lasting:
        yield Finding(
            Part.CAMERAS,
            Verdict.NOTE,
            text("the number of {source} changes when cameras are plugged in again", source=source),
            text('set camera.device = "{path}"', path=camera.lasting),
        )


def _as_asked(section: CameraSection, source: str, camera: Camera | None, eyes: Eyes) -> Finding:
    asked = (section.width, section.height)
    look = eyes.looks.get(source)
    if look is not None and look.size == asked:
        return Finding(
            Part.CAMERAS,
            Verdict.OK,
            text("the table's camera {camera} gives {size}", camera=_called(source, camera), size=_size(asked)),
        )
    if look is not None and look.size is not None:
        width, height = look.size
        return Finding(
            Part.CAMERAS,
            Verdict.WRONG,
            text(
                "the table's camera {camera} gives {size}, {asked} are asked for",
                camera=_called(source, camera),
                size=_size(look.size),
                asked=_size(asked),
            ),
            text(
                "set camera.width = {width} and camera.height = {height}, and calibrate with pictures of that size",
                width=width,
                height=height,
            ),
        )
    words, mend = _why(source, camera, eyes, look)
    verdict = Verdict.NOTE if eyes.late else Verdict.WRONG
    said = (
        text("the table's {why}", why=words)
        if words.startswith("camera ")
        else text("the table's camera {why}", why=words)
    )
    return Finding(Part.CAMERAS, verdict, said, mend)


def _other(camera: Camera, eyes: Eyes) -> Finding:
    source = camera.lasting or camera.node.path
    look = eyes.looks.get(camera.node.path)
    if look is not None and look.size is not None:
        called = _called(source, camera)
        return Finding(
            Part.CAMERAS,
            Verdict.OK,
            text("{camera} is {path} and gives {size}", camera=called, path=camera.node.path, size=_size(look.size)),
        )
    return Finding(Part.CAMERAS, Verdict.NOTE, *_why(source, camera, eyes, look))


def _why(source: str, camera: Camera | None, eyes: Eyes, look: Look | None) -> tuple[str, str | None]:
    """Why a camera gives no picture, from the most certain reason to the least, and what mends it."""
    called = _called(source, camera)
    if camera is not None and not camera.node.usable:
        return not_allowed(camera.node)
    if camera is not None and camera.node.holders:
        return text("{camera} is in use by {programs}", camera=called, programs=held_by(camera.node)), text(
            "end that program first"
        )
    if eyes.opencv is None:
        return text("{camera} cannot be tried without OpenCV", camera=called), None
    if look is None:
        return text("{camera} gave no picture in time", camera=called), text(
            "plug it in again, into another socket if that does not help"
        )
    if not source.startswith("/dev/"):
        return look.fault, text("look whether it is switched on, and its address in camera.device right")
    return look.fault, text("plug it in again; docs/troubleshooting.md says what else to try")


def _called(source: str, camera: Camera | None) -> str:
    return f"{source} ({camera.name})" if camera is not None and camera.name else source


def _size(size: tuple[int, int]) -> str:
    return text("{width}x{height} pixels", width=size[0], height=size[1])


def _name(path: str) -> str:
    with suppress(OSError):
        return (SYS / Path(path).name / "name").read_text(errors="replace").strip()
    return ""


def _gives_pictures(path: str) -> bool:
    """A node that may not be asked is taken for a camera: that it may not is what there is to tell."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        return captures(bytes(fcntl.ioctl(handle, QUERYCAP, bytes(_CAPABILITY.size))))
    except OSError:
        return False
    finally:
        os.close(handle)
