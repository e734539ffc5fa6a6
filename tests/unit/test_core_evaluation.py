"""Soft evaluation and ramps in the core: worked numbers, limits, laws, and a slow reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from clearwood._core import Evaluation, Noise, Predictor, Table, fit_ramps
from clearwood.noise.quantile_table import PROBABILITIES
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from reference import evaluation as slow
from reference.random_trees import FEATURES, random_row, random_tree

ONE, TWO = [Feature("x", "numeric")], [Feature("x1", "numeric"), Feature("x2", "numeric")]
SEEDS = st.integers(0, 2**32 - 1)


def normal(sd):
    return Noise("identity", 0.0, sd, "normal")


def leaf_shares(tree, values, noise, coupling="independent", eta=0.0):
    """Shares of one row, by leaf."""
    table = Table.from_matrix(np.array([values], float))
    soft = Evaluation.soft(noise, coupling, eta)
    _, leaves, shares = predictor_of(tree).leaf_weights(table, evaluation=soft)
    return dict(zip(leaves.tolist(), shares.tolist(), strict=True))


def predictor_of(tree):
    return Predictor(tree.arrays(), len(tree.features))


def stump(threshold, strict=False):
    """The first leaf (1) is of class 0, the second (2) of class 1."""
    return build(cut("x", threshold, leaf([1, 0]), leaf([0, 1]), strict=strict), ONE, [0, 1])


def first_share(noise, threshold, x):
    return leaf_shares(stump(threshold), [x], [noise]).get(1, 0.0)


def retested():
    """x <= 0 ends in leaf 1; beyond, x <= 1 in leaf 3 and the rest in leaf 4."""
    return build(cut("x", 0, leaf([1, 0]), cut("x", 1, leaf([1, 0]), leaf([0, 1]))), ONE, [0, 1])


def two_readings():
    """The tree of algorithms.md J.4; its leaves are 1, 3, 5 and 6."""
    inner = cut("x2", 100, leaf([1, 0]), cut("x1", 45, leaf([0, 1]), leaf([1, 0])))
    return build(cut("x1", 35.37, leaf([0, 1]), inner), TWO, [0, 1])


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        (("identity", 0.0, 1.0, "normal"), 0.841345),
        (("identity", 0.0, 1.5, "uniform"), 0.833333),
        (("log", 0.0, np.sqrt(np.log(1.01)), "normal"), 0.830332),
        (("identity", 0.0, np.array([np.hypot(0.5, 0.8)]), "normal"), 0.855427),
        (("identity", -1.0, 1.0, "normal"), 0.977250),  # reads 1 too high
        (("identity", 0.0, 1, "points", np.array([-1.0, 0.0, 1.0, 2.0])), 0.75),
    ],
    ids=["normal", "uniform", "lognormal", "by row", "biased", "points"],
)
def test_gate_of_a_reading_of_10_at_11_is_the_worked_one(noise, expected):
    assert first_share(Noise(*noise), 11.0, 10.0) == pytest.approx(expected, abs=1.5e-6)


def test_gate_of_a_table_is_the_distribution_that_was_tabulated():
    from scipy.stats import t

    noise = Noise("identity", 0.0, 1.0, "table", t(4).ppf(PROBABILITIES))
    for z in (-3.0, -0.5, 0.0, 1.0, 6.0):
        assert first_share(noise, 10.0 + z, 10.0) == pytest.approx(t(4).cdf(z), abs=1e-5)


def test_log_axis_gives_no_share_to_thresholds_up_to_zero():
    noise = Noise("log", 0.0, 0.1, "normal")
    assert [first_share(noise, threshold, 10.0) for threshold in (-1.0, 0.0)] == [0.0, 0.0]
    assert first_share(noise, 0.0, -1.0) == 0.0


def test_cuts_of_one_column_ask_two_readings_unless_joint():
    independent = leaf_shares(retested(), [0.0], [normal(1.0)])
    joint = leaf_shares(retested(), [0.0], [normal(1.0)], "joint")
    assert list(independent.values()) == pytest.approx([0.5, 0.420672, 0.079328], abs=1e-6)
    assert list(joint.values()) == pytest.approx([0.5, 0.341345, 0.158655], abs=1e-6)


def test_joint_leaf_shares_are_products_of_interval_probabilities():
    shares = leaf_shares(two_readings(), [40, 96], [normal(5.75), normal(8.0)], "joint")
    assert list(shares) == [1, 3, 5, 6]
    expected = [0.210347, 0.546015, 0.184315, 0.059322]
    assert list(shares.values()) == pytest.approx(expected, abs=1e-6)


def test_flip_probability_of_the_worked_patient():
    table = Table.from_matrix(np.array([[40.0, 96.0]]))
    noise = [normal(5.75), normal(8.0)]
    for coupling, expected in (("joint", 0.394662), ("independent", 0.407141)):
        soft = Evaluation.soft(noise, coupling, 0.0)
        probability = predictor_of(two_readings()).predict_proba(table, evaluation=soft)
        assert probability[0, 1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "expected"),
    [(38.91, 0.265193), (38.42, 0.293342), (35.16, 0.505456), (29.30, 0.845064)],
)
def test_two_pure_leaves_give_the_probability_of_the_paper_like_patients(x, expected):
    assert first_share(normal(5.849384), 35.24, x) == pytest.approx(expected, abs=1.5e-6)


@pytest.mark.parametrize(
    ("sd", "expected"), [(0.5, 0.999968), (1, 0.977250), (2, 0.841345), (4, 0.691462)]
)
def test_toy_reading_two_below_the_cut(sd, expected):
    assert first_share(normal(sd), 0.0, -2.0) == pytest.approx(expected, abs=1e-6)


def test_joint_evaluation_is_the_mean_of_hard_prediction_over_true_values():
    rng = np.random.default_rng(20240607)
    tree, row, sd = two_readings(), np.array([40.0, 96.0]), np.array([5.75, 8.0])
    n = 400_000
    drawn = predictor_of(tree).predict_proba_matrix(row + sd * rng.normal(size=(n, 2)))
    soft = Evaluation.soft([normal(s) for s in sd], "joint", 0.0)
    table = Table.from_matrix(row[None])
    probability = predictor_of(tree).predict_proba(table, evaluation=soft)[0]
    assert drawn.mean(axis=0) == pytest.approx(probability, abs=4 * 0.5 / np.sqrt(n))


def test_endless_noise_makes_every_gate_one_half():
    shares = leaf_shares(two_readings(), [40, 96], [normal(1e12)] * 2)
    assert list(shares.values()) == pytest.approx([1 / 2, 1 / 4, 1 / 8, 1 / 8], abs=1e-9)


def test_vanishing_noise_is_hard_but_for_a_value_on_the_threshold():
    assert first_share(normal(1e-9), 5.0, 5.0) == 0.5
    assert first_share(normal(1e-9), 5.0, np.nextafter(5.0, 4.0) - 1e-7) == 1.0
    assert first_share(normal(1e-9), 5.0, 5.0 + 1e-7) == 0.0


def test_scale_zero_is_hard_on_the_threshold_too():
    assert first_share(normal(0.0), 5.0, 5.0) == 1.0
    assert leaf_shares(stump(5.0, strict=True), [5.0], [normal(0.0)]) == {2: 1.0}


def test_bias_without_spread_moves_the_reading():
    assert first_share(Noise("identity", -1.0, 0.0, "step"), 5.0, 6.0) == 1.0
    assert first_share(Noise("identity", -1.0, 0.0, "step"), 5.0, 6.001) == 0.0


def test_each_row_is_read_with_its_own_scale():
    noise = [Noise("identity", 0.0, np.array([0.0, 1.0, 2.0]), "normal")]
    table = Table.from_matrix(np.full((3, 1), 4.0))
    soft = Evaluation.soft(noise, eta=0.0)
    probability = predictor_of(stump(5.0)).predict_proba(table, evaluation=soft)
    assert probability[:, 0] == pytest.approx([1.0, ndtr(1.0), ndtr(0.5)], abs=1e-9)


def test_shares_below_eta_go_to_the_sibling():
    assert first_share(normal(1.0), 0.0, -2.0) == pytest.approx(ndtr(2.0), abs=1e-9)
    assert leaf_shares(stump(0.0), [-2.0], [normal(1.0)], eta=0.03) == {1: 1.0}
    assert leaf_shares(stump(0.0), [2.0], [normal(1.0)], eta=0.03) == {2: 1.0}


def random_noise(rng, cuts):
    """Noise of the three cut columns of the random trees, for the core and for the reference."""
    errors = []
    for _ in range(2):
        if rng.random() < 0.2:
            errors.append(None)
            continue
        cdf = str(rng.choice(["normal", "uniform"]))
        scale = float(rng.choice([0.0, 0.1, 1.0]))
        errors.append(slow.Error(cdf, scale, float(rng.choice([0.0, 0.3])) if scale else 0.0))
    errors += [None, None, None]  # levels
    core = [e and Noise(e.axis, e.shift, e.scale, e.cdf) for e in errors]
    return tuple(errors), core


def table_of_coded(rows):
    columns = [
        np.array(values, np.int32 if feature.is_nominal else np.float64)
        for feature, values in zip(FEATURES, zip(*rows, strict=True), strict=True)
    ]
    return Table.from_columns(columns, [feature.n_levels for feature in FEATURES])


@settings(deadline=None)
@given(seed=SEEDS, n_inner=st.integers(1, 20), coupling=st.sampled_from(["independent", "joint"]))
def test_every_soft_answer_is_that_of_the_slow_reference(seed, n_inner, coupling):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    arrays = random_tree(rng, cuts, n_inner).arrays()
    rows = [random_row(rng, cuts)[1] for _ in range(9)]
    errors, noise = random_noise(rng, cuts)
    eta = float(rng.choice([0.0, 1e-6, 0.05]))
    reference = slow.Soft(errors, coupling, eta)
    predictor, table = Predictor(arrays, len(FEATURES)), table_of_coded(rows)
    soft = Evaluation.soft(noise, coupling, eta)
    expected = np.array([slow.predict_proba(arrays, row, reference) for row in rows])
    assert predictor.predict_proba(table, evaluation=soft) == pytest.approx(expected, abs=1e-8)
    ends = [slow.leaf_weights(arrays, row, reference) for row in rows]
    indptr, leaves, shares = predictor.leaf_weights(table, evaluation=soft)
    for start, end, wanted in zip(indptr, indptr[1:], ends, strict=False):
        found = dict(zip(leaves[start:end].tolist(), shares[start:end].tolist(), strict=True))
        assert list(leaves[start:end]) == sorted(leaves[start:end])
        for leaf_id in found.keys() | wanted.keys():
            share = wanted.get(leaf_id, 0.0)
            assert found.get(leaf_id, 0.0) == pytest.approx(share, abs=1e-8)
    for leaf_id, wanted in zip(predictor.apply(table, evaluation=soft), ends, strict=True):
        assert wanted[leaf_id] == pytest.approx(max(wanted.values()), abs=1e-8)


@settings(deadline=None)
@given(seed=SEEDS, n_inner=st.integers(1, 30))
def test_noise_of_scale_zero_gives_the_bits_of_hard_prediction(seed, n_inner):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    predictor = Predictor(random_tree(rng, cuts, n_inner).arrays(), len(FEATURES))
    table = table_of_coded([random_row(rng, cuts)[1] for _ in range(20)])
    for coupling in ("independent", "joint"):
        soft = Evaluation.soft([normal(0.0), normal(0.0), None, normal(0.0), None], coupling)
        hard = predictor.predict_proba(table)
        assert predictor.predict_proba(table, evaluation=soft).tobytes() == hard.tobytes()
        ways = (predictor.leaf_weights(table), predictor.leaf_weights(table, evaluation=soft))
        assert [part.tolist() for part in ways[0]] == [part.tolist() for part in ways[1]]


@settings(deadline=None)
@given(seed=SEEDS, eta=st.floats(1e-6, 0.1))
def test_clipping_moves_at_most_depth_times_eta(seed, eta):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    tree = random_tree(rng, cuts, 15)
    table = table_of_coded([random_row(rng, cuts)[1] for _ in range(10)])
    noise = [normal(0.7), normal(0.3), None, None, None]
    dense = []
    for used in (0.0, eta):
        soft = Evaluation.soft(noise, "independent", used)
        indptr, leaves, shares = predictor_of(tree).leaf_weights(table, evaluation=soft)
        weights = np.zeros((10, tree.n_nodes))
        weights[np.repeat(np.arange(10), np.diff(indptr)), leaves] = shares
        dense.append(weights)
    moved = abs(dense[0] - dense[1]).sum(axis=1) / 2
    assert (moved <= 1 - (1 - eta) ** tree.depth + 1e-12).all()


@given(seed=SEEDS)
def test_shares_of_one_condition_are_those_that_leaf_weights_multiply(seed):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    tree = random_tree(rng, cuts, 12)
    table = table_of_coded([random_row(rng, cuts)[1] for _ in range(5)])
    soft = Evaluation.soft([normal(0.7), None, None, None, None], "joint")
    predictor = predictor_of(tree)
    weight = predictor.shares(table, soft).copy()
    for node in range(1, tree.n_nodes):
        weight[:, node] *= weight[:, tree.parent[node]]
    indptr, leaves, shares = predictor.leaf_weights(table, evaluation=soft)
    rows = np.repeat(np.arange(5), np.diff(indptr))
    assert shares == pytest.approx(weight[rows, leaves], abs=1e-12)


def test_answers_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(3)
    tree, table = two_readings(), Table.from_matrix(rng.normal([40, 96], 9, size=(3000, 2)))
    soft = Evaluation.soft([normal(5.75), normal(8.0)], "joint")
    for name in ("predict_proba", "apply", "decision_path", "leaf_weights"):
        answer = getattr(predictor_of(tree), name)
        one, four = (answer(table, n_threads=n, evaluation=soft) for n in (1, 4))
        one, four = (part if isinstance(part, tuple) else (part,) for part in (one, four))
        assert [part.tobytes() for part in one] == [part.tobytes() for part in four]


@settings(deadline=None)
@given(seed=SEEDS, n_inner=st.integers(1, 12))
def test_ramps_and_their_answers_are_those_of_the_slow_reference(seed, n_inner):
    rng = np.random.default_rng(seed)
    cuts = rng.normal(size=6)
    arrays = random_tree(rng, cuts, n_inner).arrays()
    arrays["strict"] = np.zeros_like(arrays["strict"])
    rows = [random_row(rng, rng.normal(size=5))[1] for _ in range(40)]
    classes = rng.integers(0, 3, 40).astype(np.int32)
    table = table_of_coded(rows)
    limits = fit_ramps(arrays, table, classes)
    expected = slow.fit_ramps(arrays, rows, classes)
    for found, wanted in zip(limits, expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True)
    reference = slow.Ramps(*limits)
    proba = Predictor(arrays, len(FEATURES)).predict_proba(table, 1, Evaluation.ramps(*limits))
    wanted = np.array([slow.predict_proba(arrays, row, reference) for row in rows])
    assert proba == pytest.approx(wanted, abs=1e-9)


def ramp_shares(x, as_release_8=False):
    """Shares of both leaves of a cut at 10 with a ramp from 8 to 14."""
    limits = [np.array([limit, np.nan, np.nan]) for limit in (8.0, 14.0)]
    table = Table.from_matrix(np.array([[x]]))
    ramps = Evaluation.ramps(*limits, as_release_8)
    return predictor_of(stump(10.0)).predict_proba(table, evaluation=ramps)[0].tolist()


@pytest.mark.parametrize(
    ("x", "first"),
    [(7.0, 1), (8.0, 1), (9.0, 0.75), (10.0, 0.5), (12.0, 0.25), (14.0, 0), (20.0, 0)],
)
def test_ramp_falls_in_two_lines_from_lower_over_the_threshold_to_upper(x, first):
    assert ramp_shares(x) == [first, 1 - first]


def test_release_8_widens_ramps_and_drops_slivers_for_good():
    assert ramp_shares(9.0, True) == pytest.approx([1 - 0.5 / 2.001, 0.5 / 2.001], abs=1e-15)
    assert ramp_shares(8.02, True) == pytest.approx([1 - 0.01 / 2.001, 0], abs=1e-15)
    assert ramp_shares(13.95, True)[0] == 0


def test_ramp_without_width_is_a_step():
    limits = [np.array([10.0, np.nan, np.nan])] * 2
    table = Table.from_matrix(np.array([[9.9], [10.0], [10.1]]))
    proba = predictor_of(stump(10.0)).predict_proba(table, evaluation=Evaluation.ramps(*limits))
    assert proba[:, 0].tolist() == [1, 1, 0]


def test_ramp_limits_are_those_worked_by_hand():
    """x = 1 … 8, classes 0 0 0 1 0 1 1 1, cut at 4.5: one row of each side is wrong, so E = 2,
    one standard error is sqrt(2.5 * 6.5 / 9) = 1.343710; thresholds 1 … 8 make 3 2 1 2 1 2 3 4
    errors, which pass 3.343710 between 7 and 8 alone."""
    table = Table.from_matrix(np.arange(1.0, 9.0)[:, None])
    classes = np.array([0, 0, 0, 1, 0, 1, 1, 1], np.int32)
    lower, upper = fit_ramps(stump(4.5).arrays(), table, classes)
    assert lower[0] == 1.0
    assert upper[0] == pytest.approx(7.343710, abs=1e-6)


def test_rows_of_weight_zero_leave_ramps_alone():
    x, classes = np.arange(1.0, 9.0), np.array([0, 0, 0, 1, 0, 1, 1, 1], np.int32)
    alone = fit_ramps(stump(4.5).arrays(), Table.from_matrix(x[:, None]), classes)
    more = Table.from_matrix(np.concatenate([x, x])[:, None])
    weights = np.repeat([2.5, 0.0], 8)
    found = fit_ramps(stump(4.5).arrays(), more, np.concatenate([classes, 1 - classes]), weights)
    assert [limits.tolist()[0] for limits in found] == [limits.tolist()[0] for limits in alone]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Noise("linear", 0.0, 1.0, "normal"), "axis must be 'identity' or 'log'"),
        (lambda: Noise("identity", 0.0, -1.0, "normal"), "scale must be finite and not negative"),
        (lambda: Noise("identity", 0.0, np.array([1.0, -1.0]), "normal"), "in row 1"),
        (lambda: Noise("identity", np.nan, 1.0, "normal"), "shift must be finite"),
        (lambda: Noise("identity", 0.0, 1.0, "cauchy"), "cdf must be 'step'"),
        (lambda: Noise("identity", 0.0, 1.0, "table"), "table must hold numbers"),
        (lambda: Noise("identity", 0.0, 1.0, "points", np.array([1.0, 0.0])), "rise"),
        (lambda: Evaluation.soft([None], "free"), "coupling must be"),
        (lambda: Evaluation.soft([None], eta=0.5), "eta must be"),
    ],
)
def test_noise_and_evaluation_of_another_kind_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_evaluation_that_does_not_fit_is_refused():
    table, predictor = Table.from_matrix(np.zeros((2, 1))), predictor_of(stump(5.0))
    by_row = Noise("identity", 0.0, np.ones(3), "normal")
    ramps = Evaluation.ramps(np.zeros(2), np.zeros(2))
    for evaluation, message in (
        (Evaluation.soft([None, None]), "one entry a column, 1, got 2"),
        (Evaluation.soft([by_row]), "one scale a row, 2, got 3"),
        (ramps, "one entry a node, 3, got 2 and 2"),
    ):
        with pytest.raises(ValueError, match=message):
            predictor.predict_proba(table, evaluation=evaluation)


def test_no_noise_at_all_is_hard():
    assert leaf_shares(stump(5.0), [5.0], None) == {1: 1.0}


def test_noise_and_limits_live_as_long_as_the_evaluation():
    import gc

    soft = Evaluation.soft([Noise("identity", 0.0, np.full(1000, 2.0), "normal")], eta=0.0)
    gc.collect()
    filler = [np.full(1000, 7.0) for _ in range(50)]
    table = Table.from_matrix(np.full((1000, 1), 4.0))
    proba = predictor_of(stump(5.0)).predict_proba(table, evaluation=soft)
    assert proba[:, 0] == pytest.approx(np.full(1000, ndtr(0.5)), abs=1e-9)
    assert len(filler) == 50
