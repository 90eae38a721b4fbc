"""What the table shows of Finity, what hands can do wrong, and orphans that were overlooked."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from companion.games.finity import Finity, Position
from companion.games.game import Illegal, Place, Played
from tests.finity.play import game_of, plies, random_game

GAME = game_of({"pattern": "bwbwbbww"})
CHAIN: dict[str, Any] = {
    "to_move": "B",
    "bridges": ["b N>NE M", "w E>NE L", "b E>SE M"],
    "rings": {"NE": {"S": "A"}, "E": {"M": "B"}},
}


def at(data: dict[str, Any], game: Finity = GAME) -> Position:
    return game.parse_position(data)


def after(game: Finity, position: Position, move: str) -> Position:
    played = game.play(position, move)
    assert isinstance(played, Played), played
    return played.after


def test_the_sight_has_every_place_and_its_label() -> None:
    sight = GAME.sight(at(CHAIN))
    assert len(sight) == 48 + 4 * 8
    assert not [place for place in sight if place.startswith("C.")]
    shown = {place: label for place, label in sight.items() if label != "."}
    assert shown == {
        "NE.S": "A",
        "E.M": "B",
        "N.P": "A",
        "S.P": "B",
        "N>NE M": "b N",
        "NE>E R": "w E",
        "SE>E M": "b E",
        "C>N L": "blocker A",
        "C>N R": "blocker A",
        "C>S L": "blocker B",
        "C>S R": "blocker B",
    }


def test_there_are_no_beams_no_knob_and_no_well() -> None:
    position = GAME.start()
    assert (GAME.traces(position, "add b N>NE M"), GAME.knob_stop(position), GAME.well(position)) == ((), None, None)
    assert GAME.forced(position) is None


def test_breaches_are_told_apart_from_legal_moves_and_from_each_other() -> None:
    rng = random.Random(3)
    for players in (2, 3, 4):
        game = random_game(rng, players)
        for number, (position, _) in enumerate(plies(game, rng, most=45)):
            if number % 11 == 0:
                check_breaches(game, position)


def check_breaches(game: Finity, position: Position) -> None:
    before = dict(game.sight(position))
    looks = []
    for move in game.legal_moves(position):
        now = game.sight(after(game, position, move))
        looks.append({place: label for place, label in now.items() if before[place] != label})
    told = list(game.breaches(position))
    assert told[-1].reason == "no_move"
    assert told[-1].changes == {}
    for breach in told[:-1]:
        assert breach.changes
        assert dict(breach.changes) not in looks
        assert all(before[place] != label for place, label in breach.changes.items())
        assert breach.detail
        for move in breach.moves if breach.reason != "wrong_player" else ():
            verdict = game.play(position, move)
            assert isinstance(verdict, Illegal)
            assert (verdict.reason, verdict.detail) == (breach.reason, breach.detail)
    keys = [(frozenset(breach.changes.items()), breach.reason) for breach in told]
    assert len(set(keys)) == len(keys)
    assert [breach.changes for breach in game.breaches(position)] == [breach.changes for breach in told]


def test_breaches_of_each_kind() -> None:
    position = at({**CHAIN, "bridges": [*CHAIN["bridges"], "b NE>C M"]})
    told = {(breach.reason, *sorted(breach.changes.items())) for breach in GAME.breaches(position)}
    for reason, changes in [
        ("corner_taken", {"NE>SE L": "w NE"}),
        ("redundant_bridge", {"N>NE L": "b N"}),
        ("bridge_into_centre", {"C>NE M": "."}),
        ("not_top_marker", {"N>NE M": "."}),
        ("station_unreachable", {"W.S": "B"}),
        ("own_post_station", {"S.L": "B"}),
        ("too_few_bridges", {"C>N L": "."}),
        ("no_ring_supported", {"S.P": ".", "W.P": "B"}),
        ("wrong_player", {"SE.S": "A"}),
        ("wrong_player", {"C>N L": ".", "N>NW M": "blocker A"}),
        ("piece_taken", {"NE.S": "."}),
        ("piece_taken", {"N.P": "."}),
        ("piece_taken", {"C>S L": "."}),
        ("no_move", {}),
    ]:
        assert (reason, *sorted(changes.items())) in told, (reason, changes)
    first = Counter(breach.reason for breach in GAME.breaches(GAME.start()))
    assert first["first_move_restriction"] > 0


def test_after_the_end_pieces_put_down_are_breaches_and_clearing_up_is_none() -> None:
    over = at({"to_move": None, "bridges": ["b N>NE M"], "outcome": {"draw": "tie"}})
    told = list(GAME.breaches(over))
    assert {breach.reason for breach in told} == {"game_over"}
    assert not [breach for breach in told if set(breach.changes.values()) == {"."}]


# Overlooked orphans, as people at a table have them


def test_overlooked_orphans_stay_until_they_are_noticed() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at({"to_move": "B", "bridges": ["b N>NE M"], "rings": {"NE": {"S": "A"}}}, game)
    overlooked = game.play_overlooking_orphans(position, "reverse N>NE M")
    assert isinstance(overlooked, Played)
    assert overlooked.facts["orphans"] == [["A", "NE", "S"]]
    lying = overlooked.after
    assert game.sight(lying)[Place("NE.S")] == "A"
    assert game.orphans(lying) == (("A", "NE", "S"),)
    noticed = game.sweep(lying)
    assert game.sight(noticed)[Place("NE.S")] == "."
    assert (game.orphans(noticed), noticed.ringless, noticed.barred) == ((), 0, ())
    assert noticed.to_move == lying.to_move
    assert game.sweep(noticed) is noticed


def test_orphans_that_a_move_connects_again_before_anybody_noticed_stay() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at({"to_move": "B", "bridges": ["b N>NE M"], "rings": {"NE": {"S": "A"}}}, game)
    overlooked = game.play_overlooking_orphans(position, "reverse N>NE M")
    assert isinstance(overlooked, Played)
    reconnected = game.play(overlooked.after, "add b N>NE L")
    assert isinstance(reconnected, Played)
    assert reconnected.facts["orphans"] == []
    assert game.sight(reconnected.after)[Place("NE.S")] == "A"


def test_orphans_that_a_move_leaves_go_with_it() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at({"to_move": "B", "bridges": ["b N>NE M"], "rings": {"NE": {"S": "A"}}}, game)
    overlooked = game.play_overlooking_orphans(position, "reverse N>NE M")
    assert isinstance(overlooked, Played)
    later = game.play(overlooked.after, "add w S>SW M")
    assert isinstance(later, Played)
    assert later.facts["orphans"] == [["A", "NE", "S"]]


def test_an_overlooked_orphan_fills_its_seat() -> None:
    game = game_of({"pattern": "bwbwbbww"})
    position = at(
        {"to_move": "B", "bridges": ["b SE>NE M"], "rings": {"NE": {"S": "A"}}, "posts": {"A": "N", "B": "SE"}}, game
    )
    taken = game.play(position, "ring NE S")
    assert isinstance(taken, Illegal)
    assert taken.reason == "size_taken"
    assert isinstance(game.play(game.sweep(position), "ring NE S"), Played)
