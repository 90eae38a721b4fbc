"""What hands can do at the table that is no legal move: what it changes, and why it is wrong.

A board here is four letters a channel, entry end first, `.` where a seat is empty: unlike the rules' channels it
can have gaps, for a marble that nobody touches stays in its seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from companion.games.game import Breach, Illegal, Label, Place, Player, Trace
from companion.games.infinity import words
from companion.games.infinity.marbles import (
    CHANNELS,
    EMPTY,
    JOKER,
    OTHER,
    OWNER,
    PLAYERS,
    SEATS,
    SLOTS,
    Channel,
    Marble,
)
from companion.games.infinity.position import Channels, Position, in_well, playable, pushed
from companion.games.infinity.table import ENTERED, LEFT, changes, push_traces, seats

if TYPE_CHECKING:
    from companion.games.infinity.rules import Infinity

Board = Sequence[str]
Look = frozenset[tuple[Place, Label]]


def breaches(game: Infinity, position: Position) -> Iterator[Breach]:
    """See `Infinity.breaches`."""
    forfeit = game.forced(position)
    if forfeit is not None:
        position = forfeit.after
    found = _out_of_turn(game, position)
    if position.outcome is None:
        board = seats(position.channels)
        found = chain(
            found,
            _second_joker(game, position, board),
            _two_moves(position, board),
            _taken(board),
            _pushed_again(game, position, board),
            _moved(board),
            _from_far_end(position.channels, board),
        )
    yield from _told_apart(found, _legal_looks(position))
    if position.to_move is not None:
        yield Breach("no_move", words.nothing_played(position.to_move), {})


def _told_apart(found: Iterator[Breach], legal: frozenset[Look]) -> Iterator[Breach]:
    """Without those that look like a legal move, and without repetitions."""
    told = set()
    for breach in found:
        look = frozenset(breach.changes.items())
        key = (look, breach.reason, frozenset(breach.traces))
        if look not in legal and key not in told:
            told.add(key)
            yield breach


def _legal_looks(position: Position) -> frozenset[Look]:
    if position.outcome is not None:
        return frozenset()
    board = seats(position.channels)
    players = PLAYERS if position.to_move is None else (position.to_move,)
    pushes = chain.from_iterable(_pushes(position.channels, player) for player in players)
    return frozenset(frozenset(changes(board, seats(after)).items()) for _, _, after in pushes)


def _pushes(channels: Channels, player: Player) -> Iterator[tuple[Marble, Channel, Channels]]:
    """Every push of a marble that the player has in the well, whoever's turn it is, with the channels after it."""
    for marble in playable(channels, player):
        for channel in CHANNELS:
            yield marble, channel, pushed(channels, channel, marble)[0]


def _move(marble: Marble, channel: Channel) -> str:
    return f"{marble}{channel + 1}"


def _reason(game: Infinity, position: Position, move: str) -> str | None:
    """The reason that the rules give against a move; None where it is legal."""
    verdict = game.play(position, move)
    return verdict.reason if isinstance(verdict, Illegal) else None


def _out_of_turn(game: Infinity, position: Position) -> Iterator[Breach]:
    """The other player's marble, or the other player: these look the same. After the end: any marble."""
    if position.outcome is None and position.to_move is None:
        return
    board = seats(position.channels)
    players = PLAYERS if position.to_move is None else (OTHER[position.to_move],)
    for player in players:
        for marble, channel, after in _pushes(position.channels, player):
            move = _move(marble, channel)
            if reason := _reason(game, position, move):
                detail = words.pushed_out_of_turn(position.to_move, marble, channel)
                traces = push_traces(position.channels, channel)
                yield Breach(reason, detail, changes(board, seats(after)), traces, (move,))


def _second_joker(game: Infinity, position: Position, board: Board) -> Iterator[Breach]:
    """A Joker from another set, played while the own one is on the board."""
    player = position.to_move
    if player is None or in_well(position.channels, JOKER[player]):
        return
    for channel in CHANNELS:
        move = _move(JOKER[player], channel)
        if reason := _reason(game, position, move):
            after, _ = pushed(position.channels, channel, JOKER[player])
            traces = push_traces(position.channels, channel)
            detail = words.second_joker(player, channel)
            yield Breach(reason, detail, changes(board, seats(after)), traces, (move,), strange=True)


