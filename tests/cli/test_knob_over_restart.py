"""The knob's place over a restart of program and board, at a table without a camera. K12 from the wires to the page."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config
from companion.devices import Stand, Taps, sensors
from companion.knob_places import KnobDevice, KnobPlaces
from companion.page.table import Request
from companion.station import Station
from firmware_bridge.knob import KnobPlace
from hw_sim.board_device import SimBoard
from hw_sim.pins import SimPins
from hw_sim.serial_port import SimSerialPort, board_at
from hw_sim.table import SimTable

LIMIT_S = 10.0


class Evening:
    """A table whose knob is turned, and the program that is started and ended at it."""

    def __init__(self, folder: Path, table: SimTable, port: SimSerialPort) -> None:
        self.board: SimBoard = board_at(table, port)
        self.table = table
        self.config = Config.model_validate(
            {
                "serial": {"port": str(port.path)},
                "page": {"enabled": False},
                "journal": {"path": folder / "games.sqlite"},
            }
        )

    @contextmanager
    def program(self) -> Iterator[Station]:
        with Station(self.config, [], stand=Stand()) as station:
            running = threading.Thread(target=station.run)
            running.start()
            try:
                yield station
            finally:
                station.loop.stop()
                running.join(LIMIT_S)
                assert not running.is_alive()

    def turn(self, stop: int) -> None:
        self.table.perform(self.table.person("blue").turn_knob(stop))

    def until(self, happened: Callable[[], bool]) -> bool:
        """Let the table's time pass until it is so."""
        end_s = time.monotonic() + LIMIT_S
        while not happened():
            if time.monotonic() > end_s:
                return False
            self.table.advance(0.02)
            time.sleep(0.002)
        return True

    def shows(self, station: Station, seen: int, *, verified: bool) -> bool:
        return self.until(lambda: knob(station) == {"expected": 0, "seen": seen, "verified": verified, "wrong": False})


def knob(station: Station) -> Mapping[str, Any]:
    shown = station.loop.state()["knob"]
    assert isinstance(shown, Mapping)
    return shown


def words(station: Station) -> list[tuple[str, str]]:
    events = [record for record in station.loop.records(0) if record["event"] == "device"]
    return [(str(record["state"]), str(record.get("detail", ""))) for record in events]


@pytest.fixture
def evening(tmp_path: Path, sim_table: SimTable) -> Iterator[Evening]:
    with SimSerialPort(tmp_path / "board") as port:
        yield Evening(tmp_path, sim_table, port)


def confirm(station: Station) -> None:
    seq = station.loop.state()["seq"]
    assert isinstance(seq, int)
    assert station.loop.command(Request("confirm_knob", seq, "a tap", {})).ok


def test_k12_a_knob_turned_while_all_was_off_is_shown_where_it_was_until_confirmed(evening: Evening) -> None:
    with evening.program() as station:
        assert evening.shows(station, 0, verified=False), "after power-up nobody knows"
        confirm(station)
        assert evening.shows(station, 0, verified=True)
        evening.turn(2)
        assert evening.shows(station, 2, verified=True)
    evening.board.unplug()
    evening.turn(-3)
    evening.board.plug()
    with evening.program() as station:
        assert evening.shows(station, 2, verified=False), "neither -3 nor a silent 0"
        evening.turn(0)
        assert evening.shows(station, 5, verified=False), "it counts on from there: three stops clockwise"
        confirm(station)
        assert evening.shows(station, 0, verified=True)
    with evening.program() as station:
        assert evening.shows(station, 0, verified=True), "the board kept its power, and was told where it stands"


def test_a_knob_turned_while_the_program_alone_was_off_was_counted(evening: Evening) -> None:
    with evening.program() as station:
        assert evening.shows(station, 0, verified=False)
        confirm(station)
        assert evening.shows(station, 0, verified=True)
    evening.turn(4)
    with evening.program() as station:
        assert evening.shows(station, 4, verified=True)


def test_a_board_that_starts_anew_in_the_middle_is_told_and_asks_to_be_confirmed(evening: Evening) -> None:
    with evening.program() as station:
        assert evening.shows(station, 0, verified=False)
        confirm(station)
        assert evening.shows(station, 0, verified=True)
        evening.board.reset()
        assert evening.shows(station, 0, verified=False)
        assert ("back", "the board has started anew: confirm where the knob stands") in words(station)
        confirm(station)
        assert evening.shows(station, 0, verified=True)


