"""The worked positions of the rules, one by one, and how many first moves there are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.games.finity import Finity, Position
from companion.games.game import Illegal, Played
from tests.finity.play import game_of


def at(game: Finity, bridges: str, to_move: str = "A", **more: Any) -> Position:
    """A position with bridges `b N>NE M, …`; `rings` are written `A: NE2 E1`."""
    data: dict[str, Any] = {"to_move": to_move, "bridges": [b for b in bridges.split(", ") if b]}
    rings: dict[str, Any] = {}
    for owner, stations in more.pop("rings", {}).items():
        for entry in stations.split():
            free = [size for size in "SML" if size not in rings.get(entry[:-1], {})]
            rings.setdefault(entry[:-1], {}).update(dict.fromkeys(free[: int(entry[-1])], owner))
    return game.parse_position({**data, "rings": rings, **more})


def reason(game: Finity, position: Position, move: str) -> str | None:
    verdict = game.play(position, move)
    return verdict.reason if isinstance(verdict, Illegal) else None


def played(game: Finity, position: Position, *moves: str) -> Played[Position]:
    verdict: Any = None
    for move in moves:
        verdict = game.play(position, move)
        assert isinstance(verdict, Played), verdict
        position = verdict.after
    assert isinstance(verdict, Played)
    return verdict


def orphans(verdict: Played[Position]) -> Counter[str]:
    lost: Any = verdict.facts["orphans"]
    return Counter(f"{player} {station}" for player, station, _ in lost)


def reached(game: Finity, position: Position, player: str = "A") -> set[str]:
    told: Any = game.facts(position)["reachable"]
    return set(told[player])


GAME = game_of({})


def test_1_the_corner_rule() -> None:
    """The shared corner is C-NE-SE."""
    position = at(GAME, "b NE>SE R")
    for colour in "bw":
        for slot in ("C>NE R", "NE>C L", "C>SE L", "SE>C R"):
            assert reason(GAME, position, f"add {colour} {slot}") == "corner_taken"
    assert reason(GAME, position, "add b NE>SE M") == "redundant_bridge"
    for move in ("add b C>NE M", "add w NE>SE M", "add w NE>SE L", "add b SE>NE M", "add b SE>NE R"):
        assert reason(GAME, position, move) is None, move
    assert reason(GAME, position, "blocker N>C L to C>NE R") is None


@pytest.mark.parametrize(("players", "bridges"), [(2, 140), (3, 88), (4, 84)])
def test_2_the_first_move(players: int, bridges: int) -> None:
    game = game_of({"players": players})
    kinds = Counter(move.partition(" ")[0] for move in game.legal_moves(game.start()))
    assert kinds["add"] == bridges
    if players == 2:
        assert kinds == {"add": 140, "blocker": 74}


def test_3_rings_carry_a_walk_on() -> None:
    bridges = "b N>NE M, w NE>E M, b E>NE L, b NE>SE M"
    assert reached(GAME, at(GAME, bridges, rings={"A": "NE2 E1"})) == {"N", "NE", "E", "SE"}
    position = at(GAME, bridges, rings={"A": "NE1 E1 SE1"})
    assert reached(GAME, position) == {"N", "NE", "E"}
    assert orphans(played(GAME, position, "add w S>SW M")) == {"A SE": 1}


def test_4_no_way_through_the_centre_and_no_ring_on_it() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at(game, "b N>C M, w C>NE M")
    assert reached(game, position) == {"N"}
    assert reason(game, position, "ring C S") == "centre_station"


LOOP = "b SE>NE M, w NE>N M, b N>NW M, w NW>SW M, b SW>S M, w S>SW L, b SW>NW L"


def test_5_a_path_that_passes_stations_twice() -> None:
    game = game_of({"pattern": "bwbwbwbw"})
    start: dict[str, Any] = {"posts": {"A": "SE", "B": "S"}, "to_move": "B"}
    position = at(game, LOOP, rings={"A": "NE1 N1 NW2 SW2 S1"}, **start)
    outcome = game.outcome(played(game, position, "add w NW>C M").after)
    assert outcome is not None
    assert (outcome.winner, outcome.by) == ("A", "full_path")
    assert outcome.path == ("SE", "NE", "N", "NW", "SW", "S", "SW", "NW", "C")
    once = played(game, at(game, LOOP, rings={"A": "NE1 N1 NW1 SW2 S1"}, **start), "add w NW>C M")
    assert (game.outcome(once.after), orphans(once)) == (None, {})
    white = at(game, LOOP.replace("b SE>NE", "w SE>NE"), rings={"A": "NE1 N1 NW2 SW2 S1"}, **start)
    lost = played(game, white, "add w NW>C M")
    assert game.outcome(lost.after) is None
    assert sum(orphans(lost).values()) == 7


CHAIN = "b N>NE M, w NE>E M, b E>SE M"


def test_6_undoing_is_allowed_only_where_rings_went() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at(game, CHAIN, "B", rings={"A": "NE1 E1 SE1"})
    first = played(game, position, "reverse NE>E M")
    assert orphans(first) == {"A E": 1, "A SE": 1}
    assert reason(game, first.after, "reverse E>NE M") is None
    quiet = played(game, at(game, CHAIN, "B", rings={"A": "NE1"}), "reverse NE>E M")
    assert reason(game, quiet.after, "reverse E>NE M") == "undo"


def test_7_a_doubled_bridge_cannot_be_reversed() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at(game, f"{CHAIN}, w E>NE L", "B", rings={"A": "NE1 E1 SE1"})
    for move in ("reverse NE>E M", "reverse E>NE L"):
        assert reason(game, position, move) == "redundant_bridge"


def test_8_rings_of_one_station_support_no_other() -> None:
    position = at(GAME, "b N>NE M", rings={"A": "NE3"})
    assert orphans(played(GAME, position, "add w S>SW M")) == {}


def test_9_walks_share_rings() -> None:
    position = at(GAME, "b N>NE M, w NE>E M, w NE>SE M", rings={"A": "NE1 E1 SE1"})
    assert orphans(played(GAME, position, "add w S>SW M")) == {}


def test_10_a_return_to_the_post_needs_a_ring_there() -> None:
    game = game_of({"pattern": "bwwbbwbw"})
    bridges = "b N>NE M, w NE>N R, w N>NW M"
    assert "NW" not in reached(game, at(game, bridges, rings={"A": "NE1"}))
    assert "NW" in reached(game, at(game, bridges, rings={"A": "NE1 N1"}))


def length(game: Finity, position: Position) -> int:
    told: Any = game.explain(position)
    return int(told["partial_paths"]["A"]["length"])


def test_11_a_walk_back_and_forth() -> None:
    game = game_of({"pattern": "bwbwbwbw"})
    shuttle = "b N>NE M, w NE>N R"
    assert length(game, at(game, shuttle, rings={"A": "NE2 N1"})) == 4
    three = at(game, f"{shuttle}, w N>C M", rings={"A": "NE3 N3"})
    assert (length(game, three), game.outcome(three)) == (7, None)


def test_12_where_a_post_may_go() -> None:
    position = at(GAME, "b N>NE M, b E>NE M", rings={"A": "NE1"})
    for station, expected in {
        "NE": None,
        "E": None,
        "SE": "no_ring_supported",
        "NW": "no_ring_supported",
        "S": "post_occupied",
        "N": "post_occupied",
        "C": "centre_station",
    }.items():
        assert reason(GAME, position, f"post {station}") == expected


def test_13_the_top_marker_removes() -> None:
    data: dict[str, Any] = {"rings": {"SE": {"S": "B", "M": "A"}}, "bridges": ["b NE>SE M", "w NE>C M"]}
    for player, expected in {"A": "not_top_marker", "B": None}.items():
        position = GAME.parse_position({"to_move": player, **data})
        assert reason(GAME, position, "remove NE>SE M") == expected
        assert reason(GAME, position, "remove NE>C M") == "bridge_into_centre"
    for player, expected in {"A": None, "B": "not_top_marker"}.items():
        posts = {"A": "SE", "B": "S"}
        position = GAME.parse_position({"to_move": player, "posts": posts, **data})
        assert reason(GAME, position, "remove NE>SE M") == expected
    turned = {**data, "rings": {"NE": {"S": "A"}}, "bridges": ["w C>NE M"]}
    assert reason(GAME, GAME.parse_position({"to_move": "A", **turned}), "remove C>NE M") is None


def test_14_no_bridge_of_the_colour_back_into_its_slot() -> None:
    position = at(GAME, "b N>NE M", "B", posts={"A": "N", "B": "NE"})
    after = played(GAME, position, "remove N>NE M").after
    assert reason(GAME, after, "add b N>NE M") == "refill_after_removal"
    assert reason(GAME, after, "add b NE>N M") == "refill_after_removal"
    assert reason(GAME, after, "add w N>NE M") is None
    assert reason(GAME, after, "add b N>NE L") is None
    with_ring = at(GAME, "b N>NE M", "B", posts={"A": "N", "B": "NE"}, rings={"A": "NE1"})
    emptied = played(GAME, with_ring, "remove N>NE M")
    assert orphans(emptied) == {"A NE": 1}
    assert reason(GAME, emptied.after, "add b N>NE M") is None


EVERY_PAIR = (
    "b C>N M, w C>NE M, b C>SE M, w C>S M, b C>SW M, w C>NW M, b N>NE M, w N>NW M, b NE>SE M, w NE>E M, b SE>S M, "
    "w SE>E M, b S>SW M, w SW>NW M, b SW>W M, w NW>W M"
)
TWENTY = f"{EVERY_PAIR}, w N>NE L, b N>NW R, w SE>S L, w S>SW L"
"""A bridge in the middle of each pair, and four in slots that touch no corner of this board."""


def test_15_twenty_bridges_and_twenty_quiet_moves() -> None:
    full, nineteen = at(GAME, TWENTY), at(GAME, TWENTY.rpartition(", ")[0])
    assert (full.bridge_count(), nineteen.bridge_count()) == (20, 19)
    assert reason(GAME, nineteen, "unblock S>C L") == "too_few_bridges"
    assert reason(GAME, full, "unblock S>C L") is None
    quiet = at(GAME, "", ringless=18)
    nineteenth = played(GAME, quiet, "add b N>NE M").after
    assert GAME.outcome(nineteenth) is None
    twentieth = GAME.outcome(played(GAME, nineteenth, "add b S>SE M").after)
    assert twentieth is not None
    assert twentieth.draw == "no_ring_change"


EXPRESS = "b N>NE M, b NE>E M, w E>SE M, b SE>NE R, w NE>SE M"


def test_16_the_express_game() -> None:
    game = game_of({"pattern": "bbwbww"}, pattern_length=6)
    won = played(game, at(game, EXPRESS, rings={"A": "NE2 E1 SE2"}), "add w SE>C M")
    outcome = game.outcome(won.after)
    assert outcome is not None
    assert (outcome.winner, outcome.path) == ("A", ("N", "NE", "E", "SE", "NE", "SE", "C"))
    once = played(game, at(game, EXPRESS, rings={"A": "NE2 E1 SE1"}), "add w SE>C M")
    assert game.outcome(once.after) is None
    longer = game_of({"pattern": "bbwbwwbb"})
    other = played(longer, at(longer, EXPRESS, rings={"A": "NE2 E1 SE2"}), "add w SE>C M")
    assert longer.outcome(other.after) is None
