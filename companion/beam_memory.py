"""What boards had counted when the record was kept, for the next start: what passed in between was played unheard.

A board counts on while the program is dead. Its counters are kept in one transaction with the state, as far as the
record accounts for them: a marble that was felt and not told of yet is felt again after a kill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.evidence import BeamsCounted, Evidence, MarbleEntered, MarbleLeft
from companion.games.game import Json
from companion.reconciler.traces import Traced
from firmware_bridge.beams import BEAMS, BeamCounts

COUNTED = "counted"
"""Where they stand in a kept state."""
ROUND = 256
"""Counters go round at this."""

_NUMBERS = {("entered" if beam.entry else "left", beam.channel): number for number, beam in enumerate(BEAMS)}


class BeamMemory:
    """Follows the counters of every board that tells of them."""

    def __init__(self) -> None:
        self._boots: dict[str, int] = {}
        self._passages: dict[str, list[int]] = {}
        self._accounted: dict[str, Json] = {}

    def take(self, evidence: Evidence) -> None:
        match evidence:
            case BeamsCounted(device=device, boot_id=boot_id, passages=passages):
                self._boots[device] = boot_id
                self._passages[device] = [*passages]
            case MarbleEntered(device=device, channel=channel) if device in self._passages:
                self._passages[device][_NUMBERS["entered", channel]] += 1
            case MarbleLeft(device=device, channel=channel) if device in self._passages:
                self._passages[device][_NUMBERS["left", channel]] += 1

    def accounted(self, pending: Sequence[Traced] | None) -> Mapping[str, Json]:
        """The counters as far as the record knows of the marbles, by device.

        Args:
            pending: the beams whose meaning is open; None leaves all as it was.
        """
        if pending is not None:
            for device, passages in self._passages.items():
                counts = [*passages]
                for item in pending:
                    if item.device == device:
                        counts[_NUMBERS[item.trace.kind, item.trace.channel]] -= 1
                kept: list[Json] = [count % ROUND for count in counts]
                self._accounted[device] = {"boot_id": self._boots[device], "passages": kept}
        return dict(self._accounted)


def counted(state: Mapping[str, Json] | None) -> dict[str, BeamCounts]:
    """The counters that were kept with a state, by device; what is damaged is left out."""
    devices = (state or {}).get(COUNTED)
    found = {}
    for device, kept in devices.items() if isinstance(devices, Mapping) else ():
        match kept:
            case {"boot_id": int(boot_id), "passages": [*passages]} if len(passages) == len(BEAMS):
                numbers = [count for count in passages if isinstance(count, int) and 0 <= count < ROUND]
                if len(numbers) == len(BEAMS):
                    found[device] = BeamCounts(boot_id, tuple(numbers))
    return found
