"""The commands that a person may give on the page: their form, and whether they come too late.

A command is `{"seq": 17, "transaction": "…", "args": {…}}`. It names what it is about (the question, the ply), and
`seq` says what the person had before the eyes: a tap that a newer move or correction has overtaken is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.game import Json
from companion.page.table import CommandResult

REFUSALS = {
    "no_json": "The request is not a JSON object with seq, transaction and args.",
    "unknown_command": "There is no such command.",
    "bad_args": "The command {name} wants {wants}.",
    "stale": "The game has gone on since; look at the page again.",
    "closed": "This question is closed already.",
    "token": "This page may only look on; open the link that the terminal shows to take part.",
    "origin": "The request comes from another site.",
    "busy": "The table does not answer at the moment; look whether it went through, then try again.",
    "failed": "The table could not do that; its log says why.",
    "too_large": "The request is too large.",
}

LONGEST_TEXT = 200
"""Characters of one argument; a reason for a correction is a sentence, no more."""


@dataclass(frozen=True, slots=True)
class Form:
    """The arguments of a command: name to type; those in `optional` may be left out.

    `tied` commands speak of the position that the person saw, so news of the game makes them stale.
    """

    args: Mapping[str, type]
    optional: frozenset[str] = frozenset()
    tied: bool = True


COMMANDS: Mapping[str, Form] = {
    "answer": Form({"question": str, "choice": str}, tied=False),
    "undo": Form({"ply": int}),
    "correct": Form({"ply": int, "moves": list, "why": str}, optional=frozenset({"why"})),
    "new_game": Form({}),
    "pause": Form({}, tied=False),
    "resume": Form({}, tied=False),
    "confirm_knob": Form({}),
}

OVERTAKES = frozenset({"game_started", "move", "forfeit", "correction", "game_over"})
"""Records after which a tied command is stale. A hand over the board or a device's news overtakes nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command of good form."""

    name: str
    seq: int
    transaction: str
    args: Mapping[str, Json]


def refused(reason: str, **words: str) -> CommandResult:
    return CommandResult(False, reason, REFUSALS[reason].format(**words))


def parse_request(name: str, body: object) -> Request | CommandResult:
    """Check the form of a command; a refusal says what is wrong."""
    form = COMMANDS.get(name)
    if form is None:
        return refused("unknown_command")
    match body:
        case {"seq": int(seq), "transaction": str(transaction), "args": dict(args)} if 0 < len(transaction) <= 100:
            if isinstance(seq, bool) or not _fits(form, args):
                return refused("bad_args", name=name, wants=_wants(form))
            return Request(name, seq, transaction, args)
    return refused("no_json")


def _fits(form: Form, args: Mapping[str, object]) -> bool:
    required = form.args.keys() - form.optional
    return required <= args.keys() <= form.args.keys() and all(_is(form.args[key], args[key]) for key in args)


def _is(wanted: type, value: object) -> bool:
    if isinstance(value, list):
        return wanted is list and len(value) <= LONGEST_TEXT and all(_is(str, item) for item in value)
    if isinstance(value, str):
        return wanted is str and len(value) <= LONGEST_TEXT
    return isinstance(value, wanted) and not isinstance(value, bool)


def _wants(form: Form) -> str:
    words = {str: "text", int: "a number", list: "a list of texts"}
    return ", ".join(f"{key} ({words[kind]})" for key, kind in form.args.items()) or "no arguments"


def overtaken(request: Request, state: Mapping[str, Json], since: Iterable[Mapping[str, Json]]) -> CommandResult | None:
    """Refuse a command that comes too late, None where it comes in time.

    Args:
        state: the state now.
        since: the records after `request.seq`.
    """
    if request.name == "answer":
        question = state.get("question")
        open_now = question.get("question") if isinstance(question, Mapping) else None
        return None if request.args["question"] == open_now else refused("closed")
    seq_now = state.get("seq")
    from_elsewhere = isinstance(seq_now, int) and request.seq > seq_now
    tied = COMMANDS[request.name].tied
    if tied and (from_elsewhere or any(record.get("event") in OVERTAKES for record in since)):
        return refused("stale")
    return None
