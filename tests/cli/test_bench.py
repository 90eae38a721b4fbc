"""`companion bench`: what it says, and that every stage measures what its name says."""

from __future__ import annotations

import json

import pytest

from companion.cli.judge_speed import simulated_case
from companion.cli.reconcile_speed import sights
from companion.evidence import Sight
from companion.table import Table
from tests.cli.conftest import Command

STAGES = [
    "copy", "decode", "recognise_infinity", "recognise_infinity_pose", "recognise_infinity_full", "recognise_finity",
    "recognise_finity_pose", "recognise_finity_place", "recognise_finity_move", "recognise_finity_full",
    "reconcile_infinity", "reconcile_finity",
]  # fmt: skip


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_the_looks_that_are_timed_lead_to_the_moves_that_were_played(game: str) -> None:
    case = simulated_case(game, 4, 3)
    table = Table(case.rules(), game_id="bench")
    table.start(0.0)
    for first, settling in list(sights(game, 3))[:4]:
        assert isinstance(first, Sight)
        table.take(first)
        table.take(settling)
        table.tick(settling.t_s)
    assert table.referee.record.moves == case.moves[:4]


@pytest.mark.long
def test_the_bench_has_every_stage_of_both_games(companion: Command) -> None:
    answer = companion("bench", "--seconds", "0.05", "--json")
    assert answer.code == 0, answer.errors
    result = json.loads(answer.out)
    assert [stage["name"] for stage in result["stages"]] == STAGES
    assert all(stage["median_us"] <= stage["p95_us"] <= stage["max_us"] for stage in result["stages"])
    assert result["stages"][0]["floor_ratio"] == 1.0
    assert {"moves_per_s", "legal_moves_per_s"} <= set(result["judge"])
    assert result["latency_ms"]["median"] > 0
