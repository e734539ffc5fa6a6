"""The slow verified tree against worked numbers, the laws it promises, and a second RS-C."""

import numpy as np
import pytest

from reference.tree import Rows
from reference.verified import (
    Condition,
    Options,
    Witness,
    agreement,
    best_condition,
    classify,
    contradicted,
    discerned,
    grow,
    pairs_apart,
    probabilities,
    separation,
    sides,
    witnesses_of,
)

EIGHT = np.array(
    [
        (1, 10, 9),
        (2, 11, 8),
        (3, 12, 7),
        (4, 19, 6),
        (5, 13, 3),
        (6, 20, 2),
        (7, 21, 4),
        (8, 22, 1),
    ],
    float,
)
MAIN = Condition(0, 4.5)
TWO = Options(n_verifiers=2, agreement=0.5)


def rows_of(columns, classes, n_levels=None, weights=None):
    columns = [np.asarray(column) for column in columns]
    weights = np.ones(len(classes)) if weights is None else np.asarray(weights, float)
    n_levels = n_levels or [0] * len(columns)
    classes = np.asarray(classes)
    return Rows(columns, n_levels, classes, int(classes.max()) + 1, weights)


def eight():
    return rows_of(EIGHT.T, [0] * 4 + [1] * 4)


def random_rows(rng, n_classes=2, missing=0.0, n_levels=(0, 0, 0, 3)):
    """Up to 24 rows with many ties; two numeric columns follow the class, one of them falling."""
    n = int(rng.integers(6, 25))
    classes = rng.integers(0, n_classes, n)
    columns = []
    for column, levels in enumerate(n_levels):
        is_missing = rng.random(n) < missing
        if levels:
            codes = np.where(rng.random(n) < 0.6, classes % levels, rng.integers(0, levels, n))
            columns.append(np.where(is_missing, -1, codes))
        else:
            follows = (1, -1, 0)[column % 3] * 3 * classes
            values = follows + rng.integers(0, 5, n).astype(float)
            columns.append(np.where(is_missing, np.nan, values))
    classes[:n_classes] = np.arange(n_classes)
    weights = rng.choice([1.0, 2.0], n)
    return Rows(columns, list(n_levels), classes, n_classes, weights)


def row_of(rows, number):
    return [column[number] for column in rows.columns]


def test_the_main_cut_of_eight_rows_discerns_all_sixteen_pairs():
    assert best_condition(eight()) == MAIN
    assert discerned(eight(), MAIN) == 16


@pytest.mark.parametrize(
    ("column", "cuts", "is_mirrored", "pairs"),
    [
        (1, (10.5, 11.5, 12.5, 16, 19.5, 20.5, 21.5), False, (4, 8, 12, 9, 12, 8, 4)),
        (2, (1.5, 2.5, 3.5, 5, 6.5, 7.5, 8.5), False, (0, 0, 0, 0, 0, 0, 0)),
        (2, (1.5, 2.5, 3.5, 5, 6.5, 7.5, 8.5), True, (4, 8, 12, 16, 12, 8, 4)),
        (1, (16,), True, (1,)),
    ],
)
def test_agreement_of_every_cut_of_eight_rows(column, cuts, is_mirrored, pairs):
    found = [
        16 * agreement(eight(), MAIN, Condition(column, cut, is_mirrored=is_mirrored))
        for cut in cuts
    ]
    assert found == list(pairs)


def test_witnesses_of_eight_rows():
    falling = Witness(Condition(2, 5.0, is_mirrored=True), 1.0)
    rising = Witness(Condition(1, 12.5), 0.75)
    strict = {"n_verifiers": 2, "agreement": 0.9}
    assert witnesses_of(eight(), MAIN, Options(**strict)) == [falling]
    assert witnesses_of(eight(), MAIN, Options(**strict, orientation="same")) == []
    assert witnesses_of(eight(), MAIN, TWO) == [falling, rising]
    assert witnesses_of(eight(), MAIN, Options(n_verifiers=2, agreement=0.75)) == [falling]


def test_the_fourth_of_eight_rows_is_copied_and_twelve_pairs_stay_apart():
    witnesses = witnesses_of(eight(), MAIN, TWO)
    is_copied = contradicted(eight(), MAIN, witnesses, "any")
    assert np.flatnonzero(is_copied).tolist() == [3]
    assert separation(eight(), *sides(eight(), MAIN, is_copied)) == 12
    assert not contradicted(eight(), MAIN, witnesses, "all").any()
    tree = grow(eight(), TWO)
    assert len(list(tree.preorder())) == 7
    assert tree.first.rows.tolist() == [0, 1, 2, 3]
    assert tree.second.rows.tolist() == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("row", "paper", "main"),
    [((2, 20, 1), 1, 1), ((2, 20, 9), 1, 0), ((7, 10, 9), 0, 0), ((2, 11, 9), 0, 0)],
)
def test_classes_of_new_rows(row, paper, main):
    tree = grow(eight(), TWO)
    assert classify(tree, row) == paper
    assert classify(tree, row, "main") == main


