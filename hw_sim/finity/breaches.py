"""Ways of breaking the rules of Finity, each as hands really do it, and what a referee may rightly call it.

A breach is only planted where the board then looks like nothing that legal moves leave, and where the camera can see
it: what nobody could see is no test. What looks the same from outside may be called by either name:

    two moves           both at once; or the second is the wrong player's if the first was seen alone. Two bridges look
                        like one bridge of each of two players: bridges are everybody's
    wrong player        out of turn; the one who is to move made no move; who moved last moved twice. Another player's
                        blocker may have been moved by its owner or by the one who is to move
    blocker taken       before there are enough bridges: a removal that the rules do not allow yet
    wrong ring          an orphan left and another ring gone: a piece was taken
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.game import Illegal
from hw_sim.finity.deeds import Deed, Look, deed_of, removal
from hw_sim.finity.looks import orphans_of
from hw_sim.finity.places import EMPTY
from hw_sim.finity.players import random_move
from hw_sim.finity.situation import Situation, cuts_off, ends


class FinityBreachKind(StrEnum):
    REDUNDANT_BRIDGE = "redundant_bridge"
    CORNER_TAKEN = "corner_taken"
    UNDO = "undo"
    REFILL_AFTER_REMOVAL = "refill_after_removal"
    STATION_UNREACHABLE = "station_unreachable"
    OWN_POST_STATION = "own_post_station"
    SIZE_TAKEN = "size_taken"
    NOT_TOP_MARKER = "not_top_marker"
    NOT_OWN_BLOCKER = "not_own_blocker"
    TWO_MOVES = "two_moves"
    WRONG_PLAYER = "wrong_player"
    PIECE_TAKEN = "piece_taken"
    RING_CARRIED = "piece_moved"
    RING_NOT_REMOVED = "ring_not_removed"
    WRONG_RING_REMOVED = "wrong_ring_removed"


ORPHAN_KINDS = frozenset({FinityBreachKind.RING_NOT_REMOVED, FinityBreachKind.WRONG_RING_REMOVED})
"""Breaches that follow a move with orphans; all others take the place of a move."""

NOT_YOURS = frozenset({"wrong_player", "not_your_turn"})
TRIES = 40
"""Moves, or pairs of moves, that are tried before none is found that shows."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach that is possible now.

    Attributes:
        by: who does it.
        deeds: what the hand does, in one go.
        reasons: what a referee may rightly call it.
    """

    kind: FinityBreachKind
    by: str
    deeds: tuple[Deed, ...]
    reasons: frozenset[str]
    words: str

    @property
    def changes(self) -> Mapping[str, str]:
        """What the board shows differently when it is done."""
        changed: dict[str, str] = {}
        for deed in self.deeds:
            changed.update(deed.changes)
        return changed

    @property
    def look(self) -> Look:
        return frozenset(self.changes.items())


def possible_breach(kind: FinityBreachKind, at: Situation) -> Breach | None:
    """A breach of this kind that hands can do now and eyes can see; None where there is none.

    Not for `ORPHAN_KINDS`: those need a move with orphans.
    """
    if at.position.to_move is None:
        return None
    for breach in _WAYS[kind](at):
        shows = all(at.shown[place] != label for place, label in breach.changes.items())
        if shows and not at.blind & breach.changes.keys() and not at.legal.explain(breach.look):
            return breach
    return None


def _illegal(
    kind: FinityBreachKind, at: Situation, texts: Iterable[str], reasons: Mapping[str, frozenset[str]]
) -> Iterator[Breach]:
    """The mover makes a move that the rules forbid for one of some reasons."""
    for text in at.shuffled(texts):
        verdict = at.game.play(at.position, text)
        if isinstance(verdict, Illegal) and verdict.reason in reasons:
            deed = deed_of(at.game, at.position, text)
            words = f"{at.mover} plays {text}: {verdict.detail}"
            yield Breach(kind, at.mover, (deed,), reasons[verdict.reason], words)


def _same(kind: FinityBreachKind) -> Mapping[str, frozenset[str]]:
    """The rules' reason is the breach's name, and nothing else may be said."""
    return {str(kind): frozenset({str(kind)})}


def _adds(at: Situation) -> list[str]:
    return [text for texts in at.game.terms.notation.adds for text in texts]


def _lying(at: Situation, verb: str) -> Iterator[str]:
    """Reversals or removals of all bridges on the board."""
    for place, label in at.shown.items():
        if label[:2] in ("b ", "w "):
            yield f"{verb} {_from(place, label[2:])}"


def _from(place: str, tail: str) -> str:
    """A slot's name from the station of a bridge's tail."""
    way, _, side = place.partition(" ")
    first, _, second = way.partition(">")
    return place if first == tail else f"{second}>{first} {side.translate(str.maketrans('LR', 'RL'))}"


def _redundant(at: Situation) -> Iterator[Breach]:
    kind = FinityBreachKind.REDUNDANT_BRIDGE
    return _illegal(kind, at, [*_adds(at), *_lying(at, "reverse")], _same(kind))


def _corner(at: Situation) -> Iterator[Breach]:
    return _illegal(FinityBreachKind.CORNER_TAKEN, at, _adds(at), _same(FinityBreachKind.CORNER_TAKEN))


def _undo(at: Situation) -> Iterator[Breach]:
    return _illegal(FinityBreachKind.UNDO, at, at.position.barred, _same(FinityBreachKind.UNDO))


def _refill(at: Situation) -> Iterator[Breach]:
    kind = FinityBreachKind.REFILL_AFTER_REMOVAL
    return _illegal(kind, at, at.position.barred, _same(kind))


def _rings(kind: FinityBreachKind) -> Callable[[Situation], Iterator[Breach]]:
    def ways(at: Situation) -> Iterator[Breach]:
        notation, centre = at.game.terms.notation, at.game.terms.layout.centre
        texts = [text for station, texts in enumerate(notation.rings) if station != centre for text in texts]
        return _illegal(kind, at, texts, _same(kind))

    return ways


def _not_top(at: Situation) -> Iterator[Breach]:
    kind = FinityBreachKind.NOT_TOP_MARKER
    return _illegal(kind, at, _lying(at, "remove"), _same(kind))


def _not_own_blocker(at: Situation) -> Iterator[Breach]:
    """Another player's blocker moved, or removed too early."""
    own = f"blocker {at.mover}"
    theirs = [p for p, label in at.shown.items() if label.startswith("blocker") and label != own]
    empty = [p for p, label in at.shown.items() if label == EMPTY and "." not in p]
    texts = [
        f"blocker {source} to {target}" for source in theirs for target in at.rng.sample(empty, min(8, len(empty)))
    ]
    texts += [f"unblock {source}" for source in theirs]
    reasons = {"not_own_blocker": NOT_YOURS | {"not_own_blocker"}, "too_few_bridges": frozenset({"too_few_bridges"})}
    return _illegal(FinityBreachKind.NOT_OWN_BLOCKER, at, texts, reasons)


