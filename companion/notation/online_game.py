"""A game of Finity from an online log: who sits where, what each line was as a move, and which pattern fits.

The pattern is not in a log. It is given, or every pattern is tried, and those stay under which the whole log could
have happened: each move legal, as many orphans as told and no others, and the end as told. A moved blocker is told by
its target only; whichever of the player's blockers leaves the rest of the log possible was it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from companion.errors import InputError
from companion.games.finity import Finity, Position
from companion.games.finity.board import Board, builtin_board
from companion.games.game import Outcome, Played
from companion.games.shown import listed, shown
from companion.notation.online_log import Action, EndTold, Entry, NotUnderstood, OrphansTold, read_log
from companion.texts import text

LENGTHS: Final = (8, 6)
"""The pattern lengths that are tried where none is given: the usual game, then the express game."""

MOST_PLAYERS: Final = 4


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A log as a game.

    Attributes:
        game: the rules, with the pattern.
        names: by player.
        moves: in our notation.
        fitting: all patterns under which the log could have happened; the game's is the first. One where it was given.
        inferred: whether the pattern was found rather than given.
        ways: how many choices of moved blockers remain possible under the game's pattern; the moves are the first.
        outcome: how the rules end the game; None where it was conceded or the log stops.
        conceded: who gave up.
        not_understood: lines that were left alone.
    """

    game: Finity
    names: dict[str, str]
    moves: tuple[str, ...]
    fitting: tuple[str, ...]
    inferred: bool
    ways: int
    outcome: Outcome | None
    conceded: str | None
    not_understood: tuple[NotUnderstood, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One action with what the log tells of its orphans."""

    action: Action
    orphans: tuple[OrphansTold, ...]


def online_game(log: str, pattern: str | None = None, players: int | None = None) -> OnlineGame:
    """Read a log as a game.

    Args:
        pattern: the tower from bottom to top, where it is known.
        players: how many sat at the table, where one of them never acted.

    Raises:
        InputError: for lines that cannot be read, or where no pattern fits, saying where the furthest one stopped.
    """
    entries = read_log(log)
    turns = _turns(entries)
    names = _names(turns, players)
    ends = [entry for entry in entries if isinstance(entry, EndTold)]
    tried: list[_Fit] = []
    for length in LENGTHS if pattern is None else (len(pattern),):
        patterns = ["".join(each) for each in product("bw", repeat=length)] if pattern is None else [pattern]
        tried = [*tried, *(_fit(each, names, turns, ends) for each in patterns)]
        if fitting := [fit for fit in tried if not fit.fault]:
            best = fitting[0]
            return OnlineGame(
                game=best.game,
                names={player: names[seat] for seat, player in enumerate(map(str, best.game.players))},
                moves=best.moves,
                fitting=tuple(fit.pattern for fit in fitting),
                inferred=pattern is None,
                ways=best.ways,
                outcome=best.outcome,
                conceded=next((end.name for end in ends if end.how == "conceded"), None),
                not_understood=tuple(entry for entry in entries if isinstance(entry, NotUnderstood)),
            )
    furthest = max(tried, key=lambda fit: len(fit.moves))
    if pattern:
        raise InputError(text("pattern {pattern} does not fit: {why}", pattern=furthest.pattern, why=furthest.fault))
    raise InputError(text("none of {count} patterns fits: {why}", count=len(tried), why=furthest.fault))


def _turns(entries: Sequence[Entry]) -> list[_Turn]:
    turns: list[_Turn] = []
    for entry in entries:
        if isinstance(entry, Action):
            turns.append(_Turn(entry, ()))
        elif isinstance(entry, OrphansTold):
            if not turns:
                raise InputError(text("line {line}: orphaned rings are told before any action", line=entry.line))
            turns[-1] = _Turn(turns[-1].action, (*turns[-1].orphans, entry))
    if not turns:
        raise InputError(text("there is no action in the log, such as 'NAME: Added a Small Ring at Station [0,1]'"))
    return turns


def _names(turns: Sequence[_Turn], players: int | None) -> list[str]:
    """The players' names in the order of their first actions, which is the order of turns."""
    names = list(dict.fromkeys(turn.action.name for turn in turns))
    count = players or max(len(names), 2)
    if not 2 <= count <= MOST_PLAYERS or len(names) > count:
        who = listed((shown(name) for name in names), "and")
        raise InputError(
            text(
                "{seen} players act in the log ({who}), but {count} play; 2 to {most} can",
                seen=len(names),
                who=who,
                count=count,
                most=MOST_PLAYERS,
            )
        )
    return [*names, *(f"player {number + 1}" for number in range(len(names), count))]


@dataclass(frozen=True, slots=True)
class _Fit:
    """How far a log could have happened under a pattern; `fault` is empty where it could to its end."""

    pattern: str
    game: Finity
    moves: tuple[str, ...]
    ways: int
    outcome: Outcome | None
    fault: str


def _fit(pattern: str, names: Sequence[str], turns: Sequence[_Turn], ends: Sequence[EndTold]) -> _Fit:
    board = builtin_board()
    order = board.layouts[len(names)].online_order
    posts: dict[str, Any] = {"ABCD"[seat]: post for seat, post in enumerate(order)}
    setup: dict[str, Any] = {"players": len(names), "pattern": pattern, "posts": posts}
    game = Finity.of(setup, {"pattern_length": len(pattern)})
    lines: dict[Position, tuple[str, ...]] = {game.start(): ()}
    for turn in turns:
        following, fault = _after_turn(game, board, names, lines, turn)
        if not following:
            return _Fit(
                pattern,
                game,
                next(iter(lines.values())),
                0,
                None,
                text("line {line}: {fault}", line=turn.action.line, fault=fault),
            )
        lines = following
    good = {position: moves for position, moves in lines.items() if not _end_fault(game, position, names, ends)}
    if not good:
        position, moves = next(iter(lines.items()))
        return _Fit(pattern, game, moves, 0, None, _end_fault(game, position, names, ends))
    position, moves = next(iter(good.items()))
    return _Fit(pattern, game, moves, len(good), game.outcome(position), "")


def _after_turn(
    game: Finity, board: Board, names: Sequence[str], lines: dict[Position, tuple[str, ...]], turn: _Turn
) -> tuple[dict[Position, tuple[str, ...]], str]:
    """The positions after an action, each with one way there; and, where there are none, why the last try failed."""
    following: dict[Position, tuple[str, ...]] = {}
    fault = ""
    for position, moves in lines.items():
        if position.to_move is not None and names[position.to_move] != turn.action.name:
            fault = text("it is {names}'s turn, not {name}'s", names=names[position.to_move], name=turn.action.name)
            continue
        for move in _moves(game, board, position, turn.action):
            played = game.play(position, move)
            if not isinstance(played, Played):
                fault = text("{move}: {why}", move=move, why=played.detail)
            elif wrong := _orphans_fault(played, names, turn):
                fault = text("{move}: {why}", move=move, why=wrong)
            else:
                following.setdefault(played.after, (*moves, move))
    return following, fault


def _moves(game: Finity, board: Board, position: Position, action: Action) -> Iterator[str]:
    """The moves that an action may have been, in our notation."""
    at = _station(board, action.at, action)
    if action.piece == "Ring":
        yield f"ring {at} {action.kind[:1]}"
    elif action.piece == "Base Post":
        yield f"post {at}"
        yield f"teleport {at}"
    else:
        assert action.to is not None
        slot = f"{at}>{_station(board, action.to, action)} {action.side}"
        if action.piece == "Bridge":
            colour = f"{action.kind[:1].lower()} "
            verb = {"Added": f"add {colour}", "Removed": "remove ", "Reversed": "reverse "}[action.verb]
            yield f"{verb}{slot}"
        elif action.verb == "Removed":
            yield f"unblock {slot}"
        else:
            blockers: Any = game.position_json(position)["blockers"]
            for source in blockers[str(game.to_move(position))] if position.to_move is not None else ():
                yield f"blocker {source} to {slot}"


def _station(board: Board, at: tuple[int, int], action: Action) -> str:
    for name, there in board.stations.items():
        if there == at:
            return name
    raise InputError(text("line {line}: there is no station at [{i},{j}]", line=action.line, i=at[0], j=at[1]))


def _orphans_fault(played: Played[Position], names: Sequence[str], turn: _Turn) -> str:
    """What the log tells otherwise of the orphans: for each owner, or all of them for the player who moved."""
    lost: Any = played.facts["orphans"]
    told = [(orphans.name, orphans.count) for orphans in turn.orphans]
    owners = [names["ABCD".index(player)] for player, _, _ in lost]
    if sorted(told) == sorted((name, owners.count(name)) for name in dict.fromkeys(owners)):
        return ""
    if told == [(turn.action.name, len(owners))]:
        return ""
    return text(
        "{count} rings would be orphaned, and the log tells of {sum}",
        count=len(owners),
        sum=sum((count for _, count in told)),
    )


def _end_fault(game: Finity, position: Position, names: Sequence[str], ends: Sequence[EndTold]) -> str:
    """What the log tells otherwise of the end."""
    outcome = game.outcome(position)
    said = {end.how: end.name for end in ends}
    if outcome is None:
        return "" if not said or "conceded" in said else text("the log tells of an end, but the game would not be over")
    if outcome.winner is None:
        return "" if "draw" in said else text("the game would be a draw, and the log does not say so")
    winner = names["ABCD".index(outcome.winner)]
    return (
        "" if said.get("won") == winner else text("{winner} would have won, and the log does not say so", winner=winner)
    )
