"""What the rules say of random games: moves, what they did, why others are illegal, what hands can do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.game import Illegal, Json, Played
from companion.games.registry import game_named
from companion.texts import Text, in_language
from companion.wording import outcome_words
from tests.texts.polish import polish

GAMES: dict[str, tuple[dict[str, Any], dict[str, Json]]] = {
    "infinity": ({"allow_pass": True, "max_turns": 6}, {}),
    "finity": ({"pattern_length": 2, "continue_after_win": True}, {"players": 3, "pattern": "bw"}),
}


def positions(game: Any, rng: random.Random, games: int, plies: int) -> Iterator[tuple[Any, Any]]:
    """Positions of random games, each with what led to it."""
    for _ in range(games):
        position, played = game.start(), None
        for _ in range(plies):
            yield position, played
            forced = game.forced(position)
            moves = game.legal_moves(position)
            if forced is None and not moves:
                break
            played = forced or game.play(position, rng.choice(moves))
            assert isinstance(played, Played)
            position = played.after


@pytest.mark.parametrize("name", GAMES)
def test_moves_and_what_they_did(name: str) -> None:
    rng = random.Random(1)
    game: Any = game_named(name, *GAMES[name])
    explained = 0
    for position, played in positions(game, rng, games=15, plies=60):
        for move in rng.sample(game.legal_moves(position), min(4, len(game.legal_moves(position)))):
            polish(game.describe(position, move))
        if played is not None and played.explanation:
            polish(played.explanation)
            explained += 1
        outcome = game.outcome(position)
        if outcome is not None:
            polish(outcome_words(outcome))
    assert explained


@pytest.mark.parametrize("name", GAMES)
def test_what_hands_can_do(name: str) -> None:
    rng = random.Random(2)
    game: Any = game_named(name, *GAMES[name])
    seen = 0
    for position, _ in positions(game, rng, games=4, plies=40):
        if rng.random() < 0.2:
            for breach in game.breaches(position):
                polish(breach.detail)
                seen += 1
            for place, label in game.sight(position).items():
                polish(game.place_words(place, label))
    assert seen > 100


TRIED = {
    "infinity": ["B1", "Y2", "K3", "W4", "B9", "b 1", "pass", "nonsense", ""],
    "finity": ["add b N>NE M", "add w N>NE L", "reverse N>NE M", "remove N>C M", "ring C S", "ring NE S", "ring S M",
               "blocker N>C L to NE>SE R", "unblock S>C L", "post C", "post E", "post N", "teleport E", "ring XX S",
               "add b N>S M", "nonsense", "add b N>NE", "post NE", "remove NE>N M", "add w C>NE L"],
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_why_a_move_is_illegal(name: str) -> None:
    rng = random.Random(3)
    game: Any = game_named(name, *GAMES[name])
    reasons: dict[str, str] = {}
    for position, _ in positions(game, rng, games=40, plies=40):
        for move in TRIED[name]:
            played = game.play(position, move)
            if isinstance(played, Illegal):
                said = played.detail
                assert isinstance(said, Text)
                # Examples of moves stand as they are written, in English words.
                if played.reason not in ("unreadable_move", "no_bridge_there", "not_trapped"):
                    reasons[played.reason] = polish(said)
                else:
                    reasons[played.reason] = str(in_language(said, "pl"))
                assert reasons[played.reason] != said
    assert len(reasons) >= {"infinity": 5, "finity": 14}[name], reasons


def test_other_ways_to_be_seated() -> None:
    game: Any = game_named("finity", {}, {"players": 3, "pattern": "bwbbwbww"})
    starts = list(game.other_starts())
    assert starts
    for start in starts:
        assert "zaczyna na" in polish(start.words)
