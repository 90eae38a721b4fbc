"""Sight without pictures: what a good but fallible reader of pictures would say of a table of Finity.

As `hw_sim.senses` for Infinity, in the words of `companion recognise`. What makes a place hard to read:
    misread         one place in one picture favours a wrong label that looks alike: a black bridge and the dark tile,
                    a bridge and the same one turned round, two players' colours. Never another ring size.
    glare           one place favours a wrong label for some seconds, unsurely.
    exposure step   for a second every likelihood is flatter, and some places are unsure.
    tower           up to a few places behind it can never be seen.
    posts           what stands behind one is now and then unsure.
    pieces          one that is off its place, or held over one, is not told surely.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.texts import text
from hw_sim.faults import stream
from hw_sim.finity.pieces import Pieces, SimPiece, Whereabouts
from hw_sim.finity.places import EMPTY, POST
from hw_sim.finity.table import SimFinityTable
from hw_sim.footprint import under_hand, under_thing
from hw_sim.scene import Light
from hw_sim.senses import (
    ADAPTING_S,
    COVERED,
    SURE_WHEN_WRONG,
    PlaceSeen,
    Seen,
    clearly,
    flattened,
    posterior,
    status_of,
    wrongly,
)

PX_PER_MM = 2.0
"""Of a 720p picture that shows the whole mat."""
POOL = 12
"""Different readings kept of each label at a place, made once."""
READY = 3
"""Whole pictures kept of a table at rest; what is misread is put into a copy."""
TOWER_MM = (7.0, 17.0)
"""Half the width of what the tower hides, from camera to camera: its radius, and what shows beside it."""
FAR_OFF_MM, FAR_OFF_DEG = 3.0, 6.0
"""A piece that lies farther off its place is told surely only in some pictures."""
NEAR_TIP_MM = 28.0
"""A piece in a hand so near to a place's middle may be taken for one that lies there."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """A table at rest, well read; `confidence` is the least posterior."""

    places: dict[str, PlaceSeen]
    confidence: float


