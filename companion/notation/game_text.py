"""The program's own text record of a game, for every game alike: written to be read, and read back as it was written.

    # companion game record 1
    game: finity
    setup: pattern = "bwbbwbww"
    option: draw_rounds = 0
    name: A = "Anna"
    start: {"to_move": …}

      1. A  add b N>NE M
      2. B  ring SW S             ; A loses the small ring on NE: …

    result: {"winner": "A", …}

Values are JSON. `start` is there only where the game did not begin at its start, options only where they are not the
defaults. What follows a `;` is said for people and left alone on reading, as are lines that begin with one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.errors import InputError
from companion.games.game import Illegal, Json, TableGame
from companion.games.registry import default_options, game_named
from companion.games.shown import shown
from companion.judge import outcome_json
from companion.record import GameRecord, Ply
from companion.texts import joined, text

FIRST_LINE: Final = "# companion game record 1"
_ANY_VERSION: Final = "# companion game record"
_PAIRS: Final = ("setup", "option", "name")
_PAIR = re.compile(r"(\w+) = (.+)")
_MOVE = re.compile(r"\s*(\d+)\.\s+(\S+)\s+([^;]+?)\s*(?:;.*)?")
_HEAD = re.compile(r"(game|setup|option|name|start|result): (.*)")


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as its text says it.

    Attributes:
        setup, options: as `game_named` takes them.
        names: what the players are called, by player.
        start: the position to begin at; None for the game's own start.
        moves: each with its player; forfeits follow from the rules and are not among them.
        result: the outcome as `judge` writes it; None where the game is not over.
    """

    game: str
    setup: Mapping[str, Json] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    start: Mapping[str, Json] | None = None
    moves: tuple[tuple[str, str], ...] = ()
    result: Mapping[str, Json] | None = None


def is_game_text(text: str) -> bool:
    """Whether a text is meant as a record of this form, of any version."""
    return text.lstrip("\ufeff \t\r\n").startswith(_ANY_VERSION)


def text_of(record: GameRecord[Any], names: Mapping[str, str]) -> GameText:
    """The text form of a game that was played."""
    game = record.game
    defaults = _plain(default_options(game.name))
    options = {name: value for name, value in _plain(game.options).items() if value != defaults[name]}
    started = record.start == game.start()
    return GameText(
        game=game.name,
        setup=_plain(game.setup),
        options=options,
        names=dict(names),
        start=None if started else _plain(game.position_json(record.start)),
        moves=tuple((str(ply.played.by), ply.move) for ply in record.plies if not ply.played.forfeit),
        result=_result(game, record.position),
    )


def _result(game: TableGame[Any], position: Any) -> Mapping[str, Json] | None:
    outcome = outcome_json(game.outcome(position))
    return None if outcome is None else _plain(outcome)


