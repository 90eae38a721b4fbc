from __future__ import annotations

import pytest

from hw_sim.clock import ManualClock, PacedClock
from hw_sim.motion import Track
from hw_sim.timeline import Act, Timeline


def test_a_manual_clock_moves_only_when_told() -> None:
    clock = ManualClock(2.0)
    assert clock() == 2.0
    clock.advance(0.5)
    clock.advance_to(1.0)
    assert clock() == 2.5
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)


def test_a_paced_clock_sleeps_the_simulated_time_divided_by_its_speed() -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    clock = PacedClock(4.0, lambda: now[0], sleep)
    clock.wait_until(8.0)
    assert slept == [2.0]
    assert clock() == 8.0
    clock.wait_until(3.0)
    assert slept == [2.0]
    with pytest.raises(ValueError, match="above 0"):
        PacedClock(0.0)


def test_events_happen_in_the_order_of_time_and_of_planning() -> None:
    timeline, happened = Timeline(), []
    for t_s, name in ((2.0, "c"), (1.0, "a"), (1.0, "b"), (3.0, "late")):
        timeline.at(t_s, lambda name=name: happened.append((timeline.now_s, name)))  # type: ignore[misc]
    timeline.run_until(2.0)
    assert happened == [(1.0, "a"), (1.0, "b"), (2.0, "c")]
    assert timeline.next_s == 3.0
    with pytest.raises(ValueError, match="planned"):
        timeline.at(1.0, lambda: None)


def test_an_act_takes_the_time_that_it_yields_and_returns_its_result() -> None:
    timeline = Timeline()

    def act() -> Act[str]:
        yield 1.5
        yield 0.5
        return "done"

    doing = timeline.start(act())
    timeline.run_until(1.9)
    assert not doing.done
    with pytest.raises(RuntimeError, match="not over"):
        _ = doing.result
    timeline.run_until(2.0)
    assert doing.result == "done"
    assert timeline.perform(act()) == "done"
    assert timeline.now_s == 4.0


def test_a_track_rests_before_and_after_and_moves_straight_between() -> None:
    track = Track((1.0, (0.0, 0.0, 0.0)), (2.0, (10.0, 0.0, 4.0)), (2.0, (20.0, 0.0, 4.0)))
    assert track.at(0.0) == (0.0, 0.0, 0.0)
    assert track.at(1.5) == (5.0, 0.0, 2.0)
    assert track.at(9.0) == (20.0, 0.0, 4.0)
    with pytest.raises(ValueError, match="time order"):
        Track((2.0, (0.0, 0.0, 0.0)), (1.0, (0.0, 0.0, 0.0)))


def test_a_track_knows_when_it_crosses_a_value_and_which_way() -> None:
    track = Track((0.0, (0.0, 0.0, 0.0)), (1.0, (10.0, 0.0, 0.0)), (2.0, (0.0, 0.0, 0.0)))
    assert list(track.crossings(5.0)) == [(0.5, 1), (1.5, -1)]
    assert list(track.crossings(11.0)) == []
