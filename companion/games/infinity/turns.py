"""A turn that the rules allow, carried out: the position after it, what it scored, and what needs explaining."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.game import Json, Played, Player
from companion.games.infinity import words
from companion.games.infinity.gaps import decisive_gaps
from companion.games.infinity.lines import count_rows
from companion.games.infinity.marbles import OTHER, PLAYERS
from companion.games.infinity.options import Options
from companion.games.infinity.parsing import PASS
from companion.games.infinity.position import Channels, Position
from companion.games.infinity.scoring import NO_POINTS, Result, Turn, settle
from companion.texts import joined


def played_push(position: Position, move: str, player: Player, after: Channels, options: Options) -> Played[Position]:
    """A marble pushed in; `after` are the channels with it."""
    turn = Turn(count_rows(position.channels), count_rows(after), player, position.score)
    result = settle(turn, options)
    gaps = decisive_gaps(turn, result, options)
    return _played(position, move, player, after, turn, result, gaps, options)


def played_pass(position: Position, player: Player, allowed_by: str | None, options: Options) -> Played[Position]:
    """A turn without a marble, which counts no rows unless the option says so (A9).

    Args:
        allowed_by: the house rule that allows to pass, None for a forfeit.
    """
    channels = position.channels
    rows = count_rows(channels)
    turn = Turn(rows, rows, player, position.score)
    result = settle(turn, options)
    gaps = [allowed_by] if allowed_by else []
    if result.outcome or result.score != position.score:
        gaps.append("A9")
    if options.score_on_forfeit:
        gaps += decisive_gaps(turn, result, options)
    else:
        result = Result(NO_POINTS, position.score, None)
    return _played(position, PASS, player, channels, turn, result, gaps, options, forfeit=allowed_by is None)


def _played(
    position: Position,
    move: str,
    player: Player,
    channels: Channels,
    turn: Turn,
    result: Result,
    gaps: Iterable[str],
    options: Options,
    *,
    forfeit: bool = False,
) -> Played[Position]:
    turns = 0 if options.max_turns is None else position.turns + 1
    if turns and turns == options.max_turns:
        gaps = [*gaps, "A15"]
    named = sorted(gaps, key=lambda gap: int(gap[1:]))
    after = Position(channels, result.score, None if result.outcome else OTHER[player], result.outcome, turns)
    facts: dict[str, Json] = {"score": result.score}
    if not forfeit or options.score_on_forfeit:
        facts = {
            "rows": {each: len(turn.after[each].lines) for each in PLAYERS},
            "points": {each: result.points[each] for each in PLAYERS},
            "score": result.score,
            "house_rules": named,
        }
    return Played(move, player, after, forfeit, facts, _explanation(turn, result, named, options))


def _explanation(turn: Turn, result: Result, gaps: list[str], options: Options) -> str:
    said: list[str] = [
        words.cancelled(player, OTHER[player])
        for player in PLAYERS
        if turn.after[player].lines and not result.points[player] and result.points[OTHER[player]]
    ]
    said.append(words.house_rules_applied(gaps, options))
    return joined(said, ". ")
