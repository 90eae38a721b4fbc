"""Whole simulated games: every move right or asked for, no false illegal, every breach named with its reason."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from tests.reconciler.playing import Playing, reasons

KINDS = tuple(BreachKind)


@pytest.mark.parametrize("seed", range(6))
def test_games_with_all_faults_are_recorded_without_a_mistake(seed: int) -> None:
    outcome = Playing(seed, faults=Faults.all_on()).run()
    assert outcome.told == outcome.made
    assert not reasons(outcome)
    assert outcome.count("correction") == 0


@pytest.mark.parametrize("wires", ["", "serial"])
def test_a_camera_alone_and_a_serial_board_do_as_well(wires: str) -> None:
    outcome = Playing(3, faults=Faults.all_on(), wires=wires).run()
    assert outcome.told == outcome.made
    assert not reasons(outcome)


@pytest.mark.parametrize("seed", range(3))
def test_breaches_are_named(seed: int) -> None:
    outcome = Playing(seed, breaches=KINDS).run()
    assert outcome.planted
    assert not outcome.missed
    assert outcome.told == outcome.made


def test_breaches_are_named_among_all_faults() -> None:
    outcome = Playing(0, faults=Faults.all_on(), breaches=KINDS).run()
    assert len(outcome.planted) >= 8
    assert not outcome.missed
    assert outcome.told == outcome.made


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_two_hundred_games_with_all_faults() -> None:
    """Every move right or asked, no false illegal."""
    wrong = []
    for seed, wires in zip(range(200), cycle(["gpio", "serial"])):
        outcome = Playing(seed, faults=Faults.all_on(), wires=wires).run()
        if not outcome.right_or_asked or reasons(outcome):
            wrong.append((seed, wires, reasons(outcome)))
    assert not wrong


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_five_hundred_breaches_of_ten_kinds() -> None:
    """At least 99 % named with a right reason, at a table with all faults."""
    planted, missed = 0, []
    for seed in range(1000, 1100):
        kinds = tuple(islice(cycle(KINDS), seed % len(KINDS), seed % len(KINDS) + len(KINDS)))
        outcome = Playing(seed, faults=Faults.all_on(), breaches=kinds).run()
        planted += len(outcome.planted)
        missed += outcome.missed
        if planted >= 500:
            break
    assert planted >= 500
    assert len(missed) <= planted // 100, missed