def test_silence_of_a_board_that_counts_on_leaves_the_knob_sure(evening: Evening) -> None:
    with evening.program() as station:
        assert evening.shows(station, 0, verified=False)
        confirm(station)
        assert evening.shows(station, 0, verified=True)
        evening.board.silence(1e6)
        assert evening.until(lambda: words(station)[-1][0] == "stale")
        assert knob(station)["verified"] is False
        evening.turn(2)
        evening.board.silence(0)
        assert evening.shows(station, 2, verified=True), "it is read from the absolute state, not guessed"


def test_at_pins_nothing_counts_while_the_program_is_off(tmp_path: Path, sim_table: SimTable) -> None:
    pins = SimPins(sim_table)
    config = Config.model_validate(
        {"gpio": PINS, "page": {"enabled": False}, "journal": {"path": tmp_path / "games.sqlite"}}
    )
    places = KnobPlaces.beside(tmp_path / "games.sqlite")
    places.keep("gpio", KnobPlace(3, verified=True))
    with Station(config, [], stand=Stand(pin_factory=pins.factory)) as station:
        station.run(lambda state: state["knob"] == {"expected": 0, "seen": 3, "verified": False, "wrong": False})
    pins.close()


def test_where_the_knob_is_known_to_stand_at_the_start_the_kept_place_is_nothing(tmp_path: Path) -> None:
    config = Config.model_validate({"serial": {"port": "/dev/none"}, "gpio": PINS})
    places = KnobPlaces(tmp_path / "knobs")
    for name in ("board", "gpio"):
        places.keep(name, KnobPlace(3, verified=True, boot_id=9))
    for known, place in ((True, KnobPlace(0, verified=True)), (False, KnobPlace(3, verified=True))):
        for device in sensors(config, lambda _: None, Stand(knob_verified=known), Taps(), places):
            assert isinstance(device, KnobDevice)
            assert (device.place.detents, device.place.verified) == (place.detents, place.verified)


PINS = {"knob_a": "BCM17", "knob_b": "BCM18", "entry": ["BCM5", "BCM6", "BCM13", "BCM19"]}


# --- the file ---


def test_places_are_kept_and_found_again(tmp_path: Path) -> None:
    place = KnobPlace(-7, verified=True, boot_id=9, zero=-28, edges_per_detent=2)
    KnobPlaces.beside(tmp_path / "games.sqlite").keep("board", place)
    again = KnobPlaces.beside(tmp_path / "games.sqlite")
    assert again.saved("board") == place
    assert again.saved("gpio") is None
    again.keep("gpio", KnobPlace(2, verified=True))
    assert again.saved("gpio") == KnobPlace(2, verified=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.sqlite.knobs"]


def test_a_place_is_written_where_it_is_another_one_only(tmp_path: Path) -> None:
    places = KnobPlaces(tmp_path / "knobs")
    places.keep("board", KnobPlace(1, boot_id=9))
    (tmp_path / "knobs").unlink()
    places.keep("board", KnobPlace(1, boot_id=9))
    assert not (tmp_path / "knobs").exists()
    places.keep("board", replace(KnobPlace(1, boot_id=9), verified=True))
    assert (tmp_path / "knobs").exists()


GOOD = {"detents": 1, "verified": True, "boot_id": 9, "zero": 0, "edges_per_detent": 4}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "another", "places": {}}',
        '{"format": "companion-knobs"}',
        '{"format": "companion-knobs", "places": []}',
        *(
            json.dumps({"format": "companion-knobs", "places": {"board": {**GOOD, **wrong}}})
            for wrong in ({"detents": "x"}, {"detents": True}, {"verified": 1}, {"edges_per_detent": 3}, {"more": 1})
        ),
    ],
)
def test_a_damaged_file_costs_the_place_and_no_more(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "knobs").write_text(text)
    places = KnobPlaces(tmp_path / "knobs")
    assert places.saved("board") is None
    assert len(caplog.records) == 1
    places.keep("board", KnobPlace(1, boot_id=9))
    assert KnobPlaces(tmp_path / "knobs").saved("board") == KnobPlace(1, boot_id=9)
    (kept,) = tmp_path.glob("knobs.damaged-*")
    assert kept.read_text() == text, "nothing is written over it"
    assert kept.name in caplog.text


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    places = KnobPlaces(tmp_path / "none" / "knobs")
    for detents in range(3):
        places.keep("board", KnobPlace(detents, boot_id=9))
    assert len(caplog.records) == 1
    assert places.saved("board") == KnobPlace(2, boot_id=9), "while the program runs"
