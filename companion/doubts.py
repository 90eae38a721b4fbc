"""Places that the camera sees and cannot tell, and what people say of them.

What a person says stands in place of what the camera sees there, until the place visibly changes or the record has
another piece come there; it weighs as much as a sure look, no more, so a wrong answer does not outvote the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.evidence import Sight
from companion.games.game import Label, Place
from vision.reading import READABLE, PlaceReading

DOUBT_S = 3.0
"""A shadow or a piece that is being put down is over by then; two readings of a move are asked about as soon."""
LEAST_LOOKS = 4
"""A slow camera gives one look a second; fewer say nothing of what stays so."""
CHANGED = 0.5
"""Half of what the camera believed of a place has gone elsewhere: noise and light move a tenth or two."""
CHANGED_LOOKS = 2
"""A single look in twenty is wrong."""
SAID = 1e-3
"""How likely a person's word is where another label is the true one."""


@dataclass(slots=True)
class _Unsure:
    """A place that is not sure, in an unbroken row of looks at a still scene."""

    since_s: float
    looks: int = 0
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, shares: Mapping[str, float]) -> None:
        self.looks += 1
        for label, share in shares.items():
            self.sums[label] = self.sums.get(label, 0.0) + share


@dataclass(slots=True)
class _Said:
    label: Label
    by: str
    seen: Mapping[str, float]
    changed: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place with its labels, likeliest first; `said` where a person has told which it is, and who."""

    place: Place
    labels: tuple[Label, ...]
    said: Label | None = None
    by: str = ""


class Doubts:
    """Takes the looks in order of time."""

    def __init__(self) -> None:
        self._unsure: dict[str, _Unsure] = {}
        self._said: dict[str, _Said] = {}
        self._shares: dict[str, Mapping[str, float]] = {}
        self._now_s = float("-inf")

    def take(self, sight: Sight) -> Sight:
        """The same sight, with people's words in place of what the camera sees where they spoke."""
        self._now_s = sight.t_s
        reading = sight.reading
        if reading.status not in READABLE:
            self._unsure.clear()
            return sight
        self._shares = {name: _shares(place) for name, place in reading.places.items() if _speaks(place)}
        still = not reading.foreign and not any(
            place.covered for name, place in reading.places.items() if name not in reading.blind
        )
        unsure = {name for name in reading.unsure if name in self._shares} if still else set()
        self._unsure = {name: each for name, each in self._unsure.items() if name in unsure}
        for name in unsure:
            self._unsure.setdefault(name, _Unsure(sight.t_s)).add(self._shares[name])
        told = {name: _told(said, reading.places[name]) for name, said in self._stands()}
        return replace(sight, reading=replace(reading, places={**reading.places, **told})) if told else sight

    def _stands(self) -> list[tuple[str, _Said]]:
        """The words that hold for this look; those whose place has visibly changed are forgotten."""
        standing = []
        for name, said in [*self._said.items()]:
            shares = self._shares.get(name)
            if shares is None:
                continue
            said.changed = said.changed + 1 if _moved(shares, said.seen) > CHANGED else 0
            if said.changed >= CHANGED_LOOKS:
                del self._said[name]
            elif not said.changed:
                standing.append((name, said))
        return standing

    def say(self, place: Place, label: Label, by: str) -> bool:
        """A person says what stands at a place; whether the camera sees it, and it could be that."""
        shares = self._shares.get(place)
        if shares is None or label not in shares:
            return False
        self._said[place] = _Said(label, by, shares)
        return True

    def unsay(self, place: Place) -> bool:
        """A person takes back what was said of a place; whether anything was."""
        return self._said.pop(place, None) is not None

    def forget(self) -> None:
        """Another game, or another board: nothing that was said holds any more."""
        self._said.clear()

    def follow(self, before: Mapping[Place, Label], after: Mapping[Place, Label]) -> None:
        """The record has gone on, or was put right: words that speak of a piece before it are void."""
        for name, said in [*self._said.items()]:
            label = after.get(Place(name))
            if label != said.label and label != before.get(Place(name)):
                del self._said[name]

    def now(self) -> tuple[Doubt, ...]:
        """The places of which a person had better say what stands there, and those of which one has."""
        found = {
            name: Doubt(Place(name), _in_order(each.sums))
            for name, each in self._unsure.items()
            if each.looks >= LEAST_LOOKS and self._now_s - each.since_s >= DOUBT_S
        }
        said = {
            name: Doubt(Place(name), _in_order(each.seen), each.label, each.by) for name, each in self._said.items()
        }
        return tuple({**found, **said}.values())


def _speaks(place: PlaceReading) -> bool:
    return not place.covered and bool(place.likelihoods)


def _shares(place: PlaceReading) -> Mapping[str, float]:
    """How the likelihoods of a place are shared among its labels; they sum to 1."""
    total = sum(place.likelihoods.values())
    return {label: value / total for label, value in place.likelihoods.items()}


def _moved(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The share that two readings of a place disagree about, 0 to 1."""
    return sum(abs(one.get(label, 0.0) - other.get(label, 0.0)) for label in one.keys() | other.keys()) / 2


def _told(said: _Said, place: PlaceReading) -> PlaceReading:
    return PlaceReading({label: 1.0 if label == said.label else SAID for label in place.likelihoods}, sure=True)


def _in_order(shares: Mapping[str, float]) -> tuple[Label, ...]:
    return tuple(Label(label) for label in sorted(shares, key=lambda label: -shares[label]))
