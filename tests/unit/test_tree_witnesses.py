"""A tree with witnesses: what it may hold, how it predicts, prunes and explains a row."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ColumnNotFound, InvalidTreeError, ParameterError
from clearwood.table.column import Feature
from clearwood.tree import LEAF, rebuild
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.witnesses import Witness, Witnesses, looked_at
from reference import witness_votes
from reference.random_trees import random_row
from reference.random_witnesses import CONFLICTS, random_verified_tree
from reference.verified_example import LABELS, OBJECTS, worked_example

NAN = np.nan
SEEDS = st.integers(0, 2**32 - 1)
COLUMNS = ["a0", "a1", "a2"]
HEART = (
    Feature("chol", "numeric", unit="mg/dL"),
    Feature("sbp", "numeric", unit="mmHg"),
    Feature("stage", "ordinal", ("I", "II", "III")),
    Feature("sex", "nominal", ("f", "m")),
    Feature("site", "nominal", ("a", "b", "c")),
)


def heart(conflict="paper", agreements=(0.97, 0.95, 0.93, 0.91)):
    """One cut with a witness of each kind: for the first branch speak low sbp, I, f, not b."""
    tree = build(cut("chol", 240, leaf([9, 1]), leaf([2, 4]), strict=True), HEART, ["well", "ill"])
    sbp, stage, sex, site = agreements
    witnesses = [
        Witness.below(HEART[1], 140, agreement=sbp),
        Witness.below(HEART[2], 0.5, agreement=stage),
        Witness.equal(HEART[3], 1, is_reversed=True, agreement=sex),
        Witness.equal(HEART[4], 1, is_reversed=True, agreement=site),
    ]
    return tree.with_evaluation(Witnesses.of(tree, {0: witnesses}, conflict))


def patient(**others):
    """Known values that all speak for the first branch, but for `others`."""
    return {"chol": 200.0, "sbp": 120.0, "stage": "I", "sex": "f", "site": "a"} | others


def predicted(tree, *rows):
    frame = pd.DataFrame(list(rows), columns=[f.name for f in tree.features], dtype=object)
    return tree.predict_proba(frame)


@pytest.mark.parametrize(
    ("conflict", "expected"), [("paper", [1, 1, 0, 0]), ("main", [1, 0, 0, 0])]
)
def test_worked_example_gives_the_classes_of_the_specification(conflict, expected):
    rows = pd.DataFrame([(2, 20, 1), (2, 20, 9), (7, 10, 9), (2, 11, 9)], columns=COLUMNS)
    assert worked_example(conflict).predict(rows.astype(float)).tolist() == expected


@pytest.mark.parametrize("conflict", CONFLICTS)
def test_worked_example_knows_its_own_objects(conflict):
    tree = worked_example(conflict)
    assert tree.n_nodes == 7
    assert tree.predict(pd.DataFrame(OBJECTS, columns=COLUMNS, dtype=float)).tolist() == [*LABELS]


def test_the_condition_and_its_witnesses_are_averaged_by_their_votes():
    """(2, 20, 9): a0 and a2 say first, a1 second; v = 2/3 at the root and at node 2."""
    proba = predicted(worked_example("probability"), {"a0": 2.0, "a1": 20.0, "a2": 9.0})
    # node 3 is unanimous for its first leaf, class 0
    np.testing.assert_allclose(proba, [[2 / 3 + 1 / 3 * 2 / 3, 1 / 9]])


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        (patient(), 0),
        (patient(chol=300.0), 0),  # 4 to 0 against the condition
        (patient(sbp=140.0), 0),  # 3 to 1
        (patient(sbp=140.0, stage="II"), 1),  # a tie goes to the second branch
        (patient(sbp=140.0, stage=None), 0),  # 2 to 1
        (patient(sbp=None, stage=None, sex=None, site=None), 0),
        (patient(sbp=None, stage=None, sex="m", site=None), 1),
        (patient(sbp=None, stage=None, sex=None, site="b"), 1),
        (patient(chol=None, sbp=140.0, stage="II"), 0),  # a tie; 10 of 16 rows went first
    ],
)
def test_the_branch_that_the_paper_lets_win(row, winner):
    answer = ([0.9, 0.1], [1 / 3, 2 / 3])[winner]
    np.testing.assert_allclose(predicted(heart(), row)[0], answer)


def test_the_condition_votes_too_where_conflict_is_main():
    row = patient(sbp=140.0, stage="II")  # 2 to 2, and the condition says first
    np.testing.assert_allclose(predicted(heart("main"), row)[0], [0.9, 0.1])
    row = patient(sbp=140.0, stage="II", sex="m")  # 1 to 3
    np.testing.assert_allclose(predicted(heart("main"), row)[0], [1 / 3, 2 / 3])


@settings(deadline=None)
@given(seed=SEEDS)
def test_prediction_shares_and_path_agree_with_the_slow_reading(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=4)
    tree = random_verified_tree(rng, values)
    row, _ = random_row(rng, values)
    expected = witness_votes.answer(tree, row)
    np.testing.assert_allclose(predicted(tree, row)[0], expected, atol=1e-12)
    path = tree.path(row)
    np.testing.assert_allclose(path.probabilities, expected, atol=1e-12)
    shares = witness_votes.shares(tree, row)
    for step in path.steps:
        for branch in step.branches:
            assert branch.share == pytest.approx(shares[branch.child], abs=1e-12)


@settings(deadline=None)
@given(seed=SEEDS)
def test_explanation_of_a_row_says_who_agrees_and_who_wins(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=4)
    tree = random_verified_tree(rng, values)
    row, _ = random_row(rng, values)
    for step in tree.path(row).steps:
        places = range(tree.evaluation.start[step.node], tree.evaluation.start[step.node + 1])
        said = [witness_votes.says(tree, place, row) for place in places]
        assert [testimony.branch for testimony in step.testimonies] == said
        main = witness_votes.main_branch(tree, step.node, row)
        is_asked = main is None or any(vote not in (None, main) for vote in said)
        assert (step.dispute is not None) == is_asked
        if is_asked and step.dispute.winner is not None:
            first, second = step.dispute.answers
            assert first.label != second.label
            assert [branch.number for branch in step.branches] == [step.dispute.winner]


def test_path_of_a_row_whose_witnesses_all_agree_takes_a_line():
    path = heart().path(patient())
    assert path.text() == (
        "chol = 200 mg/dL: chol < 240 mg/dL; all 4 witnesses agree\n=> well 0.90"
    )
    assert [testimony.agrees for testimony in path.steps[0].testimonies] == [True] * 4
    assert path.steps[0].dispute is None


def test_path_names_the_witnesses_that_are_missing():
    text = heart().path(patient(sbp=None, site="x")).text()
    assert text.startswith(
        "chol = 200 mg/dL: chol < 240 mg/dL; 2 of 4 witnesses agree, 2 are missing\n=> well"
    )
    none = heart().path(patient(sbp=None, stage=None, sex=None, site=None)).text()
    assert "; all 4 witnesses are missing\n" in none


def test_path_tells_of_a_dispute_who_spoke_for_what_and_which_side_counts():
    path = heart().path(patient(sbp=150.0, stage="III", sex="m", site=None))
    assert path.text() == (
        "chol = 200 mg/dL: chol < 240 mg/dL; none of 4 witnesses agrees, 1 is missing\n"
        '    sbp = 150 mmHg (>= 140), stage = "III", sex = "m" speak for chol >= 240 mg/dL\n'
        "    site = missing\n"
        "    both sides are asked\n"
        "    if chol < 240 mg/dL => well 0.90\n"
        "    if chol >= 240 mg/dL => ill 0.67\n"
        "    3 votes to 0: chol >= 240 mg/dL counts\n"
        "=> ill 0.67"
    )
    dispute = path.steps[0].dispute
    assert dispute.votes == (0, 3)
    assert dispute.winner == 1
    assert [answer.label for answer in dispute.answers] == ["well", "ill"]
    values = [testimony.value for testimony in path.steps[0].testimonies]
    assert values == [150.0, "III", "m", None]


@pytest.mark.parametrize(
    ("conflict", "last"),
    [
        ("paper", "2 votes each, a tie that goes to the second side: chol >= 240 mg/dL counts"),
        ("main", "3 votes to 2: chol < 240 mg/dL counts"),
        (
            "probability",
            "they say different classes and are averaged by the votes: "
            "well 0.60 * 0.90 + 0.40 * 0.33 = 0.67",
        ),
    ],
)
def test_path_words_the_rule_in_force(conflict, last):
    text = heart(conflict).path(patient(sbp=150.0, stage="III")).text()
    assert text.splitlines()[-2].strip() == last


def test_path_of_a_missing_value_says_how_many_witnesses_are_known():
    text = heart().path(patient(chol=None, stage="III", site=None)).text()
    assert text.startswith("chol = missing; 3 of 4 witnesses are known\n")
    assert "\n    2 votes to 1: chol < 240 mg/dL counts\n" in text
    alone = heart().path(patient(chol=None, sbp=None, stage=None, sex=None, site=None)).text()
    assert "no vote, so the side with more of the training weight: chol < 240 mg/dL" in alone


def test_path_asks_for_the_columns_of_witnesses():
    assert looked_at(heart()) == [0, 1, 2, 3, 4]
    row = patient()
    del row["site"]
    with pytest.raises(ColumnNotFound, match="site"):
        heart().path(row)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("start", [0, 4, 4], "witnesses.start must have 4 entries, from 0 to the number of"),
        ("start", [0, 3, 4, 4], "node 1: witnesses.start gives a leaf witnesses, got 1"),
        ("start", [0, 5, 4, 4], "node 1: witnesses.start must not fall, got 4"),
        ("column", [1, 2, 3, 5], "node 0: witnesses.column must be one of the 5 features, got 5"),
        ("column", [0, 2, 3, 4], "node 0: witnesses.column must not be that of the node, got 0"),
        ("column", [1, 1, 3, 4], "node 0: witnesses.column must not be named twice, got 1"),
        ("threshold", [NAN, 0.5, NAN, NAN], "node 0: witnesses.threshold must be finite"),
        ("threshold", [140, 0.5, 0.5, NAN], "threshold must be NaN on a nominal column, got 0.5"),
        ("threshold", [140, 0.5, NAN], "witnesses.threshold must have one entry for each of the 4"),
        ("level", [1, -1, 1, 1], "node 0: witnesses.level must be -1 unless the column is nominal"),
        ("level", [-1, -1, 2, 1], "node 0: witnesses.level must be a level of its column, got 2"),
        ("level", [-1, -1, -1, 1], "node 0: witnesses.level must be a level of its column, got -1"),
        ("is_reversed", [2, 0, 1, 1], "node 0: witnesses.is_reversed must be 0 or 1, got 2"),
        ("agreement", [0.9, 0.8, 0.7, 0.0], "agreement must be above 0 and at most 1, got 0.0"),
        ("agreement", [1.1, 0.8, 0.7, 0.6], "agreement must be above 0 and at most 1, got 1.1"),
        ("agreement", [0.9, 0.8, 0.7, 0.75], "agreement must not rise inside a node, got 0.75"),
    ],
)
def test_what_cannot_be_witnesses_of_a_tree_is_named(name, value, words):
    tree = heart()
    with pytest.raises(InvalidTreeError, match=words):
        tree.with_evaluation(replace(tree.evaluation, **{name: value}))


def test_a_node_with_three_branches_has_no_witnesses():
    tree = build(
        levels("site", {"a": leaf([1, 0]), "b": leaf([0, 1]), "c": leaf([2, 1])}), HEART, ["n", "y"]
    )
    with pytest.raises(InvalidTreeError, match="node 0: child_start must give a node of a tree"):
        tree.with_evaluation(Witnesses.of(tree, {0: [Witness.below(HEART[0], 1)]}))


def test_another_conflict_is_refused():
    with pytest.raises(ParameterError, match="conflict must be 'paper', 'main' or 'probability'"):
        heart("vote")


def test_a_tree_equals_its_pickle_and_no_tree_of_other_witnesses():
    tree = worked_example()
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree != worked_example("main")
    witnesses = tree.evaluation
    changed = replace(witnesses, threshold=[*witnesses.threshold[:5], 4.6])
    assert tree != tree.with_evaluation(changed)
    assert tree != tree.with_evaluation(None)


def test_witnesses_are_values_of_the_reader():
    sbp, stage, sex, site = heart().evaluation.of_node(0, HEART)
    assert [witness.text() for witness in (sbp, stage, sex, site)] == [
        "sbp < 140 mmHg", 'stage in {"I"}', 'sex in {"f"}', 'site not in {"b"}',
    ]  # fmt: skip
    assert [witness.text(1) for witness in (sbp, stage, sex, site)] == [
        "sbp >= 140 mmHg", 'stage in {"II", "III"}', 'sex in {"m"}', 'site in {"b"}',
    ]  # fmt: skip
    assert (site.speaks_for("b"), site.speaks_for("c"), site.speaks_for("x")) == (1, 0, None)
    assert (sbp.speaks_for(139.9), sbp.speaks_for(140), sbp.speaks_for(None)) == (0, 1, None)


def test_pruning_keeps_the_witnesses_of_conditions_that_remain():
    tree = worked_example()
    pruned = rebuild(tree, np.array([0, 1, 2, LEAF, 4, 5, 6]))
    assert pruned.evaluation.start.tolist() == [0, 2, 2, 4, 4, 4]
    assert pruned.evaluation == Witnesses.of(
        pruned, {0: tree.evaluation.of_node(0, tree.features),
                 2: tree.evaluation.of_node(2, tree.features)}
    )  # fmt: skip
    raised = rebuild(tree, np.array([2, 1, 2, 3, 4, 5, 6]))
    assert raised.evaluation.of_node(0, tree.features) == tree.evaluation.of_node(2, tree.features)


def test_methods_that_send_rows_again_refuse_a_tree_with_witnesses():
    rows = pd.DataFrame(OBJECTS, columns=COLUMNS, dtype=float)
    for method in ("error_based", cw.pruning.TreeSize(raising=True)):
        with pytest.raises(ParameterError, match="rows whose witnesses disagree"):
            cw.prune(worked_example(), method, rows, LABELS)


def test_levels_below_a_condition_with_witnesses_are_not_narrowed():
    """A witness may send level "b" down the branch of the others."""
    inner = levels("site", {("a", "b"): leaf([3, 0]), "c": leaf([1, 1])})
    root = levels("site", {("a", "c"): inner, "b": leaf([0, 3])}, missing=[1, 0])
    tree = build(root, HEART, ["well", "ill"])
    assert tree.nodes[1].condition.text(0) == 'site in {"a"}'
    tree = tree.with_evaluation(Witnesses.of(tree, {0: [Witness.below(HEART[1], 140)]}))
    assert tree.nodes[1].condition.text(0) == 'site in {"a", "b"}'
    text = tree.path(patient(site="b")).text()
    assert 'site = "b": site in {"b"}; its one witness disagrees\n' in text
    assert '\n        site = "b": site in {"a", "b"}\n        => well 1.00\n' in text
