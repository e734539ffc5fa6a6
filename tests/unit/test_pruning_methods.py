"""Each pruning method on trees small enough to be pruned by hand."""

import dataclasses
import math

import numpy as np
import pytest

from clearwood.errors import ParameterError
from clearwood.pruning import (
    CriticalValue,
    MinimumError,
    OptimalSize,
    PessimisticError,
    ReducedError,
    TreeSize,
    critical_value,
    error_bound,
    minimum_error,
    optimal_size,
    optimal_sizes,
    pessimistic_error,
    prune,
    reduced_error,
    tree_size,
)
from clearwood.pruning.minimum_error import expected_error
from clearwood.table.column import Feature
from clearwood.tree import LEAF
from clearwood.tree.by_hand import build, cut, leaf, levels

X = [Feature(f"x{j}", "numeric") for j in range(10)]
CLASSES = ("a", "b")


def stump(left, right):
    return build(cut("x0", 0, leaf(left), leaf(right)), X, CLASSES)


def three_leaves():
    """Root 60 : 40; its second branch 20 : 40 is cut once more."""
    inner = cut("x1", 0, leaf([15, 5]), leaf([5, 35]))
    return build(cut("x0", 0, leaf([40, 0]), inner), X, CLASSES)


def is_cut(replacement):
    return (replacement == LEAF).tolist()


def test_tree_size_cuts_at_exactly_what_three_nodes_gain_by_chance():
    # n = 100, k = 3, d = 10: the term at c = 1 is .314698; the leaf errs in 50, the stump in 20.
    tree = stump([40, 10], [10, 40])
    edge = 0.3 / 0.3146980
    assert math.sqrt((3 * math.log(10) + math.log(20)) / 100) == pytest.approx(0.314698, abs=1e-6)
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=edge + 1e-6))) == [True, False, False]
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=edge - 1e-6))) == [False, False, False]


def test_tree_size_counts_the_nodes_of_the_subtree_as_it_was_pruned():
    # The inner node is cut first; the root then has 3 nodes below it, of 20 errors more.
    tree = three_leaves()
    errors, k_pruned, k_grown = 40 - 20, 3, 5
    per_error = math.sqrt(100 * (k_pruned * math.log(10) + math.log(20)))
    assert 100 * (k_grown * math.log(10) + math.log(20)) > per_error**2
    c = (errors - 1e-6) / per_error
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=c))) == [False, False, True, False, False]
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=c + 1e-5)))[0]


def test_tree_size_of_a_tree_with_one_column_keeps_the_constant_term():
    tree = build(cut("x0", 0, leaf([40, 10]), leaf([10, 40])), X[:1], CLASSES)
    edge = 30 / math.sqrt(100 * math.log(20))
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=edge + 1e-6)))[0]
    assert not is_cut(tree_size(tree, tree.masses, TreeSize(c=edge - 1e-6)))[0]


def test_tree_size_at_c_0_cuts_only_what_gains_nothing():
    tree = stump([40, 10], [30, 20])
    assert is_cut(tree_size(tree, tree.masses, TreeSize(c=0)))[0]
    tree = stump([40, 10], [24, 25])
    assert not is_cut(tree_size(tree, tree.masses, TreeSize(c=0)))[0]


def test_error_bound_is_the_formula_of_the_whole_tree():
    tree = stump([40, 10], [10, 40])
    expected = 0.2 + math.sqrt((3 * math.log(10) + math.log(20)) / 200)
    assert error_bound(tree) == pytest.approx(expected)
    expected = 0.2 + 0.5 * math.sqrt((3 * math.log(10) + math.log(100)) / 100)
    assert error_bound(tree, c=0.5, delta=0.01) == pytest.approx(expected)
    assert math.isnan(error_bound(build(leaf([0, 0]), X, CLASSES)))


