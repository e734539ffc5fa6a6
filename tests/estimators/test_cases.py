"""Small tables on which other tree learners fail; each test names its case."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import KFold, cross_val_score

import clearwood as cw
from clearwood.errors import TableError, UnseenLevelWarning
from clearwood.tree.wording import name_text
from estimators.classifiers import CLASSIFIERS, name_of, same_bits, same_shape
from reference import tree_text, tree_walk

NAN = float("nan")
EVERY_CLASSIFIER = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)


def shares_by_text(tree, rows):
    """Leaf shares (by node id) of each row (mapping, None where missing) by the printed tree."""
    root = tree_text.parse_text(tree.to_text(max_nodes=None, digits=None))
    ids = [leaf.id for leaf in tree.leaves]
    return [
        {ids[at]: share for at, share in tree_text.leaf_shares(root, row).items()} for row in rows
    ]


def shares_by_walk(tree, table):
    return [tree_walk.leaf_shares(tree, row) for row in table]


@EVERY_CLASSIFIER
@pytest.mark.parametrize("power", range(-6, 7))
def test_printed_tree_sends_every_row_to_the_leaf_that_training_did(classifier, power):
    """T1: numbers of any size, and every value that lies exactly on a cut or beside it."""
    rng = np.random.default_rng(power + 6)
    x = rng.normal(size=(300, 2)) * 10.0**power
    y = (x[:, 0] > 0.3 * 10.0**power) ^ (rng.random(300) < 0.1)
    tree = classifier().fit(x, y).tree_
    cuts = tree.threshold[tree.kind == 1]
    at_cuts = np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)])
    rows = np.vstack([x, np.column_stack([at_cuts, at_cuts])])
    by_text = shares_by_text(tree, ({"x0": a, "x1": b} for a, b in rows))
    assert by_text == [{leaf: 1.0} for leaf in tree.apply(rows)]
    assert np.bincount(tree.apply(x), minlength=tree.n_nodes)[tree.is_leaf].tolist() == (
        tree.n_rows[tree.is_leaf].tolist()
    )


@EVERY_CLASSIFIER
@pytest.mark.parametrize("cut_at", ["midpoint", "observed", "upper"])
def test_printed_tree_sends_rows_with_missing_values_as_training_did(classifier, cut_at):
    """T1: with missing values, levels and an ordered category, for each place of a cut."""
    rng = np.random.default_rng(5)
    n = 150
    codes = rng.integers(-1, 3, size=(n, 2))
    ef = np.where(rng.random(n) < 0.2, NAN, rng.normal(50, 10, n))
    frame = pd.DataFrame(
        {
            "ef": ef,
            "ward": pd.Categorical.from_codes(codes[:, 0], ["a, b", "NA", ""]),
            "stage": pd.Categorical.from_codes(codes[:, 1], ["I", "II", "III"], ordered=True),
        }
    )
    y = (np.nan_to_num(ef, nan=50) > 52) ^ (codes[:, 0] == 1)
    tree = classifier(cut_at=cut_at, pruning=None).fit(frame, y).tree_
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    table = np.column_stack([ef, codes[:, 0], np.where(codes[:, 1] < 0, NAN, codes[:, 1])])
    assert shares_by_text(tree, rows) == shares_by_walk(tree, table)


@EVERY_CLASSIFIER
@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0 + 1e-9), (1e8, 1e8 + 1), (5e-324, 1e-323)])
def test_values_next_to_each_other_are_told_apart(classifier, low, high):
    """T2: float64 all the way; the cut lies in [lower, upper)."""
    X = np.repeat([low, high], 5).reshape(-1, 1)
    y = np.repeat([0, 1], 5)
    model = classifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert low <= model.tree_.threshold[0] < high


def test_only_the_mode_of_the_original_takes_close_values_for_one():
    """T2: C4.5's single precision does not part 1 and 1 + 1e-9."""
    X = np.repeat([1.0, 1.0 + 1e-9], 5).reshape(-1, 1)
    assert cw.C45Classifier(compatibility="c45").fit(X, np.repeat([0, 1], 5)).get_n_leaves() == 1


@EVERY_CLASSIFIER
def test_children_hold_the_weight_of_their_parent_and_text_says_where_missing_go(classifier):
    """T4: two of six values are missing."""
    X = np.array([1.0, 2.0, NAN, NAN, 8.0, 9.0]).reshape(-1, 1)
    model = classifier(pruning=None, min_samples_leaf=1).fit(X, [0, 0, 0, 1, 1, 1])
    tree = model.tree_
    first, second = tree.children(0)
    assert tree.masses[first] + tree.masses[second] == pytest.approx(tree.masses[0], abs=1e-9)
    assert tree.masses[first] == pytest.approx([2.5, 0.5], abs=1e-9)
    text = tree.to_text()
    cut = 2 if model.cut_at == "observed" else 5
    assert f"x0 <= {cut} or missing (0.50)" in text
    assert f"x0 > {cut} or missing (0.50)" in text
    assert model.predict_proba([[NAN]])[0] == pytest.approx([0.5, 0.5], abs=1e-9)


