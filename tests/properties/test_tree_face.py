"""Laws of everything that shows a tree: weights add up, and nothing outside is touched."""

import locale
import os
import random
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood
from clearwood.report import page, write_page
from clearwood.tree.structure import Tree
from golden.trees import TREES
from reference.random_trees import FEATURES, random_row, random_tree


@given(seed=st.integers(0, 2**32 - 1))
def test_the_path_of_a_row_adds_up_to_its_prediction(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=8)
    tree = random_tree(rng, values)
    row, _ = random_row(rng, values)
    path = tree.path(row)
    shares = [share for _, share in path.leaves]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    summed = sum(share * tree.distribution[leaf] for leaf, share in path.leaves)
    frame = {name: [value] for name, value in row.items()}
    assert path.probabilities == pytest.approx(summed, abs=1e-12)
    assert tree.predict_proba(frame)[0] == pytest.approx(summed, abs=1e-12)
    assert set(row) == {feature.name for feature in FEATURES}


def world():
    """Everything that a careless function could change for everyone else."""
    return {
        "printing": np.get_printoptions(),
        "float errors": np.geterr(),
        "warnings": list(warnings.filters),
        "recursion": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "locale": locale.setlocale(locale.LC_ALL),
        "random": random.getstate(),
        "numpy random": np.random.get_state()[1].tolist(),  # noqa: NPY002 - the global one is meant
    }


def shown(tree, folder):
    """All that can be made of a tree, as texts."""
    write_page(folder / "page.html", tree, title="t", overwrite=True)
    tree.save(folder / "model.json", overwrite=True)
    assert clearwood.load(folder / "model.json") == tree
    texts = [str(tree), tree.to_svg(), tree._repr_html_(), tree.to_json(), page(tree, title="t")]
    return [*texts, *map(str, tree.rules())]


@pytest.mark.parametrize("name", TREES)
def test_showing_a_tree_touches_nothing_global(name, tmp_path):
    tree, before = TREES[name](), world()
    shown(tree, tmp_path)
    assert world() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "page.html"]


@pytest.mark.parametrize("name", [name for name in TREES if name != "deep_chain"])
def test_a_tree_looks_the_same_whatever_numpy_prints_and_however_often(name, tmp_path):
    expected = shown(TREES[name](), tmp_path)
    with np.printoptions(precision=1, legacy="1.13", suppress=True), np.errstate(all="raise"):
        assert shown(Tree.from_json(TREES[name]().to_json()), tmp_path) == expected
