"""Whether a change of the board could be what legal moves leave: a breach that looks like one is no test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.game import Played
from hw_sim.finity.deeds import Look, deed_of
from hw_sim.finity.happenings import Ring
from hw_sim.finity.orphans import places_of
from hw_sim.finity.places import EMPTY


def orphans_of(played: Played[Position]) -> tuple[Ring, ...]:
    """The rings that a move cuts off."""
    found = played.facts.get("orphans", ())
    assert isinstance(found, list | tuple)
    return tuple((str(player), str(station), str(size)) for player, station, size in found)


class LegalLooks:
    """What the legal moves of a position change for the eye."""

    def __init__(self, game: Finity, position: Position) -> None:
        self._game = game
        self._position = position

    @cached_property
    def moves(self) -> Mapping[str, Look]:
        """The legal moves, each with what its hands change, orphans still lying."""
        moves = self._game.legal_moves(self._position)
        return {move: deed_of(self._game, self._position, move).look for move in moves}

    def explain(self, look: Look) -> bool:
        """Whether one legal move leaves this look, or two quick ones of players in turn; orphans lying or gone."""
        for move, own in self.moves.items():
            if own <= look:
                played = self._game.play(self._position, move)
                if isinstance(played, Played) and self._leaves(look - own, played, second=True):
                    return True
        return False

    def _leaves(self, rest: Look, played: Played[Position], *, second: bool) -> bool:
        """Whether what a move's hands do not explain is its orphans gone, and perhaps one more move."""
        rest -= {(place, EMPTY) for place in places_of(orphans_of(played))}
        if not rest or not second:
            return not rest
        for move in self._game.legal_moves(played.after):
            own = deed_of(self._game, played.after, move).look
            if own <= rest:
                following = self._game.play(played.after, move)
                if isinstance(following, Played) and self._leaves(rest - own, following, second=False):
                    return True
        return False
