"""Whole simulated games of Finity: every move right or asked for, no false illegal, every breach named."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice

import pytest

from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from tests.reconciler.playing_finity import PlayingFinity

KINDS = tuple(FinityBreachKind)
FAULTS = replace(Faults.all_on(), misread=0.03)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_games_with_all_faults_are_recorded_without_a_mistake(seed: int, players: int) -> None:
    outcome = PlayingFinity(seed, players=players, faults=FAULTS).run()
    assert outcome.right_or_asked, (outcome.told, outcome.made)
    assert not outcome.accused


def test_breaches_are_named() -> None:
    outcome = PlayingFinity(3, players=2, breaches=KINDS).run()
    assert len(outcome.planted) >= 10
    assert not outcome.missed
    assert outcome.told == outcome.made


@pytest.mark.long
@pytest.mark.timeout(14400)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hundred_games_with_all_faults(players: int) -> None:
    """Every move right or asked, no false illegal."""
    wrong = []
    for seed in range(100):
        outcome = PlayingFinity(seed, players=players, faults=FAULTS).run()
        if not outcome.right_or_asked or outcome.accused:
            wrong.append((seed, outcome.accused))
    assert not wrong


@pytest.mark.long
@pytest.mark.timeout(14400)
def test_five_hundred_breaches() -> None:
    """At least 99 % named with a right reason."""
    planted, missed = 0, []
    for seed in range(1000, 1100):
        kinds = tuple(islice(cycle(KINDS), seed % len(KINDS), seed % len(KINDS) + len(KINDS)))
        outcome = PlayingFinity(seed, players=2 + seed % 3, breaches=kinds).run()
        planted += len(outcome.planted)
        missed += outcome.missed
        if planted >= 500:
            break
    assert planted >= 500
    assert len(missed) <= planted // 100, missed
