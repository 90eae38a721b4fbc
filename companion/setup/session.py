"""A set-up under way: it holds what there is so far and what is around, takes commands, and answers the page.

Commands (`deeds`) come one after another, each for the state that the person saw (`seq`). What takes long goes on in a
thread of its own, and everything else waits for it. What is around is looked at by `turn`, and only while somebody
looks at the page.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.errors import CompanionError, InputError, error_words
from companion.games.game import Json
from companion.page.commands import refused
from companion.page.table import CommandResult, PageTable, Request
from companion.setup.around import Around
from companion.setup.deeds import HANDLERS
from companion.setup.desk import Desk
from companion.setup.editor import BoardEditor
from companion.setup.kept import Kept
from companion.setup.playing import other_game
from companion.setup.room import Asked, Room
from companion.setup.shots import next_shot
from companion.setup.state import state_json
from companion.setup.telling import Telling
from companion.setup.view import Going, view_of
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration

log = logging.getLogger(__name__)

TURN_S = 0.3
"""How often the live look is renewed: as quick as people move a lamp or a mat, and a twentieth of a core."""

Begin = Callable[[Config, "Calibration | None"], object]
Say = Callable[[str], None]


class SetupSession:
    """One table's set-up. All public methods may be called from any thread.

    Args:
        config: the file that is set up.
        kept: where an unfinished set-up is kept.
        room: what there is around.
        begin: takes the config and the calibration of a game that shall begin, and returns at once; whoever begins it
            calls `lend`, then `began` or `failed`, and in the end `ended`.
        playing: a config that stands in place of the file's, with what the command line said.

    Attributes:
        desk, editor: what there is so far; `deeds` change them.
        around: devices, what they see and hear.
        game: the table under way and its config.
    """

    def __init__(
        self,
        config: Path,
        kept: Kept,
        room: Room | None = None,
        begin: Begin | None = None,
        playing: Config | None = None,
    ) -> None:
        self.room: Room = room or Room()
        self.desk: Desk = Desk(config, kept, self.room.draft, playing)
        self.editor: BoardEditor = BoardEditor(self.desk.boards)
        self.around: Around = Around(self.room, self.desk, self._show)
        self.game: tuple[PageTable, Config] | None = None
        self._begins = begin
        self._kept = kept
        self._commands = threading.Lock()
        self._lock = threading.RLock()
        self._telling = Telling()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="set-up", daemon=True)
        self._seq = 1
        self._busy: tuple[str, str] | None = None
        self._error = self.desk.notice
        self._asked: Asked | None = None
        self.around.find()
        self._show()

    def start(self, *, with_camera: bool = True) -> None:
        """Begin to look; through the camera that was chosen, unless a game has the devices from the start."""
        if with_camera:
            self.around.take_back()
            self._show()
        else:
            self.around.lend()
        self._thread.start()

    def stop(self) -> None:
        """Let everything go; what was chosen stays kept."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(3)
        self.around.let_go()
        self._kept.close()

    # The page's side

    def state(self) -> Mapping[str, Json]:
        """The state; the same object until it changes."""
        return self._telling.state

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change; what is returned ends it."""
        return self._telling.subscribe(wake)

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at the page."""
        return self._telling.is_watched

    def preview(self) -> bytes | None:
        """The newest picture as JPEG with the markers drawn in; None where none is fresh."""
        return self.around.finder.jpeg(self.desk.board, self.desk.draft.players)

    def shot(self, name: str) -> bytes | None:
        """A picture that was taken, as JPEG."""
        return self.desk.picture(name)

    def mat(self, paper: str, language: str) -> bytes | None:
        """The chosen board's mat to print, as PDF; None before a game is chosen, and for paper that is not known."""
        from companion.mat.content import content_of
        from companion.mat.drawing import mat_pdf
        from companion.mat.papers import PAPERS

        board = self.desk.board
        if board is None or paper not in PAPERS:
            return None
        return mat_pdf(content_of(board, self.desk.draft.players), paper, language)

    def board_picture(self) -> bytes | None:
        """The picture that the board editor is for, as JPEG."""
        return self.editor.jpeg

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
                return CommandResult(False, "refused", error_words(error))
            self._changed()
            return CommandResult(True)

    # The game's side

    def lend(self) -> None:
        """Let the game have the devices; the camera's pictures come back by `put`."""
        self.around.lend()

    def put(self, t_s: float, image: Any) -> None:
        """A picture of the game's camera."""
        self.around.finder.put(image)

    def began(self, table: PageTable, config: Config) -> None:
        """A game is refereed now."""
        with self._lock:
            self.game, self._busy = (table, config), None
            self._changed()

    def failed(self, why: str) -> None:
        """The game could not begin."""
        with self._lock:
            self._error, self._busy = why, None
        self.ended()

    def ended(self) -> None:
        """No game is refereed any more; the devices may be used again."""
        with self._lock:
            self.game = None
            self._changed()
        if not self._stopping.is_set():
            self.around.take_back()

    # For the deeds

    def ask(self, asked: Asked) -> None:
        """Have people lay something, even where they were asked for the same before."""
        self._asked = None
        self.room.asked(asked)

    def work(self, what: str, job: Callable[[Say], str | None]) -> None:
        """Do something that takes long, in a thread; it is told how to say how far it is, and says what was wrong."""

        def say(progress: str) -> None:
            self._busy = what, progress
            self._show()

        def run() -> None:
            wrong = job(say)
            with self._lock:
                self._busy, self._error = None, wrong
                self._changed()

        self._busy = what, ""
        threading.Thread(target=run, name="calibrating", daemon=True).start()

    def begin(self, config: Config, calibration: Calibration | None) -> None:
        """Have the game begun that was saved."""
        if self._begins is None:
            file = str(self.desk.config)
            raise InputError(text("It is saved. Begin with: companion referee --config {file}", file=file))
        self._busy = text("The game begins."), ""
        self._begins(config, calibration)

    # What goes on by itself

    def turn(self) -> None:
        """Look at what has changed around: devices, and what they see. Cheap while nobody looks."""
        self.around.finder.check()
        if not self.is_watched:
            self.around.ears.let_go()
            return
        self.around.turn()
        self._show()

    def _run(self) -> None:
        while not self._stopping.wait(TURN_S):
            try:
                self.turn()
            except Exception:
                # the set-up must not go blind for good because of one picture or one device
                log.exception("looking around failed")

    # The state

    def _changed(self) -> None:
        """Something was changed by a person or learnt: keep it, and show it."""
        with self._lock:
            self._seq += 1
            self.desk.keep()
            self._show()

    def _show(self) -> None:
        """Make the state anew, and wake who looks where it has changed."""
        with self._lock:
            self._tell_people()
            self._telling.show(state_json(view_of(self.desk, self.around, self._going())))

    def _going(self) -> Going:
        new_game = () if self.game is None else other_game(self.game[1], self.desk.draft)
        playing, simulated = self.game is not None, self.room.simulated
        return Going(self._seq, self.editor.to_json(), self._busy, self._error, simulated, playing, new_game)

    def _tell_people(self) -> None:
        """Say what is to be laid, where that has changed."""
        desk = self.desk
        if desk.draft.game is None:
            return
        name = next_shot(desk.shots)
        asked = Asked(desk.draft, name, None if name is None else desk.shot(name).state)
        before = self._asked
        if before is None or (asked.name, asked.state) != (before.name, before.state):
            self._asked = asked
            self.room.asked(asked)
