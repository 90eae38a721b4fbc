"""The end of a turn: two-row check, Joker override or difference, clamp, five-ahead check, in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from companion.games.game import Outcome, Player
from companion.games.infinity.lines import Count, Rows
from companion.games.infinity.marbles import BLUE, INFINITY, OTHER, PLAYERS, YELLOW
from companion.games.infinity.options import Options

Points = Mapping[Player, int]

NO_ROWS = Rows((), ())
NO_POINTS: Points = {BLUE: 0, YELLOW: 0}


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn is counted from: the rows that stood before it and stand after it, and the score before it.

    `mover` is None where nobody knows who moved last (a position that was written down after its end).
    """

    before: Count
    after: Count
    mover: Player | None
    score: int


@dataclass(frozen=True, slots=True)
class Result:
    """What the turn came to. `points` are told even where two rows won and the score stayed."""

    points: Points
    score: int
    outcome: Outcome | None


def settle(turn: Turn, options: Options) -> Result:
    """Count a turn's end under these house rules."""
    if not (turn.after[BLUE].lines or turn.after[YELLOW].lines):
        return Result(NO_POINTS, turn.score, None)
    points = scored(turn, options)
    if won := two_rows(turn, options):
        return Result(points, turn.score, won)
    score = clamped(turn.score + points[BLUE] - points[YELLOW])
    return Result(points, score, five_ahead(score))


def overriding(turn: Turn, options: Options) -> tuple[Player, ...]:
    """The players whose Joker rows cancel the other's rows this turn; with A2's option only a new Joker row does."""

    def overrides(player: Player) -> bool:
        rows = turn.after[player].with_joker
        if options.joker_override_new_rows_only:
            return not set(rows) <= set(turn.before[player].with_joker)
        return bool(rows)

    return tuple(player for player in PLAYERS if overrides(player))


def two_rows(turn: Turn, options: Options) -> Outcome | None:
    """Whether two rows end the game (A4, A5, A6, A13)."""
    rows = {player: turn.after[player] for player in PLAYERS}
    if max(len(rows[BLUE].lines), len(rows[YELLOW].lines)) < 2:
        return None
    if options.joker_cancels_two_rows:
        jokers = overriding(turn, options)
        if len(jokers) == 1:
            rows[OTHER[jokers[0]]] = NO_ROWS
    holders = [player for player in PLAYERS if _are_two(rows[player], options)]
    if len(holders) == 2:
        return _both_have_two(turn.mover, options)
    for player in holders:
        against = len(rows[OTHER[player]].lines) if options.two_rows_net else 0
        if len(rows[player].lines) - against >= 2:
            return Outcome(winner=player, by="two_rows")
    return None


def _are_two(rows: Rows, options: Options) -> bool:
    if options.two_rows_disjoint:
        return any(not one & other for one, other in combinations(rows.lines, 2))
    return len(rows.lines) >= 2


def _both_have_two(mover: Player | None, options: Options) -> Outcome | None:
    if options.both_two_rows == "draw":
        return Outcome(draw="both_two_rows")
    if options.both_two_rows == "mover" and mover is not None:
        return Outcome(winner=mover, by="two_rows")
    return None


def scored(turn: Turn, options: Options) -> Points:
    """What each player scores: 1 for a row, 2 with the Joker, after the override (A1, A2, A3)."""
    full = {player: len(rows.lines) + len(rows.with_joker) for player, rows in turn.after.items()}
    jokers = () if options.joker_override == "off" else overriding(turn, options)
    if not jokers:
        return full
    if len(jokers) == 2:
        if options.both_jokers == "difference":
            return full
        if options.both_jokers == "none" or turn.mover is None:
            return NO_POINTS
        jokers = (turn.mover,)
    player = jokers[0]
    own = len(turn.after[player].lines) if options.joker_override == "rows" else full[player]
    return {player: own, OTHER[player]: 0}


def clamped(score: int) -> int:
    """The knob stops at infinity and never turns past it (A8)."""
    return max(-INFINITY, min(INFINITY, score))


def five_ahead(score: int) -> Outcome | None:
    if abs(score) < INFINITY:
        return None
    return Outcome(winner=BLUE if score > 0 else YELLOW, by="five_ahead")
