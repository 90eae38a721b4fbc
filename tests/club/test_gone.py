"""A table that is no more leaves the club's page: by its own program, or by the command that docs/club.md shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from companion.club.store import Store
from companion.mqtt.broker_files import Broker, write_broker_files
from tests.club.test_listener import listening
from tests.mqtt.material import Listener, Mosquitto, Table, until
from tests.mqtt.test_broker_files import adapted, password
from tests.shared_material import program

DOCS = Path(__file__).parents[2] / "docs" / "club.md"


def test_a_table_that_its_program_has_no_more_leaves_the_page(tmp_path: Path, store: Store) -> None:
    with Mosquitto(tmp_path / "broker") as broker, listening(store, broker.port) as (club, _):
        for name in ("Attic", "Garden"):
            (tmp_path / name).mkdir()
            with Table(tmp_path / name, broker.port, table=name, base="a/club") as table:
                table.play()
                assert until(lambda: [row["table"] for row in club.rows()] == [name]), table.told  # noqa: B023


def test_the_documented_command_takes_a_table_off(tmp_path: Path) -> None:
    """With the users and the access list that broker-config makes."""
    found = re.search(r"^(mosquitto_pub .* -n .*)$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    program("mosquitto_pub")
    folder = tmp_path / "files"
    write_broker_files(folder, Broker(nodes=("old-node",), home=str(folder)))
    secret = password(folder, "old-node")
    topic = "companion/old-node/Old_table/state"
    with Mosquitto(tmp_path / "broker", *adapted(folder)) as broker:
        with Listener(broker.port, "node", username="old-node", password=secret) as node:
            node.say(topic, b"{}", retain=True)
        words = [secret if word == "$COMPANION_MQTT_PASSWORD" else word for word in shlex.split(found[1])]
        words[words.index("-h") + 1] = "127.0.0.1"
        done = subprocess.run([*words, "-p", str(broker.port)], capture_output=True, text=True, timeout=20, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        with Listener(broker.port, "club", username="club", password=password(folder, "club")) as club:
            assert not until(lambda: club.on(topic), 0.5)
