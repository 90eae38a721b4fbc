"""Building the firmware and its simulator: once for a state of the sources, and in plain words where it cannot be."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.errors import DeviceError
from hw_sim.chip import build
from hw_sim.chip.build import FIRMWARE, chip_files, run_tool
from tests.firmware_bridge.chip_stand import built_chip


def test_make_firmware_gives_an_elf_and_a_hex_without_a_warning(tmp_path: Path) -> None:
    built_chip()
    done = subprocess.run(
        ["make", "-C", FIRMWARE, f"OUT={tmp_path}", "SERIAL=12-A7", "SLOTS=1"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == ""
    assert (tmp_path / "companion.hex").read_text().startswith(":1000000")
    assert b"12-A7" in (tmp_path / "companion.elf").read_bytes()


def test_the_firmware_has_no_dynamic_memory() -> None:
    names = {line.split()[-1] for line in run_tool("avr-nm", built_chip().elf).splitlines()}
    assert "main" in names
    assert not names & {"malloc", "free", "realloc", "calloc", "__flp", "__brkval"}


def test_one_build_serves_many_at_once(tmp_path: Path) -> None:
    built_chip()
    with ThreadPoolExecutor(3) as pool:
        files = set(pool.map(lambda _: chip_files(tmp_path), range(3)))
    assert len(files) == 1
    assert [path.name.startswith("chip-") for path in tmp_path.iterdir()] == [True]
    written = (made := files.pop()).host.stat().st_mtime_ns
    assert chip_files(tmp_path) == made
    assert made.host.stat().st_mtime_ns == written, "nothing is built twice"


def test_missing_tools_are_named_with_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build, "_HEADER", tmp_path / "sim_avr.h")
    with pytest.raises(DeviceError, match="avr-gcc, avr-objcopy, make, gcc, libsimavr: sudo apt install gcc-avr"):
        chip_files(tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    built_chip()
    (tmp_path / "cache").write_text("no folder")
    with pytest.raises(DeviceError, match="the simulated chip is built there"):
        chip_files(tmp_path / "cache")


def test_a_failing_compiler_is_quoted(tmp_path: Path) -> None:
    built_chip()
    with pytest.raises(DeviceError, match=r"gcc failed: .*No such file"):
        run_tool("gcc", tmp_path / "nothing.c")
