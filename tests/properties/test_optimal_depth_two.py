"""The optimal tree of depth two against all trees of depth two."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clearwood.pruning import optimal_depth_two
from clearwood.pruning.errors_below import subtree_errors
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.table.frames import read_table
from properties.small_tables import small_tables
from reference.depth_two import fewest_errors


@given(small=small_tables(), weighted=st.booleans())
def test_no_tree_of_depth_two_makes_fewer_errors(small, weighted):
    table = read_table(small.X[:14])  # trying all trees takes its time
    classes, codes = np.unique(small.y[:14], return_inverse=True)
    codes = codes.astype(np.int32)
    weights = small.rng.integers(0, 4, len(codes)) / 4 if weighted else np.ones(len(codes))
    weights[0] = 1.0
    tree = optimal_depth_two(table, classes, codes, weights)
    masses = node_masses(tree, PruningRows(table, codes, weights))
    assert tree.depth <= 2
    assert np.allclose(masses, tree.masses)
    errors = subtree_errors(tree, tree.masses)[0]
    assert abs(errors - fewest_errors(table, codes, weights, len(classes))) < 1e-9


@given(small=small_tables())
def test_threads_change_nothing(small):
    table = read_table(small.X)
    classes, codes = np.unique(small.y, return_inverse=True)
    trees = [optimal_depth_two(table, classes, codes.astype(np.int32), n_threads=n) for n in (1, 3)]
    assert trees[0] == trees[1]
