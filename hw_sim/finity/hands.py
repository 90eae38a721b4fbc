"""What people do at the table of Finity, each in human, seeded time; see `hw_sim.arms`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hw_sim.arms import Arm, Side
from hw_sim.finity.deeds import Deed
from hw_sim.finity.pieces import SimPiece
from hw_sim.finity.places import EMPTY, Lie
from hw_sim.finity.scene import PieceKind
from hw_sim.timeline import Act

if TYPE_CHECKING:
    from hw_sim.finity.table import SimFinityTable

GRIP_MM = 6.0
"""Height of the fingertips above the lower side of what they take or lay."""


def _nothing() -> None:
    pass


class FinityPerson(Arm):
    """Somebody at the table; made by `SimFinityTable.person`."""

    def __init__(self, table: SimFinityTable, name: str, side: Side, rng: random.Random) -> None:
        super().__init__(table, name, side, rng)
        self._table = table

    def do(
        self, deeds: Sequence[Deed], *, changed: Callable[[], None] = _nothing, away: Callable[[], None] = _nothing
    ) -> Act[None]:
        """Do some things in one go, without taking the hand away between them.

        Args:
            changed: called when the last of them shows on the board.
            away: called when the hand has left.
        """

        def all_of_them() -> Act[None]:
            for deed in deeds:
                yield from self._do(deed, changed if deed is deeds[-1] else _nothing)

        return self._with_hand(all_of_them(), away)

    def take_off(self, places: Iterable[str], *, changed: Callable[[], None] = _nothing) -> Act[None]:
        """Take the pieces at some places off the board, all into one hand.

        Args:
            changed: called when the last of them is off.
        """

        def collect() -> Act[None]:
            held = []
            for place in places:
                piece = self._table.pieces.top(place)
                if piece is not None:
                    yield from self._pick(piece)
                    held.append(piece)
            changed()
            for piece in held:
                yield from self._store(piece)

        return self._with_hand(collect())

    def lift_and_put_back(self, place: str) -> Act[None]:
        """Take a piece up, look at it, and put it back as it was."""

        def look() -> Act[None]:
            piece = self._at(place)
            label = piece.label
            yield from self._pick(piece)
            yield self._rng.uniform(0.5, 2.0)
            yield from self._lay(piece, place, label)

        return self._with_hand(look())

    def hold_over(self, place: str, label: str) -> Act[None]:
        """Take a piece from the supply, hold it over a place for 0.5 to 2 s, and put it back."""

        def ponder() -> Act[None]:
            piece = yield from self._fetch(place, label)
            x, y = self._table.places.spots[place]
            yield from self._travel((x, y, self._table.over_mm * self._rng.uniform(0.6, 1.0)))
            yield self._rng.uniform(0.5, 2.0)
            yield from self._store(piece)

        return self._with_hand(ponder())

    def point_at(self, place: str) -> Act[None]:
        """Lay a fingertip at a place for a while, as people do who explain."""

        def point() -> Act[None]:
            x, y = self._table.places.spots[place]
            yield from self._travel((x, y, self._table.lying_mm))
            yield self._rng.uniform(0.4, 2.0)

        return self._with_hand(point())

    def nudge(self, place: str) -> Act[None]:
        """Push a piece by 2 to 4 mm, or turn it by a few degrees, in passing."""

        def brush() -> Act[None]:
            piece = self._at(place)
            yield from self._to(piece)
            self._table.nudge(piece, self._rng)
            yield self._rng.uniform(0.05, 0.3)

        return self._with_hand(brush())

    def knock_over(self, place: str) -> Act[None]:
        """Knock a post over, see it after a moment, and put it up again."""

        def knock() -> Act[None]:
            piece = self._at(place)
            yield from self._to(piece)
            self._table.pieces.topple(piece, self._rng.uniform(0.0, 360.0))
            yield from self._leave()
            yield self._rng.uniform(0.5, 4.0)
            if piece.place == place and piece.fallen_deg is not None:
                label = piece.label
                yield from self._pick(piece)
                yield from self._lay(piece, place, label)

        return self._with_hand(knock())

    def arrange(self, sight: Mapping[str, str]) -> Act[None]:
        """Put pieces by hand until the board shows what it should, as people do who put a mistake right."""
        return self._with_hand(self._arrange(sight))

    def _arrange(self, sight: Mapping[str, str]) -> Act[None]:
        table = self._table
        while (deed := next_deed(table, sight)) is not None:
            yield from self._do(deed, _nothing)

    def _do(self, deed: Deed, changed: Callable[[], None]) -> Act[None]:
        piece = yield from (self._take(deed.source) if deed.source else self._fetch(deed.target, deed.label))
        if not deed.target:
            changed()
            yield from self._store(piece)
            return
        if deed.source == deed.target:
            yield self._rng.uniform(0.2, 0.7)
        yield from self._lay(piece, deed.target, deed.label)
        changed()

    def _take(self, place: str) -> Act[SimPiece]:
        piece = self._at(place)
        yield from self._pick(piece)
        return piece

    def _at(self, place: str) -> SimPiece:
        piece = self._table.pieces.top(place)
        if piece is None:
            raise ValueError(f"{self.name} cannot take anything at {place}: nothing lies there")
        return piece

    def _to(self, piece: SimPiece) -> Act[None]:
        assert piece.lie is not None
        yield from self._travel((piece.lie.x_mm, piece.lie.y_mm, piece.lie.z_mm + GRIP_MM))

    def _pick(self, piece: SimPiece) -> Act[None]:
        """Lift a piece that lies in sight, on the board or beside it."""
        yield from self._to(piece)
        assert piece.lie is not None
        x, y = piece.lie.x_mm, piece.lie.y_mm
        self._table.pieces.hold(piece, self.name)
        yield self._rng.uniform(0.08, 0.2)
        yield from self._travel((x, y, self._table.over_mm))

    def _fetch(self, place: str, label: str) -> Act[SimPiece]:
        """Take a piece from the supply; from a box out of sight the hand comes back with it."""
        pieces = self._table.pieces
        piece = pieces.in_supply(place, label)
        if piece.home is not None:
            yield from self._pick(piece)
            return piece
        if self.name in self._table.hands:
            yield from self._leave()
        pieces.hold(piece, self.name)
        self._come()
        return piece

    def _store(self, piece: SimPiece) -> Act[None]:
        if piece.home is not None:
            home = piece.home
            yield from self._travel((home.x_mm, home.y_mm, home.z_mm + GRIP_MM))
        else:
            yield from self._leave()
        self._table.pieces.to_supply(piece)

    def _lay(self, piece: SimPiece, place: str, label: str) -> Act[None]:
        lie, off_mm, off_deg = self._table.put_down(place, label, self._rng)
        yield from self._travel((lie.x_mm, lie.y_mm, lie.z_mm + GRIP_MM))
        self._table.pieces.put(piece, place, label, lie, off_mm, off_deg)
        yield self._rng.uniform(0.1, 0.35)


def off_by(rng: random.Random, least_mm: float, most_mm: float) -> tuple[float, float]:
    """So many millimetres in any direction."""
    way, far = rng.uniform(0.0, math.tau), rng.uniform(least_mm, most_mm)
    return far * math.cos(way), far * math.sin(way)


def moved_by(lie: Lie, off_mm: tuple[float, float], off_deg: float, up_mm: float = 0.0) -> Lie:
    return Lie(lie.x_mm + off_mm[0], lie.y_mm + off_mm[1], lie.z_mm + up_mm, (lie.turn_deg + off_deg) % 360.0)


def next_deed(table: SimFinityTable, sight: Mapping[str, str]) -> Deed | None:
    """The next thing to do on the way to what the board should show; None where it does.

    Pieces go where they are missing first, then what is wrong goes off, then what is missing comes from the supply.
    """
    pieces, shown = table.pieces, table.shown()
    doubled = next((place for place in sight if len(pieces.stack(place)) > 1), None)
    if doubled is not None:
        return Deed(doubled, "")
    wrong = [place for place, label in sight.items() if shown[place] != label]
    lying = [place for place in wrong if shown[place] != EMPTY]
    for place in lying:
        piece = pieces.top(place)
        if piece and piece.kind is PieceKind.BRIDGE and sight[place] != EMPTY and piece.shows_at(place, sight[place]):
            return Deed(place, place, sight[place])
    gaps = [place for place in wrong if shown[place] == EMPTY]
    for gap in gaps:
        for place in lying:
            piece = pieces.top(place)
            if piece is not None and piece.shows_at(gap, sight[gap]):
                return Deed(place, gap, sight[gap])
    if lying:
        return Deed(lying[0], "")
    fallen = next((piece.place for piece in pieces.on_board() if piece.fallen_deg is not None), None)
    if fallen is not None:
        return Deed(fallen, fallen, sight[fallen])
    return Deed("", gaps[0], sight[gaps[0]]) if gaps else None
