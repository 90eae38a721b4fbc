"""Positions and whole games for property tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from companion.games.game import Played
from companion.games.infinity import Infinity, Options, Position
from companion.games.infinity.options import option_fields

CHOICES: dict[str, tuple[Any, ...]] = {
    name: item.metadata["choices"] or (None, 5) for name, item in option_fields().items() if name != "knob_grace_s"
}

options = st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in CHOICES.items()}).map(
    Options.parse
)


@st.composite
def boards(draw: st.DrawFn) -> str:
    """Any board that the eighteen marbles can make."""
    marbles = draw(st.permutations("BBBBBBBBKYYYYYYYYW"))
    sizes = draw(st.lists(st.integers(0, 4), min_size=4, max_size=4))
    return "|".join("".join(marbles[4 * i : 4 * i + size]).ljust(4, ".") for i, size in enumerate(sizes))


@st.composite
def positions(draw: st.DrawFn) -> tuple[Infinity, Position]:
    """A game under any house rules, and any position in which somebody is to move."""
    game = Infinity(draw(options))
    data: Any = {
        "board": draw(boards()),
        "score": draw(st.integers(-4, 4)),
        "to_move": draw(st.sampled_from(game.players)),
    }
    return game, game.parse_position(data)


def turns(game: Infinity, choices: list[int]) -> Iterator[tuple[Position, Played[Position]]]:
    """Play from the start: each number chooses a legal move. Yields the position before each turn, and the turn."""
    position = game.start()
    for choice in choices:
        played: Any = game.forced(position)
        if played is None:
            moves = game.legal_moves(position)
            if not moves:
                return
            played = game.play(position, moves[choice % len(moves)])
        assert isinstance(played, Played)
        yield position, played
        position = played.after
