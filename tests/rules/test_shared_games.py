"""The rules against material that others made: a recorded game, and the contract's own check."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from companion.judge import judge_case
from tests.shared_material import shared


def test_the_recorded_game_replays_exactly() -> None:
    folder = shared("images", "infinity", "recording")
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    moves = [turn["move"] for turn in truth]
    for count, turn in enumerate(truth, 1):
        answer: Any = judge_case({"game": meta["game"], "options": meta["options"], "moves": moves[:count]})
        last = [verdict for verdict in answer["verdicts"] if not verdict.get("forfeit")][-1]
        assert (last["move"], last["score"], last["rows"]) == (turn["move"], turn["score"], turn["rows"])
        assert (answer["position"]["board"], answer["outcome"]) == (turn["board"], turn["outcome"])
    assert [turn["outcome"] for turn in truth[:-1]] == [None] * (len(truth) - 1)
    assert truth[-1]["outcome"] is not None


def test_the_worked_cases_of_the_contracts_check() -> None:
    spec = spec_from_file_location("check_contract", shared("tools", "check_contract.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    worked: list[tuple[str, dict[str, Any], Callable[[Any], bool]]] = module.WORKED
    cases = [(name, case, check) for name, case, check in worked if case["game"] == "infinity"]
    assert len(cases) >= 11
    for name, case, check in cases:
        assert check(judge_case({"id": name, "options": {}, **case})), name
