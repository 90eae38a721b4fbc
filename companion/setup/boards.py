"""Board files that a set-up may use: the built-in board of the game, and files beside the config. No others.

Whoever has the page's token may choose a board and save one; that is no leave to read and write anywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import InputError, error_words
from companion.texts import Text, text

if TYPE_CHECKING:
    from calibration.board import Board

LARGEST = 200_000
"""Bytes; the largest board file has 6000."""


class Boards:
    """The board files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def listed(self, game: str) -> list[tuple[str | None, str | Text]]:
        """What can be chosen for a game, the built-in board (None) first, in words."""
        files = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        return [(None, text("the usual board")), *((path.name, path.stem) for path in files if _is_board(path, game))]

    def load(self, name: object, game: str) -> Board:
        """The board of a file, or the built-in one.

        Raises:
            InputError: where there is none, or it is of another game.
        """
        from calibration.board import load_board
        from calibration.errors import BoardError

        try:
            board = load_board(game if name is None or name == game else self.place(name))
        except BoardError as error:
            raise InputError(error_words(error)) from error
        if board.game != game:
            raise InputError(text("{file} is a board of another game.", file=str(name)))
        return board

    def place(self, name: object) -> Path:
        """The file of a name.

        Raises:
            InputError: where the name leads elsewhere.
        """
        folder = self._folder.resolve()
        if not isinstance(name, str) or not name.endswith(".json") or len(name) > 200 or "\0" in name:
            raise InputError(text("A board file has a name that ends in .json."))
        path = (folder / name).resolve()
        if path.parent != folder:
            raise InputError(text("Board files lie in {folder}: give a name in it.", folder=str(folder)))
        return path


def _is_board(path: Path, game: str) -> bool:
    """Whether a file describes a board of the game; calibrations and other files are passed over."""
    from calibration.board import load_board
    from calibration.errors import BoardError

    try:
        return path.stat().st_size <= LARGEST and load_board(path).game == game
    except (BoardError, OSError):
        return False
