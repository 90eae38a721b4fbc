"""Sight of Finity without pictures: right where nothing is wrong, and wrong in the way that each fault says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.games.game import Json
from hw_sim.faults import Faults, stream
from hw_sim.finity.deeds import Deed
from hw_sim.finity.senses import FinityEyes
from hw_sim.finity.table import SimFinityTable
from hw_sim.light import STEADY
from hw_sim.scene import Light, ThingKind
from hw_sim.senses import ADAPTING_S, PlaceSeen, Seen
from tests.hw_sim.readings_from_sim import reading_from
from vision.reading import Status

SETUP: dict[str, Json] = {"players": 2, "pattern": "bwbbwbww"}
LAID = [
    Deed("", "N>NE M", "b N"),
    Deed("", "N>NE L", "w NE"),
    Deed("", "SE>S R", "b S"),
    Deed("", "E.S", "A"),
    Deed("", "E.M", "B"),
]


def a_table(seed: int = 4, faults: Faults | None = None) -> SimFinityTable:
    table = SimFinityTable(seed=seed, setup=SETUP, faults=faults)
    table.perform(table.person("A").do(LAID))
    return table


def eyes_of(table: SimFinityTable) -> FinityEyes:
    return FinityEyes(table, stream(1, "eyes"))


def looks(table: SimFinityTable, count: int, every_s: float = 0.5) -> Iterator[Seen]:
    eyes = eyes_of(table)
    for _ in range(count):
        table.advance(every_s)
        yield eyes.look(table.now_s)


def best(seen: PlaceSeen) -> str | None:
    return max(seen.likelihoods, key=seen.likelihoods.__getitem__, default=None)


def wrong(table: SimFinityTable, seen: Seen) -> list[str]:
    """The places whose best label is not what lies there."""
    truth = table.truth().sight
    return [name for name, place in seen.places.items() if not place.covered and best(place) != truth[name]]


def test_without_faults_nothing_is_seen_wrongly() -> None:
    table = a_table()
    unsure = Counter[str]()
    for seen in looks(table, 60):
        assert not wrong(table, seen)
        assert tuple(seen.places) == table.places.names
        assert seen.status in ("ok", "unsure")
        assert not seen.foreign
        unsure.update(name for name, place in seen.places.items() if not place.sure and not place.covered)
        reading = reading_from(seen)
        assert reading.status in (Status.OK, Status.UNSURE)
        assert reading.blind == seen.blind
    assert len(unsure) <= 4, "what stands behind a post"
    assert all(count < 45 for count in unsure.values()), "and not always"


def test_labels_are_those_of_the_rules_and_of_the_board() -> None:
    table = a_table()
    (seen,) = looks(table, 1)
    rules = {str(label) for label in table.rules.sight(table.rules.start()).values()}
    for name, place in seen.places.items():
        if not place.covered:
            wanted = set(table.places.slot(name).labels) if table.places.is_slot(name) else {"A", "B"}
            blockers = {"blocker A", "blocker B"} if table.places.is_slot(name) else set()
            assert set(place.likelihoods) == {".", *wanted, *blockers}
    assert {"A", "blocker A", "."} <= rules


@pytest.mark.parametrize("seed", range(6))
def test_the_tower_hides_the_same_few_places_in_every_picture(seed: int) -> None:
    table = a_table(seed)
    blind = eyes_of(table).blind
    for seen in looks(table, 5):
        assert seen.blind == blind
        assert all(seen.places[name].covered for name in blind)
        assert seen.status != "occluded", "what can never be seen is no news"


def test_some_towers_hide_nothing_and_none_hides_much() -> None:
    counts = Counter(len(eyes_of(SimFinityTable(seed=seed, setup=SETUP)).blind) for seed in range(60))
    assert set(counts) <= set(range(5))
    assert counts[0] > 3
    assert counts[1] + counts[2] + counts[3] > 10


def test_misreads_come_as_often_as_asked_mostly_unsure_and_leave_the_truth_possible() -> None:
    table = a_table(faults=Faults(misread=0.03))
    clear = a_table()
    found, sure, read = 0, 0, 0
    taken_for: set[tuple[str, str | None]] = set()
    for seen in looks(table, 400):
        for name in wrong(table, seen):
            place = seen.places[name]
            found += 1
            sure += place.sure
            assert place.likelihoods[table.truth().sight[name]] >= 0.03
            taken_for.add((table.truth().sight[name], best(place)))
        read += len(seen.places) - len(seen.blind)
    assert 0.025 < found / read < 0.035
    assert 0.25 < sure / found < 0.42
    assert ("b N", ".") in taken_for, "a black bridge and the dark tile"
    assert ("b N", "b NE") in taken_for, "and the same bridge turned round"
    assert not any(wrong(clear, seen) for seen in looks(clear, 5))


def test_glare_lies_on_one_place_for_seconds_and_is_never_sure() -> None:
    table = a_table(faults=Faults(glare_rate=20.0))
    runs: list[int] = []
    last: set[str] = set()
    for seen in looks(table, 300):
        now = set(wrong(table, seen))
        assert not any(seen.places[name].sure for name in now)
        runs.append(len(now & last))
        last = now
    assert sum(runs) > 100, "the same place in picture after picture"


def test_a_step_of_the_light_flattens_everything_for_a_moment() -> None:
    table = a_table()
    eyes = eyes_of(table)
    calm = eyes.look(table.now_s)
    table.light = Light(exposure=0.7)
    stepped = eyes.look(table.now_s)
    assert stepped.confidence < calm.confidence
    assert sum(not place.sure for place in stepped.places.values()) > 10
    table.advance(ADAPTING_S + 0.1)
    assert sum(not place.sure for place in eyes.look(table.now_s).places.values()) < 10
    table.light = STEADY
    assert sum(not place.sure for place in eyes.look(table.now_s).places.values()) > 10


def test_a_hand_covers_what_is_under_it_and_nothing_far_off() -> None:
    table = a_table()
    table.start(table.person("guest").rest_hand(75.0, 43.0, 3.0))
    table.advance(2.0)
    seen = eyes_of(table).look(table.now_s)
    assert seen.foreign
    assert seen.status == "occluded"
    assert seen.places["NE.S"].covered
    assert not seen.places["W.S"].covered
    assert not wrong(table, seen)


def test_a_thing_covers_what_it_lies_on() -> None:
    table = a_table()
    thing = table.perform(table.person("guest").put_thing(ThingKind.MUG, 150.0, 0.0))
    seen = eyes_of(table).look(table.now_s)
    assert seen.status == "occluded"
    assert seen.places["E.S"].covered
    table.perform(table.person("guest").take_thing(thing))
    assert eyes_of(table).look(table.now_s).status in ("ok", "unsure")


def test_a_carried_piece_makes_what_it_hangs_over_unsure() -> None:
    table = a_table()
    table.start(table.person("A").hold_over("NE>SE M", "w NE"))
    doubtful: set[str] = set()
    for seen in looks(table, 40, 0.1):
        doubtful.update(n for n, p in seen.places.items() if not p.sure and not p.covered)
    assert any(name.startswith(("NE", "SE", "C>")) for name in doubtful)


def test_a_sliding_board_is_not_read_and_then_followed() -> None:
    table = a_table()
    eyes = eyes_of(table)
    table.bump(4.0, 0.0, 0.5)
    table.advance(0.1)
    assert eyes.look(table.now_s).status == "moved"
    assert not eyes.look(table.now_s).places
    table.advance(0.2)
    seen = eyes.look(table.now_s)
    assert seen.status in ("ok", "unsure")
    assert seen.shift_px == pytest.approx(8.0)
    table.board_present = False
    assert eyes.look(table.now_s).status == "no_board"


def test_a_post_knocked_over_is_not_told_surely_in_every_picture() -> None:
    table = a_table()
    post = table.pieces.top("S.P")
    assert post is not None
    table.pieces.topple(post, 40.0)
    sure = [seen.places["S.P"].sure for seen in looks(table, 60)]
    assert 10 < sum(sure) < 55


def test_close_colours_are_taken_for_each_other_more_often() -> None:
    table = SimFinityTable(seed=2, setup={**SETUP, "players": 4}, faults=Faults(misread=0.3))
    taken = Counter[tuple[str, str | None]]()
    for seen in looks(table, 400):
        truth = table.truth().sight
        posts = [name for name in wrong(table, seen) if name.endswith(".P") and truth[name] != "."]
        taken.update((truth[name], best(seen.places[name])) for name in posts if best(seen.places[name]) != ".")
    (one, most), (other, next_most), (_, third), *_ = taken.most_common()
    assert one == other[::-1], "two players' colours are close"
    assert min(most, next_most) > 1.5 * third


def test_every_place_can_be_misread_at_once() -> None:
    table = a_table(faults=replace(Faults(), misread=1.0))
    (seen,) = looks(table, 1)
    assert len(wrong(table, seen)) == len(seen.places) - len(seen.blind)