class FinityEyes:
    """Looks at a table. Call `look` in the order of time: glare and a camera that adapts last longer than a picture.

    Attributes:
        blind: the places that the tower hides.
    """

    def __init__(self, table: SimFinityTable, rng: random.Random) -> None:
        self._table = table
        self._faults = table.faults
        self._rng = rng
        self._names = table.places.names
        self._labels = {name: _labels(table, name) for name in self._names}
        self._close = _close_colours(table.letters, rng)
        self._pools: dict[tuple[tuple[str, ...], str], list[PlaceSeen]] = {}
        self._away_deg, self.blind = _hidden(table)
        self._behind_posts: dict[str, tuple[str, ...]] = {}
        self._ready: tuple[int, list[_Picture], list[str]] = (-1, [], [])
        self._light = Light()
        self._adapting_until_s = 0.0
        self._glare: dict[str, tuple[float, str, float]] = {}
        self._glare_due_s = self._next_glare_s(0.0)

    def look(self, t_s: float) -> Seen:
        """Read the table as it is at `t_s`."""
        table = self._table
        if not table.board_present:
            return Seen("no_board", detail=text("no marker of the board is in the picture"), blind=self.blind)
        x, y, _ = table.lies
        shift_px = max(abs(x), abs(y)) * PX_PER_MM
        foreign = bool(table.hands or table.things)
        if table.sliding:
            return Seen(
                "moved", foreign=foreign, shift_px=shift_px, detail=text("the board is moving"), blind=self.blind
            )
        self._notice_light(t_s, table.light)
        self._notice_glare(t_s)
        picture, spoilt = self._read()
        places, confidence = picture.places | spoilt, picture.confidence
        if t_s < self._adapting_until_s:
            spoilt = places = {name: flattened(seen, self._rng) for name, seen in places.items()}
            confidence = 1.0
        if foreign:
            places.update(self._covered(t_s))
        places.update(dict.fromkeys(self.blind, COVERED))
        seen = [place for name, place in places.items() if name not in self.blind]
        return Seen(
            status=status_of(seen),
            places=places,
            foreign=foreign,
            confidence=min([posterior(place) for place in spoilt.values() if place.sure], default=confidence),
            shift_px=shift_px,
            blind=self.blind,
        )

    def _read(self) -> tuple[_Picture, dict[str, PlaceSeen]]:
        """Every place as it lies, but for hands, and the places that this picture spoils."""
        version, ready, doubtful = self._ready
        if version != self._table.pieces.version:
            ready, doubtful = [], self._doubtful()
            self._ready = (self._table.pieces.version, ready, doubtful)
        if len(ready) < READY:
            places = {name: self._clear(name, label) for name, label in self._table.shown().items()}
            ready.append(_Picture(places, min(posterior(seen) for seen in places.values())))
        picture, spoilt = self._rng.choice(ready), {}
        for name in doubtful:
            if self._rng.random() < 0.4:
                spoilt[name] = self._doubt(name)
        for name in self._misread():
            spoilt[name] = self._wrong(name)
        for name, (_, wrong, less) in self._glare.items():
            label = self._table.shown()[name]
            if wrong != label and spoilt.get(name, picture.places[name]).sure:
                glared = dict.fromkeys(self._labels[name], 0.003) | {wrong: 1.0, label: less}
                spoilt[name] = PlaceSeen(glared, sure=False)
        return picture, spoilt

    def _clear(self, name: str, label: str) -> PlaceSeen:
        labels = self._labels[name]
        pool = self._pools.get((labels, label))
        if pool is None:
            close = self._looks_like(name, label)
            pool = [clearly(label, labels, self._rng, close) for _ in range(POOL)]
            self._pools[labels, label] = pool
        return pool[int(self._rng.random() * POOL)]

    def _misread(self) -> Iterator[str]:
        """The places that this picture misreads: each with the same chance, drawn by the gaps between them."""
        share = self._faults.misread
        if share <= 0:
            return
        at = -1
        while True:
            chance = 1.0 - self._rng.random()
            at += 1 + (int(math.log(chance) / math.log1p(-share)) if share < 1 else 0)
            if at >= len(self._names):
                return
            yield self._names[at]

    def _wrong(self, name: str) -> PlaceSeen:
        label = self._table.shown()[name]
        wrong = self._rng.choice(self._looks_like(name, label))
        sure = self._rng.random() < SURE_WHEN_WRONG
        return wrongly(wrong, label, self._labels[name], self._rng, sure=sure)

    def _looks_like(self, name: str, label: str) -> tuple[str, ...]:
        """What a label at a place may be taken for, the likelier ones more than once."""
        if "." in name:
            others = tuple(self._close.get(label, "")) * 3 + tuple(p for p in self._table.letters if p != label)
            return (EMPTY, *others) if label != EMPTY else self._table.letters
        tails = self._table.places.slot(name).stations
        if label == EMPTY:
            return (*(f"b {tail}" for tail in tails), *(f"b {tail}" for tail in tails), f"w {tails[0]}")
        if label.startswith("blocker"):
            owner = label[-1]
            others = tuple(self._close.get(owner, "")) + tuple(p for p in self._table.letters if p != owner)
            return (EMPTY, *(f"blocker {player}" for player in others))
        colour, tail = label.split()
        turned = f"{colour} {tails[1] if tail == tails[0] else tails[0]}"
        return (turned, EMPTY, EMPTY) if colour == "b" else (turned, turned, f"b {tail}")

    def _doubt(self, name: str) -> PlaceSeen:
        """A place that may show what lies there, or what looks most like it."""
        label = self._table.shown()[name]
        other = self._looks_like(name, label)[0]
        less = self._rng.uniform(0.1, 0.8)
        return PlaceSeen(dict.fromkeys(self._labels[name], 0.002) | {label: 1.0, other: less}, sure=False)

    def _doubtful(self) -> list[str]:
        """The places that are hard to read as the pieces lie now."""
        pieces = self._table.pieces
        found = {
            name for post in pieces.on_board() if post.place.endswith(POST) for name in self._behind_post(post.place)
        }
        for piece in pieces.on_board():
            far = math.hypot(*piece.off_mm) > FAR_OFF_MM or abs(piece.off_deg) > FAR_OFF_DEG
            if far or piece.fallen_deg is not None:
                found.add(piece.place)
        return sorted(found)

    def _behind_post(self, post: str) -> tuple[str, ...]:
        if post not in self._behind_posts:
            self._behind_posts[post] = tuple(self._behind(post))
        return self._behind_posts[post]

    def _behind(self, post: str) -> Iterator[str]:
        """The slots behind a post, as the camera stands."""
        x, y = self._table.places.spots[post]
        turn = math.radians(self._away_deg)
        for name, (px, py) in self._table.places.spots.items():
            along = (px - x) * math.cos(turn) + (py - y) * math.sin(turn)
            across = (py - y) * math.cos(turn) - (px - x) * math.sin(turn)
            if 20.0 < along < 50.0 and abs(across) < 8.0 and "." not in name:
                yield name

    def _covered(self, t_s: float) -> Iterator[tuple[str, PlaceSeen]]:
        table = self._table
        hands = [hand.at(t_s, pinching=True) for hand in table.hands.values()]
        held = [table.hands[p.holder].tip(t_s) for p in _in_hands(table.pieces) if p.holder in table.hands]
        for name, (x, y) in table.places.spots.items():
            if any(under_hand(hand, x, y) for hand in hands) or any(under_thing(t, x, y) for t in table.things):
                yield name, COVERED
            elif held and any(abs(tx - x) < NEAR_TIP_MM and abs(ty - y) < NEAR_TIP_MM for tx, ty, _ in held):
                yield name, self._doubt(name)

    def _notice_light(self, t_s: float, light: Light) -> None:
        if light != self._light:
            self._light = light
            self._adapting_until_s = t_s + ADAPTING_S

    def _notice_glare(self, t_s: float) -> None:
        if self._glare:
            self._glare = {name: glare for name, glare in self._glare.items() if glare[0] > t_s}
        while t_s >= self._glare_due_s:
            name = self._rng.choice(self._names)
            wrong = self._rng.choice(self._looks_like(name, self._table.shown()[name]))
            lasts_s, less = self._rng.uniform(1.0, 6.0), self._rng.uniform(0.4, 0.95)
            self._glare[name] = (self._glare_due_s + lasts_s, wrong, less)
            self._glare_due_s = self._next_glare_s(self._glare_due_s)

    def _next_glare_s(self, t_s: float) -> float:
        rate = self._faults.glare_rate
        return t_s + self._rng.expovariate(rate / 60.0) if rate else math.inf


