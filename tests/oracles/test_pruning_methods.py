"""Every pruning method against numbers of independent origin, on trees of C4.5."""

import dataclasses
import json

import numpy as np
import pytest

from clearwood.pruning import (
    MinimumError,
    PessimisticError,
    ReducedError,
    TreeSize,
    minimum_error,
    optimal_sizes,
    pessimistic_error,
    reduced_error,
    tree_size,
)
from clearwood.pruning.cost_complexity import cost_complexity_path
from clearwood.pruning.errors_below import errors_as_leaf, errors_ending, errors_left, leaves_left
from clearwood.pruning.minimum_error import expected_error
from clearwood.pruning.rows import PruningRows, node_masses
from clearwood.table.table import Table
from clearwood.tree import rebuild
from oracles.c45_cases import oracle_node, read_schema, training_cases
from oracles.test_cost_complexity import our_tree
from shared_data import shared


def cases():
    for path in sorted(shared("oracles", "pruning").glob("*__*.json")):
        content = json.loads(path.read_text())
        if not path.stem.startswith("rep__"):
            grown = json.loads(shared("oracles", "c45", content["tree_from"]).read_text())
            schema = read_schema(shared("oracles", "c45"), content["dataset"])
            tree = our_tree(oracle_node(grown["tree_unpruned"], schema), schema)
            yield pytest.param(tree, content, id=path.stem)


def facts(tree, replacement):
    """Size, leaves and training errors of the pruned tree."""
    pruned = rebuild(tree, replacement)
    errors = errors_as_leaf(pruned, pruned.masses)[pruned.is_leaf].sum()
    return {"size": pruned.n_nodes, "leaves": pruned.n_leaves, "errors": pytest.approx(errors)}


def numbers(expected):
    return {name: expected[name] for name in ("size", "leaves", "errors")}


@pytest.fixture(scope="module")
def all_cases():
    return [case.values for case in cases()]


def test_there_are_more_than_forty_cases(all_cases):
    assert len(all_cases) > 40


def test_tree_size_has_the_sizes_and_errors_of_the_oracle(all_cases):
    for tree, content in all_cases:
        for c, expected in content["mansour_no_raising_ln"].items():
            found = facts(tree, tree_size(tree, tree.masses, TreeSize(float(c))))
            assert numbers(expected) == found, (content["tree_from"], c)


def test_pessimistic_error_has_the_sizes_and_errors_of_the_oracle(all_cases):
    for tree, content in all_cases:
        found = facts(tree, pessimistic_error(tree, tree.masses, PessimisticError()))
        assert numbers(content["pessimistic_pep_quinlan87"]) == found, content["tree_from"]


def test_minimum_error_has_the_sizes_and_expected_errors_of_the_oracle(all_cases):
    for tree, content in all_cases:
        asked = {"uniform": (MinimumError(), content["mep_niblett_laplace"])}
        asked |= {m: (MinimumError(float(m)), e) for m, e in content["mep_m_estimate"].items()}
        for name, (options, expected) in asked.items():
            found = facts(tree, minimum_error(tree, tree.masses, options))
            assert numbers(expected) == found, (content["tree_from"], name)
            error = expected_error(tree, tree.masses, options)
            assert error == pytest.approx(expected["expected_error"], abs=1e-12)


def test_opt_has_the_least_errors_of_the_oracle_for_every_number_of_leaves(all_cases):
    for tree, content in all_cases:
        sizes = optimal_sizes(tree, tree.masses)
        found = dict(zip(sizes.n_leaves.tolist(), sizes.errors.tolist(), strict=True))
        expected = {int(k): e for k, e in content["opt_min_errors_by_leaves"].items()}
        assert found == pytest.approx(expected), content["tree_from"]
        for n_leaves in list(found)[:: max(1, len(found) // 7)]:
            made = facts(tree, sizes.replacement(n_leaves))
            assert (made["leaves"], made["errors"]) == (n_leaves, found[n_leaves])


def test_cost_complexity_trees_lie_on_the_lower_convex_hull_of_opt(all_cases):
    for tree, content in all_cases:
        sizes = optimal_sizes(tree, tree.masses)
        least = dict(zip(sizes.n_leaves.tolist(), sizes.errors.tolist(), strict=True))
        path = cost_complexity_path(tree, "error")
        errors = path.risks * tree.masses[0].sum()
        for n_leaves, made in zip(path.n_leaves.tolist(), errors.tolist(), strict=True):
            assert made == pytest.approx(least[n_leaves], abs=1e-6), content["tree_from"]
        hull = np.interp(sizes.n_leaves, path.n_leaves[::-1], errors[::-1])
        within = sizes.n_leaves <= path.n_leaves[0]
        assert (sizes.errors >= hull - 1e-6)[within].all()


def labels_in_order(node):
    """The class of each node, in pre-order."""
    return [node.label, *(label for branch in node.branches for label in labels_in_order(branch))]


def reduced_error_cases():
    for path in sorted(shared("oracles", "pruning").glob("rep__*.json")):
        content = json.loads(path.read_text())
        dataset = content["dataset"]
        schema = read_schema(shared("oracles", "c45"), dataset)
        node = oracle_node(content["tree_unpruned"], schema)
        tree = our_tree(node, schema)
        # Where classes tie, the original's leaf is of the class that its parent has.
        certain = np.eye(tree.n_classes)[labels_in_order(node)]
        single = tree.threshold.astype(np.float32).astype(np.float64)
        tree = dataclasses.replace(tree, distribution=certain, threshold=single)
        yield tree, content, training_cases(shared("oracles", "c45"), dataset)


def as_rows(tree, found):
    """Every third row, in single precision as C4.5 reads them."""
    columns = [
        column if n else column.astype(np.float32).astype(np.float64)
        for column, n in zip(found.columns, found.n_levels, strict=True)
    ]
    columns = [np.ascontiguousarray(column[2::3]) for column in columns]
    table = Table(tree.features, columns, None, len(columns[0]))
    return PruningRows(table, np.ascontiguousarray(found.classes[2::3]))


def test_reduced_error_pruning_has_the_sizes_and_errors_of_the_oracle():
    n_cases = 0
    for tree, content, found in reduced_error_cases():
        masses = node_masses(tree, as_rows(tree, found))
        as_leaf, ending = errors_as_leaf(tree, masses), errors_ending(tree, masses)
        for name, replacement in (
            ("unpruned", np.arange(tree.n_nodes)),
            ("pruned", reduced_error(tree, masses, ReducedError())),
        ):
            expected = content[name]
            errors = errors_left(tree, replacement, as_leaf, ending)
            pruned = rebuild(tree, replacement)
            assert (pruned.n_nodes, pruned.n_leaves, errors) == (
                expected["size"], expected["leaves"], expected["prune_set_errors"],
            ), (content["dataset"], name)  # fmt: skip
            assert leaves_left(tree, replacement).sum() == pruned.n_leaves
        n_cases += 1
    assert n_cases == 10
