"""A chain of a large table with rare events: time and memory beside scikit-learn, in one run.

    python -m benchmarks.chain [rows]

A simulated table of 5,000,000 rows (unless told otherwise) and 20 columns of numbers, 1 % of the
rows with the event. The chain has its default length; the tree has a depth of 4. Each fit has a
process of its own, one thread, and its turn: chain, tree, chain.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from benchmarks.compare.memory import status_bytes

N_COLUMNS = 20
N_INFORMATIVE = 5
SHARE_OF_EVENTS = 0.01
LEARNERS: dict[str, Any] = {
    "chain": cw.DecisionChainClassifier,
    "tree": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
}
TURNS = ("chain", "tree", "chain")


def cohort(n_rows: int) -> tuple[Any, Any]:
    """Numbers (n_rows, 20), row after row, and events whose risk some columns raise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, N_COLUMNS))
    score = X[:, :N_INFORMATIVE].sum(axis=1) + 2 * rng.standard_normal(n_rows)
    return X, (score > np.quantile(score, 1 - SHARE_OF_EVENTS)).astype(np.int64)


def measure(name: str, folder: str) -> None:
    """Prints seconds and extra bytes of one fit."""
    X, y = np.load(Path(folder, "X.npy")), np.load(Path(folder, "y.npy"))
    LEARNERS[name]().fit(X[:1000], np.arange(1000) % 2)  # what is loaded on the first call
    model = LEARNERS[name]()
    before = status_bytes("VmRSS")
    started = time.perf_counter()
    model.fit(X, y)
    taken = time.perf_counter() - started
    print(taken, status_bytes("VmHWM") - before, model.get_n_leaves())


def in_turn(folder: str) -> dict[str, list[tuple[float, float, int]]]:
    """Seconds, extra bytes and leaves of each fit, by learner."""
    found = defaultdict(list)
    for name in TURNS:
        command = [sys.executable, "-m", __spec__.name, "--measure", name, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"the fit of the {name} failed: {done.stderr.strip()[-500:]}")
        taken, extra, leaves = done.stdout.split()[-3:]
        found[name].append((float(taken), float(extra), int(leaves)))
    return found


def main(n_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        X, y = cohort(n_rows)
        np.save(Path(folder, "X.npy"), X)
        np.save(Path(folder, "y.npy"), y)
        size, events = X.nbytes, y.mean()
        del X, y
        found = in_turn(folder)
    print(f"{n_rows:,} rows x {N_COLUMNS} columns, {100 * events:.2f} % events")
    print(f"{'fit':<8}{'seconds':>9}{'ratio':>8}{'extra MB':>10}{'of data':>9}{'leaves':>8}")
    of_tree = min(taken for taken, _, _ in found["tree"])
    for name in LEARNERS:
        taken = min(seconds for seconds, _, _ in found[name])
        extra = max(extra for _, extra, _ in found[name])
        print(
            f"{name:<8}{taken:>9.2f}{taken / of_tree:>8.3f}{extra / 1e6:>10.0f}"
            f"{extra / size:>9.2f}{found[name][0][2]:>8}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000)
