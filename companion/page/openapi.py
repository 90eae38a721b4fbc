"""The addresses for scripts as an OpenAPI description, made of the forms by which commands are checked.

GET  openapi.json    the description; its paths are relative to where it lies
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion import __version__
from companion.games.game import Json
from companion.page.commands import ASKED, COMMANDS, LONGEST_NAME, LONGEST_TEXT, Form
from companion.page.report import FORMS
from companion.page.statics import json_response
from companion.texts import languages

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

JSON = "application/json"
TABLE = "/table/{table}"
TYPES: Mapping[type, Mapping[str, Json]] = {
    str: {"type": "string", "maxLength": LONGEST_TEXT},
    int: {"type": "integer"},
    list: {"type": "array", "items": {"type": "string", "maxLength": LONGEST_TEXT}, "maxItems": LONGEST_TEXT},
    dict: {"type": "object"},
    object: {},
}
TAKES: Mapping[str, str] = {
    "answer": "Answer the open question.",
    "undo": "Take the last move back.",
    "correct": "Put the record right.",
    "play": "Enter a move that nothing saw.",
    "place": "Say what a doubtful place really shows.",
    "new_game": "Begin anew.",
    "take_up": "Go on with the last game.",
    "pause": "Judge nothing for a while.",
    "resume": "Judge again.",
    "confirm_knob": "Say that the knob stands where the score is.",
    "recalibrate": "Learn the light anew from what lies on the board.",
    "say": "Say something aloud, where the table has a voice.",
    "start": "Record the next minutes for a bug report.",
    "stop": "End the recording.",
    "legal_moves": "The legal moves before a turn, or now.",
    "preview_correct": "What a correction would change.",
    "preview_undo": "What taking the last move back would change.",
}
ABOUT = (
    "What the pages and scripts ask of a table. Without `/table/{table}` an address is about the first table. Commands "
    "want the token that stands behind # in the link of the terminal. Everybody who reaches the page may ask the rest."
)


def openapi_routes() -> list[Route]:
    """The route of the description."""
    from starlette.routing import Route

    async def description(request: Request) -> Response:
        return json_response(openapi(), request.headers)

    return [Route("/openapi.json", description)]


def openapi() -> dict[str, Json]:
    """The description, as OpenAPI 3.1 has it."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Companion", "version": __version__, "description": ABOUT},
        "servers": [{"url": "."}],
        "paths": {**_tables(), **_table(), **command_paths(TABLE, COMMANDS), **_asked(), **_archive(), **_report()},
        "components": {
            "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": "X-Companion-Token"}},
            "schemas": {"Answer": ANSWER, "Fault": FAULT},
        },
    }


def command_paths(prefix: str, forms: Mapping[str, Form]) -> dict[str, Json]:
    """A path for each command below `prefix`."""
    return {f"{prefix}/command/{name}": {"post": _command(name, form, prefix)} for name, form in forms.items()}


def args_schema(form: Form) -> dict[str, Json]:
    """The arguments of a form as a JSON Schema."""
    return {
        "type": "object",
        "properties": {name: dict(TYPES[kind]) for name, kind in form.args.items()},
        "required": sorted(form.args.keys() - form.optional),
        "additionalProperties": False,
    }


ANSWER: Mapping[str, Json] = {
    "description": "What became of it: `ok`, or a `reason` in one word and a `detail` for people.",
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "reason": {"type": "string", "description": "empty where it was carried out"},
        "detail": {"type": "string", "description": "a sentence for people, in the language asked for"},
        "seq": {"type": ["integer", "null"], "description": "of the state after it"},
    },
    "required": ["ok", "reason", "detail", "seq"],
}
FAULT: Mapping[str, Json] = {
    "description": "Why there is no answer.",
    "type": "object",
    "properties": {"reason": {"type": "string"}, "detail": {"type": "string"}},
    "required": ["reason", "detail"],
}
REFUSED: Mapping[str, str] = {
    "400": "Not of its form.",
    "403": "Without the token, or from another site.",
    "408": "It came too slowly.",
    "409": "Not any more, or not so: see `reason`.",
    "413": "Too large.",
    "500": "A fault of the program.",
    "503": "The table does not answer.",
}


def _ref(name: str) -> dict[str, Json]:
    return {"$ref": f"#/components/schemas/{name}"}


def _sent(description: str, media_type: str = JSON, schema: Mapping[str, Json] | None = None) -> dict[str, Json]:
    return {"description": description, "content": {media_type: {"schema": dict(schema or {})}}}


def _missing(*, or_fault: bool = False) -> dict[str, Json]:
    """No such table, or what a table says where there is no such thing."""
    fault: Mapping[str, Json] = {JSON: {"schema": _ref("Fault")}} if or_fault else {}
    return {
        "description": "There is no such table here, or nothing of this kind.",
        "content": {"text/plain": {"schema": {"type": "string"}}, **fault},
    }


def _param(name: str, where: str, schema: Mapping[str, Json], description: str, **more: Json) -> dict[str, Json]:
    return {"name": name, "in": where, "schema": dict(schema), "description": description, **more}


def _parameters(path: str, *query: Json) -> list[Json]:
    found: list[Json] = []
    if "{table}" in path:
        name = _param("table", "path", {"type": "string"}, "as `tables` has it", required=True)
        found.append(name)
    if "{game}" in path:
        found.append(_param("game", "path", {"type": "integer", "minimum": 1}, "its number", required=True))
    language = _param("lang", "query", {"enum": [*languages()]}, "of sentences for people")
    return [*found, *query, language]


