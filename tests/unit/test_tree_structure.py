"""A Tree is one valid tree, cannot be changed, and is the same after a pickle."""

import pickle

import numpy as np
import pytest

from clearwood.errors import InvalidTreeError
from clearwood.table.column import Feature
from clearwood.tree import Tree, as_tree
from clearwood.tree.by_hand import build, cut, leaf
from golden.trees import TREES, binary, deep_chain, many_branches, nasty_names, ordinal


def parts(tree, **changed):
    """Keywords that make `tree` again, some of them changed."""
    whole = tree.arrays() | {"features": tree.features, "classes": tree.classes}
    return whole | changed


def changed(values, at, value):
    values = values.copy()
    values[at] = value
    return values


def test_counts_of_a_tree_of_five_nodes():
    tree = binary()
    assert (tree.n_nodes, tree.n_leaves, tree.size, tree.depth) == (5, 3, 3, 2)
    assert tree.is_leaf.tolist() == [False, False, True, True, True]
    assert tree.parent.tolist() == [-1, 0, 1, 1, 0]
    assert tree.depth_of.tolist() == [0, 1, 2, 2, 1]
    assert tree.subtree_end.tolist() == [5, 4, 3, 4, 5]
    assert tree.children(0).tolist() == [1, 4]
    assert tree.shares(1).tolist() == [0, 1]


def test_bottom_up_comes_to_each_node_after_all_below_it():
    tree = nasty_names()
    order = list(tree.bottom_up())
    assert sorted(order) == list(range(tree.n_nodes))
    assert all(order.index(child) < order.index(tree.parent[child]) for child in order[:-1])


@pytest.mark.parametrize("name", TREES)
def test_missing_shares_and_masses_of_branches_add_up_to_their_node(name):
    tree = TREES[name]()
    for node in np.flatnonzero(~tree.is_leaf):
        assert tree.shares(node).sum() == pytest.approx(1, abs=1e-9)
        below = tree.masses[tree.children(node)].sum(axis=0)
        assert below == pytest.approx(tree.masses[node], abs=1e-9)


def test_an_empty_leaf_gives_the_distribution_of_its_parent():
    tree = many_branches()
    empty = [node for node in tree.leaves if node.weight == 0]
    assert len(empty) == 2
    for node in empty:
        assert np.array_equal(node.distribution, tree.distribution[0])


def test_equal_probabilities_go_to_the_first_class():
    tree = build(leaf([2, 2]), [Feature("x", "numeric")], ["b", "a"])
    assert tree.label[0] == 0


@pytest.mark.parametrize("name", TREES)
def test_arrays_cannot_be_written_to(name):
    tree = TREES[name]()
    for values in tree.arrays().values():
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0
    with pytest.raises(AttributeError):
        tree.kind = None


def test_changing_the_array_given_does_not_change_the_tree():
    threshold = binary().threshold.copy()
    tree = Tree(**parts(binary(), threshold=threshold))
    threshold[0] = 99
    assert tree.threshold[0] == 35


@pytest.mark.parametrize("name", TREES)
def test_a_pickle_brings_back_an_equal_tree(name):
    tree = TREES[name]()
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert again.class_names == tree.class_names


def test_settings_survive_a_pickle_and_do_not_count_in_equality():
    tree = Tree(**parts(binary(), class_names=binary().class_names, settings={"criterion": "gini"}))
    assert tree == binary()
    assert pickle.loads(pickle.dumps(tree)).settings == {"criterion": "gini"}


def test_trees_that_differ_in_one_strictness_are_not_equal():
    tree = ordinal()
    assert Tree(**parts(tree, strict=changed(tree.strict, 0, 1))) != tree


def test_repr_is_short():
    assert repr(binary()) == "<Tree: 3 leaves, depth 2, 2 features, 2 classes>"


def test_a_chain_of_a_hundred_thousand_cuts_is_built_pickled_and_compared():
    tree = deep_chain(100_000)
    assert tree.depth == 100_000
    assert tree.n_leaves == 100_001
    assert pickle.loads(pickle.dumps(tree)) == tree


