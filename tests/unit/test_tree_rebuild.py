"""Every rebuilt tree is a pruning of the tree it came from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import InvalidTreeError, ParameterError
from clearwood.tree import LEAF, rebuild
from golden.trees import TREES, binary, deep_chain, ordinal
from reference.random_trees import random_tree


def identity(tree):
    return np.arange(tree.n_nodes)


def replaced(tree, **changes):
    """A replacement in which ``n3=LEAF`` changes node 3."""
    replacement = identity(tree)
    for name, value in changes.items():
        replacement[int(name[1:])] = value
    return replacement


def nested(tree, node=0, replacement=None):
    """The tree as nested tuples, by the letter of the docstring of `rebuild`."""
    replacement = identity(tree) if replacement is None else replacement
    while replacement[node] not in (node, LEAF):
        node = int(replacement[node])
    facts = (tuple(tree.masses[node]), tuple(tree.distribution[node]), int(tree.label[node]),
             int(tree.n_rows[node]))  # fmt: skip
    if replacement[node] == LEAF or tree.is_leaf[node]:
        return (facts,)
    condition = (
        *(int(values[node]) for values in (tree.kind, tree.column, tree.strict)),
        str(tree.threshold[node]),
        tuple(tree.levels(node)),
        tuple(tree.shares(node)),
    )
    return (facts, condition, *(nested(tree, int(c), replacement) for c in tree.children(node)))


@pytest.mark.parametrize("name", TREES)
def test_replacing_nothing_gives_an_equal_tree(name):
    tree = TREES[name]()
    assert rebuild(tree, identity(tree)) == tree


@given(seed=st.integers(0, 2**32 - 1))
def test_the_result_is_what_the_replacement_says_of_each_node(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, rng.normal(size=4), n_inner=12)
    replacement = identity(tree)
    for node in np.flatnonzero(rng.random(tree.n_nodes) < 0.3):
        choices = [LEAF, *range(node, tree.subtree_end[node])]
        replacement[node] = rng.choice(choices)
    assert nested(rebuild(tree, replacement)) == nested(tree, replacement=replacement)


def test_a_node_that_became_a_leaf_keeps_its_masses_and_loses_its_condition():
    tree = rebuild(binary(), replaced(binary(), n1=LEAF))
    assert tree.kind.tolist() == [1, 0, 0]
    assert tree.column.tolist() == [0, -1, -1]
    assert np.isnan(tree.threshold[1])
    assert tree.masses[1].tolist() == binary().masses[1].tolist()
    assert tree.shares(0).tolist() == binary().shares(0).tolist()


def test_the_root_may_become_a_leaf():
    tree = rebuild(ordinal(), replaced(ordinal(), n0=LEAF))
    assert (tree.n_nodes, tree.depth) == (1, 0)
    assert tree.masses[0].tolist() == [19, 26]


def test_a_descendant_stands_in_the_place_of_a_node_and_is_itself_replaced():
    tree = rebuild(ordinal(), replaced(ordinal(), n0=4, n4=5, n5=LEAF))
    assert tree.n_nodes == 1
    assert tree.masses[0].tolist() == ordinal().masses[5].tolist()


def test_arrays_given_take_the_place_of_the_old_ones_by_old_node_and_branch():
    tree = binary()
    masses = tree.masses + 1
    shares = np.array([0.25, 0.75, 0.5, 0.5])
    n_rows = np.arange(5)
    label = np.ones(5, int)
    distribution = np.full((5, 2), 0.5)
    new = rebuild(
        tree,
        replaced(tree, n0=1),
        masses=masses,
        distribution=distribution,
        label=label,
        missing_share=shares,
        n_rows=n_rows,
    )
    assert new.masses.tolist() == masses[1:4].tolist()
    assert new.missing_share.tolist() == [0.5, 0.5]
    assert new.n_rows.tolist() == [1, 2, 3]
    assert new.label.tolist() == [1, 1, 1]
    assert (new.distribution == 0.5).all()


@pytest.mark.parametrize("value", [0, -2, 4, 5])
def test_a_replacement_that_is_not_below_its_node_is_refused(value):
    with pytest.raises(ParameterError, match=f"replacement of node 1 .* got {value}"):
        rebuild(binary(), replaced(binary(), n1=value))


def test_a_replacement_of_another_length_is_refused():
    with pytest.raises(ParameterError, match="one entry for each of the 5 nodes"):
        rebuild(binary(), np.arange(4))


def test_an_array_of_another_shape_is_refused():
    with pytest.raises(ParameterError, match=r"label must have the shape .* \(5,\), has \(4,\)"):
        rebuild(binary(), identity(binary()), label=np.zeros(4, int))


def test_an_array_that_no_tree_holds_is_refused():
    with pytest.raises(InvalidTreeError, match="masses must be finite and not negative"):
        rebuild(binary(), identity(binary()), masses=binary().masses - 1000)


def test_a_chain_of_a_hundred_thousand_cuts_is_cut_back():
    tree = deep_chain(100_000)
    half = rebuild(tree, replaced(tree, n100000=LEAF))
    assert half.depth == 50_000
