"""The rules of Rubik's Infinity, as a game at a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.games.game import (
    Breach,
    Effect,
    Illegal,
    Json,
    Label,
    OtherStart,
    Outcome,
    Place,
    Played,
    Player,
    Trace,
    Wanted,
)
from companion.games.infinity import breaches, table, words
from companion.games.infinity.marbles import CHANNELS, JOKER, OTHER, OWNER, PLAIN, PLAYERS, SEATS
from companion.games.infinity.options import Options
from companion.games.infinity.parsing import PASS, Push, parse_position, parse_push, position_json
from companion.games.infinity.position import Channels, Position, playable, pushed, well_of
from companion.games.infinity.turns import played_pass, played_push

DEFAULTS: Final = Options()


class Infinity:
    """Rubik's Infinity under given house rules: a `TableGame` of `Position`."""

    def __init__(self, options: Options = DEFAULTS) -> None:
        self._options = options

    @property
    def name(self) -> str:
        return "infinity"

    @property
    def players(self) -> tuple[Player, ...]:
        return PLAYERS

    @property
    def options(self) -> Mapping[str, Json]:
        """All house rules in force, defaults too."""
        return self._options.as_json()

    @property
    def setup(self) -> Mapping[str, Json]:
        """Empty: the game is always set up alike."""
        return {}

    def start(self) -> Position:
        first = self._options.first
        return Position(to_move=None if first is None else Player(first))

    def parse_position(self, data: Mapping[str, Json]) -> Position:
        return parse_position(data, self._options)

    def position_json(self, position: Position) -> dict[str, Json]:
        return position_json(position, self._options)

    def to_move(self, position: Position) -> Player | None:
        return position.to_move

    def outcome(self, position: Position) -> Outcome | None:
        return position.outcome

    def forced(self, position: Position) -> Played[Position] | None:
        player = position.to_move
        if player is None or playable(position.channels, player):
            return None
        return played_pass(position, player, None, self._options)

    def legal_moves(self, position: Position) -> tuple[str, ...]:
        if position.outcome is not None or self._must_forfeit(position):
            return ()
        players = PLAYERS if position.to_move is None else (position.to_move,)
        moves = [
            f"{marble}{channel + 1}"
            for player in players
            for marble in playable(position.channels, player)
            for channel in CHANNELS
        ]
        if position.to_move is not None and self._pass_gap(position.channels, position.to_move):
            moves.append(PASS)
        return tuple(moves)

    def play(self, position: Position, move: str) -> Played[Position] | Illegal:
        """See `Game.play`. Where a forfeit is due, `pass` is that forfeit and an own marble is `must_forfeit`."""
        if move == PASS:
            return self._play_pass(position)
        push = parse_push(move)
        if push is None:
            return Illegal(move, "unreadable_move", words.unreadable(move))
        if position.outcome is not None:
            return Illegal(move, "game_over", words.game_over(position.outcome))
        if push.channel is None:
            return Illegal(move, "no_such_channel", words.no_such_channel(move))
        if fault := self._push_fault(position, push):
            return Illegal(move, *fault)
        after, _ = pushed(position.channels, push.channel, push.marble)
        return played_push(position, move, OWNER[push.marble], after, self._options)

    def describe(self, position: Position, move: str) -> str:
        push = parse_push(move)
        if push is not None and push.channel is not None:
            _, over = pushed(position.channels, push.channel, push.marble)
            return words.push(OWNER[push.marble], push.marble, push.channel, over)
        if move == PASS and position.to_move is not None:
            due = self._must_forfeit(position)
            return words.forfeits(position.to_move) if due else words.passes(position.to_move)
        return words.no_move(move)

    def facts(self, position: Position) -> Mapping[str, Json]:
        return {}

    def explain(self, position: Position) -> Mapping[str, Json]:
        """Empty: what decided a turn is told with the turn."""
        return {}

    def sight(self, position: Position) -> Mapping[Place, Label]:
        return table.sight(position.channels)

    def traces(self, position: Position, move: str) -> tuple[Trace, ...]:
        push = parse_push(move)
        if push is None or push.channel is None:
            return ()
        return table.push_traces(position.channels, push.channel)

    def taps(self, position: Position, move: str) -> tuple[tuple[Place, ...], ...]:
        """A seat of the channel that is pushed into."""
        push = parse_push(move)
        return () if push is None or push.channel is None else (SEATS[push.channel],)

    def effects(self, position: Position, wanted: Wanted | None = None) -> Iterator[Effect]:
        """See `TableGame.effects`. Nobody needs to choose among so few."""
        before = table.seats(position.channels)
        for move in self.legal_moves(position):
            push = parse_push(move)
            channels = position.channels
            if push is not None and push.channel is not None:
                channels, _ = pushed(channels, push.channel, push.marble)
            yield Effect(move, table.changes(before, table.seats(channels)))

    def play_overlooking_orphans(self, position: Position, move: str) -> Played[Position] | Illegal:
        """`play`: no move asks for a marble to be taken off the board."""
        return self.play(position, move)

    def breaches(self, position: Position, wanted: Wanted | None = None) -> Iterator[Breach]:
        """See `TableGame.breaches`. A change that looks like a legal move is none; marbles stay in their seats.

        The last one is `no_move` with no change at all: what the board shows when a player has let the turn pass.
        After the end of the game only marbles pushed in are breaches, for taking marbles away is clearing up.
        """
        return breaches.breaches(self, position)

    def place_words(self, place: Place, label: Label) -> str:
        return words.seat(place, label)

    def other_starts(self) -> Iterator[OtherStart[Position]]:
        """None: the players have no seats on the board."""
        yield from ()

    def knob_stop(self, position: Position) -> int:
        return table.knob_stop(position.score, self._options)

    def well(self, position: Position) -> Mapping[Label, int]:
        return well_of(position.channels)

    def _must_forfeit(self, position: Position) -> bool:
        return position.to_move is not None and not playable(position.channels, position.to_move)

    def _push_fault(self, position: Position, push: Push) -> tuple[str, str] | None:
        """Why the mover may not play this marble: reason and sentence."""
        player = OWNER[push.marble]
        if position.to_move not in (None, player):
            return "not_your_turn", words.not_your_turn(OTHER[player], push.marble)
        available = playable(position.channels, player)
        if push.marble in available:
            return None
        if not available:
            return "must_forfeit", words.must_forfeit(player)
        if push.marble == JOKER[player]:
            return "joker_not_available", words.joker_not_available(player)
        return "no_marble_left", words.no_marble_left(player)

    def _pass_gap(self, channels: Channels, player: Player) -> str | None:
        """The house rule under which a player with a marble may pass, None where there is none."""
        if self._options.joker_may_be_withheld and PLAIN[player] not in playable(channels, player):
            return "A11"
        return "A10" if self._options.allow_pass else None

    def _play_pass(self, position: Position) -> Played[Position] | Illegal:
        player = position.to_move
        if position.outcome is not None:
            return Illegal(PASS, "game_over", words.game_over(position.outcome))
        if forfeit := self.forced(position):
            return forfeit
        gap = None if player is None else self._pass_gap(position.channels, player)
        if player is None or gap is None:
            return Illegal(PASS, "pass_not_allowed", words.pass_not_allowed(player))
        return played_pass(position, player, gap, self._options)