@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("kind", 0, 3, "node 0: kind must be 0, 1 or 2, got 3"),
        ("kind", 0, 2, "node 0: kind is a condition on levels but its column is not nominal"),
        ("kind", 2, 1, "node 2: child_start must give a cut two children, got 0"),
        ("kind", 1, 0, "node 1: child_start gives a leaf children, got 2"),
        ("column", 0, 2, "node 0: column must be one of the 2 features, got 2"),
        ("column", 2, 0, "node 2: column must be -1 at a leaf, got 0"),
        ("threshold", 1, np.nan, "node 1: threshold of a cut must be finite, got nan"),
        ("threshold", 1, np.inf, "node 1: threshold of a cut must be finite, got inf"),
        ("strict", 1, 2, "node 1: strict must be 0 or 1, got 2"),
        ("child_ids", 1, 5, "node 0: child_ids must lie in 1 ... 4, got 5"),
        ("child_ids", 1, 0, "node 0: child_ids must lie in 1 ... 4, got 0"),
        ("child_ids", 1, 2, "node 2: child_ids must name each node but the root once, got 2"),
        ("child_start", 5, 3, "child_start must run from 0 to the length of child_ids, 4"),
        ("child_start", 1, 5, "node 1: child_start must not fall, got 4"),
        ("missing_share", 0, 0.7, "node 0: missing_share must add up to 1"),
        ("missing_share", 0, -0.5, "node 0: missing_share must be finite and not negative"),
        ("masses", 2, -1, "node 2: masses must be finite and not negative"),
        ("distribution", 3, np.nan, "node 3: distribution must be finite and not negative"),
        ("distribution", 3, 0.9, "node 3: distribution must add up to 1, got 1.8"),
        ("label", 4, 2, "node 4: label must lie in 0 ... 1, got 2"),
        ("n_rows", 4, -1, "node 4: n_rows must not be negative, got -1"),
    ],
)
def test_a_damaged_array_is_refused_by_node_and_name(name, at, value, message):
    tree = binary()
    with pytest.raises(InvalidTreeError) as error:
        Tree(**parts(tree, **{name: changed(getattr(tree, name), at, value)}))
    assert message in str(error.value)


def test_a_branch_that_does_not_exist_is_refused_in_a_level_map():
    tree = many_branches()
    with pytest.raises(InvalidTreeError, match="node 0: level_branch must be -1 or a branch"):
        Tree(**parts(tree, level_branch=changed(tree.level_branch, 0, 4)))


def test_more_levels_than_the_column_has_are_refused():
    tree = many_branches()
    features = (Feature("site", "nominal", ("east", "north")),)
    with pytest.raises(InvalidTreeError, match="node 0: level_start gives a node more levels"):
        Tree(**parts(tree, features=features))


def test_arrays_of_unequal_length_are_refused():
    with pytest.raises(InvalidTreeError, match=r"label must have shape \(5,\)"):
        Tree(**parts(binary(), label=binary().label[:-1]))


def test_a_cycle_is_refused():
    tree = binary()
    with pytest.raises(InvalidTreeError, match="child_ids must"):
        Tree(**parts(tree, child_ids=np.array([2, 4, 1, 3])))


def test_nodes_out_of_pre_order_are_refused():
    tree = binary()
    with pytest.raises(InvalidTreeError, match="pre-order"):
        Tree(**parts(tree, child_ids=np.array([1, 2, 3, 4])))


def test_children_in_falling_order_are_refused():
    tree = binary()
    with pytest.raises(InvalidTreeError, match="node 0: child_ids must rise"):
        Tree(**parts(tree, child_ids=np.array([4, 1, 2, 3])))


def test_an_array_of_the_wrong_kind_of_number_is_refused():
    with pytest.raises(TypeError, match="int32"):
        Tree(**parts(binary(), column=np.array([0.5, 1, -1, -1, -1])))


def test_node_views_read_the_arrays():
    tree = binary()
    node = tree.nodes[1]
    assert (node.id, node.depth, node.is_leaf, node.parent.id) == (1, 1, False, 0)
    assert [child.id for child in node.children] == [2, 3]
    assert node.condition.text(0) == "age <= 62.5 years"
    assert node.missing_share.tolist() == [0, 1]
    assert node.weight == pytest.approx(36.56)
    assert tree.nodes[2].label
    assert [leaf.id for leaf in tree.leaves] == [2, 3, 4]
    assert [node.id for node in tree.nodes[3:]] == [3, 4]
    assert tree.nodes[-1].id == 4
    assert repr(tree.nodes[3]) == "<Node 3: leaf, depth 2, n = 24.56>"
    assert tree.nodes[0].parent is None


def test_as_tree_takes_a_tree_or_what_holds_one():
    class Model:
        tree_ = binary()

    assert as_tree(Model.tree_) is Model.tree_
    assert as_tree(Model()) is Model.tree_


def test_as_tree_says_what_it_was_given():
    class Unfitted:
        def fit(self):
            """Nothing yet."""

    class Foreign:
        tree_ = 3

    with pytest.raises(TypeError, match=r"expected a clearwood Tree or a fitted .*, got int"):
        as_tree(5)
    with pytest.raises(TypeError, match="Unfitted has no tree yet; call its fit"):
        as_tree(Unfitted())
    with pytest.raises(TypeError, match="the tree_ of this Foreign is a int"):
        as_tree(Foreign())


def test_by_hand_names_an_unknown_column_with_the_nearest_one():
    with pytest.raises(KeyError, match="did you mean 'age'"):
        build(cut("agee", 1, leaf([1]), leaf([1])), [Feature("age", "numeric")], ["a"])
