"""How a move ends the game, or one player's game: full paths, ties, places, draws; and who is next."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from companion.games.finity.position import Position, counts_of
from companion.games.finity.terms import Terms
from companion.games.game import Outcome, Player


class Ending(NamedTuple):
    """The position with its next player and outcome, and where players go on for places those who finished now."""

    position: Position
    finished: tuple[int, ...] = ()


def ending(terms: Terms, after: Position, mover: int) -> Ending:
    """Conclude a move: `after` is swept and still has the mover to move."""
    done = completers(terms, after)
    if done:
        return _completed(terms, after, mover, done)
    after = _next(terms, after, mover)
    draw = _draw(terms, after)
    if draw is not None:
        return Ending(_over(terms, replace(after, outcome=after.outcome or Outcome(draw=draw))))
    return Ending(after)


def completers(terms: Terms, position: Position) -> tuple[int, ...]:
    """The seats with a full path that have no place yet."""
    seats = range(len(terms.players))
    return tuple(seat for seat in seats if seat not in position.places and terms.reach(position, seat).full)


def outcome_of(terms: Terms, position: Position, mover: int | None, done: tuple[int, ...]) -> Outcome:
    """Who wins of those who completed a full path with one move."""
    paths = {seat: _path(terms, position, seat) for seat in done}
    if len(done) == 1:
        return _won(terms, done[0], "full_path", paths[done[0]])
    if terms.options.multi_completion == "mover_first" and mover in done:
        return _won(terms, mover, "full_path", paths[mover])
    most = max(len(set(path)) for path in paths.values())
    done = tuple(seat for seat in done if len(set(paths[seat])) == most)
    if len(done) == 1:
        return _won(terms, done[0], "tie_stations", paths[done[0]])
    rings = {seat: sum(each.bit_count() for each in position.rings[seat]) for seat in done}
    done = tuple(seat for seat in done if rings[seat] == max(rings.values()))
    if len(done) == 1:
        return _won(terms, done[0], "tie_rings", paths[done[0]])
    return Outcome(draw="tie")


def _path(terms: Terms, position: Position, seat: int) -> tuple[str, ...]:
    walk = terms.walks.full_path(position.bridges, position.posts[seat], counts_of(position.rings[seat]))
    assert walk is not None
    return tuple(terms.layout.names[station] for station in walk.stations)


def _won(terms: Terms, seat: int, by: str, path: tuple[str, ...]) -> Outcome:
    return Outcome(winner=terms.players[seat], by=by, path=path)


def _completed(terms: Terms, after: Position, mover: int, done: tuple[int, ...]) -> Ending:
    outcome = outcome_of(terms, after, mover, done)
    if outcome.winner is None and not after.places:
        return Ending(replace(after, to_move=None, outcome=outcome))
    finished = _in_order(terms, after, mover, done)
    placed = replace(after, places=(*after.places, *finished), outcome=after.outcome or outcome)
    if terms.options.continue_after_win and terms.playing(placed) > 1:
        return Ending(_next(terms, placed, mover), finished)
    return Ending(_over(terms, placed), finished if terms.options.continue_after_win else ())


def _in_order(terms: Terms, after: Position, mover: int, done: tuple[int, ...]) -> tuple[int, ...]:
    """Those who completed with one move, best first; of equals the earlier seat."""
    order: list[int] = []
    while done:
        winner = outcome_of(terms, after, mover, done).winner
        order.append(done[0] if winner is None else terms.players.index(winner))
        done = tuple(seat for seat in done if seat not in order)
    return tuple(order)


def _over(terms: Terms, after: Position) -> Position:
    """The game is over: `after` has its outcome, which gets the places of all where more than two play."""
    outcome = after.outcome
    if outcome is not None and outcome.winner is not None and len(terms.players) > 2:
        outcome = replace(outcome, places=_places(terms, after))
    return replace(after, to_move=None, outcome=outcome)


def _places(terms: Terms, position: Position) -> tuple[tuple[Player, ...], ...]:
    """Who finished, in order, then the others by their longest partial paths, equals together."""
    lengths = {
        seat: terms.reach(position, seat).longest for seat in range(len(terms.players)) if seat not in position.places
    }
    behind = [
        tuple(terms.players[seat] for seat in lengths if lengths[seat] == length)
        for length in sorted(set(lengths.values()), reverse=True)
    ]
    return (*((terms.players[seat],) for seat in position.places), *behind)


def _next(terms: Terms, after: Position, mover: int) -> Position:
    """The next player who has not finished is to move."""
    seats = len(terms.players)
    to_move = next(seat for step in range(1, seats + 1) if (seat := (mover + step) % seats) not in after.places)
    after = replace(after, to_move=to_move)
    return replace(after, seen=(*after.seen, key_of(after))) if terms.options.repetition_limit else after


def key_of(position: Position) -> str:
    """A short name of what lies on the board and who is to move, the same for equal positions."""
    whole = (position.to_move, position.bridges, position.rings, position.posts, position.blockers, position.in_hand)
    return sha256(repr(whole).encode()).hexdigest()[:16]


def _draw(terms: Terms, after: Position) -> str | None:
    rounds, limit = terms.options.draw_rounds, terms.options.repetition_limit
    if rounds and after.ringless >= rounds * terms.playing(after):
        return "no_ring_change"
    return "repetition" if limit and after.seen.count(after.seen[-1]) >= limit else None
