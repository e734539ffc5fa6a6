"""Every wrong parameter and every wrong table is refused, in words that name it, rule and value."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import clearwood as cw
from clearwood.errors import (
    ClearwoodError,
    ClearwoodWarning,
    ColumnNotFound,
    NotATableError,
    ParameterError,
    TableError,
)
from clearwood.pruning import CostComplexity, ErrorBased
from clearwood.table import Column
from estimators.classifiers import CLASSIFIERS, name_of

X = pd.DataFrame({"age": [30.0, 40.0, 50.0, 60.0], "sex": ["f", "m", "f", "m"]})
Y = ["ill", "ill", "well", "well"]
NUMBERS = np.arange(8.0).reshape(4, 2)

WRONG_PARAMETERS = [
    ({"criterion": "entropy"}, "criterion must be one of .*gini.* got 'entropy'"),
    ({"criterion": None}, "criterion must be one of .* got None"),
    ({"cut_at": "middle"}, "cut_at must be one of midpoint, observed, upper, got 'middle'"),
    ({"nominal": "one-hot"}, "nominal must be one of branches, .* got 'one-hot'"),
    ({"penalty": "yes"}, "penalty must be True or False, got 'yes'"),
    ({"penalty": None}, "penalty must be True or False, got None"),
    ({"pruning": "reduced"}, "pruning must be None, 'error_based', .* got 'reduced'"),
    ({"pruning": 0.25}, "pruning must be None, .* got 0.25"),
    ({"min_samples_leaf": 0}, "min_samples_leaf must be a number above 0, got 0"),
    ({"min_samples_leaf": -1.5}, "min_samples_leaf must be a number above 0, got -1.5"),
    ({"min_samples_leaf": np.nan}, "min_samples_leaf must be a number above 0, got nan"),
    ({"min_samples_leaf": np.inf}, "min_samples_leaf must be a number above 0, got inf"),
    ({"min_samples_leaf": "2"}, "min_samples_leaf must be a number above 0, got '2'"),
    ({"min_samples_leaf": True}, "min_samples_leaf must be a number above 0, got True"),
    ({"min_samples_split": 0}, "min_samples_split must be a number above 0, got 0"),
    ({"max_depth": 0}, "max_depth must be a whole number of at least 1, got 0"),
    ({"max_depth": 2.5}, "max_depth must be a whole number of at least 1, got 2.5"),
    ({"max_depth": True}, "max_depth must be a whole number of at least 1, got True"),
    ({"max_leaf_nodes": 1}, "max_leaf_nodes must be a whole number of at least 2, got 1"),
    ({"max_leaf_nodes": "8"}, "max_leaf_nodes must be a whole number of at least 2, got '8'"),
    ({"class_weight": "even"}, "class_weight must be None, 'balanced' or a mapping .* got 'even'"),
    ({"class_weight": 2.0}, "class_weight must be None, 'balanced' or a mapping .* got 2.0"),
    ({"class_weight": {"ill": -1}}, "class_weight\\['ill'\\] must be a finite number .* got -1"),
    ({"class_weight": {"ill": np.nan}}, "class_weight\\['ill'\\] must be a finite .* got nan"),
    ({"class_weight": {"ill": "2"}}, "class_weight\\['ill'\\] must be a finite number .* got '2'"),
    ({"class_weight": {"dead": 2}}, "class_weight names 'dead', which is not among the labels"),
    ({"class_weight": {"ill": 0, "well": 0}}, "class_weight must leave one class a weight"),
    ({"categorical_features": "sex"}, "categorical_features must be .* got 'sex'"),
    ({"categorical_features": [7]}, "categorical_features must hold positions from 0 to 1, got 7"),
    ({"categorical_features": [True]}, "one boolean per column: 2 columns, got 1"),
    ({"categorical_features": ["sx"]}, "no column 'sx'; did you mean 'sex'?"),
    ({"columns": {"agee": Column(cost=2)}}, "no column 'agee'; did you mean 'age'?"),
    ({"columns": {"age": 2.0}}, "columns\\['age'\\] must be a Column, got 2.0"),
    ({"columns": [Column()]}, "columns must be a mapping of column name to Column, or None, got"),
    ({"columns": {"age": Column(resolution=5)}}, "column 'age': resolution cannot be followed"),
    ({"columns": {"age": Column(direction="increasing")}}, "'age': direction cannot be followed"),
    ({"compatibility": "c50"}, "compatibility must be one of c45, got 'c50'"),
    ({"compatibility": "c45", "cut_at": "midpoint"}, "cut_at must be 'observed', got 'midpoint'"),
    (
        {"compatibility": "c45", "cut_at": "observed", "criterion": "gini"},
        "compatibility='c45' knows information gain and gain ratio",
    ),
    ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0, got 0"),
    ({"n_jobs": 1.5}, "n_jobs must be None or a whole number other than 0, got 1.5"),
    ({"n_jobs": "all"}, "n_jobs must be None or a whole number other than 0, got 'all'"),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
@pytest.mark.parametrize(("parameters", "message"), WRONG_PARAMETERS)
def test_a_wrong_parameter_is_refused_when_fitting(classifier, parameters, message):
    model = classifier(**parameters)  # stored as given
    with pytest.raises((ParameterError, ColumnNotFound), match=message) as caught:
        model.fit(X, Y)
    assert isinstance(caught.value, ClearwoodError)
    assert isinstance(caught.value, ValueError)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ErrorBased(confidence=0), "confidence must be above 0 and at most 1 .* got 0"),
        (lambda: ErrorBased(tails=3), "tails must be 1 or 2, got 3"),
        (lambda: ErrorBased(bound="wilson"), "bound must be .* got 'wilson'"),
        (lambda: CostComplexity(alpha=-1), "alpha must be a number of at least 0, got -1"),
        (lambda: CostComplexity(risk="cost"), "risk must be one of impurity, error, got 'cost'"),
        (lambda: Column(cost=0), "cost must be a positive finite number, got 0"),
    ],
)
def test_a_wrong_value_refuses_to_be_made(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_an_unknown_parameter_is_refused_by_its_name():
    with pytest.raises(TypeError, match="min_leaf"):
        cw.C45Classifier(min_leaf=2)
    with pytest.raises(TypeError, match="positional"):
        cw.TreeClassifier("gini")


def test_an_unknown_risk_of_the_path_is_refused():
    with pytest.raises(ParameterError, match="risk must be one of impurity, error, got 'gini'"):
        cw.CARTClassifier().cost_complexity_pruning_path(X, Y, risk="gini")


WRONG_TABLES = [
    (None, TableError, "X must be a table, got None|Expected 2D array"),
    (np.arange(4.0), TableError, "Expected 2D array, got 1D array instead"),
    (np.zeros((4, 2, 1)), TableError, "Expected 2D array, got 3D array instead"),
    (3.0, TableError, "Expected 2D array, got scalar"),
    ("patients.csv", TableError, "Expected 2D array, got scalar"),
    (np.zeros((0, 2)), TableError, "0 sample\\(s\\)"),
    (np.zeros((4, 0)), TableError, "0 feature\\(s\\)"),
    (NUMBERS + 1j, TableError, "Complex data not supported"),
    (sp.csr_matrix(NUMBERS), NotATableError, "sparse"),
    (pl.DataFrame({"a": [1, 2, 3, 4]}).lazy(), NotATableError, "X is lazy"),
    (np.array(["2020-01-01"] * 8, dtype="M8[D]").reshape(4, 2), NotATableError, "days since"),
    ([[1.0, 2.0], [1.0]], TableError, "the same number of columns, got lengths \\[1, 2\\]"),
    ({"a": [1, 2], "b": [1]}, TableError, "must have the same length, got \\[1, 2\\]"),
    (pd.DataFrame([[1, 2]] * 4, columns=["a", "a"]), TableError, "column names must differ.*'a'"),
    (X.assign(age=[1.0, "x", 2.0, 3.0]), TableError, "column 'age' mixes texts and numbers"),
    (X.assign(age=pd.Timestamp("2020-01-01")), TableError, "column 'age' has type datetime64"),
    (X.assign(age=[datetime.date(2020, 1, 1)] * 4), TableError, "column 'age' has type date"),
    (X.assign(age=[1.0, np.inf, 2.0, 3.0]), TableError, "column 'age' holds 1 infinite value"),
    (X.assign(age=[[1], [2], [3], [4]]), NotATableError, "column 'age' holds \\[1\\]"),
    (X.assign(age=1j), TableError, "Complex data not supported: column 'age'"),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
@pytest.mark.parametrize(("table", "error", "message"), WRONG_TABLES)
def test_a_wrong_table_is_refused(classifier, table, error, message):
    with pytest.raises(error, match=message) as caught:
        classifier().fit(table, Y)
    assert isinstance(caught.value, ValueError)


WRONG_LABELS = [
    (None, "requires y to be passed, but the target y is None"),
    (["ill", "ill", "well"], "inconsistent numbers of samples: X has 4 rows and y has 3"),
    ([], "y must hold at least one label|inconsistent"),
    (["ill", None, "well", "well"], "missing value in 1 row"),
    ([0.0, np.nan, 1.0, 1.0], "Input y contains NaN"),
    ([0.0, np.inf, 1.0, 1.0], "Input y contains infinity"),
    ([0.5, 1.5, 2.5, 0.1], "Unknown label type: continuous.*such as 0.5"),
    (["ill", 1, "well", 2], "Unknown label type: unknown.*got int, str"),
    ([[1, 0]] * 4, "y should be a 1d array, got an array of shape \\(4, 2\\)"),
    (np.ones(4, dtype=complex), "Complex data not supported: y"),
    (np.array(["2020-01-01"] * 4, dtype="M8[D]"), "Unknown label type.*datetime64"),
]


@pytest.mark.parametrize(("y", "message"), WRONG_LABELS)
def test_wrong_labels_are_refused(y, message):
    with pytest.raises(TableError, match=message):
        cw.C45Classifier().fit(X, y)


WRONG_WEIGHTS = [
    ([1, 1, 1], "one weight per row, shape \\(4,\\), got shape \\(3,\\)"),
    (np.ones((4, 1)), "one weight per row, shape \\(4,\\), got shape \\(4, 1\\)"),
    ([1, -1, 1, 1], "weights must be at least 0, got -1.0 in row 1"),
    ([1, np.nan, 1, 1], "must be finite.*the first in row 1"),
    ([1, 1, np.inf, 1], "must be finite.*the first in row 2"),
    ([0, 0, 0, 0], "every weight is zero"),
    (["a", "b", "c", "d"], "sample_weight must hold numbers"),
]


@pytest.mark.parametrize(("weights", "message"), WRONG_WEIGHTS)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(TableError, match=message):
        cw.C45Classifier().fit(X, Y, sample_weight=weights)


def test_weights_that_sum_to_one_are_noticed():
    with pytest.warns(ClearwoodWarning, match="weights of 4 rows sum to 1, but min_samples_leaf"):
        cw.C45Classifier().fit(X, Y, sample_weight=[0.25] * 4)


ASKED = ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"]


@pytest.mark.parametrize("method", ASKED)
def test_nothing_is_asked_of_a_classifier_that_is_not_fitted(method):
    with pytest.raises(NotFittedError, match="This C45Classifier instance is not fitted yet"):
        getattr(cw.C45Classifier(), method)(X)


@pytest.mark.parametrize("name", ["get_depth", "get_n_leaves"])
def test_nothing_is_read_off_a_classifier_that_is_not_fitted(name):
    with pytest.raises(NotFittedError):
        getattr(cw.C45Classifier(), name)()
    with pytest.raises(NotFittedError):
        _ = cw.C45Classifier().feature_importances_


@pytest.mark.parametrize("method", ASKED)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        (X.drop(columns="sex"), "Feature names seen at fit time, yet now missing:\n- sex"),
        (X[["sex", "age"]], "Feature names must be in the same order"),
        (X.rename(columns={"age": "Age"}), "Feature names unseen at fit time:\n- Age"),
        (X.assign(age=["a", "b", "a", "b"]), "column 'age' held numbers in training, but holds"),
        (None, "X must be a table, got None"),
        (X.head(0), "0 sample\\(s\\)"),
    ],
)
def test_a_table_that_is_not_that_of_training_is_refused(method, table, message):
    model = cw.TreeClassifier().fit(X, Y)
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(table)


@pytest.mark.parametrize("method", ASKED)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        (NUMBERS[:, :1], "X has 1 features, but TreeClassifier is expecting 2 features"),
        (NUMBERS[0], "Expected 2D array, got 1D array instead"),
        (NUMBERS[:0], "0 sample\\(s\\)"),
        (NUMBERS.astype(str), "column 'x0' held numbers in training, but holds levels"),
    ],
)
def test_an_array_that_is_not_that_of_training_is_refused(method, table, message):
    model = cw.TreeClassifier().fit(NUMBERS, Y)
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(table)


def test_a_failed_fit_leaves_the_earlier_one():
    model = cw.TreeClassifier().fit(NUMBERS, Y)
    tree = model.tree_
    with pytest.raises(TableError):
        model.fit(X, [None] * 4)
    assert model.tree_ is tree
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(NUMBERS).tolist() == Y
