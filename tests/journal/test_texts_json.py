"""What was said in a game can be said in another language after a restart, also by older files."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from companion.events import MovePlayed, QuestionAsked, Record, record_json
from companion.journal.events_json import record_from_json
from companion.journal.opening import open_journal
from companion.journal.reader import read_journal
from companion.journal.schema import MIGRATIONS, checksum, migrate
from companion.journal.texts_json import texts_json, with_texts
from companion.texts import Text, capital, in_language, joined, listed, player_called, plural, text

ANN = player_called("blue", text("Blue"))
TEXTS = (
    text("{player} passes", player=ANN),
    plural("{n} turn is played and the game goes on", "{n} turns are played and the game goes on", 5),
    capital(listed(["a", text("the blue marble")])),
    joined([text("black"), "B", text("white")], " - "),
    text("nothing in seat {slot} of channel {channel}", slot=2, channel="3"),
)


def asked(seq: int = 1) -> Record:
    choices = tuple(f"c{number}" for number in range(len(TEXTS)))
    return Record(seq, f"id{seq}", 1.0, QuestionAsked("q1", text("{player} passes", player=ANN), choices, TEXTS))


def read_back(record: Record) -> Record:
    line = record_json(record)
    return record_from_json(with_texts(json.loads(json.dumps(line)), texts_json(line)))


def test_every_kind_of_text_comes_back_as_it_was_made() -> None:
    again = read_back(asked())
    assert again == asked()
    assert isinstance(again.event, QuestionAsked)
    recipes = [word.recipe for word in again.event.choice_words if isinstance(word, Text)]
    assert recipes == [word.recipe for word in TEXTS]


def test_a_line_without_texts_has_no_recipes() -> None:
    assert texts_json(record_json(Record(1, "id", 0.0, MovePlayed("blue", "B1", 1, "plain words", {})))) is None


@pytest.mark.parametrize(
    "recipes",
    [
        "",
        "{",
        "[]",
        "[[[],{}]]",
        '[[["words"],{"say":"Another sentence"}]]',
        '[[["words"],{"say":"{missing}"}]]',
        '[[["words"],{"join":[1,{}],"by":"","capital":false}]]',
        '[[["words","deep"],{"say":"plain words"}]]',
        '[[["nothing"],{"say":"plain words"}]]',
        '[[["words"],{"say":"{0.__class__}","with":{}}]]',
    ],
)
def test_recipes_that_say_something_else_change_nothing(recipes: str) -> None:
    line = record_json(Record(1, "id", 0.0, MovePlayed("blue", "B1", 1, "plain words", {})))
    told = with_texts(json.loads(json.dumps(line)), recipes)
    assert told["words"] == "plain words"
    assert not isinstance(told["words"], Text)


def test_a_journal_keeps_how_texts_were_made(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path, outbox=True).journal
    assert journal.append([asked()], {"seq": 1}) is None
    assert in_language(journal.unsent(1)[0].line["text"], "pl") == in_language(TEXTS[0], "pl")
    journal.close()
    reader = read_journal(path)
    (record,) = reader.records()
    reader.close()
    assert isinstance(record.event, QuestionAsked)
    assert isinstance(record.event.text, Text)
    assert record.event.choice_words == TEXTS


def test_a_file_of_the_first_version_is_read_as_it_is_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    db = sqlite3.connect(path, isolation_level=None)
    migrate(db, MIGRATIONS[:1])
    line = json.dumps(record_json(asked()), default=dict)
    db.execute("INSERT INTO records VALUES (1, 'id1', NULL, 1.0, '', 'question', ?, ?)", (line, checksum(line)))
    db.close()
    reader = read_journal(path)
    assert [record.seq for record in reader.records()] == [1]
    reader.close()
    journal = open_journal(path).journal
    assert journal.append([asked(2)], {"seq": 2}) is None
    first, second = journal.records()
    journal.close()
    assert isinstance(first.event, QuestionAsked)
    assert isinstance(second.event, QuestionAsked)
    assert not isinstance(first.event.text, Text)
    assert isinstance(second.event.text, Text)
