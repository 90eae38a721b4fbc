"""Everything that is said on MQTT is as docs/schemas describes it, in whole games of both kinds; so are examples."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from companion.events import (
    BoardMoved,
    CalibrationDoubtful,
    Corrected,
    DeviceReported,
    Event,
    Forfeited,
    KnobMismatch,
    QuestionClosed,
    Record,
)
from companion.games.game import Json
from companion.journal.opening import open_journal
from companion.mqtt.delivery import TableDelivery, UnderWay, as_text
from companion.mqtt.desk import CommandDesk
from companion.mqtt.settings import MqttSettings
from companion.mqtt.topics import table_topics
from companion.page.commands import COMMANDS
from companion.page.table import CommandResult, Request
from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from tests.reconciler.playing import Playing
from tests.reconciler.playing_finity import PlayingFinity

DOCS = Path(__file__).parents[2] / "docs"
SCHEMAS = {file.name.removesuffix(".schema.json"): json.loads(file.read_text()) for file in DOCS.glob("schemas/*.json")}


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[name])


def faults(check: Draft202012Validator, values: Iterable[Any]) -> list[str]:
    return [f"{error.json_path}: {error.message[:300]}" for value in values for error in check.iter_errors(value)]


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


def said_on_mqtt(
    folder: Path, records: Iterable[Record], states: Iterable[Mapping[str, Json]]
) -> Iterator[tuple[str, Any]]:
    """What is published of these records and states: topic and payload."""
    said: list[tuple[str, Any]] = []

    def send(topic: str, payload: str, *, retain: bool, expiry_s: int | None = None) -> int:
        said.append((topic, json.loads(payload)))
        return len(said)

    journal = open_journal(folder / "journal.sqlite").journal
    journal.append(list(records), {})
    topics = table_topics(MqttSettings(node="n"), "Table 1")
    under_way = UnderWay(send)
    delivery = TableDelivery("Table 1", topics, journal, under_way, deque())
    while not delivery.all_sent:
        before = len(said)
        delivery.send_events(0.0)
        for message in range(before + 1, len(said) + 1):
            under_way.acknowledged(message)
    journal.close()
    yield from said
    for state in states:
        yield topics.state, json.loads(as_text({"table": "Table 1", **state}))


def watched(game: Any) -> tuple[list[Record], list[Mapping[str, Json]]]:
    """A whole game's records, and its state after every one of them."""
    states: list[Mapping[str, Json]] = []
    tell = game._tell

    def told(records: Iterable[Record]) -> None:
        happened = list(records)
        tell(happened)
        if happened:
            states.append(game.table.state_json())

    game._tell = told
    return game.run().records, states


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_whole_games_are_said_as_described(tmp_path: Path, game: str) -> None:
    all_faults = replace(Faults.all_on(), misread=0.03)
    if game == "infinity":
        records, states = watched(Playing(1, faults=all_faults, breaches=tuple(BreachKind)[:3]))
    else:
        records, states = watched(PlayingFinity(3, players=2, breaches=tuple(FinityBreachKind), faults=all_faults))
    assert len(records) > 50
    said = list(said_on_mqtt(tmp_path, records, states))
    assert len(said) == len(records) + len(states)
    assert faults(validator("event"), (text for topic, text in said if topic.endswith("/event"))) == []
    assert faults(validator("state"), (text for topic, text in said if topic.endswith("/state"))) == []


def test_every_event_is_described(tmp_path: Path) -> None:
    described = {kind["title"] for kind in SCHEMAS["event"]["oneOf"]}
    assert described == {kind.event for kind in get_args(Event)}


SELDOM: tuple[Event, ...] = (
    Forfeited("blue", 3, "Blue forfeits", {"score": 1}),
    Corrected(
        2, ("B1",), ("B2",), "Anna", "it was channel 2", {"board": "B...|....|....|....", "score": 0, "to_move": None}
    ),
    KnobMismatch(2, 3, resolved=False, words="The knob stands at stop 3; the score belongs at 2"),
    DeviceReported("camera", "lost", "unplugged"),
    DeviceReported("camera", "back"),
    BoardMoved(2.5, followed=True),
    CalibrationDoubtful("dark"),
    QuestionClosed("q1", None, "evidence"),
)


def test_what_seldom_happens_is_said_as_described(tmp_path: Path) -> None:
    records = [Record(number, f"id-{number}", 1.0, event) for number, event in enumerate(SELDOM, start=1)]
    assert faults(validator("event"), (text for _, text in said_on_mqtt(tmp_path, records, ()))) == []


def test_every_command_is_described() -> None:
    assert SCHEMAS["command"]["$defs"].keys() == COMMANDS.keys()


class Quiet:
    """Carries out everything."""

    def state(self) -> Mapping[str, Json]:
        return {"seq": 1, "ply": 1, "question": {"question": "q1", "choices": ["B1", "B2"]}}

    def command(self, request: Request) -> CommandResult:
        return CommandResult(True)


ARGS: Mapping[str, Mapping[str, Any]] = {
    "answer": {"number": 2},
    "undo": {},
    "correct": {"ply": 1, "moves": ["B2"], "why": "seen wrong"},
    "play": {"move": "B1"},
    "place": {"place": "1.1", "label": "B"},
    "say": {"text": "Tea is ready"},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_as_described_is_taken_and_answered_as_described(name: str) -> None:
    body = {"transaction": "t", "seq": 1, "by": "Anna", "args": ARGS.get(name, {})}
    schema = {**SCHEMAS["command"], "anyOf": [{"$ref": f"#/$defs/{name}"}]}
    assert faults(Draft202012Validator(schema), [body]) == []
    results: list[Mapping[str, Json]] = []
    desk = CommandDesk(Quiet())
    desk.take(name, json.dumps(body).encode(), retained=False, answer=results.append)
    desk.take("nothing", b"{}", retained=False, answer=results.append)
    desk.close(wait=True)
    assert sorted(result["ok"] is True for result in results) == [False, True]
    assert faults(validator("result"), results) == []


def test_the_examples_in_the_docs_are_as_described() -> None:
    text = (DOCS / "mqtt.md").read_text(encoding="utf-8")
    examples = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)]
    kinds = {"event": "event_type", "state": "position", "command": "args", "result": "ok"}
    checked = {name: [each for each in examples if key in each] for name, key in kinds.items()}
    assert all(checked.values()), "an example of each"
    assert sum(map(len, checked.values())) == len(examples)
    for name, values in checked.items():
        assert faults(validator(name), values) == [], name