def _in_hands(pieces: Pieces) -> list[SimPiece]:
    return [piece for piece in pieces.all if piece.where is Whereabouts.HELD]


def _labels(table: SimFinityTable, name: str) -> tuple[str, ...]:
    if not table.places.is_slot(name):
        return (EMPTY, *table.letters)
    return (EMPTY, *table.places.slot(name).labels, *(f"blocker {letter}" for letter in table.letters))


def _close_colours(letters: tuple[str, ...], rng: random.Random) -> Mapping[str, str]:
    """Two players whose colours are hard to tell apart at this table."""
    one, other = rng.sample(letters, 2)
    return {one: other, other: one}


def _hidden(table: SimFinityTable) -> tuple[float, tuple[str, ...]]:
    """Where the camera stands makes what lies behind the tower: the direction away from it, and the blind places.

    A camera at the south side of the table that looks down on it, rather from above than from the side.
    """
    rng = stream(table.seed, "camera")
    away_deg, far_mm, half_mm = rng.gauss(90.0, 40.0), rng.uniform(15.0, 80.0), rng.uniform(*TOWER_MM)
    turn = math.radians(away_deg)
    x, y = table.places.station(table.board.map.centre)
    blind = []
    for name, (px, py) in table.places.spots.items():
        along = (px - x) * math.cos(turn) + (py - y) * math.sin(turn)
        across = (py - y) * math.cos(turn) - (px - x) * math.sin(turn)
        if 0.0 < along < far_mm and abs(across) < half_mm:
            blind.append(name)
    return away_deg, tuple(blind)
