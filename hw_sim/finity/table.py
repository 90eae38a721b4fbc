"""The simulated table of Finity: pieces, tiles, hands and things in time.

table = SimFinityTable(seed=7, setup={"players": 2, "pattern": "bwbbwbww"})
ann = table.person("A")
table.perform(ann.do([Deed("", "N>NE M", "b N")]))     # time passes as for a person
table.truth().sight["N>NE M"]                          # "b N"
table.scene()                                          # what a camera would see at this moment
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from calibration.finity.board import SIZES, FinityBoard, reference_board
from companion.games.finity.rules import Finity
from companion.games.game import Json
from hw_sim.arms import Side, SimHand
from hw_sim.clock import ManualClock
from hw_sim.faults import Faults, stream
from hw_sim.finity.hands import FinityPerson, moved_by, off_by
from hw_sim.finity.pieces import Pieces, SimPiece, Whereabouts, seen_piece
from hw_sim.finity.places import EMPTY, Lie, Places
from hw_sim.finity.scene import FinityScene, Piece, PieceKind, TileShift
from hw_sim.light import STEADY
from hw_sim.motion import Track
from hw_sim.scene import Light, Thing
from hw_sim.timeline import Act, Doing, T, Timeline

AWAY_MM = 400.0
OVER_MM = 45.0
LYING_MM = 24.0
REACH = (-150.0, 150.0, -120.0, 120.0)
"""See `hw_sim.arms.Space` and `hw_sim.disturbances.DisturbedTable`; posts and blockers stand 20 to 31 mm high."""
GUEST: Side = (8.0, 0.0)
LAID_OFF_MM = 1.8
LAID_OFF_DEG = 4.0
"""How exactly people lay a piece: the reference pictures have their pieces off by as much."""
NUDGED_OFF_MM = 4.5
NUDGED_OFF_DEG = 9.0
"""No nudge leaves a piece farther from its place: beyond that people would put it right themselves."""
TILE_MM, TILE_DEG = 1.5, 1.0
"""How far tiles lie from where the board file has them, at most."""
CORNERS = ((-184.0, 93.0), (184.0, 93.0), (184.0, -93.0), (-184.0, -93.0))
"""Where players' rings stand where they are not in a box: mat that no tile, marker or patch takes."""
STACKS = {"L": (12.0, 21.0), "M": (14.0, -17.0), "S": (-14.0, 0.0)}


@dataclass(frozen=True, slots=True)
class FinityTruth:
    """How things really are.

    Attributes:
        sight: the label at every place; a piece in a hand is at none.
        settled: whether nothing moves, nothing is in a hand and nothing lies toppled over.
    """

    sight: Mapping[str, str]
    settled: bool


