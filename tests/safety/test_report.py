"""A recording for a report: names, hosts, paths, tokens and serial numbers are searched for in all that comes out."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from calibration.board import load_board
from companion.config import Config
from companion.errors import CompanionError
from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.server import PageServer
from companion.recording import open_recording
from companion.recording.anonymous import AnonymousBytes
from companion.recording.report import LONGEST_MINUTES, Reports, both
from firmware_bridge.protocol import Capability, Hello, State, decode, encode
from tests.page.fake_table import TOKEN, FakePageTable

SERIAL = "JAN-KOWALSKI-007"
SECRETS = [
    "Grażyna",
    "Janusz",
    "pi-jana",
    "stol-jana",
    "/dev/serial",
    "usb-Jan",
    "broker.jan",
    "mqtt-jan",
    SERIAL,
    TOKEN,
]

HELLO = Hello(7, SERIAL, (1, 2, 0), Capability.KNOB | Capability.ENTRY_BEAMS, seq=3)


def config(tmp_path: Path) -> Config:
    return Config.model_validate(
        {
            "table": {"name": "stol-jana", "node": "pi-jana"},
            "players": {"blue": "Grażyna", "yellow": "Janusz"},
            "serial": {"port": "/dev/serial/by-id/usb-Jan"},
            "mqtt": {"host": "broker.jan", "username": "mqtt-jan"},
            "journal": {"path": tmp_path / "journal.sqlite"},
        }
    )


def bytes_of_a_board() -> bytes:
    chatter = b"booting for JAN-KOWALSKI-007\r\n\0"
    broken = bytearray(encode(HELLO))
    broken[12] ^= 1
    return chatter + encode(HELLO) + bytes(broken) + encode(HELLO)


@pytest.mark.parametrize("seed", range(5))
def test_a_serial_number_is_taken_out_however_the_bytes_are_cut(seed: int) -> None:
    chance, data, clean = random.Random(seed), bytes_of_a_board(), b""
    port = AnonymousBytes()
    while data:
        cut = chance.randint(1, 20)
        clean += port.feed(data[:cut])
        data = data[cut:]
    for part in (b"JAN", b"KOWAL", b"007", b"booting"):
        assert part not in clean
    hellos = [frame for block in clean.split(b"\0") if isinstance(frame := decode(block), Hello)]
    assert [(hello.serial_number, hello.boot_id, hello.seq) for hello in hellos] == [("", 7, 3)] * 2


def test_sound_frames_stay_as_they_are() -> None:
    frames = [encode(frame) for frame in _states()]
    assert AnonymousBytes().feed(b"".join(frames)) == b"".join(frames)


def _states() -> list[State]:
    vectors = json.loads((Path(__file__).parents[2] / "firmware_bridge" / "vectors.json").read_text())
    found = [decode(bytes.fromhex(word)[:-1]) for word in _words(vectors)]
    states = [frame for frame in found if isinstance(frame, State)]
    assert states
    return states


def _words(value: Any) -> Iterator[str]:
    """All texts of hex digits in a tree of JSON."""
    if isinstance(value, str):
        text = value.replace(" ", "")
        if text.endswith("00") and all(letter in "0123456789abcdef" for letter in text):
            yield text
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _words(item)


def test_noise_without_an_end_is_blotted_out_in_time() -> None:
    clean = AnonymousBytes().feed(b"Janusz " * 100)
    assert b"Janusz" not in clean
    assert len(clean) > 400


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reports(tmp_path: Path, clock: Clock) -> Reports:
    return Reports(tmp_path / "reports", config(tmp_path), None, clock)


def feed(reports: Reports, clock: Clock, pictures: int = 2) -> None:
    assert reports.taps.serial is not None
    assert reports.taps.frame is not None
    reports.taps.serial(clock.now_s, "board", bytes_of_a_board())
    for n in range(pictures):
        clock.now_s += 1
        reports.taps.frame(clock.now_s, np.full((72, 128, 3), 40 * n % 256, np.uint8))


def unpacked(data: bytes, folder: Path) -> list[bytes]:
    """All files of a report, and the archive's own list of them; lines of hex as the bytes that they stand for, too."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
        names = archive.namelist()
    files = [(folder / name).read_bytes() for name in names]
    serial = (folder / "report" / "serial.jsonl").read_text().splitlines()
    return [*files, "\n".join(names).encode(), *(bytes.fromhex(json.loads(line)["hex"]) for line in serial)]