@EVERY_CLASSIFIER
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_an_unseen_level_is_read_as_missing_with_a_warning(classifier, frame):
    """T6: level "Z" comes only when predicting."""
    X = frame({"ward": ["A", "B"] * 6, "age": [float(i) for i in range(12)]})
    model = classifier().fit(X, ["ill", "well"] * 6)
    assert model.tree_.features[model.tree_.column[0]].name == "ward"
    with pytest.warns(UnseenLevelWarning, match="column 'ward'.*'Z'.*missing in 1 row"):
        unseen = model.predict_proba(frame({"ward": ["Z", "A"], "age": [3.0, 3.0]}))
    missing = model.predict_proba(frame({"ward": [None, "A"], "age": [3.0, 3.0]}))
    assert unseen.tolist() == missing.tolist()
    assert unseen[1].tolist() == [1.0, 0.0]


LABELS = {
    "booleans": (np.array, [True, False], np.bool_),
    "a list of booleans": (list, [True, False], np.bool_),
    "whole numbers": (np.array, [5, 2], np.int64),
    "bytes": (lambda y: np.array(y, dtype=np.uint8), [5, 2], np.uint8),
    "floats": (np.array, [5.0, 2.0], np.float64),
    "a list of negative numbers": (list, [1, -1], np.int64),
    "a list of texts": (list, ["yes", "no"], np.str_),
    "a list of NumPy texts": (lambda y: [np.str_(label) for label in y], ["b", "a"], np.str_),
    "NumPy texts": (np.array, ["yes", "no"], np.str_),
    "texts as objects": (lambda y: np.array(y, dtype=object), ["yes", "no"], np.object_),
    "pandas str": (lambda y: pd.Series(y, dtype="str"), ["yes", "no"], np.object_),
    "pandas category": (lambda y: pd.Series(y, dtype="category"), ["yes", "no"], np.object_),
    "pandas Int64": (lambda y: pd.Series(y, dtype="Int64"), [5, 2], np.int64),
    "pandas boolean": (lambda y: pd.Series(y, dtype="boolean"), [True, False], np.bool_),
    "polars texts": (pl.Series, ["yes", "no"], np.str_),
    "polars booleans": (pl.Series, [True, False], np.bool_),
    "polars numbers": (pl.Series, [5, 2], np.int64),
}


@EVERY_CLASSIFIER
@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_each_kind_are_sorted_and_come_back_as_they_were(classifier, kind):
    """T8: booleans, numbers and texts of any library."""
    make, (later, earlier), dtype = LABELS[kind]
    X = np.repeat([0.0, 1.0], 4).reshape(-1, 1)
    model = classifier().fit(X, make([later] * 4 + [earlier] * 4))
    assert model.classes_.tolist() == [earlier, later]
    assert np.issubdtype(model.classes_.dtype, dtype)
    predicted = model.predict([[0.0], [1.0]])
    assert predicted.tolist() == [later, earlier]
    assert predicted.dtype == model.classes_.dtype
    assert model.predict_proba([[0.0]]).tolist() == [[0.0, 1.0]]
    assert f"=> {name_text(str(later))}" in str(model.tree_)


@EVERY_CLASSIFIER
def test_one_class_makes_a_single_leaf_that_is_certain(classifier):
    """T9: one class in y."""
    model = classifier().fit(np.arange(8.0).reshape(-1, 1), ["ill"] * 8)
    assert model.get_n_leaves() == 1
    assert model.predict_proba([[3.0], [NAN]]).tolist() == [[1.0], [1.0]]
    assert model.predict([[3.0]]).tolist() == ["ill"]
    assert model.feature_importances_.tolist() == [0.0]
    assert model.cost_complexity_pruning_path([[1.0], [2.0]], [0, 0]).ccp_alphas.tolist() == [0.0]
    assert "=> ill" in str(model.tree_)


@EVERY_CLASSIFIER
def test_a_fold_of_one_class_is_scored_like_any_other(classifier):
    """T9: one class in a fold of the training rows."""
    X = np.arange(12.0).reshape(-1, 1)
    y = np.repeat([0, 1], 6)
    scores = cross_val_score(classifier(), X, y, cv=KFold(2), error_score="raise")
    assert scores.tolist() == [0.0, 0.0]


def in_libraries():
    age = [30.5, None, 61.0, 44.0, 52.0, 58.0, 47.0, None, 66.0, 39.0]
    visits = [3, 1, None, 2, 4, 1, 0, 2, 5, None]
    sex = ["f", "m", None, "f", "m", "m", "f", "NA", "m", "f"]
    plain = pd.DataFrame(
        {
            "age": np.array(age, dtype=float),
            "visits": np.array(visits, dtype=float),
            "sex": np.array(sex, dtype=object),
        }
    )
    return {
        "float and object": plain,
        "pandas str": plain.astype({"sex": "str"}),
        "convert_dtypes": plain.convert_dtypes(),
        "pyarrow-backed": plain.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.DataFrame({"age": age, "visits": visits, "sex": sex}),
        "arrow": pl.DataFrame({"age": age, "visits": visits, "sex": sex}).to_arrow(),
        "mapping": {"age": age, "visits": visits, "sex": sex},
    }


