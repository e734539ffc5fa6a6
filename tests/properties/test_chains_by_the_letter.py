"""Every step of a chain is the best that the slow version finds among all conditions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.growing import Carving, Plan, carve
from clearwood.table.column import Feature
from clearwood.table.table import Table
from properties.test_best_splits import one_column
from reference.chain import Options, alphas_from, carved_alpha, carving_value, feasible, rate
from reference.tree import MISSING, Rows

EQUAL = 1e-10


@st.composite
def rows_of_two_classes(draw):
    """Few values, so that ties, missing values and absent levels are common."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(4, 60))
    missing = draw(st.sampled_from([0.0, 0.2]))
    n_levels = draw(st.lists(st.sampled_from([0, 0, 2, 4]), min_size=1, max_size=4))
    columns = [one_column(rng, n, n_rows, missing) for n in n_levels]
    classes = (rng.random(n_rows) < draw(st.sampled_from([0.1, 0.3, 0.6]))).astype(np.int32)
    kinds = {"ones": np.ones(n_rows), "whole": rng.integers(1, 4, n_rows).astype(float),
             "real": rng.uniform(0.5, 2.0, n_rows)}  # fmt: skip
    return Rows(columns, n_levels, classes, 2, kinds[draw(st.sampled_from(sorted(kinds)))])


OPTIONS = st.builds(
    Options,
    velocity=st.sampled_from([0.01, 0.1, 1.0]),
    start_alpha=st.sampled_from([None, None, 2.0, 40.0]),
    max_length=st.sampled_from([2, 8]),
    monotone_risk=st.sampled_from(["both", "remaining"]),
    min_samples_leaf=st.sampled_from([0.9, 2.0, 5.0]),
    on_no_root=st.sampled_from(["clamp", "stop"]),
)


def carved(rows, options, direction):
    features = tuple(
        Feature(f"x{j}", "nominal" if n else "numeric", tuple(range(n)))
        for j, n in enumerate(rows.n_levels)
    )
    return carve(
        Table(features, rows.columns, None, len(rows.classes)),
        np.arange(2),
        rows.classes,
        rows.weights,
        plan=Plan(min_samples_leaf=options.min_samples_leaf),
        carving=Carving(
            velocity=options.velocity,
            start_alpha=options.start_alpha,
            max_length=options.max_length,
            monotone_risk=options.monotone_risk,
            on_no_root=options.on_no_root,
            direction=direction,
        ),
    )


def goes(tree, node, values):
    """Which rows a step carves; a missing value never."""
    kept = int(tree.shares(node).argmax())
    if np.isnan(tree.threshold[node]):
        branch = np.where(values == MISSING, kept, tree.levels(node)[values])
        return (branch != kept) & (branch >= 0)
    return ~np.isnan(values) & ((values > tree.threshold[node]) == (kept == 0))


@given(
    rows=rows_of_two_classes(), options=OPTIONS, direction=st.sampled_from(["rising", "falling"])
)
def test_every_step_is_the_first_of_the_best_and_none_is_left_out(rows, options, direction):
    tree, steps = carved(rows, options, direction)
    if direction == "falling":
        rows = Rows(rows.columns, rows.n_levels, 1 - rows.classes, 2, rows.weights)
    least = options.min_samples_leaf
    speed, alpha = alphas_from(rows, options) if 0 < rows.classes.mean() < 1 else (1.0, np.inf)
    node, last = 0, -np.inf
    for number in range(options.max_length + 1):
        masses = rows.masses(np.arange(len(rows.classes)))
        is_finished = number == options.max_length or masses.min() == 0 or masses.sum() < 2 * least
        pi = rate(masses)
        most = None if is_finished else carved_alpha(speed, max(pi, 1 - pi), options.on_no_root)
        alpha = alpha if most is None else min(alpha, most)
        found = [] if most is None else [
            (condition, carving_value(sides, alpha), sides[0])
            for condition, sides in feasible(rows, last, least)
        ]  # fmt: skip
        if not found:
            assert tree.is_leaf[node]
            assert len(steps) == number
            return
        best = max(value for _, value, _ in found)
        first, _, masses_gone = next(one for one in found if one[1] >= best * (1 - EQUAL))
        assert tree.column[node] == first.column
        gone = goes(tree, node, rows.columns[first.column])
        assert gone.tolist() == first.holds(rows.columns[first.column]).tolist()
        assert steps[number].alpha == pytest.approx(alpha)
        assert steps[number].weight == pytest.approx(masses_gone.sum())
        if options.monotone_risk == "both":
            last = rate(masses_gone)
        node = int(tree.children(node)[tree.shares(node).argmax()])
        rows = rows.part(~gone, rows.weights[~gone])
