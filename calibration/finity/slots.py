"""How bridges and blockers look in their slots, learnt from reference pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.finity.examples import Bare, Example


@dataclass(frozen=True, slots=True)
class SlotLook:
    """What is learnt of bridges and blockers."""

    def to_json(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SlotLook:
        return cls()


def learn_slots(bare: Bare, examples: Sequence[Example]) -> SlotLook:
    return SlotLook()
