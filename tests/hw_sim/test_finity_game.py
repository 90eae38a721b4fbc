"""Whole simulated games of Finity: played by the rules, orphans taken off, at a table that stays what it should."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from companion.games.finity.rules import Finity
from companion.games.game import Json, Played
from hw_sim.faults import Faults
from hw_sim.finity.deeds import spelt
from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import (
    BreachEnded,
    BreachMade,
    FrameTaken,
    GameEnded,
    Happening,
    MoveMade,
    MoveSettled,
    RingsRemoved,
)
from hw_sim.finity.players import FinityHabits, RandomFinityPlayer, SensiblePlayer
from hw_sim.players import ScriptedPlayers
from tests.shared_material import shared

SETUP: dict[str, Json] = {"players": 2, "pattern": "bwbwbbww"}
FAULTS = replace(Faults.all_on(), misread=0.03)
TOLD = FinityHabits(notices_orphans=0.0, forgets_orphans=0.0, late_orphans=0.0, quick_reply=0.0)


def refereed(game: FinityGame, *, reminds: bool = True) -> Iterator[Happening]:
    """A game whose referee names orphans as soon as a move is made."""
    for happening in game.run():
        if isinstance(happening, MoveMade) and happening.orphans:
            game.point_out(happening.orphans)
            if reminds:
                game.remind(happening.orphans)
        yield happening


def lies_right(game: FinityGame) -> bool:
    truth = game.truth()
    return dict(truth.sight) == dict(game.rules.sight(truth.position))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_with_all_faults_is_played_by_the_rules(players: int, seed: int) -> None:
    game = FinityGame(seed, setup={"players": players, "pattern": "bwbbwbww"}, faults=FAULTS)
    happened = list(refereed(game))
    assert isinstance(happened[-1], GameEnded)
    times = [happening.t_s for happening in happened]
    assert times == sorted(times)
    rules, position = game.rules, game.rules.start()
    made = [h for h in happened if isinstance(h, MoveMade)]
    for ply, move in enumerate(made, 1):
        assert (move.ply, move.by) == (ply, rules.to_move(position))
        played = rules.play(position, move.move)
        assert isinstance(played, Played)
        assert [list(ring) for ring in move.orphans] == played.facts["orphans"]
        position = played.after
        assert move.outcome == rules.outcome(position)
    assert len(made) >= 15
    assert position == game.truth().position
    assert lies_right(game)
    assert game.truth().moves == tuple(move.move for move in made)


def test_every_orphaning_move_is_followed_by_the_removal_of_its_rings() -> None:
    count = 0
    for seed in range(6):
        happened = list(refereed(FinityGame(seed, setup=SETUP, frame_s=0)))
        cut = [h for h in happened if isinstance(h, MoveMade) and h.orphans]
        gone = [h for h in happened if isinstance(h, RingsRemoved)]
        assert [(h.ply, h.orphans) for h in cut] == [(h.ply, h.rings) for h in gone]
        assert all(later.t_s > sooner.t_s for sooner, later in zip(cut, gone, strict=True))
        count += len(cut)
    assert count > 10, "games have orphans"


def test_nobody_moves_while_orphans_lie_there() -> None:
    for seed in range(4):
        lying = False
        for happening in refereed(FinityGame(seed, setup=SETUP, frame_s=0)):
            if isinstance(happening, MoveMade):
                assert not lying
                lying = bool(happening.orphans)
            elif isinstance(happening, RingsRemoved):
                lying = False


def scripted(moves: list[str], habits: FinityHabits = TOLD, **settings: Any) -> FinityGame:
    return FinityGame(3, setup=SETUP, players=ScriptedPlayers(moves), habits=habits, frame_s=0, **settings)


def waited_s(habits: FinityHabits, *, points_out: bool, reminds: bool) -> float:
    """How long the orphan of a reversal lies there."""
    game = scripted(["add b N>NE M", "add b S>SW M", "ring NE S", "reverse N>NE M"], habits)
    cut_s = 0.0
    for happening in game.run():
        if isinstance(happening, MoveMade) and happening.orphans:
            assert happening.orphans == (("A", "NE", "S"),)
            cut_s = happening.t_s
            if points_out:
                game.point_out(happening.orphans)
            if reminds:
                game.remind(happening.orphans)
        if isinstance(happening, RingsRemoved):
            return happening.t_s - cut_s
    raise AssertionError("the ring was never taken off")


def test_people_take_off_what_the_referee_names() -> None:
    assert waited_s(TOLD, points_out=True, reminds=False) < 6
    assert waited_s(TOLD, points_out=False, reminds=False) > TOLD.patience_s, "else they see it at last"


def test_some_people_need_no_referee() -> None:
    assert waited_s(replace(TOLD, notices_orphans=1.0), points_out=False, reminds=False) < 6


def test_some_people_are_late() -> None:
    late = replace(TOLD, late_orphans=1.0)
    assert waited_s(late, points_out=True, reminds=False) > late.late_s[0]
    assert waited_s(late, points_out=True, reminds=True) < 6, "unless they are reminded"


def test_some_people_forget_until_they_are_reminded() -> None:
    forgetful = replace(TOLD, forgets_orphans=1.0)
    assert waited_s(forgetful, points_out=True, reminds=False) > 60
    assert waited_s(forgetful, points_out=True, reminds=True) < 6


def test_naming_rings_that_are_no_orphans_changes_nothing() -> None:
    game = scripted(["add b N>NE M", "add b S>SW M", "ring NE S"])
    for _ in game.run():
        game.point_out([("A", "NE", "S")])
        game.complain("piece_moved")
    assert game.truth().sight["NE.S"] == "A"


BAD = {
    "wrong_ring_removed": replace(TOLD, wrong_orphan=1.0),
    "ring_not_removed": replace(TOLD, leaves_orphans=1.0),
}


@pytest.mark.parametrize("kind", BAD)
def test_habits_of_bad_people_are_breaches(kind: str) -> None:
    kinds = set()
    for seed in range(4):
        game = FinityGame(seed, setup=SETUP, frame_s=0, habits=BAD[kind])
        for happening in refereed(game):
            if isinstance(happening, BreachMade):
                kinds.add(happening.kind)
                game.complain(kind, game.script.position)
            if isinstance(happening, BreachEnded):
                assert happening.complaint == kind
        assert lies_right(game)
    assert kinds == {kind}


def test_quick_replies_come_at_once_and_never_three_in_a_row() -> None:
    quick = []
    for seed in range(5):
        game = FinityGame(seed, setup=SETUP, frame_s=0, habits=replace(TOLD, quick_reply=0.7))
        happened = [h for h in refereed(game) if isinstance(h, MoveMade | MoveSettled)]
        gaps = [b.t_s - a.t_s for a, b in pairwise(happened) if isinstance(a, MoveSettled)]
        row = [gap < 1.7 for gap in gaps]  # nobody thinks for less than 1.5 s and no hand needs less than 0.4 s
        assert not any(a and b for a, b in pairwise(row))
        quick += row
    assert 0.2 < sum(quick) / len(quick) < 0.6


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (list(refereed(FinityGame(5, setup=SETUP, faults=FAULTS))) for _ in range(2))
    assert one == other
    assert one != list(refereed(FinityGame(6, setup=SETUP, faults=FAULTS)))


def test_frames_come_with_scene_and_reading() -> None:
    frames = [h for h in refereed(FinityGame(1, setup=SETUP)) if isinstance(h, FrameTaken)]
    assert len(frames) > 300
    assert all(frame.seen is not None for frame in frames)
    assert 0.4 < (frames[-1].t_s - frames[0].t_s) / (len(frames) - 1) < 0.6
    assert any(frame.scene.hands for frame in frames)
    unread = next(h for h in FinityGame(1, setup=SETUP, sights=False).run() if isinstance(h, FrameTaken))
    assert unread.seen is None


def test_sensible_players_come_to_a_full_path() -> None:
    for seed in range(3):
        game = FinityGame(seed, setup=SETUP, players=SensiblePlayer(stop_after=0), frame_s=0)
        *_, last = refereed(game)
        assert last == GameEnded(last.t_s, True)
        outcome = game.rules.outcome(game.truth().position)
        assert outcome is not None
        assert outcome.winner in ("A", "B")


def test_random_games_have_moves_of_all_kinds() -> None:
    kinds = Counter[str]()
    for seed in range(8):
        game = FinityGame(seed, setup=SETUP, players=RandomFinityPlayer(stop_after=80), frame_s=0)
        kinds.update(h.move.split()[0] for h in refereed(game) if isinstance(h, MoveMade))
    assert all(kinds[kind] > 5 for kind in ("add", "reverse", "remove", "ring", "post", "blocker")), kinds


def test_answers_tell_what_really_happened() -> None:
    game = scripted(["add b N>NE M", "add w S>SE M", "ring NE S"])
    for _ in game.run():
        pass
    assert game.answer(["add b N>NE L", "add b N>NE M"], 0) == "add b N>NE M"
    assert game.answer(["add b NE>N M", "none"], 0) is None
    assert game.answer(["add w S>SE M ring NE S"], 1) == "add w S>SE M ring NE S"
    assert game.answer(["add w S>SE M, then ring NE S"], None) == "add w S>SE M, then ring NE S"
    assert game.answer(["ring NE S"]) == "ring NE S"
    assert game.answer(["ring NE S"], 1) is None
    assert game.answer([""], 0) is None


def test_a_list_of_players_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match="2 players sit"):
        FinityGame(1, setup=SETUP, players=[RandomFinityPlayer()] * 3)


def recorded_games() -> list[dict[str, Any]]:
    lines = shared("games", "finity_games.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def legal_part(recorded: dict[str, Any]) -> list[str]:
    """The moves up to the first that these rules forbid: not every game was recorded under the default options."""
    rules = Finity.of({key: recorded[key] for key in ("players", "pattern", "posts")})
    position, moves = rules.start(), []
    for move in recorded["moves"]:
        played = rules.play(position, move["move"])
        if not isinstance(played, Played):
            break
        position = played.after
        moves.append(spelt(rules, played.move))
        if rules.outcome(position) is not None:
            break
    return moves


@pytest.mark.parametrize("number", range(6))
def test_recorded_games_can_be_played_at_the_table(number: int) -> None:
    recorded = recorded_games()[number]
    moves = legal_part(recorded)
    setup = {key: recorded[key] for key in ("players", "pattern", "posts")}
    game = FinityGame(number, setup=setup, players=ScriptedPlayers(moves), frame_s=0, faults=FAULTS)
    happened = list(refereed(game))
    assert [h.move for h in happened if isinstance(h, MoveMade)] == moves
    assert lies_right(game)
