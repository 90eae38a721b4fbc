"""What reconciling costs: looks at simulated games, each with a little doubt at every place, as a camera gives them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from companion.cli.judge_speed import Case, simulated_case
from companion.evidence import Sight
from vision.reading import PlaceReading, Reading, Status

if TYPE_CHECKING:
    from companion.games.game import TableGame

GAMES: Mapping[str, int] = {"infinity": 8, "finity": 2}
"""Simulated games of a run; of Finity four players each, the largest board."""
MOST_MOVES = 60
"""Of a game; by then a board of Finity is as full as between people."""
PLAYERS = 4
SETTLED_S = 1.0
"""Two pictures so far apart that agree settle a position."""
APART_S = 8.0
DOUBT = 1e-3
"""How likely every other label is at a place, beside the one that is seen."""


def reconciling_us(game: str, seed: int) -> list[float]:
    """Microseconds of every look that a table takes, moves that settle among them."""
    from companion.table import Table

    taken: list[float] = []
    for number in range(seed, seed + GAMES[game]):
        case = simulated_case(game, PLAYERS, number)
        table = Table(case.rules(), game_id=f"bench-{number}")
        table.start(0.0)
        for sight in chain.from_iterable(islice(_sights(case), MOST_MOVES)):
            began = time.perf_counter()
            table.take(sight)
            table.tick(sight.t_s)
            taken.append((time.perf_counter() - began) * 1e6)
    return taken


def sights(game: str, seed: int) -> Iterator[tuple[Sight, Sight]]:
    """After each move of a simulated game: the look that shows it first, and the one that settles it."""
    return _sights(simulated_case(game, PLAYERS, seed))


def _sights(case: Case) -> Iterator[tuple[Sight, Sight]]:
    rules = case.rules()
    labels = _labels(rules)
    position, t_s = rules.start(), 10.0
    for move in case.moves:
        while (forced := rules.forced(position)) is not None:
            position = forced.after
        position = rules.play(position, move).after  # type: ignore[union-attr]
        yield _sight(rules, position, labels, t_s), _sight(rules, position, labels, t_s + SETTLED_S)
        t_s += APART_S


def _labels(rules: TableGame[Any]) -> Mapping[str, tuple[str, ...]]:
    """What may be seen at each place: what the kind of place can hold at all."""
    if rules.name == "finity":
        from calibration.board import load_board
        from calibration.finity.board import FinityBoard

        board = load_board(rules.name)
        assert isinstance(board, FinityBoard)
        players = tuple(map(str, rules.players))
        blockers = tuple(f"blocker {player}" for player in players)
        slots = {slot.name: (".", *slot.labels, *blockers) for slot in board.slot_places(len(players))}
        return {name: slots.get(name, (".", *players)) for name in board.places(len(players))}
    return {str(place): (".", "B", "K", "Y", "W") for place in rules.sight(rules.start())}


def _sight(rules: TableGame[Any], position: Any, labels: Mapping[str, tuple[str, ...]], t_s: float) -> Sight:
    """A clear look at a position, with a little doubt at every place."""
    places = {
        str(place): PlaceReading(
            {label: 1.0 if label == shown else DOUBT for label in (*labels[str(place)], str(shown))}, sure=True
        )
        for place, shown in rules.sight(position).items()
    }
    stop = rules.knob_stop(position)
    knob = None if stop is None else PlaceReading({str(stop): 1.0}, sure=True)
    well = rules.well(position)
    beside = None if well is None else {str(label): count for label, count in well.items()}
    return Sight(t_s, "camera", Reading(Status.OK, places, knob=knob, well=beside, confidence=0.99))
