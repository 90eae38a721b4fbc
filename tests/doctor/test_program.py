"""What is installed, and OpenCV's wheels that overwrite each other. X06."""

from __future__ import annotations

import pytest

from companion.doctor.eyes import Eyes, Look, ask_opencv, parse_eyes
from companion.doctor.finding import Finding, Verdict
from companion.doctor.program import Program, installed, of_program

WHEEL = {"opencv-python": "5.0.0.93"}


def about_opencv(found: Program) -> list[Finding]:
    return [finding for finding in of_program(found) if "OpenCV" in finding.words or "opencv" in finding.words]


def test_one_wheel_that_loads_is_well() -> None:
    told = of_program(Program("3.11.2", WHEEL, opencv="5.0.0"))
    assert {finding.verdict for finding in told} == {Verdict.OK}
    assert "Python 3.11.2" in told[0].words


@pytest.mark.parametrize(
    ("version", "opencv", "verdict"),
    [
        ("5.0.0.93", "5.0.0", Verdict.NOTE),
        ("4.10.0.84", "5.0.0", Verdict.WRONG),
        ("5.0.0.93", None, Verdict.WRONG),
    ],
)
@pytest.mark.parametrize("other", ["opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"])
def test_x06_wheels_that_overwrite_each_other_are_named(
    other: str, version: str, opencv: str | None, verdict: Verdict
) -> None:
    clash = about_opencv(Program("3.11.2", {**WHEEL, other: version}, opencv=opencv, opencv_fault="ImportError"))[-1]
    assert clash.verdict is verdict
    assert f"opencv-python 5.0.0.93 and {other} {version}" in clash.words
    assert clash.mend is not None
    assert f"pip uninstall -y opencv-python {other} && " in clash.mend
    assert clash.mend.endswith("pip install opencv-python")


def test_x06_a_missing_library_is_named_with_the_packages() -> None:
    fault = "ImportError: libGL.so.1: cannot open shared object file: No such file or directory"
    (told,) = about_opencv(Program("3.11.2", WHEEL, opencv_fault=fault))
    assert told.verdict is Verdict.WRONG
    assert "libGL.so.1" in told.words
    assert told.mend == "sudo apt install libgl1 libglib2.0-0"


def test_an_opencv_that_crashes_is_wrong_and_one_that_is_only_late_is_not() -> None:
    (crashed,) = about_opencv(Program("3.11.2", WHEEL))
    assert (crashed.verdict, "without a word" in crashed.words) == (Verdict.WRONG, True)
    (late,) = about_opencv(Program("3.11.2", WHEEL, late=True))
    assert late.verdict is Verdict.NOTE


def test_what_is_missing_is_told_once() -> None:
    told = of_program(Program("3.11.2", {}, missing=("opencv-python", "cobs")))
    (wrong,) = [finding for finding in told if finding.verdict is Verdict.WRONG]
    assert "opencv-python, cobs" in wrong.words
    assert wrong.mend is not None
    assert wrong.mend.endswith("-m pip install opencv-python cobs")


def test_here_nothing_is_missing() -> None:
    wheels, missing = installed()
    assert len(wheels) >= 1
    assert missing == ()


# --- the process that asks OpenCV -----------------------------------------------------------------------------------


def test_opencv_is_asked_and_cameras_that_are_not_there_have_a_reason() -> None:
    eyes = ask_opencv([("/dev/video-none", 640, 480)], 60)
    assert eyes.opencv is not None
    assert eyes.looks["/dev/video-none"].size is None
    assert "no such device" in eyes.looks["/dev/video-none"].fault


def test_a_process_that_takes_too_long_is_ended() -> None:
    assert ask_opencv([], 0.001).late


def test_what_a_process_said_before_it_ended_anywhere_counts() -> None:
    lines = ['{"opencv": "5.0.0"}', '{"camera": "a", "size": [640, 480]}', '{"camera": "b", "fault": "no"}', '{"cam']
    eyes = parse_eyes(lines, ["[ WARN:0] noise\n"], late=True)
    assert eyes == Eyes("5.0.0", looks={"a": Look((640, 480)), "b": Look(fault="no")})
    assert parse_eyes([], ["Traceback\n", "ImportError: libGL.so.1: cannot open\n", "\n"]) == Eyes(
        fault="ImportError: libGL.so.1: cannot open"
    )
