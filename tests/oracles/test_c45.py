"""C4.5 release 8: grown tree, pruned tree, estimate and errors as the original printed them.

A run whose own result does not change with the original's floating-point mode (`fp_robust`) must
be met node by node; `report_c45` tells about the others.
"""

from dataclasses import dataclass

import pytest

from clearwood.tree import Tree
from oracles.c45_cases import (
    OPTION_SETS,
    Oracle,
    first_difference,
    read_oracle,
    test_cases,
    training_cases,
)
from oracles.c45_ours import as_node, grow_c45, hard_errors
from reference.c45 import Cases
from shared_data import SHARED, shared

DATASETS = sorted(
    path.name.removesuffix(".schema.json")
    for path in (SHARED / "oracles" / "c45" / "data").glob("*.schema.json")
)


@pytest.fixture(scope="module", params=DATASETS or ["no data set"])
def dataset(request):
    return request.param


@pytest.fixture(scope="module")
def cases(dataset):
    return training_cases(shared("oracles", "c45"), dataset)


@dataclass(frozen=True)
class Run:
    """The original's answer and ours; `errors` counts the misclassified rows of a table."""

    oracle: Oracle
    grown: Tree
    pruned: Tree
    estimate: float
    cases: Cases
    held_out: Cases | None

    def errors(self, tree: Tree, rows: Cases) -> int:
        return hard_errors(tree, rows, self.oracle.options)


@pytest.fixture(scope="module", params=OPTION_SETS)
def run(request, dataset, cases):
    folder = shared("oracles", "c45")
    oracle = read_oracle(folder, dataset, request.param)
    grown, pruned, estimate = grow_c45(cases, oracle.options)
    return Run(oracle, grown, pruned, estimate, cases, test_cases(folder, dataset))


def test_grown_trees_and_their_errors_are_those_of_the_original(run):
    oracle = run.oracle
    if not oracle.grown_is_robust:
        return
    assert first_difference(oracle.grown, as_node(run.grown), oracle.schema) is None
    assert run.errors(run.grown, run.cases) == oracle.grown_errors
    if run.held_out is not None and oracle.test_errors is not None:
        assert run.errors(run.grown, run.held_out) == oracle.test_errors[0]


def test_pruned_trees_estimate_and_errors_are_those_of_the_original(run):
    oracle = run.oracle
    if not oracle.pruned_is_robust:
        return
    ours = as_node(run.pruned, oracle.options.confidence)
    assert first_difference(oracle.pruned, ours, oracle.schema) is None
    assert run.estimate == pytest.approx(oracle.estimate, rel=1e-5, abs=1e-4)
    assert run.errors(run.pruned, run.cases) == oracle.pruned_errors
    if run.held_out is not None and oracle.test_errors is not None:
        assert run.errors(run.pruned, run.held_out) == oracle.test_errors[1]