def _piece_taken(at: Situation) -> Iterator[Breach]:
    """A ring or a post, or the mover's own blocker, is taken off the board."""
    takeable = [p for p, label in at.shown.items() if label != EMPTY and ("." in p or label == f"blocker {at.mover}")]
    for place in at.shuffled(takeable):
        words = f"{at.mover} takes {at.shown[place]} off {place}"
        yield Breach(FinityBreachKind.PIECE_TAKEN, at.mover, (removal(place),), frozenset({"piece_taken"}), words)


def _ring_carried(at: Situation) -> Iterator[Breach]:
    """A ring that stands is carried to another station."""
    rings = [place for place, label in at.shown.items() if label != EMPTY and place[-2:] in (".S", ".M", ".L")]
    for source in at.shuffled(rings):
        label, size = at.shown[source], source[-2:]
        seats = [place for place, shown in at.shown.items() if shown == EMPTY and place.endswith(size)]
        for target in at.shuffled(seats):
            words = f"{at.mover} carries {label}'s ring from {source} to {target}"
            deed = Deed(source, target, label)
            yield Breach(FinityBreachKind.RING_CARRIED, at.mover, (deed,), frozenset({"piece_moved"}), words)


def _wrong_player(at: Situation) -> Iterator[Breach]:
    """Somebody else moves a piece that shows whose it is."""
    for player in at.shuffled(map(str, at.game.players)):
        if player == at.mover:
            continue
        seat = at.game.players.index(player)
        theirs = replace(at.position, to_move=seat)
        moves = _own_moves(at.game, theirs)
        for _ in range(TRIES if moves else 0):
            text = random_move(moves, at.rng)
            reasons = NOT_YOURS | {"no_move"}
            reasons |= {"two_moves"} if player == at.last else set()
            reasons |= {"not_own_blocker"} if text.startswith("blocker") else set()
            deed = deed_of(at.game, theirs, text)
            words = f"{player} plays {text} though it is {at.mover}'s turn"
            yield Breach(FinityBreachKind.WRONG_PLAYER, player, (deed,), reasons, words)