def _get(
    path: str, summary: str, good: Mapping[str, Json], *query: Json, others: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """A path that is only looked at; `others` are further answers by their status."""
    answers: dict[str, Json] = {"200": dict(good), **(others or {})}
    if "{" in path:
        answers["404"] = _missing(or_fault="404" in answers)
    return {path: {"get": {"summary": summary, "parameters": _parameters(path, *query), "responses": answers}}}


def _tables() -> dict[str, Json]:
    row: Json = {
        "type": "object",
        "properties": {"table": {"type": "string"}, "calls": {"type": "boolean"}},
        "required": ["table", "calls"],
    }
    listed = _sent("A row for each.", JSON, {"type": "array", "items": row})
    return {
        **_get("/tables", "All tables of this server, with score, turn, and whether one waits for a person.", listed),
        **_get("/openapi.json", "This description.", _sent("OpenAPI.", JSON, {"type": "object"})),
    }


def _table() -> dict[str, Json]:
    state: Mapping[str, Json] = {"type": "object", "properties": {"seq": {"type": "integer"}}, "required": ["seq"]}
    fault = _sent("It cannot be said.", JSON, _ref("Fault"))
    faults: Mapping[str, Json] = {"400": fault, "404": fault, "503": fault}
    ply = _param("ply", "query", {"type": "integer", "minimum": 0}, "after so many turns", required=True)
    move = _param("move", "query", {"type": "string", "maxLength": 60}, "as `companion judge` takes it")
    may: Mapping[str, Json] = {
        "type": "object",
        "properties": {"may_command": {"type": "boolean"}},
        "required": ["may_command"],
    }
    jpeg = _sent("JPEG; its age in seconds in X-Picture-Age-S.", "image/jpeg")
    return {
        **_get(f"{TABLE}/state", "The whole state (docs/schemas/state.schema.json).", _sent("It.", JSON, state)),
        **_get(f"{TABLE}/records", "All records of the running game.", _sent("Them.", JSON, {"type": "array"})),
        **_get(
            f"{TABLE}/position",
            "The table as it was, or with `move` as a move would make it.",
            _sent("It.", JSON, {"type": "object"}),
            ply,
            move,
            others=faults,
        ),
        **_get(f"{TABLE}/moves", "The legal moves then.", _sent("Them.", JSON, {"type": "object"}), ply, others=faults),
        **_get(
            f"{TABLE}/picture.jpg",
            "The newest camera picture, with what is seen.",
            jpeg,
            others={"204": {"description": "None is fresh."}},
        ),
        **_get(f"{TABLE}/access", "Whether the token that came along may command.", _sent("It.", JSON, may)),
    }


def _command(name: str, form: Form, prefix: str) -> dict[str, Json]:
    body: Json = {
        "type": "object",
        "properties": {
            "seq": {"type": "integer", "description": "of the state that the person had before the eyes"},
            "transaction": {"type": "string", "minLength": 1, "maxLength": 100},
            "by": {"type": "string", "maxLength": LONGEST_NAME, "description": "who gives it"},
            "args": args_schema(form),
        },
        "required": ["seq", "transaction", "args"],
    }
    return {
        "summary": TAKES.get(name, name),
        "parameters": _parameters(prefix),
        "security": [{"token": []}],
        "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
        "responses": _answers("{table}" in prefix),
    }


def _answers(about_a_table: bool) -> dict[str, Json]:
    answers: dict[str, Json] = {code: _sent(words, JSON, _ref("Answer")) for code, words in REFUSED.items()}
    if about_a_table:
        answers["404"] = _missing()
    return {"200": _sent("It was carried out, or this is what was asked.", JSON, _ref("Answer")), **answers}


def _asked() -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, form in ASKED.items():
        args: Json = {
            "name": "args",
            "in": "query",
            "description": "JSON",
            "content": {JSON: {"schema": args_schema(form)}},
            "required": bool(form.args.keys() - form.optional),
        }
        path = f"{TABLE}/ask/{name}"
        found[path] = {
            "get": {
                "summary": TAKES[name],
                "parameters": _parameters(path, args),
                "security": [{"token": []}],
                "responses": _answers(about_a_table=True),
            }
        }
    return found


def _archive() -> dict[str, Json]:
    game = "/summary/{table}/{game}"
    return {
        **_get("/summary/{table}/picture.png", "The picture of the newest game.", _sent("PNG.", "image/png")),
        **_get(f"{game}/picture.png", "The picture of a game.", _sent("PNG.", "image/png")),
        **_get(f"{game}/record.txt", "Its record, which `companion import` reads.", _sent("Text.", "text/plain")),
        **_get(f"{game}/record.json", "Its record and every event.", _sent("JSON.", JSON, {"type": "object"})),
    }


def _report() -> dict[str, Json]:
    path = "/report/{table}"
    state: Mapping[str, Json] = {
        "type": "object",
        "properties": {
            "left_s": {"type": ["number", "null"]},
            "size": {"type": "integer"},
            "ready": {"type": "boolean"},
        },
        "required": ["left_s", "size", "ready"],
    }
    return {
        **_get(path, "Whether the next minutes are recorded for a bug report.", _sent("It.", JSON, state)),
        **command_paths(path, FORMS),
    }
