"""What a set-up shows of the game and the board chosen: made once for each choice, for it takes some time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.finity import Finity
from companion.games.game import Json, TableGame
from companion.setup.draft import Draft, provisional_game
from companion.setup.positions import State, labels_of, suggested_states
from companion.texts import Text, text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.camera import Lens, Pose

PLAYERS: Final[Mapping[str, Text]] = {"blue": text("Blue"), "yellow": text("Yellow")}


@dataclass(frozen=True, slots=True)
class Scenery:
    """A board with a game on it.

    Attributes:
        suggested: what to lay for the pictures after the empty one.
        layout, labels: how to draw it, and what may stand where.
        stations: where players may start, in a game where that is a choice.
    """

    board: Board
    game: TableGame[Any]
    suggested: tuple[State, ...]
    layout: Mapping[str, Json]
    labels: Mapping[str, Json]
    stations: tuple[str, ...]

    @property
    def players(self) -> tuple[str, ...]:
        return self.game.players

    @property
    def player_words(self) -> dict[str, Text]:
        return {player: PLAYERS.get(player, text("Player {letter}", letter=player)) for player in self.players}


def scenery_of(
    draft: Draft,
    board: Board,
    seen_from: tuple[Lens, Pose] | None,
    colours: Mapping[str, str] | None = None,
) -> Scenery:
    """The scenery of a draft with a game.

    Args:
        seen_from: where the camera stands, if that is known.
        colours: the players' own, "#rrggbb", where a camera has learnt them.
    Raises:
        InputError: where no game is chosen, or the board cannot be drawn.
    """
    from companion.page.layout import layout_for

    game = provisional_game(draft)
    shown: Mapping[str, Json] = {**game.setup, "pattern": draft.setup.get("pattern", "")} if game.setup else {}
    return Scenery(
        board,
        game,
        suggested_states(board, game, seen_from),
        layout_for(game.name, board.to_json(), shown, colours),
        {place: list(labels) for place, labels in labels_of(board, len(game.players)).items()},
        _stations(game),
    )


def _stations(game: TableGame[Any]) -> tuple[str, ...]:
    return tuple(game.terms.layout.base_posts) if isinstance(game, Finity) else ()