@EVERY_CLASSIFIER
@pytest.mark.parametrize("library", in_libraries())
def test_every_library_gives_the_tree_of_floats_and_objects(classifier, library):
    """T12: nullable, str, pyarrow-backed and polars frames; labels Int64."""
    frames = in_libraries()
    y = [1, 0, 0, 1, 0, 0, 1, 0, 0, 1]
    settings = {"min_samples_leaf": 1, "pruning": None}
    expected = classifier(**settings).fit(frames["float and object"], np.array(y))
    model = classifier(**settings).fit(frames[library], pd.Series(y, dtype="Int64"))
    assert model.tree_ == expected.tree_
    assert expected.get_n_leaves() > 2
    proba = model.predict_proba(frames[library])
    assert proba.tolist() == expected.predict_proba(frames["float and object"]).tolist()


@EVERY_CLASSIFIER
def test_a_tree_of_3000_alternating_labels_fits_prints_pickles_and_explains(classifier):
    """T13: nothing recurses."""
    X = np.arange(3000.0).reshape(-1, 1)
    y = np.arange(3000) % 2
    model = classifier(pruning=None).fit(X, y)
    tree = model.tree_
    assert pickle.loads(pickle.dumps(model)).tree_ == tree
    assert len(tree.path([1500.0]).steps) == len(tree.path({"x0": 1500.0}).steps)
    assert len(tree.rules()) == tree.n_leaves
    if classifier in (cw.ID3Classifier, cw.CARTClassifier, cw.TreeClassifier):
        assert model.score(X, y) == 1.0
        assert "nodes are not shown" in tree.to_text()
    assert len(tree.to_text(max_nodes=None).splitlines()) >= tree.n_nodes


def test_a_chain_as_deep_as_the_table_fits_and_predicts():
    """T13: each cut takes one row off."""
    n = 3000
    X = np.arange(float(n)).reshape(-1, 1)
    y = np.arange(n)  # every row a class of its own: Gini peels or halves, either must work
    model = cw.CARTClassifier().fit(X[:400], y[:400])
    assert model.score(X[:400], y[:400]) == 1.0


@EVERY_CLASSIFIER
def test_one_huge_value_is_a_value(classifier):
    """T15: 1e300 is accepted."""
    X = np.append(np.arange(9.0), 1e300).reshape(-1, 1)
    y = np.append(np.arange(9) > 4, True)
    model = classifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert 4.0 <= model.tree_.threshold[0] < 5.0


@EVERY_CLASSIFIER
@pytest.mark.parametrize("wrong", [np.inf, -np.inf])
def test_an_infinite_value_is_refused_in_fit_and_predict(classifier, wrong):
    """T15: the message names the column."""
    frame = pd.DataFrame({"age": np.arange(6.0), "ef": [1.0, 2.0, 3.0, 4.0, 5.0, wrong]})
    y = [0, 0, 0, 1, 1, 1]
    with pytest.raises(TableError, match="infinity: column 'ef' holds 1 infinite"):
        classifier().fit(frame, y)
    model = classifier().fit(frame.replace(wrong, 6.0), y)
    with pytest.raises(TableError, match="infinity: column 'ef' holds 1 infinite"):
        model.predict(frame)
    model = classifier().fit(np.arange(12.0).reshape(6, 2), y)
    for ask in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(TableError, match="infinity: column 'x1' holds 1 infinite"):
            ask(np.array([[1.0, wrong], [1.0, 2.0]]))


@EVERY_CLASSIFIER
def test_an_ordered_column_is_cut_in_its_order_and_text_names_what_is_possible(classifier):
    """T19: 2 < 5 < 10 < 25 < 50 < 100."""
    doses = ["2", "5", "10", "25", "50", "100"]
    X = pd.DataFrame({"dose": pd.Categorical(doses * 4, doses, ordered=True)})
    y = ["low", "low", "middle", "middle", "high", "high"] * 4
    tree = classifier().fit(X, y).tree_
    words = {line.split(" or missing")[0].strip("| ") for line in str(tree).splitlines()[2:]}
    low_first = {'dose in {"2", "5"}', 'dose in {"10", "25"}', 'dose in {"50", "100"}'}
    assert low_first <= words
    assert words - low_first in (
        {'dose in {"10", "25", "50", "100"}'},
        {'dose in {"2", "5", "10", "25"}'},
    )


def test_bits_and_shape_agree_on_a_tree_and_itself():
    X, y = np.arange(20.0).reshape(-1, 1), np.arange(20) // 7
    tree, other = (cw.TreeClassifier(max_depth=d).fit(X, y).tree_ for d in (None, 1))
    assert same_bits(tree, tree)
    assert same_shape(tree, tree)
    assert not same_bits(tree, other)
    assert not same_shape(tree, other)
