"""After grouping, the last branch keeps only the levels that can reach it."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clearwood.pruning.possible_levels import keep_possible_levels
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.structure import NO_BRANCH

FEATURES = (
    Feature("site", "nominal", ("a", "b", "c", "d")),
    Feature("sex", "nominal", ("f", "m")),
    Feature("ef", "numeric"),
)
CLASSES = ("well", "ill")


def tree_of(root):
    return build(root, FEATURES, CLASSES)


@pytest.fixture
def inner():
    """A grouped condition: its last branch holds the levels c and d, which hardly occurred."""
    return levels("site", {"a": leaf([5, 1]), "b": leaf([1, 5]), ("c", "d"): leaf([0, 0])})


def test_a_tree_without_impossible_levels_stays_as_it_is(inner):
    tree = tree_of(cut("ef", 35, inner, leaf([3, 3])))
    assert keep_possible_levels(tree) == tree


def test_a_level_that_went_elsewhere_above_has_no_branch_below(inner):
    tree = tree_of(levels("site", {"d": leaf([9, 0]), ("a", "b", "c"): inner}))
    narrowed = keep_possible_levels(tree)
    assert_array_equal(narrowed.levels(2), [0, 1, 2, NO_BRANCH])
    assert narrowed.n_nodes == tree.n_nodes


def test_a_last_branch_without_levels_goes_with_all_below_it():
    below = cut("ef", 35, leaf([0, 0]), leaf([0, 0]))
    inner = levels("site", {"a": leaf([5, 1]), "b": leaf([1, 5]), ("c", "d"): below})
    root = levels("site", {("a", "b"): inner, ("c", "d"): leaf([9, 0])})
    narrowed = keep_possible_levels(tree_of(root))
    inner = levels("site", {"a": leaf([5, 1]), "b": leaf([1, 5])})
    assert narrowed == tree_of(levels("site", {("a", "b"): inner, ("c", "d"): leaf([9, 0])}))


def test_the_levels_of_other_branches_are_not_narrowed():
    inner = levels("site", {("a", "d"): leaf([5, 1]), ("b", "c"): leaf([1, 5])})
    tree = tree_of(levels("site", {("a", "b"): inner, ("c", "d"): leaf([9, 0])}))
    assert_array_equal(keep_possible_levels(tree).levels(1), [0, 1, NO_BRANCH, 0])


def test_conditions_in_between_pass_on_what_is_possible(inner):
    between = cut("ef", 35, levels("sex", {"f": inner, "m": leaf([1, 1])}), leaf([1, 1]))
    narrowed = keep_possible_levels(
        tree_of(levels("site", {("a", "b", "c"): between, "d": leaf([9, 0])}))
    )
    assert_array_equal(narrowed.levels(3), [0, 1, 2, NO_BRANCH])


def test_columns_of_two_levels_are_left_alone():
    inner = levels("sex", {"f": leaf([1, 0]), "m": leaf([0, 1])})
    tree = tree_of(levels("sex", {"f": inner, "m": leaf([2, 2])}))
    assert keep_possible_levels(tree) == tree


def test_branches_that_stay_keep_their_share_of_missing_values():
    inner = levels(
        "site",
        {"a": leaf([6, 0]), "b": leaf([0, 3]), ("c", "d"): leaf([0, 0])},
        missing=(0.625, 0.375, 0.0),
    )
    tree = tree_of(levels("site", {("a", "b"): inner, ("c", "d"): leaf([1, 0])}))
    narrowed = keep_possible_levels(tree)
    np.testing.assert_array_equal(narrowed.shares(1), [0.625, 0.375])
