"""The knob's place: wrap, confirmation, restarts. K09, K10, K12."""

from __future__ import annotations

import pytest

from firmware_bridge.knob import REST_S, Knob, KnobCalibration, KnobPlace, stop_of
from firmware_bridge.readings import KnobAt


def knob(edges: int = 4, direction: int = 1, detents: int = 0, verified: bool = True) -> Knob:
    made = Knob("knob", KnobCalibration(edges, direction), KnobPlace(detents, verified))
    made.starts(0.0, 0)
    return made


@pytest.mark.parametrize(("detents", "stop"), [(0, 0), (5, 5), (6, -4), (-4, -4), (-5, 5), (20, 0), (-13, -3)])
def test_k10_the_dial_wraps_and_the_count_does_not(detents: int, stop: int) -> None:
    made = knob()
    (told,) = made.stands(0.1, 4 * detents) or [KnobAt(0, "", detents, stop_of(detents), True, True)]
    assert (told.detents, told.stop) == (detents, stop)


def test_k09_a_jump_over_several_detents_ends_where_it_ends() -> None:
    made = knob()
    assert made.stands(0.1, 13)[0].detents == 3, "13 quarter steps are 3 detents and a bit"


@pytest.mark.parametrize("edges", [1, 2, 4])
@pytest.mark.parametrize("direction", [1, -1])
def test_edges_and_direction_are_calibration(edges: int, direction: int) -> None:
    made = knob(edges, direction)
    assert made.stands(0.1, 3 * edges)[-1].detents == 3 * direction


def test_at_rest_is_told_once_after_the_rest_time() -> None:
    made = knob()
    (turning,) = made.stands(1.0, 4)
    assert not turning.at_rest
    assert made.tick(1.0 + REST_S - 0.001) == []
    (rests,) = made.tick(99.0)
    assert rests.at_rest
    assert rests.t_s == 1.0 + REST_S, "the time of the rest, not of the looking"
    assert made.tick(100.0) == []


def test_at_rest_it_is_the_nearest_detent() -> None:
    made = knob()
    made.stands(0.1, 3)
    assert made.tick(1.0)[0].detents == 1
    made.stands(2.0, 2)
    assert made.tick(3.0) == [], "half way between two, the one reached last"
    made.stands(3.5, 1)
    assert made.tick(4.0)[0].detents == 0


def test_k12_a_knob_turned_while_off_is_shown_unverified_until_confirmed() -> None:
    made = Knob("knob", place=KnobPlace(3, verified=False))
    (first,) = made.starts(0.0, 0)
    assert (first.stop, first.verified) == (3, False)
    assert made.stands(0.1, 4)[0].detents == 4, "turns still count"
    (confirmed,) = made.confirm(1.0, -2)
    assert (confirmed.stop, confirmed.detents, confirmed.verified) == (-2, -2, True)


def test_confirming_what_is_already_so_keeps_the_count() -> None:
    made = knob(detents=12, verified=False)
    (told,) = made.confirm(0.5, 2)
    assert (told.detents, told.stop, told.verified) == (12, 2, True)
    assert made.confirm(0.6, 2) == []


def test_confirming_in_the_middle_of_a_turn_keeps_the_quarter_steps() -> None:
    made = knob()
    made.stands(0.1, 2)
    made.confirm(0.2, 1)
    assert made.stands(0.3, 4)[-1].detents == 2


def test_a_restart_of_the_counter_makes_it_unverified() -> None:
    made = knob()
    made.stands(0.1, 12)
    (told,) = made.starts(5.0, 0, verified=False)
    assert (told.detents, told.verified) == (3, False)
    assert made.stands(6.0, -4)[0].detents == 2


def test_a_new_zero_of_the_counter_is_no_turn() -> None:
    made = knob()
    made.stands(0.1, 12)
    made.tick(1.0)
    assert made.rezeroed(2.0, 0) == []
    assert made.stands(3.0, 4)[0].detents == 4


def test_the_boards_word_counts_only_where_the_calibration_is_silent() -> None:
    open_one = Knob("knob")
    open_one.starts(0.0, 0)
    open_one.set_edges(2)
    assert open_one.stands(0.1, 2)[0].detents == 1
    fixed = knob(edges=4)
    fixed.set_edges(2)
    assert fixed.stands(0.1, 4)[0].detents == 1


def test_the_boards_word_said_again_in_the_middle_of_a_turn_changes_nothing() -> None:
    made = Knob("knob")
    made.starts(0.0, 0)
    made.stands(0.1, 2)
    made.set_edges(4)
    assert made.stands(0.2, 4)[0].detents == 1


def test_silly_values_are_refused() -> None:
    with pytest.raises(ValueError, match="edges_per_detent"):
        KnobCalibration(3)
    with pytest.raises(ValueError, match="direction"):
        KnobCalibration(4, 2)
    with pytest.raises(ValueError, match="-4 to 5"):
        knob().confirm(0.0, 6)
