"""A whole game written down ply by ply, to notice when the rules change: every registered game has one in `golden/`.

Write one anew, after looking at why it differs:

    python -m tests.rules.playthrough infinity 123 > tests/rules/golden/infinity.jsonl
    python -m tests.rules.playthrough finity 165 > tests/rules/golden/finity.jsonl
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.games.game import Json, Played
from companion.games.registry import game_named
from companion.judge import outcome_json
from tests.finity.play import choose

GOLDEN = Path(__file__).parent / "golden"

SETUPS: Mapping[str, Mapping[str, Json]] = {"infinity": {}, "finity": {"players": 3, "pattern": "bwbbwbww"}}

CHOOSERS: Mapping[str, Callable[[Any, Any, random.Random], str]] = {
    "infinity": lambda game, position, rng: rng.choice(game.legal_moves(position)),
    "finity": choose,
}

MOST_MOVES_WRITTEN = 40
"""A longer list of legal moves is written as its length and a digest."""


def random_moves(name: str, setup: Mapping[str, Json], seed: int) -> list[str]:
    """The moves of a random game to its end; forfeits, which nobody chooses, are not among them."""
    game = game_named(name, {}, setup)
    rng = random.Random(seed)
    position = game.start()
    moves: list[str] = []
    while game.outcome(position) is None:
        played: Any = game.forced(position)
        if played is None:
            moves.append(CHOOSERS[name](game, position, rng))
            played = game.play(position, moves[-1])
        position = played.after
    return moves


def playthrough(head: Mapping[str, Any]) -> Iterator[dict[str, Json]]:
    """Every ply of a game: what could be played, what was, and what came of it, to people and to the sensors."""
    game = game_named(head["game"], head["options"], head["setup"])
    position = game.start()
    moves: Sequence[str] = head["moves"]
    left = iter(moves)
    while game.outcome(position) is None:
        breaches = Counter(breach.reason for breach in game.breaches(position))
        legal = game.legal_moves(position)
        played = game.forced(position) or game.play(position, next(left))
        assert isinstance(played, Played), played
        words = game.describe(position, played.move)
        traces = " ".join(f"{trace.kind} {trace.channel}" for trace in game.traces(position, played.move))
        position = played.after
        yield {
            "legal": legal_text(legal),
            "breaches": dict(sorted(breaches.items())),
            "move": played.move,
            "by": played.by,
            "words": words,
            "facts": dict(played.facts),
            "explanation": played.explanation,
            "traces": traces,
            "position": game.position_json(position),
            "sight": "".join(game.sight(position).values()),
            "knob": game.knob_stop(position),
            "outcome": outcome_json(game.outcome(position)),
        }


def legal_text(legal: Sequence[str]) -> str:
    if len(legal) <= MOST_MOVES_WRITTEN:
        return " ".join(legal)
    return f"{len(legal)} moves, {hashlib.sha256(' '.join(legal).encode()).hexdigest()[:16]}"


def main(name: str, seed: int) -> None:
    head: dict[str, Any] = {"game": name, "options": {}, "setup": SETUPS[name], "seed": seed}
    head["moves"] = random_moves(name, SETUPS[name], seed)
    for line in (head, *playthrough(head)):
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
