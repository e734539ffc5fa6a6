"""Nodes are placed without overlap, in order, parents over their children, and closely."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.tree.drawing.placement import centres


def random_children(rng, n_nodes):
    """Children of a random tree whose nodes stand in pre-order of a random growth."""
    children = [[] for _ in range(n_nodes)]
    for node in range(1, n_nodes):
        children[int(rng.integers(node))].append(node)
    return children


def levels_of(children):
    level = [[0]]
    while below := [child for node in level[-1] for child in children[node]]:
        level.append(below)
    return level


def test_two_leaves_lie_beside_each_other_under_the_middle():
    assert centres([[1, 2], [], []], [10, 10, 10], gap=2) == [11, 5, 17]


def test_a_single_node_lies_at_half_its_size():
    assert centres([[]], [10]) == [5]


def test_sizes_count_for_each_node_by_itself():
    assert centres([[1, 2, 3], [], [], []], [2, 10, 2, 4])[1:] == [5, 11, 14]


def test_subtrees_slide_into_each_other_where_levels_allow():
    # The left subtree is wide at its second level, the right one is a leaf: it lies beside node 1.
    children = [[1, 4], [2, 3], [], [], []]
    found = centres(children, [10] * 5)
    assert found[4] - found[1] == 10


def test_siblings_between_are_spread_evenly():
    # Nodes 2 and 3 are leaves between two subtrees that push each other apart.
    children = [[1, 2, 3, 4], [5, 6, 7, 8], [], [], [9, 10, 11, 12], *([[]] * 8)]
    found = centres(children, [10.0] * 13)
    gaps = np.diff([found[node] for node in children[0]])
    assert gaps == pytest.approx([40 / 3] * 3)


@given(seed=st.integers(0, 2**32 - 1), n_nodes=st.integers(1, 80))
def test_neighbours_of_a_level_keep_their_order_and_distance(seed, n_nodes):
    rng = np.random.default_rng(seed)
    children, sizes = random_children(rng, n_nodes), rng.uniform(1, 20, n_nodes).tolist()
    found = centres(children, sizes, gap=3.0)
    for level in levels_of(children):
        for left, right in pairwise(level):
            needed = (sizes[left] + sizes[right]) / 2 + 3.0
            assert found[right] - found[left] >= needed - 1e-6
    assert min(at - size / 2 for at, size in zip(found, sizes, strict=True)) == pytest.approx(0)


@given(seed=st.integers(0, 2**32 - 1), n_nodes=st.integers(2, 80))
def test_a_parent_lies_midway_between_its_first_and_last_child(seed, n_nodes):
    rng = np.random.default_rng(seed)
    children = random_children(rng, n_nodes)
    found = centres(children, rng.uniform(1, 20, n_nodes).tolist())
    for node, below in enumerate(children):
        if below:
            assert found[node] == pytest.approx((found[below[0]] + found[below[-1]]) / 2)


def test_a_mirrored_tree_is_drawn_as_the_mirror_image():
    rng = np.random.default_rng(4)
    children = random_children(rng, 60)
    found = np.array(centres(children, [10.0] * 60))
    mirrored = np.array(centres([below[::-1] for below in children], [10.0] * 60))
    assert found.max() - found.min() == pytest.approx(mirrored.max() - mirrored.min())


def test_a_chain_of_thousands_is_placed_without_recursion():
    n_nodes = 20_001
    children = [[node + 1, node + 2] if node % 2 == 0 and node + 2 < n_nodes else []
                for node in range(n_nodes)]  # fmt: skip
    assert len(centres(children, [1.0] * n_nodes)) == n_nodes
