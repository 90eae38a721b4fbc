"""Finity through `companion judge`: the contract's answers, explanations, and all recorded games."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from companion.judge import judge_case, judge_lines
from tests.shared_material import shared

PATTERN = "bwbbwbww"
CHAIN: dict[str, Any] = {
    "to_move": "B",
    "bridges": ["b N>NE M", "w NE>E M", "b E>SE M"],
    "rings": {"NE": {"S": "A"}, "E": {"S": "A"}, "SE": {"S": "A"}},
}


def answer(**case: Any) -> Any:
    return judge_case({"id": "x", "game": "finity", "players": 2, "pattern": PATTERN, **case})


def test_from_the_start_as_in_the_contract() -> None:
    told = answer(posts={"A": "N", "B": "S"}, options={}, moves=["add w N>NE R", "add w S>SW M"])
    assert told["verdicts"] == [
        {"move": "add w N>NE R", "legal": True, "by": "A", "orphans": []},
        {"move": "add w S>SW M", "legal": True, "by": "B", "orphans": []},
    ]
    assert (told["reachable"], told["outcome"]) == ({"A": ["N"], "B": ["S"]}, None)
    assert told["position"]["bridges"] == ["w N>NE R", "w S>SW M"]


def test_from_a_position_as_in_the_contract() -> None:
    position = {
        "to_move": "A",
        "bridges": ["b N>NE M", "w NE>E M"],
        "rings": {"NE": {"S": "A", "M": "A"}, "E": {"S": "A"}},
        "posts": {"A": "N", "B": "S"},
        "blockers": {"A": ["N>C L", "N>C R"], "B": ["S>C L", "S>C R"]},
        "ply": 12,
    }
    told = answer(position=position, moves=[])
    assert told["verdicts"] == []
    assert told["reachable"] == {"A": ["N", "NE", "E"], "B": ["S"]}
    assert {key: told["position"][key] for key in ("to_move", "bridges", "rings", "posts", "ply")} == {
        key: position[key] for key in ("to_move", "bridges", "rings", "posts", "ply")
    }


def test_orphans_and_the_illegal_move_that_ends_the_verdicts() -> None:
    told = answer(position=CHAIN, pattern="bwbwbbww", moves=["reverse NE>E M", "ring C S", "ring NE M"])
    first, second = told["verdicts"]
    assert first["orphans"] == [["A", "SE", "S"], ["A", "E", "S"]]
    assert (second["legal"], second["reason"], len(second)) == (False, "centre_station", 4)
    assert told["position"]["to_move"] == "A"
    assert told["position"]["ringless"] == 0


def test_an_outcome_has_its_path() -> None:
    position = {"to_move": "B", "bridges": ["b N>NE M"], "rings": {"NE": {"S": "A"}}}
    told = answer(position=position, pattern="bw", options={"pattern_length": 2}, moves=["add w NE>C M"], list=True)
    assert told["outcome"] == {"winner": "A", "by": "full_path", "path": ["N", "NE", "C"]}
    assert (told["position"]["to_move"], told["legal_moves"]) == (None, [])
    assert told["reachable"]["A"] == ["C", "N", "NE"]


def test_a_path_closed_by_reversing_a_bridge_wins() -> None:
    position = {"to_move": "B", "bridges": ["b N>NE M", "w C>NE M"], "rings": {"NE": {"S": "A"}}}
    told = answer(position=position, pattern="bw", options={"pattern_length": 2}, moves=["reverse C>NE M"])
    assert told["outcome"]["winner"] == "A"


def test_rings_go_whatever_piece_cuts_them_off() -> None:
    by_post = {"to_move": "A", "bridges": ["b N>NE M", "b N>NW M"], "rings": {"NE": {"S": "A"}, "NW": {"S": "A"}}}
    assert answer(position=by_post, moves=["post NE"])["verdicts"][0]["orphans"] == [["A", "NW", "S"]]
    by_removal = {
        "to_move": "B",
        "bridges": ["b N>NE M"],
        "rings": {"NE": {"S": "B", "M": "A"}},
        "posts": {"A": "N", "B": "NE"},
    }
    assert answer(position=by_removal, moves=["remove N>NE M"])["verdicts"][0]["orphans"] == [["A", "NE", "M"]]
    overlooked = {"to_move": "B", "bridges": [], "rings": {"NE": {"S": "A"}}}
    by_blocker = answer(position=overlooked, moves=["blocker S>C L to N>NE M"])
    assert by_blocker["verdicts"][0]["orphans"] == [["A", "NE", "S"]]


def test_express_games() -> None:
    told = answer(pattern="bbwbww", options={"pattern_length": 6}, moves=["add b N>NE M"])
    assert told["verdicts"][0]["legal"] is True
    ((bad, good),) = judge_lines(['{"id":1,"game":"finity","players":2,"pattern":"bbwbww"}'])
    assert not good
    assert "pattern_length says 8" in str(bad["error"])


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"pattern": None}, "pattern is missing"),
        ({"players": 9}, "players must be 2, 3 or 4"),
        ({"options": {"draw_rounds": "ten"}}, "option draw_rounds must be"),
        ({"position": {"to_move": "A", "bridges": ["?"], "rings": {"Q": {}}}}, "There is no station 'Q'"),
        ({"explain": 1}, "explain must be true or false"),
        ({"moves": [1]}, "moves must be a list of texts"),
    ],
)
def test_bad_lines_are_answered(case: dict[str, Any], said: str) -> None:
    line = json.dumps({"id": 7, "game": "finity", "players": 2, "pattern": PATTERN, **case})
    ((told, good), (_, next_good)) = judge_lines([line, '{"game":"finity","pattern":"bwbbwbww"}'])
    assert (good, next_good, told["id"]) == (False, True, 7)
    assert said in str(told["error"])


def test_explanations() -> None:
    told = answer(position=CHAIN, pattern="bwbwbbww", explain=True)["explanation"]
    assert told["rings"][1] == {
        "player": "A",
        "station": "SE",
        "sizes": ["S"],
        "walk": ["N", "NE", "E", "SE"],
        "bridges": ["b N>NE M", "w NE>E M", "b E>SE M"],
        "hangs_on": ["b N>NE M", "w NE>E M", "b E>SE M"],
    }
    assert told["partial_paths"]["A"]["length"] == 3
    assert told["partial_paths"]["B"] == {"length": 0, "walk": ["S"], "bridges": []}
    assert told["would_orphan"]["reverse NE>E M"] == [["A", "SE", "S"], ["A", "E", "S"]]
    assert "add b S>SE M" not in told["would_orphan"]


def test_a_bridge_with_a_way_round_is_none_that_a_ring_hangs_on() -> None:
    position = {
        "to_move": "B",
        "bridges": ["b N>NE M", "w NE>E M", "w NE>SE M", "b N>C M", "b SE>E L"],
        "rings": {"NE": {"S": "A"}, "SE": {"S": "A"}, "E": {"S": "A"}},
    }
    told = answer(position=position, explain=True)["explanation"]
    hangs_on = {ring["station"]: ring["hangs_on"] for ring in told["rings"]}
    assert hangs_on["E"] == ["b N>NE M"]
    assert hangs_on["SE"] == ["b N>NE M", "w NE>SE M"]


def test_an_overlooked_orphan_is_explained_by_nothing() -> None:
    position = {"to_move": "B", "bridges": [], "rings": {"NE": {"S": "A"}, "N": {"S": "A"}}}
    told = answer(position=position, explain=True)["explanation"]
    assert [(ring["station"], ring["walk"], ring["hangs_on"]) for ring in told["rings"]] == [
        ("N", ["N"], []),
        ("NE", None, None),
    ]


def test_explained_verdicts_say_what_was_lost() -> None:
    told = answer(position=CHAIN, pattern="bwbwbbww", moves=["reverse NE>E M"], explain=True)["verdicts"][0]
    assert told["explanation"].startswith("A loses the small ring on SE and the small ring on E: no walk")
    assert "explanation" not in answer(position=CHAIN, moves=["reverse NE>E M"])["verdicts"][0]


def test_what_explanations_say_of_moves_is_what_the_moves_do() -> None:
    for record in recorded()[:12]:
        case: Any = {key: record[key] for key in ("game", "players", "pattern", "posts")}
        case["options"] = {"pattern_length": len(record["pattern"])}
        moves = [each["move"] for each in record["moves"]]
        for ply in range(10, len(moves) - 1, 17):
            told: Any = judge_case({**case, "moves": moves[:ply], "explain": True})
            would = told["explanation"]["would_orphan"]
            position = told["position"]
            for move, lost in would.items():
                after: Any = judge_case({**case, "position": position, "moves": [move]})
                assert after["verdicts"][0]["orphans"] == lost


def recorded() -> list[dict[str, Any]]:
    text = shared("games", "finity_games.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_all_recorded_games_agree() -> None:
    """Every move legal, its orphans as many of each player, and the end as it was."""
    games = recorded()
    assert len(games) >= 106
    for record in games:
        case = {**record, "options": {"pattern_length": len(record["pattern"])}}
        del case["outcome"], case["pattern_known"]
        told: Any = judge_case({**case, "moves": [each["move"] for each in record["moves"]]})
        assert len(told["verdicts"]) == len(record["moves"])
        for verdict, each in zip(told["verdicts"], record["moves"], strict=True):
            assert (verdict["legal"], verdict["by"]) == (True, each["by"]), (record["id"], verdict)
            assert Counter(owner for owner, _, _ in verdict["orphans"]) == each.get("orphans", {})
        outcome = told["outcome"] or {"unfinished": True}
        if "draw" in record["outcome"]:
            assert outcome == {"draw": "no_ring_change"}
        else:
            assert outcome.get("winner") == record["outcome"].get("winner")


def test_the_worked_cases_of_the_contracts_check() -> None:
    spec = spec_from_file_location("check_contract", shared("tools", "check_contract.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    cases = [(name, case, check) for name, case, check in module.WORKED if case["game"] == "finity"]
    assert len(cases) >= 5
    for name, case, check in cases:
        assert check(judge_case({"id": name, "options": {}, **case})), name
