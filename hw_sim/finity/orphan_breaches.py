"""What people can do wrong about orphans: play on and leave them lying, or take another ring off."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.finity.position import Position
from companion.games.game import Illegal
from hw_sim.finity.deeds import deed_of
from hw_sim.finity.places import EMPTY
from hw_sim.finity.situation import Situation, cuts_off, ends

RING_NOT_REMOVED = frozenset({"ring_not_removed"})
WRONG_RING_REMOVED = frozenset({"wrong_ring_removed", "piece_taken"})


def play_on(at: Situation, before: Position, orphaning: str, lying: Iterable[str]) -> str | None:
    """A move that the next player can make though orphans lie there, and that connects none of them again.

    Args:
        at: after the orphaning move, the orphans swept.
        before: the position before it.
        lying: the orphans' seats.
    """
    seats = set(lying)
    overlooked = at.game.play_overlooking_orphans(before, orphaning)
    if isinstance(overlooked, Illegal) or at.position.to_move is None:
        return None
    orphans = set(at.game.orphans(overlooked.after))
    for move in at.shuffled(at.game.legal_moves(at.position)):
        changed = deed_of(at.game, at.position, move).changes.keys()
        if changed & (seats | at.blind) or cuts_off(at.game, at.position, move):
            continue
        played = at.game.play_overlooking_orphans(overlooked.after, move)
        if isinstance(played, Illegal) or ends(at.game, at.position, move):
            continue
        if orphans == set(at.game.orphans(played.after)):
            return move
    return None


def wrong_rings(at: Situation, owner: str, lying: Iterable[str]) -> list[str]:
    """The seats of other rings: of the player who should take orphans off, else of anybody."""
    rings = {place: label for place, label in at.shown.items() if label != EMPTY and place[-2:] in (".S", ".M", ".L")}
    others = sorted(rings.keys() - set(lying) - at.blind)
    return [place for place in others if rings[place] == owner] or others