class SimFinityTable:
    """A table for one game of Finity, set up as the rules begin.

    Args:
        board: its measures; the built-in reference board by default.
        seed: everything that chance decides (times, how exactly pieces and tiles lie, where the supply is) follows
            from it.
        setup: players, pattern and perhaps posts, as in a recording's meta.json.
        options: house rules that differ from the defaults; of these the start of the blockers shows.
        clock: the time at the table; only the table may move it.
        faults: what goes wrong; nothing by default.

    Raises:
        InputError: for a set-up or options that the rules refuse.
    """

    def __init__(
        self,
        board: FinityBoard | None = None,
        *,
        seed: int | str = 0,
        setup: Mapping[str, Json],
        options: Mapping[str, Json] | None = None,
        clock: ManualClock | None = None,
        faults: Faults | None = None,
    ) -> None:
        self.board = board or reference_board()
        self.rules = Finity.of(setup, options)
        self.seed = seed
        self.faults = faults or Faults()
        self.timeline = Timeline(clock)
        self.letters = tuple(str(player) for player in self.rules.players)
        rng = stream(seed, "laid out")
        self.tiles = _tiles(self.board.stations(len(self.letters)), rng)
        self.places = Places(self.board, len(self.letters), self.tiles)
        self.pieces = Pieces(self.letters)
        self.light: Light = STEADY
        self.hands: dict[str, SimHand] = {}
        self.things: list[Thing] = []
        self.board_present = True
        self.away_mm, self.over_mm, self.edge_mm, self.lying_mm = AWAY_MM, OVER_MM, self.board.mat[0] / 2, LYING_MM
        self.reach = REACH
        self._place = Track((self.now_s, (0.0, 0.0, 0.0)))
        self._people: dict[str, FinityPerson] = {}
        self._resting: tuple[int, tuple[Piece, ...]] = (-1, ())
        self._shown: tuple[int, Mapping[str, str]] = (-1, {})
        self._lay_out(rng)

    @property
    def now_s(self) -> float:
        return self.timeline.now_s

    def person(self, name: str) -> FinityPerson:
        """Somebody at the table, with one hand; always the same person for a name (a player's letter, "guest")."""
        if name not in self._people:
            self._people[name] = FinityPerson(self, name, self._side(name), stream(self.seed, f"person {name}"))
        return self._people[name]

    def perform(self, act: Act[T]) -> T:
        """Let somebody do something, and time pass until it is done."""
        return self.timeline.perform(act)

    def start(self, act: Act[T]) -> Doing[T]:
        """Let somebody begin to do something; `advance` lets it go on."""
        return self.timeline.start(act)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.timeline.run_until(self.now_s + seconds)

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> None:
        """Shove the mat with all on it from where it lies; it slides for a fifth of a second."""
        x, y, deg = here = self._place.at(self.now_s)
        self._place = Track((self.now_s, here), (self.now_s + 0.2, (x + dx_mm, y + dy_mm, deg + turn_deg)))

    @property
    def sliding(self) -> bool:
        """Whether the mat is on its way after a bump."""
        return self.now_s < self._place.end_s

    @property
    def lies(self) -> tuple[float, float, float]:
        """How the mat lies against where it lay at the start: x, y in mm and degrees."""
        return self._place.at(self.now_s)

    def put_down(self, place: str, label: str, rng: random.Random) -> tuple[Lie, tuple[float, float], float]:
        """How a hand lays a piece: where, and how far off its place (mm, degrees).

        A second ring of a size comes to lie on the first, and farther off.
        """
        lie = self.places.lie(place, label)
        under = len(self.pieces.stack(place))
        off_mm = off_by(rng, 2.0, 4.0) if under else off_by(rng, 0.0, LAID_OFF_MM)
        off_deg = rng.uniform(-LAID_OFF_DEG, LAID_OFF_DEG)
        return moved_by(lie, off_mm, off_deg, under * self.board.rings.thickness), off_mm, off_deg

    def nudge(self, piece: SimPiece, rng: random.Random) -> None:
        """Push a piece by 2 to 4 mm or turn it by a few degrees, yet never out of its place."""
        off_mm, off_deg = piece.off_mm, piece.off_deg
        if rng.random() < 0.7 or piece.kind is not PieceKind.BRIDGE:
            dx, dy = off_by(rng, 2.0, 4.0)
            x, y = off_mm[0] + dx, off_mm[1] + dy
            share = min(1.0, NUDGED_OFF_MM / max(math.hypot(x, y), 1e-9))
            off_mm = (x * share, y * share)
        else:
            off_deg += rng.choice((-1, 1)) * rng.uniform(3.0, 7.0)
            off_deg = max(-NUDGED_OFF_DEG, min(NUDGED_OFF_DEG, off_deg))
        place, label, stack = piece.place, piece.label, self.pieces.stack(piece.place)
        up_mm = stack.index(piece) * self.board.rings.thickness
        lie = moved_by(self.places.lie(place, label), off_mm, off_deg, up_mm)
        piece.lie, piece.off_mm, piece.off_deg = lie, off_mm, off_deg
        self.pieces.version += 1

    def shown(self) -> Mapping[str, str]:
        """The label at every place."""
        if self._shown[0] != self.pieces.version:
            self._shown = (self.pieces.version, self.pieces.shown(self.places.names))
        return self._shown[1]

    def scene(self) -> FinityScene:
        """Everything that a camera could see now."""
        now_s = self.now_s
        x, y, deg = self.lies
        held = tuple(self._held(now_s)) if self.hands else ()
        holding = {piece.holder for piece in self.pieces.all if piece.holder} if self.hands else set()
        return FinityScene(
            players=len(self.letters),
            pattern=self.rules.terms.setup.pattern,
            pieces=self._at_rest() + held,
            hands=tuple(hand.at(now_s, pinching=name in holding) for name, hand in self.hands.items()),
            things=tuple(self.things),
            tiles=self.tiles,
            bump_mm=(x, y),
            bump_deg=deg,
            board_present=self.board_present,
        )

    def truth(self) -> FinityTruth:
        held = any(piece.where is Whereabouts.HELD for piece in self.pieces.all)
        fallen = any(piece.fallen_deg is not None for piece in self.pieces.on_board())
        return FinityTruth(self.shown(), settled=not (held or fallen or self.sliding))

    def _at_rest(self) -> tuple[Piece, ...]:
        if self._resting[0] != self.pieces.version:
            lying = (seen_piece(piece) for piece in self.pieces.all if piece.where is not Whereabouts.HELD)
            self._resting = (self.pieces.version, tuple(piece for piece in lying if piece is not None))
        return self._resting[1]

    def _held(self, now_s: float) -> Iterator[Piece]:
        for piece in self.pieces.all:
            if piece.where is Whereabouts.HELD and piece.holder in self.hands:
                seen = seen_piece(piece, self.hands[piece.holder].tip(now_s))
                if seen is not None:
                    yield seen

    def _side(self, name: str) -> Side:
        """People sit behind their own base station."""
        if name not in self.letters:
            return GUEST
        post = self.rules.start().posts[self.letters.index(name)]
        x, y = self.board.station_centres[self.rules.terms.layout.names[post]]
        return math.degrees(math.atan2(y, x)), 0.0

    def _lay_out(self, rng: random.Random) -> None:
        """Everything as the game begins: the supply beside the tiles or in boxes, the rings around the tower."""
        if rng.random() < 0.5:
            self._stand_rings(rng)
        if rng.random() < 0.3:
            self._heap_bridges(rng)
        x, y = self.places.station(self.board.map.centre)
        for number, letter in enumerate(rng.sample(self.letters, len(self.letters))):
            ring = next(p for p in self.pieces.all if (p.kind, p.colour, p.size) == (PieceKind.RING, letter, "L"))
            z = self.board.tower.ring_seat_z + number * self.board.rings.thickness
            self.pieces.to_centre(ring, moved_by(Lie(x, y, z), off_by(rng, 0.0, LAID_OFF_MM), 0.0))
        for place, label in self.rules.sight(self.rules.start()).items():
            if label != EMPTY:
                piece = self.pieces.in_supply(place, label)
                self.pieces.put(piece, place, label, *self.put_down(place, label, rng))

    def _stand_rings(self, rng: random.Random) -> None:
        """Each player's rings stand in three stacks at a corner of the mat."""
        for letter, (x, y) in zip(self.letters, CORNERS, strict=False):
            for size in SIZES:
                dx, dy = STACKS[size]
                stack = [p for p in self.pieces.all if (p.kind, p.colour, p.size) == (PieceKind.RING, letter, size)]
                for number, ring in enumerate(stack):
                    low = Lie(x + math.copysign(dx, x * dx), y + dy, number * self.board.rings.thickness)
                    ring.home = ring.lie = moved_by(low, off_by(rng, 0.0, 1.0), 0.0)

    def _heap_bridges(self, rng: random.Random) -> None:
        """The bridges lie in rows beside the mat, black on one side and white on the other, two on each other."""
        beside = self.board.mat[0] / 2 + self.board.bridge.length_sides * self.board.hex_side / 2 + 4.0
        for colour, x in (("b", -beside), ("w", beside)):
            heap = [p for p in self.pieces.all if p.kind is PieceKind.BRIDGE and p.colour == colour]
            for number, bridge in enumerate(heap):
                z = (number % 2) * (self.board.bridge.top_z - self.board.tile.floor_z)
                low = Lie(x, -124.0 + 16.0 * (number // 2), z, rng.uniform(-8.0, 8.0) % 360.0)
                bridge.home = bridge.lie = moved_by(low, off_by(rng, 0.0, 2.0), 0.0)


def _tiles(stations: tuple[str, ...], rng: random.Random) -> Mapping[str, TileShift]:
    """Tiles as people push them together; the centre's lies where the mat has it."""
    return {station: TileShift(*off_by(rng, 0.0, TILE_MM), rng.uniform(-TILE_DEG, TILE_DEG)) for station in stations}
