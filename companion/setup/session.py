"""A set-up under way: it looks through the camera, calibrates, begins the game, and answers the page.

Commands come one after another, each for the state that the person saw (`seq`). Calibrating goes on in a thread of its
own; everything else waits for it. What the camera sees is judged by `turn`, and only while somebody looks.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.errors import CompanionError, InputError
from companion.games.game import Json
from companion.page.commands import refused
from companion.page.table import CommandResult, PageTable, Request
from companion.setup import draft as drafts
from companion.setup.desk import Desk, Learnt
from companion.setup.draft import said
from companion.setup.editor import BoardEditor
from companion.setup.found import Found
from companion.setup.kept import Kept
from companion.setup.playing import other_game, position_of
from companion.setup.positions import State
from companion.setup.room import Asked, Room
from companion.setup.shots import CALLED, GAME, Shot, mark_of, next_shot
from companion.setup.state import LookSeen, View, state_json
from companion.setup.steps import Facts, steps_of
from companion.setup.viewfinder import Viewfinder
from companion.setup.words import in_words
from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.file import Calibration

log = logging.getLogger(__name__)

TURN_S = 0.3
"""How often the live look is renewed: as quick as people move a lamp or a mat, and a twentieth of a core."""
FIND_S = 3.0
"""How often it is looked for devices while somebody watches: as long as one waits after plugging something in."""
TAKE_S = 4.0
"""How long a picture is waited for when one is taken; a camera gives one within a second, or is broken."""
JPEG_QUALITY = 95

Begin = Callable[[Config, "Calibration | None"], object]


class SetupSession:
    """One table's set-up. All public methods may be called from any thread.

    Args:
        config: the file that is set up.
        kept: where an unfinished set-up is kept.
        room: what there is around.
        begin: takes the config and the calibration of a game that shall begin, and returns at once; whoever begins it
            calls `lend`, then `began` or `failed`, and in the end `ended`.
        playing: a config that stands in place of the file's, with what the command line said.
    """

    def __init__(
        self,
        config: Path,
        kept: Kept,
        room: Room | None = None,
        begin: Begin | None = None,
        playing: Config | None = None,
    ) -> None:
        self._room = room or Room()
        self._begins = begin
        self._commands = threading.Lock()
        self._lock = threading.RLock()
        self._wakers: set[Callable[[], None]] = set()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="set-up", daemon=True)
        self._finder = Viewfinder(self._room.open_capture, self._room.clock, self._show, self._room.patience)
        self._desk = Desk(config, kept, self._room.draft, playing)
        self._editor = BoardEditor(self._desk.boards)
        self._kept = kept
        self._seq = 1
        self._busy: tuple[str, str] | None = None
        self._error = self._desk.notice
        self._cameras: Sequence[Found] = ()
        self._ports: Sequence[Found] = ()
        self._boards: Sequence[tuple[str | None, str]] = ()
        self._look: LookSeen | None = None
        self._looked_s = self._found_s = float("-inf")
        self._game: tuple[PageTable, Config] | None = None
        self._asked: tuple[str | None, State | None] | None = None
        self._state: Mapping[str, Json] = {}
        self._find()
        self._show()

    def start(self, *, with_camera: bool = True) -> None:
        """Begin to look; through the camera that was chosen, unless a game has it from the start."""
        if with_camera:
            self._finder.choose(self._desk.draft.camera)
            self._show()
        self._thread.start()

    def stop(self) -> None:
        """Let everything go; what was chosen stays kept."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(3)
        self._finder.let_go()
        self._kept.close()

    # The page's side

    def state(self) -> Mapping[str, Json]:
        """The state; the same object until it changes."""
        return self._state

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change; what is returned ends it."""
        with self._lock:
            self._wakers.add(wake)
        return lambda: self._wakers.discard(wake)

    def preview(self) -> bytes | None:
        """The newest picture as JPEG with the markers drawn in; None where none is fresh."""
        return self._finder.jpeg(self._desk.board, self._desk.draft.players)

    def shot(self, name: str) -> bytes | None:
        """A picture that was taken, as JPEG."""
        return self._desk.picture(name)

    def mat(self, paper: str, language: str) -> bytes | None:
        """The chosen board's mat to print, as PDF; None before a game is chosen, and for paper that is not known."""
        from companion.mat.content import content_of
        from companion.mat.drawing import mat_pdf
        from companion.mat.papers import PAPERS

        board = self._desk.board
        if board is None or paper not in PAPERS:
            return None
        return mat_pdf(content_of(board, self._desk.draft.players), paper, language)

    def board_picture(self) -> bytes | None:
        """The picture that the board editor is for, as JPEG."""
        return self._editor.jpeg

    def command(self, request: Request) -> CommandResult:
        """Carry out a command of `companion.setup.commands`."""
        from calibration.errors import CalibrationError

        with self._commands:
            if request.seq != self._seq:
                return replace(refused("stale"), detail=text("Somebody has changed something since; look again."))
            if self._busy is not None:
                return CommandResult(False, "working", text("Please wait: {what}", what=self._busy[0]))
            try:
                self._error = None
                HANDLERS[request.name](self, request.args)
            except (CompanionError, CalibrationError) as error:
                self._show()
                return CommandResult(False, "refused", in_words(said(error)))
            self._changed()
            return CommandResult(True)

    # The game's side

    def lend(self) -> None:
        """Let the game have the camera; its pictures come back by `put`."""
        self._finder.let_go()

    def put(self, t_s: float, image: Any) -> None:
        """A picture of the game's camera."""
        self._finder.put(image)

    def began(self, table: PageTable, config: Config) -> None:
        """A game is refereed now."""
        with self._lock:
            self._game, self._busy = (table, config), None
            self._changed()

    def failed(self, why: str) -> None:
        """The game could not begin."""
        with self._lock:
            self._error, self._busy = why, None
        self.ended()

    def ended(self) -> None:
        """No game is refereed any more; the camera may be looked through again."""
        with self._lock:
            self._game = self._desk.of_game = None
            self._changed()
        if not self._stopping.is_set():
            self._finder.choose(self._desk.draft.camera)

    # What goes on by itself

    def turn(self) -> None:
        """Look at what has changed around: camera, devices, the game under way. Cheap while nobody looks."""
        self._finder.check()
        if not self._wakers:
            return
        now_s = self._room.clock()
        if now_s - self._found_s >= FIND_S:
            self._find()
        self._look_again()
        self._follow_game()
        self._show()

    def _run(self) -> None:
        while not self._stopping.wait(TURN_S):
            try:
                self.turn()
            except Exception:
                # the set-up must not go blind for good because of one picture or one device
                log.exception("looking around failed")

    def _find(self) -> None:
        self._found_s = self._room.clock()
        self._cameras, self._ports = self._room.cameras(), self._room.ports()
        game = self._desk.draft.game
        self._boards = [] if game is None else self._desk.boards.listed(game)

    def _look_again(self) -> None:
        board = self._desk.board
        newest = None if board is None else self._finder.look(board, self._desk.draft.players)
        if newest is None:
            self._look = None
            return
        seen, t_s = newest
        age_s = round(2 * max(0.0, self._room.clock() - t_s)) / 2  # coarse: a new age alone is no news
        advice = tuple(map(in_words, seen.advice))
        self._look = LookSeen(tuple(seen.markers), tuple(seen.missing), advice, seen.ready, age_s)

    def _follow_game(self) -> None:
        """Where the pieces stand in the game under way, for its picture."""
        if self._game is not None:
            table, config = self._game
            self._desk.of_game = position_of(table.state(), config)

    def _learn(self, board: Board, shots: tuple[Shot, ...]) -> None:
        """Calibrate, in a thread."""
        from calibration.errors import CalibrationError
        from companion.calibrating import learn
        from vision.errors import VisionError

        def say(progress: str) -> None:
            self._busy = text("The camera learns how the board looks."), in_words(progress)
            self._show()

        try:
            empty, *references = [_pictured(shot, board) for shot in shots if shot.jpeg is not None]
            calibration, measured = learn(board, empty, references, None, say)
            found, refused_why = Learnt(calibration, measured, mark_of(board.digest, shots)), None
        except (CalibrationError, VisionError, CompanionError) as error:
            found, refused_why = None, in_words(said(error))
        except Exception as error:
            log.exception("calibrating failed")
            found, refused_why = None, text("Calibrating failed: {why}", why=str(error))
        with self._lock:
            self._busy, self._error, self._desk.refused = None, refused_why, refused_why
            self._desk.learnt = found or self._desk.learnt
            self._changed()

    # Commands that need more than the desk

    def _choose_camera(self, args: Mapping[str, Any]) -> None:
        known = [camera.device for camera in self._cameras]
        self._desk.choose_camera(args["device"], (args.get("width", 1280), args.get("height", 720)), known)
        if self._game is None:
            self._finder.choose(self._desk.draft.camera)

    def _choose_sensors(self, args: Mapping[str, Any]) -> None:
        known = [port.serial for port in self._ports if port.serial is not None]
        self._desk.draft = drafts.choose_sensors(self._desk.draft, args.get("serial"), args.get("gpio"), known)

    def _choose_game(self, args: Mapping[str, Any]) -> None:
        self._desk.choose_game(args["game"], args.get("players"))
        self._find()

    def _take_shot(self, name: str) -> None:
        from calibration.preview import look
        from vision.pictures import encode_jpeg

        if name == GAME:
            self._follow_game()
        shot, desk = self._desk.shot(name), self._desk
        state = desk.of_game or shot.state if name == GAME else shot.state
        self._room.asked(Asked(desk.draft, name, state))
        self._asked = None
        image = self._finder.next_after(self._room.clock(), TAKE_S * self._room.patience)
        if image is None:
            raise InputError(text("No picture came. {camera}", camera=self._finder.words))
        seen = look(image, desk.scenery.board, desk.draft.players)
        if not seen.ready:
            advice = in_words(seen.advice[0]) if seen.advice else text("the board is not seen well enough")
            raise InputError(text("This picture is of no use: {advice}. Then take it again.", advice=advice))
        desk.take(name, encode_jpeg(image, JPEG_QUALITY), seen, state)

    def _calibrate(self) -> None:
        shots = self._desk.shots
        missing = next_shot(shots)
        if missing is not None or not shots:
            raise InputError(text("Take {picture} first.", picture=CALLED[missing or "empty"]))
        self._busy = text("The camera learns how the board looks."), ""
        job = threading.Thread(
            target=self._learn, args=(self._desk.scenery.board, shots), name="calibrating", daemon=True
        )
        job.start()

    def _edit_board(self, args: Mapping[str, Any]) -> None:
        desk = self._desk
        newest = self._finder.newest()
        saved = self._editor.edit(args, None if newest is None else newest[1], desk.scenery.board, desk.draft)
        if saved is not None:
            desk.choose_board(saved)
            self._find()

    def _begin(self) -> None:
        config, calibration = self._write()
        if self._begins is None:
            file = str(self._desk.config)
            raise InputError(text("It is saved. Begin with: companion referee --config {file}", file=file))
        self._busy = text("The game begins."), ""
        self._begins(config, calibration)

    def _write(self) -> tuple[Config, Calibration | None]:
        last = steps_of(self._facts())[-1]
        if not last.is_done:
            raise InputError(last.problems[0])
        return self._desk.write()

    # The state

    def _changed(self) -> None:
        """Something was changed by a person or learnt: keep it, and show it."""
        with self._lock:
            self._seq += 1
            self._desk.keep()
            self._show()

    def _facts(self) -> Facts:
        desk, look = self._desk, self._look
        return Facts(
            draft=desk.draft,
            camera=self._finder.state,
            camera_words=self._finder.words,
            missing=None if look is None else look.missing,
            fit=look is not None and look.ready,
            advice=() if look is None else look.advice,
            shots=desk.shots,
            learnt=desk.learnt is not None,
            stale=desk.stale,
            refused=desk.refused,
        )

    def _show(self) -> None:
        """Make the state anew, and wake who looks where it has changed."""
        with self._lock:
            desk = self._desk
            self._tell_people()
            view = View(
                seq=self._seq,
                facts=self._facts(),
                scenery=None if desk.board is None else desk.scenery,
                look=self._look,
                cameras=self._cameras,
                ports=self._ports,
                boards=self._boards,
                measured=None if desk.learnt is None else desk.learnt.measured,
                editor=self._editor.to_json(),
                busy=self._busy,
                error=self._error,
                config=str(desk.config),
                calibration=desk.calibration_file,
                simulated=self._room.simulated,
                saved=desk.saved,
                playing=self._game is not None,
                new_game=() if self._game is None else other_game(self._game[1], desk.draft),
            )
            state = state_json(view)
            if state == self._state:
                return
            self._state = state
            wakers = tuple(self._wakers)
        for wake in wakers:
            wake()

    def _tell_people(self) -> None:
        """Say what is to be laid, where that has changed."""
        desk = self._desk
        if desk.draft.game is None:
            return
        name = next_shot(desk.shots)
        state = None if name is None else desk.shot(name).state
        if (name, state) != self._asked:
            self._asked = name, state
            self._room.asked(Asked(desk.draft, name, state))