def test_a_report_holds_nothing_that_says_whose_it_is(tmp_path: Path, reports: Reports, clock: Clock) -> None:
    reports.start(1)
    feed(reports, clock)
    reports.stop()
    everything = unpacked(reports.file.read_bytes(), tmp_path / "out")
    for secret in [*SECRETS, str(tmp_path), tmp_path.name]:
        assert not any(secret.encode() in content for content in everything), secret
    (tmp_path / "out" / "report" / "frames.jsonl").unlink()  # this table has no camera, so nobody can read its pictures
    recording = open_recording(tmp_path / "out" / "report")
    assert recording.names == {}
    assert recording.game.name == "infinity"
    assert len(list((tmp_path / "out" / "report" / "frames").iterdir())) == 2


def test_a_report_ends_in_time_and_takes_nothing_more(reports: Reports, clock: Clock) -> None:
    reports.start(999)
    assert reports.state().left_s == 60 * LONGEST_MINUTES
    feed(reports, clock)
    clock.now_s += 60 * LONGEST_MINUTES
    before = reports.state()
    assert before.left_s is None
    assert before.ready
    feed(reports, clock)
    assert reports.state() == before


def test_a_report_ends_when_it_is_large(reports: Reports, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.recording.report.LARGEST_BYTES", 2000)
    reports.start(5)
    feed(reports, clock, pictures=50)
    state = reports.state()
    assert state.ready
    assert state.left_s is None
    assert state.size < 20_000


def test_a_report_that_cannot_be_written_is_said_so(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "reports").write_text("in the way")
    with pytest.raises(CompanionError, match="reports"):
        Reports(tmp_path / "reports", config(tmp_path), None, clock).start(1)


def test_a_second_report_takes_the_place_of_the_first(reports: Reports, clock: Clock) -> None:
    for pictures in (4, 1):
        reports.start(1)
        feed(reports, clock, pictures)
        reports.stop()
    with zipfile.ZipFile(reports.file) as archive:
        assert sum(name.endswith(".jpg") for name in archive.namelist()) == 1


def test_taps_tell_two() -> None:
    from companion.devices import Taps

    heard: list[object] = []
    told = both(Taps(serial=lambda *each: heard.append(("one", *each))), Taps(serial=lambda *each: heard.append(each)))
    assert told.frame is None
    assert told.serial is not None
    told.serial(1.0, "board", b"x")
    assert heard == [("one", 1.0, "board", b"x"), (1.0, "board", b"x")]


def test_the_page_records_for_who_may_command_and_for_nobody_else(
    tmp_path: Path, reports: Reports, clock: Clock
) -> None:
    archives = {"table": Archive(tmp_path / "journal.sqlite", reports)}
    app = create_app({"table": FakePageTable()}, token=TOKEN, archives=archives)
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url, timeout=20) as client:

        def command(name: str, args: dict[str, int], token: str = TOKEN) -> httpx.Response:
            body = {"seq": 0, "transaction": f"{name} {token}", "args": args}
            return client.post(f"report/table/command/{name}", json=body, headers={"X-Companion-Token": token})

        assert client.get("report/table").json() == {"left_s": None, "size": 0, "ready": False, "failed": ""}
        assert command("start", {"minutes": 1}, token="wrong").status_code == 403
        assert client.get("report/table").json()["left_s"] is None
        assert command("start", {"minutes": 1}).json()["ok"]
        assert client.get("report/table").json()["left_s"] == 60
        feed(reports, clock)
        assert client.get("report/table/file", headers={"X-Companion-Token": TOKEN}).status_code == 404
        assert command("stop", {}).json()["ok"]
        assert client.get("report/table").json()["ready"]
        assert client.get("report/table/file").status_code == 403
        taken = client.get("report/table/file", headers={"X-Companion-Token": TOKEN})
        assert zipfile.is_zipfile(io.BytesIO(taken.content))
        assert client.get("report/nowhere").status_code == 404


def test_a_recording_names_no_board_file(tmp_path: Path) -> None:
    """What a board says of itself is measures: its file's notes do not come along."""
    assert "note" not in load_board("infinity").to_json()
