"""What a recording of Finity says beside its pictures: the set-up, and the truth of every move and its orphans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import BreachEnded, BreachMade, MoveMade, MoveSettled, RingsRemoved
from hw_sim.finity.orphans import places_of


class FinityLines:
    """See `hw_sim.recording.Lines`.

    A line of truth.jsonl for every move: `t_settled` (the hand is away), `by`, `move`, `orphans` (seats),
    `orphan_owners`, and `t_orphans_removed` once those are off the board. A line for every breach, as Infinity's.
    """

    def __init__(self, game: FinityGame) -> None:
        self._game = game
        self._moves: dict[int, dict[str, Any]] = {}
        self.files: dict[str, list[dict[str, Any]]] = {"truth": []}

    @property
    def meta(self) -> Mapping[str, Any]:
        return {"game": "finity", **self._game.rules.setup, "options": self._game.options}

    def note(self, happening: object) -> None:
        t = round(getattr(happening, "t_s", 0.0), 3)
        match happening:
            case MoveMade(ply=ply):
                self._moves[ply] = _move(happening, t)
                self.files["truth"].append(self._moves[ply])
            case MoveSettled(ply=ply):
                self._moves[ply]["t_settled"] = t
            case RingsRemoved(ply=ply):
                self._moves[ply]["t_orphans_removed"] = t
            case BreachMade(kind=kind, by=by, reasons=reasons, words=words):
                line = {"t_breach": t, "by": by, "breach": kind, "reasons": sorted(reasons), "words": words}
                self.files["truth"].append(line)
            case BreachEnded(kind=kind):
                self.files["truth"].append({"t_right": t, "breach": kind})


def _move(made: MoveMade, t: float) -> dict[str, Any]:
    line: dict[str, Any] = {
        "t_settled": t,
        "by": made.by,
        "move": made.move,
        "orphans": list(places_of(made.orphans)),
        "orphan_owners": [player for player, _, _ in made.orphans],
    }
    if made.outcome is not None:
        outcome = made.outcome
        line["outcome"] = {"winner": outcome.winner, "by": outcome.by, "draw": outcome.draw}
    return line
