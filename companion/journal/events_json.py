"""Events back from their JSON: the inverse of `record_json`, for every event class alike.

A line holds an event's own fields and, flat among them, the game's `facts`; empty texts are left out. What stands in
a line and is no field of the event is one of its facts, or, where the event has none, is passed over, so that a
record written by a version with one more field can still be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, TypeGuard, Union, get_args, get_origin, get_type_hints

from companion.errors import InputError
from companion.events import Event, Record
from companion.games.game import Json
from companion.texts import text

EVENT_CLASSES: Mapping[str, type[Event]] = {cls.event: cls for cls in get_args(Event)}
"""Every event class by its word."""

_FIELD_TYPES: Mapping[str, Mapping[str, Any]] = {
    word: {item.name: get_type_hints(cls)[item.name] for item in fields(cls)} for word, cls in EVENT_CLASSES.items()
}
_OF_THE_RECORD = frozenset({"seq", "id", "t", "event"})


def record_from_json(line: Mapping[str, Json]) -> Record:
    """Read the object that `record_json` wrote; lists come back as tuples.

    Raises:
        InputError: if the object is no event of this version, naming what is wrong.
    """
    seq, id_, t_s, word = (line.get(key) for key in ("seq", "id", "t", "event"))
    if not (_is_count(seq) and isinstance(id_, str) and isinstance(t_s, int | float)):
        raise InputError(
            text(
                "an event needs seq (a number), id (a text) and t (seconds); got {seq}, {id}, {t}",
                seq=repr(seq),
                id=repr(id_),
                t=repr(t_s),
            )
        )
    if not isinstance(word, str) or word not in EVENT_CLASSES:
        raise InputError(
            text(
                "event {seq} is of an unknown kind {word}; a newer companion may have written it",
                seq=seq,
                word=repr(word),
            )
        )
    return Record(seq=seq, id=id_, t_s=float(t_s), event=_event(EVENT_CLASSES[word], line))


def _event(cls: type[Event], line: Mapping[str, Json]) -> Event:
    hints = _FIELD_TYPES[cls.event]
    given: dict[str, Any] = {}
    for item in fields(cls):
        if item.name == "facts":
            given["facts"] = {k: _frozen(v) for k, v in line.items() if k not in hints and k not in _OF_THE_RECORD}
        elif item.name in line:
            given[item.name] = _frozen(line[item.name])
        elif hints[item.name] is str:
            given[item.name] = ""
        elif NoneType in get_args(hints[item.name]):
            given[item.name] = None
    wrong = [name for name, value in given.items() if not _fits(value, hints[name])]
    if wrong:
        raise InputError(
            text(
                "event {seq} ({event}): {names} cannot be read",
                seq=str(line["seq"]),
                event=cls.event,
                names=", ".join(wrong),
            )
        )
    try:
        return cls(**given)
    except TypeError as error:
        raise InputError(
            text("event {seq} ({event}) is not whole: {why}", seq=str(line["seq"]), event=cls.event, why=str(error))
        ) from error


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _frozen(value: Json) -> Json:
    """The value with its lists, however deep, as tuples."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return tuple(_frozen(item) for item in value)
    return value


def _fits(value: object, hint: Any) -> bool:
    """Whether a value read from JSON is of the field's type, as deep as a fault could hide a wrong shape."""
    origin = get_origin(hint)
    if origin in (UnionType, Union):
        return any(_fits(value, option) for option in get_args(hint))
    if origin is tuple:
        parts = get_args(hint)
        if not isinstance(value, tuple):
            return False
        if len(parts) == 2 and parts[1] is Ellipsis:
            return all(_fits(item, parts[0]) for item in value)
        return len(value) == len(parts) and all(_fits(item, part) for item, part in zip(value, parts, strict=True))
    if origin is not None:
        return isinstance(value, origin)
    if hint is float:
        return isinstance(value, int | float)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
