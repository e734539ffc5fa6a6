"""What is printed and saved is what is executed: every row finds its leaf by text and by JSON."""

import csv
import json
import pickle
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from clearwood.estimators import C45Classifier, TreeClassifier
from clearwood.table import read_file
from clearwood.tree.structure import Tree
from golden.trees import NASTY_COLUMN, NASTY_LEVELS
from reference import json_tree, tree_text
from shared_data import SHARED, shared

MODELS = {"C4.5": C45Classifier(), "binary": TreeClassifier(nominal="subset", max_depth=8)}


def data_sets():
    """File and target of every shared table; one that will be skipped where there are none."""
    manifest = SHARED / "data" / "MANIFEST.csv"
    if not manifest.exists():
        return [("MANIFEST.csv", "")]
    with manifest.open(encoding="utf-8") as file:
        return [(line["file"], line["target_column"]) for line in csv.DictReader(file)]


def rows_of(tree, X):
    """The rows by name of the columns that `tree` tests; a missing value is None."""
    names = {tree.features[column].name for column in tree.column[~tree.is_leaf].tolist()}
    if not names:
        return [{}] * len(X)
    columns = {name: X[name].astype(object).where(X[name].notna(), None) for name in names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def assert_reads_back(tree, X, given=None):
    again = Tree.from_json(tree.to_json())
    assert again == tree
    given = X if given is None else given
    leaf = tree.apply(given)
    assert np.array_equal(again.apply(given), leaf)
    assert np.array_equal(again.predict_proba(given), tree.predict_proba(given))
    assert_same_leaves(tree, rows_of(tree, X), leaf)


def assert_same_leaves(tree, rows, leaf):
    """By text and by JSON each row has the largest share at the leaf that prediction names."""
    root = tree_text.parse_text(tree.to_text(max_nodes=None, digits=None))
    document, leaves = json.loads(tree.to_json()), [node.id for node in tree.leaves]
    distinct = {tuple(row.values()): (row, at) for row, at in zip(rows, leaf.tolist(), strict=True)}
    for row, at in distinct.values():
        by_json = json_tree.leaf_shares(document, row)
        by_text = {leaves[k]: share for k, share in tree_text.leaf_shares(root, row).items()}
        assert by_text == by_json
        assert by_json[at] >= max(by_json.values()) - 1e-12


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("file", "target"), data_sets(), ids=lambda value: value)
def test_every_row_of_every_data_set_finds_its_leaf(file, target, model):
    X, y, given = read_data(shared("data", *file.split("/")), target)
    assert_reads_back(MODELS[model].fit(given, y).tree_, X, given)


@lru_cache(maxsize=1)
def read_data(path, target):
    """Predictors, labels, and the predictors as they are given to the models.

    Thousands of columns are given as one array, which is much faster than a frame.
    """
    table = read_file(path)
    X, y = table.drop(columns=target), table[target].astype(str).to_numpy()
    if X.shape[1] < 1000:
        return X, y, X
    X.columns = [f"x{column}" for column in range(X.shape[1])]
    return X, y, X.to_numpy(np.float64)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("power", range(-6, 7))
def test_rows_at_and_beside_every_cut_find_their_leaf_at_every_scale(power, model):
    rng = np.random.default_rng(power + 6)
    x = rng.normal(size=(300, 2)) * 10.0**power
    y = (x[:, 0] > 0.3 * 10.0**power) ^ (rng.random(300) < 0.2)
    tree = MODELS[model].fit(pd.DataFrame(x, columns=["a", "b"]), y).tree_
    cuts = tree.threshold[~tree.is_leaf]
    near = np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)])
    grid = rng.choice(np.concatenate([near, x.ravel()]), (500, 2))
    assert_reads_back(tree, pd.DataFrame(grid, columns=["a", "b"]))


@pytest.mark.parametrize("model", MODELS)
def test_levels_with_awkward_names_find_their_leaf_and_na_is_a_level(model):
    rng = np.random.default_rng(7)
    code = rng.integers(0, len(NASTY_LEVELS), 600)
    X = pd.DataFrame(
        {"code": np.array(NASTY_LEVELS, object)[code], NASTY_COLUMN: rng.normal(size=600)}
    )
    X.loc[rng.random(600) < 0.1, "code"] = None
    y = np.where(code % 3 == 0, "a:b", np.where(X[NASTY_COLUMN] > 0.2, "", "?"))
    tree = MODELS[model].fit(X, y).tree_
    assert "NA" in tree.features[0].levels
    assert len(tree.features[0].levels) == len(NASTY_LEVELS)
    assert_reads_back(tree, X)


def test_a_tree_of_3000_leaves_in_a_chain_does_everything():
    x = np.arange(3000.0)
    tree = TreeClassifier().fit(x.reshape(-1, 1), x % 2 == 0).tree_
    assert tree.n_leaves == 3000
    assert str(tree).endswith("to_text(max_nodes=None) shows all)")
    assert tree.to_svg().startswith("<svg")
    assert Tree.from_json(tree.to_json()) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree.path([1500.0]).label == np.True_
    assert len(tree.rules()) == 3000
