"""Why a move is illegal: the contract's reason, and a sentence that names the pieces."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.finity import reasons
from companion.games.finity.moves import (
    Add,
    Move,
    MoveBlocker,
    MovePost,
    PlaceRing,
    Remove,
    Reverse,
    Teleport,
    Unblock,
)
from companion.games.finity.pieces import COLOURS, SIZES, Kind, Slot, Station, bit_of, slots_in
from companion.games.finity.position import Position
from companion.games.finity.restrictions import (
    beside_opponents,
    closed_to_blockers,
    closed_to_bridges,
    closing_opponents,
    near_own_markers,
    posts_supported,
    smaller_free,
    top_marker,
    topped,
    trapped,
)
from companion.games.finity.terms import Terms, all_rings, bridges_left, in_pairs_of, rings_left
from companion.games.finity.walks import kind_at

Fault = tuple[str, str]
"""Reason and sentence."""


def fault_of(terms: Terms, position: Position, seat: int, move: Move) -> Fault | None:
    """Why a player may not make a move now; None where it is legal."""
    against = _Against(terms, position, seat)
    match move:
        case Add():
            return against.add(move)
        case Reverse():
            return against.reverse(move)
        case Remove():
            return against.remove(move)
        case PlaceRing():
            return against.ring(move)
        case MoveBlocker():
            return against.blocker(move)
        case Unblock():
            return against.unblock(move)
        case MovePost():
            return against.post(move)
        case Teleport():
            return against.teleport(move)


class _Against:
    """What can be said against each kind of move, in the order of the rules."""

    def __init__(self, terms: Terms, position: Position, seat: int) -> None:
        self.terms = terms
        self.position = position
        self.seat = seat
        self.player = terms.players[seat]

    def add(self, move: Add) -> Fault | None:
        terms, position = self.terms, self.position
        slot, kind = move
        name = terms.layout.slot_from(slot, kind & 1)
        colour = COLOURS[kind >> 1]
        if piece := self._piece_in(slot):
            return "slot_occupied", reasons.slot_occupied(name, piece)
        if closed_to_bridges(terms, position) >> slot & 1:
            return "corner_taken", self._corner_words(slot, name)
        if terms.options.enforce_supply and bridges_left(terms, position, kind >> 1) <= 0:
            return "no_supply", reasons.no_bridge_left(colour, terms.bridge_supply[kind >> 1])
        if fault := self._redundant(slot, kind):
            return fault
        if terms.notation.adds[kind][slot] in position.barred:
            return "refill_after_removal", reasons.refill(colour, name)
        if position.ply == 0 and closing_opponents(terms, position, self.seat) >> slot & 1:
            return "first_move_restriction", self._first_move_words(slot, name, reasons.first_bridge_restricted)
        return self._held_back(slot, name)

    def reverse(self, move: Reverse) -> Fault | None:
        slot, turned = move
        if fault := self._no_bridge(slot, turned):
            return fault
        kind = kind_at(self.position.bridges, slot)
        if kind is not None and (fault := self._redundant(slot, Kind(kind ^ 1))):
            return fault
        text = self.terms.notation.reversals[turned][slot]
        if text in self.position.barred:
            return "undo", reasons.undoes_reversal(self.terms.layout.slot_from(slot, turned))
        return self._held_back(slot, self.terms.layout.slot_from(slot, turned))

    def remove(self, move: Remove) -> Fault | None:
        slot, turned = move
        if fault := self._no_bridge(slot, turned):
            return fault
        layout = self.terms.layout
        _, tip = layout.tail_and_tip(slot, Kind(turned))
        name = layout.slot_from(slot, turned)
        if tip == layout.centre:
            return "bridge_into_centre", reasons.bridge_into_centre(name, layout.names[tip])
        if not topped(self.position, self.seat) & bit_of(tip):
            top = top_marker(self.position, tip)
            marker = (str(self.terms.players[top[0]]), top[1]) if top else None
            return "not_top_marker", reasons.not_top_marker(self.player, layout.names[tip], marker)
        if self.terms.notation.removals[turned][slot] in self.position.barred:
            return "undo", reasons.undoes_adding(name)
        return None

    def ring(self, move: PlaceRing) -> Fault | None:
        terms, position = self.terms, self.position
        station, size = move
        name, bit = terms.layout.names[station], bit_of(station)
        if station == terms.layout.centre:
            return "centre_station", reasons.no_ring_on_centre(name)
        if station == position.posts[self.seat]:
            return "own_post_station", reasons.own_post_station(self.player, name)
        if not terms.reach(position, self.seat).stations & bit:
            return "station_unreachable", reasons.station_unreachable(self.player, name)
        if all_rings(position)[size] & bit:
            owner = next(p for p, rings in zip(terms.players, position.rings, strict=True) if rings[size] & bit)
            return "size_taken", reasons.size_taken(name, SIZES[size], owner)
        if terms.options.enforce_supply and rings_left(terms, position, self.seat, size) <= 0:
            return "no_supply", reasons.no_ring_left(self.player, SIZES[size], terms.ring_supply[size])
        if smaller_free(terms, position, self.seat, size) & bit:
            smaller = next(each for each in range(size) if smaller_free(terms, position, self.seat, each + 1) & bit)
            return "smaller_size_free", reasons.smaller_size_free(name, SIZES[smaller])
        return None

    def blocker(self, move: MoveBlocker) -> Fault | None:
        terms, position = self.terms, self.position
        source, target = move
        name = terms.layout.slot_names[target]
        if source is None:
            if not position.in_hand[self.seat]:
                return "no_blocker_there", reasons.none_in_hand(self.player)
        elif not position.blockers[self.seat] >> source & 1:
            where = terms.layout.slot_names[source]
            owner = self._blocker_owner(source)
            if owner is None:
                return "no_blocker_there", reasons.no_blocker_there(where)
            return "not_own_blocker", reasons.not_own_blocker(where, owner)
        if piece := self._piece_in(target):
            return "slot_occupied", reasons.slot_occupied(name, piece)
        if closed_to_blockers(terms, position) >> target & 1:
            return "corner_taken", self._corner_words(target, name)
        if position.ply == 0 and beside_opponents(terms, position, self.seat) >> target & 1:
            return "first_move_restriction", self._first_move_words(target, name, reasons.first_blocker_restricted)
        fault = self._held_back(target, name)
        if fault is None and source is not None:
            fault = self._held_back(source, terms.layout.slot_names[source])
        return fault

    def unblock(self, move: Unblock) -> Fault | None:
        name = self.terms.layout.slot_names[move.slot]
        owner = self._blocker_owner(move.slot)
        if owner is None:
            return "no_blocker_there", reasons.no_blocker_there(name)
        if owner == self.player:
            return "no_blocker_there", reasons.own_blocker(name)
        count, wanted = self.position.bridge_count(), self.terms.options.blocker_remove_min_bridges
        if count < wanted:
            return "too_few_bridges", reasons.too_few_bridges(count, wanted)
        return None

    def post(self, move: MovePost) -> Fault | None:
        name = self.terms.layout.names[move.station]
        if fault := self._no_post(move.station):
            return fault
        if not posts_supported(self.terms, self.position, self.seat) & bit_of(move.station):
            return "no_ring_supported", reasons.no_ring_supported(self.player, name)
        return None

    def teleport(self, move: Teleport) -> Fault | None:
        if not trapped(self.terms, self.position, self.seat):
            off = self.terms.options.teleport_trap == "off"
            return "not_trapped", reasons.not_trapped_off(self.player) if off else reasons.not_trapped(self.player)
        if fault := self._no_post(move.station):
            return fault
        small, medium, large = all_rings(self.position)
        if (small | medium | large) & bit_of(move.station):
            return "station_not_empty", reasons.station_not_empty(self.terms.layout.names[move.station])
        return None

    # What several kinds share

    def _no_post(self, station: Station) -> Fault | None:
        name = self.terms.layout.names[station]
        if station == self.terms.layout.centre:
            return "centre_station", reasons.no_post_on_centre(name)
        if station in self.position.posts:
            owner = self.terms.players[self.position.posts.index(station)]
            return "post_occupied", reasons.post_occupied(name, owner)
        return None

    def _redundant(self, slot: Slot, kind: Kind) -> Fault | None:
        """Whether a bridge of this kind in a slot would double another of its pair."""
        twins = self.position.bridges[kind] & in_pairs_of(self.terms, 1 << slot)
        if not twins:
            return None
        layout = self.terms.layout
        tail, tip = layout.tail_and_tip(slot, kind)
        twin = layout.slot_from(slots_in(twins)[0], kind & 1)
        return "redundant_bridge", reasons.redundant(COLOURS[kind >> 1], layout.names[tail], layout.names[tip], twin)

    def _no_bridge(self, slot: Slot, turned: int) -> Fault | None:
        kind = kind_at(self.position.bridges, slot)
        if kind is not None and kind & 1 == turned:
            return None
        layout = self.terms.layout
        other = None if kind is None else layout.slot_from(slot, 1 - turned)
        return "no_bridge_there", reasons.no_bridge_there(layout.slot_from(slot, turned), other)

    def _held_back(self, slot: Slot, name: str) -> Fault | None:
        near = near_own_markers(self.terms, self.position, self.seat)
        if near is None or near >> slot & 1:
            return None
        return "anti_kingmaker", reasons.anti_kingmaker(self.player, name)

    def _first_move_words(self, slot: Slot, name: str, say: Callable[[str, str, str], str]) -> str:
        layout = self.terms.layout
        around = layout.corner[slot] | 1 << slot
        seat = next(
            seat
            for seat, post in enumerate(self.position.posts)
            if seat != self.seat and layout.touching[post] & around
        )
        station = layout.names[self.position.posts[seat]]
        return say(name, station, self.terms.players[seat])

    def _corner_words(self, slot: Slot, name: str) -> str:
        others = self.terms.layout.corner[slot]
        closing = slots_in(others & self.position.bridge_slots) or slots_in(others & self.position.blocker_slots)
        return reasons.corner_taken(name, self._piece_in(closing[0]))

    def _blocker_owner(self, slot: Slot) -> str | None:
        for player, slots in zip(self.terms.players, self.position.blockers, strict=True):
            if slots >> slot & 1:
                return player
        return None

    def _piece_in(self, slot: Slot) -> str:
        """The piece in a slot, in words; empty where there is none."""
        kind = kind_at(self.position.bridges, slot)
        if kind is not None:
            return reasons.piece_in_the_way(COLOURS[kind >> 1], None, self.terms.layout.slot_from(slot, kind & 1))
        return reasons.piece_in_the_way(None, self._blocker_owner(slot), self.terms.layout.slot_names[slot])