def _plain(value: Any) -> Any:
    """A value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def format_game(record: GameRecord[Any], names: Mapping[str, str]) -> str:
    """Write a game as text, with what happened beside the moves said for people."""
    text = text_of(record, names)
    lines = [FIRST_LINE, f"game: {text.game}"]
    for word, values in zip(_PAIRS, (text.setup, text.options, text.names), strict=True):
        lines += [f"{word}: {name} = {_json(value)}" for name, value in values.items()]
    if text.start is not None:
        lines.append(f"start: {_json(text.start)}")
    lines += ["", *_move_lines(record.plies), ""]
    if text.result is not None:
        lines.append(f"result: {_json(text.result)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _move_lines(plies: Sequence[Ply[Any]]) -> Iterator[str]:
    number = 0
    for ply in plies:
        if ply.played.forfeit:
            yield f"; {ply.words}"
            continue
        number += 1
        line = f"{number:3}. {ply.played.by}  {ply.move}"
        said = ply.played.explanation
        yield f"{line:<36}; {said}" if said else line


def parse_game(text: str) -> GameText:
    """Read a record; `format_game` of the game it tells gives the same text, but for what stands behind `;`.

    Raises:
        InputError: with every line that cannot be read, by number.
    """
    reader = _Reader()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        reader.read(number, line)
    return reader.game_text()


class _Reader:
    """Reads a record line by line and collects its faults."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.seen_first = False
        self.values: dict[str, Any] = {}
        self.pairs: dict[str, dict[str, Any]] = {word: {} for word in _PAIRS}
        self.moves: list[tuple[str, str]] = []

    def read(self, number: int, line: str) -> None:
        stripped = line.strip()
        if not stripped or stripped.startswith(";"):
            return
        if not self.seen_first:
            self.seen_first = True
            if stripped != FIRST_LINE:
                self.faults.append(
                    text(
                        "line {number}: a record begins with {head}, not {given}",
                        number=number,
                        head=repr(FIRST_LINE),
                        given=shown(stripped),
                    )
                )
            return
        fault = self._head(stripped) if _HEAD.fullmatch(stripped) else self._move(stripped)
        if fault:
            self.faults.append(text("line {number}: {fault}", number=number, fault=fault))

    def _head(self, line: str) -> str:
        word, _, value = line.partition(": ")
        if word in _PAIRS:
            found = _PAIR.fullmatch(value)
            if found is None:
                return text(
                    "{word} must be a name and a JSON value, such as '{word}: x = 1', not {given}",
                    word=word,
                    given=shown(value),
                )
            return self._keep(self.pairs[word], found[1], found[2], f"{word} {found[1]}")
        if word == "game":
            value = _json(value)
        return self._keep(self.values, word, value, word)

    def _keep(self, into: dict[str, Any], name: str, value: str, what: str) -> str:
        if name in into:
            return text("{what} stands twice", what=what)
        try:
            into[name] = json.loads(value)
        except (ValueError, RecursionError):
            return text("{what} is no JSON: {given}", what=what, given=shown(value))
        if what in ("start", "result") and not isinstance(into[name], dict):
            return text("{what} must be an object, not {given}", what=what, given=shown(into[name]))
        if what.startswith("name ") and not isinstance(into[name], str):
            return text("{what} must be a text, not {given}", what=what, given=shown(into[name]))
        return ""

    def _move(self, line: str) -> str:
        found = _MOVE.fullmatch(line)
        if found is None:
            heads = text("game, setup, option, name, start or result")
            return text(
                "{given} is neither a move such as '1. A  add b N>NE M' nor {heads}", given=shown(line), heads=heads
            )
        if int(found[1]) != len(self.moves) + 1:
            return text("move {found} stands where move {number} should", found=found[1], number=len(self.moves) + 1)
        self.moves.append((found[2], found[3]))
        return ""

    def game_text(self) -> GameText:
        if not self.seen_first:
            self.faults.append(text("there is no line in it"))
        elif "game" not in self.values:
            self.faults.append(text("the line 'game: …' is missing"))
        if self.faults:
            raise InputError(joined(self.faults, "; "))
        return GameText(
            game=self.values["game"],
            setup=self.pairs["setup"],
            options=self.pairs["option"],
            names=self.pairs["name"],
            start=self.values.get("start"),
            moves=tuple(self.moves),
            result=self.values.get("result"),
        )


def play_text(written: GameText) -> GameRecord[Any]:
    """Play a record through the rules.

    Raises:
        CompanionError: where the game, its options or its start cannot be.
        InputError: naming the first move that is illegal or another player's, or a result that did not come about.
    """
    game = game_named(written.game, written.options, written.setup)
    start = game.start() if written.start is None else game.parse_position(written.start)
    record: GameRecord[Any] = GameRecord(game, start).with_forfeits()
    for number, (player, move) in enumerate(written.moves, 1):
        after = record.play(move)
        if isinstance(after, Illegal):
            raise InputError(text("move {number}, {move}: {detail}", number=number, move=move, detail=after.detail))
        turn = next(ply for ply in after.plies[len(record.plies) :] if not ply.played.forfeit)
        if turn.played.by != player:
            raise InputError(
                text(
                    "move {number}, {move}: it is {by}'s turn, not {player}'s",
                    number=number,
                    move=move,
                    by=turn.played.by,
                    player=player,
                )
            )
        record = after
    result = _result(game, record.position)
    if written.result is not None and result != written.result:
        raise InputError(
            text(
                "the record's result is {told}, but its moves lead to {found}",
                told=_json(written.result),
                found=_json(result),
            )
        )
    return record
