"""The classifier of depth two."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import clearwood as cw
from clearwood.errors import TableError
from estimators.classifiers import labels_of, mixed_frame

EXPECTED_FAILED_CHECKS = {
    "check_class_weight_classifiers": (
        "the fewest errors, however heavy one class, leave pure pockets of the others to them"
    )
}


@parametrize_with_checks(
    [cw.DepthTwoClassifier()], expected_failed_checks=lambda _: EXPECTED_FAILED_CHECKS
)
def test_scikit_learn_accepts_the_classifier(estimator, check):
    check(estimator)


def test_it_solves_what_no_greedy_tree_of_depth_two_can():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 12)).astype(float)
    y = np.logical_xor(X[:, 3], X[:, 8]).astype(int)
    model = cw.DepthTwoClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert set(model.tree_.column.tolist()) == {3, 8, -1}
    assert cw.TreeClassifier(max_depth=2).fit(X, y).score(X, y) < 0.8


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_it_makes_no_more_training_errors_than_a_grown_tree_of_that_depth(n_jobs):
    rng = np.random.default_rng(1)
    frame = mixed_frame(rng, missing=0.0)
    y = labels_of(frame, rng)
    grown = cw.TreeClassifier(max_depth=2).fit(frame, y)
    model = cw.DepthTwoClassifier(n_jobs=n_jobs).fit(frame, y)
    assert model.get_depth() <= 2
    assert model.score(frame, y) >= grown.score(frame, y)


def test_weights_count_and_the_tree_remembers_its_classifier():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]})
    model = cw.DepthTwoClassifier().fit(frame, [0, 1, 0, 1], sample_weight=[1, 0, 1, 5])
    assert model.tree_.masses[0].tolist() == [2, 5]
    assert model.tree_.n_rows[0] == 3
    assert model.tree_.settings["classifier"] == "DepthTwoClassifier"
    assert clone(model).get_params() == model.get_params()


def test_its_tree_is_saved_loaded_and_printed_like_any_other(tmp_path):
    rng = np.random.default_rng(2)
    frame = mixed_frame(rng)
    y = labels_of(frame, rng)
    model = cw.DepthTwoClassifier().fit(frame, y)
    model.tree_.save(tmp_path / "model.json")
    loaded = cw.load(tmp_path / "model.json")
    assert (loaded.predict(frame) == model.predict(frame)).all()
    assert str(loaded) == str(model.tree_)


def test_labels_that_do_not_fit_the_table_are_refused():
    with pytest.raises(TableError, match="inconsistent numbers of samples"):
        cw.DepthTwoClassifier().fit([[0.0], [1.0]], [0, 1, 1])
