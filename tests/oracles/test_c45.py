"""C4.5 release 8: grown tree, pruned tree, estimate and errors as the original printed them.

A run whose own result does not change with the original's floating-point mode (`fp_robust`) must
be met node by node; `report_c45` tells about the others.
"""

import pytest

from oracles.c45_cases import (
    OPTION_SETS,
    first_difference,
    read_oracle,
    test_cases,
    training_cases,
)
from oracles.c45_ours import as_node, grow_c45, hard_errors
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


@pytest.mark.parametrize("option_set", OPTION_SETS)
def test_trees_estimate_and_errors_are_those_of_the_original(dataset, cases, option_set):
    folder = shared("oracles", "c45")
    oracle = read_oracle(folder, dataset, option_set)
    options = oracle.options
    grown, pruned, estimate = grow_c45(cases, options)
    held_out = test_cases(folder, dataset)
    if oracle.grown_is_robust:
        assert first_difference(oracle.grown, as_node(grown), oracle.schema) is None
        assert hard_errors(grown, cases, options) == oracle.grown_errors
    if oracle.pruned_is_robust:
        ours = as_node(pruned, options.confidence)
        assert first_difference(oracle.pruned, ours, oracle.schema) is None
        assert estimate == pytest.approx(oracle.estimate, rel=1e-5, abs=1e-4)
        assert hard_errors(pruned, cases, options) == oracle.pruned_errors
    if held_out is not None and oracle.test_errors is not None:
        of_grown, of_pruned = oracle.test_errors
        assert not oracle.grown_is_robust or hard_errors(grown, held_out, options) == of_grown
        assert not oracle.pruned_is_robust or hard_errors(pruned, held_out, options) == of_pruned
