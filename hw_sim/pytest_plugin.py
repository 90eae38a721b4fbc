"""Fixtures with which any test run can have a simulated table. Installing the package is enough to have them.

    def test_a_push_breaks_the_beam(sim_table):
        edges = []
        sim_table.listen(edges.append)
        sim_table.perform(sim_table.person("blue").push("B", 3))
        assert [edge.line for edge in edges] == ["entry3", "entry3", "slot3.1"]

`sim_seed`, `sim_faults` and `sim_finity_setup` may be overridden in a test module or its conftest.py. Nothing heavy is
imported before a test asks for it: this module is loaded by every run of pytest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hw_sim.clock import ManualClock
    from hw_sim.faults import Faults
    from hw_sim.finity.game_run import FinityGame
    from hw_sim.finity.table import SimFinityTable
    from hw_sim.game_run import SimGame
    from hw_sim.pins import SimPins
    from hw_sim.serial_port import SimSerialPort
    from hw_sim.table import SimTable


@pytest.fixture
def sim_seed() -> int:
    """Everything that chance decides at the table follows from this."""
    return 0


@pytest.fixture
def sim_faults() -> Faults:
    """What goes wrong at the table: nothing."""
    from hw_sim.faults import Faults

    return Faults()


@pytest.fixture
def sim_clock() -> ManualClock:
    """The time at the table; `sim_table.advance` and `sim_table.perform` let it pass."""
    from hw_sim.clock import ManualClock

    return ManualClock()


@pytest.fixture
def sim_table(sim_seed: int, sim_faults: Faults, sim_clock: ManualClock) -> SimTable:
    """A table with all marbles in the well and the knob at `*`."""
    from hw_sim.table import SimTable

    return SimTable(seed=sim_seed, faults=sim_faults, clock=sim_clock)


@pytest.fixture
def sim_pins(sim_table: SimTable) -> Iterator[SimPins]:
    """The table's pins; `sim_pins.factory` is a gpiozero pin factory."""
    from hw_sim.pins import SimPins

    pins = SimPins(sim_table)
    yield pins
    pins.close()


@pytest.fixture
def sim_serial_port(sim_table: SimTable, tmp_path: Path) -> Iterator[SimSerialPort]:
    """The serial port of the table's board: open `sim_serial_port.path`; bytes flow as the table's time passes."""
    from hw_sim.serial_port import SimSerialPort, board_at

    with SimSerialPort(tmp_path / "board") as port:
        board_at(sim_table, port)
        yield port


@pytest.fixture
def sim_game(sim_seed: int, sim_faults: Faults) -> Callable[..., SimGame]:
    """Makes whole games: `sim_game(serial=True)`, with the arguments of `hw_sim.game_run.SimGame`."""
    from hw_sim.game_run import SimGame

    def make(**settings: Any) -> SimGame:
        return SimGame(**{"seed": sim_seed, "faults": sim_faults, **settings})

    return make


@pytest.fixture
def sim_finity_setup() -> dict[str, Any]:
    """Who plays Finity, and under which pattern: two players."""
    return {"players": 2, "pattern": "bwbbwbww"}


@pytest.fixture
def sim_finity_table(
    sim_seed: int, sim_faults: Faults, sim_clock: ManualClock, sim_finity_setup: dict[str, Any]
) -> SimFinityTable:
    """A table of Finity, set up as the game begins."""
    from hw_sim.finity.table import SimFinityTable

    return SimFinityTable(seed=sim_seed, setup=sim_finity_setup, faults=sim_faults, clock=sim_clock)


@pytest.fixture
def sim_finity_game(sim_seed: int, sim_faults: Faults, sim_finity_setup: dict[str, Any]) -> Callable[..., FinityGame]:
    """Makes whole games: `sim_finity_game(frame_s=0)`, with the arguments of `hw_sim.finity.game_run.FinityGame`."""
    from hw_sim.finity.game_run import FinityGame

    def make(**settings: Any) -> FinityGame:
        return FinityGame(**{"seed": sim_seed, "faults": sim_faults, "setup": sim_finity_setup, **settings})

    return make
