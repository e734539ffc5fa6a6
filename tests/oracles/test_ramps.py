"""Probabilistic thresholds of C4.5 release 8: its bounds, and the class weights it consults."""

import json

import numpy as np
import pytest

from clearwood.growing import fit_ramps
from clearwood.table.core_table import core_table
from clearwood.tree.predict import core_evaluation
from oracles.c45_cases import first_difference, read_oracle, training_cases
from oracles.c45_ours import as_node, as_table, grow_c45
from shared_data import SHARED, shared

FOLDER = SHARED / "oracles" / "c45"
DATASETS = sorted(path.name.removesuffix("__p.json") for path in FOLDER.glob("*__p.json"))
CONSULTED = sorted(
    path.name.removesuffix("__consult_soft.json") for path in FOLDER.glob("*__consult_soft.json")
)


def content_of(name):
    return json.loads((shared("oracles", "c45") / name).read_text())


def ramped(dataset):
    """Our pruned tree with its ramps, and the table it came from; None where the tree differs."""
    folder = shared("oracles", "c45")
    oracle, cases = read_oracle(folder, dataset, "p"), training_cases(folder, dataset)
    _, tree, _ = grow_c45(cases, oracle.options)
    ours = as_node(tree, oracle.options.confidence)
    if first_difference(oracle.pruned, ours, oracle.schema) is not None:
        assert not oracle.pruned_is_robust
        return None, None
    table = as_table(cases, oracle.options)
    ramps = fit_ramps(tree, table, cases.classes, compatibility="c45")
    return tree.with_evaluation(ramps), table


def cuts_of(tree, content, node=0):
    """(node, content of the oracle) of each cut."""
    if content["type"] == "threshold":
        yield node, content
    branches = content.get("branches", ())
    for child, branch in zip(tree.children(node).tolist(), branches, strict=True):
        yield from cuts_of(tree, branch["node"], child)


@pytest.mark.parametrize("dataset", DATASETS or ["no data set"])
def test_bounds_of_every_threshold_are_those_of_the_original(dataset):
    tree, _ = ramped(dataset)
    if tree is None:
        pytest.skip("the original's own tree depends on its floating-point mode, and ours differs")
    for node, content in cuts_of(tree, content_of(f"{dataset}__p.json")["tree"]):
        limits = tree.evaluation.lower[node], tree.evaluation.upper[node]
        expected = np.float32(content["lower"]), np.float32(content["upper"])
        assert tuple(map(np.float32, limits)) == expected, f"node {node}"


@pytest.mark.parametrize("dataset", CONSULTED or ["no data set"])
def test_class_weights_are_those_of_the_interactive_interpreter(dataset):
    tree, table = ramped(dataset)
    evaluation = core_evaluation(tree, table)
    weights = tree.predictor.predict_proba(core_table(table), evaluation=evaluation)
    cases = content_of(f"{dataset}__consult_soft.json")["cases"]
    found = weights[[case["row"] for case in cases]]
    model = np.array([case["class_weights_model"] for case in cases])
    printed = np.array([case["class_weights_2dp"] for case in cases])
    assert abs(found - printed).max() <= 0.005 + 1e-5
    assert found == pytest.approx(model, abs=1e-4)
