"""What one place of the board shows, before the whole picture is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """Attributes:
    likelihoods: P(what is seen | label), the largest 1; all ones where the place says nothing.
    doubts: why the best label is not sure; empty where it is.
    covered: something that is no piece lies over the place.
    visible: share of the place that the camera can see past the tower and other pieces, 0 to 1.
    proven: whether it is seen to be empty by what any piece would hide, in whatever light.
    """

    likelihoods: Mapping[str, float]
    doubts: tuple[str, ...] = ()
    covered: bool = False
    visible: float = 1.0
    proven: bool = False

    @property
    def label(self) -> str:
        return max(self.likelihoods, key=self.likelihoods.__getitem__)
