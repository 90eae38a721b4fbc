"""Doubtful places: shown after some seconds of a still scene, told by a person, forgotten when they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import UsageError
from companion.events import Record
from companion.evidence import Sight
from companion.table import Table
from tests.reconciler.sights import COVERED, EMPTY, a_table, sight, words
from vision.reading import PlaceReading, Status

AFTER = "B...|....|....|...."
BLUE_OR_JOKER = {"B": 0.6, "K": 1.0, ".": 0.01, "Y": 0.001, "W": 0.001}


def look(t_s: float, board: str = AFTER, *, hand: bool = False, **unsure: Mapping[str, float]) -> Sight:
    """A look at a board of which some places (`s1_1`) cannot be told."""
    plain = sight(t_s, board, foreign=hand)
    places = {name.removeprefix("s").replace("_", "."): PlaceReading(logs, sure=False) for name, logs in unsure.items()}
    reading = replace(plain.reading, places={**plain.reading.places, **places}, status=Status.UNSURE)
    return replace(plain, reading=reading)


def watch(table: Table, since_s: float, until_s: float, board: str = AFTER, **how: Any) -> list[Record]:
    told: list[Record] = []
    for step in range(round((until_s - since_s) * 10) + 1):
        told += table.take(look(since_s + step / 10, board, **how))
    return told


def doubtful(table: Table) -> list[tuple[str, tuple[str, ...], str | None]]:
    found = table.state_json()["doubtful"]
    assert isinstance(found, list)
    return [(each["place"], tuple(each["choices"][:2]), each["said"]) for each in found if isinstance(each, dict)]


def in_doubt() -> Table:
    """A marble lies in channel 1, and the camera cannot tell blue from black."""
    table = a_table(first="blue")
    watch(table, 0.0, 2.0, EMPTY)
    watch(table, 2.1, 2.3, EMPTY, hand=True)
    watch(table, 2.4, 6.0, s1_1=BLUE_OR_JOKER)
    return table


def test_a_place_that_stays_unsure_is_doubtful_with_its_labels_in_order() -> None:
    table = a_table(first="blue")
    watch(table, 0.0, 2.8, EMPTY, s1_1=BLUE_OR_JOKER)
    assert doubtful(table) == []
    watch(table, 2.9, 3.2, EMPTY, s1_1=BLUE_OR_JOKER)
    assert doubtful(table) == [("1.1", ("K", "B"), None)]


@pytest.mark.parametrize("how", [{}, {"hand": True, "s1_1": BLUE_OR_JOKER}])
def test_a_sure_look_or_a_hand_ends_a_doubt(how: dict[str, Any]) -> None:
    table = a_table(first="blue")
    watch(table, 0.0, 4.0, EMPTY, s1_1=BLUE_OR_JOKER)
    assert doubtful(table)
    table.take(look(4.1, EMPTY, **how))
    assert doubtful(table) == []
    watch(table, 4.2, 6.9, EMPTY, s1_1=BLUE_OR_JOKER)
    assert doubtful(table) == [], "after a hand it is looked at anew"


def test_what_a_camera_can_never_see_is_no_doubt() -> None:
    table = a_table(first="blue")
    for step in range(50):
        plain = sight(step / 10, EMPTY)
        reading = replace(plain.reading, places={**plain.reading.places, "1.1": COVERED}, blind=("1.1",))
        table.take(replace(plain, reading=reading))
    assert doubtful(table) == []


def test_one_tap_on_a_doubtful_place_settles_the_move() -> None:
    table = in_doubt()
    assert doubtful(table) == [("1.1", ("K", "B"), None)]
    told = table.command("place", {"place": "1.1", "label": "B"}, 6.1, "Ada")
    assert words(told) == ["place_said"]
    assert doubtful(table) == [("1.1", ("K", "B"), "B")]
    told = watch(table, 6.2, 12.0, s1_1=BLUE_OR_JOKER)
    moves = [str(move["move"]) for move in table.state_json()["moves"]]  # type: ignore[index,union-attr,call-overload]
    assert moves == ["B1"]


def test_a_wrong_answer_is_taken_back_or_put_right() -> None:
    table = in_doubt()
    table.command("place", {"place": "1.1", "label": "K"}, 6.1)
    table.command("place", {"place": "1.1", "label": "B"}, 6.2)
    assert doubtful(table) == [("1.1", ("K", "B"), "B")]
    table.command("place", {"place": "1.1", "label": ""}, 6.3)
    table.take(look(6.4, s1_1=BLUE_OR_JOKER))
    assert doubtful(table) == [("1.1", ("K", "B"), None)]


def test_a_correction_makes_a_wrong_answer_void() -> None:
    table = in_doubt()
    table.command("place", {"place": "1.1", "label": "K"}, 6.1)
    told = watch(table, 6.2, 12.0, s1_1=BLUE_OR_JOKER)
    assert words(told)[-1:] in (["K1"], ["question_closed"])
    table.command("correct", {"ply": 1, "moves": ["B1"]}, 12.1)
    assert all(said is None for _, _, said in doubtful(table))


def test_what_was_said_stands_while_hands_come_and_go_and_falls_when_the_place_changes() -> None:
    table = in_doubt()
    table.command("place", {"place": "1.1", "label": "B"}, 6.1)
    watch(table, 6.2, 7.0, hand=True, s1_1=BLUE_OR_JOKER)
    watch(table, 7.1, 9.0, s1_1={**BLUE_OR_JOKER, "B": 0.7})
    assert doubtful(table)[0][2] == "B"
    watch(table, 9.1, 9.3, EMPTY, s1_1={".": 1.0, "B": 0.2, "K": 0.01})
    assert [said for _, _, said in doubtful(table)] == []


def test_a_single_misread_look_does_not_unsay_it() -> None:
    table = in_doubt()
    table.command("place", {"place": "1.1", "label": "B"}, 6.1)
    table.take(look(6.2, EMPTY))
    table.take(look(6.3, s1_1=BLUE_OR_JOKER))
    assert doubtful(table)[0][2] == "B"


@pytest.mark.parametrize(
    ("place", "label", "said"),
    [("9.9", "B", "does not see 9.9"), ("1.1", "Q", "knows no Q"), ("2.2", "", "nobody has said")],
)
def test_what_cannot_be_said_is_refused(place: str, label: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        in_doubt().command("place", {"place": place, "label": label}, 7.0)


def test_a_new_game_forgets_what_was_said() -> None:
    table = in_doubt()
    table.command("place", {"place": "1.1", "label": "B"}, 6.1)
    table.command("new_game", {}, 6.2)
    assert [said for _, _, said in doubtful(table) if said] == []
