"""Puts the simulated chip at a simulated table: it feels the table's wires, and lives in its time.

    with SimChip(folder / "board") as chip:
        chip_at(game.table, chip)
        ...                                 # let the table's time pass; open chip.path

Of the table's faults it has those of wires, cable and power. Its bytes are the chip's own: a bad serial line is the
model's business (`hw_sim.board_device`). Where the chip's process ends, the table goes on with a dead board.
"""

from __future__ import annotations

import random
from contextlib import suppress

from companion.errors import DeviceError
from hw_sim.board_device import now_and_then
from hw_sim.chip.sim_chip import SimChip
from hw_sim.faults import stream
from hw_sim.table import SimTable
from hw_sim.timeline import Act
from hw_sim.wires import CONTACTS, Edge

BEAT_S = 0.005
"""How often the chip is let run to the table's time: as often as it may speak."""


def chip_at(table: SimTable, chip: SimChip) -> None:
    """From now on. The chip's clock is the table's; it must not be ahead of it."""
    raw = table.wires.raw
    for line, level in raw.items():
        chip.drive(table.now_s, line, level)

    def feel(edge: Edge) -> None:
        # a chip reads levels: with the next edge of either contact it also sees one that nobody was told
        with suppress(DeviceError):
            for line in CONTACTS if edge.line in CONTACTS else (edge.line,):
                chip.drive(edge.t_s, line, raw[line])

    def live() -> Act[None]:
        with suppress(DeviceError):
            while True:
                chip.let_run(table.now_s)
                yield BEAT_S

    table.listen(feel)
    table.start(live())
    _start_faults(table, chip)


def _start_faults(table: SimTable, chip: SimChip) -> None:
    def reset(_: random.Random) -> Act[None]:
        with suppress(DeviceError):
            chip.reset()
        yield 0.0

    def hang(_: random.Random) -> Act[None]:
        with suppress(DeviceError):
            chip.deafen()
        yield 4.0

    def lose_cable(rng: random.Random) -> Act[None]:
        with suppress(DeviceError):
            chip.unplug()
            yield rng.uniform(1.0, 5.0)
            chip.plug()

    faults, rng = table.faults, stream(table.seed, "chip")
    for rate, act in ((faults.reset_rate, reset), (faults.silence_rate, hang), (faults.unplug_rate, lose_cable)):
        if rate:
            table.start(now_and_then(rate, act, rng))
