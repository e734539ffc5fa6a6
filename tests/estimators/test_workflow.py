"""The classifiers in the hands of scikit-learn, joblib, threads and impatient users."""

import copy
import pickle
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import clearwood as cw
from clearwood.pruning import CostComplexity, ErrorBased
from clearwood.table import Column
from estimators.classifiers import CLASSIFIERS, labels_of, mixed_frame, name_of, same_bits

EVERY_CLASSIFIER = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)


@pytest.fixture
def frame_and_labels():
    rng = np.random.default_rng(11)
    frame = mixed_frame(rng)
    return frame, labels_of(frame, rng)


@EVERY_CLASSIFIER
def test_grid_search_over_every_kind_of_parameter(classifier, frame_and_labels):
    X, y = frame_and_labels
    grid = {
        "max_depth": [2, 4],
        "pruning": [None, ErrorBased(confidence=0.1), CostComplexity(0.01)],
        "nominal": ["branches", "subset"],
    }
    search = GridSearchCV(classifier(), grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.6
    assert search.best_estimator_.tree_.depth <= 4
    assert len(search.cv_results_["params"]) == 12


def test_grid_search_in_processes():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(cw.C45Classifier(n_jobs=2), {"max_depth": [1, 3]}, cv=3, n_jobs=2)
    assert search.fit(X, y).best_params_ == {"max_depth": 3}


@EVERY_CLASSIFIER
def test_pipelines_pass_names_and_weights_on(classifier, frame_and_labels):
    X, y = frame_and_labels
    columns = ColumnTransformer(
        [("numbers", StandardScaler(), ["ef", "visits"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    model = make_pipeline(columns, classifier())
    name = classifier.__name__.lower()
    model.fit(X, y, **{f"{name}__sample_weight": np.ones(len(y))})
    assert model[-1].feature_names_in_.tolist() == ["ef", "visits", "ward", "stage"]
    assert [feature.kind for feature in model[-1].tree_.features] == [
        "numeric", "numeric", "nominal", "ordinal"
    ]  # fmt: skip
    alone = classifier().fit(X, y)
    assert model.predict(X).tolist() == alone.predict(X).tolist()


@EVERY_CLASSIFIER
def test_cross_validation_scores_and_probabilities(classifier):
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(classifier(), X, y, cv=5, scoring="roc_auc_ovr").mean() > 0.9
    proba = cross_val_predict(classifier(), X, y, cv=5, method="predict_proba")
    assert proba.sum(axis=1) == pytest.approx(np.ones(150))


def test_other_estimators_of_scikit_learn_take_a_tree():
    X, y = load_breast_cancer(return_X_y=True)
    tree = cw.C45Classifier(max_depth=4)
    bag = BaggingClassifier(tree, n_estimators=5, random_state=0).fit(X, y)
    assert bag.score(X, y) > 0.95
    assert CalibratedClassifierCV(tree, cv=3).fit(X, y).score(X, y) > 0.9
    importances = permutation_importance(tree.fit(X, y), X, y, n_repeats=2, random_state=0)
    assert importances.importances_mean.argmax() in np.flatnonzero(tree.feature_importances_)


@EVERY_CLASSIFIER
def test_a_clone_has_the_parameters_and_nothing_else(classifier, frame_and_labels):
    X, y = frame_and_labels
    parameters = {
        "pruning": ErrorBased(confidence=0.1),
        "columns": {"ef": Column(unit="%", cost=2)},
        "class_weight": {0: 2.0},
        "max_depth": 3,
    }
    model = classifier(**parameters).fit(X, y)
    copied = clone(model)
    assert not hasattr(copied, "tree_")
    assert copied.get_params() == model.get_params()
    assert {name: copied.get_params()[name] for name in parameters} == parameters
    assert same_bits(copied.fit(X, y).tree_, model.tree_)


@EVERY_CLASSIFIER
def test_a_saved_classifier_is_the_same_classifier(classifier, frame_and_labels, tmp_path):
    X, y = frame_and_labels
    model = classifier().fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    for other in (
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "model.joblib"),
        copy.deepcopy(model),
    ):
        assert other.tree_ == model.tree_
        assert other.predict_proba(X).tolist() == model.predict_proba(X).tolist()
        assert other.get_params() == model.get_params()
        assert other.feature_importances_.tolist() == model.feature_importances_.tolist()


def test_a_classifier_sent_to_another_process_predicts_the_same():
    X, y = load_iris(return_X_y=True)
    model = cw.C45Classifier().fit(X, y)
    parallel = joblib.Parallel(n_jobs=2)
    parts = parallel(joblib.delayed(model.predict_proba)(part) for part in np.array_split(X, 4))
    assert np.vstack(parts).tolist() == model.predict_proba(X).tolist()


def test_one_classifier_may_predict_in_many_threads_at_once():
    X, y = load_breast_cancer(return_X_y=True)
    model = cw.TreeClassifier().fit(X, y)
    expected = model.predict_proba(X).tolist()
    fresh = pickle.loads(pickle.dumps(model))  # its predictor is not made yet
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: fresh.predict_proba(X).tolist(), range(16)))
    assert all(answer == expected for answer in answers)


@EVERY_CLASSIFIER
@pytest.mark.parametrize("library", [pd.DataFrame, lambda X: pl.from_pandas(X)])
def test_names_are_those_of_the_frame(classifier, library, frame_and_labels):
    X, y = frame_and_labels
    model = classifier().fit(library(X), y)
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert model.n_features_in_ == 4
    assert model.feature_importances_.shape == (4,)


@EVERY_CLASSIFIER
def test_a_second_fit_forgets_the_first(classifier, frame_and_labels):
    X, y = frame_and_labels
    numbers = X[["ef", "visits"]].fillna(0).to_numpy()
    model = classifier().fit(X, y).fit(numbers, y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 2
    assert same_bits(model.tree_, classifier().fit(numbers, y).tree_)
    assert model.fit({"ef": numbers[:, 0]}, y).feature_names_in_.tolist() == ["ef"]


@EVERY_CLASSIFIER
def test_a_mapping_of_columns_is_found_by_name(classifier, frame_and_labels):
    X, y = frame_and_labels
    mapping = {name: X[name] for name in X}
    model = classifier().fit(mapping, y)
    assert model.feature_names_in_.tolist() == list(X)
    turned = dict(reversed(mapping.items()))
    assert model.predict_proba(turned).tolist() == model.predict_proba(X).tolist()


@EVERY_CLASSIFIER
def test_balanced_classes_weigh_the_same(classifier):
    X = np.arange(40.0).reshape(-1, 1)
    y = np.repeat([0, 1], [30, 10])
    model = classifier(class_weight="balanced").fit(X, y)
    assert model.tree_.masses[0] == pytest.approx([20.0, 20.0])
    by_row = np.where(y == 0, 20 / 30, 2.0)
    assert same_bits(model.tree_, classifier().fit(X, y, by_row).tree_)
    factors = {0: 20 / 30, 1: 2.0}
    assert same_bits(model.tree_, classifier(class_weight=factors).fit(X, y).tree_)


@EVERY_CLASSIFIER
def test_balanced_classes_count_weights_as_rows(classifier):
    X = np.arange(40.0).reshape(-1, 1)
    y = (np.arange(40) % 7 == 0).astype(int)
    weights = 1 + np.arange(40) % 3
    model = classifier(class_weight="balanced")
    weighted = model.fit(X, y, weights).tree_
    rows = np.repeat(np.arange(40), weights)
    assert weighted.masses[0] == pytest.approx(model.fit(X[rows], y[rows]).tree_.masses[0])


def test_log_probabilities_are_logarithms_of_probabilities():
    X, y = load_iris(return_X_y=True)
    model = cw.C45Classifier().fit(X, y)
    log_proba = model.predict_log_proba(X)
    assert np.exp(log_proba) == pytest.approx(model.predict_proba(X))
    assert (log_proba == -np.inf).any()


def test_importances_follow_the_scale_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    importances = cw.CARTClassifier(max_depth=2).fit(X, y).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert importances[2:].sum() == pytest.approx(1.0)  # petals alone


@pytest.mark.parametrize("n_jobs", [-1, -2, -1000, 5000, np.int64(2)])
def test_any_number_of_jobs_gives_the_tree_of_one(n_jobs):
    X, y = load_breast_cancer(return_X_y=True)
    one = cw.TreeClassifier().fit(X, y)
    assert same_bits(one.tree_, cw.TreeClassifier(n_jobs=n_jobs).fit(X, y).tree_)


INTERRUPTED = """
    import signal, threading, time
    import numpy as np
    import clearwood as cw

    rng = np.random.default_rng(0)
    X = rng.normal(size=(400_000, 30))
    y = rng.integers(0, 5, 400_000)
    model = cw.TreeClassifier({settings})
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    threading.Timer(0.4, interrupt).start()
    try:
        model.fit(X, y)
        print("finished")
    except KeyboardInterrupt:
        print("interrupted", hasattr(model, "tree_"), hasattr(model, "n_features_in_"))
        print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize("settings", ["", "n_jobs=2", "max_leaf_nodes=100_000"])
def test_ctrl_c_ends_a_long_fit_and_leaves_the_classifier_unfitted(settings):
    code = textwrap.dedent(INTERRUPTED).replace("{settings}", settings)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    outcome, seconds = done.stdout.splitlines()
    assert outcome == "interrupted False False"
    assert float(seconds) < 5.0  # a tenth of a second on an idle machine


def test_a_handler_of_another_signal_may_end_a_fit_too():
    class Enough(Exception):
        pass

    def handler(number, frame):
        raise Enough

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.15)
    rng = np.random.default_rng(0)
    try:
        with pytest.raises(Enough):
            cw.TreeClassifier().fit(rng.normal(size=(300_000, 30)), rng.integers(0, 5, 300_000))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_a_printed_classifier_names_what_differs_from_its_defaults():
    assert repr(cw.C45Classifier()) == "C45Classifier()"
    assert repr(cw.CARTClassifier(max_depth=3)) == "CARTClassifier(max_depth=3)"
