"""What a bad line does to bytes: lost, flipped and cut ones, other programs' noise, bytes that trickle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hw_sim.faults import Faults

NOISE = (b"AT\r", b"AT+GCAP\r\n", b"\x00\x00", b"\xff\xfe\x00", b"ATE1 E0\r", b"\x7e\x00\x78\xf0\x7e")
"""What ModemManager asks of every new port, and what a floating line looks like."""
TRICKLE_S = 0.1


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that arrive together, so long after they were sent."""

    after_s: float
    data: bytes


class SerialLine:
    """The faults of a serial line, seeded."""

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng

    def carry(self, data: bytes) -> Iterator[Chunk]:
        """What arrives of one write, in order."""
        faults, rng = self._faults, self._rng
        if not data:
            return
        if rng.random() < faults.garbage:
            yield Chunk(0.0, rng.choice(NOISE))
        if rng.random() < faults.cut_frame:
            data = data[: rng.randrange(len(data))]
        if faults.lost_byte or faults.flipped_bit:
            data = bytes(self._spoil(data))
        if rng.random() < faults.trickle:
            for index in range(len(data)):
                yield Chunk(index * TRICKLE_S, data[index : index + 1])
        elif data:
            yield Chunk(0.0, data)

    def _spoil(self, data: bytes) -> Iterator[int]:
        for byte in data:
            if self._rng.random() < self._faults.lost_byte:
                continue
            flip = self._rng.random() < self._faults.flipped_bit
            yield byte ^ (1 << self._rng.randrange(8)) if flip else byte
