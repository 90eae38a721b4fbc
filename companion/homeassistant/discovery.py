"""What Home Assistant is told of a table: one device with its entities, in one retained message.

The form is that of Home Assistant's device-based discovery (`homeassistant/device/<id>/config`, from 2024.12 on). Every
entity reads its state from the table's own topics by a template, so nothing is published for Home Assistant but this
message. Pure: state in, message out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from companion import __version__
from companion.games.game import Json
from companion.mqtt.topics import NodeTopics, TableTopics
from companion.standing import name_of, standing
from companion.texts import in_language, text

Entity = dict[str, Json]

MODELS = {"infinity": "Rubik's Infinity", "finity": "Finity"}
EVENTS = ("game_started", "move", "forfeit", "score", "illegal", "orphans", "question", "correction", "game_over")
"""What an automation may wait for. Hands over the board and cameras' moods are not among it: they come all the time."""
NEWS = (
    "{% set last = this.attributes %}"
    "{% set known = last.seq is defined and value_json.seq <= last.seq and value_json.at <= last.at %}"
    "{{ value if value_json.event_type in " + json.dumps(EVENTS) + " and not known else '' }}"
)
"""An event that is sent again, as after a power cut, must not fire automations again. Numbers go back after a damaged
journal, and times where a clock was wrong; both together only where it is an event that was heard."""
CHOICES = "{{ {'choices': value_json.question.choice_words if value_json.question else []} | tojson }}"
MOST_CHOICES = 4
"""Buttons to answer with; a question with more choices is answered on the page."""
FRESH = (
    '{"transaction": "ha-{{ utcnow().timestamp() }}", "at": "{{ utcnow().isoformat() }}", '
    '"by": "Home Assistant", "args": ARGS}'
)
"""A command about the table as it is now; `companion.mqtt.desk` fills in what the state says."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Which table of which machine.

    Attributes:
        names: of the program, the table and the machine, of letters, digits, `_` and `-`.
        name: the table's, for people.
        takes_commands: whether buttons would do anything.
        language: of the entities' names.
    """

    names: tuple[str, str, str]
    name: str
    node: NodeTopics
    table: TableTopics
    takes_commands: bool = True
    language: str = "en"

    @property
    def id(self) -> str:
        """The same at every start, and no other table's."""
        return self.id_of(self.names[1])

    def id_of(self, table: str) -> str:
        """That of another table of the program."""
        return f"companion_{self.names[0]}_{table}_{self.names[2]}"


def discovery_topic(prefix: str, unit_id: str) -> str:
    return f"{prefix}/device/{unit_id}/config"


def discovery(unit: Unit, state: Mapping[str, Json], earlier: Mapping[str, str]) -> dict[str, Json]:
    """The message that makes the table a device.

    Args:
        state: the table's; players, their names and the devices decide which entities there are.
        earlier: entities that the broker's message had before, each with its platform; those that are no more are
            taken away.
    """
    entities = in_language(_entities(unit, state), unit.language)
    assert isinstance(entities, Mapping)
    gone: dict[str, Json] = {key: {"platform": platform} for key, platform in earlier.items() if key not in entities}
    game = str(state.get("game", ""))
    online = "{{ 'online' if value == 'online' else 'offline' }}"
    return {
        "device": {
            "identifiers": [unit.id],
            "name": unit.name,
            "manufacturer": "Companion",
            "model": MODELS.get(game, game),
            "sw_version": __version__,
        },
        "origin": {"name": "Companion", "sw_version": __version__},
        "availability": [{"topic": unit.node.status, "value_template": online}],
        "components": {**gone, **entities},
    }


def components_of(payload: bytes) -> dict[str, str]:
    """The entities of a message that the broker has kept, each with its platform; none where it is not one of ours."""
    try:
        found = json.loads(payload)["components"]
        return {str(key): str(entity["platform"]) for key, entity in found.items() if len(entity) > 1}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _entities(unit: Unit, state: Mapping[str, Json]) -> dict[str, Json]:
    found: dict[str, Entity] = {**_scores(state), **_game(unit, state), **_devices(state)}
    found["events"] = {
        "platform": "event",
        "name": text("Events"),
        "icon": "mdi:bell-ring-outline",
        "state_topic": unit.table.event,
        "event_types": list(EVENTS),
        "value_template": NEWS,
    }
    if unit.takes_commands:
        found |= _buttons(unit, state)
    reads = {"state_topic": unit.table.state}
    return {
        key: {**({} if entity["platform"] == "button" else reads), **entity, "unique_id": f"{unit.id}_{key}", "qos": 1}
        for key, entity in found.items()
    }


