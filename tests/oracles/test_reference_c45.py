"""The slow C4.5 is itself held to the original where it is quick enough to run."""

import pytest

from oracles.c45_cases import OPTION_SETS, first_difference, read_oracle, training_cases
from reference.c45 import grow_c45
from shared_data import shared

QUICK = ("breast-cancer", "crx", "glass", "golf", "labor-neg", "synth-manyvalued", "synth-missing")


@pytest.mark.parametrize("dataset", QUICK)
@pytest.mark.parametrize("option_set", OPTION_SETS)
def test_slow_version_grows_and_prunes_the_trees_of_the_original(dataset, option_set):
    folder = shared("oracles", "c45")
    oracle = read_oracle(folder, dataset, option_set)
    grown, pruned, estimate = grow_c45(training_cases(folder, dataset), oracle.options)
    if oracle.grown_is_robust:
        assert first_difference(oracle.grown, grown, oracle.schema) is None
    if oracle.pruned_is_robust:
        assert first_difference(oracle.pruned, pruned, oracle.schema) is None
        assert estimate == pytest.approx(oracle.estimate, rel=1e-5, abs=1e-4)
