"""What a set-up has so far: choices, pictures, what was learnt of them. Kept on disk, written as files in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Config, checked_config
from companion.errors import CompanionError, InputError, error_words, system_words
from companion.page.layout.colours import learnt_colours
from companion.setup import draft as drafts
from companion.setup.boards import Boards
from companion.setup.draft import Draft
from companion.setup.kept import Kept
from companion.setup.positions import State, entered_state
from companion.setup.scenery import Scenery, scenery_of
from companion.setup.shots import EMPTY, NAMES, Shot, mark_of, shots_of
from companion.setup.writing import draft_of, read_existing, write_table
from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.camera import Lens, Pose
    from calibration.file import Calibration
    from calibration.preview import BoardLook
    from companion.calibrating import Measured


@dataclass(frozen=True, slots=True)
class Learnt:
    """A calibration; `mark` tells the pictures that it was made from, empty where it was read from its file."""

    calibration: Calibration
    measured: Measured | None = None
    mark: str = ""


class Desk:
    """The choices and pictures of one table's set-up.

    Args:
        config: the file that is set up; as it stands there, so the set-up begins.
        kept: an unfinished set-up that is newer than that is gone on with.
        draft: what a set-up begins with where nothing was chosen before.
        playing: a config that stands in place of the file's.

    Attributes:
        board: the board chosen; None before a game is.
        notice: what could not be read of what was there before.
    """

    def __init__(self, config: Path, kept: Kept, draft: Draft, playing: Config | None = None) -> None:
        self.config = config.absolute()
        self.boards = Boards(self.config.parent)
        self.draft = draft
        self.board: Board | None = None
        self.learnt: Learnt | None = None
        self.refused: str | None = None
        self.calibration_file: str | None = None
        self.notice: str | None = None
        self._kept = kept
        self._taken: dict[str, bytes] = {}
        self._states: dict[str, State] = {}
        self._seen_from: tuple[Lens, Pose] | None = None
        self._written: tuple[Draft, Learnt | None] | None = None
        self._scenery: tuple[object, Scenery] | None = None
        self._go_on(self._read_config(playing))

    # What was there before

    def _read_config(self, playing: Config | None) -> float:
        """The draft and the calibration of an existing config; returns when it was written, in seconds."""
        from calibration.errors import CalibrationError

        try:
            existing = read_existing(self.config)
            if not existing:
                return float("-inf")
            config = playing or checked_config(existing, self.config)
            self.draft = draft_of(config)
            if config.camera is not None:
                from calibration.file import load  # OpenCV comes with it, and a table without a camera needs none

                self.calibration_file = str(config.camera.calibration)
                self.learnt = Learnt(load(config.camera.calibration, config.table.game))
            self._written = self.draft, self.learnt
            return self.config.stat().st_mtime
        except (CompanionError, CalibrationError) as error:
            self.notice = error_words(error)
        except OSError as error:
            self.notice = text("{path}: {why}", path=str(self.config), why=system_words(error))
        return float("-inf")

    def _go_on(self, written_s: float) -> None:
        """Take up what was kept: the choices where they are newer than the config, the pictures where they fit."""
        kept = self._kept.read()
        if kept is not None:
            draft, states, kept_s = kept
            if kept_s >= written_s:
                self.draft = draft
            if _same_view(draft, self.draft):
                self._states = states
                self._taken = self._kept.pictures(NAMES)
                self._seen_from = _seen_from(self._taken.get(EMPTY), self._board_chosen(), draft)
        try:
            self.board = self._board_chosen()
        except InputError as error:
            self.draft, self.notice = replace(self.draft, board=None), error_words(error)
            self.board = self._board_chosen()

    def _board_chosen(self) -> Board | None:
        """The board that the draft names, else the calibration's, else the game's own."""
        draft, learnt = self.draft, self.learnt
        if draft.game is None:
            return None
        if draft.board is None and learnt is not None and not learnt.mark and learnt.calibration.game == draft.game:
            return learnt.calibration.board
        return self.boards.load(draft.board, draft.game)

    def keep(self) -> None:
        """Keep the choices, for a set-up that is broken off."""
        self._kept.keep(self.draft, self._states)

    # What can be seen of it

    @property
    def scenery(self) -> Scenery:
        """The board with the game on it.

        Raises:
            InputError: where no game is chosen.
        """
        if self.board is None:
            raise InputError(text("Choose the game first."))
        draft = self.draft
        colours = learnt_colours(None if self.learnt is None else self.learnt.calibration)
        key = (draft.game, dict(draft.setup), dict(draft.options), self.board.digest, self._seen_from, colours)
        if self._scenery is None or self._scenery[0] != key:
            self._scenery = key, scenery_of(draft, self.board, self._seen_from, colours)
        return self._scenery[1]

    @property
    def shots(self) -> tuple[Shot, ...]:
        """The pictures; none without a camera."""
        game = self.draft.game
        if game is None or self.draft.without_camera:
            return ()
        return shots_of(game, self.scenery.suggested, self._states, self._taken)

    @property
    def stale(self) -> bool:
        """Whether the calibration is not of the pictures that are there."""
        learnt = self.learnt
        if learnt is None or self.board is None:
            return False
        if not learnt.mark:
            return learnt.calibration.board.digest != self.board.digest or not self._of_camera(learnt.calibration)
        return learnt.mark != mark_of(self.board.digest, self.shots)

    def _of_camera(self, calibration: Calibration) -> bool:
        camera = self.draft.camera
        return camera is None or calibration.size == (camera.width, camera.height)

    @property
    def saved(self) -> bool:
        """Whether the files say what was chosen."""
        return self._written is not None and self._written == (self.draft, self.learnt)

    def shot(self, name: str) -> Shot:
        """A picture by its name.

        Raises:
            InputError: where there is none such.
        """
        found = next((shot for shot in self.shots if shot.name == name), None)
        if found is None:
            raise InputError(text("There is no such picture to take."))
        return found

    def picture(self, name: str) -> bytes | None:
        """A picture that was taken, as JPEG."""
        return self._taken.get(name)

    # Choices

    def choose_game(self, game: str, players: object) -> None:
        before = self.draft
        self.draft = drafts.choose_game(before, game, players)
        if (before.game, before.players) != (self.draft.game, self.draft.players):
            self._forget_pictures()
        self.board = self._board_chosen()

    def choose_camera(self, device: object, size: tuple[object, object], known: Sequence[str]) -> None:
        before = self.draft
        self.draft = drafts.choose_camera(before, device, size, known)
        if before.camera is not None and self.draft.camera is not None and before.camera != self.draft.camera:
            self._forget_pictures()

    def choose_board(self, name: Any) -> None:
        game = self.draft.game
        if game is None:
            raise InputError(text("Choose the game first."))
        self.board = self.boards.load(name, game)
        self.draft = replace(self.draft, board=None if name == game else name)

    def take(self, name: str, jpeg: bytes, seen: BoardLook, state: State | None) -> None:
        """A picture was taken of `state`."""
        self._taken[name] = jpeg
        self._kept.keep_picture(name, jpeg)
        self.refused = None
        if state is not None:
            self._states[name] = state  # what was laid stays so, whatever is suggested later
        if name == EMPTY and seen.lens is not None and seen.pose is not None:
            self._seen_from = seen.lens, seen.pose

    def drop(self, name: str) -> None:
        """Take a picture anew."""
        self.shot(name)
        self._taken.pop(name, None)
        self._states.pop(name, None)
        self._kept.drop_picture(name)
        self.refused = None

    def enter(self, name: str, state: Mapping[str, Any]) -> None:
        """Somebody says what lies there."""
        self.shot(name)
        if name == EMPTY:
            raise InputError(text("The bare board has nothing on it: take the picture again if something lay there."))
        self._states[name] = entered_state(self.scenery.board, len(self.scenery.players), state)
        self.refused = None

    def learn(self, found: Learnt | str) -> str | None:
        """What the camera has learnt; or why it has not, which is returned."""
        self.refused = found if isinstance(found, str) else None
        if isinstance(found, Learnt):
            self.learnt = found
        return self.refused

    def _forget_pictures(self) -> None:
        for name in self._taken:
            self._kept.drop_picture(name)
        self._taken, self._states, self._seen_from = {}, {}, None
        self.learnt = self.refused = None

    # The files

    def write(self) -> tuple[Config, Calibration | None]:
        """Write the config and its calibration.

        Raises:
            InputError: where they cannot be written, or what they would say cannot be.
        """
        self._take_over_renewed()
        calibration = None if self.learnt is None or self.draft.camera is None else self.learnt.calibration
        try:
            existing = read_existing(self.config)
        except InputError:
            existing = {}  # it cannot be read, and is kept as .bak
        config = write_table(self.config, self.draft, calibration, existing)
        self.calibration_file = None if config.camera is None else str(config.camera.calibration)
        self._written = self.draft, self.learnt
        return config, calibration

    def _take_over_renewed(self) -> None:
        """A calibration that was renewed during the game stands in its file; saving must not take that back."""
        from calibration.errors import CalibrationError
        from calibration.file import load

        learnt, file, written = self.learnt, self.calibration_file, self._written
        if learnt is None or file is None or written is None or learnt is not written[1]:
            return
        with suppress(CalibrationError):
            self.learnt = replace(learnt, calibration=load(Path(file), learnt.calibration.game))


def _same_view(kept: Draft, now: Draft) -> bool:
    """Whether pictures of one draft are of the other, too."""
    return (kept.game, kept.players, kept.camera) == (now.game, now.players, now.camera)


def _seen_from(jpeg: bytes | None, board: Board | None, draft: Draft) -> tuple[Lens, Pose] | None:
    """Where the camera stands, by the picture of the bare board."""
    from calibration.preview import look
    from vision.errors import VisionError
    from vision.pictures import decode_picture

    if jpeg is None or board is None:
        return None
    try:
        seen = look(decode_picture(jpeg), board, draft.players)
    except VisionError:
        return None
    return None if seen.lens is None or seen.pose is None else (seen.lens, seen.pose)