def _scores(state: Mapping[str, Json]) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    opposite = state.get("game") == "infinity"
    for number, player in enumerate(standing(state)):
        value = f"{{{{ value_json.explanation.partial_paths['{player}'].length }}}}"
        if opposite:
            value = "{{ value_json.score }}" if number == 0 else "{{ -(value_json.score | int) }}"
        words = text("Score of {player}", player=name_of(state, player))
        found[f"score_{player.lower()}"] = {
            "platform": "sensor",
            "name": words,
            "icon": "mdi:scoreboard-outline",
            "state_class": "measurement",
            "value_template": value,
        }
    return found


def _game(unit: Unit, state: Mapping[str, Json]) -> dict[str, Entity]:
    found: dict[str, Entity] = {
        "turn": _sensor(text("Turn"), "mdi:account-clock", _named("value_json.to_move")),
        "last_move": _sensor(
            text("Last move"), "mdi:history", "{{ (value_json.moves[-1].words if value_json.moves else '-')[:250] }}"
        ),
        "winner": _sensor(
            text("Winner"),
            "mdi:trophy-outline",
            "{% if not value_json.outcome %}-{% elif value_json.outcome.winner %}"
            + _named("value_json.outcome.winner")
            + "{% else %}draw{% endif %}",
        ),
        "question": _sensor(
            text("Question"),
            "mdi:help-circle-outline",
            "{{ (value_json.question.text if value_json.question else '-')[:250] }}",
            json_attributes_topic=unit.table.state,
            json_attributes_template=CHOICES,
        ),
        "illegal": _problem(text("Illegal move"), "value_json.illegal"),
        "paused": _binary(text("Paused"), "value_json.paused", icon="mdi:pause-circle-outline"),
    }
    if state.get("game") == "finity":
        found["orphans"] = {
            **_sensor(text("Orphans waiting"), "mdi:ring", "{{ value_json.orphans | length }}"),
            "state_class": "measurement",
        }
    else:
        found["knob_mismatch"] = _problem(text("Knob mismatch"), "value_json.knob.wrong")
    return found


def _devices(state: Mapping[str, Json]) -> dict[str, Entity]:
    devices = state.get("devices")
    found: dict[str, Entity] = {}
    for device in devices if isinstance(devices, Mapping) else ():
        key = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in device)
        found[f"device_{key}"] = {
            **_binary(
                text("Device {device}", device=device),
                f"value_json.devices[{json.dumps(device)}].state in ('ok', 'back')",
            ),
            "device_class": "connectivity",
            "entity_category": "diagnostic",
        }
    return found


def _buttons(unit: Unit, state: Mapping[str, Json]) -> dict[str, Entity]:
    commands: dict[str, tuple[str, str, Mapping[str, Json], str]] = {
        "undo": (text("Take back the last move"), "undo", {}, "mdi:undo"),
        "pause": (text("Pause"), "pause", {}, "mdi:pause"),
        "resume": (text("Go on"), "resume", {}, "mdi:play"),
        "new_game": (text("New game"), "new_game", {}, "mdi:flag-checkered"),
    }
    for number in range(1, MOST_CHOICES + 1):
        words = text("Answer {number}", number=number)
        commands[f"answer_{number}"] = (words, "answer", {"number": number}, "mdi:numeric")
    if state.get("game") != "finity":
        commands["confirm_knob"] = (text("The knob is right"), "confirm_knob", {}, "mdi:knob")
    return {
        key: {
            "platform": "button",
            "name": words,
            "icon": icon,
            "command_topic": f"{unit.table.command}{name}",
            "command_template": FRESH.replace("ARGS", json.dumps(args)),
        }
        for key, (words, name, args, icon) in commands.items()
    }


def _sensor(name: str, icon: str, template: str, **more: Json) -> Entity:
    return {"platform": "sensor", "name": name, "icon": icon, "value_template": template, **more}


def _binary(name: str, condition: str, **more: Json) -> Entity:
    template = f"{{{{ 'ON' if {condition} else 'OFF' }}}}"
    return {"platform": "binary_sensor", "name": name, "value_template": template, **more}


def _problem(name: str, condition: str) -> Entity:
    return _binary(name, condition, device_class="problem")


def _named(player: str) -> str:
    """A template that says what a player is called, `-` for nobody."""
    return f"{{{{ value_json.names.get({player}) or ({player} or '-') | capitalize }}}}"