def test_raising_by_tree_size_puts_the_heaviest_branch_in_its_parents_place():
    # Only x1 tells the classes apart; the root's cut sets two odd rows aside.
    inner = cut("x1", 0, leaf([49, 0]), leaf([0, 49]))
    odd = cut("x2", 0, leaf([1, 0]), leaf([0, 1]))
    tree = build(cut("x0", 0, inner, odd), X, CLASSES)
    rows = np.zeros((100, 10))
    rows[:49, :2], rows[49:98, :2] = (-1, -1), (-1, 1)
    rows[98], rows[99] = (1, -1, -1, *[0] * 7), (1, 1, 1, *[0] * 7)
    y = np.array(["a"] * 49 + ["b"] * 49 + ["a", "b"])
    raised = prune(tree, "tree_size", rows, y, c=0.05, raising=True)
    assert raised.column.tolist() == [1, -1, -1]
    assert raised.masses.tolist() == [[50, 50], [50, 0], [0, 50]]


def test_reduced_error_cuts_where_a_leaf_is_as_good_on_the_pruning_rows():
    tree = three_leaves()
    masses = np.array([[30, 10], [25, 0], [5, 10], [3, 4], [2, 6]], float)
    assert is_cut(reduced_error(tree, masses, ReducedError())) == [False, False, True, False, False]
    # As a leaf, node 2 errs in 5; its leaves err in 4 + 2.
    assert is_cut(reduced_error(tree, masses, ReducedError(strict=True)))[2]


def test_reduced_error_cuts_what_no_row_reaches_unless_it_is_strict():
    tree, nothing = three_leaves(), np.zeros((5, 2))
    assert is_cut(reduced_error(tree, nothing, ReducedError()))[0]
    assert not any(is_cut(reduced_error(tree, nothing, ReducedError(strict=True))))


def test_pessimistic_error_adds_half_an_error_a_leaf_and_one_standard_error():
    # 33 + 1 + sqrt(34 * 66 / 100) = 38.7 against 37 + 1/2; 32 + 1 + 4.7 = 37.7 against 38 + 1/2.
    tree = stump([40, 10], [23, 27])
    assert is_cut(pessimistic_error(tree, tree.masses, PessimisticError()))[0]
    tree = stump([40, 10], [22, 28])
    assert not is_cut(pessimistic_error(tree, tree.masses, PessimisticError()))[0]
    assert is_cut(pessimistic_error(tree, tree.masses, PessimisticError(standard_errors=2)))[0]


def test_pessimistic_error_takes_no_root_where_corrections_exceed_the_rows():
    inner = cut("x1", 0, leaf([0, 0]), leaf([0, 0]))
    tree = build(cut("x0", 0, leaf([1, 0]), inner), X, CLASSES)  # R' = 1.5 of one row
    assert is_cut(pessimistic_error(tree, tree.masses, PessimisticError()))[0]


def test_minimum_error_is_that_of_niblett_and_bratko():
    # (e + K - 1) / (n + K) is 51/102 for the leaf, 11/52 for either branch.
    tree = stump([40, 10], [10, 40])
    assert not is_cut(minimum_error(tree, tree.masses, MinimumError()))[0]
    assert expected_error(tree, tree.masses, MinimumError()) == pytest.approx(11 / 52)
    tree = stump([3, 1], [2, 1])  # leaf 3/9; branches 2/6 * 4/7 + 2/5 * 3/7
    assert 2 / 6 * 4 / 7 + 2 / 5 * 3 / 7 > 3 / 9
    assert is_cut(minimum_error(tree, tree.masses, MinimumError()))[0]


def test_m_estimate_weighs_the_shares_of_the_root():
    # m = 4, prior (.7, .3): 1 - (3 + 2.8) / 8 in the first branch, 1 - (4 + 2.8) / 10 in the other.
    tree = stump([3, 1], [4, 2])
    leaf_error = 1 - (7 + 2.8) / 14
    assert expected_error(tree, tree.masses, MinimumError(m=4)) == pytest.approx(leaf_error)
    uniform = MinimumError(m=2, prior="uniform")
    assert expected_error(tree, tree.masses, uniform) == expected_error(
        tree, tree.masses, MinimumError()
    )


