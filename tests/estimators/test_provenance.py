"""A fitted tree remembers how it was grown, in words that a model file can hold."""

import json

import numpy as np

from clearwood.estimators import C45Classifier
from clearwood.pruning import ErrorBased
from clearwood.table import Column
from clearwood.tree.structure import Tree

X, Y = np.arange(20.0).reshape(-1, 1), np.arange(20) > 9


def test_a_tree_remembers_classifier_parameters_and_training():
    model = C45Classifier(pruning=ErrorBased(0.1), columns={"x0": Column(unit="mm")}, n_jobs=2)
    settings = model.fit(X, Y, sample_weight=np.full(20, 0.5)).tree_.settings
    assert settings["classifier"] == "C45Classifier"
    assert settings["parameters"]["penalty"] is True
    assert settings["parameters"]["min_samples_leaf"] == 2
    assert settings["parameters"]["pruning"].startswith("ErrorBased(confidence=0.1")
    assert "n_jobs" not in settings["parameters"]
    assert settings["training"] == {"n_rows": 20, "weight": 10.0}


def test_what_it_remembers_is_in_its_model_file():
    tree = C45Classifier(class_weight={False: np.float64(2)}, max_depth=np.int64(3)).fit(X, Y).tree_
    document = json.loads(tree.to_json())
    assert document["settings"]["classifier"] == "C45Classifier"
    assert document["training"]["n_rows"] == 20
    assert Tree.from_json(tree.to_json()).settings == tree.settings
