"""Positions for reference pictures: what is suggested, and what people enter by tapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.errors import InputError, error_words
from companion.games.finity.sight_json import bridge_text
from companion.games.game import Json, TableGame
from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.camera import Lens, Pose

State = Mapping[str, Json]
EMPTY = "."
BLOCKER = "blocker "
LARGEST = 4000
"""Characters of a position as text; a full board of Finity has 2000."""


def suggested_states(
    board: Board, game: TableGame[Any], seen_from: tuple[Lens, Pose] | None = None
) -> tuple[State, ...]:
    """What to lay for each picture after the empty one; Finity's posts stand where the game's start has them."""
    from calibration.suggested import suggested

    setup: Mapping[str, Any] = game.setup
    return suggested(board, players=len(game.players), posts=setup.get("posts"), seen_from=seen_from)


def entered_state(board: Board, players: int, given: Mapping[str, Json]) -> State:
    """A position as somebody says it: a reference state, or the label at every place under `sight`.

    Raises:
        InputError: with every fault.
    """
    from calibration.errors import CalibrationError
    from companion.calibrating import parse_state

    if len(str(given)) > LARGEST:
        raise InputError(text("This is no position of the board."))
    state = {key: value for key, value in given.items() if key != "sight"}
    sight = given.get("sight")
    if isinstance(sight, Mapping):
        state |= _from_sight(board, players, sight)
    if board.game == "finity":
        state["players"] = players
    try:
        parse_state(state, board)
    except (CalibrationError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(error_words(error)) from error
    return state


def sight_of(board: Board, state: State) -> Mapping[str, str]:
    """The label at every place."""
    from companion.calibrating import parse_state

    parsed = parse_state(state, board)
    return dict(parsed.slots if board.game == "infinity" else parsed.labels)


def labels_of(board: Board, players: int) -> Mapping[str, tuple[str, ...]]:
    """What may stand at each place, nothing first."""
    from calibration.finity.board import POST, SIZES, FinityBoard
    from calibration.infinity.board import InfinityBoard
    from calibration.infinity.states import KINDS

    if isinstance(board, InfinityBoard):
        return dict.fromkeys(board.slot_centres(), (EMPTY, *KINDS))
    if not isinstance(board, FinityBoard):
        raise TypeError(f"nobody lays pieces on {board.game}")
    letters = tuple("ABCD"[:players])
    seats = {place: (EMPTY, *letters) for place in board.places(players) if place.rpartition(".")[2] in (*SIZES, POST)}
    slots = {
        slot.name: (EMPTY, *slot.labels, *(f"{BLOCKER}{who}" for who in letters)) for slot in board.slot_places(players)
    }
    return {**seats, **slots}


def _from_sight(board: Board, players: int, sight: Mapping[str, Json]) -> dict[str, Json]:
    known = labels_of(board, players)
    faults = [place for place, label in sight.items() if label not in known.get(place, ())]
    if faults:
        raise InputError(text("These places cannot show that: {places}.", places=", ".join(faults)[:200]))
    laid = {place: str(label) for place, label in sight.items() if label != EMPTY}
    if board.game == "infinity":
        rows: dict[str, str] = {}
        for place in known:
            channel = place.partition(".")[0]
            rows[channel] = rows.get(channel, "") + laid.get(place, EMPTY)
        return {"board": "|".join(rows.values())}
    return _pieces(laid, players)


def _pieces(laid: Mapping[str, str], players: int) -> dict[str, Json]:
    bridges: list[Json] = []
    rings: dict[str, dict[str, Json]] = {}
    posts: dict[str, Json] = {}
    blockers: dict[str, list[Json]] = {letter: [] for letter in "ABCD"[:players]}
    for place, label in laid.items():
        station, _, size = place.partition(".")
        if size == "P":
            if label in posts:
                raise InputError(text("{player} has one post only.", player=label))
            posts[label] = station
        elif size:
            rings.setdefault(station, {})[size] = label
        elif label.startswith(BLOCKER):
            blockers[label.removeprefix(BLOCKER)].append(place)
        else:
            bridges.append(bridge_text(place, label))
    return {"bridges": bridges, "rings": dict(rings), "posts": posts, "blockers": dict(blockers)}
