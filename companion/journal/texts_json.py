"""How the texts of a kept event were made, as JSON beside its line, so that they can be said in any language later.

The line itself has plain English. Beside it stands, for each text, where it is in the line and its recipe:

    [[["words"], {"say": "{player} passes", "with": {"player": {"player": "blue", "words": {"say": "Blue"}}}}], …]

A recipe that cannot be read, or no longer makes the English of the line, is passed over: the line is what happened.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.game import Json
from companion.texts import Called, Counted, Joined, Recipe, Said, Text, Value, remade

log = logging.getLogger(__name__)

Path = tuple[str | int, ...]


def texts_json(line: Mapping[str, Json]) -> str | None:
    """The recipes of all texts in a line; None where there are none."""
    found = [[list(path), _recipe_json(said.recipe)] for path, said in _texts(line, ())]
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if found else None


def with_texts(line: dict[str, Json], recipes: str | None) -> dict[str, Json]:
    """The line that was read, with its texts put in that can say themselves in another language."""
    try:
        for (*way, last), recipe in json.loads(recipes or "[]"):
            holder: Any = line
            for step in way:
                holder = holder[step]
            said = remade(_recipe(recipe))
            if said == holder[last]:
                holder[last] = said
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        log.debug("how the texts of event %s were made cannot be read: %s", line.get("seq"), error)
    return line


def _texts(value: Json, path: Path) -> Iterator[tuple[Path, Text]]:
    if isinstance(value, str):
        if isinstance(value, Text):
            yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, Sequence):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))


def _recipe_json(recipe: Recipe) -> dict[str, Json]:
    match recipe:
        case Said(message, values):
            return {"say": message, **_values_json(values)}
        case Counted(one, many, n, values):
            return {"one": one, "many": many, "n": n, **_values_json(values)}
        case Joined(parts, between, capital):
            return {"join": [_value_json(part) for part in parts], "by": between, "capital": capital}
        case Called(player, words):
            return {"player": player, "words": _value_json(words)}


def _values_json(values: Mapping[str, Value]) -> dict[str, Json]:
    return {"with": {key: _value_json(value) for key, value in values.items()}} if values else {}


def _value_json(value: Value) -> Json:
    return _recipe_json(value.recipe) if isinstance(value, Text) else value


def _recipe(data: Any) -> Recipe:
    match data:
        case {"say": str(message), **rest}:
            return Said(message, _values(rest))
        case {"one": str(one), "many": str(many), "n": int(n), **rest}:
            return Counted(one, many, n, _values(rest))
        case {"join": list(parts), "by": str(between), "capital": bool(capital)}:
            return Joined(tuple(map(_words, parts)), between, capital)
        case {"player": str(player), "words": words}:
            return Called(player, _words(words))
    raise ValueError(f"no recipe of a text: {str(data)[:60]}")


def _values(rest: Mapping[Any, Any]) -> dict[str, Value]:
    return {key: _value(value) for key, value in rest.get("with", {}).items()}


def _value(value: Any) -> Value:
    return value if isinstance(value, int | float) else _words(value)


def _words(value: Any) -> str:
    return remade(_recipe(value)) if isinstance(value, dict) else str(value)
