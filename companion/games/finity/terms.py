"""All that a game is played under, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.finity.layout import Layout
from companion.games.finity.moves import Notation
from companion.games.finity.options import Options
from companion.games.finity.pieces import COLOURS, PLAYERS, SIZES, Rings, SlotSet, StationSet, bit_of
from companion.games.finity.position import Position, counts_of, stations_of
from companion.games.finity.setup import Setup
from companion.games.finity.walks import Reach, Walks
from companion.games.game import Player


@dataclass(frozen=True, eq=False)
class Terms:
    """The set-up and the options, with the tables made from them.

    Attributes:
        first_colour: of the pattern, as an index.
        bridge_supply: by colour.
        ring_supply: by size, of each player; one large ring lies on the centre from the start.
    """

    setup: Setup
    options: Options
    layout: Layout
    notation: Notation
    walks: Walks
    players: tuple[Player, ...]
    first_colour: int
    bridge_supply: tuple[int, ...]
    ring_supply: tuple[int, ...]

    @classmethod
    def of(cls, setup: Setup, options: Options) -> Terms:
        layout = setup.layout
        board = layout.board
        rings = [board.rings[size] for size in SIZES]
        rings[SIZES.index("L")] -= 1
        return cls(
            setup=setup,
            options=options,
            layout=layout,
            notation=Notation(layout),
            walks=Walks(layout, setup.pattern),
            players=PLAYERS[: setup.players],
            first_colour=COLOURS.index(setup.pattern[0]),
            bridge_supply=tuple(board.bridges[colour] for colour in COLOURS),
            ring_supply=tuple(rings),
        )

    def reach(self, position: Position, seat: int) -> Reach:
        """What a player's walks come to."""
        return self.walks.reach(position.bridges, position.posts[seat], counts_of(position.rings[seat]))

    def playing(self, position: Position) -> int:
        """How many players have not finished."""
        return len(self.players) - len(position.places)


def all_rings(position: Position) -> Rings:
    """The stations on which somebody has a ring of each size."""
    small = medium = large = 0
    for rings in position.rings:
        small |= rings[0]
        medium |= rings[1]
        large |= rings[2]
    return small, medium, large


def post_set(position: Position) -> StationSet:
    stations = 0
    for post in position.posts:
        stations |= bit_of(post)
    return stations


def own_markers(position: Position, seat: int) -> StationSet:
    """The stations with a player's post or rings; the ring on the centre is everybody's and does not count."""
    return stations_of(position.rings[seat]) | bit_of(position.posts[seat])


def bridges_left(terms: Terms, position: Position, colour: int) -> int:
    lying = position.bridges[2 * colour] | position.bridges[2 * colour + 1]
    return terms.bridge_supply[colour] - lying.bit_count()


def rings_left(terms: Terms, position: Position, seat: int, size: int) -> int:
    return terms.ring_supply[size] - position.rings[seat][size].bit_count()


def in_pairs_of(terms: Terms, slots: SlotSet) -> SlotSet:
    """All slots of the pairs in which one of these slots lies."""
    return 7 * ((slots | slots >> 1 | slots >> 2) & terms.layout.firsts)


def closed_corners(terms: Terms, slots: SlotSet) -> SlotSet:
    """The slots of all corners that one of these slots touches."""
    closed = 0
    for corner in terms.layout.corners:
        if corner & slots:
            closed |= corner
    return closed
