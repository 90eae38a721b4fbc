"""Sight without pictures: right where nothing is wrong, and wrong in the way that each fault says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hw_sim.disturbances import start_disturbances
from hw_sim.faults import Faults, stream
from hw_sim.scene import Light, Marble, MarbleKind, Scene, ThingKind
from hw_sim.senses import ADAPTING_S, Seen, SimEyes
from hw_sim.table import SimTable
from tests.hw_sim.readings_from_sim import reading_from
from vision.reading import Status


def a_table(faults: Faults | None = None) -> SimTable:
    table = SimTable(seed=1, faults=faults)
    for kind, channel in (("B", 1), ("Y", 1), ("K", 2), ("W", 4), ("Y", 3)):
        table.perform(table.person("blue").push(kind, channel))
    table.advance(2.0)
    return table


def eyes_of(table: SimTable, faults: Faults | None = None) -> SimEyes:
    return SimEyes(table.geometry, faults or table.faults, stream(1, "eyes"))


def looks(table: SimTable, faults: Faults, count: int, every_s: float = 0.5) -> Iterator[Seen]:
    eyes = eyes_of(table, faults)
    for _ in range(count):
        table.advance(every_s)
        yield eyes.look(table.now_s, table.scene(), table.light, sliding=table.sliding)


def best(seen: Seen, place: str) -> str | None:
    likelihoods = seen.places[place].likelihoods
    return max(likelihoods, key=likelihoods.__getitem__, default=None)


def board_of(seen: Seen) -> str:
    return "|".join("".join(best(seen, f"{c}.{s}") or "?" for s in range(1, 5)) for c in range(1, 5))


def test_without_faults_everything_is_seen_and_sure() -> None:
    table = a_table()
    for seen in looks(table, Faults(), 50):
        assert board_of(seen) == "YB..|K...|Y...|W..."
        assert seen.status == "ok"
        assert all(place.sure for place in seen.places.values())
        assert seen.well == {"B": 7, "K": 0, "Y": 6, "W": 0}
        assert seen.knob is not None
        assert max(seen.knob.likelihoods, key=seen.knob.likelihoods.__getitem__) == "0"
        assert seen.confidence > 0.9
        reading = reading_from(seen)
        assert reading.status is Status.OK
        assert reading.places["1.1"].label == "Y"
        assert reading.unsure == ()


def test_one_place_in_twenty_is_misread_some_of_them_surely_and_the_truth_stays_possible() -> None:
    table = a_table()
    truth = dict(zip((f"{c}.{s}" for c in range(1, 5) for s in range(1, 5)), "YB..K...Y...W...", strict=True))
    wrong = sure = total = 0
    for seen in looks(table, Faults(misread=0.05), 400):
        for name, place in seen.places.items():
            total += 1
            if best(seen, name) != truth[name]:
                wrong += 1
                sure += place.sure
                assert place.likelihoods[truth[name]] >= 0.03
    assert 0.04 < wrong / total < 0.06
    assert 0.2 < sure / wrong < 0.45


def test_knob_and_well_are_misread_too() -> None:
    table = a_table()
    seen = list(looks(table, Faults(misread=0.2), 200))
    knobs = [max(s.knob.likelihoods, key=s.knob.likelihoods.__getitem__) for s in seen if s.knob]
    assert 0.1 < sum(stop != "0" for stop in knobs) / len(knobs) < 0.3
    wells = [s.well for s in seen]
    assert None in wells
    assert any(well is not None and well != {"B": 7, "K": 0, "Y": 6, "W": 0} for well in wells)
    assert all(well is None or sum(well.values()) == 13 for well in wells)


def test_glare_lies_on_one_place_for_some_seconds_and_is_never_sure() -> None:
    table = a_table()
    spells: dict[str, int] = {}
    longest = 0
    for seen in looks(table, Faults(glare_rate=6.0), 600, every_s=0.2):
        for name, place in seen.places.items():
            spells[name] = spells.get(name, 0) + 1 if not place.sure else 0
            longest = max(longest, spells[name])
            if best(seen, name) != dict(zip(seen.places, "YB..K...Y...W...", strict=True))[name]:
                assert not place.sure
    assert longest * 0.2 > 2.0


def test_an_exposure_step_makes_doubt_for_a_moment() -> None:
    table, steady = a_table(), Light()
    eyes = eyes_of(table)
    assert eyes.look(table.now_s, table.scene(), steady).status == "ok"
    dim = Light(exposure=0.75)
    shaken = eyes.look(table.now_s + 1.0, table.scene(), dim)
    assert shaken.status == "unsure"
    assert board_of(shaken) == "YB..|K...|Y...|W..."
    assert eyes.look(table.now_s + 1.1 + ADAPTING_S, table.scene(), dim).status == "ok"


def test_a_hand_covers_places_and_the_rest_is_still_read() -> None:
    table = a_table()
    table.start(table.person("blue").rest_hand(-39.0, 20.0, 3.0))
    table.advance(1.5)
    seen = eyes_of(table).look(table.now_s, table.scene(), table.light)
    assert seen.status == "occluded"
    assert seen.foreign
    assert seen.places["1.1"].covered
    assert not seen.places["1.1"].sure
    assert not seen.places["4.4"].covered
    assert best(seen, "4.1") == "W"
    assert reading_from(seen).places["1.1"].label is None


@pytest.mark.parametrize("kind", list(ThingKind))
def test_things_cover_what_lies_under_them(kind: ThingKind) -> None:
    table = a_table()
    thing = table.perform(table.person("guest").put_thing(kind, 13.0, 42.0))
    seen = eyes_of(table).look(table.now_s, table.scene(), table.light)
    assert seen.status == "occluded"
    if kind is not ThingKind.SLEEVE:
        assert seen.places["3.2"].covered
    table.perform(table.person("guest").take_thing(thing))
    assert eyes_of(table).look(table.now_s, table.scene(), table.light).status == "ok"


def test_half_pushed_and_held_marbles_are_seen_as_doubt() -> None:
    table = a_table()
    scene = table.scene()
    x, y, z = table.physics.seats[2, 2]

    def seen_with(dy_mm: float, dz_mm: float) -> Seen:
        extra = Marble(MarbleKind.BLUE, x, y + dy_mm, z + dz_mm)
        return eyes_of(table).look(table.now_s, replace(scene, marbles=(*scene.marbles, extra)), table.light)

    assert seen_with(0.0, 0.0).places["2.2"].sure
    assert not seen_with(0.0, 15.0).places["2.2"].sure
    seen = seen_with(-8.0, 0.0)
    assert not seen.places["2.2"].sure
    assert seen.places["2.2"].likelihoods["B"] > 0.1
    assert seen.places["2.2"].likelihoods["."] > 0.1


def test_a_knob_between_stops_is_unsure_and_one_under_a_hand_is_not_seen() -> None:
    table = a_table()
    scene = table.scene()
    seen = eyes_of(table).look(0.0, replace(scene, knob_deg=36.0 * 2 + 17.0), table.light)
    assert seen.knob is not None
    assert not seen.knob.sure
    assert sorted(seen.knob.likelihoods, key=seen.knob.likelihoods.__getitem__)[-2:] in (["3", "2"], ["2", "3"])
    doing = table.start(table.person("blue").touch_knob())
    knobs = []
    while not doing.done:
        table.advance(0.05)
        knobs.append(eyes_of(table).look(table.now_s, table.scene(), table.light).knob)
    assert None in knobs
    assert knobs[-1] is not None


def test_a_sliding_board_and_an_absent_one_report_no_places() -> None:
    table = a_table()
    eyes = eyes_of(table)
    table.bump(4.0, 0.0, 1.0)
    table.advance(0.1)
    moving = eyes.look(table.now_s, table.scene(), table.light, sliding=table.sliding)
    assert moving.status == "moved"
    assert not moving.places
    table.advance(0.2)
    followed = eyes.look(table.now_s, table.scene(), table.light, sliding=table.sliding)
    assert followed.status == "ok"
    assert followed.shift_px == pytest.approx(10.0)
    table.board_present = False
    assert reading_from(eyes.look(table.now_s, table.scene(), table.light)).status is Status.NO_BOARD


def scenes_of(faults: Faults, seconds: float) -> list[tuple[Scene, Light]]:
    table = SimTable(seed=2, faults=faults)
    start_disturbances(table, stream(2, "disturbances"))
    seen = []
    for _ in range(int(seconds / 0.25)):
        table.advance(0.25)
        seen.append((table.scene(), table.light))
    return seen


def test_each_disturbance_happens_and_only_when_asked_for() -> None:
    quiet = scenes_of(Faults(), 60)
    still = quiet[0][0]
    assert {(s.hands, s.things, s.bump_mm, s.bump_deg, light) for s, light in quiet} == {((), (), (0, 0), 0, Light())}
    assert still.marbles == quiet[-1][0].marbles
    assert any(scene.hands for scene, _ in scenes_of(Faults(hands_rate=6), 60))
    assert any(scene.things for scene, _ in scenes_of(Faults(things_rate=4), 60))
    assert any(scene.bump_mm != (0, 0) for scene, _ in scenes_of(Faults(bump_rate=4), 60))
    lights = {light for _, light in scenes_of(Faults(exposure_rate=6), 120)}
    assert any(light.exposure != 1 for light in lights)
    assert any(light.white_balance != (1, 1, 1) for light in lights)
    assert Light() in lights
