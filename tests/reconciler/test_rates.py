"""The numbers behind decisions: how they follow the size of the board."""

from __future__ import annotations

from math import exp

import pytest

from companion.reconciler.rates import RATES


@pytest.mark.parametrize(("places", "as_often"), [(8, 1.0), (16, 1.0), (32, 2.0), (128, 8.0)])
def test_a_place_that_is_misread_is_so_much_likelier_on_a_larger_board(places: int, as_often: float) -> None:
    allowed = RATES.allowed(RATES.place_misfit, places)
    assert exp(RATES.place_misfit - allowed) == pytest.approx(as_often)
