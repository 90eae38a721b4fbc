"""The pieces of one set of Finity, and where each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from hw_sim.finity.places import EMPTY, Lie, kind_of
from hw_sim.finity.scene import Piece, PieceKind


class Whereabouts(Enum):
    SUPPLY = "beside the board"
    PLACE = "at a place"
    HELD = "in a hand"
    CENTRE = "around the tower"


@dataclass(eq=False, slots=True)
class SimPiece:
    """One piece.

    Attributes:
        home: where it lies in the supply; None in a box out of sight.
        place, label: where it lies on the board, and what it shows there.
        holder: whose hand holds it.
        fallen_deg: the way in which it lies toppled over; None where it stands.
        off_mm: how far it lies from the middle of its place.
        off_deg: how far it is turned from how it should lie.
    """

    kind: PieceKind
    colour: str
    size: str = ""
    where: Whereabouts = Whereabouts.SUPPLY
    home: Lie | None = None
    lie: Lie | None = None
    place: str = ""
    label: str = ""
    holder: str = ""
    fallen_deg: float | None = None
    off_mm: tuple[float, float] = (0.0, 0.0)
    off_deg: float = 0.0

    def shows_at(self, place: str, label: str) -> bool:
        """Whether this piece can show a label at a place."""
        if kind_of(place, label) is not self.kind:
            return False
        colour = label.removeprefix("blocker ").partition(" ")[0]
        return colour == self.colour and (self.kind is not PieceKind.RING or place[-1] == self.size)


def full_set(players: tuple[str, ...]) -> list[SimPiece]:
    """All pieces of so many players: 32 bridges of each colour; 8 rings of each size, 2 blockers and a post each."""
    pieces = [SimPiece(PieceKind.BRIDGE, colour) for colour in "bw" for _ in range(32)]
    for player in players:
        pieces += [SimPiece(PieceKind.RING, player, size) for size in "SML" for _ in range(8)]
        pieces += [SimPiece(PieceKind.BLOCKER, player) for _ in range(2)]
        pieces.append(SimPiece(PieceKind.POST, player))
    return pieces


class Pieces:
    """All pieces of a table by where they are.

    Attributes:
        version: rises with every change, so that what depends on the pieces can be kept until the next.
    """

    def __init__(self, players: tuple[str, ...]) -> None:
        self.all = full_set(players)
        self.version = 0
        self._at: dict[str, list[SimPiece]] = {}

    def top(self, place: str) -> SimPiece | None:
        """The piece that shows at a place: of two on top of each other the upper one."""
        stack = self._at.get(place)
        return stack[-1] if stack else None

    def stack(self, place: str) -> tuple[SimPiece, ...]:
        return tuple(self._at.get(place, ()))

    def on_board(self) -> Iterator[SimPiece]:
        for stack in self._at.values():
            yield from stack

    def in_supply(self, place: str, label: str) -> SimPiece:
        """A piece from the supply that can show a label at a place.

        Where a table plays on with more pieces than a set has, one more is found.
        """
        for piece in self.all:
            if piece.where is Whereabouts.SUPPLY and piece.shows_at(place, label):
                return piece
        colour = label.removeprefix("blocker ").partition(" ")[0]
        kind = kind_of(place, label)
        piece = SimPiece(kind, colour, place[-1] if kind is PieceKind.RING else "")
        self.all.append(piece)
        return piece

    def put(
        self, piece: SimPiece, place: str, label: str, lie: Lie, off_mm: tuple[float, float], off_deg: float
    ) -> None:
        self._leave(piece)
        piece.where, piece.place, piece.label, piece.lie = Whereabouts.PLACE, place, label, lie
        piece.off_mm, piece.off_deg = off_mm, off_deg
        self._at.setdefault(place, []).append(piece)

    def hold(self, piece: SimPiece, holder: str) -> None:
        self._leave(piece)
        piece.where, piece.holder = Whereabouts.HELD, holder

    def to_supply(self, piece: SimPiece) -> None:
        self._leave(piece)
        piece.where, piece.lie = Whereabouts.SUPPLY, piece.home

    def to_centre(self, piece: SimPiece, lie: Lie) -> None:
        self._leave(piece)
        piece.where, piece.lie = Whereabouts.CENTRE, lie

    def topple(self, piece: SimPiece, towards_deg: float | None) -> None:
        """Let a piece fall over, or (None) put it up again."""
        piece.fallen_deg = towards_deg
        self.version += 1

    def shown(self, names: tuple[str, ...]) -> Mapping[str, str]:
        """The label at every place; a piece that was knocked over still shows there."""
        at = self._at
        return {name: at[name][-1].label if at.get(name) else EMPTY for name in names}

    def _leave(self, piece: SimPiece) -> None:
        if piece.where is Whereabouts.PLACE:
            self._at[piece.place].remove(piece)
        piece.place = piece.label = piece.holder = ""
        piece.fallen_deg = None
        piece.off_mm, piece.off_deg = (0.0, 0.0), 0.0
        self.version += 1


def seen_piece(piece: SimPiece, tip: tuple[float, float, float] | None = None) -> Piece | None:
    """The piece as a camera sees it; `tip` is the fingertip that holds it. None where it is out of sight."""
    if tip is not None:
        x, y, z = tip
        return Piece(piece.kind, piece.colour, piece.size, x, y, max(0.0, z - 4.0), 30.0)
    if piece.lie is None:
        return None
    x, y, z, turn = piece.lie.x_mm, piece.lie.y_mm, piece.lie.z_mm, piece.lie.turn_deg
    if piece.fallen_deg is not None:
        return Piece(piece.kind, piece.colour, piece.size, x, y, z, piece.fallen_deg, 90.0)
    return Piece(piece.kind, piece.colour, piece.size, x, y, z, turn)
