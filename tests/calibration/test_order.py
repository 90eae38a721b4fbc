"""Medians and quantiles against NumPy's own."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.order import median_of, quantile


@pytest.mark.parametrize("count", [1, 2, 3, 8, 31, 100])
def test_quantiles_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(5, count)).round(1)
    for share in (0.0, 0.25, 0.5, 2 / 3, 0.9, 1.0):
        assert np.array_equal(quantile(values, share), np.quantile(values, share, axis=-1))


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_medians_pass_over_what_cannot_be_used(count: int) -> None:
    rng = np.random.default_rng(count)
    values, usable = rng.normal(size=(count, 3)), rng.random((count, 3)) < 0.6
    usable[0] = True
    values[~usable & (rng.random(usable.shape) < 0.5)] = np.nan
    expected = np.nanmedian(np.where(usable, values, np.nan), axis=0)
    assert np.allclose(median_of(values, usable), expected, rtol=0, atol=1e-15)
