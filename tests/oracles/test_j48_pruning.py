"""From the trees that Weka's J48 grew, our pruning makes the trees that it pruned them to."""

import json

import numpy as np
import pytest

from clearwood.pruning.error_based import ErrorBased, error_based
from clearwood.table.column import Feature
from clearwood.table.table import Table
from clearwood.tree.by_hand import build, cut, leaf, levels
from oracles.c45_cases import read_schema, training_cases
from shared_data import SHARED, shared

OPTIONS = {
    "default": ErrorBased(bound="j48"),
    "S": ErrorBased(bound="j48", raising="none"),
    "C0.1": ErrorBased(bound="j48", confidence=0.1),
    "C0.01": ErrorBased(bound="j48", confidence=0.01),
}
GROWN = sorted((SHARED / "oracles" / "j48").glob("*__U.json"))
DATASETS = [path.name.removesuffix("__U.json") for path in GROWN]


def read_tree(dataset, option_set):
    path = shared("oracles", "j48") / f"{dataset}__{option_set}.json"
    if not path.exists():
        pytest.skip(f"J48 was not run on {dataset} with {option_set}")
    return json.loads(path.read_text())["tree"]


def level_of(outcome):
    return outcome.removeprefix("= ")


def sketch(node, n_classes):
    """The grown tree; its masses are of no account to the pruner."""
    if node["type"] == "leaf":
        return leaf(node["class_dist"] or [0.0] * n_classes)
    branches = [sketch(branch["node"], n_classes) for branch in node["branches"]]
    if node["type"] == "threshold":
        return cut(node["attribute"], node["threshold"], *branches)
    outcomes = [level_of(branch["outcome"]) for branch in node["branches"]]
    return levels(node["attribute"], dict(zip(outcomes, branches, strict=True)))


def shape_of_oracle(node):
    """Conditions and leaf classes in pre-order; an empty leaf has no class of its own in J48."""
    if node["type"] == "leaf":
        return [None if node["empty"] else node["class"]]
    condition = (node["attribute"], node.get("threshold"))
    inside = [shape_of_oracle(branch["node"]) for branch in node["branches"]]
    return [condition] + [entry for branch in inside for entry in branch]


def shape(tree):
    def of(node):
        if tree.is_leaf[node]:
            return tree.classes[tree.label[node]] if tree.masses[node].any() else None
        threshold = tree.threshold[node]
        name = tree.features[tree.column[node]].name
        return name, None if np.isnan(threshold) else float(threshold)

    return [of(node) for node in range(tree.n_nodes)]


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("option_set", OPTIONS)
def test_a_grown_tree_is_pruned_as_j48_does(dataset, option_set):
    folder = shared("oracles", "c45")
    schema, cases = read_schema(folder, dataset), training_cases(folder, dataset)
    expected, grown = read_tree(dataset, option_set), read_tree(dataset, "U")
    features = tuple(
        Feature(name, "nominal", tuple(values)) if values else Feature(name, "numeric")
        for name, values in zip(schema.columns, schema.levels, strict=True)
    )
    tree = build(sketch(grown, len(schema.classes)), features, schema.classes)
    table = Table(features, tuple(cases.columns), None, len(cases.classes))
    options = OPTIONS[option_set]
    pruned = error_based(tree, table, cases.classes, options=options, compatibility="j48")
    assert shape(pruned.tree) == shape_of_oracle(expected)
