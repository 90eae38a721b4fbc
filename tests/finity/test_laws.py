"""Laws that hold in every game of Finity, played at random to its end."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from companion.games.finity import Finity, Position
from companion.games.finity.moves import Unread
from companion.games.finity.pieces import Slot
from companion.games.finity.walks import Walks
from companion.games.game import Illegal, Played
from tests.finity.play import plies, random_game


def check_game(seed: int, players: int) -> Counter[str]:
    """Play a game to its end and check every law after every move."""
    rng = random.Random(f"{players} {seed}")
    game = random_game(rng, players)
    happened: Counter[str] = Counter()
    position = game.start()
    for before, played in plies(game, rng, most=5000):
        position = played.after
        happened[played.move.partition(" ")[0]] += 1
        check_turn(game, before, played)
        check_pieces(game, position)
        if rng.random() < 0.2:
            check_memory(game, position)
            check_writing(game, position)
    check_end(game, position)
    outcome = game.outcome(position)
    assert outcome is not None
    happened[str(outcome.by or outcome.draw)] += 1
    return happened


def check_turn(game: Finity, before: Position, played: Played[Position]) -> None:
    after = played.after
    seats = len(game.players)
    assert before.to_move is not None
    assert played.by == game.players[before.to_move] == played.facts["by"]
    assert after.ply == before.ply + 1
    assert (after.to_move is None) == (game.outcome(after) is not None)
    assert after.to_move in (None, (before.to_move + 1) % seats)
    assert game.orphans(after) == ()
    again = game.play(before, played.move)
    assert again == played


def check_pieces(game: Finity, position: Position) -> None:
    """Supply is kept, no slot or seat holds two pieces, no pair a double, no corner two bridges."""
    told: Any = game.position_json(position)
    colours = Counter(bridge[0] for bridge in told["bridges"])
    assert max(colours.values(), default=0) <= 32
    slots = [*position.bridges, *position.blockers]
    assert sum(each.bit_count() for each in slots) == (position.bridge_slots | position.blocker_slots).bit_count()
    assert all((corner & position.bridge_slots).bit_count() <= 1 for corner in game.terms.layout.corners)
    ways = Counter(bridge[:-2] for bridge in told["bridges"])
    assert max(ways.values(), default=0) <= 1
    rings = Counter((size, owner) for on in told["rings"].values() for size, owner in on.items())
    assert all(count <= (7 if size == "L" else 8) for (size, _), count in rings.items())
    assert "C" not in told["rings"]
    assert len(set(told["posts"].values())) == len(game.players)
    assert "C" not in told["posts"].values()
    assert all(len(slots) <= 2 for slots in told["blockers"].values())


def check_memory(game: Finity, position: Position) -> None:
    """What searches remember equals what a search from nothing finds."""
    fresh = Walks(game.terms.layout, str(game.setup["pattern"]))
    for seat in range(len(game.players)):
        small, medium, large = position.rings[seat]
        found = fresh.reach(position.bridges, position.posts[seat], small + medium + large)
        assert found == game.terms.reach(position, seat)


def check_writing(game: Finity, position: Position) -> None:
    written = json.loads(json.dumps(game.position_json(position)))
    again = game.parse_position(written)
    assert again == position
    assert hash(again) == hash(position)
    assert copy.deepcopy(position) == position == pickle.loads(pickle.dumps(position))
    twin = Finity.of(game.setup, game.options)
    assert twin.legal_moves(again) == game.legal_moves(position)


def check_end(game: Finity, position: Position) -> None:
    assert game.legal_moves(position) == ()
    for text in ("add b N>NE M", "ring NE S", "post E", "blocker N>C L to NE>SE R"):
        verdict = game.play(position, text)
        assert isinstance(verdict, Illegal)
        assert verdict.reason == "game_over"
    check_writing(game, position)


def check_games(seeds: range, players: int) -> None:
    happened: Counter[str] = Counter()
    for seed in seeds:
        happened += check_game(seed, players)
    assert {"add", "reverse", "remove", "ring", "post", "blocker", "unblock", "full_path"} <= set(happened)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_the_laws(players: int) -> None:
    check_games(range(12), players)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_thousand_random_games_keep_the_laws(players: int) -> None:
    check_games(range(12, 1000), players)


def test_the_list_and_the_single_move_agree() -> None:
    """Every text of the list is taken by `play`, and every text that is not, of all there are, is refused."""
    for seed in range(9):
        rng = random.Random(seed)
        game = random_game(rng)
        notation = game.terms.notation
        slots = map(Slot, range(len(game.terms.layout.slot_names)))
        blockers = [text for source in (None, *slots) for text in notation.blockers(source)]
        texts = [*notation.texts_without_blockers(), *rng.sample(blockers, 200)]
        for number, (position, _) in enumerate(plies(game, rng, most=60)):
            if number % 15 == 0:
                legal = set(game.legal_moves(position))
                for text in texts:
                    assert isinstance(game.play(position, text), Played) == (text in legal), text
                for text in legal:
                    move = notation.parse(text)
                    assert not isinstance(move, Unread)
                    assert notation.text(move) == text
                    assert isinstance(game.play(position, text), Played), text
                    assert game.describe(position, text).startswith(game.players[position.to_move or 0])


def test_the_list_is_stable() -> None:
    game = Finity.of({"players": 2, "pattern": "bwbbwbww"})
    moves = game.legal_moves(game.start())
    assert moves[0] == "add b C>N M"
    assert moves[-1] == "blocker C>N R to NW>W R"
    kinds = [move.partition(" ")[0] for move in moves]
    assert kinds == sorted(kinds, key=["add", "blocker"].index)
    assert Finity.of({"players": 2, "pattern": "wwwwwwww"}).legal_moves(game.start()) == moves
