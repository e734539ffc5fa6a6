"""Prints how often each option set of the C4.5 oracles is met, and each difference in words.

    PYTHONPATH=tests python -m oracles.report_c45 [--reference] [--double] [--options g,s]

`--reference` reports on the slow version in `tests/reference` in place of the package.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from oracles.c45_cases import (
    OPTION_SETS,
    Oracle,
    dataset_names,
    first_difference,
    read_oracle,
    training_cases,
)
from reference import c45
from reference.c45 import Cases, Node, Options

Grow = Callable[[Cases, Options], tuple[Node, Node, float]]


def judge(oracle: Oracle, cases: Cases, grow: Grow, *, single: bool) -> tuple[str, list[str]]:
    """Verdict on one run ("identical", "not robust" or "different") and the reasons."""
    grown, pruned, estimate = grow(cases, replace(oracle.options, single=single))
    of_grown = first_difference(oracle.grown, grown, oracle.schema)
    of_pruned = first_difference(oracle.pruned, pruned, oracle.schema)
    if of_pruned is None and abs(estimate - oracle.estimate) > 2e-4 * (1 + oracle.estimate):
        of_pruned = f"estimate {oracle.estimate:g}, ours {estimate:g}"
    reasons = []
    if of_grown:
        reasons.append(f"grown{'' if oracle.grown_is_robust else ' (not robust)'}: {of_grown}")
    if of_pruned:
        reasons.append(f"pruned{'' if oracle.pruned_is_robust else ' (not robust)'}: {of_pruned}")
    if not reasons:
        return "identical", reasons
    must = (of_grown and oracle.grown_is_robust) or (of_pruned and oracle.pruned_is_robust)
    return ("different" if must else "not robust"), reasons


def report(folder: Path, grow: Grow, sets: list[str], datasets: list[str], *, single: bool) -> None:
    verdicts: dict[str, Counter[str]] = {}
    for option_set in sets:
        tally = verdicts.setdefault(option_set, Counter())
        for dataset in datasets:
            oracle = read_oracle(folder, dataset, option_set)
            started = time.perf_counter()
            verdict, reasons = judge(oracle, training_cases(folder, dataset), grow, single=single)
            tally[verdict] += 1
            for reason in reasons:
                print(f"{dataset} {option_set}, {verdict}: {reason}", flush=True)
            if time.perf_counter() - started > 60:
                print(f"{dataset} {option_set} took {time.perf_counter() - started:.0f} s")
    print_table(verdicts)


def print_table(verdicts: dict[str, Counter[str]]) -> None:
    columns = ("identical", "not robust", "different")
    print(f"{'options':10}" + "".join(f"{column:>12}" for column in columns))
    for option_set, tally in verdicts.items():
        print(f"{option_set:10}" + "".join(f"{tally[column]:12}" for column in columns))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--options", default=",".join(OPTION_SETS))
    parser.add_argument("--datasets")
    arguments = parser.parse_args()
    from shared_data import shared

    folder = shared("oracles", "c45")
    datasets = arguments.datasets.split(",") if arguments.datasets else dataset_names(folder)
    grow: Grow = c45.grow_c45
    if not arguments.reference:
        from oracles.c45_ours import grow_nodes

        grow = grow_nodes
    report(folder, grow, arguments.options.split(","), datasets, single=not arguments.double)


if __name__ == "__main__":
    main()
