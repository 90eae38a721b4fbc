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

from companion.events import Event, Record
from companion.games.game import Json
from companion.journal.opening import open_journal
from companion.mqtt.delivery import TableDelivery, UnderWay, as_text
from companion.mqtt.desk import CommandDesk
from companion.mqtt.settings import MqttSettings
from companion.mqtt.topics import table_topics
from companion.page.commands import COMMANDS, LONGEST_NAME, LONGEST_TEXT
from companion.page.table import CommandResult, Request
from tests.mqtt.evenings import OTHERS, Evening, whole_game

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


def said_of(evening: Evening, folder: Path) -> dict[str, list[Any]]:
    """The payloads of an evening by the schema that describes them."""
    records = [replace(record, seq=n, id=f"id-{n}") for n, record in enumerate(evening.records, start=1)]
    said = list(said_on_mqtt(folder, records, evening.states))
    return {kind: [payload for topic, payload in said if topic.endswith(f"/{kind}")] for kind in ("event", "state")}


def closed(name: str) -> Draft202012Validator:
    """A schema that takes no key which it does not describe: `state` alone says that later versions may add some."""
    return Draft202012Validator({**SCHEMAS[name], **({"additionalProperties": False} if name == "state" else {})})


def test_all_that_is_said_is_described_and_all_that_is_described_is_said(tmp_path: Path) -> None:
    """Key by key: one that nobody says any more would be waited for in vain."""
    evenings = [whole_game("infinity"), whole_game("finity"), *(evening() for evening in OTHERS)]
    said: dict[str, list[Any]] = {"event": [], "state": []}
    for number, evening in enumerate(evenings):
        (tmp_path / str(number)).mkdir()
        for kind, payloads in said_of(evening, tmp_path / str(number)).items():
            said[kind] += payloads
    for kind, payloads in said.items():
        assert len(payloads) > 200
        assert faults(closed(kind), payloads) == []
        assert described(SCHEMAS[kind]) - {*used(SCHEMAS[kind], SCHEMAS[kind], payloads)} == set()


def described(schema: Any) -> set[str]:
    """All keys that a schema describes, each as the place of its description in the file."""
    return {f"{path}.properties.{key}" for path, part in parts(schema, "$") for key in part.get("properties", {})}


def used(root: Any, schema: Any, values: list[Any], path: str = "$") -> Iterator[str]:
    """Those of them that values have.

    Args:
        root: where `$ref` looks.
        values: all that stands at this place.
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from used(root, root["$defs"][name], values, f"$.$defs.{name}")
    for way in ("oneOf", "anyOf", "allOf"):
        for number, each in enumerate(schema.get(way, ())):
            fits = Draft202012Validator({**each, "$defs": root["$defs"]})
            yield from used(root, each, [value for value in values if fits.is_valid(value)], f"{path}.{way}[{number}]")
    objects = [value for value in values if isinstance(value, dict)]
    keys = schema.get("properties", {})
    for key, below in keys.items():
        if found := [value[key] for value in objects if key in value]:
            yield f"{path}.properties.{key}"
            yield from used(root, below, found, f"{path}.properties.{key}")
    if isinstance(more := schema.get("additionalProperties"), dict):
        rest = [below for value in objects for key, below in value.items() if key not in keys]
        yield from used(root, more, rest, f"{path}.additionalProperties")
    if isinstance(items := schema.get("items"), dict):
        lists = [value for value in values if isinstance(value, list)]
        yield from used(root, items, [each for value in lists for each in value], f"{path}.items")


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_key_has_words_and_every_object_says_what_is_in_it(name: str) -> None:
    for path, schema in parts(SCHEMAS[name], "$"):
        for key, below in schema.get("properties", {}).items():
            assert below.get("description"), f"{path}.{key}"
        if schema.get("type") == "object":
            assert schema.keys() & {"additionalProperties", "unevaluatedProperties", "maxProperties"}, path


def parts(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every object in a JSON text, with its place."""
    if isinstance(schema, dict):
        yield path, schema
        for key, below in schema.items():
            yield from parts(below, f"{path}.{key}")
    elif isinstance(schema, list):
        for number, below in enumerate(schema):
            yield from parts(below, f"{path}[{number}]")


def test_every_event_is_described() -> None:
    described = {kind["title"] for kind in SCHEMAS["event"]["oneOf"]}
    assert described == {kind.event for kind in get_args(Event)}


def test_what_several_schemas_share_is_the_same_in_each() -> None:
    assert SCHEMAS["event"]["$defs"] == SCHEMAS["state"]["$defs"]


def test_every_command_is_described() -> None:
    """With the arguments that it takes, and the longest texts."""
    described = SCHEMAS["command"]["$defs"]
    assert described.keys() - {"envelope", "nothing"} == COMMANDS.keys()
    for name, form in COMMANDS.items():
        args = described[name]["properties"]["args"]
        own = args["oneOf"][0] if "oneOf" in args else args
        assert own.get("properties", {}).keys() == form.args.keys(), name
        for key, kind in form.args.items():
            assert own["properties"][key]["type"] == {str: "string", int: "integer", list: "array"}[kind]
            assert kind is not str or own["properties"][key]["maxLength"] == LONGEST_TEXT
    envelope = described["envelope"]["properties"]
    assert envelope["by"]["maxLength"] == LONGEST_NAME


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
