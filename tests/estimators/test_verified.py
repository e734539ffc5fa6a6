"""The classifier of verified trees: what it refuses, prunes, covers and does with noise."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_score

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.pruning import TreeSize
from reference import verified as slow
from reference.tree import Rows

X, Y = load_breast_cancer(return_X_y=True)
PART = X[:, :6]


@pytest.fixture(scope="module")
def grown():
    return cw.VerifiedTreeClassifier(agreement=0.6, max_depth=6).fit(PART, Y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_verifiers": -1}, "n_verifiers must be a whole number of at least 0, got -1"),
        ({"n_verifiers": 2.5}, "n_verifiers must be a whole number"),
        ({"agreement": 1}, "agreement must be a number of at least 0 and below 1, got 1"),
        ({"orientation": "mirrored"}, "orientation must be one of 'both', 'same'"),
        ({"disagreement": "some"}, "disagreement must be one of 'any', 'all'"),
        ({"conflict": "vote"}, "conflict must be one of 'paper', 'main', 'probability'"),
        ({"min_purity": 0}, "min_purity must be a number above 0 and at most 1, got 0"),
        ({"max_nodes": 0}, "max_nodes must be a whole number of at least 1"),
        ({"max_dup_fraction": 2}, "max_dup_fraction must be a number of at least 0 and at most 1"),
        ({"min_confidence": 1.5}, "min_confidence must be None or a number from 0 to 1"),
        ({"nominal": "branches"}, "nominal must be 'one_vs_rest' or 'subset'"),
        ({"cut_at": "observed"}, "cut_at must be 'midpoint' or 'upper'"),
        ({"evaluation_noise": 0.1}, "decided by the vote of witnesses"),
        ({"evaluation": "ramps"}, "decided by the vote of witnesses"),
        (
            {"compatibility": "c45", "cut_at": "observed"},
            "criterion='discernibility' is not C4.5's",
        ),
        ({"pruning": "error_based"}, "would count rows that go to both branches twice"),
        ({"pruning": "cost_complexity"}, "would count rows that go to both branches twice"),
        ({"pruning": TreeSize(raising=True)}, "without raising"),
        ({"search_noise": 0.1, "gate_coupling": "joint"}, "no interval for gate_coupling"),
    ],
)
def test_refusals_name_parameter_rule_and_value(parameters, message):
    with pytest.raises(ParameterError, match=message):
        cw.VerifiedTreeClassifier(**parameters).fit(PART, Y)


def test_a_limit_beyond_every_tree_is_none(grown):
    beyond = dict.fromkeys(["n_verifiers", "max_nodes", "max_depth"], 2**70)
    model = cw.VerifiedTreeClassifier(**beyond).fit(PART, Y)
    every = cw.VerifiedTreeClassifier(n_verifiers=PART.shape[1], max_depth=len(Y)).fit(PART, Y)
    assert model.tree_ == every.tree_


def test_every_row_is_covered_unless_confidence_is_asked_for(grown):
    assert grown.coverage(PART) == 1.0
    unsure = cw.VerifiedTreeClassifier(max_depth=2, min_confidence=0.9).fit(PART, Y)
    highest = unsure.predict_proba(PART).max(axis=1)
    assert np.array_equal(unsure.is_covered(PART), highest >= 0.9)
    assert unsure.coverage(PART) == pytest.approx((highest >= 0.9).mean())
    assert 0.5 < unsure.coverage(PART) < 1


def test_the_answer_is_the_most_probable_class(grown):
    assert np.array_equal(grown.predict(PART), grown.predict_proba(PART).argmax(axis=1))


def pruned_slowly(model, X, codes, c):
    """Bottom up, each subtree tried by classifying the rows that its root is asked about."""
    tree = model.tree_
    rows = Rows(list(X.T), [0] * X.shape[1], codes, 2, np.ones(len(codes)))
    options = slow.Options(agreement=model.agreement, max_depth=model.max_depth)
    root = slow.grow(rows, options)

    def leaf_of(node):
        return slow.Node(node.rows, node.masses)

    def prune(node, asked):
        if node.first is None:
            return node
        votes = [slow.ballot(node, X[row]) for row in asked]
        first = [row for row, vote in zip(asked, votes, strict=True) if vote.only_branch != 1]
        second = [row for row, vote in zip(asked, votes, strict=True) if vote.only_branch != 0]
        node.first, node.second = prune(node.first, first), prune(node.second, second)
        k = sum(1 for _ in node.preorder())
        n = len(asked)
        as_leaf = sum(codes[row] != node.masses.argmax() for row in asked)
        as_subtree = sum(codes[row] != slow.classify(node, X[row]) for row in asked)
        by_chance = c * math.sqrt((k * math.log(X.shape[1]) + math.log(20)) / n)
        return leaf_of(node) if as_leaf / n <= as_subtree / n + by_chance else node

    assert sum(1 for _ in root.preorder()) == tree.n_nodes
    return prune(root, list(range(len(codes))))


@pytest.mark.parametrize("c", [0.0, 0.02, 0.1])
def test_pruning_by_tree_size_counts_every_row_once(c):
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 2, 90)
    table = np.round(rng.normal(size=(90, 4)) + codes[:, None], 1)
    settings = {"agreement": 0.4, "max_depth": 5}
    model = cw.VerifiedTreeClassifier(**settings).fit(table, codes)
    expected = pruned_slowly(model, table, codes, c)
    pruned = cw.prune(model, TreeSize(c=c), table, codes)
    assert [n.masses.tolist() for n in expected.preorder()] == pruned.masses.tolist()
    assert pruned.n_nodes < model.tree_.n_nodes
    fitted = cw.VerifiedTreeClassifier(**settings, pruning=TreeSize(c=c)).fit(table, codes)
    assert fitted.tree_ == pruned


def test_pruning_keeps_the_witnesses_of_the_nodes_that_stay(grown):
    pruned = cw.prune(grown, "tree_size", PART, Y, c=0.05)
    kept = pruned.evaluation
    assert 1 < pruned.n_leaves < grown.get_n_leaves()
    assert kept.start[1] == grown.tree_.evaluation.start[1] > 0
    assert (np.diff(kept.start)[pruned.is_leaf] == 0).all()


@pytest.mark.parametrize("method", ["error_based", "cost_complexity", "pessimistic_error"])
def test_methods_that_count_copies_twice_are_refused(grown, method):
    with pytest.raises(ParameterError, match="count rows whose witnesses disagree twice"):
        cw.prune(grown, method, PART, Y)
    with pytest.raises(ParameterError, match="count rows whose witnesses disagree twice"):
        cw.pruning_path(grown, method, training=(PART, Y))
    with pytest.raises(ParameterError, match="would count rows that go to both branches twice"):
        grown.cost_complexity_pruning_path(PART, Y)


def test_pruning_asks_for_the_rows(grown):
    with pytest.raises(ParameterError, match="give X and y"):
        cw.prune(grown, "tree_size")
    with pytest.raises(ParameterError, match=r"training=\(X, y\)"):
        cw.pruning_path(grown, "tree_size", PART, Y)


def test_a_pruning_path_measures_what_is_decided(grown):
    held_out = np.arange(len(Y)) % 2 == 0
    model = cw.VerifiedTreeClassifier(agreement=0.6, max_depth=6).fit(PART[~held_out], Y[~held_out])
    path = cw.pruning_path(
        model, "tree_size", PART[held_out], Y[held_out], training=(PART[~held_out], Y[~held_out])
    )
    for step in (0, len(path.values) // 3, path.chosen):
        tree = path.tree(step)
        assert path.errors[step] == pytest.approx(
            (tree.predict(PART[held_out]) != Y[held_out]).mean()
        )
        rows, labels = PART[~held_out], Y[~held_out]
        assert path.training_errors[step] == pytest.approx((tree.predict(rows) != labels).mean())
        assert path.n_leaves[step] == tree.n_leaves
    assert path.errors[path.chosen] == path.errors.min()


def test_without_noise_soft_training_is_hard_training():
    settings = {"agreement": 0.6, "max_depth": 6}
    hard = cw.VerifiedTreeClassifier(**settings).fit(PART, Y).tree_
    soft = cw.VerifiedTreeClassifier(**settings, search_noise=0.0, propagation_noise=0.0)
    assert soft.fit(PART, Y).tree_ == hard


def test_noise_divides_the_rows_that_witnesses_do_not_copy():
    noise = {"x0": cw.noise.Normal(0.5)}
    x = np.array([[1.0, 0], [2, 0], [3, 0], [4, 1], [5, 1], [6, 1]])
    y = np.array([0, 0, 0, 1, 1, 1])
    settings = {"propagation_noise": noise, "max_depth": 1}
    alone = cw.VerifiedTreeClassifier(**settings, n_verifiers=0).fit(x, y).tree_
    below = [0.5 * (1 + math.erf((3.5 - v) / (0.5 * math.sqrt(2)))) for v in x[:, 0]]
    below = [0.0 if b < 1e-6 else 1.0 if b > 1 - 1e-6 else b for b in below]
    assert alone.masses[1] == pytest.approx([sum(below[:3]), sum(below[3:])], abs=1e-12)
    # The fifth row's witness says "first", so that both branches get it whole.
    x[4, 1] = 0
    verified = cw.VerifiedTreeClassifier(**settings, agreement=0.5).fit(x, y).tree_
    assert verified.threshold[0] == 3.5
    assert verified.masses[1, 1] == pytest.approx(below[3] + 1 + below[5], abs=1e-12)
    assert verified.masses[2, 1] == pytest.approx(3 - below[3] - below[5], abs=1e-12)


def test_soft_search_moves_a_cut_as_in_other_trees():
    noise = {"x0": cw.noise.Normal(0.5)}
    x = np.array([[1.0], [2], [3], [5], [6], [20]])
    y = np.array([0, 0, 0, 1, 1, 1])
    verified = cw.VerifiedTreeClassifier(search_noise=noise, max_depth=1).fit(x, y).tree_
    plain = cw.TreeClassifier(criterion="discernibility", search_noise=noise, max_depth=1)
    assert verified.threshold[0] == pytest.approx(plain.fit(x, y).tree_.threshold[0])
    assert 3 < verified.threshold[0] < 5


def test_a_tree_with_many_columns_finds_the_witnesses_that_were_planted():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 50)
    wide = rng.normal(size=(100, 3000))
    wide[:, 17] = 10.0 * y + rng.normal(size=100)
    wide[:, 1800] = -10.0 * y + rng.normal(size=100)
    wide[:, 2999] = 10.0 * y + rng.normal(size=100)
    tree = cw.VerifiedTreeClassifier().fit(wide, y).tree_
    assert (tree.n_nodes, tree.column[0]) == (3, 17)
    assert tree.evaluation.column.tolist() == [1800, 2999]
    assert tree.evaluation.is_reversed.tolist() == [1, 0]
    assert tree.evaluation.agreement.tolist() == [1.0, 1.0]


def test_a_saved_tree_answers_as_before(grown, tmp_path):
    grown.tree_.save(tmp_path / "verified.json")
    loaded = cw.load(tmp_path / "verified.json")
    assert np.array_equal(loaded.predict_proba(PART), grown.predict_proba(PART))


def test_many_fits_are_left_to_fit_itself(grown):
    with pytest.raises(ParameterError, match="without ramps, witnesses"):
        cw.fit_many([cw.Fit(cw.VerifiedTreeClassifier(), np.arange(len(Y)))], PART, Y)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    model = cw.VerifiedTreeClassifier(max_depth=3)
    tuned = cw.tune(
        model, PART, Y, {"n_verifiers": [3]}, cv=folds, progress=False, scoring="accuracy"
    )
    assert tuned.fold_scores[0].tolist() == cross_val_score(model, PART, Y, cv=folds).tolist()
