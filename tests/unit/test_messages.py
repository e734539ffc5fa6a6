"""What a user wrote by mistake is named as the user wrote it."""

import warnings

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, ParameterError, UnseenLevelWarning
from clearwood.pruning import error_based

X = pd.DataFrame({"x": np.arange(40.0)})
Y = np.repeat([0, 1], 20)


def test_noise_given_as_one_parameter_is_named_as_that():
    with pytest.raises(ParameterError, match=r"^noise\['x'\] is the bare number 5"):
        cw.SoftTreeClassifier(noise={"x": 5}).fit(X, Y)
    with pytest.raises(ParameterError, match=r"^search_noise\['x'\] is the bare number 5"):
        cw.SoftTreeClassifier(search_noise={"x": 5}).fit(X, Y)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: cw.C45Classifier(noise=0.1), r"^C45Classifier\(\) .*'noise'; give search_noise"),
        (lambda: cw.UDTClassifier(noise=0.1), r"^UDTClassifier\(\) .*'noise'; .* set by width"),
        (lambda: cw.CARTClassifier(max_dpth=3), "did you mean 'max_depth'"),
    ],
)
def test_an_unknown_parameter_is_named_with_its_class(make, words):
    with pytest.raises(TypeError, match=words):
        make()


@pytest.mark.parametrize("function", [cw.prune, cw.pruning_path])
def test_a_forgotten_method_is_said_without_the_rows(function):
    tree = cw.TreeClassifier().fit(X, Y)
    words = f"^{function.__name__} needs a method before X and y.* is a DataFrame$"
    with pytest.raises(ParameterError, match=words):
        function(tree, X, Y)


def test_error_based_says_what_it_takes():
    tree = cw.TreeClassifier().fit(X, Y).tree_
    with pytest.raises(ParameterError, match="needs a Table and class codes, got a DataFrame"):
        error_based(tree, X, Y)


def test_a_path_prints_as_a_table_with_its_chosen_step():
    path = cw.pruning_path(cw.TreeClassifier().fit(X, Y), "cost_complexity", X, Y)
    lines = str(path).splitlines()
    assert lines[0] == "PruningPath by cost_complexity: 2 steps"
    assert lines[1].split() == ["step", "alpha", "leaves", "training", "error", "error"]
    assert lines[2].split() == ["*0", "0", "2", "0.0000", "0.0000"]
    assert lines[-1] == "* chosen"


def test_numbers_where_training_had_texts_are_told_apart():
    tree = cw.TreeClassifier().fit(pd.DataFrame({"g": ["1", "2"] * 20}), [0, 1] * 20).tree_
    words = "training had texts such as '1', these are numbers"
    with pytest.warns(UnseenLevelWarning, match=words):
        tree.predict(pd.DataFrame({"g": [1, 2]}))


def table_of(value, n_rows):
    return {"id": np.arange(n_rows, dtype=np.int64) + value, "x": np.arange(float(n_rows))}


@pytest.mark.parametrize("n_rows", [4, 20000])
@pytest.mark.parametrize("frame", [dict, pd.DataFrame])
def test_whole_numbers_that_lose_digits_are_warned_of_by_column(n_rows, frame):
    from clearwood.table import read_table

    with pytest.warns(ClearwoodWarning, match="column 'id' holds whole numbers beyond"):
        read_table(frame(table_of(2**53 + 1, n_rows)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_table(frame(table_of(2**53 - n_rows, n_rows)))
