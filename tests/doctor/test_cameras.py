"""Cameras that are well, and every way in which they are not."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from companion.config import CameraSection
from companion.doctor.cameras import Camera, captures, of_cameras
from companion.doctor.eyes import Eyes, Look
from companion.doctor.finding import Finding, Verdict
from companion.doctor.node import Node
from firmware_bridge.held import Holder
from vision.camera import CameraSettings
from vision.errors import CameraError
from vision.probe import look

WELL = Eyes("5.0.0")


@pytest.fixture
def device(tmp_path: Path) -> str:
    """Something at the path of a camera; whether it is one says `Eyes`."""
    path = tmp_path / "video0"
    path.touch()
    return str(path)


def section(device: str | int, width: int = 1280, height: int = 720) -> CameraSection:
    return CameraSection(device=device, calibration=Path("cal.json"), width=width, height=height)


def seeing(source: str, width: int = 1280, height: int = 720) -> Eyes:
    return Eyes("5.0.0", looks={source: Look((width, height))})


def one(findings: list[Finding], verdict: Verdict) -> Finding:
    (finding,) = findings
    assert finding.verdict is verdict
    return finding


def test_no_camera_is_no_fault() -> None:
    one(of_cameras([], WELL), Verdict.NOTE)


def test_a_camera_is_listed_by_what_stays_with_its_size() -> None:
    camera = Camera(Node("/dev/video2"), "HD Webcam", by_id="/dev/v4l/by-id/usb-HD-index0")
    told = one(of_cameras([camera], seeing("/dev/video2", 640, 480)), Verdict.OK)
    assert told.words == "/dev/v4l/by-id/usb-HD-index0 (HD Webcam) is /dev/video2 and gives 640x480 pixels"


def test_the_tables_camera_as_it_is_asked_for(device: str) -> None:
    told = one(of_cameras([Camera(Node(device))], seeing(device), section(device)), Verdict.OK)
    assert "1280x720" in told.words


def test_v26_another_size_than_asked_for_is_wrong(device: str) -> None:
    told = one(of_cameras([], seeing(device, 640, 480), section(device)), Verdict.WRONG)
    assert "gives 640x480 pixels, 1280x720 pixels are asked for" in told.words
    assert told.mend is not None
    assert "camera.width = 640 and camera.height = 480" in told.mend


def test_a_camera_that_is_not_there_is_told_with_those_that_are() -> None:
    others = [Camera(Node("/dev/video4"), by_id="/dev/v4l/by-id/usb-Other-index0")]
    told = of_cameras(others, seeing("/dev/video4"), section("/dev/v4l/by-id/usb-HD-index0"))
    assert told[0].verdict is Verdict.WRONG
    assert "is not there; there is /dev/v4l/by-id/usb-Other-index0" in told[0].words
    assert len(told) == 2


def test_v25_a_number_is_no_name(device: str) -> None:
    camera = Camera(Node(device), by_path="/dev/v4l/by-path/pci-usb-1-video-index0")
    told = of_cameras([camera], seeing(device), section(device))
    assert [finding.verdict for finding in told] == [Verdict.OK, Verdict.NOTE]
    assert told[1].mend == 'set camera.device = "/dev/v4l/by-path/pci-usb-1-video-index0"'


@pytest.mark.parametrize(
    ("member", "words", "mend"),
    [
        (False, "not in the group video", "sudo usermod -aG video $USER  # then log out and in again"),
        (True, "not since you logged in", "newgrp video"),
    ],
)
def test_a_camera_that_this_user_may_not_use(device: str, member: bool, words: str, mend: str) -> None:
    camera = Camera(Node(device, usable=False, group="video", member=member))
    told = one(of_cameras([camera], WELL, section(device)), Verdict.WRONG)
    assert words in told.words
    assert told.mend is not None
    assert told.mend.startswith(mend)


def test_a_camera_in_use_is_told_with_who_has_it(device: str) -> None:
    camera = Camera(Node(device, holders=(Holder(812, "cheese"),)))
    told = one(of_cameras([camera], WELL, section(device)), Verdict.WRONG)
    assert "in use by cheese (process 812)" in told.words


@pytest.mark.parametrize(
    ("eyes", "verdict", "words"),
    [
        (WELL, Verdict.WRONG, "gave no picture in time"),
        (Eyes(fault="ImportError"), Verdict.WRONG, "without OpenCV"),
        (Eyes(late=True), Verdict.NOTE, "without OpenCV"),
    ],
)
def test_a_camera_that_says_nothing(device: str, eyes: Eyes, verdict: Verdict, words: str) -> None:
    assert words in one(of_cameras([], eyes, section(device)), verdict).words


def test_an_address_is_told_without_its_login() -> None:
    url = "rtsp://ann:secret@cam.local/live"
    told = one(of_cameras([], Eyes("5.0.0", looks={url: Look(fault=f"camera {url}: no")}), section(url)), Verdict.WRONG)
    assert "secret" not in told.words
    assert "cam.local" in told.words


@pytest.mark.parametrize(
    ("device_caps", "is_camera"),
    [
        (0x04200001, True),  # a USB camera
        (0x04A00000, False),  # its node of times and lights
        (0x04204000, False),  # a Raspberry Pi's converter
        (0x04201000, True),  # planes
    ],
)
def test_which_nodes_are_cameras(device_caps: int, is_camera: bool) -> None:
    answer = struct.pack("16s32s32sIII3I", b"uvcvideo", b"HD", b"usb-1", 0x60100, 0x84A00001, device_caps, 0, 0, 0)
    assert captures(answer) is is_camera


# --- looking through one --------------------------------------------------------------------------------------------


class Pictures:
    def __init__(self, picture: tuple[bool, np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None]) -> None:
        self.picture = picture
        self.released = False

    def read(self) -> tuple[bool, np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None]:
        return self.picture

    def release(self) -> None:
        self.released = True


def test_looking_tells_the_real_size_and_lets_go() -> None:
    pictures = Pictures((True, np.zeros((480, 640, 3), np.uint8)))
    assert look(CameraSettings("a"), lambda _: pictures) == {"camera": "a", "size": [640, 480]}
    assert pictures.released


def test_looking_at_nothing_tells_why() -> None:
    pictures = Pictures((False, None))
    assert "no picture" in look(CameraSettings("a"), lambda _: pictures)["fault"]
    assert pictures.released

    def refuse(_: CameraSettings) -> Pictures:
        raise CameraError("camera a: there is no such device")

    assert look(CameraSettings("a"), refuse) == {"camera": "a", "fault": "camera a: there is no such device"}
