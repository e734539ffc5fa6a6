"""A model file holds how rows are sent down: noise and ramps, exactly, its self-test by them."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ModelFileError, ParameterError
from clearwood.noise import Distribution, Interval, LogNormal, Normal, PerRow, typical
from clearwood.table.column import Feature
from clearwood.tree import json_text
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.evaluation import Ramps, Soft
from clearwood.tree.structure import Tree
from reference.random_trees import FEATURES, random_tree
from shared_data import ROOT

NAN = np.nan
SCHEMA = json.loads((ROOT / "src/clearwood/tree/json_schema.json").read_text())
TWO = [Feature("sbp", "numeric", unit="mmHg"), Feature("hb", "numeric")]
SOFT = Soft((Normal(sd=5.75, unit="mmHg", source="repeats"), None), "joint", 0.0)
RAMPS = Ramps([30, NAN, 90, NAN, NAN], [41.37, NAN, 110.1, NAN, NAN], "c45")


def tree_of(evaluation=None, **others):
    inner = cut("hb", 100, leaf([3, 0]), leaf([4, 7]))
    tree = build(cut("sbp", 35.37, leaf([0, 1]), inner), TWO, ["no", "yes"])
    return Tree(**tree.arrays(), features=tree.features, classes=tree.classes,
                evaluation=evaluation, **others)  # fmt: skip


def again(tree):
    text = tree.to_json()
    jsonschema.validate(json.loads(text), SCHEMA)
    return Tree.from_json(text)


def changed(tree, change):
    document = json.loads(tree.to_json())
    change(document)
    del document["sha256"]
    return json.dumps(document | {"sha256": json_text.digest(document)})


@pytest.mark.parametrize("evaluation", [SOFT, RAMPS, Ramps([NAN] * 5, [NAN] * 5)])
def test_a_tree_reads_back_with_its_evaluation(evaluation):
    tree = again(tree_of(evaluation))
    assert tree == tree_of(evaluation)
    assert tree.evaluation == evaluation
    rows = pd.DataFrame({"sbp": [33.0, 36.0, 60.0], "hb": [99.0, 104.0, NAN]})
    assert (tree.predict_proba(rows) == tree_of(evaluation).predict_proba(rows)).all()


@pytest.mark.parametrize("model", typical()[1:], ids=lambda model: model.kind)
def test_every_noise_model_reads_back(model):
    tree = tree_of(Soft((model, model)))
    assert again(tree).evaluation == tree.evaluation


@pytest.mark.parametrize("model", [PerRow(Normal(6.3), "cuff_sd"), Interval("half", unit="mmHg")])
def test_noise_that_a_column_beside_the_tree_sizes_reads_back(model):
    assert again(tree_of(Soft((model, None)))).evaluation.noise[0] == model


@given(seed=st.integers(0, 2**32 - 1))
def test_a_random_tree_with_an_evaluation_reads_back_as_itself(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, rng.normal(size=8))
    if rng.random() < 0.5:
        cuts = ~np.isnan(tree.threshold) & (rng.random(tree.n_nodes) < 0.8)
        lower, upper = (
            np.where(cuts, tree.threshold + side * rng.random(tree.n_nodes), NAN)
            for side in (-1, 1)
        )
        evaluation = Ramps(lower, upper, rng.choice([None, "c45"]))
    else:
        noise = [Normal(rng.random() + 0.1) if f.kind == "numeric" else None for f in FEATURES]
        evaluation = Soft(tuple(noise), rng.choice(["joint", "independent"]).item(), 1e-6)
    tree = tree.with_evaluation(evaluation)
    assert again(tree) == tree


def test_self_test_gives_what_the_evaluation_gives():
    for entry in json.loads(tree_of(SOFT).to_json())["self_test"]:
        expected = tree_of(SOFT).predict_proba(pd.DataFrame([entry["row"]], columns=["sbp", "hb"]))
        np.testing.assert_allclose(entry["probabilities"], expected[0], atol=1e-12)


def test_a_changed_standard_deviation_fails_the_self_test():
    text = changed(tree_of(SOFT), lambda d: d["noise"]["sbp"]["parameters"].update(sd=5.8))
    with pytest.raises(ModelFileError, match=r"self_test.* fails"):
        Tree.from_json(text)


def test_a_changed_ramp_fails_the_self_test():
    text = changed(tree_of(RAMPS), lambda d: d["ramps"][1].update(upper=111.0, lower=91.0))
    with pytest.raises(ModelFileError, match=r"self_test.* fails"):
        Tree.from_json(text)


def test_self_test_leaves_out_rows_that_the_noise_cannot_have():
    features = [Feature("x", "numeric")]
    tree = build(cut("x", 0, leaf([1, 0]), leaf([0, 1])), features, ["no", "yes"])
    rows = json.loads(tree.with_evaluation(Soft((LogNormal(0.1),))).to_json())["self_test"]
    assert [entry["row"] for entry in rows] == [{}, {"x": np.nextafter(0.0, 1)}]


def test_noise_remembered_among_settings_stays_beside_that_of_the_evaluation():
    remembered = {"sbp": {"model": "normal", "parameters": {"sd": 2.0}}}
    tree = tree_of(SOFT, settings={"noise": remembered, "training": {"n_rows": 15}})
    assert again(tree).settings == tree.settings
    hard = tree_of(None, settings={"noise": remembered})
    assert again(hard).settings == hard.settings


def test_a_distribution_made_by_hand_is_refused_by_the_name_of_its_column():
    from scipy import stats

    by_hand = Distribution(stats.rv_histogram(np.histogram([1.0, 2.0, 2.5, 4.0]))())
    with pytest.raises(ParameterError, match="noise of column 'sbp'"):
        tree_of(Soft((by_hand, None))).to_json()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["noise"].update(bmi=d["noise"]["sbp"]), "noise names 'bmi'"),
        (lambda d: d["noise"]["sbp"].update(model="guess"), "noise.sbp: kind must be one of"),
        (lambda d: d["noise"]["sbp"]["parameters"].update(sd=-1), "noise.sbp: sd must be"),
        (lambda d: d["noise"]["sbp"]["parameters"].update(cv=1), "noise.sbp: a noise model of"),
        (lambda d: d.pop("gates"), "needs the member 'gates'"),
        (lambda d: d["gates"].pop("eta"), "gates must have a member 'eta'"),
        (lambda d: d["gates"].update(eta=0.5), "gates: eta must be at least 0 and below 0.5"),
        (lambda d: d["gates"].update(coupling="both"), "gates.coupling must be"),
    ],
)
def test_noise_that_cannot_be_read_is_named(change, words):
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(changed(tree_of(SOFT), change))


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([{"node": 5, "lower": 1, "upper": 2}], r"ramps\[0\].node must be less than 5, got 5"),
        ([{"node": 1, "lower": 1, "upper": 2}], "node 1: a ramp needs a cut"),
        ([{"node": 0, "lower": 3, "upper": 2}], "node 0: a ramp needs a cut and lower <= upper"),
        ([{"node": 0, "lower": 1, "upper": 2}] * 2, r"ramps\[1\].node is 0, which stands"),
    ],
)
def test_ramps_that_fit_no_cut_are_named(entries, words):
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(changed(tree_of(RAMPS), lambda d: d.update(ramps=entries)))


@pytest.mark.parametrize(
    "model",
    [
        cw.SoftTreeClassifier(noise=0.1, evaluation_noise=0.1, gate_coupling="joint"),
        cw.UDTClassifier(points=20),
        cw.TreeClassifier(evaluation="ramps", max_depth=4),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_fitted_classifier_is_saved_and_loaded_whole(model, tmp_path):
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True, as_frame=True)
    tree = model.fit(X, y).tree_
    tree.save(tmp_path / "model.json")
    loaded = cw.load(tmp_path / "model.json")
    assert loaded == tree
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()
