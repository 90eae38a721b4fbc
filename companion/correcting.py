"""What becomes of a record that a person puts right, worked out before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from companion.errors import UsageError
from companion.games.game import Illegal, Json, Outcome, P, TableGame
from companion.orphans import orphans_of
from companion.record import GameRecord, Ply, ply_json, score_of, start_score
from companion.state import outcome_json
from companion.texts import text


@dataclass(frozen=True, slots=True)
class Correction(Generic[P]):
    """Moves in place of others.

    Attributes:
        before, after: the record as it is, and as it would be.
        turn: the number (from 0) of the first move that changes.
        replaces, new: how many moves go, and how many come in their place.
        stays: how many of the later moves are still legal one after the other; the others fall.
        why: why the first of these falls; None where all stay.
    """

    before: GameRecord[P]
    after: GameRecord[P]
    turn: int
    replaces: int
    new: int
    stays: int
    why: Illegal | None


def corrected(record: GameRecord[P], ply: int, moves: Sequence[str], replaces: int = 1) -> Correction[P]:
    """The record with `moves` in place of `replaces` moves from `ply` on; later ones stay as long as they are legal.

    None replaced: a missed move is put in before that ply, or at the end. No moves: some are taken out.

    Raises:
        UsageError: where there are no such moves, or the new ones are illegal there.
    """
    turn = len(record.moves) if replaces == 0 and ply == len(record.plies) + 1 else record.turn_of(ply)
    if turn is None:
        raise UsageError(
            text("there is no move {ply} to correct; the record has {count} plies", ply=ply, count=len(record.plies))
        )
    if not 0 <= replaces <= len(record.moves) - turn:
        raise UsageError(text("there are not {count} moves from ply {ply} on", count=replaces, ply=ply))
    if replaces == 0 and not moves:
        raise UsageError(text("nothing would change: say which move was played"))
    after = record.until(turn).play_all(moves)
    if isinstance(after, Illegal):
        raise UsageError(text("{move} cannot stand at ply {ply}: {why}", move=after.move, ply=ply, why=after.detail))
    rest = record.plies[record.ply_of(turn + replaces) - 1 :]
    stays, why = 0, None
    for later in (each for each in rest if not each.played.forfeit):
        next_ = after.play(later.move, overlooked=later.overlooked)
        if isinstance(next_, Illegal):
            why = next_
            break
        after, stays = next_, stays + 1
    return Correction(record, after, turn, replaces, len(moves), stays, why)


def taken_back(record: GameRecord[P], ply: int) -> Correction[P]:
    """The record without its last move, and without the forfeits that followed it.

    Raises:
        UsageError: where `ply` is not the last move's.
    """
    last = len(record.moves) - 1
    if last < 0:
        raise UsageError(text("there is no move to take back"))
    newest = record.ply_of(last)
    if not newest <= ply <= len(record.plies):
        raise UsageError(
            text("only the last move can be taken back; that is ply {newest}, not {ply}", newest=newest, ply=ply)
        )
    return Correction(record, record.until(last), last, 1, 0, 0, None)


def preview_json(correction: Correction[P], outcome_words: Callable[[Outcome], str]) -> dict[str, Json]:
    """What a correction would change, for a person to look at before it is accepted.

    `moves` are those from the first that changes on, `fate` is "gone", "new", "stays" or "falls"; `why` says of the
    first that falls why it does. `before` and `after`: how the game stands; `sight` and `position` are those after.
    """
    before, after, turn = correction.before, correction.after, correction.turn
    old = _plies_from(before, turn)
    new = _plies_from(after, turn)
    later = turn + correction.replaces
    fell = later + correction.stays
    lines = [_line(number, ply, "gone") for number, ply in old if _turn(before, number) < later]
    lines += [
        _line(number, ply, "new" if _turn(after, number) < turn + correction.new else "stays") for number, ply in new
    ]
    lines += [_line(number, ply, "falls") for number, ply in old if _turn(before, number) >= fell]
    why = correction.why
    return {
        "ply": before.ply_of(turn),
        "moves": lines,
        "why": None if why is None else {"move": why.move, "reason": why.reason, "detail": why.detail},
        "before": _standing(before, outcome_words),
        "after": _standing(after, outcome_words),
        "position": after.game.position_json(after.position),
        "sight": {str(place): str(label) for place, label in after.game.sight(after.position).items()},
    }


def _plies_from(record: GameRecord[P], turn: int) -> list[tuple[int, Ply[P]]]:
    first = record.ply_of(turn)
    return [*enumerate(record.plies[first - 1 :], start=first)]


def _turn(record: GameRecord[P], ply: int) -> int:
    """The number (from 0) of the move at a ply, or of the one that a forfeit follows."""
    return sum(not each.played.forfeit for each in record.plies[:ply]) - 1


def _line(number: int, ply: Ply[P], fate: str) -> dict[str, Json]:
    return {**ply_json(number, ply), "fate": fate}


def _standing(record: GameRecord[P], outcome_words: Callable[[Outcome], str]) -> dict[str, Json]:
    """How the game stands at the end of a record."""
    game: TableGame[P] = record.game
    to_move, outcome = game.to_move(record.position), game.outcome(record.position)
    last = record.plies[-1] if record.plies else None
    return {
        "score": start_score(game, record.start) if last is None else score_of(last.played),
        "to_move": None if to_move is None else str(to_move),
        "orphans": [] if last is None else [list(orphan) for orphan in orphans_of(last)],
        "outcome": None if outcome is None else outcome_json(outcome),
        "outcome_words": "" if outcome is None else outcome_words(outcome),
        "plies": len(record.plies),
    }
