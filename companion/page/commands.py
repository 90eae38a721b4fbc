"""The commands that a person may give on the page, and what one may ask: their form, and whether they come too late.

A command is `{"seq": 17, "transaction": "…", "by": "Anna", "args": {…}}`; `by` may be left out. It names what it is
about (the question, the ply), and `seq` says what the person had before the eyes: a tap that a newer move or correction
has overtaken is refused. What is asked changes nothing and is never too late; its answer says its `seq`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.game import Json
from companion.page.table import CommandResult, Request
from companion.texts import text

REFUSALS = {
    "no_json": text("The request is not a JSON object with seq, transaction and args."),
    "unknown_command": text("There is no such command."),
    "bad_args": text("The command was sent with other arguments than it has."),
    "stale": text("The game has gone on since; look at the page again."),
    "closed": text("This question is closed already."),
    "token": text("This page may only look on; open the link that the terminal shows to take part."),
    "origin": text("The request comes from another site."),
    "busy": text("The table does not answer at the moment; look whether it went through, then try again."),
    "failed": text("The table could not do that; its log says why."),
    "too_large": text("The request is too large."),
    "too_slow": text("The request came too slowly; try again."),
}

LONGEST_TEXT = 200
"""Characters of one argument; a reason for a correction is a sentence, no more."""
LONGEST_NAME = 40
"""Characters of the name of who gives a command; it stands in a line of the list of events."""


@dataclass(frozen=True, slots=True)
class Form:
    """The arguments of a command: name to type; those in `optional` may be left out.

    `tied` commands speak of the position that the person saw, so news of the game makes them stale.
    """

    args: Mapping[str, type]
    optional: frozenset[str] = frozenset()
    tied: bool = True


CORRECTION = {"ply": int, "moves": list, "replaces": int}

COMMANDS: Mapping[str, Form] = {
    "answer": Form({"question": str, "choice": str}, tied=False),
    "undo": Form({"ply": int}),
    "correct": Form({**CORRECTION, "why": str}, optional=frozenset({"why", "replaces"})),
    "play": Form({"move": str}),
    "place": Form({"place": str, "label": str}),
    "new_game": Form({}),
    "take_up": Form({}),
    "pause": Form({}, tied=False),
    "resume": Form({}, tied=False),
    "confirm_knob": Form({}),
    "recalibrate": Form({}),
    "say": Form({"text": str}, tied=False),
}

ASKED: Mapping[str, Form] = {
    "legal_moves": Form({"ply": int}, optional=frozenset({"ply"})),
    "preview_correct": Form(CORRECTION, optional=frozenset({"replaces"})),
    "preview_undo": Form({"ply": int}),
}
"""What may be asked of a table (`Table.ask`); nothing changes by it."""

OVERTAKES = frozenset({"game_started", "move", "forfeit", "correction", "game_over"})
"""Records after which a tied command is stale. A hand over the board or a device's news overtakes nothing."""


def refused(reason: str) -> CommandResult:
    return CommandResult(False, reason, REFUSALS[reason])


def parse_request(name: str, body: object, forms: Mapping[str, Form] = COMMANDS) -> Request | CommandResult:
    """Check the form of a command; a refusal says what is wrong."""
    form = forms.get(name)
    if form is None:
        return refused("unknown_command")
    match body:
        case {"seq": int(seq), "transaction": str(transaction), "args": dict(args), **rest} if (
            0 < len(transaction) <= 100
        ):
            by = _name(rest.get("by", ""))
            if isinstance(seq, bool) or by is None or not fits(form, args):
                return refused("bad_args")
            return Request(name, seq, transaction, args, by)
    return refused("no_json")


def _name(by: object) -> str | None:
    """Who gives a command, in one line; None where that is no name."""
    if not isinstance(by, str) or len(by) > LONGEST_NAME:
        return None
    return " ".join("".join(letter if letter.isprintable() else " " for letter in by).split())


def fits(form: Form, args: Mapping[str, object]) -> bool:
    """Whether arguments are those of a form."""
    required = form.args.keys() - form.optional
    return required <= args.keys() <= form.args.keys() and all(_is(form.args[key], args[key]) for key in args)


def _is(wanted: type, value: object) -> bool:
    if wanted is object:  # of any kind: whoever carries it out checks it
        return True
    if isinstance(value, list):
        return wanted is list and len(value) <= LONGEST_TEXT and all(_is(str, item) for item in value)
    if isinstance(value, str):
        return wanted is str and len(value) <= LONGEST_TEXT and (value.isprintable() or not value)
    return isinstance(value, wanted) and not isinstance(value, bool)


def overtaken(
    request: Request,
    state: Mapping[str, Json],
    since: Iterable[Mapping[str, Json]],
    forms: Mapping[str, Form] = COMMANDS,
) -> CommandResult | None:
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
    tied = forms[request.name].tied
    if tied and (from_elsewhere or any(record.get("event") in OVERTAKES for record in since)):
        return refused("stale")
    return None
