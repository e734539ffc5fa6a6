"""The slow chain against the example worked by hand, and what every chain must keep."""

import math

import numpy as np
import pytest

from reference.chain import Condition, Options, carve, risks, steps_of
from reference.tree import Rows

TEN = Rows(
    [np.arange(1.0, 11), np.array([5.0, 9, 3, 8, 1, 7, 2, 6, 4, 10])],
    [0, 0],
    np.array([0, 0, 0, 0, 0, 1, 0, 1, 1, 0]),
    2,
    np.ones(10),
)


def random_rows(rng, missing=0.1, n=150):
    """Rows of which a quarter has the event; numbers with ties, a nominal column, weights."""
    risk = rng.integers(0, 8, (2, n)).astype(float)
    levels = rng.integers(0, 4, n)
    logit = 0.5 * risk[0] - 0.4 * risk[1] + (levels == 2) - 2
    classes = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    is_missing = rng.random((3, n)) < missing
    columns = [np.where(gap, np.nan, values) for gap, values in zip(is_missing, risk, strict=False)]
    columns.append(np.where(is_missing[2], -1, levels))
    return Rows(columns, [0, 0, 4], classes, 2, rng.choice([1.0, 2.0], n))


def test_the_chain_of_ten_rows_step_by_step():
    steps = carve(TEN, Options(velocity=0.5, min_samples_leaf=1))
    assert [step.condition for step in steps] == [
        Condition(0, 5.5),
        Condition(0, 9.5, is_opposite=True),
        Condition(1, 3.0),
        None,
    ]
    assert [(step.others, step.events) for step in steps] == [(5, 0), (1, 0), (1, 0), (0, 3)]
    alphas = [step.alpha for step in steps[:-1]]
    assert alphas == pytest.approx([9.145933, 5.179189, 5.179189], abs=1e-6)
    assert steps[-1].risk == 1
    assert risks(steps, TEN.columns).tolist() == TEN.classes.tolist()


def test_a_start_alpha_is_that_of_the_first_step_and_sets_the_velocity():
    started = carve(TEN, Options(start_alpha=9.14593315, min_samples_leaf=1))
    assert started[0].alpha == pytest.approx(9.14593315)
    assert started[1].alpha == pytest.approx(5.179189, abs=1e-6)
    flat = carve(TEN, Options(start_alpha=2.0, min_samples_leaf=1))
    assert {step.alpha for step in flat[:-1]} == {2.0}


@pytest.mark.parametrize("direction", ["rising", "falling"])
def test_what_every_chain_keeps(direction):
    rng = np.random.default_rng(5)
    n_steps = 0
    for _ in range(12):
        rows = random_rows(rng)
        options = Options(min_samples_leaf=6, direction=direction)
        steps = carve(rows, options)
        found = [step.risk for step in steps]
        assert found == sorted(found, reverse=direction == "falling")
        alphas = [step.alpha for step in steps[:-1]]
        assert alphas == sorted(alphas, reverse=True)
        assert all(step.others + step.events >= 6 for step in steps)
        step_of = steps_of(steps, rows.columns)
        for number, step in enumerate(steps):
            assert rows.masses(step_of == number).tolist() == [step.others, step.events]
        n_steps += len(steps) - 1
    assert n_steps > 24


def test_the_training_curve_of_a_chain_is_concave():
    steps = carve(random_rows(np.random.default_rng(6)), Options(min_samples_leaf=6))
    slopes = [step.events / step.others if step.others else math.inf for step in reversed(steps)]
    assert len(slopes) > 3
    assert slopes == sorted(slopes, reverse=True)


def test_risk_need_only_rise_in_what_remains_if_order_is_not_asked_for():
    rng = np.random.default_rng(7)
    n_falls = 0
    for _ in range(60):
        rows = random_rows(rng)
        options = Options(velocity=1.0, min_samples_leaf=4, monotone_risk="rising")
        steps = carve(rows, options)
        found = [step.risk for step in steps]
        n_falls += found != sorted(found)
        masses = np.array([[step.others, step.events] for step in steps])
        remaining = masses[::-1].cumsum(axis=0)[::-1]
        rates = remaining[:, 1] / remaining.sum(axis=1)
        assert (np.diff(rates) > 0).all()
    assert n_falls > 0


def test_a_row_without_a_value_stays_in_the_chain_and_counts_there():
    values = np.array([1.0, 1, 1, np.nan, 2, 2, 2, np.nan])
    rows = Rows([values], [0], np.array([0, 0, 0, 0, 1, 1, 0, 0]), 2, np.ones(8))
    first, rest = carve(rows, Options(min_samples_leaf=2, max_length=1))
    assert first.condition == Condition(0, 1.5)
    assert (first.others, first.events) == (3, 0)
    assert (rest.others, rest.events) == (3, 2)
    assert steps_of([first, rest], rows.columns).tolist() == [0, 0, 0, 1, 1, 1, 1, 1]


def test_a_level_is_carved_against_the_rest_and_the_rest_against_a_level():
    levels = np.repeat([0, 1, 2], 4)
    one_safe = Rows([levels], [3], np.array([1, 0, 1, 0] + [0] * 4 + [1, 0, 1, 0]), 2, np.ones(12))
    steps = carve(one_safe, Options(min_samples_leaf=1))
    assert steps[0].condition == Condition(0, 1.0, is_level=True)
    one_ill = Rows([levels], [3], np.array([0] * 4 + [1] * 4 + [0] * 4), 2, np.ones(12))
    steps = carve(one_ill, Options(min_samples_leaf=1))
    assert steps[0].condition == Condition(0, 1.0, is_level=True, is_opposite=True)
    assert [step.risk for step in steps] == [0, 1]


def test_a_weight_counts_as_so_many_rows():
    rng = np.random.default_rng(8)
    rows = random_rows(rng)
    times = rows.weights.astype(int)
    longer = [np.repeat(column, times) for column in rows.columns]
    ones = np.ones(times.sum())
    repeated = Rows(longer, rows.n_levels, np.repeat(rows.classes, times), 2, ones)
    options = Options(min_samples_leaf=8)
    assert carve(rows, options) == carve(repeated, options)


def test_a_falling_chain_is_the_mirror_of_the_rising_chain_of_the_other_class():
    rows = random_rows(np.random.default_rng(9))
    turned = Rows(rows.columns, rows.n_levels, 1 - rows.classes, 2, rows.weights)
    falling = carve(rows, Options(direction="falling"))
    rising = carve(turned, Options())
    assert [step.condition for step in falling] == [step.condition for step in rising]
    assert [step.risk for step in falling] == pytest.approx([1 - step.risk for step in rising])


def test_the_chain_stops_where_no_alpha_is_left_if_told_so():
    rows = random_rows(np.random.default_rng(10))
    stopped = carve(rows, Options(velocity=1.0, min_samples_leaf=4, on_no_root="stop"))
    clamped = carve(rows, Options(velocity=1.0, min_samples_leaf=4))
    assert len(stopped) < len(clamped)
    assert stopped[:-1] == clamped[: len(stopped) - 1]


def test_limits():
    rows = random_rows(np.random.default_rng(11))
    assert len(carve(rows, Options(max_length=2, min_samples_leaf=2))) == 3
    assert all(step.others + step.events >= 10 for step in carve(rows))
    only = Rows(rows.columns, rows.n_levels, np.zeros(150, int), 2, rows.weights)
    assert len(carve(only)) == 1
