"""The whole state of a game as JSON, for the page and MQTT."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.events import IllegalSeen
from companion.games.game import Json, Outcome, P
from companion.record import ply_json
from companion.texts import names_in

if TYPE_CHECKING:
    from companion.questions import Question
    from companion.referee import Referee


def state_json(referee: Referee[P]) -> dict[str, Json]:
    """Everything that a referee has to show; `explanation` only in a game that has one."""
    game, position = referee.game, referee.record.position
    outcome, to_move, well = game.outcome(position), game.to_move(position), game.well(position)
    explanation = referee.explain(position)
    explained: Mapping[str, Json] = {"explanation": explanation} if explanation else {}
    return {
        **explained,
        "seq": referee.seq,
        "game": game.name,
        "players": [str(player) for player in game.players],
        "names": dict(referee.names),
        "position": game.position_json(position),
        "sight": {str(place): str(label) for place, label in game.sight(position).items()},
        "score": referee.score,
        "to_move": None if to_move is None else str(to_move),
        "ply": len(referee.record.plies),
        "moves": _moves_json(referee),
        "question": names_in(_question_json(referee.question), referee.names),
        "illegal": names_in(_illegal_json(referee.illegal), referee.names),
        "well": None if well is None else {str(label): count for label, count in well.items()},
        "setup": dict(game.setup),
        "orphans": [list(orphan) for orphan in referee.orphans],
        "devices": {name: dict(device) for name, device in referee.devices.items()},
        "outcome": None if outcome is None else outcome_json(outcome),
        "outcome_words": "" if outcome is None else referee.outcome_words(outcome),
        "paused": referee.paused,
        "covered": referee.covered,
    }


def _moves_json(referee: Referee[P]) -> list[Json]:
    """Every ply as a line. Those of the last state are told again as they are: a state is asked for ten times a second,
    and a long evening has hundreds of plies."""
    told, plies = referee.told_plies, referee.record.plies
    same = 0
    while same < min(len(told), len(plies)) and told[same][0] is plies[same]:
        same += 1
    del told[same:]
    new = enumerate(plies[same:], start=same + 1)
    told += [(ply, names_in(ply_json(number, ply), referee.names)) for number, ply in new]
    return [line for _, line in told]


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """The `outcome` object of the contract."""
    if outcome.winner is None:
        return {"draw": outcome.draw}
    line: dict[str, Json] = {"winner": str(outcome.winner), "by": outcome.by}
    return {**line, "path": list(outcome.path)} if outcome.path else line


def _question_json(question: Question | None) -> dict[str, Json] | None:
    if question is None:
        return None
    asked = question.asked
    return {
        "question": asked.question,
        "text": asked.text,
        "choices": list(asked.choices),
        "choice_words": list(asked.choice_words),
        "asks": question.asks,
        "points": list(question.points),
    }


def _illegal_json(illegal: IllegalSeen | None) -> dict[str, Json] | None:
    if illegal is None:
        return None
    return {
        "reason": illegal.reason,
        "detail": illegal.detail,
        "by": illegal.by,
        "seen": dict(illegal.seen),
        "also": list(illegal.also),
    }
