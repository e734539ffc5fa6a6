"""Claims of Mansour (1997) that hold for our trees; the whole of it under ``-m paper``."""

import math
import statistics

import numpy as np
import pytest

import clearwood as cw
from clearwood.pruning import TreeSize
from experiments.__main__ import load, main, papers
from experiments.protocol.significance import difference_of_proportions
from experiments.protocol.store import Store
from experiments.protocol.tables import number
from shared_data import shared

mansour = load("mansour-1997")
N_ROWS = {"australian": 690, "diabetes": 768, "german": 1000, "heart": 270, "adult": 48842,
          "ionosphere": 351}  # fmt: skip


def test_every_folder_with_a_run_is_an_experiment(capsys):
    assert "mansour-1997" in papers()
    assert main(["unheard-of"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_papers_marks_follow_from_its_rates_by_a_one_sided_test():
    wrong = []
    for (criterion, name), row in mansour.EXPECTED.items():
        for mark, baseline in (("*", "c4.5 -c 25"), ("+", "unpruned")):
            rates = [number(r["error"]) for r in (row, mansour.EXPECTED[baseline, name])]
            if baseline == criterion or any(map(math.isnan, rates)):
                continue
            first, second = (rate / 100 for rate in rates)
            found = difference_of_proportions(first, second, N_ROWS[name], sides=1)
            if (found.p_value < 0.1) != (mark in row["marks"]):
                wrong.append((criterion, name, mark))
    assert wrong == [("c = 0.5", "heart", "+")]


def small_sample(n_rows=6000, n_columns=30):
    """The artificial data with fewer rows and columns."""
    rng = np.random.default_rng(1997)
    X = rng.integers(0, 2, (n_rows, n_columns)).astype(float)
    by_chance = rng.random(n_rows) < 0.9
    return X, np.where(by_chance, rng.integers(0, 2, n_rows), X[:, 0]).astype(int)


@pytest.mark.parametrize("c", [0.5, 0.7])
def test_the_one_column_that_matters_is_recovered_from_chance(c):
    X, y = small_sample()
    grown = cw.C45Classifier(pruning=None, min_samples_leaf=1).fit(X, y)
    pruned = cw.prune(grown, TreeSize(c=c))
    assert grown.tree_.n_nodes > 1000
    assert pruned.column.tolist() == [0, -1, -1]


def test_raising_hardly_changes_sizes():
    X, y = small_sample(2000)
    for c in (0.1, 0.2):
        sizes = [
            cw.C45Classifier(min_samples_leaf=1, pruning=TreeSize(c, raising=raising))
            .fit(X, y)
            .tree_.n_nodes
            for raising in (False, True)
        ]
        assert abs(sizes[0] - sizes[1]) <= 0.1 * sizes[0] + 2


@pytest.mark.paper
def test_artificial_data_in_full():
    runs = [mansour.artificial_run(seed) for seed in range(20)]
    for run in runs:
        for c in ("c = 0.5", "c = 0.7"):
            assert (run[c]["size"], run[c]["root"]) == (3, 0)
        assert 4300 < run["unpruned"]["size"] < 4700
        assert 3400 < run["c4.5 -c 25"]["size"] < 3800
        assert 200 < run["c4.5 -c 1"]["size"] < 1000
    for name, error in (("c = 0.5", 45.0), ("c4.5 -c 1", 47.1), ("c4.5 -c 25", 49.5)):
        assert statistics.mean(run[name]["error"] for run in runs) == pytest.approx(error, abs=0.6)


@pytest.mark.paper
def test_figures_on_adult():
    shared("data", "adult")
    store = Store()
    mansour.cross_validate("adult", store)
    found = mansour.summary("adult", store)
    assert found["unpruned"]["size"] == pytest.approx(8742.6, rel=0.02)
    for criterion in mansour.criteria():
        paper = number(mansour.EXPECTED[criterion, "adult"]["error"])
        assert found[criterion]["error"] == pytest.approx(paper, abs=0.5), criterion
