"""The options of the table, where the rules' texts differ or are silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from companion.games.game import Json
from companion.games.house_rules import checked, one_of, parse_options
from companion.texts import text

CLOCKWISE = "clockwise"
LONGEST_PATTERN = 12
"""The box holds twelve cones; the tower of a game has eight of them, or six. Longer walks would be slow to search."""


def _pattern_length_fault(value: object) -> str:
    good = type(value) is int and 1 <= value <= LONGEST_PATTERN
    return "" if good else text("must be a whole number from 1 to {most}", most=LONGEST_PATTERN)


def _count_fault(value: object) -> str:
    return "" if type(value) is int and value >= 0 else text("must be a whole number from 0 on")


def _turn_order_fault(value: object) -> str:
    if value == CLOCKWISE:
        return ""
    good = isinstance(value, list | tuple) and bool(value) and all(isinstance(post, str) for post in value)
    return "" if good else text('must be \'clockwise\' or a list of base stations such as ["N", "S"]')


@dataclass(frozen=True, slots=True)
class Options:
    """The options in force.

    Attributes:
        ring_size_choice: whether a ring may be of any size that is free, or must be the smallest.
        undo_exception: whether a move may be undone at once where it orphaned rings.
        blocker_remove_min_bridges: bridges on the board before an opponent's blocker may be removed.
        blockers_start: whether blockers lie beside the base stations at the start, or are in hand.
        blocker_blocks_corner: whether a blocker closes its corner to bridges, and a bridge a corner to blockers.
        teleport_trap: what the neighbours of a trapped post are full of.
        pattern_length: crossings of a full path; 6 is the express game.
        draw_rounds: rounds without a ring added or removed that make a draw; 0 for never.
        repetition_limit: how often a position with the same player to move may stand until it is a draw; 0 for ever.
        anti_kingmaker: whether players far behind may only build beside their own markers (3 and 4 players).
        multi_completion: who wins where one move completes several players' paths.
        continue_after_win: whether the others play on for places.
        turn_order: the base stations of A, B, … where the set-up does not say.
        enforce_supply: whether bridges and rings can run out.
    """

    ring_size_choice: str = one_of("any_free", "smallest_free")
    undo_exception: str = one_of("board_changed", "none")
    blocker_remove_min_bridges: int = checked(20, _count_fault)
    blockers_start: str = one_of("flank_base_to_center", "in_hand")
    blocker_blocks_corner: bool = one_of(False, True)
    teleport_trap: str = one_of("all_neighbours_full_of_opponents", "all_neighbours_full", "off")
    pattern_length: int = checked(8, _pattern_length_fault)
    draw_rounds: int = checked(10, _count_fault)
    repetition_limit: int = checked(0, _count_fault)
    anti_kingmaker: bool = one_of(False, True)
    multi_completion: str = one_of("tie_break", "mover_first")
    continue_after_win: bool = one_of(False, True)
    turn_order: str | tuple[str, ...] = checked(CLOCKWISE, _turn_order_fault)
    enforce_supply: bool = one_of(True, False)

    @classmethod
    def parse(cls, given: Mapping[str, Json]) -> Options:
        """Read options; see `parse_options`."""
        order = given.get("turn_order")
        if isinstance(order, list):
            given = {**given, "turn_order": order and tuple(order)}
        return parse_options(cls, given)

    def as_json(self) -> dict[str, Json]:
        """All options in force, defaults too."""
        return {item.name: getattr(self, item.name) for item in fields(self)}
