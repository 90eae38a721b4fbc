"""Many moves at once: found while hands had the time for them, asked about beyond, and not searched for in vain."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from companion.evidence import Sight
from companion.games.game import Label, Place
from companion.games.registry import game_named
from companion.reconciler.looks import AsItLay, Look, LookWindow, PlaceTable, Table, change
from companion.reconciler.rates import RATES, TIMES
from companion.reconciler.touching import MOST_MOVES_SEEN, Touching
from companion.reconciler.trail import Trail
from tests.reconciler.sights import place, words
from tests.reconciler.test_finity_table import SETUP, Watched, questions
from vision.reading import Reading, Status

BUSY = (
    ("add b N>NE M", {"N>NE M": "b N"}),
    ("add w W>NW M", {"NW>W M": "w W"}),
    ("reverse N>NE M", {"N>NE M": "b NE"}),
    ("add b SW>W M", {"SW>W M": "b SW"}),
    ("add w E>SE M", {"SE>E M": "w E"}),
    ("reverse W>NW M", {"NW>W M": "w NW"}),
    ("add b C>N M", {"C>N M": "b C"}),
)
"""Moves, and what each of them changes for the eye."""

HANDS = (("C>S M", "C>S L"), ("C>SE M", "C>SE R"))
"""What two hands cover by turns."""


def busy(moves: int) -> Watched:
    """Hands that never rest make moves, each in sight for a second, and then the board lies open."""
    watched = Watched()
    watched.see(2.0)
    for _, changes in BUSY[:moves]:
        for covered in HANDS * 5:
            watched.see(0.2, covered)
        watched.sight.update(changes)
        for covered in HANDS * 3:
            watched.see(0.2, covered)
    watched.see(13.0, every_s=1.0)
    return watched


def test_as_many_moves_are_found_as_hands_had_the_time_for() -> None:
    assert MOST_MOVES_SEEN < 5
    watched = busy(5)
    assert watched.table.referee.record.moves == tuple(move for move, _ in BUSY[:5]), words(watched.records)


def test_more_moves_than_are_thought_of_are_asked_about() -> None:
    watched = busy(7)
    assert watched.table.referee.record.moves == ()
    assert questions(watched.records)


def looks_at(game: Any, shown: dict[str, str]) -> Table:
    """What ten looks say of a board that differs from the start by these places."""
    sight = {**game.sight(game.start()), **shown}
    window = LookWindow(RATES, TIMES)
    for number in range(10):
        places = {str(name): place(str(label), (str(label), ".", *"AB")) for name, label in sight.items()}
        window.add(Look.of(Sight(0.2 * number, "camera", Reading(Status.OK, places, confidence=0.99)), RATES))
    return window.table()


def test_a_board_that_no_few_moves_explain_is_not_searched() -> None:
    """A game that was set up otherwise, or a board that was never cleared: of millions of ways none leads there."""
    game: Any = game_named("finity", {}, SETUP)
    possible: Touching[Any] = Touching(game, game.start(), RATES, {}, Trail(RATES, TIMES))
    pairs = [str(name) for name in game.sight(game.start()) if str(name).endswith(" M")]
    far = looks_at(game, {name: f"b {name.split('>')[0]}" for name in pairs[:12]})
    assert possible.usual(far) == (possible.nothing,)
    assert not list(possible.longer(far, room=2))
    near = looks_at(game, {name: f"b {name.split('>')[0]}" for name in pairs[:2]})
    assert any(len(each.moves) == 2 for each in possible.usual(near))


class Supposed:
    """Something that only changes places."""

    def __init__(self, changes: dict[Place, Label]) -> None:
        self.changes = changes
        self.lying: dict[Place, Label] = {}


def test_the_same_looks_say_the_same_in_whatever_order_the_places_come() -> None:
    names = [Place(name) for name in ("N.S", "NE.M", "E.L", "SE.S")]
    table = {name: PlaceTable({"A": -0.1 * number, ".": -1.3 / 3}, -4.6, "A") for number, name in enumerate(names)}
    before = AsItLay(dict.fromkeys(names, Label(".")))
    found = {change(table, before, Supposed(dict.fromkeys(order, Label("A")))) for order in permutations(names)}
    assert len(found) == 1
