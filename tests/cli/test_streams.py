"""Closed, full and unread streams, and other locales: no traceback, and JSON stays UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Camera
from tests.cli.processes import environment

CASE = '{"id":"ü🎲","game":"infinity","moves":["B1"]}\n'


def shell(folder: Path, line: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of sh in which `companion` is the command under test."""
    script = f'companion() {{ "{sys.executable}" -m companion "$@"; }}\n{line}'
    return subprocess.run(
        ["/bin/sh", "-c", script], cwd=folder, env=environment(folder, **variables), capture_output=True, check=False
    )


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    (tmp_path / "one.jsonl").write_text(CASE, encoding="utf-8")
    (tmp_path / "many.jsonl").write_text(CASE * 2000, encoding="utf-8")
    return tmp_path


def test_a_reader_that_has_seen_enough_is_no_failure(cases: Path) -> None:
    done = shell(cases, "{ companion judge many.jsonl; echo $? >code; } | head -n 1")
    assert json.loads(done.stdout)["id"] == "ü🎲"
    assert (done.stderr, (cases / "code").read_text()) == (b"", "0\n")


@pytest.mark.parametrize("file", ["one.jsonl", "many.jsonl"])
def test_a_full_disk_behind_the_output_is_one_line(cases: Path, file: str) -> None:
    done = shell(cases, f"companion judge {file} >/dev/full")
    assert done.returncode == 1
    assert done.stderr.decode().startswith("companion: the output cannot be written: No space left on device;")
    assert done.stderr.count(b"\n") == 1


def test_closed_streams_do_no_harm(cases: Path) -> None:
    done = shell(cases, "companion judge <&-; echo $?; companion judge one.jsonl >&-; echo $? ; companion judge x 2>&-")
    assert (done.stdout, done.stderr, done.returncode) == (b"0\n0\n", b"", 1)


def test_json_is_utf8_in_every_locale(cases: Path) -> None:
    done = shell(cases, "companion judge one.jsonl", LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert json.loads(done.stdout.decode("utf-8"))["id"] == "ü🎲"
    assert done.returncode == 0


def test_a_file_name_that_is_no_text_stays_json(tmp_path: Path, camera: Camera) -> None:
    name = os.fsencode(tmp_path / "bad") + b"\xff.jpg"
    Path(os.fsdecode(name)).write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "recognise", name, "--calibration", camera.calibration, "--json"],
        env=environment(tmp_path),
        capture_output=True,
        check=False,
    )
    assert json.loads(done.stdout.decode("utf-8"))["status"] == "bad_image"
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


def test_a_library_that_this_machine_lacks_is_one_line(tmp_path: Path, camera: Camera) -> None:
    """As OpenCV's wheel does on a machine without a desktop."""
    (tmp_path / "cv2.py").write_text(
        'raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")\n', encoding="utf-8"
    )
    done = shell(tmp_path, f"PYTHONPATH=.:$PYTHONPATH companion recognise x.jpg --calibration {camera.calibration}")
    assert done.returncode == 1
    assert done.stderr.startswith(b"companion: this machine lacks a library (libGL.so.1")
    assert done.stderr.count(b"\n") == 1
