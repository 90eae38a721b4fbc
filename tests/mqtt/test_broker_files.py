"""The configuration that is written for mosquitto works: users log in, and do no more than they may."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.app import run
from companion.errors import InputError
from companion.mqtt.broker_files import Broker, make_certificates, password_hash, write_broker_files
from companion.mqtt.local_broker import free_port
from tests.mqtt.material import Listener, Mosquitto, Table, until
from tests.shared_material import program


def adapted(folder: Path) -> list[str]:
    """The configuration's lines with what a test needs otherwise: a free port of this machine, and no other user."""
    text = (folder / "companion.conf").read_text()
    skipped = ("persistence", "listener", "max_queued", "#")
    return [line for line in text.splitlines() if not line.startswith(skipped)]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "broker files"
    write_broker_files(folder, Broker(nodes=("node", "other"), home=str(folder)))
    return folder


@pytest.fixture
def broker(tmp_path: Path, made: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "mosquitto", *adapted(made)) as broker:
        yield broker


def password(folder: Path, user: str) -> str:
    return (folder / "passwords" / user).read_text().strip()


def test_a_table_is_told_and_its_neighbour_cannot_speak_for_it(tmp_path: Path, made: Path, broker: Mosquitto) -> None:
    home = password(made, "homeassistant")
    with (
        Listener(broker.port, "home", username="homeassistant", password=home) as listener,
        Table(tmp_path, broker.port, username="node", password=password(made, "node")) as table,
    ):
        table.play(3)
        assert until(lambda: listener.seqs() == [1, 2, 3])
        stranger = Table(tmp_path / "other", broker.port, username="other", password=password(made, "other"))
        stranger.start()
        assert until(lambda: stranger.said("does not let this user publish")), stranger.told
        stranger.sink.stop()
        stranger.journal.close()
        assert listener.seqs() == [1, 2, 3]


def test_a_wrong_password_is_said(tmp_path: Path, broker: Mosquitto) -> None:
    with Table(tmp_path, broker.port, username="node", password="guessed") as table:
        assert until(lambda: table.said("refuses the user name or the password") or table.said("not authorised"))


def test_the_club_only_reads(made: Path, broker: Mosquitto) -> None:
    with Listener(broker.port, "club", username="club", password=password(made, "club")) as club:
        club.say("companion/node/table/cmd/undo", b"{}")
        assert not until(lambda: club.heard, 0.5)


def test_mosquitto_reads_the_hash_that_its_own_program_would_make(tmp_path: Path) -> None:
    """Its program makes such lines; we check that ours has the same form and parameters that it reads."""
    theirs = tmp_path / "passwd"
    subprocess.run([program("mosquitto_passwd"), "-c", "-b", str(theirs), "u", "p"], check=True, capture_output=True)
    parts = theirs.read_text().strip().split(":")[1].split("$")
    ours = password_hash("p").split("$")
    assert [parts[1], len(parts)] == [ours[1], len(ours)]
    assert len(parts[-1]) == len(ours[-1])


def test_nobody_else_can_read_secrets(made: Path) -> None:
    for secret in (made / "companion.passwd", *(made / "passwords").iterdir()):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert password(made, "node") not in (made / "companion.passwd").read_text()


def test_an_encrypted_broker(tmp_path: Path) -> None:
    program("openssl")
    folder = tmp_path / "files"
    write_broker_files(folder, Broker(nodes=("node",), hosts=("localhost", "127.0.0.1"), home=str(folder)))
    secret = password(folder, "node")
    with (
        Mosquitto(tmp_path / "mosquitto", *adapted(folder)) as broker,
        Table(tmp_path, broker.port, username="node", password=secret, ca_file=folder / "ca.crt") as table,
    ):
        table.play(3)
        assert until(lambda: table.all_sent)


def test_a_folder_with_files_is_left_alone(made: Path) -> None:
    before = sorted(file.name for file in made.iterdir())
    with pytest.raises(InputError, match="has files in it already"):
        write_broker_files(made, Broker(nodes=("x",)))
    assert sorted(file.name for file in made.iterdir()) == before


def test_nothing_half_is_left_where_certificates_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(InputError, match="apt install openssl"):
        write_broker_files(tmp_path / "files", Broker(nodes=("x",), hosts=("h",)))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="openssl"):
        make_certificates(tmp_path, ["h"])


def test_the_command_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "files"
    assert run(["broker-config", str(folder), "--node", "Küche 1", "--websockets", str(free_port())]) == 0
    said = capsys.readouterr().out
    assert "Kuche_1" in said
    assert "sudo install" in said
    assert password(folder, "Kuche_1") not in said
    assert "protocol websockets" in (folder / "companion.conf").read_text()
    assert run(["broker-config", str(folder)]) == 1
    assert run(["broker-config", str(tmp_path / "new"), "--base", "a/#"]) == 2
    assert run(["broker-config", str(tmp_path / "new"), "--tls", "a b"]) == 2