def _own_moves(game: Finity, position: Position) -> list[str]:
    """Legal moves of pieces that show whose they are, and that orphan nothing."""
    moves = [m for m in game.legal_moves(position) if m.startswith(("ring ", "post ", "blocker "))]
    return [move for move in moves if not move.startswith("post ") or not cuts_off(game, position, move)]


def _two_moves(at: Situation) -> Iterator[Breach]:
    """The mover makes two moves in one go."""
    game, mover = at.game, at.mover
    seat = at.position.to_move
    moves = [m for m in game.legal_moves(at.position) if m.startswith(("ring ", "post ", "blocker ", "add "))]
    for _ in range(TRIES if moves else 0):
        first = random_move(moves, at.rng)
        played = game.play(at.position, first)
        if isinstance(played, Illegal) or orphans_of(played) or played.after.to_move is None:
            continue
        again = replace(played.after, to_move=seat)
        seconds = _own_moves(game, again)
        if seconds:
            second = random_move(seconds, at.rng)
            deeds = (deed_of(game, at.position, first), deed_of(game, again, second))
            if deeds[0].changes.keys() & deeds[1].changes.keys() or ends(game, again, second):
                continue
            words = f"{mover} makes two moves: {first} and {second}"
            yield Breach(FinityBreachKind.TWO_MOVES, mover, deeds, NOT_YOURS | {"two_moves"}, words)


_WAYS: Mapping[FinityBreachKind, Callable[[Situation], Iterator[Breach]]] = {
    FinityBreachKind.REDUNDANT_BRIDGE: _redundant,
    FinityBreachKind.CORNER_TAKEN: _corner,
    FinityBreachKind.UNDO: _undo,
    FinityBreachKind.REFILL_AFTER_REMOVAL: _refill,
    FinityBreachKind.STATION_UNREACHABLE: _rings(FinityBreachKind.STATION_UNREACHABLE),
    FinityBreachKind.OWN_POST_STATION: _rings(FinityBreachKind.OWN_POST_STATION),
    FinityBreachKind.SIZE_TAKEN: _rings(FinityBreachKind.SIZE_TAKEN),
    FinityBreachKind.NOT_TOP_MARKER: _not_top,
    FinityBreachKind.NOT_OWN_BLOCKER: _not_own_blocker,
    FinityBreachKind.TWO_MOVES: _two_moves,
    FinityBreachKind.WRONG_PLAYER: _wrong_player,
    FinityBreachKind.PIECE_TAKEN: _piece_taken,
    FinityBreachKind.RING_CARRIED: _ring_carried,
}
