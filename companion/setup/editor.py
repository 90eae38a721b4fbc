"""The board editor of a set-up: one picture held still, a board file's template over it (`calibration.editing`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.errors import InputError
from companion.games.game import Json
from companion.setup.boards import Boards
from companion.setup.draft import Draft
from companion.texts import in_words, text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.editing import Editing
    from calibration.sampling import Picture


class BoardEditor:
    """At most one board under edit.

    Attributes:
        jpeg: the picture that its points are for; None without one.
    """

    def __init__(self, boards: Boards) -> None:
        self._boards = boards
        self._editing: Editing | None = None
        self.jpeg: bytes | None = None

    def edit(self, args: Mapping[str, Any], picture: Picture | None, board: Board, draft: Draft) -> str | None:
        """Carry out an edit; returns the file's name where a board was saved.

        Args:
            picture: the camera's newest, for an editor that begins.
            board: the board chosen.
        Raises:
            InputError, BoardError: where it cannot be; the board stays as it was.
        """
        match args["do"]:
            case "begin":
                self._begin(args.get("board"), picture, board, draft)
            case "close":
                self._editing = self.jpeg = None
            case "save":
                return self._save(args.get("path"))
            case _:
                from calibration.editing import edit

                self._editing = edit(
                    self._under_edit(), {key: value for key, value in args.items() if value is not None}
                )
        return None

    def to_json(self) -> Json:
        """What the page shows (`calibration.editing`); None without an editor."""
        if self._editing is None:
            return None
        shown: dict[str, Any] = self._editing.to_json()
        return {**shown, "advice": [in_words(advice) for advice in shown["advice"]]}

    def _begin(self, name: object, picture: Picture | None, board: Board, draft: Draft) -> None:
        from calibration.editing import begin
        from vision.pictures import encode_jpeg

        if picture is None:
            raise InputError(text("The camera has to give a picture first."))
        chosen = board if name is None else self._boards.load(name, board.game)
        self._editing = begin(picture, chosen, source=str(name or draft.board or board.game), players=draft.players)
        self.jpeg = encode_jpeg(picture, 85)

    def _save(self, name: object) -> str:
        from calibration.editing import edit

        path = self._boards.place(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._editing = edit(self._under_edit(), {"do": "save", "path": str(path)})
        return path.name

    def _under_edit(self) -> Editing:
        if self._editing is None:
            raise InputError(text("Begin with a picture of the board first."))
        return self._editing
