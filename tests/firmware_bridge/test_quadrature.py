"""The knob's decoder: K01, K06, K07, K15, and how many detents it loses when edges get lost."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.knob import Knob, KnobCalibration
from firmware_bridge.quadrature import Contact, Quadrature
from firmware_bridge.readings import KnobAt

CLOCKWISE = ((0, 0), (1, 0), (1, 1), (0, 1))


def pairs(text: str) -> list[tuple[int, int]]:
    return [(int(pair[0]), int(pair[1])) for pair in text.split(",")]


def turn(text: str, edges_per_detent: int = 4) -> tuple[int, list[KnobAt]]:
    """Contact pairs 20 ms apart, as edges of the contacts: quarter steps, and readings of the knob."""
    (a, b), *rest = pairs(text)
    decoder = Quadrature(a, b, edges_per_detent)
    knob = Knob("knob", KnobCalibration(edges_per_detent))
    told = knob.starts(0.0, 0)
    t_s = 0.0
    for now_a, now_b in rest:
        t_s += 0.02
        for contact, before, now in ((Contact.A, a, now_a), (Contact.B, b, now_b)):
            if before != now:
                told += knob.stands(t_s, decoder.edge(contact, now))
        a, b = now_a, now_b
    return decoder.quarters, told


def detents(told: list[KnobAt]) -> list[int]:
    return [reading.detents for reading in told]


def test_k01_bounce_on_the_first_contact_is_no_step_back() -> None:
    quarters, told = turn("00,10,00,10,11,01,00")
    assert quarters == 4
    assert detents(told) == [0, 1]


def test_k06_a_reversal_loses_nothing() -> None:
    assert turn("00,10,11,01,00,01")[0] == 3
    ten = ",10,11,01,00" * 10
    back = ",01,11,10,00" * 10
    assert turn("00" + ten + back)[0] == 0


def test_k07_wobble_on_a_detent_is_no_event() -> None:
    quarters, told = turn("00,10,11,10,00")
    assert quarters == 0
    assert detents(told) == [0]


def test_k15_one_click_is_one_event() -> None:
    assert detents(turn("00,10,11,01,00")[1]) == [0, 1]


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("edges", [1, 2, 4])
def test_any_rest_phase_and_kind_of_knob(start: int, edges: int) -> None:
    order = [CLOCKWISE[(start + step) % 4] for step in range(9)]
    text = ",".join(f"{a}{b}" for a, b in order)
    quarters, told = turn(text, edges)
    assert quarters == 8
    assert told[-1].detents == 8 // edges
    assert detents(told) == sorted(detents(told)), "never a step back"


def test_an_impossible_jump_keeps_the_last_direction() -> None:
    for direction in (1, -1):
        decoder = Quadrature(0, 0)
        for step in (1, 2, 4, 5):  # quarter step 3 never came
            decoder.pair(*CLOCKWISE[direction * step % 4])
        assert decoder.quarters == direction * 5
        assert decoder.impossible == 1


def test_a_pair_read_twice_is_no_news() -> None:
    decoder = Quadrature(0, 0)
    assert [decoder.pair(1, 0) for _ in range(5)] == [1] * 5
    assert decoder.impossible == 0


def test_the_last_edge_of_a_turn_lost_is_made_good_at_rest() -> None:
    decoder = Quadrature(0, 0)
    for contact, level in ((Contact.A, 1), (Contact.B, 1), (Contact.A, 0)):
        decoder.edge(contact, level)  # B's way back to 0 is lost
    knob = Knob("knob")
    knob.starts(0, 0)
    knob.stands(0.1, decoder.quarters)
    (told,) = knob.rests(0.4, decoder.rest())
    assert (told.detents, told.at_rest) == (1, True)
    for contact, level in ((Contact.A, 1), (Contact.B, 1), (Contact.A, 0), (Contact.B, 0)):
        decoder.edge(contact, level)
    assert decoder.rest() == 8, "the next detent is not mistaken for the way back"


def test_the_first_edge_of_a_turn_lost() -> None:
    decoder = Quadrature(0, 0)
    for contact, level in ((Contact.B, 1), (Contact.A, 0), (Contact.B, 0)):
        decoder.edge(contact, level)
    assert decoder.rest() == 4


def test_a_knob_turned_very_slowly_counts() -> None:
    decoder = Quadrature(0, 0)
    for contact, level in ((Contact.A, 1), (Contact.B, 1), (Contact.A, 0), (Contact.B, 0)):
        decoder.edge(contact, level)
        decoder.rest()
    assert decoder.quarters == 4


def test_silly_edges_are_refused() -> None:
    with pytest.raises(ValueError, match="1, 2 or 4"):
        Quadrature(0, 0, 3)


@given(st.lists(st.sampled_from([1, -1]), max_size=200), st.sampled_from([1, 2, 4]))
def test_without_loss_every_walk_is_followed_exactly(steps: list[int], edges: int) -> None:
    decoder = Quadrature(0, 0, edges)
    place = 0
    for step in steps:
        before = CLOCKWISE[place % 4]
        place += step
        a, b = CLOCKWISE[place % 4]
        decoder.edge(Contact.A if before[0] != a else Contact.B, a if before[0] != a else b)
        assert decoder.quarters == place
    assert decoder.impossible == 0


Feed = Callable[[Quadrature, tuple[int, int], tuple[int, int]], int]


def by_pair(decoder: Quadrature, _: tuple[int, int], now: tuple[int, int]) -> int:
    return decoder.pair(*now)


def by_edge(decoder: Quadrature, before: tuple[int, int], now: tuple[int, int]) -> int:
    contact = Contact.A if before[0] != now[0] else Contact.B
    return decoder.edge(contact, now[contact])


def wrong_detents(feed: Feed, loss: float, detents_turned: int, seed: int) -> int:
    """How far off the knob is after so many detents, in turns of one to three either way."""
    rng = random.Random(seed)
    decoder, knob = Quadrature(0, 0), Knob("knob")
    knob.starts(0.0, 0)
    t_s, truth, phase, turned = 0.0, 0, 0, 0
    while turned < detents_turned:
        direction, count = rng.choice((1, -1)), rng.randint(1, 3)
        for _ in range(4 * count):
            t_s += 0.02
            before, phase = CLOCKWISE[phase], (phase + direction) % 4
            if rng.random() >= loss:
                knob.stands(t_s, feed(decoder, before, CLOCKWISE[phase]))
        truth += direction * count
        turned += count
        t_s += 1.0
        knob.rests(t_s, decoder.rest())
        if loss == 0:
            assert knob.detents == truth
    return abs(knob.detents - truth)


@pytest.mark.parametrize("feed", [by_pair, by_edge])
def test_no_detent_is_lost_without_loss(feed: Feed) -> None:
    assert wrong_detents(feed, 0.0, 1000, seed=1) == 0


@pytest.mark.parametrize("feed", [by_pair, by_edge])
def test_one_edge_in_a_hundred_lost(feed: Feed) -> None:
    errors = [wrong_detents(feed, 0.01, 1000, seed) for seed in range(8)]
    assert sum(errors) / len(errors) <= 0.5, "mean detents wrong in a thousand"


@pytest.mark.long
@pytest.mark.parametrize("feed", [by_pair, by_edge])
def test_one_edge_in_a_hundred_lost_campaign(feed: Feed) -> None:
    errors = [wrong_detents(feed, 0.01, 1000, seed) for seed in range(200)]
    assert sum(errors) / len(errors) <= 0.5


def count_and_ignore(loss: float, detents_turned: int, seed: int) -> float:
    """The plain counter that others use, to show that the loss bites."""
    rng = random.Random(seed)
    place, seen, count = 0, 0, 0
    for _ in range(4 * detents_turned):
        place += 1
        if rng.random() >= loss:
            step = (place - seen) % 4
            count += {0: 0, 1: 1, 2: 0, 3: -1}[step]
            seen = place
    return abs(count - place) / 4


def test_the_plain_counter_fails_the_same_trial() -> None:
    assert sum(count_and_ignore(0.01, 1000, seed) for seed in range(8)) / 8 > 10