def inner_nodes(tree):
    return [node for node in tree.preorder() if node.main is not None]


def check_progress_and_subsets(rows, options):
    """Asserts both at every node; how many witnesses there are in all."""
    n_witnesses = 0
    for node in inner_nodes(grow(rows, options)):
        part = rows.part(node.rows, rows.weights[node.rows])
        is_copied = contradicted(part, node.main, node.witnesses, options.disagreement)
        apart = separation(part, *sides(part, node.main, is_copied))
        loss = len(node.witnesses) * (1 - options.agreement)
        assert apart > 0
        assert apart >= discerned(part, node.main) * (1 - loss) - 1e-9
        for branch in (node.first, node.second):
            assert set(branch.rows) < set(node.rows)
        assert set(node.first.rows) | set(node.second.rows) == set(node.rows)
        n_witnesses += len(node.witnesses)
    return n_witnesses


def test_witnesses_leave_the_promised_pairs_apart_and_every_branch_is_a_strict_subset():
    rng = np.random.default_rng(1)
    n_witnesses = 0
    for number in range(300):
        rows = random_rows(rng, 2 + number % 2, missing=(0.0, 0.0, 0.2)[number % 3])
        options = Options(
            n_verifiers=int(rng.integers(1, 4)),
            agreement=float(rng.choice([0.5, 0.7, 0.9])),
            disagreement=str(rng.choice(["any", "all"])),
            max_dup_fraction=None,
        )
        n_witnesses += check_progress_and_subsets(rows, options)
    assert n_witnesses > 300


def rs_c(classes, columns):
    """RS-C of complete unweighted numbers, written apart: nested (column, cut, first, second)."""
    best = (0, None)
    for column, values in enumerate(columns):
        for cut in sorted(set(values))[1:]:
            first, second = (
                np.bincount(classes[s], minlength=9) for s in (values < cut, values >= cut)
            )
            pairs = int(np.outer(first, second).sum() - first @ second)
            if pairs > best[0]:
                best = (pairs, (column, values < cut))
    if best[1] is None:
        return np.bincount(classes, minlength=3).tolist()
    column, is_first = best[1]
    branches = (rs_c(classes[s], [v[s] for v in columns]) for s in (is_first, ~is_first))
    return (column, int(is_first.sum()), *branches)


def nested(node):
    if node.main is None:
        return node.masses.astype(int).tolist()
    return (node.main.column, len(node.first.rows), nested(node.first), nested(node.second))


def test_without_witnesses_the_branches_partition_the_rows_and_the_tree_is_rs_c():
    rng = np.random.default_rng(2)
    for _ in range(60):
        columns = rng.integers(0, 6, (3, 20)).astype(float)
        classes = np.concatenate([[0, 1, 2], rng.integers(0, 3, 17)])
        tree = grow(rows_of(columns, classes), Options(n_verifiers=0, max_depth=99))
        assert nested(tree) == rs_c(classes, list(columns))
        for node in inner_nodes(tree):
            assert len(node.first.rows) + len(node.second.rows) == len(node.rows)
            assert node.witnesses == []


def test_the_class_is_the_first_of_the_most_probable_ones():
    rng = np.random.default_rng(3)
    n_conflicts = 0
    for number in range(60):
        rows = random_rows(rng, 2 + number % 2, missing=0.15)
        tree = grow(rows, Options(agreement=0.5))
        others = random_rows(rng, missing=0.3)
        for row in (row_of(others, i) for i in range(6)):
            for conflict in ("paper", "main", "probability"):
                shares = probabilities(tree, row, conflict)
                assert shares.sum() == pytest.approx(1)
                assert classify(tree, row, conflict) == np.argmax(shares)
            n_conflicts += classify(tree, row) != classify(tree, row, "main")
    assert n_conflicts > 0


def test_pairs_of_three_classes_weigh_the_product_of_their_weights():
    assert pairs_apart(np.array([2.0, 1.0, 0.0]), np.array([0.0, 3.0, 0.5])) == 6 + 1 + 0.5


