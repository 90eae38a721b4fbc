"""The commands of the set-up's page: their form. What they mean stands in `companion.setup`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.page.commands import Form

EDITS: Final = (
    "board", "corners", "place", "to", "what", "value", "path", "scale", "scale_x", "scale_y", "shift_mm", "turn_deg",
)  # fmt: skip
"""What an edit of a board may have beside `do` (`calibration.editing`)."""


def _form(optional: tuple[str, ...] = (), **args: type) -> Form:
    return Form(args, frozenset(optional))


COMMANDS: Final[Mapping[str, Form]] = {
    "choose_game": _form(("players",), game=str, players=int),
    "choose_camera": _form(("width", "height"), device=object, width=int, height=int),
    "choose_board": _form(board=object),
    "choose_sensors": _form(("serial", "gpio"), serial=object, gpio=object),
    "take_shot": _form(name=str),
    "drop_shot": _form(name=str),
    "enter_position": _form(name=str, state=dict),
    "calibrate": _form(),
    "set_names": _form(names=dict),
    "set_rules": _form(options=dict),
    "set_game": _form(("pattern", "posts"), pattern=object, posts=object),
    "set_knob": _form(blue_knob=str),
    "try_knob": _form(),
    "set_language": _form(language=str),
    "edit_board": _form(EDITS, do=str, **dict.fromkeys(EDITS, object)),
    "save": _form(),
    "begin": _form(),
}
