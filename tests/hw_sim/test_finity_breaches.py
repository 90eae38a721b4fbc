"""Breaches of Finity's rules: each is really one, shows, looks like no legal move, and is put right when it is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.game import Json, Played
from hw_sim.faults import Faults
from hw_sim.finity.breaches import ORPHAN_KINDS, FinityBreachKind
from hw_sim.finity.deeds import deed_of
from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import BreachEnded, BreachMade, MoveMade
from hw_sim.finity.looks import LegalLooks
from hw_sim.finity.players import FinityHabits

KINDS = list(FinityBreachKind)
FAULTS = replace(Faults.all_on(), misread=0.03)
RARE = {FinityBreachKind.SIZE_TAKEN, FinityBreachKind.REFILL_AFTER_REMOVAL, FinityBreachKind.WRONG_RING_REMOVED}


def a_game(seed: int, players: int, kinds: list[FinityBreachKind], **settings: object) -> FinityGame:
    setup: dict[str, Json] = {"players": players, "pattern": "bwbbwbww"}
    return FinityGame(f"breach {seed}", setup=setup, breaches=kinds, frame_s=0, **settings)  # type: ignore[arg-type]


def planted(seed: int, players: int, kinds: list[FinityBreachKind]) -> list[BreachMade]:
    """The breaches of a game; each is looked at when it is done, and complained of."""
    game = a_game(seed, players, kinds, faults=FAULTS)
    found: list[BreachMade] = []
    waiting = False
    while game.next_s is not None:
        for happening in game.step():
            if isinstance(happening, MoveMade):
                game.point_out(happening.orphans)
            elif isinstance(happening, BreachMade):
                found.append(happening)
                looked_at(game, happening)
                waiting = True
            elif isinstance(happening, BreachEnded):
                assert not waiting
                assert happening.complaint == complaint_of(found[-1])
                assert dict(game.rules.sight(game.truth().position)) == dict(game.truth().sight)
        if waiting and all(game.truth().sight[place] == label for place, label in found[-1].changes):
            game.complain(complaint_of(found[-1]), game.truth().position)
            waiting = False
    return found


def complaint_of(made: BreachMade) -> str:
    return sorted(made.reasons)[0]


def looked_at(game: FinityGame, made: BreachMade) -> None:
    sight = game.truth().sight
    assert made.changes
    assert all(sight[place] != label for place, label in made.changes), "it changes what is seen"
    assert made.reasons
    assert made.words.startswith(made.by)
    assert not set(game.blind) & {place for place, _ in made.changes}
    if made.kind not in ORPHAN_KINDS:
        assert not LegalLooks(game.rules, game.truth().position).explain(frozenset(made.changes)), made.words


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_kinds_are_planted_and_put_right(players: int) -> None:
    kinds = Counter[str]()
    for seed in range(4):
        kinds.update(made.kind for made in planted(seed, players, KINDS))
    assert all(kinds[kind] >= 3 for kind in FinityBreachKind if kind not in RARE), kinds
    assert all(kinds[kind] >= 1 for kind in RARE), kinds


@pytest.mark.parametrize("kind", [kind for kind in FinityBreachKind if kind not in ORPHAN_KINDS])
def test_the_rules_name_the_breach_as_the_planter_does(kind: FinityBreachKind) -> None:
    """What the rules list as a breach of this look must be among the reasons that a referee may give."""
    named = 0
    for seed in range(3):
        game = a_game(seed, 2, [kind])
        for happening in game.run():
            if isinstance(happening, MoveMade):
                game.point_out(happening.orphans)
            if isinstance(happening, BreachMade):
                look = frozenset(happening.changes)
                told = {b.reason for b in game.rules.breaches(game.truth().position) if set(b.changes.items()) == look}
                assert told <= happening.reasons, happening.words
                named += bool(told)
    if kind is not FinityBreachKind.TWO_MOVES:  # two changes at once are the reconciler's to put together
        assert named


def test_nobody_breaks_rules_unasked() -> None:
    for seed in range(3):
        assert not [h for h in a_game(seed, 2, []).run() if isinstance(h, BreachMade)]


def test_without_a_referee_people_see_it_themselves() -> None:
    habits = FinityHabits(patience_s=5.0)
    game = a_game(1, 2, [FinityBreachKind.CORNER_TAKEN], habits=habits)
    made_s = 0.0
    for happening in game.run():
        if isinstance(happening, BreachMade):
            made_s = happening.t_s
        if isinstance(happening, BreachEnded):
            assert happening.complaint is None
            assert 5.0 < happening.t_s - made_s < 20.0
            assert dict(game.rules.sight(game.truth().position)) == dict(game.truth().sight)
            return
    raise AssertionError("no breach was planted")


def test_people_go_back_to_the_referees_board_where_it_is_one_move_on() -> None:
    """Of two moves at once the referee may have seen the first alone, and played it."""
    for seed in range(4):
        game = a_game(seed, 2, [FinityBreachKind.TWO_MOVES])
        first = ""
        for happening in game.run():
            if isinstance(happening, MoveMade):
                game.point_out(happening.orphans)
                if first and happening.move == first:
                    break
            if isinstance(happening, BreachMade):
                first = happening.words.split(": ")[1].split(" and ")[0]
                played = game.rules.play(game.truth().position, first)
                assert isinstance(played, Played)
                game.complain("wrong_player", game.rules.position_json(played.after))
        else:
            raise AssertionError("the first move was not made")


def test_a_change_that_two_quick_moves_leave_is_explained() -> None:
    game = a_game(1, 2, [])
    rules, start = game.rules, game.rules.start()
    first = rules.play(start, "add b N>NE M")
    assert isinstance(first, Played)
    looks = LegalLooks(rules, start)
    one = deed_of(rules, start, "add b N>NE M").look
    two = deed_of(rules, first.after, "add w S>SE L").look
    assert looks.explain(one)
    assert looks.explain(one | two)
    assert not looks.explain(deed_of(rules, start, "ring NE S").look)
    assert not looks.explain(one | deed_of(rules, start, "ring NE S").look), "the second would be A's again"


@pytest.mark.long
def test_five_hundred_breaches_at_tables_with_all_faults() -> None:
    kinds = Counter[str]()
    for players in (2, 3, 4):
        for seed in range(100, 118):
            kinds.update(made.kind for made in planted(seed, players, KINDS))
    assert kinds.total() >= 500
    assert all(kinds[kind] >= 15 for kind in FinityBreachKind), kinds