def test_ties_go_to_the_lowest_column_and_then_to_the_lowest_cut():
    rows = rows_of([[1.0, 2, 3, 4], [4.0, 3, 2, 1]], [0, 1, 1, 0])
    assert best_condition(rows) == Condition(0, 1.5)


def test_pairs_of_a_column_are_scaled_by_the_known_mass():
    # Column 0 parts both known pairs of its three rows, 2 * 3/4; column 1 parts 2 of 4 rows' pairs.
    rows = rows_of([[1.0, 2, 2, np.nan], [1.0, 1, 3, 1]], [0, 1, 1, 0])
    assert discerned(rows, Condition(0, 1.5)) == 2
    assert discerned(rows, Condition(1, 2.0)) == 2
    assert best_condition(rows) == Condition(1, 2.0)


def test_a_level_is_taken_against_the_rest_and_witnesses_a_cut():
    rows = rows_of([[1.0, 2, 3, 4, 5], [2, 2, 0, 1, 1]], [0, 0, 1, 1, 1], n_levels=[0, 3])
    main = Condition(0, 2.5)
    assert best_condition(rows) == main
    assert witnesses_of(rows, main, Options()) == [Witness(Condition(1, 2.0, is_level=True), 1.0)]


def test_a_missing_main_value_sends_a_row_to_both_branches_and_a_missing_witness_abstains():
    rows = rows_of([[1.0, 2, 3, 4, np.nan], [5.0, np.nan, 7, 8, 8]], [0, 0, 1, 1, 1])
    tree = grow(rows, Options(agreement=0.4))
    assert tree.main == Condition(0, 2.5)
    assert tree.witnesses == [Witness(Condition(1, 6.0), 0.5)]  # 2 of the 4 pairs are known
    assert tree.first.rows.tolist() == [0, 1, 4]
    assert tree.second.rows.tolist() == [2, 3, 4]
    assert tree.first_share == 0.5


@pytest.mark.parametrize(
    ("row", "label", "share"),
    [
        ((np.nan, 8.0), 1, (0 + 1 / 3) / 2),  # the witness decides
        ((np.nan, 1.0), 0, (1 + 1 / 3) / 2),
        ((np.nan, np.nan), 1, 1 / 3),  # nobody votes: the heavier branch
        ((1.0, np.nan), 0, 1.0),
        ((1.0, 8.0), 1, (0 + 1) / 2),
    ],
)
def test_votes_where_the_main_value_is_missing(row, label, share):
    tree = grow(rows_of([[1.0, 1, 3, 4, 5, 6], [1.0, 1, 8, 8, 8, 8]], [0, 0, 1, 1, 1, 1]))
    assert classify(tree, row) == label
    assert probabilities(tree, row, "probability")[0] == pytest.approx(share)
    assert probabilities(tree, row)[label] == 1.0


def test_the_weakest_witness_goes_while_too_many_rows_would_be_copied():
    options = {"n_verifiers": 2, "agreement": 0.5}
    assert len(grow(eight(), Options(**options, max_dup_fraction=0.125)).witnesses) == 2
    assert len(grow(eight(), Options(**options, max_dup_fraction=0.12)).witnesses) == 1


def test_witnesses_without_progress_are_dropped():
    # Each witness contradicts one of the two rows of class 0: together they copy both.
    columns = [[1.0, 2, 3, 4], [1.0, 9, 2, 10], [9.0, 1, 10, 2]]
    rows = rows_of(columns, [0, 0, 1, 1])
    options = Options(agreement=0.2, orientation="same", max_dup_fraction=None)
    found = witnesses_of(rows, Condition(0, 2.5), options)
    assert len(found) == 2
    is_copied = contradicted(rows, Condition(0, 2.5), found, "any")
    assert is_copied.tolist() == [True, True, False, False]
    assert separation(rows, *sides(rows, Condition(0, 2.5), is_copied)) == 0
    assert len(grow(rows, options).witnesses) == 1


def test_limits_stop_growth():
    rng = np.random.default_rng(4)
    rows = rows_of(rng.random((2, 40)), rng.integers(0, 2, 40))
    assert max(node.depth for node in grow(rows, Options(max_depth=2)).preorder()) == 2
    assert len(list(grow(rows, Options(max_nodes=8)).preorder())) == 7
    leaves = [n for n in grow(rows, Options(min_purity=0.7)).preorder() if n.main is None]
    assert all(leaf.masses.max() >= 0.7 * leaf.masses.sum() for leaf in leaves)
    assert any(leaf.masses.min() > 0 for leaf in leaves)
