"""Soft search agrees with a slow version that tries every threshold on every row."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.growing import Plan, Softness, SoftSearch, grow
from clearwood.noise.standard_form import StandardForm
from clearwood.table.column import Feature
from clearwood.table.table import Table
from reference import soft_search as slow

SEEDS = st.integers(0, 2**32 - 1)


def form(noise):
    return None if noise is None else StandardForm("identity", 0.0, noise.scale, noise.cdf)


def stump(columns):
    """What the core grows in one split from columns that share their rows and search."""
    first = columns[0]
    features = tuple(Feature(f"x{i}", "numeric") for i in range(len(columns)))
    softness = Softness(
        search_noise=[form(column.search) for column in columns],
        propagation_noise=[form(column.propagation) for column in columns],
        search=SoftSearch(first.window, first.step, "paper" if first.one_grid else "hybrid"),
    )
    return grow(
        Table(features, [column.values for column in columns], None, len(first.values)),
        np.arange(first.codes.max() + 1),
        first.codes,
        first.weights,
        Plan(max_depth=1, min_samples_leaf=first.least, softness=softness),
    )


@st.composite
def columns(draw, sizes):
    """A column of values that overlap or lie apart, and how it is searched."""
    rng = np.random.default_rng(draw(SEEDS))
    n = draw(sizes)
    spread = draw(st.sampled_from([1.0, 10.0, 100.0]))
    values = rng.normal(0, spread, n).round(draw(st.integers(0, 3)))
    codes = ((values + rng.normal(0, spread, n) > 0) + (rng.random(n) < 0.2)).astype(np.int32)
    codes[: codes.max() + 1] = np.arange(codes.max() + 1)
    values[rng.random(n) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    weights = rng.choice([0.5, 1.0, 2.5], n) if draw(st.booleans()) else np.ones(n)
    cdf = draw(st.sampled_from(["normal", "uniform"]))
    scale = draw(st.sampled_from([0.01, 0.3, 2.0, 15.0]))
    if draw(st.booleans()):
        scale = scale * rng.choice([0.0, 0.5, 1.0, 2.0], n)
    propagation = draw(
        st.sampled_from([None, slow.Noise("normal", 0.5), slow.Noise("normal", 5.0)])
    )
    return slow.Column(
        values, codes, weights, slow.Noise(cdf, scale), propagation,
        window=draw(st.sampled_from([4.0, 6.0, 8.0])),
        step=draw(st.sampled_from([0.05, 0.1, 0.5])),
        least=draw(st.sampled_from([0.5, 1.0, 5.0])),
    )  # fmt: skip


def assert_best(tree, column):
    found = slow.best(column)
    if found is None:
        assert tree.n_nodes == 1
        return
    gain, middles = found
    assert tree.n_nodes == 3
    # the gain is the threshold's own: in the middle of a plateau, between two places of the grid,
    # it is within the tolerance of their highest, or a little above it
    assert gain - 1e-9 * (1 + len(middles)) <= tree.gain[0] <= gain + 1e-7
    off = min(abs(tree.threshold[0] - middle) for middle in middles)
    assert off <= 1e-9 * max(1.0, abs(tree.threshold[0]))


@given(columns(st.integers(5, 60)))
def test_small_columns_are_cut_where_every_threshold_tried_says(column):
    assert_best(stump([column]), column)


@settings(max_examples=60)
@given(columns(st.integers(256, 600)))
def test_columns_of_many_rows_are_cut_where_every_threshold_tried_says(column):
    assert_best(stump([column]), column)


@settings(max_examples=40)
@given(columns(st.integers(256, 600)))
def test_the_grid_of_the_paper_is_searched_likewise(column):
    scale = np.maximum(column.search.scale, 2.0)
    if np.ndim(scale) == 0:
        scale = float(scale)
    column = dataclasses.replace(column, one_grid=True, search=slow.Noise("normal", scale))
    assert_best(stump([column]), column)


@settings(max_examples=40)
@given(columns(st.integers(5, 400)), SEEDS)
def test_the_column_of_the_highest_gain_is_cut(column, seed):
    rng = np.random.default_rng(seed)
    others = [
        dataclasses.replace(column, values=rng.permutation(column.values)),
        dataclasses.replace(column, values=column.values + rng.normal(0, 5, len(column.values))),
    ]
    every = [column, *others]
    tree, found = stump(every), [slow.best(each) for each in every]
    highest = [-1.0 if each is None else each[0] for each in found]
    if max(highest) < 0:
        assert tree.n_nodes == 1
        return
    chosen = int(tree.column[0])
    assert highest[chosen] == pytest.approx(max(highest), abs=2e-9)
    assert_best(tree, every[chosen])


def test_a_branch_of_just_the_least_propagated_mass_is_allowed():
    """A cut at the lowest value leaves half of its row, less a rounding, below."""
    values = np.array([
        20.41, -25.56, 4.18, -5.68, -4.53, -2.16, -20.2, -2.32, -8.65, 33.23, 2.26, -3.53, -2.81,
        -6.68, -10.55, -3.91, 4.82, -2.39, 9.58, -2.0, 0.24, 15.46,
    ])  # fmt: skip
    codes = np.array([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1], np.int32)
    column = slow.Column(
        values, codes, np.ones(22), slow.Noise("normal", 15.0), slow.Noise("normal", 0.5),
        window=4.0, step=0.05, least=0.5,
    )  # fmt: skip
    tree = stump([column])
    assert tree.threshold[0] == pytest.approx(-25.56)
    assert_best(tree, column)
