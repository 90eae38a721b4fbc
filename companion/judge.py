"""`companion judge`: cases in, verdicts out. Knows no game by name; the contract has the form of both.

A verdict is `{"move":…,"legal":true}` with the game's `facts` flat in it; a forfeit, which the referee plays by
itself, has `by` and `forfeit` as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from companion.errors import CompanionError, InputError
from companion.games.game import Illegal, Json, Outcome, Played, TableGame
from companion.games.registry import game_named
from companion.games.shown import shown
from companion.texts import joined

_KEYS = ("id", "game", "options", "position", "moves", "list", "explain")
"""The keys of a case that every game has; the others are the game's setup."""


def judge_lines(lines: Iterable[str]) -> Iterator[tuple[dict[str, Json], bool]]:
    """Judge one case a line, in order; blank lines are passed over.

    Yields:
        the answer, and whether the line was good. A bad one is answered by `{"id":…,"error":"…"}`.
    """
    for line in lines:
        text = line.lstrip("\ufeff").strip()
        if not text:
            continue
        number: Json = None
        faults = ["the line is no text in UTF-8: save it as UTF-8"] if "\ufffd" in text else []
        try:
            case = _case(text, faults)
            number = _id(case)
            if faults:
                raise InputError(joined(faults, "; "))
            yield judge_case(case), True
        except CompanionError as error:
            yield {"id": number, "error": " ".join(str(error).split())}, False


def judge_case(case: Mapping[str, Json]) -> dict[str, Json]:
    """Judge the moves of one case, from the start or from its position, up to the first illegal one.

    Raises:
        InputError: if the case cannot be used (a wrong type, an unknown game or option).
        PositionError: if its position cannot be, with every fault of it.
    """
    answer: dict[str, Json] = {"id": _id(case)}
    game, position, moves = _read(case)
    wants_list, wants_explanation = _switch(case, "list"), _switch(case, "explain")
    bout = _Bout(game, position, explains=wants_explanation)
    bout.play_all(moves)
    answer["verdicts"] = bout.verdicts
    answer["position"] = game.position_json(bout.position)
    answer |= game.facts(bout.position)
    answer["outcome"] = outcome_json(game.outcome(bout.position))
    if wants_list:
        answer["legal_moves"] = list(game.legal_moves(bout.position))
    if wants_explanation:
        answer["explanation"] = game.explain(bout.position)
    return answer


def outcome_json(outcome: Outcome | None) -> dict[str, Json] | None:
    """The contract's outcome: null, a draw by what, or a winner by what, with the path where the game has one."""
    if outcome is None:
        return None
    if outcome.draw is not None:
        return {"draw": outcome.draw}
    data: dict[str, Json] = {"winner": outcome.winner, "by": outcome.by}
    if outcome.path:
        data["path"] = list(outcome.path)
    if outcome.places:
        data["places"] = [list(group) for group in outcome.places]
    return data


@dataclass(slots=True)
class _Bout:
    """A game being judged."""

    game: TableGame[Any]
    position: Any
    explains: bool = False
    verdicts: list[dict[str, Json]] = field(default_factory=list)

    def play_all(self, moves: Iterable[str]) -> None:
        """Play moves up to the first illegal one, and the forfeits that are due before, between and after them."""
        for move in moves:
            if not self._play(move):
                return
        forfeit = self.game.forced(self.position)
        if forfeit is not None:
            self._accept(forfeit)

    def _play(self, move: str) -> bool:
        verdict = self.game.play(self.position, move)
        forfeit = self.game.forced(self.position)
        if forfeit is not None and not (isinstance(verdict, Illegal) and verdict.reason == "must_forfeit"):
            after = self.game.play(forfeit.after, move)
            # A record may hold the forfeit itself; but where the next player may pass, too, the pass is theirs.
            if isinstance(verdict, Illegal) or not isinstance(after, Illegal):
                self._accept(forfeit)
                verdict = after
        if isinstance(verdict, Illegal):
            self.verdicts.append({"move": move, "legal": False, "reason": verdict.reason, "detail": verdict.detail})
            return False
        self._accept(verdict)
        return True

    def _accept(self, played: Played[Any]) -> None:
        self.position = played.after
        verdict: dict[str, Json] = {"move": played.move}
        if played.forfeit:
            verdict |= {"by": played.by, "forfeit": True}
        explanation = {"explanation": played.explanation} if self.explains and played.explanation else {}
        self.verdicts.append({**verdict, "legal": True, **played.facts, **explanation})


def _read(case: Mapping[str, Json]) -> tuple[TableGame[Any], Any, list[str]]:
    """The game, the position to start from, and the moves."""
    setup = {key: value for key, value in case.items() if key not in _KEYS}
    for key in setup:
        if close := get_close_matches(key[:40], _KEYS, n=1, cutoff=0.8):
            raise InputError(f"unknown key {shown(key)}; did you mean {close[0]}?")
    name = case.get("game")
    if not isinstance(name, str):
        raise InputError(f"game must be a text such as 'infinity', not {shown(name)}" if name else "game is missing")
    game = game_named(name, _object(case, "options") or {}, setup)
    moves = _moves(case.get("moves", []))
    given = _object(case, "position")
    return game, game.start() if given is None else game.parse_position(given), moves


def _switch(case: Mapping[str, Json], key: str) -> bool:
    value = case.get(key, False)
    if isinstance(value, bool):
        return value
    raise InputError(f"{key} must be true or false, not {shown(value)}")


def _object(case: Mapping[str, Json], key: str) -> Mapping[str, Json] | None:
    value = case.get(key)
    if value is None or isinstance(value, Mapping):
        return value
    raise InputError(f"{key} must be an object, not {shown(value)}")


def _moves(given: Json) -> list[str]:
    if not isinstance(given, list):
        raise InputError(f"moves must be a list of texts, not {shown(given)}")
    for number, move in enumerate(given, 1):
        if not isinstance(move, str):
            raise InputError(f"moves must be a list of texts, but number {number} is {shown(move)}")
        _refuse_surrogates(move)
    return given


def _case(text: str, faults: list[str]) -> dict[str, Json]:
    """Read a line; numbers that JSON does not have are told in `faults`, so that the case's id is not lost."""

    def constant(name: str) -> None:
        faults.append(f"no JSON: {name} is no number")

    def number(digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        faults.append(f"the number {digits[:40]} is too large")
        return None

    try:
        case = json.loads(text, parse_constant=constant, parse_float=number)
    except RecursionError as error:
        raise InputError("no JSON that can be read: too deeply nested") from error
    except ValueError as error:
        raise InputError(f"no JSON: {error}") from error
    if not isinstance(case, dict):
        raise InputError(f'a case must be an object such as {{"game":"infinity","moves":["B1"]}}, not {shown(case)}')
    return case


def _id(case: Mapping[str, Json]) -> str | int | float | None:
    """The case's id, which the answer repeats."""
    value = case.get("id")
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        if isinstance(value, str):
            _refuse_surrogates(value)
        return value
    raise InputError(f"id must be a text or a number, not {shown(value)}")


def _refuse_surrogates(text: str) -> None:
    """Refuse half a character in a text that the answer repeats: it could not be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError("a text has half a character (a lone surrogate): write it as a whole one") from error
