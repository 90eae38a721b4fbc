"""A whole game written down ply by ply, to notice when the rules change: every registered game has one in `golden/`.

Write one anew, after looking at why it differs:

    python -m tests.rules.playthrough infinity SEED > tests/rules/golden/infinity.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.games.game import Json, Played
from companion.games.registry import game_named
from companion.judge import outcome_json

GOLDEN = Path(__file__).parent / "golden"


def random_moves(name: str, options: Mapping[str, Json], setup: Mapping[str, Json], seed: int) -> list[str]:
    """The moves of a random game to its end; forfeits, which nobody chooses, are not among them."""
    game = game_named(name, options, setup)
    rng = random.Random(seed)
    position = game.start()
    moves: list[str] = []
    while game.outcome(position) is None:
        played: Any = game.forced(position)
        if played is None:
            moves.append(rng.choice(game.legal_moves(position)))
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
            "legal": " ".join(legal),
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


def main(name: str, seed: int) -> None:
    head: dict[str, Any] = {"game": name, "options": {}, "setup": {}, "seed": seed}
    head["moves"] = random_moves(name, {}, {}, seed)
    for line in (head, *playthrough(head)):
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
