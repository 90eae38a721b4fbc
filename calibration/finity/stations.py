"""How rings and posts look on their stations, learnt from reference pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.finity.examples import Bare, Example


@dataclass(frozen=True, slots=True)
class StationLook:
    """What is learnt of rings and posts."""

    def to_json(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StationLook:
        return cls()


def learn_stations(bare: Bare, examples: Sequence[Example]) -> StationLook:
    return StationLook()
