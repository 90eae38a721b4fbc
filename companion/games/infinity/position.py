"""A position of Infinity: what lies in the channels, the score, and whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game import Label, Outcome, Player
from companion.games.infinity.marbles import CHANNELS, EMPTY, JOKER, PLAIN, SLOTS, SUPPLY, Channel, Marble

Channels = tuple[str, str, str, str]
"""The marbles of each channel, entry end first and without the empty slots: a gap cannot be written."""

NO_MARBLES: Channels = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Position:
    """The rules' truth at the end of a turn.

    Attributes:
        channels: the marbles by channel, entry end first.
        score: positive where Blue is ahead, -5 to 5.
        to_move: None when the game is over, and before the first move where anybody may start.
        outcome: how the game ended, None while it goes on.
        turns: turns played, forfeited ones too; counted only under the option `max_turns`, else 0.
    """

    channels: Channels = NO_MARBLES
    score: int = 0
    to_move: Player | None = None
    outcome: Outcome | None = None
    turns: int = 0

    @property
    def board(self) -> str:
        """The channels in the notation of the rules, e.g. `BY..|K...|....|Y...`."""
        return "|".join(channel.ljust(SLOTS, EMPTY) for channel in self.channels)


def pushed(channels: Channels, channel: Channel, marble: Marble) -> tuple[Channels, Marble | None]:
    """Push a marble in at the entry end.

    Returns:
        the channels after it, and the marble that went over the far end of a full channel, else None.
    """
    old = channels[channel]
    over = Marble(old[-1]) if len(old) == SLOTS else None
    new = marble + old[: SLOTS - 1]
    a, b, c, d = (new if index == channel else channels[index] for index in CHANNELS)
    return (a, b, c, d), over


def in_well(channels: Channels, marble: Marble) -> int:
    """How many marbles of a kind are not on the board: those lie in the well."""
    return SUPPLY[marble] - "".join(channels).count(marble)


def well_of(channels: Channels) -> dict[Label, int]:
    """The marbles in the well by kind."""
    board = "".join(channels)
    return {Label(marble): count - board.count(marble) for marble, count in SUPPLY.items()}


def playable(channels: Channels, player: Player) -> tuple[Marble, ...]:
    """The kinds of marble that a player has in the well: the plain one first, then the Joker."""
    board = "".join(channels)
    return tuple(marble for marble in (PLAIN[player], JOKER[player]) if board.count(marble) < SUPPLY[marble])
