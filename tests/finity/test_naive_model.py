"""The rules against the naive model: whole legal-move lists, orphans, what is reached, and how games end."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from companion.games.finity import Finity, Position
from companion.games.game import Illegal, Played
from tests.finity.naive import NaiveFinity, one_name
from tests.finity.play import choose, random_game
from tests.shared_material import shared

CHOICES: dict[str, tuple[Any, ...]] = {
    "ring_size_choice": ("smallest_free",),
    "undo_exception": ("none",),
    "blocker_remove_min_bridges": (0, 8),
    "blockers_start": ("in_hand",),
    "blocker_blocks_corner": (True,),
    "teleport_trap": ("all_neighbours_full", "off"),
    "draw_rounds": (0, 3),
    "anti_kingmaker": (True,),
    "multi_completion": ("mover_first",),
    "continue_after_win": (True,),
    "enforce_supply": (False,),
}


def naive_of(game: Finity) -> NaiveFinity:
    pattern: Any = game.setup["pattern"]
    naive = NaiveFinity(len(game.players), pattern, dict(game.options))
    naive.posts = dict(json.loads(json.dumps(game.setup["posts"])))
    naive.blockers = {}
    naive.set_position(game.position_json(game.start()))
    naive.first_move = True
    if game.options["blockers_start"] == "in_hand":
        naive.in_hand = dict.fromkeys(naive.players, 2)
    return naive


def assert_same_list(game: Finity, position: Position, naive: NaiveFinity) -> None:
    ours = game.legal_moves(position)
    assert len(set(ours)) == len(ours)
    assert {one_name(move) for move in ours} == {one_name(move) for move in naive.legal_moves()}
    told: Any = game.facts(position)["reachable"]
    assert {player: set(stations) for player, stations in told.items()} == {
        player: naive.reachable(player) for player in naive.players
    }


def assert_same_play(game: Finity, position: Position, naive: NaiveFinity, move: str) -> Position:
    played = game.play(position, move)
    assert isinstance(played, Played), played
    orphans: Any = played.facts["orphans"]
    assert sorted(map(tuple, orphans)) == naive.play(one_name(move)), move
    after = played.after
    ours = game.position_json(after)
    rings: Any = ours["rings"]
    assert {(s, size): who for s, on in rings.items() for size, who in on.items()} == naive.rings
    assert game.to_move(after) == naive.to_move
    outcome = game.outcome(after)
    if naive.to_move is None:
        assert outcome is not None
        expected = naive.outcome or {}
        assert (outcome.winner, outcome.draw) == (expected.get("winner"), expected.get("draw"))
        assert outcome.by == expected.get("by")
    else:
        assert outcome is None
    return after


def compare_a_game(seed: int, lists: int, most: int = 160) -> Counter[str]:
    """Play a game of all kinds of moves through both, comparing `lists` whole lists; returns what happened in it."""
    rng = random.Random(seed)
    options = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.25}
    game = random_game(rng, **options)
    naive = naive_of(game)
    position = game.start()
    compared = {0, *(rng.randrange(most) for _ in range(lists - 1))}
    happened: Counter[str] = Counter([f"{len(game.players)} players", *options])
    for ply in range(most):
        if ply in compared:
            assert_same_list(game, position, naive)
            happened["lists"] += 1
        if position.to_move is None:
            break
        move = choose(game, position, rng)
        happened[move.partition(" ")[0]] += 1
        before = len(naive.rings)
        position = assert_same_play(game, position, naive, move)
        happened["orphans"] += len(naive.rings) < before
        happened["undo barred"] += bool(position.barred)
    outcome = game.outcome(position)
    happened[str(outcome and (outcome.by or outcome.draw))] += 1
    return happened


EVERYTHING = {
    "add",
    "reverse",
    "remove",
    "ring",
    "blocker",
    "unblock",
    "post",
    "orphans",
    "full_path",
    "no_ring_change",
}


def compare_games(seeds: range, lists: int) -> Counter[str]:
    happened: Counter[str] = Counter()
    for seed in seeds:
        happened += compare_a_game(seed, lists)
    missing = (EVERYTHING | set(CHOICES) | {f"{count} players" for count in (2, 3, 4)}) - set(happened)
    assert not missing, f"these games never met {sorted(missing)}"
    return happened


def test_random_games_agree() -> None:
    assert compare_games(range(40), lists=4)["lists"] >= 90


@pytest.mark.long
def test_many_random_games_agree_at_two_thousand_positions() -> None:
    assert compare_games(range(40, 540), lists=8)["lists"] >= 2000


def recorded_games() -> list[dict[str, Any]]:
    path = shared("games", "finity_games.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def compare_recorded(games: list[dict[str, Any]], lists: int) -> int:
    compared = 0
    for record in games:
        rng = random.Random(record["id"])
        game = Finity.of(record, {"pattern_length": len(record["pattern"])})
        naive, position = naive_of(game), game.start()
        sampled = {rng.randrange(len(record["moves"])) for _ in range(lists)}
        for ply, each in enumerate(record["moves"]):
            if ply in sampled:
                assert_same_list(game, position, naive)
                compared += 1
            position = assert_same_play(game, position, naive, each["move"])
    return compared


def test_recorded_games_agree() -> None:
    assert compare_recorded(recorded_games()[::6], lists=3) >= 45


@pytest.mark.long
def test_all_recorded_games_agree_at_many_positions() -> None:
    assert compare_recorded(recorded_games(), lists=8) >= 700


def crowded(rng: random.Random) -> tuple[Finity, dict[str, Any]]:
    """A position no game would come to: rings three deep, bridges wherever they fit and often doubled, cycles, a
    pattern of hardly more than one colour."""
    players = rng.choice([2, 3, 4])
    length = rng.choice([4, 6, 8])
    pattern = rng.choice(["b" * length, ("bw" * 4)[:length], "".join(rng.choice("bbbw") for _ in range(length))])
    game = Finity.of({"players": players, "pattern": pattern}, {"pattern_length": length, "enforce_supply": False})
    layout = game.terms.layout
    stations = [name for name in layout.names if name != "C"]
    posts = rng.sample(stations, players)
    data: dict[str, Any] = {
        "to_move": rng.choice(game.players),
        "bridges": [],
        "rings": {},
        "posts": dict(zip(game.players, posts, strict=True)),
        "blockers": {player: [] for player in game.players},
        "ply": rng.randrange(1, 90),
    }
    owner = rng.choice([None, *game.players])
    for station in stations:
        if rng.random() < 0.7:
            sizes = rng.choice(["SML", "SML", "SM", "L"])
            data["rings"][station] = {size: owner or rng.choice(game.players) for size in sizes}
    position = game.parse_position(data)
    for _ in range(rng.choice([6, 14, 22])):
        adds = [move for move in game.legal_moves(position) if move.startswith("add ")]
        doubled = [move for move in adds if _pair_taken(move, data["bridges"])]
        wanted = rng.choice(doubled if doubled and rng.random() < 0.5 else adds)
        data["bridges"].append(wanted.removeprefix("add "))
        position = game.parse_position(data)
    return game, data


def _pair_taken(move: str, bridges: list[str]) -> bool:
    pair = set(move.split(" ")[2].split(">"))
    return any(set(bridge.split(" ")[1].split(">")) == pair for bridge in bridges)


def compare_crowded(seeds: range) -> Counter[str]:
    """One position a seed, its list, and some moves from it."""
    happened: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(f"crowded {seed}")
        game, data = crowded(rng)
        naive = NaiveFinity(len(game.players), str(game.setup["pattern"]), dict(game.options))
        naive.set_position(data)
        position = game.parse_position(data)
        if position.outcome is not None:
            happened["full path given"] += 1
            assert any(naive.most_stations(player) is not None for player in naive.players)
            continue
        assert_same_list(game, position, naive)
        for _ in range(2):
            move = choose(game, position, rng)
            position = assert_same_play(game, position, naive, move)
            happened["teleport" if move.startswith("teleport") else "move"] += 1
            if position.to_move is None:
                break
            assert_same_list(game, position, naive)
    return happened


def test_crowded_positions_agree() -> None:
    assert compare_crowded(range(25))["move"] >= 25


@pytest.mark.long
def test_many_crowded_positions_agree() -> None:
    happened = compare_crowded(range(25, 700))
    assert min(happened["move"], happened["teleport"], happened["full path given"]) >= 3


def test_the_naive_model_sees_an_illegal_move_where_the_rules_do() -> None:
    """Texts that are no legal move are refused by both; a list alone would not show what `play` takes."""
    rng = random.Random(5)
    for seed in range(4):
        game = random_game(random.Random(seed))
        naive, position = naive_of(game), game.start()
        for _ in range(25):
            if position.to_move is None:
                break
            legal = set(game.legal_moves(position))
            for move in rng.sample(sorted(naive.candidates()), 60):
                refused = isinstance(game.play(position, move), Illegal)
                assert refused == (one_name(move) not in {one_name(each) for each in legal}), move
            position = assert_same_play(game, position, naive, choose(game, position, rng))
