"""Prints how our trees compare with those of scikit-learn and, where installed, ydf.

    python -m benchmarks.compare [--shapes a1,b] [--depth none,6] [--reps 5]

Times are whole calls through Python on one thread; a ratio is a line's least time by that of
clearwood with its defaults in the same run, so more than 1 means that clearwood is faster. A table
of a million rows (d) takes scikit-learn minutes: leave it out with --shapes a1,a2,b,c,e,f.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.compare.learners import LEARNERS, OURS, Learner, is_installed, learners_for
from benchmarks.compare.memory import extra_bytes
from benchmarks.compare.shapes import SHAPES, Data, shape
from benchmarks.compare.timing import Times, alternate

ROW = "{:6}{:>6} {:16}{:>11}{:>11}{:>8}{:>11}{:>8}{:>11}{:>8}{:>9}{:>8}"
HEADINGS = (
    *("shape", "depth", "learner", "fit ms", "median", "ratio"),
    *("ns/row", "ratio", "one row us", "ratio", "leaves", "correct"),
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shapes", default=",".join(SHAPES), help="from " + ", ".join(SHAPES))
    parser.add_argument("--depth", default="none,6", help="none is no limit")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds a learner may fit")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory on d")
    return parser.parse_args()


def compare(name: str, data: Data, depth: int | None, reps: int, budget_s: float) -> None:
    """Prints one line for each learner on one table."""
    learners = {other: LEARNERS[other](depth, data) for other in learners_for(data)}
    fits = alternate(
        each(learners, data.X, lambda learner, X: learner.fit(X, data.y)), reps, budget_s
    )
    batch = alternate(
        each(learners, data.X_test, lambda learner, X: learner.predict(X)), reps, budget_s
    )
    first = data.X_test[:1]
    single = alternate(
        each(learners, first, lambda learner, X: learner.predict_proba(X)), 50 * reps
    )
    for other, learner in learners.items():
        correct = np.mean(learner.predict(learner.ready(data.X_test)) == data.y_test)
        print(
            ROW.format(
                *(name, depth or "none", other),
                *(f"{1e3 * fits[other].least:.2f}", f"{1e3 * fits[other].median:.2f}"),
                ratio(fits, other),
                *(f"{1e9 * batch[other].least / len(data.y_test):.1f}", ratio(batch, other)),
                *(f"{1e6 * single[other].least:.1f}", ratio(single, other)),
                *(learner.n_leaves(), f"{correct:.3f}"),
            ),
            flush=True,
        )


def each(
    learners: dict[str, Learner], X: Any, verb: Callable[[Learner, Any], Any]
) -> dict[str, Callable[[], Any]]:
    """The call to time of each learner, its input made ready beforehand."""

    def call(learner: Learner) -> Callable[[], Any]:
        table = learner.ready(X)
        return lambda: verb(learner, table)

    return {name: call(learner) for name, learner in learners.items()}


def ratio(times: dict[str, Times], other: str) -> str:
    return "" if other == OURS else f"{times[other].least / times[OURS].least:.1f}"


def compare_memory(data: Data, depth: int | None) -> None:
    for other in learners_for(data):
        megabytes = extra_bytes(other, data, depth) / 1e6
        print(f"d, depth {depth or 'none'}: extra memory of {other} {megabytes:.0f} MB", flush=True)


def main() -> None:
    warnings.filterwarnings("ignore")
    options = arguments()
    names = options.shapes.split(",")
    if unknown := [name for name in names if name not in SHAPES]:
        raise SystemExit(f"no shape is named {unknown[0]!r}; there are {', '.join(SHAPES)}")
    for missing in (name for name in LEARNERS if not is_installed(name)):
        print(f"{missing} is not installed and is left out (pip install {missing})")
    print(ROW.format(*HEADINGS))
    for name in names:
        data = shape(name)
        for depth in options.depth.split(","):
            limit = None if depth == "none" else int(depth)
            compare(name, data, limit, options.reps, options.budget)
            if name == "d" and not options.no_memory:
                compare_memory(data, limit)


if __name__ == "__main__":
    main()
