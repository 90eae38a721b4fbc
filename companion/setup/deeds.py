"""What carries out each command of the set-up. One at a time, and not while the camera learns or a game begins.

Each raises an error that people can read where it cannot be; the session then is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.errors import InputError
from companion.setup import draft as drafts
from companion.setup.learning import learnt_from
from companion.setup.room import Asked
from companion.setup.shots import CALLED, next_shot
from companion.setup.steps import steps_of
from companion.setup.view import facts_of
from companion.texts import in_words, text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.setup.session import SetupSession

Args = Mapping[str, Any]
Deed = Callable[["SetupSession", Args], object]

TAKE_S = 4.0
"""How long a picture is waited for when one is taken; a camera gives one within a second, or is broken."""
JPEG_QUALITY = 95


def choose_game(session: SetupSession, args: Args) -> None:
    session.desk.choose_game(args["game"], args.get("players"))
    session.around.find()


def choose_camera(session: SetupSession, args: Args) -> None:
    known = [camera.device for camera in session.around.cameras]
    session.desk.choose_camera(args["device"], (args.get("width", 1280), args.get("height", 720)), known)
    if session.game is None:
        session.around.finder.choose(session.desk.draft.camera)


def choose_sensors(session: SetupSession, args: Args) -> None:
    desk = session.desk
    known = [port.serial for port in session.around.ports if port.serial is not None]
    desk.draft = drafts.choose_sensors(desk.draft, args.get("serial"), args.get("gpio"), known)
    if session.is_watched:
        session.around.ears.listen(desk.draft)


def take_shot(session: SetupSession, args: Args) -> None:
    from calibration.preview import look
    from vision.pictures import encode_jpeg

    name, desk, room, finder = args["name"], session.desk, session.room, session.around.finder
    shot = desk.shot(name)
    session.ask(Asked(desk.draft, name, shot.state))
    image = finder.next_after(room.clock(), TAKE_S * room.patience)
    if image is None:
        raise InputError(text("No picture came. {camera}", camera=finder.words))
    seen = look(image, desk.scenery.board, desk.draft.players)
    if not seen.ready:
        advice = in_words(seen.advice[0]) if seen.advice else text("the board is not seen well enough")
        raise InputError(text("This picture is of no use: {advice}. Then take it again.", advice=advice))
    desk.take(name, encode_jpeg(image, JPEG_QUALITY), seen, shot.state)


def calibrate(session: SetupSession, _: Args) -> None:
    desk = session.desk
    shots, missing = desk.shots, next_shot(desk.shots)
    if missing is not None or not shots:
        raise InputError(text("Take {picture} first.", picture=CALLED[missing or "empty"]))
    board = desk.scenery.board
    session.work(text("The camera learns how the board looks."), lambda say: desk.learn(learnt_from(board, shots, say)))


def try_knob(session: SetupSession, _: Args) -> None:
    """Somebody turns the knob, and the page looks which way it went."""
    heard = session.around.ears.heard
    if heard is None:
        raise InputError(text("Choose the board's sensors first; else say which way by hand."))
    if heard.turned is None:
        silent = text("The knob was not heard yet: turn it a click, and press again.")
        raise InputError(silent if heard.state == "ok" else heard.words)
    session.room.turn_knob()


def edit_board(session: SetupSession, args: Args) -> None:
    desk, newest = session.desk, session.around.finder.newest()
    picture = None if newest is None else newest[1]
    saved = session.editor.edit(args, picture, desk.scenery.board, desk.draft)
    if saved is not None:
        desk.choose_board(saved)
        session.around.find()


def save(session: SetupSession, _: Args) -> tuple[Config, Calibration | None]:
    last = steps_of(facts_of(session.desk, session.around))[-1]
    if not last.is_done:
        raise InputError(last.problems[0])
    return session.desk.write()


def begin(session: SetupSession, args: Args) -> None:
    config, calibration = save(session, args)
    session.begin(config, calibration)


def _change(change: Callable[..., drafts.Draft], key: str | None = None) -> Deed:
    """A command that changes nothing but the draft, by one argument or by all of them."""

    def carry_out(session: SetupSession, args: Args) -> None:
        session.desk.draft = change(session.desk.draft, args if key is None else args[key])

    return carry_out


HANDLERS: Mapping[str, Deed] = {
    "choose_game": choose_game,
    "choose_camera": choose_camera,
    "choose_board": lambda session, args: session.desk.choose_board(args["board"]),
    "choose_sensors": choose_sensors,
    "take_shot": take_shot,
    "drop_shot": lambda session, args: session.desk.drop(args["name"]),
    "enter_position": lambda session, args: session.desk.enter(args["name"], args["state"]),
    "calibrate": calibrate,
    "set_names": _change(drafts.set_names, "names"),
    "set_rules": _change(drafts.set_rules, "options"),
    "set_game": _change(drafts.set_game),
    "set_knob": _change(drafts.set_rules),
    "try_knob": try_knob,
    "set_language": _change(drafts.set_language, "language"),
    "edit_board": edit_board,
    "save": save,
    "begin": begin,
}
"""What carries each command out."""