def test_critical_value_spares_a_weak_split_above_a_strong_one():
    tree = three_leaves()
    score = np.array([0.1, np.nan, 0.4, np.nan, np.nan])
    tree = dataclasses.replace(tree, score=score, gain=score / 2)
    assert not any(is_cut(critical_value(tree, tree.masses, CriticalValue(0.4))))
    assert is_cut(critical_value(tree, tree.masses, CriticalValue(0.41)))[0]
    assert is_cut(critical_value(tree, tree.masses, CriticalValue(0.3, measure="gain")))[0]


def test_critical_value_needs_the_values_of_the_splits():
    tree = three_leaves()
    with pytest.raises(ParameterError, match="needs the score of every split, but node 0"):
        critical_value(tree, tree.masses, CriticalValue(0.1))


def test_opt_lists_the_least_errors_of_every_size():
    tree = three_leaves()
    sizes = optimal_sizes(tree, tree.masses)
    assert sizes.n_leaves.tolist() == [1, 2, 3]
    assert sizes.errors.tolist() == [40, 20, 10]
    assert is_cut(sizes.replacement(2)) == [False, False, True, False, False]


def test_opt_leaves_out_sizes_that_several_branches_cannot_give():
    site = Feature("site", "nominal", ("a", "b", "c"))
    tree = build(levels("site", {"a": leaf([5, 0]), "b": leaf([0, 5]), "c": leaf([2, 0])}),
                 [site], CLASSES)  # fmt: skip
    sizes = optimal_sizes(tree, tree.masses)
    assert sizes.n_leaves.tolist() == [1, 3]
    with pytest.raises(ParameterError, match="no pruning of this tree has 2 leaves"):
        sizes.replacement(2)


def test_optimal_size_takes_a_size_or_an_error_rate():
    tree = three_leaves()
    assert is_cut(optimal_size(tree, tree.masses, OptimalSize(n_leaves=2)))[2]
    assert not any(is_cut(optimal_size(tree, tree.masses, OptimalSize(n_leaves=9))))
    assert is_cut(optimal_size(tree, tree.masses, OptimalSize(error_rate=0.2)))[2]
    with pytest.raises(ParameterError, match=r"at most 0.05; the least is 0.1"):
        optimal_size(tree, tree.masses, OptimalSize(error_rate=0.05))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: TreeSize(c=-1), "c must be a number of at least 0, got -1"),
        (lambda: TreeSize(c=True), "c must be a number"),
        (lambda: TreeSize(raising="yes"), "raising must be True or False, got 'yes'"),
        (lambda: ReducedError(fraction=1), "fraction must be a number above 0 and below 1, got 1"),
        (lambda: ReducedError(seed=-1), "seed must be a whole number of at least 0, got -1"),
        (lambda: ReducedError(strict=1), "strict must be True or False, got 1"),
        (lambda: PessimisticError(standard_errors=math.inf), "standard_errors must be"),
        (lambda: MinimumError(m=math.nan), "m must be a number of at least 0, got nan"),
        (lambda: MinimumError(prior="flat"), "prior must be one of uniform, root, got 'flat'"),
        (lambda: CriticalValue(value="high"), "value must be a number"),
        (lambda: CriticalValue(0.1, measure="size"), "measure must be one of score, gain"),
        (lambda: OptimalSize(), "give n_leaves or error_rate, and not both"),
        (lambda: OptimalSize(n_leaves=0), "n_leaves must be a whole number of at least 1, got 0"),
        (lambda: OptimalSize(error_rate=2), "error_rate must be a number of at least 0 and at"),
        (lambda: error_bound(three_leaves(), delta=0), "delta must be a number above 0 and below"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(wrong, message):
    with pytest.raises(ParameterError, match=message):
        wrong()
