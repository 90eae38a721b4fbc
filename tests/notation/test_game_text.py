"""The text record of a game: for every game it is read back as it was written, and its faults are told by line."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.errors import CompanionError, InputError
from companion.games.game import Illegal, Json
from companion.games.registry import default_options, game_named, game_names
from companion.notation.game_text import FIRST_LINE, format_game, is_game_text, parse_game, play_text, text_of
from companion.record import GameRecord
from tests.rules.playthrough import CHOOSERS, SETUPS

NAMES = {"blue": 'Anna "the cat"', "yellow": "Józef; 1", "A": "Anna", "B": "", "C": "Ünal\n2"}

OPTIONS: dict[str, list[dict[str, Json]]] = {
    "infinity": [{}, {"first": "blue", "allow_pass": True}, {"score_on_forfeit": True}],
    "finity": [{}, {"draw_rounds": 30, "blockers_start": "in_hand"}, {"continue_after_win": True}],
}


def played(name: str, options: dict[str, Json], seed: int, most: int) -> GameRecord[Any]:
    """A random game, from its start or (odd seeds) from a position in the middle of one."""
    game = game_named(name, options, SETUPS[name])
    rng = random.Random(seed)
    record: GameRecord[Any] = GameRecord(game, game.start()).with_forfeits()
    for number in range(most):
        if game.outcome(record.position) is not None:
            break
        if seed % 2 and number == 12:
            record = GameRecord(game, record.position).with_forfeits()
        after = record.play(CHOOSERS[name](game, record.position, rng))
        assert not isinstance(after, Illegal)
        record = after
    return record


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seed", range(6))
def test_a_record_is_read_back_as_it_was_written(name: str, seed: int) -> None:
    options = OPTIONS[name][seed % 3]
    record = played(name, options, seed, most=120)
    names = {str(player): NAMES[player] for player in record.game.players}
    text = format_game(record, names)
    assert is_game_text(text)
    parsed = parse_game(text)
    assert parsed == text_of(record, names)
    assert dict(parsed.options) == options
    assert (parsed.start is None) == (seed % 2 == 0)
    again = play_text(parsed)
    assert (again.start, again.moves, again.position) == (record.start, record.moves, record.position)
    assert format_game(again, parsed.names) == text


def test_a_record_reads_like_a_game() -> None:
    record = played("finity", {}, 0, most=60)
    text = format_game(record, {"A": "Anna"})
    assert text.splitlines()[:6] == [
        FIRST_LINE,
        "game: finity",
        "setup: players = 3",
        'setup: pattern = "bwbbwbww"',
        'setup: posts = {"A": "NW", "B": "NE", "C": "S"}',
        'name: A = "Anna"',
    ]
    assert f"  1. A  {record.moves[0]}" in text.splitlines()
    assert text.endswith("\n")


def test_comments_spaces_and_a_byte_order_mark_say_nothing() -> None:
    text = f"\ufeff\r\n{FIRST_LINE}\r\n; said by somebody\r\ngame: infinity\r\n\r\n 1.   blue   B1   ; well done\r\n"
    assert parse_game(text).moves == (("blue", "B1"),)
    assert play_text(parse_game(text)).moves == ("B1",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2. A  add b N>NE M", "line 3: move 2 stands where move 1 should"),
        ("what is this", "line 3: 'what is this' is neither a move"),
        ("setup: pattern", "line 3: setup must be a name and a JSON value"),
        ("setup: pattern = b", "line 3: setup pattern is no JSON: 'b'"),
        ("option: x = [", "line 3: option x is no JSON"),
        ("name: A = 3", "line 3: name A must be a text, not 3"),
        ("game: finity", "line 3: game stands twice"),
        ("start: 3", "line 3: start must be an object, not 3"),
        ("result: [1]", "line 3: result must be an object"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_by_number(line: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_game(f"{FIRST_LINE}\ngame: finity\n{line}\n")
    assert said in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_game("# companion game record 2\nsetup: x\n7. A b\n")
    for said in ("line 1: a record begins with", "line 2", "line 3", "the line 'game: …' is missing"):
        assert said in str(caught.value)
    with pytest.raises(InputError, match="there is no line in it"):
        parse_game("\n")


SETUP = 'setup: pattern = "bwbbwbww"\n'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{SETUP}1. A  ring NE S\n", "move 1, ring NE S: No walk from A's post reaches NE"),
        (f"{SETUP}1. B  add b N>NE M\n", "move 1, add b N>NE M: it is A's turn, not B's"),
        (f'{SETUP}1. A  add b N>NE M\nresult: {{"winner": "A"}}\n', "but its moves lead to null"),
        ('setup: pattern = "b"\n', "pattern_length says 8"),
        (f"{SETUP}option: luck = 3\n", "unknown option 'luck'"),
        (f'{SETUP}start: {{"to_move": "Z"}}\n', "there is no player 'Z'"),
    ],
)
def test_a_game_that_cannot_have_been_is_refused(body: str, said: str) -> None:
    with pytest.raises(CompanionError) as caught:
        play_text(parse_game(f"{FIRST_LINE}\ngame: finity\n{body}"))
    assert said in str(caught.value)


def test_other_texts_are_no_records() -> None:
    assert not is_game_text("Anna: Added a Small Ring at Station [0,1]")
    assert is_game_text("\ufeff\n# companion game record 9\n")


@pytest.mark.parametrize("name", game_names())
def test_default_options_are_those_of_a_game_without_any(name: str) -> None:
    assert default_options(name) == game_named(name, {}, SETUPS[name]).options
