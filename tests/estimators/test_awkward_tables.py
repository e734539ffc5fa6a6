"""Tables that are too small, too empty, too wide or too varied for others."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clearwood as cw
from clearwood.errors import TableError
from estimators.classifiers import CLASSIFIERS, NOMINAL, labels_of, mixed_frame, name_of, same_bits

EVERY_CLASSIFIER = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
EVERY_NOMINAL = pytest.mark.parametrize("nominal", NOMINAL)


@EVERY_CLASSIFIER
def test_one_row_is_a_leaf(classifier):
    model = classifier().fit([[3.0, 1.0]], ["ill"])
    assert model.get_n_leaves() == 1
    assert model.get_depth() == 0
    assert model.predict([[0.0, 0.0]]).tolist() == ["ill"]


@EVERY_CLASSIFIER
@EVERY_NOMINAL
def test_columns_that_say_nothing_are_never_tested(classifier, nominal):
    n = 12
    X = pd.DataFrame(
        {
            "constant": np.full(n, 7.0),
            "all missing": np.full(n, np.nan),
            "no levels": pd.Categorical([None] * n, categories=[]),
            "levels but no values": pd.Categorical([None] * n, categories=["a", "b"]),
            "one level": pd.Categorical(["a"] * n),
            "nothing but None": pd.Series([None] * n, dtype=object),
            "signal": np.arange(float(n)),
        }
    )
    y = np.arange(n) > 5
    model = classifier(nominal=nominal).fit(X, y)
    assert model.tree_.column.tolist() == [6, -1, -1]
    assert model.score(X, y) == 1.0
    useless = classifier(nominal=nominal).fit(X.drop(columns="signal"), y)
    assert useless.get_n_leaves() == 1
    assert useless.predict_proba(X.drop(columns="signal").head(1)).tolist() == [[0.5, 0.5]]


@EVERY_CLASSIFIER
def test_a_null_column_of_polars_is_never_tested(classifier):
    X = pl.DataFrame({"nothing": [None] * 6, "signal": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    model = classifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert model.tree_.column.tolist() == [1, -1, -1]
    assert model.predict(X).tolist() == [0, 0, 0, 1, 1, 1]


@EVERY_CLASSIFIER
def test_negative_zero_is_zero(classifier):
    X = np.array([-0.0, 0.0] * 6 + [1.0] * 6).reshape(-1, 1)
    y = np.array([0, 1] * 6 + [2] * 6)
    model = classifier(pruning=None).fit(X, y)
    assert model.get_n_leaves() == 2
    assert model.predict_proba([[-0.0], [0.0]]).tolist() == [[0.5, 0.5, 0.0]] * 2
    assert classifier().fit(X[:12], y[:12]).get_n_leaves() == 1


@EVERY_CLASSIFIER
def test_powers_from_1e_300_to_1e300_are_told_apart(classifier):
    powers = np.arange(-300, 301)
    X = np.concatenate([-(10.0**-powers), 10.0**powers]).reshape(-1, 1)
    y = np.arange(len(X)) // 150
    model = classifier(pruning=None).fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.isfinite(model.tree_.threshold[model.tree_.kind == 1]).all()


@EVERY_CLASSIFIER
def test_a_column_that_one_value_stretches_keeps_its_order(classifier):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 1))
    y = (X[:, 0] > 0.2).astype(int)
    X[17], y[17] = 1e300, 1
    model = classifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.get_n_leaves() == 2


@EVERY_CLASSIFIER
@EVERY_NOMINAL
def test_a_thousand_levels(classifier, nominal):
    level = np.arange(4000) % 1000
    X = pd.DataFrame({"code": pd.Categorical([f"i{k}" for k in level])})
    y = np.where(level < 300, "ill", "well")
    model = classifier(nominal=nominal, max_leaf_nodes=None, max_depth=3).fit(X, y)
    if nominal in ("branches", "grouped", "subset"):
        assert model.score(X, y) == 1.0
    assert model.score(X, y) >= 0.7
    assert model.tree_.depth <= 3


def identifiers(n):
    levels = [str(i) for i in range(n)]
    return pd.DataFrame({"id": pd.Categorical.from_codes(np.arange(n), levels)})


def test_a_node_has_as_many_branches_as_can_be_numbered():
    y = np.arange(65_535) % 2
    assert cw.TreeClassifier().fit(identifiers(65_535), y).score(identifiers(65_535), y) == 1.0


@pytest.mark.parametrize("nominal", ["branches", "grouped"])
def test_more_levels_than_branches_are_refused(nominal):
    with pytest.raises(TableError, match=r"column 'id' has 65536 levels.*identifier"):
        cw.C45Classifier(nominal=nominal).fit(identifiers(65_536), np.arange(65_536) % 2)


def test_any_number_of_levels_goes_into_two_subsets():
    y = np.arange(70_000) % 2
    assert cw.CARTClassifier().fit(identifiers(70_000), y).score(identifiers(70_000), y) == 1.0


@EVERY_CLASSIFIER
def test_three_hundred_classes(classifier):
    y = np.repeat(np.arange(300), 4)
    X = np.column_stack([y.astype(float), np.tile(np.arange(4.0), 300)])
    model = classifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.get_n_leaves() == 300
    assert model.predict_proba(X[:1]).shape == (1, 300)


def test_three_hundred_classes_in_levels():
    y = np.repeat(np.arange(300), 4)
    X = pd.DataFrame({"code": pd.Categorical([f"c{k // 10}" for k in y]), "x": y % 10})
    assert cw.TreeClassifier().fit(X, y).score(X, y) == 1.0
    assert cw.CARTClassifier().fit(X, y).score(X, y) == 1.0


@EVERY_CLASSIFIER
def test_more_columns_than_rows(classifier):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3000))
    y = (X[:, 1234] > 0).astype(int)
    X[:, 1234] = y * 10 + rng.random(20)
    model = classifier().fit(X, y)
    assert model.score(X, y) == 1.0


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "every second column of a wider array": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "every second row of a longer array": lambda X: np.repeat(X, 2, axis=0)[::2],
    "turned round twice": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda X: X.T.copy().T,
    "a field between others": lambda X: np.concatenate([X, X[:, :3]], axis=1)[:, : X.shape[1]],
    "float32": lambda X: X.astype(np.float32),
    "int64": lambda X: X.astype(np.int64),
    "int8": lambda X: X.astype(np.int8),
    "other byte order": lambda X: X.astype(">f8"),
    "a list of rows": lambda X: X.tolist(),
    "objects": lambda X: X.astype(object),
    "masked array": np.ma.masked_array,
    "matrix-like": lambda X: X.view(type("Sub", (np.ndarray,), {})),
    "pandas": pd.DataFrame,
}


@EVERY_CLASSIFIER
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_an_array_does_not_matter(classifier, layout):
    rng = np.random.default_rng(2)
    X = rng.integers(-50, 50, size=(120, 4)).astype(float)
    y = (X[:, 1] > 3) ^ (rng.random(120) < 0.1)
    other = LAYOUTS[layout](X)
    model = classifier().fit(X, y)
    assert same_bits(model.tree_, classifier().fit(other, y).tree_)
    if layout != "pandas":
        assert np.array_equal(model.predict_proba(other), model.predict_proba(X))


@EVERY_CLASSIFIER
def test_fit_and_predict_borrow_a_table_and_never_write_to_it(classifier):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 200)
    weights = rng.uniform(0.5, 2.0, 200)
    before = [array.tobytes() for array in (X, y, weights)]
    for array in (X, y, weights):
        array.flags.writeable = False
    model = classifier(n_jobs=2).fit(X, y, weights)
    model.predict_proba(X)
    model.cost_complexity_pruning_path(X, y, weights)
    assert [array.tobytes() for array in (X, y, weights)] == before


@EVERY_CLASSIFIER
def test_a_frame_is_not_changed_by_fit(classifier):
    rng = np.random.default_rng(2)
    frame = mixed_frame(rng)
    y = labels_of(frame, rng)
    before = frame.copy(deep=True)
    classifier().fit(frame, y).predict(frame)
    pd.testing.assert_frame_equal(frame, before)
