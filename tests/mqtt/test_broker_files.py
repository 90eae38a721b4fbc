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
from tests.mqtt.material import Listener, Mosquitto, PackagedMosquitto, Table, until
from tests.shared_material import program


def adapted(folder: Path) -> list[str]:
    """The configuration's lines with what a test needs otherwise: a free port of this machine, and no other user."""
    lines = (folder / "companion.conf").read_text().splitlines()
    lines.remove(next(line for line in lines if line.startswith("listener ")))
    return [line for line in lines if not line.startswith(("persistence", "max_queued", "#"))]


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


@pytest.mark.parametrize("mqtt5", [True, False])
def test_a_table_behind_websockets_loses_nothing(tmp_path: Path, mqtt5: bool) -> None:
    """Over the port for websockets of a real mosquitto, with login, access list and a restart of the broker."""
    folder, port = tmp_path / "files", free_port()
    write_broker_files(folder, Broker(nodes=("node",), websockets=port, home=str(folder)))
    login = {"username": "node", "password": password(folder, "node"), "websocket_path": "/mqtt"}
    home = password(folder, "homeassistant")
    with (
        Mosquitto(tmp_path / "mosquitto", *adapted(folder), persistent=True) as broker,
        Listener(broker.port, "home", username="homeassistant", password=home) as listener,
        Table(tmp_path, port, mqtt5=mqtt5, **login) as table,
    ):
        table.play(20)
        assert until(lambda: table.all_sent), table.told
        broker.stop()
        table.play(20)
        broker.start()
        assert until(lambda: listener.seqs() == list(range(1, 41)), 20), table.told
        assert table.told[0].endswith(f"(version {'5' if mqtt5 else '3.1.1'})")


def test_a_table_behind_encrypted_websockets(tmp_path: Path) -> None:
    program("openssl")
    folder, port = tmp_path / "files", free_port()
    write_broker_files(folder, Broker(nodes=("node",), hosts=("127.0.0.1",), websockets=port, home=str(folder)))
    login = {"username": "node", "password": password(folder, "node"), "websocket_path": "/mqtt"}
    with (
        Mosquitto(tmp_path / "mosquitto", *adapted(folder)),
        Table(tmp_path, port, ca_file=folder / "ca.crt", **login) as table,
    ):
        table.play(60)
        assert until(lambda: table.all_sent), table.told


@pytest.mark.parametrize(
    ("websockets", "said"),
    [(True, "cannot be reached (WebSocket handshake error)"), (False, "the broker or the network has closed it")],
)
def test_the_wrong_one_of_two_ports_is_told(tmp_path: Path, websockets: bool, said: str) -> None:
    """Websockets to the plain port, or plain MQTT to the one for websockets."""
    folder, port = tmp_path / "files", free_port()
    write_broker_files(folder, Broker(nodes=("node",), websockets=port, home=str(folder)))
    with Mosquitto(tmp_path / "mosquitto", *adapted(folder)) as broker:
        login = {"username": "node", "password": password(folder, "node")}
        with Table(tmp_path, port, websocket_path="/mqtt", **login) as right:
            assert until(lambda: right.said("connected"))
        (tmp_path / "wrong").mkdir()
        wrong = {"websocket_path": "/mqtt"} if websockets else {}
        with Table(tmp_path / "wrong", broker.port if websockets else port, **login, **wrong) as table:
            assert until(lambda: table.told)
            assert said in table.told[0]


@pytest.mark.parametrize("hosts", [(), ("localhost", "127.0.0.1")])
def test_the_file_goes_beside_what_a_package_has_set_up(tmp_path: Path, hosts: tuple[str, ...]) -> None:
    """In the conf.d of an untouched Debian, whose mosquitto refuses some settings that are made twice."""
    folder = tmp_path / "files"
    broker = Broker(nodes=("node",), hosts=hosts, websockets=free_port(), home=str(folder))
    write_broker_files(folder, broker)
    ours = (folder / "companion.conf").read_text()
    ours = ours.replace(f"listener {broker.port}\n", "listener {port} 127.0.0.1\n")
    login = {"username": "node", "password": password(folder, "node"), "mqtt5": False}
    ca_file = folder / "ca.crt" if hosts else None
    with (
        PackagedMosquitto(tmp_path / "mosquitto", ours) as packaged,
        Table(tmp_path, packaged.port, ca_file=ca_file, **login) as table,
    ):
        table.play(3)
        assert until(lambda: table.all_sent), table.told
        packaged.stop()
        assert (tmp_path / "mosquitto" / "lib" / "mosquitto.db").exists()
        packaged.start()


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
