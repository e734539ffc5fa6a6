"""Alpha-trees: the published numbers, the orders they contain, and large alphas (H.1)."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.metrics import alpha_divergence
from clearwood.pruning.cost_complexity import impurity_of
from estimators.classifiers import same_bits, same_shape

EXAMPLE = [[27, 3], [42, 28]]  # P(x) = (.3, .7), p = (.1, .4)
SPLITS = {
    "A": [[48, 2], [32, 18]],
    "B": [[20, 0], [60, 20]],
    "C": [[79, 11], [1, 9]],
}
MASSES = st.lists(st.integers(0, 50), min_size=2, max_size=2)


@pytest.mark.parametrize(
    ("reference", "alpha", "expected"),
    [
        ("uniform", 0, 0.167535),
        ("uniform", 0.5, 0.140866),
        ("uniform", 1, 0.124514),
        ("uniform", 2, 0.110000),
        ("uniform", 3, 0.110000),
        ("uniform", 4, 0.120333),
        ("product", 0.5, 0.055495),
        ("product", 1, 0.050468),
        ("product", 2, 0.044180),
    ],
)
def test_divergence_of_the_worked_example(reference, alpha, expected):
    assert alpha_divergence(EXAMPLE, alpha, reference) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("alpha", "winner"), [(1, "C"), (2, "C"), (4, "C"), (8, "A"), (16, "A"), (64, "B")]
)
def test_a_higher_alpha_prefers_a_pure_branch(alpha, winner):
    by_divergence = {
        name: alpha_divergence(masses, alpha, "uniform") for name, masses in SPLITS.items()
    }
    assert max(by_divergence, key=by_divergence.__getitem__) == winner


def table_of_splits(splits):
    """A column for each split of the same rows, which it cuts at 0.5."""
    y = np.repeat([0, 1], [80, 20])
    columns = {}
    for name, (left, _) in splits.items():
        first = np.concatenate([np.arange(80) < left[0], np.arange(20) < left[1]])
        columns[name] = np.where(first, 0.0, 1.0)
    return pd.DataFrame(columns), y


@pytest.mark.parametrize("counted_as", ["rows", "weights"])
@pytest.mark.parametrize(
    ("alpha", "winner"),
    [(1, "C"), (4, "C"), (8, "A"), (64, "B"), (256, "B"), (1000, "B"), (5000, "B")],
)
def test_tree_takes_the_split_of_highest_divergence(alpha, winner, counted_as):
    X, y = table_of_splits(SPLITS)
    weights = np.full(100, 0.37) if counted_as == "weights" else None
    model = cw.AlphaTreeClassifier(
        alpha=alpha, reference="uniform", max_depth=1, min_samples_split=1
    )
    tree = model.fit(X, y, weights).tree_
    assert X.columns[tree.column[0]] == winner
    assert tree.threshold[0] == 0.5


def test_large_alphas_tell_impure_branches_apart_where_powers_vanish():
    # The purest branch is 1/10 events in "less", 1/11 in "more": 0.909**5000 is below 1e-207.
    splits = {"less": [[18, 2], [62, 18]], "more": [[20, 2], [60, 18]]}
    X, y = table_of_splits(splits)
    for alpha in (64, 256, 1000, 5000):
        model = cw.AlphaTreeClassifier(alpha=alpha, reference="uniform", max_depth=1).fit(X, y)
        assert X.columns[model.tree_.column[0]] == "more"


@pytest.mark.parametrize("reference", ["product", "uniform"])
@pytest.mark.parametrize("data", [load_breast_cancer, load_iris])
@pytest.mark.parametrize(("alpha", "criterion"), [(1, "information_gain"), (2, "gini")])
def test_alpha_1_and_2_grow_the_trees_of_information_gain_and_gini(
    data, reference, alpha, criterion
):
    X, y = data(return_X_y=True)
    if data is load_iris and (alpha, reference) == (2, "product"):
        y = y > 0  # Gini is half of chi-squared for two classes only
    ours = cw.AlphaTreeClassifier(alpha=alpha, reference=reference).fit(X, y).tree_
    assert same_shape(
        ours, cw.TreeClassifier(criterion=criterion, nominal="subset").fit(X, y).tree_
    )


@given(first=MASSES, second=MASSES, alpha=st.sampled_from([1, 1 + 1e-9, 1 - 1e-6, 1 + 1e-6]))
def test_near_alpha_1_divergence_is_mutual_information(first, second, alpha):
    masses = np.array([first, second], dtype=float)
    if masses.sum() == 0:
        return
    joint = masses / masses.sum()
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    known = joint > 0
    nats = (joint[known] * np.log(joint[known] / independent[known])).sum()
    assert alpha_divergence(masses, alpha) == pytest.approx(nats, abs=1e-5)


@given(first=MASSES, second=MASSES, alpha=st.sampled_from([0.25, 0.5, 0.75, 1.5, 3, 7.5]))
def test_divergence_is_that_of_the_formula(first, second, alpha):
    masses = np.array([first, second], dtype=float)
    if not masses.sum(axis=1).all() or not masses.sum(axis=0).all():
        return
    p = masses / masses.sum(axis=1, keepdims=True)
    q = masses.sum(axis=0) / masses.sum()
    of_branch = (p**alpha * q ** (1 - alpha)).sum(axis=1) @ masses.sum(axis=1) / masses.sum()
    expected = (1 - of_branch) / (alpha * (1 - alpha))
    assert alpha_divergence(masses, alpha) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_alpha_0_is_infinite_where_a_branch_lacks_a_class():
    assert alpha_divergence([[3, 0], [1, 2]], 0) == np.inf
    assert alpha_divergence([[3, 0], [1, 0]], 0) == 0.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0}, "give a smoothing above 0"),
        ({"alpha": -1.0}, "give a smoothing above 0"),
        ({"alpha": np.inf}, "alpha must be a number between"),
        ({"alpha": "2"}, "alpha must be a number between"),
        ({"reference": "uniforn"}, "reference must be one of product, uniform, got 'uniforn'"),
        ({"smoothing": -1}, "smoothing must be a number of at least 0, got -1"),
        ({"penalty": True}, "penalty=True is counted in bits"),
        ({"nominal": "grouped"}, "nominal='grouped' is counted in bits"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_named(parameters, message):
    with pytest.raises(ParameterError, match=message):
        cw.AlphaTreeClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_criterion_is_no_parameter_of_an_alpha_tree():
    assert "criterion" not in cw.AlphaTreeClassifier().get_params()
    with pytest.raises(TypeError, match="no parameter 'criterion'"):
        cw.AlphaTreeClassifier(criterion="gini")


def test_masses_that_are_no_table_are_refused():
    for masses in ([1, 2], [[0, 0]], [[1, -1]], [[1, np.nan]]):
        with pytest.raises(ParameterError, match="masses must be"):
            alpha_divergence(masses, 2)


def test_gain_is_divergence_of_split_less_that_of_node_times_known_share():
    X = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, 2, np.nan, np.nan]})
    y = [0, 0, 1, 1, 1, 1, 0, 1]
    tree = cw.AlphaTreeClassifier(alpha=4, reference="uniform", max_depth=1).fit(X, y).tree_
    known = [[2, 1], [0, 3]]
    more = alpha_divergence(known, 4, "uniform") - alpha_divergence([[2, 4]], 4, "uniform")
    assert tree.gain[0] == pytest.approx(0.75 * more)
    assert tree.missing_share.tolist() == [0.5, 0.5]


def test_stored_gain_is_the_largest_float_where_divergence_has_no_room():
    X, y = table_of_splits(SPLITS)
    tree = cw.AlphaTreeClassifier(alpha=5000, reference="uniform", max_depth=1).fit(X, y).tree_
    assert tree.gain[0] == np.finfo(float).max
    assert type(tree).from_json(tree.to_json()).gain[0] == tree.gain[0]


def test_smoothing_makes_small_pure_branches_less_attractive():
    X, y = table_of_splits({"tiny": [[2, 0], [78, 20]], "large": [[50, 1], [30, 19]]})
    columns = [
        cw.AlphaTreeClassifier(alpha=256, reference="uniform", smoothing=s, max_depth=1)
        .fit(X, y)
        .tree_.column[0]
        for s in (0, 1)
    ]
    assert X.columns[columns].tolist() == ["tiny", "large"]


def test_smoothed_search_of_two_classes_tries_every_cut():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(400, 3)), (rng.random(400) < 0.2).astype(int)
    one = cw.AlphaTreeClassifier(alpha=4, smoothing=2.0, max_depth=1).fit(X, y).tree_
    best = max(
        smoothed(y[X[:, j] <= cut], y[X[:, j] > cut], y, 2.0, 4)
        for j in range(3)
        for cut in np.sort(X[:, j])[:-1]
    )
    assert one.gain[0] == pytest.approx(best, rel=1e-9)


def smoothed(left, right, every, added, alpha):
    """D of a split with smoothed class shares, by the formula."""

    def shares(y):
        counts = np.bincount(y, minlength=2) + added
        return counts / counts.sum()

    q = shares(every)
    total = sum(
        len(side) / len(every) * (shares(side) ** alpha * q ** (1 - alpha)).sum()
        for side in (left, right)
    )
    return (1 - total) / (alpha * (1 - alpha))


def test_soft_search_under_next_to_no_noise_splits_as_the_hard_search_does():
    rng = np.random.default_rng(1)
    X = rng.normal(10, 3, size=(300, 4))
    y = (X[:, 1] + rng.normal(size=300) > 14).astype(int)
    for alpha in (1, 2, 16, 5000):
        hard = cw.AlphaTreeClassifier(alpha=alpha, max_depth=3).fit(X, y)
        noise = {"x0": cw.noise.Normal(sd=1e-9)}
        frame = pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"])
        exact = cw.AlphaTreeClassifier(alpha=alpha, max_depth=3, search_noise=noise).fit(frame, y)
        assert np.array_equal(hard.tree_.column, exact.tree_.column)
        assert exact.tree_.masses == pytest.approx(hard.tree_.masses, abs=1e-6)


def test_best_first_growth_of_large_alphas_is_depth_first_growth_without_a_limit():
    X, y = load_breast_cancer(return_X_y=True)
    model = cw.AlphaTreeClassifier(alpha=1000)
    tree = model.fit(X, y).tree_
    assert same_bits(tree, model.set_params(max_leaf_nodes=1000).fit(X, y).tree_)


@pytest.mark.parametrize(("alpha", "impurity"), [(2, "gini"), (1, "entropy"), (16, "entropy")])
def test_impurity_of_cost_complexity_is_that_of_the_alpha_nearest_to_it(alpha, impurity):
    X, y = load_breast_cancer(return_X_y=True)
    for model in (
        cw.AlphaTreeClassifier(alpha=alpha),
        cw.TreeClassifier(criterion=cw.AlphaDivergence(alpha)),
    ):
        tree = model.fit(X, y).tree_
        assert impurity_of(tree) == impurity
        assert impurity_of(type(tree).from_json(tree.to_json())) == impurity
        assert model._impurity == impurity