def _pictured(shot: Shot, board: Board) -> Any:
    """A shot as `companion.calibrating` takes it."""
    from companion.calibrating import Shot as Pictured
    from companion.calibrating import parse_state
    from vision.pictures import decode_picture

    assert shot.jpeg is not None
    called = CALLED[shot.name]
    picture = decode_picture(shot.jpeg, called)
    return Pictured(called, picture, None if shot.state is None else parse_state(shot.state, board))


def _change(change: Callable[..., drafts.Draft], *keys: str) -> Callable[[SetupSession, Mapping[str, Any]], None]:
    """A command that changes nothing but the draft."""

    def carry_out(session: SetupSession, args: Mapping[str, Any]) -> None:
        desk = session._desk
        desk.draft = change(desk.draft, *(args[key] for key in keys))

    return carry_out


HANDLERS: Mapping[str, Callable[[SetupSession, Mapping[str, Any]], object]] = {
    "choose_game": SetupSession._choose_game,
    "choose_camera": SetupSession._choose_camera,
    "choose_board": lambda session, args: session._desk.choose_board(args["board"]),
    "choose_sensors": SetupSession._choose_sensors,
    "take_shot": lambda session, args: session._take_shot(args["name"]),
    "drop_shot": lambda session, args: session._desk.drop(args["name"]),
    "enter_position": lambda session, args: session._desk.enter(args["name"], args["state"]),
    "calibrate": lambda session, _: session._calibrate(),
    "set_names": _change(drafts.set_names, "names"),
    "set_rules": _change(drafts.set_rules, "options"),
    "set_game": lambda session, args: _change(lambda draft: drafts.set_game(draft, args))(session, args),
    "set_knob": lambda session, args: _change(lambda draft: drafts.set_rules(draft, args))(session, args),
    "set_language": _change(drafts.set_language, "language"),
    "edit_board": SetupSession._edit_board,
    "save": lambda session, _: session._write(),
    "begin": lambda session, _: session._begin(),
}
"""What carries each command out."""
