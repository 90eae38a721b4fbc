"""Chatter, dropouts, short pulses: G01, G02, G03, G04, G10, G12."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.beams import BeamTiming, Passages
from firmware_bridge.debounce import Bounce, Hold, Level

Edges = list[tuple[float, int]]


def play(device: Bounce | Hold, edges: Edges, until_s: float = 1e6) -> list[Level]:
    levels = [level for t_s, raw in edges for level in device.feed(t_s, raw)]
    return levels + device.tick(until_s)


@pytest.mark.parametrize("device", [Bounce(1.0, 0), Hold(0.0, 1.0)], ids=["contact", "hold"])
def test_g01_a_pulse_shorter_than_the_bounce_time_hides_no_later_one(device: Bounce | Hold) -> None:
    levels = play(device, [(0, 1), (0.1, 0), (5, 1)])
    assert [level.t_s for level in levels if level.level] == [0, 5]


def chattering(t_s: float, level: int) -> Edges:
    """A change to `level` with five bounces of 3 ms."""
    return [(t_s + 0.003 * n, level ^ n % 2) for n in range(11)]


@pytest.mark.parametrize("device", [Bounce(0.05, 0), Hold(0.0, 0.02)], ids=["contact", "hold"])
def test_g02_one_press_and_one_release_in_order(device: Bounce | Hold) -> None:
    levels = play(device, chattering(1.0, 1) + chattering(1.11, 0))
    assert [level.level for level in levels] == [1, 0]


def test_g03_a_dropout_while_held_is_nothing() -> None:
    levels = play(Hold(0.0, 0.02), [(1, 1), (1.5, 0), (1.508, 1), (2, 0)])
    assert levels == [Level(1, 1), Level(2, 0)]


@pytest.mark.parametrize("silly_s", [-0.1, 11.0])
def test_g04_a_silly_time_is_refused_by_name(silly_s: float) -> None:
    with pytest.raises(ValueError, match="bounce time"):
        Bounce(silly_s, 0)
    with pytest.raises(ValueError, match="quiet time"):
        Hold(0.0, silly_s)


@pytest.mark.parametrize("good_s", [0.5, 0.0005])
def test_g04_no_backend_limits_the_time(good_s: float) -> None:
    assert play(Bounce(good_s, 0), [(1, 1)]) == [Level(1, 1)]


def test_g10_a_pulse_counts_from_a_hundred_microseconds_on() -> None:
    beam = Passages()
    times: list[float] = []
    for start_s, length_s in ((1.0, 60e-6), (2.0, 150e-6), (3.0, 2e-3)):
        times += beam.feed(start_s, 1)
        times += beam.feed(start_s + length_s, 0)
    assert times == [2.0, 3.0]
    assert beam.weak == 1


def test_g12_a_marble_that_rolls_up_and_back_is_one() -> None:
    beam = Passages()
    times: list[float] = []
    for t_s, broken in ((0.0, 1), (0.08, 0), (0.35, 1), (0.43, 0), (3.0, 1)):
        times += beam.feed(t_s, broken)
    assert [*times, *beam.tick(9.0)] == [0.0, 3.0]


def test_a_beam_broken_at_the_start_is_no_marble() -> None:
    beam = Passages(broken=1)
    assert beam.tick(5.0) == []
    assert beam.feed(6.0, 0) == []
    assert beam.feed(7.0, 1) + beam.tick(7.1) == [7.0]


def test_a_contact_that_changed_while_deaf_is_caught_up() -> None:
    contact = Bounce(0.003, 0)
    assert contact.feed(1.0, 1) == [Level(1.0, 1)]
    assert contact.feed(1.001, 0) == []
    assert contact.tick(1.003) == [Level(1.003, 0)]


def test_a_level_told_twice_is_passed_on_outside_chatter_only() -> None:
    contact = Bounce(0.003, 0)
    assert contact.feed(1.0, 0) == [Level(1.0, 0)], "the edge between was lost"
    assert contact.feed(1.001, 0) == []


@given(
    st.lists(st.tuples(st.integers(1, 40_000), st.integers(0, 1)), max_size=60),
    st.lists(st.integers(0, 2_000_000), max_size=40),
)
def test_how_often_one_looks_changes_nothing(edges: list[tuple[int, int]], looks: list[int]) -> None:
    t_us = 0
    raw: Edges = []
    for gap_us, level in edges:
        t_us += gap_us
        raw.append((t_us / 1e6, level))
    for make in (lambda: Bounce(0.003, 0), lambda: Hold(100e-6, 0.02)):
        expected = play(make(), raw)
        device = make()
        levels: list[Level] = []
        # time is looked at in between, and the edges come as they came
        for t_s, level in sorted([*raw, *((look / 1e6, -1) for look in looks)], key=lambda item: item[0]):
            levels += device.tick(t_s) if level < 0 else device.feed(t_s, level)
        assert levels + device.tick(1e6) == expected


@given(st.lists(st.tuples(st.integers(1, 40_000), st.integers(0, 1)), min_size=1, max_size=60))
def test_the_last_level_always_comes_through(edges: list[tuple[int, int]]) -> None:
    t_us = 0
    raw: Edges = []
    for gap_us, level in edges:
        t_us += gap_us
        raw.append((t_us / 1e6, level))
    for device in (Bounce(0.003, 0), Hold(0.0, 0.02)):
        play(device, raw)
        assert device.level == raw[-1][1]


def test_beam_times_are_settings() -> None:
    beam = Passages(BeamTiming(least_break_s=0.0, clear_s=0.1))
    assert beam.feed(0.0, 1) + beam.feed(0.01, 0) + beam.feed(0.2, 1) == [0.0, 0.2]
