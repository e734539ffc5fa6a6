"""Decision chains: worked numbers, what holds along every chain, and what users may ask for (H)."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

import clearwood as cw
from clearwood import _core
from clearwood.errors import ClearwoodError, ParameterError
from clearwood.growing import Carving, Plan, SampledSearch, carve
from clearwood.metrics import alpha_divergence
from clearwood.noise.sampled import SamplePoints
from estimators.classifiers import mixed_frame, same_bits, same_shape

HAND = pd.DataFrame(
    {"x0": np.arange(1.0, 11.0), "x1": [5.0, 9.0, 3.0, 8.0, 1.0, 7.0, 2.0, 6.0, 4.0, 10.0]}
)
HAND_Y = np.array([0, 0, 0, 0, 0, 1, 0, 1, 1, 0])


def rare_events(n_rows=600, seed=0, missing=0.1):
    """A frame of numbers and levels, and a rare event that depends on both."""
    rng = np.random.default_rng(seed)
    X = mixed_frame(rng, n_rows, missing)
    odds = -4 + 0.12 * (X["ef"].fillna(50) - 50) + 1.5 * (X["ward"] == "w1") + X["visits"].fillna(2)
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(int)


def risks(model):
    """Of the carved leaves and, last, of what no rule took."""
    node, found = 0, []
    tree = model.tree_
    event = model.classes_.tolist().index(model.event_)
    while not tree.is_leaf[node]:
        leaf, rest = sorted(tree.children(node), key=lambda child: not tree.is_leaf[child])
        if tree.is_leaf[rest] and tree.shares(node)[list(tree.children(node)).index(leaf)] == 1:
            leaf, rest = rest, leaf  # the last rule: what is missing stays
        found.append(tree.masses[leaf, event] / tree.masses[leaf].sum())
        node = rest
    return [*found, tree.masses[node, event] / tree.masses[node].sum()]


@pytest.mark.parametrize(
    ("w", "alpha", "velocity"),
    [
        (0.51, 3.470101, 0.061882),
        (0.6, 3.525770, 0.621863),
        (0.7, 3.758373, 1.269410),
        (0.8, 4.663082, 2.046298),
        (0.9, 9.491223, 3.879584),
        (0.95, 19.495726, 7.549554),
        (0.99, 99.499162, 36.973431),
    ],
)
def test_velocity_has_its_peak_where_it_should(w, alpha, velocity):
    assert _core.steepest_alpha(w) == pytest.approx(alpha, abs=1e-6)
    assert _core.carving_velocity(alpha, w) == pytest.approx(velocity, abs=1e-6)


def test_at_balance_the_peak_is_the_limit():
    assert _core.steepest_alpha(0.5) == pytest.approx(3.469578, abs=1e-6)
    assert _core.carving_alpha(1e-9, 0.5) is None


@pytest.mark.parametrize(
    ("velocity", "w", "alpha"),
    [
        (0.1, 0.95, 142.589),
        (0.1, 0.9, 62.031),
        (0.1, 0.8, 25.903),
        (0.1, 0.7, 15.059),
        (0.1, 0.6, 9.953),
        (0.5, 0.9, 43.355299),
        (1, 0.7, 5.965),
        (0.1, 0.843267, 35.436),
        (0.001387, 1 - 213 / 1359, 64.0),
        (0.0806, 1 - 361 / 3590, 64.0),
        (0.1, 0.999, 256.0),
        (1e-12, 0.95, 256.0),
    ],
)
def test_alpha_is_the_larger_root(velocity, w, alpha):
    assert _core.carving_alpha(velocity, w) == pytest.approx(alpha, abs=6e-4 if alpha < 60 else 0.1)


def test_no_alpha_has_a_velocity_above_the_peak():
    assert _core.carving_alpha(1, 0.6) is None
    for w in (0.51, 0.7, 0.9, 0.99, 0.999):
        at_peak = _core.carving_velocity(_core.steepest_alpha(w), w)
        assert _core.carving_alpha(at_peak * 0.999, w) >= _core.steepest_alpha(w)
        if w < 0.999:
            assert _core.carving_alpha(at_peak * 1.001, w) is None


def test_velocity_crosses_every_value_below_its_peak_exactly_twice():
    for w in (0.51, 0.6, 0.8, 0.95):
        alphas = np.linspace(1.0001, 250, 20_000)
        velocities = np.array([_core.carving_velocity(alpha, w) for alpha in alphas])
        top = velocities.argmax()
        assert (np.diff(velocities[: top + 1]) > 0).all()
        assert (np.diff(velocities[top:]) < 0).all()
        assert alphas[top] == pytest.approx(_core.steepest_alpha(w), abs=0.02)


def test_chain_of_the_hand_example():
    model = cw.DecisionChainClassifier(velocity=0.5, min_samples_leaf=1).fit(HAND, HAND_Y)
    assert model.event_ == 1
    assert [round(alpha, 6) for alpha in model.alphas_] == [9.145933, 5.179189, 5.179189]
    assert [(step.events, step.weight) for step in model.steps_] == [(0, 5), (0, 1), (0, 1)]
    assert model.steps_[2].larger_share == 0.75
    tree = model.tree_
    inner = tree.threshold[~tree.is_leaf]
    assert [tree.features[j].name for j in tree.column[~tree.is_leaf]] == ["x0", "x0", "x1"]
    assert inner.tolist() == [5.5, 9.5, 3.0]
    assert model.predict_proba(pd.DataFrame({"x0": [6.0], "x1": [3.5]}))[0, 1] == 1.0
    assert risks(model) == [0, 0, 0, 1]


def test_gain_of_a_step_is_that_of_its_alpha():
    model = cw.DecisionChainClassifier(velocity=0.5, min_samples_leaf=1).fit(HAND, HAND_Y)
    alpha = model.alphas_[0]
    more = alpha_divergence([[5, 0], [2, 3]], alpha, "uniform")
    more -= alpha_divergence([[7, 3]], alpha, "uniform")
    assert model.tree_.gain[0] == pytest.approx(more)
    assert model.tree_.score[0] == model.tree_.gain[0]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("velocity", [0.01, 0.1, 1])
def test_risks_never_fall_along_a_chain(seed, velocity):
    X, y = rare_events(seed=seed)
    model = cw.DecisionChainClassifier(velocity=velocity, min_samples_leaf=5).fit(X, y)
    along = risks(model)
    assert len(along) == len(model.steps_) + 1 > 2
    assert along == sorted(along)
    assert along[:-1] == pytest.approx([step.risk for step in model.steps_])


@pytest.mark.parametrize("seed", range(4))
def test_risks_never_rise_along_a_falling_chain(seed):
    X, y = rare_events(seed=seed)
    along = risks(
        cw.DecisionChainClassifier(direction="falling", start_alpha=2, min_samples_leaf=5).fit(X, y)
    )
    assert along == sorted(along, reverse=True)
    assert len(along) > 2


def test_a_falling_chain_is_the_rising_chain_of_the_other_class():
    X, y = rare_events()
    falling = cw.DecisionChainClassifier(direction="falling", event=1).fit(X, y)
    rising = cw.DecisionChainClassifier(event=0).fit(X, y)
    assert same_bits(falling.tree_, rising.tree_)
    assert falling.alphas_.tolist() == rising.alphas_.tolist()


@pytest.mark.parametrize("velocity", [0.01, 0.5, 3])
def test_alpha_never_rises(velocity):
    X, y = rare_events()
    alphas = cw.DecisionChainClassifier(velocity=velocity, min_samples_leaf=2).fit(X, y).alphas_
    assert len(alphas) > 2
    assert (np.diff(alphas) <= 0).all()
    assert (alphas > 1).all()


def test_the_risk_of_what_remains_rises_where_only_that_is_asked_for():
    X, y = rare_events(seed=3)
    model = cw.DecisionChainClassifier(
        velocity=0.01, monotone_risk="remaining", min_samples_leaf=3, max_length=20
    ).fit(X, y)
    shares = [1 - step.larger_share for step in model.steps_ if step.larger_share > 0.5]
    assert shares[:3] == sorted(shares[:3])
    ordered = clone(model).set_params(monotone_risk="both").fit(X, y)
    assert risks(ordered) == sorted(risks(ordered))
    assert risks(model) != sorted(risks(model))


@pytest.mark.parametrize("seed", range(4))
def test_roc_curve_of_the_training_rows_is_concave(seed):
    X, y = rare_events(seed=seed)
    model = cw.DecisionChainClassifier(min_samples_leaf=5).fit(X, y)
    tree = model.tree_
    leaves = np.flatnonzero(tree.is_leaf)
    order = np.argsort(tree.distribution[leaves, 1], kind="stable")[::-1]
    others, events = tree.masses[leaves[order]].T
    slopes = np.divide(events, others, out=np.full(len(events), np.inf), where=others > 0)
    assert (np.diff(slopes) <= 0).all()
    # Down the chain, the leaves have that order already.
    assert risks(model) == pytest.approx(np.sort(tree.distribution[leaves, 1]))


def test_rows_with_missing_values_stay_in_the_chain():
    X = pd.DataFrame({"x": [1.0] * 30 + [2.0] * 10 + [np.nan] * 10})
    y = [0] * 30 + [1] * 3 + [0] * 7 + [1] * 2 + [0] * 8
    model = cw.DecisionChainClassifier(max_length=1).fit(X, y)
    tree = model.tree_
    assert tree.masses.tolist() == [[45, 5], [30, 0], [15, 5]]
    assert tree.missing_share.tolist() == [0.0, 1.0]
    assert model.predict_proba(pd.DataFrame({"x": [np.nan, 1.0]}))[:, 1].tolist() == [0.25, 0.0]


@pytest.mark.parametrize("noisy", [(), ("search_noise",), ("propagation_noise",)])
def test_missing_values_count_on_the_kept_side_for_its_minimum(noisy):
    X = pd.DataFrame({"x": [1.0] * 30 + [2.0] * 4 + [np.nan] * 10})
    y = [0] * 30 + [1] * 3 + [0] * 11
    noise = {name: {"x": cw.noise.Normal(sd=0.01)} for name in noisy}
    assert len(cw.DecisionChainClassifier(min_samples_leaf=14, **noise).fit(X, y).steps_) == 1
    assert len(cw.DecisionChainClassifier(min_samples_leaf=15, **noise).fit(X, y).steps_) == 0


def test_one_level_is_held_against_the_rest():
    X = pd.DataFrame({"ward": ["a"] * 20 + ["b"] * 20 + ["c"] * 20 + [None] * 5})
    y = np.array([0] * 20 + [0] * 15 + [1] * 5 + [0] * 8 + [1] * 12 + [1] * 5)
    model = cw.DecisionChainClassifier(velocity=0.5, max_length=1).fit(X, y)
    tree = model.tree_
    assert tree.masses[1].tolist() == [20, 0]
    assert tree.levels(0).tolist() == [0, 1, 1]
    assert tree.missing_share.tolist() == [0.0, 1.0]


def test_where_the_rest_is_carved_an_unseen_level_stays():
    X = pd.DataFrame({"ward": pd.Categorical(["a"] * 20 + ["b"] * 25 + ["c"] * 25, list("abcd"))})
    y = np.array([1] * 20 + [0] * 50)
    model = cw.DecisionChainClassifier(velocity=0.5).fit(X, y)
    assert model.tree_.levels(0).tolist() == [0, 1, 1, -1]
    assert model.steps_[0].weight == 50
    probability = model.predict_proba(
        pd.DataFrame({"ward": pd.Categorical(["d", "b"], list("abcd"))})
    )
    assert probability[:, 1].tolist() == [1.0, 0.0]


def test_whole_weights_are_rows_repeated():
    X, y = rare_events(300, seed=2)
    times = np.random.default_rng(1).integers(1, 4, len(y))
    weighted = cw.DecisionChainClassifier(min_samples_leaf=8).fit(X, y, times)
    repeated = cw.DecisionChainClassifier(min_samples_leaf=8).fit(
        X.loc[X.index.repeat(times)], np.repeat(y, times)
    )
    assert same_bits(weighted.tree_, repeated.tree_, but=["n_rows"])
    assert weighted.steps_ == repeated.steps_


def test_scaled_weights_and_minimum_make_the_same_chain():
    X, y = rare_events()
    ours = cw.DecisionChainClassifier(min_samples_leaf=8).fit(X, y)
    scaled = cw.DecisionChainClassifier(min_samples_leaf=8 * 0.37).fit(X, y, np.full(len(y), 0.37))
    assert np.array_equal(ours.tree_.threshold, scaled.tree_.threshold, equal_nan=True)
    assert scaled.tree_.masses == pytest.approx(0.37 * ours.tree_.masses)
    assert scaled.alphas_ == pytest.approx(ours.alphas_)


def test_threads_change_no_bit():
    X, y = rare_events(20_000)
    model = cw.DecisionChainClassifier(velocity=0.05)
    one = model.fit(X, y).tree_
    assert same_bits(one, clone(model).set_params(n_jobs=3).fit(X, y).tree_)


def test_start_alpha_is_the_alpha_of_the_first_step_and_sets_the_velocity():
    X, y = rare_events()
    started = cw.DecisionChainClassifier(start_alpha=60).fit(X, y)
    assert started.alphas_[0] == 60
    same = cw.DecisionChainClassifier(velocity=started.steps_[0].velocity).fit(X, y)
    assert same.alphas_ == pytest.approx(started.alphas_)
    assert same_shape(same.tree_, started.tree_)


def test_a_start_below_the_peak_is_held():
    X, y = rare_events()
    assert set(cw.DecisionChainClassifier(start_alpha=2).fit(X, y).alphas_) == {2.0}


def test_without_a_root_the_chain_is_clamped_or_stops():
    X, y = load_breast_cancer(return_X_y=True)  # 0.37 malignant: the peak is near 0.8
    clamped = cw.DecisionChainClassifier(velocity=1).fit(X, y)
    assert clamped.alphas_[0] == pytest.approx(_core.steepest_alpha(357 / 569))
    assert len(clamped.steps_) > 1
    stopped = cw.DecisionChainClassifier(velocity=1, on_no_root="stop").fit(X, y)
    assert stopped.steps_ == ()
    assert stopped.tree_.n_nodes == 1


def test_default_minimum_is_ten_rows_or_one_hundredth():
    X, y = rare_events(3000, seed=4)
    small = cw.DecisionChainClassifier(velocity=0.001, max_length=None).fit(X[:500], y[:500])
    large = cw.DecisionChainClassifier(velocity=0.001, max_length=None).fit(X, y)
    assert small.tree_.masses.sum(axis=1).min() >= 10
    assert large.tree_.masses.sum(axis=1).min() >= 30


def test_max_length_is_the_number_of_rules():
    X, y = rare_events(2000)
    for length in (1, 3):
        model = cw.DecisionChainClassifier(max_length=length, min_samples_leaf=2).fit(X, y)
        assert len(model.steps_) == length
        assert model.get_n_leaves() == length + 1


def test_event_is_the_rarer_class_unless_it_is_named():
    X, y = rare_events()
    names = np.where(y == 1, "dead", "well")
    model = cw.DecisionChainClassifier().fit(X, names)
    assert model.event_ == "dead"
    assert model.tree_.settings["training"]["event"] == "dead"
    assert cw.DecisionChainClassifier(event="well").fit(X, names).event_ == "well"
    assert cw.DecisionChainClassifier(class_weight={"dead": 50.0}).fit(X, names).event_ == "dead"
    heavy = np.where(y == 1, 50.0, 1.0)
    assert cw.DecisionChainClassifier().fit(X, names, heavy).event_ == "well"
    assert cw.DecisionChainClassifier().fit([[0.0], [1.0]], ["a", "b"]).event_ == "b"


def test_settings_tell_how_each_rule_was_chosen():
    X, y = rare_events()
    model = cw.DecisionChainClassifier().fit(X, y)
    told = model.tree_.settings["carving"]
    assert [step["alpha"] for step in told] == model.alphas_.tolist()
    assert type(model.tree_).from_json(model.tree_.to_json()).settings["carving"] == told


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"velocity": 0}, "velocity must be a number above 0, got 0"),
        ({"velocity": None}, "velocity must be a number above 0, got None"),
        ({"start_alpha": 1}, "start_alpha must be None or a number above 1 and at most 256, got 1"),
        ({"start_alpha": 300}, "start_alpha must be None or .* got 300"),
        ({"max_length": 0}, "max_length must be None or a whole number of at least 1, got 0"),
        ({"monotone_risk": True}, "monotone_risk must be one of both, remaining, got True"),
        ({"on_no_root": "halt"}, "on_no_root must be one of clamp, stop, got 'halt'"),
        ({"direction": "up"}, "direction must be one of rising, falling, got 'up'"),
        ({"event": 2}, r"event must be one of the classes \[0, 1\], got 2"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be a number above 0, got 0"),
        ({"cut_at": "lower"}, "cut_at must be one of"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_named(parameters, message):
    with pytest.raises(ParameterError, match=message):
        cw.DecisionChainClassifier(**parameters).fit(HAND, HAND_Y)


def test_two_classes_are_needed():
    with pytest.raises(ClearwoodError, match="one class only: 0"):
        cw.DecisionChainClassifier().fit(HAND, np.zeros(10, dtype=int))
    with pytest.raises(ClearwoodError, match="y has 3 classes"):
        cw.DecisionChainClassifier().fit(HAND, np.arange(10) % 3)
    with pytest.raises(ParameterError, match="two classes, got 3"):
        carve(None, np.arange(3), None)


def test_a_length_beyond_every_chain_is_no_limit():
    X, y = rare_events()
    long = cw.DecisionChainClassifier(max_length=2**70).fit(X, y)
    assert long.tree_ == cw.DecisionChainClassifier(max_length=None).fit(X, y).tree_


def test_noise_next_to_none_is_no_noise():
    X, y = rare_events(missing=0.0)
    hard = cw.DecisionChainClassifier(min_samples_leaf=8).fit(X, y)
    quiet = {"ef": cw.noise.Normal(sd=1e-7), "visits": cw.noise.Normal(sd=1e-7)}
    for which in ("search_noise", "propagation_noise", "evaluation_noise"):
        soft = cw.DecisionChainClassifier(min_samples_leaf=8, **{which: quiet}).fit(X, y)
        assert soft.tree_.masses == pytest.approx(hard.tree_.masses, abs=1e-6)
        assert soft.alphas_ == pytest.approx(hard.alphas_)
    zero = {"ef": cw.noise.Exact(), "visits": cw.noise.Exact()}
    exact = cw.DecisionChainClassifier(
        min_samples_leaf=8, search_noise=zero, propagation_noise=zero
    ).fit(X, y)
    assert same_bits(exact.tree_, hard.tree_)


@pytest.mark.parametrize("direction", ["rising", "falling"])
@pytest.mark.parametrize(
    "which", [("search_noise",), ("propagation_noise",), ("search_noise", "propagation_noise")]
)
def test_risks_keep_their_order_under_noise(which, direction):
    noise = {"ef": cw.noise.Normal(sd=5), "visits": cw.noise.Normal(sd=0.7)}
    for seed in range(4):
        X, y = rare_events(seed=seed)
        model = cw.DecisionChainClassifier(
            min_samples_leaf=5, direction=direction, **dict.fromkeys(which, noise)
        ).fit(X, y)
        along = [step.risk for step in model.steps_]
        assert len(along) > 1
        assert along == pytest.approx(sorted(along, reverse=direction == "falling"))
        assert model.tree_.masses.sum(axis=1).min() >= 5 - 1e-6


@pytest.mark.parametrize("bounds", ["BP", "ES"])
def test_what_spares_a_sampled_search_evaluations_changes_no_chain(bounds):
    def chain(bounds):
        return cw.DecisionChainClassifier(
            min_samples_leaf=3,
            search_noise={"x": SamplePoints(2.5, 20)},
            search=SampledSearch(bounds=bounds),
        )

    for seed in range(50, 70):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({"x": rng.integers(0, 12, (50, 1))[:, 0].astype(float)})
        y = rng.random(50) < 0.3
        tree, plain = chain(bounds).fit(X, y).tree_, chain("none").fit(X, y).tree_
        assert np.array_equal(tree.threshold, plain.threshold, equal_nan=True)


def test_propagation_noise_divides_weight_and_loses_none():
    X, y = rare_events(missing=0.0)
    noise = {"ef": cw.noise.Normal(sd=5)}
    tree = cw.DecisionChainClassifier(propagation_noise=noise).fit(X, y).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        assert tree.masses[tree.children(node)].sum(axis=0) == pytest.approx(tree.masses[node])
    weight = tree.masses[tree.is_leaf].sum(axis=1)
    assert (weight != weight.round()).any()


def test_cost_decides_between_equal_columns():
    X, y = rare_events(missing=0.0)
    twice = X[["ef"]].assign(again=X["ef"])
    model = cw.DecisionChainClassifier(columns={"again": cw.Column(cost=0.5)}).fit(twice, y)
    assert set(model.tree_.column[~model.tree_.is_leaf]) == {1}
    plain = cw.DecisionChainClassifier().fit(twice, y)
    assert set(plain.tree_.column[~plain.tree_.is_leaf]) == {0}
    assert same_shape(plain.tree_, cw.DecisionChainClassifier().fit(X[["ef"]], y).tree_)


def test_carve_has_the_defaults_of_the_classifier():
    X, y = load_breast_cancer(return_X_y=True)
    from clearwood.table.frames import read_table

    tree, steps = carve(
        read_table(X, None),
        np.arange(2),
        y.astype(np.int32),
        event=0,
        plan=Plan(min_samples_leaf=10),
        carving=Carving(max_length=3),
    )
    model = cw.DecisionChainClassifier(max_length=3, min_samples_leaf=10, event=0).fit(X, y)
    assert same_bits(tree, model.tree_)
    assert steps == model.steps_
