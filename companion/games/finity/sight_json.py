"""What a picture shows of Finity, as the line that `companion recognise --json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Final, Protocol

from companion.games.game import Json


class PlaceSeen(Protocol):
    """A place as vision reads it (`vision.reading.PlaceReading`)."""

    @property
    def likelihoods(self) -> Mapping[str, float]: ...
    @property
    def sure(self) -> bool: ...
    @property
    def covered(self) -> bool: ...
    @property
    def label(self) -> str | None: ...


class TableSeen(Protocol):
    """A picture as vision reads it (`vision.reading.Reading`)."""

    @property
    def places(self) -> Mapping[str, PlaceSeen]: ...
    @property
    def unsure(self) -> Sequence[str]: ...
    @property
    def blind(self) -> Sequence[str]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def detail(self) -> str: ...


_EMPTY: Final = "."
_POST: Final = "P"
_OTHER_SIDE: Final = {"L": "R", "M": "M", "R": "L"}
"""A slot's letter as seen from the other end of its pair."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a picture in the words of moves; doubtful ones stand as the best guess.

    Pieces under a hand and posts that are not seen for certain are left out: guesses would put one on two places.
    """

    bridges: list[str]
    rings: dict[str, dict[str, str]]
    posts: dict[str, str]
    blockers: dict[str, list[str]]


def sight_json(image: str, status: str, seen: TableSeen) -> dict[str, Json]:
    """One answer line; a status that reports no places has no pieces, and says why in `detail`."""
    pieces = asdict(pieces_seen(seen)) if seen.places else dict.fromkeys(field.name for field in fields(Pieces))
    line: dict[str, Json] = {
        "image": image,
        "game": "finity",
        "status": status,
        **pieces,
        "unsure": list(seen.unsure),
        "blind": list(seen.blind),
        "confidence": round(seen.confidence, 4),
    }
    if seen.detail:
        line["detail"] = seen.detail
    return line


def sight_text(image: str, status: str, seen: TableSeen) -> str:
    """The same for people: a kind of piece a line."""
    head = f"{image}  {status}" + (f"  {seen.detail}" if seen.detail else "")
    if not seen.places:
        return head
    pieces = pieces_seen(seen)
    kinds = {
        "bridges": pieces.bridges,
        "rings": [f"{station} {_sizes(rings)}" for station, rings in pieces.rings.items()],
        "posts": [f"{player} {station}" for player, station in pieces.posts.items()],
        "blockers": [f"{player} {slot}" for player, slots in pieces.blockers.items() for slot in slots],
        "unsure": seen.unsure,
        "never seen": seen.blind,
    }
    return "\n".join([head, *(f"  {kind:10} {', '.join(words) or '-'}" for kind, words in kinds.items())])


def _sizes(rings: Mapping[str, str]) -> str:
    return " ".join(f"{size}:{player}" for size, player in rings.items())


def pieces_seen(seen: TableSeen) -> Pieces:
    """The pieces of a picture that reports its places."""
    pieces = Pieces([], {}, {}, {player: [] for player in _players(seen)})
    for place, what in seen.places.items():
        label = what.label
        if what.covered or label is None or label == _EMPTY:
            continue
        station, _, size = place.partition(".")
        if size == _POST:
            pieces.posts.update({label: station} if what.sure else {})
        elif size:
            pieces.rings.setdefault(station, {})[size] = label
        elif label.startswith("blocker "):
            pieces.blockers[label.removeprefix("blocker ")].append(place)
        else:
            pieces.bridges.append(bridge_text(place, label))
    return pieces


def _players(seen: TableSeen) -> list[str]:
    """The letters that could stand on a seat."""
    return sorted(
        {label for place, what in seen.places.items() if "." in place for label in what.likelihoods} - {_EMPTY}
    )


def bridge_text(place: str, label: str) -> str:
    """A bridge as moves name it, from its tail to its tip: in the slot `C>N L`, `w N` is `w N>C R`."""
    colour, _, tail = label.partition(" ")
    pair, _, letter = place.partition(" ")
    first, _, second = pair.partition(">")
    return f"{colour} {place}" if tail == first else f"{colour} {second}>{first} {_OTHER_SIDE[letter]}"
