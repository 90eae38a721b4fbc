"""The judge against the naive model, on random games under random house rules."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from companion.judge import judge_case
from tests.rules.naive import CHOICES, DEFAULTS, NaiveInfinity

MORE_CHOICES: dict[str, list[Any]] = {
    "score_on_forfeit": [False, True],
    "allow_pass": [False, True],
    "joker_may_be_withheld": [False, True],
    "max_turns": [None, 1, 12, 30],
    "first": [None, "blue", "yellow"],
}


def random_options(rng: random.Random) -> dict[str, Any]:
    """House rules of which about half are not the default."""
    every = {name: choices for name, (_, choices) in CHOICES.items()} | MORE_CHOICES
    return {name: rng.choice(choices) for name, choices in every.items() if rng.random() < 0.6}


TRICKY = [
    ("YYK.|YYB.|YYB.|YB..", 4, "yellow"),  # two rows in reach for Yellow, against Blue's Joker row and score
    ("BBYY|BBYY|BBYY|BBYY", 0, "blue"),  # both have two rows, and only their Jokers left
]


def random_position(rng: random.Random) -> tuple[str, int, str]:
    """A board of any fullness, mixed or striped (there rows of both players stand side by side), score and mover."""
    if rng.random() < 0.15:
        return rng.choice(TRICKY)
    board = striped_board(rng) if rng.random() < 0.6 else mixed_board(rng)
    return board, rng.choice([-4, -3, -1, 0, 2, 3, 4]), rng.choice(["blue", "yellow"])


def mixed_board(rng: random.Random) -> str:
    well = list("BBBBBBBBKYYYYYYYYW")
    rng.shuffle(well)
    sizes = [rng.choice([rng.randrange(5), 4]) for _ in range(4)]
    return "|".join("".join(well.pop() for _ in range(size)).ljust(4, ".") for size in sizes)


def striped_board(rng: random.Random) -> str:
    """Two lines of four for each player, but for a few swaps with each other and the well; the far end may be bare."""
    stripes = ["BBBB", "BBBB", "YYYY", "YYYY"]
    rng.shuffle(stripes)
    marbles = [*"".join(stripes), "K", "W"]
    for joker, plain in ((16, "B"), (17, "Y")):
        if rng.random() < 0.5:
            seat = rng.choice([index for index in range(16) if marbles[index] == plain])
            marbles[seat], marbles[joker] = marbles[joker], marbles[seat]
    for _ in range(rng.randrange(3)):
        one, other = rng.randrange(18), rng.randrange(18)
        marbles[one], marbles[other] = marbles[other], marbles[one]
    across = rng.random() < 0.5
    channels = ["".join(marbles[start:16:4] if across else marbles[4 * start : 4 * start + 4]) for start in range(4)]
    return "|".join(channel[: 4 if rng.random() < 0.8 else 3].ljust(4, ".") for channel in channels)


def random_illegal(rng: random.Random, naive: NaiveInfinity, last: dict[str, Any]) -> str:
    """A readable move that is illegal; after a forfeit none that could be meant for the forfeited turn."""
    legal = naive.legal_moves()
    spent = {"blue": "BK", "yellow": "YW"}[last["by"]] if "forfeit" in last else ""
    moves = [marble + number for marble in "BKYW" for number in "123490" if marble not in spent]
    return rng.choice([move for move in [*moves, *([] if spent else ["pass"])] if move not in legal])


def compare_a_game(seed: int) -> Counter[str]:
    """Play a random game through both; returns what happened in it."""
    rng = random.Random(seed)
    naive = NaiveInfinity(random_options(rng))
    case: dict[str, Any] = {"id": seed, "game": "infinity", "options": naive.options, "list": True}
    if rng.random() < 0.6:
        board, score, to_move = random_position(rng)
        case["position"] = {"board": board, "score": score, "to_move": to_move}
        naive.set_position(board, score, to_move)
    moves: list[str] = []
    verdicts: list[dict[str, Any]] = []
    for _ in range(rng.choice([1, 2, 8, 45])):
        while naive.forfeit_due():
            verdicts.append(naive.play("pass"))
            if rng.random() < 0.3 and naive.reason_against("pass"):
                moves.append("pass")  # a record may hold the forfeit, where it cannot be the next player's pass
        if naive.outcome:
            break
        moves.append(rng.choice(naive.legal_moves()))
        verdicts.append(naive.play(moves[-1]))
    if naive.forfeit_due() and rng.random() < 0.5:
        moves.append({"blue": "B", "yellow": "W"}[str(naive.to_move)] + "2")
        verdicts.append({"move": moves[-1], "legal": False, "reason": "must_forfeit"})
    else:
        while naive.forfeit_due():
            verdicts.append(naive.play("pass"))
        if rng.random() < 0.3:
            moves.append(random_illegal(rng, naive, verdicts[-1] if verdicts else {}))
            verdicts.append({"move": moves[-1], "legal": False, "reason": naive.reason_against(moves[-1])})
    answer: dict[str, Any] = judge_case({**case, "moves": moves})
    told = [{key: value for key, value in verdict.items() if key != "detail"} for verdict in answer["verdicts"]]
    end = {key: answer["position"][key] for key in naive.position()}
    assert told == verdicts, (case, moves)
    assert (end, answer["outcome"]) == (naive.position(), naive.outcome), (case, moves)
    assert answer["legal_moves"] == naive.legal_moves(), (case, moves)
    happened = Counter(gap for verdict in verdicts for gap in verdict.get("house_rules", ()))
    happened.update(str(verdict.get("reason", "move")) for verdict in verdicts)
    happened.update(f"{key} {value}" for key, value in (naive.outcome or {}).items())
    happened["forfeit"] += sum("forfeit" in verdict for verdict in verdicts)
    return happened


EVERYTHING = {f"A{number}" for number in range(1, 16)} - {"A12"} | {
    "draw both_two_rows",
    "by two_rows",
    "by five_ahead",
    "forfeit",
    "not_your_turn",
    "no_such_channel",
    "no_marble_left",
    "joker_not_available",
    "game_over",
    "pass_not_allowed",
    "must_forfeit",
}


def compare_games(seeds: range) -> None:
    happened: Counter[str] = Counter()
    for seed in seeds:
        happened += compare_a_game(seed)
    assert set(happened) >= EVERYTHING, f"these games never met {sorted(EVERYTHING - set(happened))}"


def test_the_judge_agrees_with_the_naive_model() -> None:
    compare_games(range(1_500))


@pytest.mark.long
def test_the_judge_agrees_with_the_naive_model_in_all_ten_thousand_games() -> None:
    compare_games(range(1_500, 10_000))


def test_both_models_have_the_same_options() -> None:
    from companion.games.infinity import Options

    ours = Options().as_json()
    assert {name: ours[name] for name in DEFAULTS} == DEFAULTS
    assert set(ours) - set(DEFAULTS) == {"knob_overshoot", "blue_knob", "knob_grace_s"}
