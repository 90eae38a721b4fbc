"""Whatever is wrong with what a person gives: one line that says what, where, and what to do; nothing is lost."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Camera, Command, Outcome


def one_line(answer: Outcome, code: int, *words: str) -> None:
    """Expect this exit code and a single line for people that has all these words."""
    assert answer.code == code
    assert len(answer.errors) == 1, answer.errors
    assert answer.errors[0].startswith("companion: ")
    for word in words:
        assert word in answer.errors[0]


# Arguments


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("judge --nonsense", "See `companion judge --help`"),
        ("referee", "--config TABLE.toml"),
        ("referee --config a.toml --recording b", "either"),
        ("record new", "--simulated"),
        ("recognise a.jpg", "--calibration"),
        ("recognise --calibration cal.json", "PICTURE"),
        ("demo --breach cheating", "known: "),
        ("demo --page 99999", "--page"),
        ("demo --no-camera --device none", "nothing sees the game"),
        ("demo --mqtt host:port --no-camera", "HOST:PORT"),
        ("replay --game first", "--game"),
        ("calibrate --empty a --reference b --reference c --reference-state d --out e", "in the same order"),
        ("calibrate --game chess --empty a --reference b --reference-state d --out e", "known: infinity"),
        ("calibrate --empty a --reference b --reference-state d --out .", "is a folder"),
        ("calibrate --empty a --reference b --reference-state d --out no/e", "there is no folder"),
    ],
)
def test_wrong_usage_is_told_with_the_way_out(companion: Command, line: str, words: str) -> None:
    answer = companion(*line.split())
    assert answer.code == 2
    assert words in answer.errors[-1]
    assert all(told.startswith("companion: ") for told in answer.errors)


# The config

SERIAL = '[serial]\nport="/dev/nothing"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[table\n", ["is no TOML", "line 1"]),
        ('[tabel]\nname="x"\n', ["unknown key tabel", "did you mean table?"]),
        ('[camera]\ndevise=0\ncalibration="c"\n', ["camera.device is missing", "did you mean device?"]),
        ('[page]\nport="abc"\n[table]\nname=5\n' + SERIAL, ["page.port", "table.name"]),
        ('[table]\ngame="chess"\n' + SERIAL, ["table.game", "'chess'", "known: infinity"]),
        ('[rules]\njoker_overide="points"\n' + SERIAL, ["rules:", "did you mean joker_override?"]),
        ('[rules]\nblue_knob="left"\n' + SERIAL, ["blue_knob", "'cw' or 'ccw'"]),
        ('[players]\nred="Ada"\n' + SERIAL, ["'red'", "known: blue, yellow"]),
        ('[players]\nblue=" "\n' + SERIAL, ["the name of blue"]),
        ('[gpio]\nknob_a="BCM17"\n', ["gpio: knob_b is missing"]),
        ('[gpio]\nknob_a="BCM17"\nknob_b="BCM17"\n', ["gpio: ", "already knob_a"]),
        ('[serial]\nport="a"\nusb_serial="b"\n', ["either port or usb_serial"]),
        ('[mqtt]\nbase="a//b"\n' + SERIAL, ["mqtt.base"]),
        ('[mqtt]\nhost=""\n' + SERIAL, ["mqtt.host"]),
        ("[page]\nenabled=false\n", ["no camera, no serial board and no pins", "companion demo"]),
    ],
)
def test_a_config_that_cannot_be_is_told_with_file_and_key(companion: Command, text: str, words: list[str]) -> None:
    Path("table.toml").write_text(text, encoding="utf-8")
    one_line(companion("referee", "--config", "table.toml"), 1, "table.toml", *words)
    assert [path.name for path in Path().iterdir()] == ["table.toml"], "nothing may be written for a table that is none"


def test_a_config_that_is_no_file_or_no_text(companion: Command) -> None:
    one_line(companion("referee", "--config", "none.toml"), 1, "none.toml", "docs/configuration.md")
    one_line(companion("referee", "--config", "."), 1, "Is a directory")
    Path("table.toml").write_bytes(b"\xff\xfe[table]")
    one_line(companion("referee", "--config", "table.toml"), 1, "UTF-8")


def test_a_camera_needs_its_own_calibration(companion: Command, camera: Camera) -> None:
    config = Path("table.toml")
    config.write_text('[camera]\ndevice=0\ncalibration="none.json"\n', encoding="utf-8")
    one_line(companion("referee", "--config", config), 1, "none.json", "companion calibrate")
    one_line(companion("record", "new", "--config", config), 1, "none.json", "companion calibrate")
    assert not Path("new").exists()
    config.write_text(
        f'[camera]\ndevice=0\ncalibration="{camera.calibration}"\nwidth=640\nheight=480\n', encoding="utf-8"
    )
    one_line(companion("referee", "--config", config), 1, "1280x720", "640x480", "camera.width")


def test_a_busy_port_of_the_page(companion: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        Path("table.toml").write_text(f'{SERIAL}[page]\nport={port}\n[journal]\npath="j.db"\n', encoding="utf-8")
        one_line(companion("referee", "--config", "table.toml"), 1, str(port), "in use", "another port")
        one_line(companion("demo", "--page", str(port)), 1, str(port), "in use", "another port")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('password_file="secret"\n', ["secret", "No such file", "password"]),
        ('ca_file="table.toml"\n', ["table.toml", "certificate"]),
        ('cert_file="none.pem"\n', ["none.pem", "certificate"]),
    ],
)
def test_what_the_broker_needs_is_looked_at_before_the_game(companion: Command, lines: str, words: list[str]) -> None:
    text = f'{SERIAL}[page]\nenabled=false\n[journal]\npath="j.db"\n[mqtt]\nport=1\n{lines}'
    Path("table.toml").write_text(text, encoding="utf-8")
    one_line(companion("referee", "--config", "table.toml"), 1, *words)


def test_a_password_that_others_can_read(companion: Command) -> None:
    test_file = Path("secret")
    test_file.write_text("x", encoding="utf-8")
    test_file.chmod(0o644)
    text = f'{SERIAL}[page]\nenabled=false\n[journal]\npath="j.db"\n[mqtt]\npassword_file="secret"\n'
    Path("table.toml").write_text(text, encoding="utf-8")
    one_line(companion("referee", "--config", "table.toml"), 1, "chmod 600")


# Pictures and calibrations


def test_pictures_that_are_none(companion: Command, camera: Camera) -> None:
    Path("empty.jpg").write_bytes(b"")
    Path("text.jpg").write_text("hello", encoding="utf-8")
    Path("cut.jpg").write_bytes(camera.picture.read_bytes()[:20_000])
    bad = ["empty.jpg", "text.jpg", "cut.jpg", "none.jpg", "."]
    answer = companion("recognise", *bad, "--calibration", camera.calibration, "--json")
    one_line(answer, 1, "5 pictures")
    assert [json.loads(line)["status"] for line in answer.out.splitlines()] == ["bad_image"] * 5
    answer = companion("recognise", *bad, camera.picture, "--calibration", camera.calibration, "--json")
    assert answer.code == 0
    assert json.loads(answer.out.splitlines()[-1])["status"] == "ok"


def test_a_calibration_that_is_none(companion: Command, camera: Camera) -> None:
    whole = json.loads(camera.calibration.read_text(encoding="utf-8"))
    Path("cut.json").write_text(json.dumps(whole)[:2000], encoding="utf-8")
    Path("newer.json").write_text(json.dumps({**whole, "version": 99}), encoding="utf-8")
    Path("damaged.json").write_text(json.dumps({**whole, "lens": None}), encoding="utf-8")
    Path("other.json").write_text("{}", encoding="utf-8")
    for name in ("cut.json", "newer.json", "damaged.json", "other.json", "none.json"):
        one_line(companion("recognise", camera.picture, "--calibration", name), 1, name, "companion calibrate")
    one_line(companion("recognise", camera.picture, "--calibration", "."), 1, "Is a directory")


def test_a_calibration_is_not_overwritten_by_one_that_fails(companion: Command, camera: Camera) -> None:
    out = Path("calibration.json")
    out.write_bytes(camera.calibration.read_bytes())
    Path("state.json").write_text('{"board":"BY..|K...|W...|....","knob_stop":0}', encoding="utf-8")
    answer = companion(
        *("calibrate", "--empty", "none.jpg", "--reference", camera.picture),
        *("--reference-state", "state.json", "--out", out),
    )
    one_line(answer, 1, "none.jpg")
    assert out.read_bytes() == camera.calibration.read_bytes()


def test_where_annotated_pictures_cannot_go(companion: Command, camera: Camera) -> None:
    Path("file").write_text("", encoding="utf-8")
    answer = companion("recognise", camera.picture, "--calibration", camera.calibration, "--annotate", "file")
    one_line(answer, 1, "--annotate file")


# Recordings and journals


def recording(**meta: object) -> Path:
    folder = Path("recording")
    folder.mkdir()
    (folder / "meta.json").write_text(json.dumps({"game": "infinity", "options": {}, **meta}), encoding="utf-8")
    (folder / "gpio.jsonl").write_text('{"t": 0.0, "pin": "BCM17", "level": 0}\n{broken\n', encoding="utf-8")
    return folder


def test_recordings_that_cannot_be_played(companion: Command) -> None:
    one_line(companion("referee", "--recording", "none"), 1, "there is no such folder")
    one_line(companion("referee", "--recording", "."), 1, "meta.json")
    folder = recording(wiring={"knob_a": "BCM17", "knob_b": "BCM17"})
    one_line(companion("referee", "--recording", folder), 1, "already knob_a")
    (folder / "meta.json").write_text("{", encoding="utf-8")
    one_line(companion("referee", "--recording", folder), 1, "is no JSON")


def test_a_bad_line_in_a_recording_is_told_and_the_rest_is_played(companion: Command) -> None:
    folder = recording(wiring={"knob_a": "BCM17", "knob_b": "BCM18"})
    answer = companion("referee", "--recording", folder, "--json")
    one_line(answer, 0, "gpio.jsonl line 2")
    assert json.loads(answer.out.splitlines()[0])["event"] == "game_started"


def test_a_recording_is_never_written_over_other_files(companion: Command) -> None:
    Path("table.toml").write_text(SERIAL, encoding="utf-8")
    Path("full").mkdir()
    Path("full/letter.txt").write_text("dear", encoding="utf-8")
    one_line(companion("record", "full", "--config", "table.toml"), 1, "holds files already", "new folder")
    assert [path.name for path in Path("full").iterdir()] == ["letter.txt"]


def test_a_table_where_moves_are_entered_by_hand_has_nothing_to_record(companion: Command) -> None:
    Path("table.toml").write_text('[table]\nname="Kitchen"\n', encoding="utf-8")
    one_line(companion("record", "folder", "--config", "table.toml"), 1, "table.toml", "no camera", "nothing to record")
    assert [path.name for path in Path().iterdir()] == ["table.toml"]


def test_journals_that_cannot_be_shown(companion: Command) -> None:
    one_line(companion("replay"), 1, "there is no journal")
    Path("text.db").write_text("no database", encoding="utf-8")
    one_line(companion("replay", "text.db"), 1, "text.db")


def test_two_programs_on_one_journal(companion: Command) -> None:
    from companion.journal.opening import open_journal

    Path("table.toml").write_text(SERIAL + '[page]\nenabled=false\n[journal]\npath="j.db"\n', encoding="utf-8")
    opened = open_journal(Path("j.db").absolute())
    try:
        one_line(companion("referee", "--config", "table.toml"), 1, "already running", "writes this file")
    finally:
        opened.journal.close()


# Rules


def test_judge_answers_every_line_however_bad(companion: Command) -> None:
    lines = [b"garbage", b"[]", b'{"id":1}', b"\xff\xfe", b'{"id":2,"game":"infinity","moves":["B1"]}']
    Path("cases.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    answer = companion("judge", "cases.jsonl")
    assert answer.code == 1
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert ["error" in line for line in answers] == [True, True, True, True, False]
    one_line(companion("judge", "none.jsonl"), 1, "none.jsonl")
