"""Serial ports, who holds them, and the services that grab them."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.config import SerialSection
from companion.doctor.finding import Finding, Verdict
from companion.doctor.node import Node, node_at
from companion.doctor.ports import SerialPort, Wanted, of_ports, wanted_port
from companion.doctor.services import GRABBERS, Running, companion_command, of_services, running
from firmware_bridge.held import Holder, holders
from firmware_bridge.port_list import ListedPort, links
from hw_sim.serial_port import SimSerialPort

UNO = ListedPort("/dev/ttyACM0", "Arduino Uno", "2341:0043", "55736", by_id="/dev/serial/by-id/usb-Arduino_55736-if00")
CLONE = ListedPort("/dev/ttyUSB0", "USB Serial", "1a86:7523", None, by_path="/dev/serial/by-path/pci-usb-1.2")
BUILT_IN = ListedPort("/dev/ttyS0", "n/a")


def port(listed: ListedPort, *held: Holder, usable: bool = True) -> SerialPort:
    return SerialPort(listed, Node(listed.device, usable, "dialout", holders=held))


def wanted(listed: ListedPort, *held: Holder, usable: bool = True, spec: str | None = None) -> Wanted:
    return Wanted(spec or listed.by_id or listed.device, False, port(listed, *held, usable=usable).node)


def one(findings: list[Finding], verdict: Verdict) -> Finding:
    (finding,) = findings
    assert finding.verdict is verdict
    return finding


def test_no_board_is_no_fault_and_a_built_in_port_is_none() -> None:
    assert "no board" in one(of_ports([port(BUILT_IN)], None), Verdict.NOTE).words


def test_boards_are_listed_by_what_stays_with_their_serial_numbers() -> None:
    uno, clone = of_ports([port(UNO), port(CLONE)], None)
    assert uno.words.startswith("/dev/serial/by-id/usb-Arduino_55736-if00 (Arduino Uno) is /dev/ttyACM0")
    assert "USB serial number 55736" in uno.words
    assert "without a USB serial number" in clone.words


def test_the_tables_port_there_and_free() -> None:
    assert "there and free" in one(of_ports([port(UNO)], wanted(UNO)), Verdict.OK).words


def test_s12_the_tables_port_in_use_is_told_with_who_has_it() -> None:
    told = one(of_ports([port(UNO)], wanted(UNO, Holder(812, "minicom"))), Verdict.WRONG)
    assert "in use by minicom (process 812)" in told.words
    assert told.mend == "kill 812  # or end it in its own way"


@pytest.mark.parametrize("service", sorted(GRABBERS))
def test_s13_a_service_that_has_the_port_is_kept_off(service: str) -> None:
    told = one(of_ports([port(UNO)], wanted(UNO, Holder(400, service))), Verdict.WRONG)
    assert told.mend == GRABBERS[service].keep_off


def test_s14_a_port_that_this_user_may_not_open_names_the_group() -> None:
    told = one(of_ports([port(UNO, usable=False)], wanted(UNO, usable=False)), Verdict.WRONG)
    assert "group dialout" in told.words
    assert told.mend == "sudo usermod -aG dialout $USER  # then log out and in again"


def test_a_port_that_is_not_there_is_told_with_those_that_are() -> None:
    told = of_ports([port(UNO)], Wanted("9999", True, None))
    assert told[0].verdict is Verdict.WRONG
    assert "no port has the table's USB serial number 9999" in told[0].words
    assert "usb-Arduino_55736-if00" in told[0].words


def test_a_port_that_brltty_may_have_taken_away() -> None:
    told = one(of_ports([], Wanted("/dev/ttyUSB0", False, None), [Running(7, "brltty")]), Verdict.WRONG)
    assert told.mend is not None
    assert "brltty runs" in told.mend


@pytest.mark.parametrize(
    ("listed", "mend"),
    [
        (UNO, 'in [serial], write usb_serial = "55736" in place of port'),
        (CLONE, 'set serial.port = "/dev/serial/by-path/pci-usb-1.2"'),
    ],
)
def test_a_number_is_no_name(listed: ListedPort, mend: str) -> None:
    told = of_ports([port(listed)], wanted(listed, spec=listed.device))
    assert [finding.verdict for finding in told] == [Verdict.OK, Verdict.NOTE]
    assert told[1].mend == mend


def test_a_port_in_the_network_is_not_tried() -> None:
    spec = "rfc2217://ann:secret@host:4000"
    told = one(of_ports([], wanted_port_of(spec)), Verdict.NOTE)
    assert "secret" not in told.words


def wanted_port_of(spec: str) -> Wanted:
    return wanted_port(SerialSection(port=spec), {})


# --- real devices -----------------------------------------------------------------------------------------------------


def test_who_has_a_real_port_open(tmp_path: Path) -> None:
    with SimSerialPort(tmp_path / "board") as sim:
        path = str(sim.path)
        assert holders([path]) == {}, "the simulator keeps its end open, and is the device"
        script = f"import sys; f = open({path!r}, 'rb', buffering=0); print('open', flush=True); sys.stdin.read()"
        with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"open\n"
            assert other.pid in {holder.pid for holder in holders([path])[path]}
            node = node_at(path, holders([path]))
            assert node.path == os.path.realpath(path)
            assert f"(process {other.pid})" in str(of_ports([], Wanted(path, False, node))[0].words)
            other.communicate()
        assert holders([path]) == {}


def test_who_has_locked_a_file_is_known_even_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr("firmware_bridge.held._open_files", lambda: iter(()))
        assert [holder.pid for holder in holders([str(path)])[str(path)]] == [os.getpid()]
    assert holders([str(path)]) == {}


def test_links_lead_to_their_devices(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-Uno").symlink_to(tmp_path / "ttyACM0")
    assert links(by_id) == {str(tmp_path / "ttyACM0"): str(by_id / "usb-Uno")}
    assert links(tmp_path / "none") == {}


# --- programs beside this one -----------------------------------------------------------------------------------------


def test_services_that_grab_ports_are_named_with_how_to_keep_them_off() -> None:
    told = of_services([Running(400, "ModemManager"), Running(401, "brltty")])
    assert [finding.verdict for finding in told] == [Verdict.NOTE, Verdict.NOTE]
    assert told[0].mend is not None
    assert "ID_MM_DEVICE_IGNORE" in told[0].mend
    assert told[1].mend is not None
    assert "brltty-udev" in told[1].mend


def test_g05_another_companion_is_named() -> None:
    told = one(of_services([Running(900, "companion", "referee")]), Verdict.NOTE)
    assert "companion referee (process 900)" in told.words


def test_nothing_in_the_way_is_well() -> None:
    one(of_services([]), Verdict.OK)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("companion referee --config table.toml", "referee"),
        ("/usr/bin/python3 /home/ann/.venv/bin/companion record --out x", "record"),
        ("python -m companion referee", "referee"),
        ("python3.11 -I -m companion referee", "referee"),
        ("python -c print() companion referee", ""),
        ("companion doctor", ""),
        ("companion demo", ""),
        ("vim companion referee", ""),
        ("python", ""),
        ("companion", ""),
    ],
)
def test_which_programs_are_companions(line: str, command: str) -> None:
    assert companion_command(line.split()) == command


def test_a_companion_that_runs_is_found(tmp_path: Path) -> None:
    script = tmp_path / "companion"
    script.write_text("print('here', flush=True)\nimport sys\nsys.stdin.read()\n")
    words = [sys.executable, str(script), "referee"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert any(program.pid == other.pid for program in running())
        other.communicate()