def _two_moves(position: Position, board: Board) -> Iterator[Breach]:
    """Two marbles of one player, except where the other player has to forfeit between them."""
    players = PLAYERS if position.to_move is None else (position.to_move,)
    for player in players:
        for first_marble, first, between in _pushes(position.channels, player):
            if not playable(between, OTHER[player]):
                continue
            for marble, second, after in _pushes(between, player):
                traces = (*push_traces(position.channels, first), *push_traces(between, second))
                detail = words.two_moves(player, first, second)
                moves = (_move(first_marble, first), _move(marble, second))
                yield Breach("two_moves", detail, changes(board, seats(after)), traces, moves)


def _taken(board: Board) -> Iterator[Breach]:
    """A marble taken away, alone or with those above it, or knocked over the far end."""
    for channel in CHANNELS:
        filled = [slot for slot in range(SLOTS) if board[channel][slot] != EMPTY]
        for slot in filled:
            marble = Marble(board[channel][slot])
            yield Breach("piece_taken", words.taken(marble, channel, slot), {SEATS[channel][slot]: EMPTY})
        for slot in filled[:-1]:
            detail = words.taken_from(len(filled) - slot, channel, slot)
            yield Breach("piece_taken", detail, {SEATS[channel][above]: EMPTY for above in filled[slot:]})
        if len(filled) == SLOTS:
            detail = words.fell_out(Marble(board[channel][-1]), channel)
            yield Breach("piece_taken", detail, {SEATS[channel][-1]: EMPTY}, (LEFT[channel],))


def _marbles(board: Board) -> Iterator[tuple[Channel, int, Marble]]:
    for channel in CHANNELS:
        for slot, letter in enumerate(board[channel]):
            if letter != EMPTY:
                yield channel, slot, Marble(letter)


def _moved(board: Board) -> Iterator[Breach]:
    """A marble lifted from one seat into another, empty one."""
    free = [(channel, slot) for channel in CHANNELS for slot in range(SLOTS) if board[channel][slot] == EMPTY]
    for channel, slot, marble in _marbles(board):
        for to_channel, to_slot in free:
            detail = words.moved(marble, channel, slot, to_channel, to_slot)
            change = {SEATS[channel][slot]: EMPTY, SEATS[to_channel][to_slot]: Label(marble)}
            yield Breach("piece_moved", detail, change)


def _pushed_again(game: Infinity, position: Position, board: Board) -> Iterator[Breach]:
    """A marble taken off the board and pushed in at the entry end; with the mover's Joker it is played twice."""
    for channel, slot, marble in _marbles(board):
        lifted = [*board]
        lifted[channel] = _with(board[channel], slot, EMPTY)
        replayed = position.to_move is not None and marble == JOKER[position.to_move]
        for into in CHANNELS:
            row, over = _pushed_with_gaps(lifted[into], marble)
            after = [*lifted]
            after[into] = row
            traces: tuple[Trace, ...] = (ENTERED[into], LEFT[into]) if over else (ENTERED[into],)
            move = _move(marble, into)
            if replayed and (reason := _reason(game, position, move)):
                detail = words.joker_replayed(OWNER[marble], channel, into)
                yield Breach(reason, detail, changes(board, after), traces, (move,))
            elif change := changes(board, after):
                yield Breach("piece_moved", words.moved_in(marble, channel, slot, into), change, traces)


def _with(row: str, slot: int, letter: str) -> str:
    return row[:slot] + letter + row[slot + 1 :]


def _pushed_with_gaps(row: str, marble: Marble) -> tuple[str, bool]:
    """Push into a channel that may have a gap: the marbles move up as far as the first empty seat."""
    gap = row.find(EMPTY)
    if gap < 0:
        return marble + row[:-1], True
    return marble + row[:gap] + row[gap + 1 :], False


def _from_far_end(channels: Channels, board: Board) -> Iterator[Breach]:
    """A marble put in at the far end: it comes to rest in any free seat, or pushes the first one out at the entry."""
    for marble in chain.from_iterable(playable(channels, player) for player in PLAYERS):
        for channel in CHANNELS:
            detail = words.wrong_end(marble, channel)
            filled = len(channels[channel])
            for slot in range(filled, SLOTS):
                change = {SEATS[channel][slot]: Label(marble)}
                yield Breach("wrong_end", detail, change, (LEFT[channel],))
            if filled == SLOTS:
                after = [*board]
                after[channel] = board[channel][1:] + marble
                yield Breach("wrong_end", detail, changes(board, after), (LEFT[channel], ENTERED[channel]))
