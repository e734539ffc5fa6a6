"""A model file holds witnesses exactly, and its self-test hears them disagree."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import ModelFileError
from clearwood.table.column import Feature
from clearwood.tree import json_text, self_test
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witness, Witnesses
from reference import witness_votes
from reference.random_witnesses import CONFLICTS, random_verified_tree
from reference.verified_example import worked_example
from shared_data import ROOT

SCHEMA = json.loads((ROOT / "src/clearwood/tree/json_schema.json").read_text())
FEATURES = (
    Feature("chol", "numeric"),
    Feature("sbp", "numeric"),
    Feature("stage", "ordinal", ("I", "II", "III")),
    Feature("sex", "nominal", ("f", "m")),
)


def tree_of(conflict="paper"):
    tree = build(cut("chol", 240, leaf([9, 1]), leaf([2, 4]), strict=True), FEATURES, ["no", "yes"])
    witnesses = [
        Witness.below(FEATURES[1], 0.1 + 0.2, agreement=1 / 1.03),
        Witness.below(FEATURES[2], 0.5, is_reversed=True, agreement=0.95),
        Witness.equal(FEATURES[3], 1, is_reversed=True, agreement=0.93),
    ]
    return tree.with_evaluation(Witnesses.of(tree, {0: witnesses}, conflict))


def again(tree):
    text = tree.to_json()
    jsonschema.validate(json.loads(text), SCHEMA)
    return Tree.from_json(text)


def changed(tree, change):
    document = json.loads(tree.to_json())
    change(document)
    del document["sha256"]
    return json.dumps(document | {"sha256": json_text.digest(document)})


@pytest.mark.parametrize("conflict", CONFLICTS)
def test_witnesses_and_their_rule_read_back(conflict):
    tree = again(tree_of(conflict))
    assert tree == tree_of(conflict)
    assert tree.evaluation.threshold[0] == 0.1 + 0.2
    assert tree.evaluation.agreement[0] == 1 / 1.03


def test_a_tree_whose_nodes_have_no_witnesses_reads_back():
    tree = tree_of()
    tree = tree.with_evaluation(Witnesses.of(tree, {}, "main"))
    assert again(tree) == tree


def test_an_entry_names_a_threshold_or_a_level():
    document = json.loads(tree_of().to_json())
    assert document["evaluation"] == "witnesses"
    assert document["gates"] == {"conflict": "paper"}
    assert document["witnesses"][1:] == [
        {"node": 0, "column": 2, "threshold": 0.5, "strict": True, "reversed": True,
         "agreement": 0.95},
        {"node": 0, "column": 3, "level": 1, "reversed": True, "agreement": 0.93},
    ]  # fmt: skip


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_random_tree_with_witnesses_reads_back_as_itself(seed):
    rng = np.random.default_rng(seed)
    tree = random_verified_tree(rng, rng.normal(size=8))
    assert again(tree) == tree


def test_nodes_may_stand_in_any_order_and_witnesses_of_a_node_keep_theirs():
    tree = worked_example()

    def rotate(document):
        found = document["witnesses"]
        document["witnesses"] = found[4:] + found[:4]

    assert Tree.from_json(changed(tree, rotate)) == tree


@pytest.mark.parametrize(
    ("place", "member", "value", "words"),
    [
        (0, "node", 3, r"witnesses\[0\].node must be less than 3, got 3"),
        (0, "node", 1, "nodes: node 1: witnesses.start gives a leaf witnesses"),
        (0, "column", 4, r"witnesses\[0\].column must be less than 4, got 4"),
        (0, "column", 0, "node 0: witnesses.column must not be that of the node, got 0"),
        (0, "column", 2, "node 0: witnesses.column must not be named twice, got 2"),
        (0, "column", 3, r"witnesses\[0\] must have a member 'level': its column is nominal"),
        (2, "column", 1, r"witnesses\[2\] must have a member 'threshold': its column is numeric"),
        (2, "threshold", 1, r"witnesses\[2\] must not have a member 'threshold'"),
        (1, "level", 1, r"witnesses\[1\] must not have a member 'level': its column is ordinal"),
        (2, "level", 2, "node 0: witnesses.level must be a level of its column, got 2"),
        (2, "level", -1, r"witnesses\[2\].level must be at least 0, got -1"),
        (0, "strict", False, r"witnesses\[0\].strict must be true"),
        (0, "reversed", 1, r"witnesses\[0\].reversed must be true or false, got 1"),
        (0, "agreement", 0, "node 0: witnesses.agreement must be above 0 and at most 1, got 0.0"),
        (0, "agreement", 1.5, r"witnesses\[0\].agreement must be at most"),
        (2, "agreement", 0.96, "node 0: witnesses.agreement must not rise inside a node, got 0.96"),
        (0, "colour", "red", r"witnesses\[0\] has an unknown member 'colour'"),
    ],
)
def test_a_damaged_entry_is_named(place, member, value, words):
    text = changed(tree_of(), lambda d: d["witnesses"][place].update({member: value}))
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(text)


@pytest.mark.parametrize("member", ["reversed", "node", "column", "threshold", "agreement"])
def test_a_lacking_member_is_named(member):
    text = changed(tree_of(), lambda d: d["witnesses"][0].pop(member))
    with pytest.raises(ModelFileError, match=rf"witnesses\[0\] must have a member '{member}'"):
        Tree.from_json(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.pop("gates"), "evaluation is 'witnesses', which needs the member 'gates'"),
        (lambda d: d.pop("witnesses"), "which needs the member 'witnesses'"),
        (lambda d: d["gates"].pop("conflict"), "gates must have a member 'conflict'"),
        (lambda d: d["gates"].update(conflict="vote"), "gates.conflict must be 'paper' or 'main'"),
    ],
)
def test_a_damaged_block_is_named(change, words):
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(changed(tree_of(), change))


@pytest.mark.parametrize("conflict", CONFLICTS)
def test_self_test_has_rows_in_which_each_witness_disagrees(conflict):
    tree = tree_of(conflict)
    rows = self_test.rows_for(tree)
    main = [witness_votes.main_branch(tree, 0, row) for row in rows]
    said = [[witness_votes.says(tree, place, row) for place in range(3)] for row in rows]
    for place in range(3):
        alone = [
            votes[place] == 1 - branch and votes.count(None) == 2
            for branch, votes in zip(main, said, strict=True)
            if branch is not None
        ]
        assert sum(alone) == 2  # against the first branch and against the second
    assert any(
        branch is None and None not in votes for branch, votes in zip(main, said, strict=True)
    )
    expected = [witness_votes.answer(tree, row) for row in rows]
    np.testing.assert_allclose(self_test.probabilities(tree, rows), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("place", "member", "value"),
    [
        (0, "threshold", float(np.nextafter(0.1 + 0.2, 1))),
        (0, "threshold", float(np.nextafter(0.1 + 0.2, 0))),
        (0, "reversed", True),
        (1, "threshold", 1.5),
        (1, "reversed", False),
        (2, "level", 0),
    ],
)
@pytest.mark.parametrize("conflict", CONFLICTS)
def test_a_witness_turned_around_fails_the_self_test(conflict, place, member, value):
    text = changed(tree_of(conflict), lambda d: d["witnesses"][place].update({member: value}))
    with pytest.raises(ModelFileError, match=r"self_test\[\d+\] fails"):
        Tree.from_json(text)


@pytest.mark.parametrize("conflict", ["main", "probability"])
def test_another_rule_fails_the_self_test(conflict):
    text = changed(worked_example(), lambda d: d["gates"].update(conflict=conflict))
    with pytest.raises(ModelFileError, match=r"self_test\[\d+\] fails"):
        Tree.from_json(text)


def test_self_test_of_a_wide_tree_asks_for_the_columns_it_looks_at_only():
    features = [Feature(f"gene{i}", "numeric") for i in range(3000)]
    tree = build(cut("gene7", 1, leaf([3, 0]), leaf([0, 3]), strict=True), features, ["a", "b"])
    witnesses = {0: [Witness.below(features[2999], 5)]}
    tree = tree.with_evaluation(Witnesses.of(tree, witnesses))
    rows = self_test.rows_for(tree)
    assert set().union(*rows) == {"gene7", "gene2999"}
    frame = pd.DataFrame(np.full((1, 3000), np.nan), columns=[f.name for f in features])
    frame.loc[0, ["gene7", "gene2999"]] = [0.0, 9.0]
    assert again(tree).predict(frame).tolist() == ["b"]
