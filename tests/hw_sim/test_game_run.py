"""Whole games: the truth follows the rules, the devices follow the truth, the seed decides everything."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import pytest

from companion.games.game import Illegal
from companion.games.registry import game_named
from firmware_bridge.wiring import Wiring
from hw_sim.breaches import KNOB_KINDS, REASONS, BreachKind, board_text, far_boards, pushed_board
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.happenings import (
    BreachEnded,
    BreachMade,
    BytesSent,
    FrameTaken,
    GameEnded,
    Happening,
    KnobTurned,
    MoveMade,
    PortChanged,
)
from hw_sim.players import Habits, HeuristicPlayer, RandomPlayer, ScriptedPlayers
from hw_sim.wires import Edge

PLAIN_HABITS = Habits(quick_reply=0.0, late_knob=0.0)


def moves_of(happenings: list[Happening]) -> list[MoveMade]:
    return [h for h in happenings if isinstance(h, MoveMade)]


@pytest.mark.parametrize("faults", [Faults(), Faults.all_on()], ids=["no faults", "all faults"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_legal_and_ends_and_the_table_shows_it(seed: int, faults: Faults) -> None:
    game = SimGame(seed, faults=faults, serial=True)
    happenings = list(game.run())
    end = happenings[-1]
    assert isinstance(end, GameEnded)
    assert end.finished
    rules = game_named("infinity", {})
    position = rules.start()
    for made in moves_of(happenings):
        forced = rules.forced(position)
        if forced is not None:
            assert made.forfeit
            position = forced.after
            continue
        played = rules.play(position, made.move)
        assert not isinstance(played, Illegal)
        position = played.after
        assert made.board == board_text(rules, position)
        assert made.knob_stop == rules.knob_stop(position)
    outcome = rules.outcome(position)
    assert outcome is not None
    assert moves_of(happenings)[-1].winner == outcome.winner
    truth = game.truth()
    assert truth.board == board_text(rules, position)
    assert truth.knob_stop == rules.knob_stop(position)
    assert truth.moves == tuple(made.move for made in moves_of(happenings))
    assert game.next_s is None
    assert game.step() == []


def test_happenings_come_in_the_order_of_time() -> None:
    times = [h.t_s for h in SimGame(4, faults=Faults.all_on(), serial=True).run()]
    assert times == sorted(times)


def test_each_move_breaks_its_beams_and_each_turn_of_the_knob_its_contacts() -> None:
    happenings = list(SimGame(5, habits=PLAIN_HABITS).run())
    edges = [h for h in happenings if isinstance(h, Edge)]
    moves = [made for made in moves_of(happenings) if not made.forfeit]
    for made, following in zip(moves, [*moves[1:], None], strict=True):
        until_s = following.t_s if following else happenings[-1].t_s
        broken = [e.line for e in edges if made.t_s <= e.t_s < until_s and e.line[0] == "e" and e.level == 0]
        channel = made.move[1]
        assert broken == [f"entry{channel}"] + ([f"exit{channel}"] if made.over else [])
    turned = sum(isinstance(h, KnobTurned) for h in happenings)
    assert turned > 0
    assert sum(e.line.startswith("knob") for e in edges) >= 4 * turned


def test_the_knob_is_turned_within_the_grace_time_of_10_s() -> None:
    late = 0
    for seed in range(6):
        shown, due_s, plays_since = 0, None, 0
        for h in SimGame(seed, sights=False, frame_s=0, habits=Habits(late_knob=0.5)).run():
            if isinstance(h, MoveMade):
                plays_since += 1
                if h.knob_stop == shown:
                    due_s = None
                elif due_s is None:
                    due_s, plays_since = h.t_s, 0
            if isinstance(h, KnobTurned):
                assert due_s is not None
                assert h.t_s - due_s < 9.0
                late += plays_since
                shown, due_s = h.stop, None
        assert due_s is None
    assert late > 0


def test_frames_come_about_every_period_and_some_are_lost() -> None:
    whole = [h.t_s for h in SimGame(6, frame_s=0.5).run() if isinstance(h, FrameTaken)]
    gaps = [b - a for a, b in pairwise(whole)]
    assert min(gaps) > 0.41
    assert max(gaps) < 0.59
    lossy = [h.t_s for h in SimGame(6, faults=Faults(lost_frames=0.2)).run() if isinstance(h, FrameTaken)]
    assert max(b - a for a, b in pairwise(lossy)) > 0.8


def test_devices_that_are_not_asked_for_say_nothing() -> None:
    kinds = Counter(type(h) for h in SimGame(7, frame_s=0, edges=False).run())
    assert not {FrameTaken, Edge, BytesSent, PortChanged} & set(kinds)
    blind = [h for h in SimGame(7, sights=False).run() if isinstance(h, FrameTaken)]
    assert blind
    assert all(h.seen is None for h in blind)


def test_the_seed_decides_everything() -> None:
    def played(seed: int) -> list[Happening]:
        return list(SimGame(seed, faults=Faults.all_on(), serial=True, breaches=tuple(BreachKind)).run())

    assert played(8) == played(8)
    assert played(8) != played(9)


def test_a_game_of_25_turns_costs_well_under_a_third_of_a_second() -> None:
    started_s, turns = time.process_time(), 0
    for seed in range(4):
        game = SimGame(seed, faults=Faults.all_on(), serial=True)
        turns += sum(isinstance(h, MoveMade) for h in game.run())
    assert (time.process_time() - started_s) / turns * 25 < 0.3


def test_scripted_players_play_their_moves_and_stop() -> None:
    game = SimGame(1, players=ScriptedPlayers(["Y1", "B1", "W2"]))
    happenings = list(game.run())
    assert [made.move for made in moves_of(happenings)] == ["Y1", "B1", "W2"]
    assert happenings[-1] == GameEnded(happenings[-1].t_s, finished=False)
    with pytest.raises(ValueError, match="Y2 is not legal"):
        list(SimGame(1, players=ScriptedPlayers(["Y1", "Y2"])).run())


def test_players_who_think_beat_players_who_do_not() -> None:
    wins: Counter[str | None] = Counter()
    for seed in range(6):
        game = SimGame(seed, players=(HeuristicPlayer(), RandomPlayer()), frame_s=0, sights=False)
        wins[moves_of(list(game.run()))[-1].winner] += 1
    assert wins["blue"] >= 5


def test_house_rules_hold_at_the_table_too() -> None:
    happenings = list(SimGame(2, options={"first": "yellow", "blue_knob": "ccw"}).run())
    moves = moves_of(happenings)
    assert moves[0].by == "yellow"
    scored = [made for made in moves if 0 < abs(made.score) < 5]
    assert scored
    assert all(made.knob_stop == -made.score for made in scored)


def test_marbles_may_be_cleared_up_after_the_game() -> None:
    game = SimGame(3, habits=Habits(clear_up=True))
    list(game.run())
    assert game.truth().board == "....|....|....|...."
    assert len(game.truth().well) == 18


def test_quick_replies_come_at_once_but_never_two_in_a_row() -> None:
    replies = 0
    for seed in range(4):
        made = moves_of(list(SimGame(seed, habits=Habits(quick_reply=0.6, late_knob=0.0), frame_s=0).run()))
        times = [move.t_s for move in made if not move.forfeit]
        quick = [b - a < 2.6 for a, b in pairwise(times)]
        assert not any(a and b for a, b in pairwise(quick))
        replies += sum(quick)
    assert replies > 10


def test_people_forget_the_knob_or_turn_it_wrong_when_their_habits_say_so() -> None:
    def stops(habits: Habits) -> tuple[set[int], set[int]]:
        right, turned = set(), set()
        for h in SimGame(10, habits=habits, frame_s=0, sights=False).run():
            if isinstance(h, MoveMade):
                right.add(h.knob_stop)
            if isinstance(h, KnobTurned):
                turned.add(h.stop)
        return right, turned

    right, turned = stops(Habits(forgets_knob=1.0))
    assert len(right) > 1
    assert not turned
    right, turned = stops(Habits(wrong_knob=1.0, late_knob=0.0))
    assert turned - right


def test_people_turn_a_forgotten_knob_when_the_referee_complains() -> None:
    game = SimGame(10, habits=Habits(forgets_knob=1.0), frame_s=0, sights=False)
    turned = 0
    for h in game.run():
        if isinstance(h, MoveMade) and h.knob_stop != game.table.truth().knob_stop:
            game.complain("knob_mismatch")
            game.complain("knob_mismatch")
        turned += isinstance(h, KnobTurned)
    assert turned > 0
    assert game.truth().knob_stop == game.rules.knob_stop(game.script.position)


def test_people_shrug_at_a_complaint_without_a_cause() -> None:
    def moves(*complaints: str) -> list[str]:
        game = SimGame(12, frame_s=0, sights=False)
        for h in game.run():
            if isinstance(h, MoveMade) and h.ply % 5 == 0:
                for reason in complaints:
                    game.complain(reason)
        return game.script.moves

    assert moves("piece_taken") == moves()


def test_people_hold_marbles_over_seats_when_the_fault_is_on() -> None:
    def held_or_lifted(faults: Faults) -> int:
        game = SimGame(11, faults=faults, serial=False)
        happenings = list(game.run())
        lifted = sum(isinstance(h, Edge) and h.line.startswith("slot") and h.level == 0 for h in happenings)
        over = 0
        for h in happenings:
            if isinstance(h, FrameTaken):
                over += sum(10 < m.z_mm < 23 and m.y_mm > 12 for m in h.scene.marbles)
        return lifted + over

    assert held_or_lifted(Faults()) == 0
    assert held_or_lifted(Faults(hold_rate=4.0)) > 0


def breach_game(kind: BreachKind, reason: str | None) -> tuple[SimGame, list[Happening]]:
    """A game with one breach of a kind, complained of as `reason`."""
    for seed in range(20):
        game = SimGame(seed, breaches=(kind,), habits=PLAIN_HABITS)
        happenings = []
        for happening in game.run():
            happenings.append(happening)
            if isinstance(happening, BreachMade) and reason:
                game.complain(reason)
        if game.script.planted:
            return game, happenings
    raise AssertionError(f"no {kind} in 20 games")


@pytest.mark.parametrize("kind", list(BreachKind))
def test_each_breach_is_done_by_hands_and_put_right_when_the_referee_complains(kind: BreachKind) -> None:
    reason = sorted(REASONS[kind])[0]
    game, happenings = breach_game(kind, reason)
    made = next(h for h in happenings if isinstance(h, BreachMade))
    ended = next(h for h in happenings if isinstance(h, BreachEnded))
    assert ended.complaint == reason
    assert made.reasons == REASONS[kind]
    assert made.words
    between = [h for h in happenings if made.t_s <= h.t_s <= ended.t_s]
    assert not moves_of(between)
    if kind not in KNOB_KINDS:
        frames = [h.seen for h in between if isinstance(h, FrameTaken) and h.seen]
        boards = {board_seen(seen.places) for seen in frames if seen.status == "ok"}
        assert boards - {made.board}, "the breach was never to be seen"
        assert board_seen(frames[-1].places) == made.board, "it was not put right"
    assert game.script.finished
    rules = game.rules
    assert game.truth().board == board_text(rules, game.script.position)
    assert game.truth().knob_stop == rules.knob_stop(game.script.position)


def board_seen(places: Mapping[str, object]) -> str:
    def best(place: str) -> str:
        likelihoods = places[place].likelihoods  # type: ignore[attr-defined]
        return max(likelihoods, key=likelihoods.__getitem__, default="?")

    return "|".join("".join(best(f"{c}.{s}") for s in range(1, 5)) for c in range(1, 5))


def test_people_see_a_breach_themselves_when_nobody_complains() -> None:
    _, happenings = breach_game(BreachKind.TAKEN_AWAY, None)
    made = next(h for h in happenings if isinstance(h, BreachMade))
    ended = next(h for h in happenings if isinstance(h, BreachEnded))
    assert ended.complaint is None
    assert ended.t_s - made.t_s > Habits().patience_s


def test_people_put_the_table_right_to_the_board_that_the_referee_says() -> None:
    """A referee that saw the first of two marbles alone has played it."""
    for seed in range(20):
        game = SimGame(seed, breaches=(BreachKind.TWO_MARBLES,), habits=PLAIN_HABITS)
        said = ""
        for happening in game.run():
            if isinstance(happening, BreachMade):
                first = happening.words.split(": ")[1].split(" and ")[0]
                said = pushed_board(happening.board, first[0], int(first[1]))
                game.complain("not_your_turn", said)
                plies = len(game.script.moves)
            if isinstance(happening, BreachEnded):
                assert game.script.moves[plies] == first
                assert game.truth().board == said
        if said:
            return
    raise AssertionError("no two marbles in 20 games")


def test_a_breach_never_looks_like_a_legal_move() -> None:
    boards = 0
    for seed in range(6):
        game = SimGame(seed, breaches=tuple(BreachKind), frame_s=0, sights=False, habits=Habits(patience_s=4.0))
        legal: set[str] = set()
        made = None
        for h in game.run():
            if isinstance(h, BreachMade):
                made, rules, position = h, game.rules, game.script.position
                played = [rules.play(position, move) for move in rules.legal_moves(position)]
                legal = {board_text(rules, p.after) for p in played if not isinstance(p, Illegal)}
            if made and made.kind not in KNOB_KINDS and isinstance(h, Edge) and h.t_s > made.t_s + 3.9:
                made = None
            if isinstance(h, BreachEnded):
                made = None
            if made and made.kind in (BreachKind.OUT_OF_TURN, BreachKind.MOVED, BreachKind.WRONG_END):
                board = game.truth().board
                if board != made.board and game.truth().settled:
                    boards += 1
                    assert board not in legal
    assert boards > 0


def test_boards_after_a_push_are_told_from_either_end() -> None:
    assert pushed_board("BY..|....|....|....", "K", 1) == "KBY.|....|....|...."
    assert pushed_board("B.YB|....|....|....", "K", 1) == "KBYB|....|....|...."
    assert pushed_board("....|....|....|BYBY", "W", 4) == "....|....|....|WBYB"
    assert far_boards("BY..|....|....|....", "K", 1) == ("BYK.|....|....|....", "BY.K|....|....|....")
    assert far_boards("BYBY|....|....|....", "K", 1) == ("YBYK|....|....|....",)


def test_people_answer_questions_from_the_truth() -> None:
    game = SimGame(1, players=ScriptedPlayers(["Y1", "B1", "W2"]))
    list(game.run())
    assert game.answer(["Y2", "W2"]) == "W2"
    assert game.answer(["B1 Y2", "B1 W2"]) == "B1 W2"
    assert game.answer(["K1", "B1"], ply=1) == "B1"
    assert game.answer(["Y3", "nothing happened"]) is None
    assert game.answer(["Y1, B1, pass, W2"]) == "Y1, B1, pass, W2"


def test_all_ten_kinds_come_in_a_few_games() -> None:
    planted: Counter[str] = Counter()
    for seed in range(4):
        game = SimGame(seed, breaches=tuple(BreachKind), frame_s=0, sights=False, habits=Habits(patience_s=3.0))
        list(game.run())
        planted.update(made.kind for made in game.script.planted)
    assert set(planted) == set(BreachKind)


def test_a_table_may_be_wired_otherwise() -> None:
    wiring = Wiring(entry=("BCM2", "BCM3", "BCM4", "BCM14"), beam_blocked_level=1)
    game = SimGame(1, wiring=wiring, players=ScriptedPlayers(["Y4"]))
    edges = [h for h in game.run() if isinstance(h, Edge) and h.line in game.pins]
    assert [(game.pins[edge.line], edge.level) for edge in edges] == [("BCM14", 1), ("BCM14", 0)]


@pytest.mark.long
def test_two_hundred_games_with_all_faults_and_five_hundred_breaches_keep_the_table_true() -> None:
    planted: Counter[str] = Counter()
    for seed in range(200):
        game = SimGame(seed, faults=Faults.all_on(), serial=True, breaches=tuple(BreachKind)[seed % 10 :][:3])
        *_, end = game.run()
        assert isinstance(end, GameEnded)
        assert end.finished
        assert game.truth().board == board_text(game.rules, game.script.position)
        assert game.truth().knob_stop == game.rules.knob_stop(game.script.position)
        planted.update(made.kind for made in game.script.planted)
    assert sum(planted.values()) > 450
    assert set(planted) == set(BreachKind)
