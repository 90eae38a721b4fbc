"""A table that its program has no more is not on the broker any more; whatever is not this program's stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqtt.material import CAMERA, STATE, STATUS, Listener, Mosquitto, Table, until

ATTIC = "companion/node/Attic/state"


def topics(port: int, name: str) -> set[str]:
    """What the broker keeps."""
    with Listener(port, name) as late:
        until(lambda: late.on(STATE))
        return {heard.topic for heard in late.heard if heard.retained}


@pytest.mark.parametrize("mqtt5", [True, False])
def test_a_table_that_was_left_out_goes(tmp_path: Path, mqtt5: bool) -> None:
    others = ("companion/other/Attic/state", "companion/node/not ours/state", "companion/node/x/y/state")
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        for topic in (ATTIC, "companion/node/Attic/camera/status", *others):
            listener.say(topic, b"{}", retain=True)
        with Table(tmp_path, broker.port, mqtt5=mqtt5) as table:
            assert until(lambda: listener.on(ATTIC)[-1] == ""), table.told
            table.play(3)
            assert until(lambda: table.all_sent and listener.seqs() == [1, 2, 3])
            kept = topics(broker.port, "late")
        assert {STATE, *others} <= kept
        assert not {ATTIC, "companion/node/Attic/camera/status", CAMERA} & kept


def test_a_table_that_is_there_is_never_taken_off(tmp_path: Path) -> None:
    """Its own state of an earlier run, and after the broker was away."""
    with Mosquitto(tmp_path / "broker", persistent=True) as broker, Listener(broker.port) as listener:
        for _ in range(2):
            with Table(tmp_path, broker.port) as table:
                table.play()
                assert until(lambda: table.all_sent)
                broker.stop()
                broker.start()
                table.play()
                assert until(lambda: table.all_sent)
        assert until(lambda: listener.seqs() == [1, 2, 3, 4])
        assert "" not in listener.on(STATE)


def test_another_program_of_the_same_name_keeps_its_table(tmp_path: Path) -> None:
    """A node name that was given twice by mistake: it costs no table of the program that was there first."""
    (tmp_path / "second").mkdir()
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port, will_delay_s=5) as first,
    ):
        assert until(lambda: listener.on(STATUS))
        with Table(tmp_path / "second", broker.port, table="Attic", will_delay_s=5) as second:
            assert until(lambda: second.said("another program"), 20), second.told
        first.play()
        assert until(lambda: first.all_sent, 20)
        assert "" not in listener.on(STATE)


def test_what_may_not_be_taken_off_stops_nothing(tmp_path: Path) -> None:
    rules = [f"topic write companion/node/{what}" for what in ("status", "instance", "table/state", "table/event")]
    rules += ["topic read companion/node/#", "user home", "topic readwrite #"]
    (tmp_path / "acl").write_text("\n".join(rules) + "\n")
    acl = ("allow_anonymous true", f"acl_file {tmp_path / 'acl'}")
    with (
        Mosquitto(tmp_path / "broker", *acl) as broker,
        Listener(broker.port, username="home", password="") as listener,
    ):
        listener.say(ATTIC, b"{}", retain=True)
        with Table(tmp_path, broker.port) as table:
            table.play(3)
            assert until(lambda: listener.seqs() == [1, 2, 3])
            assert not until(lambda: len(table.told) > 1, 0.5), table.told
        assert listener.on(ATTIC) == ["{}"]
