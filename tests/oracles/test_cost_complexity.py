"""Cost-complexity sequences against scikit-learn (impurity) and against numbers of their own
origin (errors) on trees of C4.5."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.pruning import CostComplexity
from clearwood.pruning.cost_complexity import cost_complexity_path
from clearwood.table.column import Feature
from clearwood.tree import by_hand
from oracles.c45_cases import Schema, oracle_node, read_schema
from reference.c45 import Node
from shared_data import shared

DATASETS = {
    "iris": load_iris,
    "breast cancer": load_breast_cancer,
    "wine": load_wine,
    "digits": load_digits,
}


def peer_path(model, X, y, sample_weight=None):
    """scikit-learn's sequence with steps of one alpha, which it lists one by one, joined."""
    path = model.cost_complexity_pruning_path(X, y, sample_weight=sample_weight)
    last = np.append(np.diff(path.ccp_alphas) > 1e-12, True)
    return path.ccp_alphas[last], path.impurities[last]


def peer_tree(model, n_features):
    """The tree that scikit-learn grew, as ours."""
    arrays = model.tree_
    counts = arrays.value[:, 0, :] * arrays.weighted_n_node_samples[:, None]

    def sketch(node):
        left, right = arrays.children_left[node], arrays.children_right[node]
        if left < 0:
            return by_hand.leaf(counts[node])
        name = f"x{arrays.feature[node]}"
        return by_hand.cut(name, float(arrays.threshold[node]), sketch(left), sketch(right))

    features = [Feature(f"x{j}", "numeric") for j in range(n_features)]
    return by_hand.build(sketch(0), features, model.classes_)


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_path_of_one_and_the_same_tree_is_that_of_scikit_learn(dataset, criterion):
    X, y = DATASETS[dataset](return_X_y=True)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    alphas, impurities = peer_path(model, X, y)
    ours = cost_complexity_path(peer_tree(model, X.shape[1]), "impurity", criterion)
    assert ours.alphas == pytest.approx(alphas, abs=1e-9)
    assert ours.risks == pytest.approx(impurities, abs=1e-9)


@pytest.mark.parametrize("dataset", DATASETS)
def test_path_of_the_classifier_begins_and_ends_as_that_of_scikit_learn(dataset):
    X, y = DATASETS[dataset](return_X_y=True)
    alphas, impurities = peer_path(DecisionTreeClassifier(random_state=0), X, y)
    ours = cw.CARTClassifier().cost_complexity_pruning_path(X, y)
    # Deep nodes hold many splits of equal gain, of which each program takes its own; the large
    # steps, where the tree is small, are the same.
    large = 6
    assert ours.ccp_alphas[-large:] == pytest.approx(alphas[-large:], abs=1e-9)
    assert ours.impurities[-large:] == pytest.approx(impurities[-large:], abs=1e-9)
    assert ours.ccp_alphas[0] == 0.0
    assert ours.impurities[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("step", range(2, 7))
def test_pruned_classifier_has_as_many_leaves_as_that_of_scikit_learn(dataset, step):
    X, y = DATASETS[dataset](return_X_y=True)
    alphas, _ = peer_path(DecisionTreeClassifier(random_state=0), X, y)
    assert len(alphas) > step, "too short a sequence to compare"
    alpha = float(alphas[-step] + alphas[-step + 1]) / 2  # between two steps, where trees are small
    peer = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y)
    ours = cw.CARTClassifier(pruning=CostComplexity(alpha)).fit(X, y)
    assert ours.get_n_leaves() == peer.get_n_leaves()
    assert ours.score(X, y) == pytest.approx(peer.score(X, y))


def our_tree(node: Node, schema: Schema):
    """A tree of the original, as ours."""

    def sketch(node: Node):
        if node.is_leaf:
            counts = node.counts if node.weight > 0 else np.zeros(len(schema.classes))
            return by_hand.leaf(counts)
        name = schema.columns[node.column]
        branches = [sketch(branch) for branch in node.branches]
        if node.threshold is not None:
            return by_hand.cut(name, node.threshold, *branches)
        names = [tuple(schema.levels[node.column][level] for level in g) for g in node.groups]
        return by_hand.levels(name, dict(zip(names, branches, strict=True)))

    features = [
        Feature(name, "nominal" if levels else "numeric", tuple(levels))
        for name, levels in zip(schema.columns, schema.levels, strict=True)
    ]
    return by_hand.build(sketch(node), features, schema.classes)


def error_cases():
    folder = shared("oracles")
    for path in sorted((folder / "pruning").glob("*__*.json")):
        content = json.loads(path.read_text())
        if "cost_complexity_sequence" in content:
            grown = json.loads((folder / "c45" / content["tree_from"]).read_text())
            yield path.stem, content, grown["tree_unpruned"]


def test_error_sequence_is_the_independent_one_on_trees_of_c45():
    n_cases = 0
    for name, expected, grown in error_cases():
        schema = read_schema(shared("oracles", "c45"), expected["dataset"])
        path = cost_complexity_path(our_tree(oracle_node(grown, schema), schema), "error")
        steps = expected["cost_complexity_sequence"]
        assert path.n_leaves.tolist() == [step["leaves"] for step in steps], name
        assert path.alphas == pytest.approx([step["alpha"] for step in steps], abs=1e-9), name
        errors = [step["errors"] for step in steps]
        assert path.risks * expected["n_cases"] == pytest.approx(errors, abs=1e-6), name
        n_cases += 1
    assert n_cases > 40
