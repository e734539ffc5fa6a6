"""Error-based pruning from Python: options, what is handed over, what stays."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clearwood import _core
from clearwood.errors import ParameterError
from clearwood.noise.standard_form import StandardForm
from clearwood.pruning.error_based import ErrorBased, error_based
from clearwood.table.column import Feature
from clearwood.table.table import Table
from clearwood.tree.by_hand import build, cut, leaf, levels

EF, AGE = Feature("ef", "numeric"), Feature("age", "numeric")
CLASSES = ("ill", "well")


def table_of(*columns):
    features = (EF, AGE)[: len(columns)]
    columns = tuple(np.array(column, dtype=np.float64) for column in columns)
    return Table(features, columns, None, len(columns[0]))


def codes_of(*runs):
    return np.repeat([code for code, _ in runs], [times for _, times in runs]).astype(np.int32)


def added(n, e, **options):
    return e + _core.added_errors(n, e, **options)


def test_a_separating_cut_stays_with_the_masses_of_the_rows():
    tree = build(cut("ef", 35, leaf([1, 0]), leaf([0, 1])), [EF], CLASSES)
    pruned = error_based(tree, table_of([30] * 6 + [50] * 6), codes_of((0, 6), (1, 6)))
    assert_array_equal(pruned.tree.masses, [[6, 6], [6, 0], [0, 6]])
    assert_array_equal(pruned.tree.n_rows, [12, 6, 6])
    assert pruned.errors == pytest.approx(2 * added(6, 0))


def test_a_useless_cut_becomes_a_leaf():
    tree = build(cut("ef", 35, leaf([1, 0]), leaf([1, 0])), [EF], CLASSES)
    pruned = error_based(tree, table_of([30, 30, 50, 50]), codes_of((0, 2), (1, 1), (0, 1)))
    assert pruned.tree.n_nodes == 1
    assert_allclose(pruned.tree.distribution, [[0.75, 0.25]])
    assert pruned.errors == pytest.approx(added(4, 1))


def test_a_raised_branch_is_the_new_root_and_has_all_rows():
    inner = cut("age", 60, leaf([6, 0]), leaf([0, 6]))
    tree = build(cut("ef", 35, leaf([1, 0]), inner), [EF, AGE], CLASSES)
    table = table_of([30] + [50] * 12, [40] * 7 + [80] * 6)
    codes = codes_of((0, 7), (1, 6))
    pruned = error_based(tree, table, codes)
    assert_array_equal(pruned.tree.column, [1, -1, -1])
    assert_array_equal(pruned.tree.masses[0], [7, 6])
    assert pruned.errors == pytest.approx(added(7, 0) + added(6, 0))
    assert error_based(tree, table, codes, options=ErrorBased(raising="none")).tree.n_nodes == 5


def test_a_branch_without_rows_keeps_its_number_of_rows_and_takes_no_missing_value():
    site = Feature("site", "nominal", ("a", "b", "c"))
    sketch = levels("site", {"a": leaf([6, 0]), "b": leaf([0, 6]), "c": leaf([0, 0], n_rows=4)})
    tree = build(sketch, [site], CLASSES)
    codes = np.array([0] * 6 + [1] * 6, dtype=np.int32)
    pruned = error_based(tree, Table((site,), (codes,), None, 12), codes)
    assert_array_equal(pruned.tree.n_rows, [12, 6, 6, 4])
    assert_array_equal(pruned.tree.missing_share, [0.5, 0.5, 0])
    assert_array_equal(pruned.tree.distribution[3], [0.5, 0.5])
    c45 = error_based(tree, Table((site,), (codes,), None, 12), codes, compatibility="c45")
    assert sorted(c45.tree.distribution[3]) == [0, 1]


def test_weights_count_as_rows():
    tree = build(cut("ef", 35, leaf([1, 0]), leaf([0, 1])), [EF], CLASSES)
    table, weights = table_of([30, 50, 20]), np.array([6.0, 6.0, 0.0])
    pruned = error_based(tree, table, codes_of((0, 1), (1, 2)), weights)
    assert_array_equal(pruned.tree.masses[0], [6, 6])
    assert_array_equal(pruned.tree.n_rows, [2, 1, 1])


def test_two_tails_halve_the_confidence():
    tree = build(leaf([6, 0]), [EF], CLASSES)
    table, codes = table_of([30] * 6), codes_of((0, 6))
    both = error_based(tree, table, codes, options=ErrorBased(bound="exact", tails=2))
    assert both.errors == pytest.approx(6 * 0.2928932188)
    assert both.errors == pytest.approx(added(6, 0, confidence=0.125, bound="exact"))


def test_laplace_enters_the_bound():
    tree = build(leaf([15, 1]), [EF], CLASSES)
    options = ErrorBased(bound="exact", laplace=True)
    pruned = error_based(tree, table_of([30] * 16), codes_of((0, 15), (1, 1)), options=options)
    assert pruned.errors == pytest.approx(16 * 0.215133, abs=1e-5)


@pytest.mark.parametrize(
    ("sd", "wrong", "errors"),
    [(0, 1, 4.947413), (2, 1.643802, 6.354660), (4, 2.126998, 7.374221), (8, 3.077511, 9.308515)],
)
def test_noise_mixes_the_classes_of_two_leaves(sd, wrong, errors):
    values = np.arange(1.0, 21.0)
    codes = ((values > 10) ^ np.isin(values, [8, 14])).astype(np.int32)
    tree = build(cut("ef", 10.5, leaf([1, 0]), leaf([0, 1])), [EF], CLASSES)
    noise = [StandardForm("identity", 0.0, sd, "normal")]
    options = ErrorBased(bound="exact")
    pruned = error_based(tree, table_of(values), codes, options=options, noise=noise)
    assert_allclose(pruned.tree.masses[1], [10 - wrong, wrong], atol=1e-6)
    assert pruned.errors == pytest.approx(errors, abs=1e-6)


def test_joint_noise_knows_the_interval_of_the_path():
    inner = cut("ef", 1, leaf([1, 0]), leaf([0, 1]))
    tree = build(cut("ef", 0, leaf([1, 0]), inner), [EF], CLASSES)
    table, codes = table_of([0, 9, 9, 9, 9, 9, 9]), codes_of((0, 1), (1, 6))
    noise = [StandardForm("identity", 0.0, np.array([1.0] + [0.0] * 6), "normal")]
    options = ErrorBased(raising="none", slack=0)
    for joint, share in ((False, 0.420672), (True, 0.341345)):
        pruned = error_based(tree, table, codes, None, options, noise=noise, joint=joint)
        assert_allclose(pruned.tree.masses[3], [share, 0], atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"confidence": 0}, "confidence must be above 0 and at most 1 where bound='c45', got 0"),
        ({"confidence": 1, "bound": "exact"}, "above 0 and below 1 where bound='exact', got 1"),
        ({"confidence": 0.6, "bound": "j48"}, "at most 0.5 where bound='j48', got 0.6"),
        ({"confidence": True}, "confidence must be"),
        ({"confidence": float("nan")}, "confidence must be"),
        ({"tails": 3}, "tails must be 1 or 2, got 3"),
        ({"laplace": "no"}, "laplace must be True or False, got 'no'"),
        ({"bound": "wilson"}, "bound must be one of c45, exact, j48, got 'wilson'"),
        ({"slack": -0.1}, "slack must be a number of at least 0, got -0.1"),
        ({"raising": None}, "raising must be one of none, heaviest, best, got None"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(wrong, message):
    with pytest.raises(ParameterError, match=message):
        ErrorBased(**wrong)


def test_what_does_not_fit_the_tree_is_refused():
    tree = build(leaf([6, 0]), [EF], CLASSES)
    with pytest.raises(ParameterError, match="compatibility must be one of c45, j48, got 'r8'"):
        error_based(tree, table_of([1.0]), codes_of((0, 1)), compatibility="r8")
    with pytest.raises(ValueError, match="one entry for each of the 2 rows"):
        error_based(tree, table_of([1.0, 2.0]), codes_of((0, 1)))
    with pytest.raises(ValueError, match="classes must be from 0 to n_classes - 1, got 2 in row 0"):
        error_based(tree, table_of([1.0]), codes_of((2, 1)))
    exact = StandardForm("identity", 0.0, 0.0, "normal")
    with pytest.raises(ValueError, match="noise must have one entry a column, 1, got 2"):
        error_based(tree, table_of([1.0]), codes_of((0, 1)), noise=[exact, exact])
    with pytest.raises(ValueError, match="eta must be at least 0 and below"):
        error_based(tree, table_of([1.0]), codes_of((0, 1)), eta=0.5)
