"""What witnesses cost: RS-V over RS-C and scikit-learn on the same tables, in one run.

    python -m benchmarks.verified [ratios rows columns memory]

``ratios``: the data sets of ``experiments/bazan-2014``, fits of k witnesses over fits without.
Copied are the rows that go to both branches, over all nodes weighted by their rows: by so much a
level of the tree grows. Witnessed are the cuts that have any witness.

``rows`` and ``columns``: time against n log2 n m, of a first cut alone and of a whole tree.

``memory``: what the largest resident size of a fresh process is beyond that before the fit, over
the size of the data.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from benchmarks.compare.memory import status_bytes
from benchmarks.compare.shapes import flipped
from benchmarks.compare.timing import Times, alternate
from clearwood.tree.witnesses import Witnesses
from experiments.__main__ import load

WITNESSES = (1, 3, 5, 9)
REPS = 9
BUDGET_S = 3.0
ROWS = (1_000, 3_000, 10_000, 30_000, 100_000)
COLUMNS = (1_000, 3_000, 10_000, 30_000)
N_WIDE = 100
WIDEST = 15_000


def verified(k: int, max_depth: int | None = None) -> cw.VerifiedTreeClassifier:
    """RS-V with k witnesses at most; with none it is RS-C."""
    return cw.VerifiedTreeClassifier(n_verifiers=k, max_depth=max_depth)


def fits(models: Mapping[str, Any], X: Any, y: Any) -> dict[str, Times]:
    """Times of a fit of each model, in turn."""
    calls: dict[str, Callable[[], Any]] = {
        name: (lambda model=model: model.fit(X, y)) for name, model in models.items()
    }
    return alternate(calls, REPS, BUDGET_S)


def copied_share(tree: Any) -> float:
    """Rows that go to both branches over the rows of all nodes that are cut."""
    weight = tree.masses.sum(axis=1)
    cut = np.flatnonzero(~tree.is_leaf)
    if not len(cut):
        return 0.0
    below = sum(float(weight[tree.children(node)].sum()) for node in cut)
    return below / float(weight[cut].sum()) - 1


def witnessed_share(tree: Any) -> float:
    """Cuts with a witness over all cuts."""
    if not isinstance(tree.evaluation, Witnesses):
        return 0.0
    counts = np.diff(tree.evaluation.start)
    return float((counts[~tree.is_leaf] > 0).mean())


def ratios() -> None:
    """A line for each data set and k."""
    data_sets = load("bazan-2014", "data_sets")
    heading = f"{'data':<18}{'rows':>6}{'columns':>9}{'k':>3}{'ms':>9}{'/RS-C':>7}"
    print(f"{heading}{'sklearn/':>10}{'leaves':>8}{'copied %':>10}{'witnessed %':>13}")
    for name in data_sets.names():
        if name in data_sets.PROTOCOL["groups"]:
            continue
        data = data_sets.data_set(name)
        models: dict[str, Any] = {f"{k}": verified(k) for k in (0, *WITNESSES)}
        if isinstance(data.X, np.ndarray):
            models["sklearn"] = DecisionTreeClassifier(random_state=0)
        times = fits(models, data.X, data.y)
        plain = times["0"].least
        theirs = times["sklearn"].least if "sklearn" in times else float("nan")
        for k in (0, *WITNESSES):
            taken, tree = times[f"{k}"].least, models[f"{k}"].tree_
            print(
                f"{name:<18}{len(data.y):>6}{data.X.shape[1]:>9}{k:>3}{1e3 * taken:>9.2f}"
                f"{taken / plain:>7.2f}{theirs / taken:>10.1f}{tree.n_leaves:>8}"
                f"{100 * copied_share(tree):>10.1f}{100 * witnessed_share(tree):>13.1f}",
                flush=True,
            )


def wide(n_columns: int, seed: int = 7) -> tuple[Any, Any]:
    """As many rows as a small microarray study; one column in twenty differs between classes.

    Made in place, so that the memory of making it does not hide that of a fit.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_WIDE, n_columns))
    y = np.arange(N_WIDE) % 2
    X[1::2, : n_columns // 20] += 0.8
    return X, y


def growth(tables: Mapping[int, tuple[Any, Any]]) -> None:
    """Nanoseconds for each n log2 n m: they stay where time grows with it."""
    heading = f"{'rows':>8}{'columns':>9}  {'fit':<18}{'ms':>10}{'ns/(n log n m)':>16}"
    print(f"{heading}{'leaves':>8}{'copied %':>10}")
    for X, y in tables.values():
        n, m = X.shape
        models: dict[str, Any] = {
            "RS-C, first cut": verified(0, 1),
            "RS-V 3, first cut": verified(3, 1),
            "RS-C": verified(0),
            "RS-V 3": verified(3),
            "scikit-learn": DecisionTreeClassifier(random_state=0),
        }
        for name, taken in fits(models, X, y).items():
            unit = 1e9 * taken.least / (n * np.log2(n) * m)
            tree = models[name].tree_
            copied = copied_share(tree) if isinstance(tree, cw.Tree) else 0.0
            print(
                f"{n:>8}{m:>9}  {name:<18}{1e3 * taken.least:>10.2f}{unit:>16.2f}"
                f"{models[name].get_n_leaves():>8}{100 * copied:>10.1f}",
                flush=True,
            )


def rows() -> None:
    """20 columns, of which 14 tell something; a tenth of the labels is wrong."""
    whole = flipped(max(ROWS))
    growth({n: (np.ascontiguousarray(whole.X[:n]), whole.y[:n]) for n in ROWS})


def columns() -> None:
    """100 rows."""
    growth({m: wide(m) for m in COLUMNS})


def extra_bytes(name: str, n_columns: int) -> int:
    """Memory of a fit of `wide` beyond that before it; to be called in a fresh process."""
    model = MEMORY[name]()
    model.fit(*wide(20))  # what libraries load on their first call is no memory of a fit
    X, y = wide(n_columns)
    before = status_bytes("VmRSS")
    model.fit(X, y)
    return max(status_bytes("VmHWM") - before, 0)


MEMORY: Mapping[str, Callable[[], Any]] = {
    "RS-C": lambda: verified(0),
    "RS-V 3": lambda: verified(3),
    "RS-V 9": lambda: verified(9),
    "scikit-learn": lambda: DecisionTreeClassifier(random_state=0),
}


def memory() -> None:
    """A process for each fit."""
    size = N_WIDE * WIDEST * 8
    for name in MEMORY:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            extra = fresh.submit(extra_bytes, name, WIDEST).result()
        print(
            f"{N_WIDE} x {WIDEST}, {size / 1e6:.0f} MB: {name} takes {extra / 1e6:.1f} MB more, "
            f"{extra / size:.2f} of the data"
        )


PARTS: Mapping[str, Callable[[], None]] = {
    "ratios": ratios,
    "rows": rows,
    "columns": columns,
    "memory": memory,
}


def main(names: list[str]) -> None:
    warnings.filterwarnings("ignore", category=cw.errors.ClearwoodWarning)  # of full trees
    for name in names:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:] or list(PARTS))
