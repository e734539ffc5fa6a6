"""A tree that carries noise or ramps predicts by them, explains itself by them and keeps them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from clearwood.errors import ColumnNotFound, InvalidTreeError, ParameterError, TableError
from clearwood.growing import fit_ramps
from clearwood.noise import Interval, LogNormal, Normal, PerRow, Relative
from clearwood.table.column import Feature
from clearwood.table.frames import encode_table
from clearwood.tree import LEAF, rebuild
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.evaluation import Ramps, Soft
from reference.random_trees import FEATURES, random_row, random_tree

NAN = np.nan
FEATURES_TWO = [Feature("sbp", "numeric", unit="mmHg"), Feature("hb", "numeric")]
PATIENT = {"sbp": 40.0, "hb": 96.0}
SEEDS = st.integers(0, 2**32 - 1)


def tree_of(evaluation=None):
    """The tree of algorithms.md J.4; its leaves are 1, 3, 5 and 6."""
    inner = cut("hb", 100, leaf([3, 0]), cut("sbp", 45, leaf([0, 2]), leaf([4, 0])))
    tree = build(cut("sbp", 35.37, leaf([0, 1]), inner), FEATURES_TWO, ["no", "yes"])
    return tree.with_evaluation(evaluation)


def soft(coupling="joint"):
    return Soft((Normal(sd=5.75), Normal(sd=8.0)), coupling, 0.0)


def ramps():
    return Ramps([30, NAN, 90, NAN, 40, NAN, NAN], [41.37, NAN, 110, NAN, 50, NAN, NAN])


def frame(*rows):
    return pd.DataFrame(list(rows), dtype=float)


def test_soft_tree_gives_the_worked_probabilities_and_main_leaf():
    tree = tree_of(soft())
    assert tree.predict_proba(frame(PATIENT))[0, 1] == pytest.approx(0.394662, abs=1e-6)
    assert tree.apply(frame(PATIENT)).tolist() == [3]
    assert tree.predict(frame(PATIENT)).tolist() == ["no"]
    independent = tree_of(soft("independent")).predict_proba(frame(PATIENT))
    assert independent[0, 1] == pytest.approx(0.407141, abs=1e-6)


def test_path_names_both_branches_with_their_shares():
    path = tree_of(soft()).path(PATIENT)
    assert [leaf_id for leaf_id, _ in path.leaves] == [1, 3, 5, 6]
    expected = [0.210347, 0.546015, 0.184315, 0.059322]
    assert [share for _, share in path.leaves] == pytest.approx(expected, abs=1e-6)
    assert path.text() == (
        "sbp = 40 mmHg: sbp <= 35.37 mmHg (0.21) or sbp > 35.37 mmHg (0.79)\n"
        "hb = 96: hb <= 100 (0.69) or hb > 100 (0.31)\n"
        "sbp = 40 mmHg: sbp <= 45 mmHg (0.76) or sbp > 45 mmHg (0.24)\n"
        "=> no 0.61"
    )


def random_evaluation(rng, tree):
    if rng.random() < 0.5:
        noise = (Normal(sd=0.5), Normal(sd=2.0, bias=0.3), None, None, None)
        return Soft(noise, str(rng.choice(["independent", "joint"])))
    width = rng.exponential(size=(2, tree.n_nodes)) * (tree.kind == 1)
    lower, upper = tree.threshold - width[0], tree.threshold + width[1]
    return Ramps(lower, upper)


@settings(deadline=None)
@given(seed=SEEDS)
def test_explaining_a_row_and_predicting_it_agree(seed):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    tree = random_tree(rng, cuts, 12)
    tree = tree.with_evaluation(random_evaluation(rng, tree))
    row, _ = random_row(rng, cuts)
    path = tree.path(row)
    columns = {
        f.name: np.array([row[f.name]], float if f.kind == "numeric" else object) for f in FEATURES
    }
    assert sum(share for _, share in path.leaves) == pytest.approx(1, abs=1e-12)
    mean = sum(share * tree.distribution[leaf_id] for leaf_id, share in path.leaves)
    proba = tree.predict_proba(pd.DataFrame(columns))[0]
    assert path.probabilities == pytest.approx(proba, abs=1e-12)
    assert mean == pytest.approx(proba, abs=1e-12)


def test_size_of_noise_may_stand_in_a_column_of_its_own():
    tree = tree_of(Soft((PerRow(Normal(sd=5.0), "cuff"), None), eta=0.0))
    rows = [PATIENT | {"cuff": size} for size in (0.0, 2.0, NAN)]
    assert tree.path(rows[0]).leaves == ((3, 1.0),)
    share = [tree.path(row).leaves[0][1] for row in rows[1:]]
    assert share == pytest.approx(ndtr((35.37 - 40) / np.array([2.0, 5.0])), abs=1e-9)
    together = tree.predict_proba(frame(*rows))
    assert together == pytest.approx(np.array([tree.path(r).probabilities for r in rows]))
    with pytest.raises(ColumnNotFound, match="cuff"):
        tree.predict_proba(frame(PATIENT))
    with pytest.raises(ColumnNotFound, match="cuff"):
        tree.path(PATIENT)


def test_noise_that_grows_with_the_value_is_that_of_the_predicted_value():
    tree = tree_of(Soft((Relative(cv=0.1), None), eta=0.0))
    path = tree.path({"sbp": 30.0, "hb": 0.0})
    assert path.leaves[0][1] == pytest.approx(ndtr((35.37 - 30) / 3), abs=1e-9)


def test_interval_readings_are_uniform_noise():
    tree = tree_of(Soft((Interval("half_width"), None), eta=0.0))
    path = tree.path({"sbp": 36.37, "hb": 0.0, "half_width": 4.0})
    assert path.leaves[0][1] == pytest.approx(3 / 8)


def test_value_that_a_log_axis_cannot_have_names_its_column():
    tree = tree_of(Soft((None, LogNormal(cv=0.2))))
    with pytest.raises(TableError, match="'hb'"):
        tree.predict_proba(frame({"sbp": 40.0, "hb": -1.0}))


def test_missing_value_goes_by_the_shares_whatever_the_noise():
    tree = tree_of(soft())
    path = tree.path({"sbp": None, "hb": None})
    assert path.leaves == tree_of().path({"sbp": None, "hb": None}).leaves


def test_levels_stay_hard():
    features = [Feature("site", "nominal", ("a", "b"))]
    tree = build(levels("site", {"a": leaf([1, 0]), "b": leaf([0, 1])}), features, ["no", "yes"])
    tree = tree.with_evaluation(Soft((None,)))
    assert tree.predict_proba(pd.DataFrame({"site": ["a", "b"]})).tolist() == [[1, 0], [0, 1]]


def test_ramps_divide_a_row_near_a_threshold():
    shares = dict(tree_of(ramps()).path({"sbp": 38.37, "hb": 80}).leaves)
    assert shares == pytest.approx({1: 0.25, 3: 0.75})


def test_ramps_are_fitted_to_training_rows():
    """As worked by hand in test_core_evaluation.py: lower 1, upper 7.343710."""
    tree = build(
        cut("x", 4.5, leaf([3, 1]), leaf([1, 3])), [Feature("x", "numeric")], ["no", "yes"]
    )
    table = encode_table(np.arange(1.0, 9.0)[:, None], tree.features)
    fitted = fit_ramps(tree, table, np.array([0, 0, 0, 1, 0, 1, 1, 1], np.int32))
    assert fitted.lower.tolist() == pytest.approx([1, NAN, NAN], nan_ok=True)
    assert fitted.upper.tolist() == pytest.approx([7.343710, NAN, NAN], abs=1e-6, nan_ok=True)


def test_pruned_tree_keeps_the_ramps_of_its_cuts_and_its_noise():
    replacement = np.arange(7)
    replacement[4] = LEAF
    pruned = rebuild(tree_of(ramps()), replacement)
    assert pruned.evaluation == Ramps([30, NAN, 90, NAN, NAN], [41.37, NAN, 110, NAN, NAN])
    replacement[0] = 2
    raised = rebuild(tree_of(ramps()), replacement)
    assert raised.evaluation == Ramps([90, NAN, NAN], [110, NAN, NAN])
    assert rebuild(tree_of(soft()), replacement).evaluation == soft()


@pytest.mark.parametrize("evaluation", [soft(), ramps(), None])
def test_pickle_keeps_the_evaluation_and_equality_sees_it(evaluation):
    tree = tree_of(evaluation)
    read = pickle.loads(pickle.dumps(tree))
    assert read == tree
    assert (
        read.predict_proba(frame(PATIENT)).tolist() == tree.predict_proba(frame(PATIENT)).tolist()
    )
    others = [
        other for other in (soft(), soft("independent"), ramps(), None) if other != evaluation
    ]
    assert all(tree != tree_of(other) for other in others)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Soft((None, None), "free"), ParameterError, "coupling must be"),
        (lambda: Soft((None, None), eta=0.5), ParameterError, "eta must be"),
        (lambda: Ramps([0.0], [1.0], "c5"), ParameterError, "compatibility of ramps"),
        (lambda: tree_of(Soft((None,))), InvalidTreeError, "each of the 2 features, has 1"),
        (lambda: tree_of(Ramps([NAN], [NAN])), InvalidTreeError, "each of the 7 nodes"),
        (lambda: tree_of(Ramps([NAN, 1] + [NAN] * 5, [NAN, 2] + [NAN] * 5)),
         InvalidTreeError, "node 1: a ramp needs a cut"),
        (lambda: tree_of(Ramps([3] + [NAN] * 6, [2] + [NAN] * 6)), InvalidTreeError, "node 0"),
    ],
)  # fmt: skip
def test_evaluation_that_does_not_fit_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
