"""Every event comes back from its JSON as it was."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from companion.errors import InputError
from companion.events import Event, MovePlayed, Record, record_json
from companion.games.game import Json
from companion.journal.events_json import record_from_json
from tests.journal.material import EVENTS

LINE: dict[str, Json] = record_json(Record(7, "x", 1.5, EVENTS[1]))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_survives_its_json(event: Event) -> None:
    record = Record(seq=17, id="ab-17", t_s=12.125, event=event)
    assert record_from_json(json.loads(json.dumps(record_json(record)))) == record


def test_every_event_class_is_among_the_samples() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))


def test_what_a_newer_field_says_is_passed_over() -> None:
    line = record_json(Record(1, "x", 0.0, EVENTS[8])) | {"colour": "red"}
    assert record_from_json(line).event == EVENTS[8]


def test_facts_are_all_that_is_no_field() -> None:
    event = record_from_json(LINE).event
    assert isinstance(event, MovePlayed)
    assert set(event.facts) == {"score", "rows", "house_rules", "nested"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"event": "teleport"}, "unknown kind 'teleport'"),
        ({"event": None}, "unknown kind"),
        ({"seq": "7"}, "needs seq"),
        ({"seq": True}, "needs seq"),
        ({"id": None}, "needs seq"),
        ({"t": "late"}, "needs seq"),
        ({"ply": "three"}, "ply cannot be read"),
        ({"event": "orphans", "orphans": [["A", "E"]]}, "orphans cannot be read"),
        ({"event": "question", "question": "q", "text": "", "choices": "B1"}, "choices cannot be read"),
        ({"event": "board_moved", "shift_px": 2}, "not whole"),
        ({"event": "board_moved", "shift_px": 2, "followed": 1}, "followed cannot be read"),
    ],
)
def test_a_line_that_is_no_event_is_named(change: dict[str, Json], said: str) -> None:
    with pytest.raises(InputError, match=said):
        record_from_json(LINE | change)
