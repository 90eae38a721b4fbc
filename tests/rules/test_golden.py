"""Every game has a whole game on record, and plays it as it did when the record was made."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.registry import game_names
from tests.rules.playthrough import GOLDEN, playthrough


def golden(name: str) -> list[dict[str, Any]]:
    text = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_every_registered_game_has_a_golden_playthrough() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(game_names())


@pytest.mark.parametrize("name", game_names())
def test_the_game_is_played_as_it_was(name: str) -> None:
    head, *plies = golden(name)
    told = [json.loads(json.dumps(ply)) for ply in playthrough(head)]
    for number, (now, then) in enumerate(zip(told, plies, strict=True), 1):
        assert now == then, f"ply {number}"
    assert plies[-1]["outcome"] is not None
