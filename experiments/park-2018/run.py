"""Park, Ho and Ghosh (2016), ACDC: chains against trees and lists, by repeated cross-validation.

``python -m experiments park-2018`` runs all cohorts; ``--cohort`` one of them. What was run is kept
in a store and not run again.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.metrics import auc, corrected_resampled_t
from experiments.__main__ import load
from experiments.protocol import significance
from experiments.protocol.data import DataSet
from experiments.protocol.splits import stratified_folds
from experiments.protocol.store import Store, opened
from experiments.protocol.tables import markdown, read_expected

HERE = Path(__file__).parent
PROTOCOL = tomllib.loads((HERE / "protocol.toml").read_text(encoding="utf-8"))
EXPECTED = read_expected(HERE / "expected.csv", ["cohort"])
STORE = Path(".cache/experiments/park-2018.sqlite")
COHORTS = tuple(PROTOCOL["cohorts"]["names"])
BASELINES = ("chain, 4", "CART")
"""What the others are held against: the first that can be run."""

cohorts = load("park-2018", "cohorts")
methods = load("park-2018", "methods")


def sensitivity_at(has_event: Any, score: Any, flagged: float) -> float:
    """Share of the events among the patients of highest score, of whom so large a share is flagged.

    Among equal scores the flagged ones are drawn by chance: this is what is to be expected then.
    """
    events, scores = np.asarray(has_event, bool), np.asarray(score, float)
    left, found = flagged * len(scores), 0.0
    for value in np.unique(scores)[::-1]:
        is_here = scores == value
        share = min(1.0, left / is_here.sum())
        found += share * events[is_here].sum()
        left -= share * is_here.sum()
    return float(found / events.sum())


def repeat_results(data: DataSet, method: Any, repeat: int) -> dict[str, Any]:
    """Of one repeat of the cross-validation: lists by fold, and the scores of all rows held out."""
    options = PROTOCOL["cross_validation"]
    has_event = data.y.to_numpy() == 1
    found: dict[str, Any] = {"auc": [], "sensitivity": [], "n_rules": []}
    held_out = np.full(len(has_event), np.nan)
    for train, test in stratified_folds(has_event, options["folds"], [options["seed"], repeat]):
        model = method.make(least_rows(len(train))).fit(data.X.iloc[train], data.y.iloc[train])
        held_out[test] = model.predict_proba(data.X.iloc[test])[:, 1]
        found["auc"].append(auc(has_event[test], held_out[test]))
        share = PROTOCOL["report"]["flagged"]
        found["sensitivity"].append(sensitivity_at(has_event[test], held_out[test], share))
        found["n_rules"].append(method.n_rules(model))
    return found | {"score": held_out.tolist()}


def least_rows(n_rows: int) -> float:
    """What a leaf must hold."""
    options = PROTOCOL["methods"]
    return float(max(options["least_rows"], math.ceil(options["least_share"] * n_rows)))


def results(name: str, store: Store) -> dict[str, dict[str, list[Any]]]:
    """By method: lists over all folds of all repeats, and the held-out scores of each repeat."""
    data = None
    protocol = {part: PROTOCOL[part] for part in ("cohorts", "cross_validation", "methods")}
    protocol["flagged"] = PROTOCOL["report"]["flagged"]
    found: dict[str, dict[str, list[Any]]] = {}
    for method_name, method in methods.available(PROTOCOL["methods"]).items():
        gathered: dict[str, list[Any]] = {"auc": [], "sensitivity": [], "n_rules": [], "score": []}
        for repeat in range(PROTOCOL["cross_validation"]["repeats"]):
            key = {"cohort": name, "method": method_name, "repeat": repeat,
                   "protocol": protocol, "version": cw.__version__}  # fmt: skip
            run = store.get("park-2018", key)
            if run is None:
                data = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"]) if data is None else data
                run = repeat_results(data, method, repeat)
                store.put("park-2018", key, run)
            for part in ("auc", "sensitivity", "n_rules"):
                gathered[part] += run[part]
            gathered["score"].append(run["score"])
        found[method_name] = gathered
    return found


def compared(
    found: Mapping[str, Mapping[str, list[Any]]], baseline: str, has_event: Any
) -> dict[str, tuple[float, float]]:
    """p-values of each other method against the baseline: corrected t, and paired areas.

    Both held together by Holm's method; of the repeats' paired areas twice the median.
    """
    others = [name for name in found if name != baseline]
    n_test = 1 / (PROTOCOL["cross_validation"]["folds"] - 1)
    by_t, by_area = [], []
    for name in others:
        pair = found[baseline], found[name]
        t_test = significance.corrected_resampled_t(pair[0]["auc"], pair[1]["auc"], n_test, 1)
        by_t.append(t_test.p_value)
        repeats = zip(pair[0]["score"], pair[1]["score"], strict=True)
        areas = [significance.paired_delong(has_event, *both).p_value for both in repeats]
        by_area.append(significance.twice_the_median(areas))
    held = zip(significance.holm(by_t), significance.holm(by_area), strict=True)
    return dict(zip(others, held, strict=True))


def verdict(
    found: Mapping[str, Mapping[str, list[Any]]],
    baseline: str,
    p_values: Mapping[str, tuple[float, float]],
) -> str:
    """How the baseline stands against each tree that the paper compares."""
    known = methods.available(PROTOCOL["methods"])
    words = []
    for name, (p_value, _) in p_values.items():
        if known[name].is_tree_of_the_paper:
            gap = statistics.mean(found[baseline]["auc"]) - statistics.mean(found[name]["auc"])
            word = "better than" if gap > 0 else "worse than"
            is_clear = p_value < PROTOCOL["report"]["level"]
            words.append(f"{word if is_clear else 'as good as'} {name}")
    return f"By the corrected t {baseline} is {', '.join(words)}."


def p_text(p_value: float) -> str:
    """Three decimals; a dash for the method that the others are held against."""
    if math.isnan(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def table(
    found: Mapping[str, Mapping[str, list[Any]]], p_values: Mapping[str, tuple[float, float]]
) -> str:
    """A row for each method."""
    n_test = 1 / (PROTOCOL["cross_validation"]["folds"] - 1)
    rows = [
        [
            method,
            str(corrected_resampled_t(values["auc"], n_test, 1)),
            f"{statistics.mean(values['n_rules']):.1f}",
            f"{100 * statistics.mean(values['sensitivity']):.1f}",
            *map(p_text, p_values.get(method, (math.nan, math.nan))),
        ]
        for method, values in found.items()
    ]
    flagged = f"sensitivity (%) at {100 * PROTOCOL['report']['flagged']:g} % flagged"
    header = ["", "AUC (95 % interval)", "rules", flagged, "p, corrected t", "p, DeLong"]
    return markdown(header, rows)


def report(name: str, store: Store) -> str:
    """All methods on a cohort."""
    found = results(name, store)
    has_event = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"]).y.to_numpy() == 1
    baseline = next(method for method in BASELINES if method in found)
    p_values = compared(found, baseline, has_event)
    claim = EXPECTED.get((name,))
    of_paper = ""
    if claim is not None and baseline == BASELINES[0]:
        of_paper = f" The paper's, of {claim['condition']}: {claim['chain_against_trees']}."
    return (
        f"## {name}, {len(has_event)} rows, {has_event.sum()} events\n\n"
        f"{table(found, p_values)}\n\n"
        f"p-values against {baseline}, Holm's. {verdict(found, baseline, p_values)}{of_paper}"
    )


def main(arguments: list[str]) -> None:
    """Runs what is asked for and prints it as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m experiments park-2018", description=__doc__)
    parser.add_argument("--cohort", choices=COHORTS, nargs="+", default=list(COHORTS))
    parser.add_argument("--store", type=Path, default=STORE, help="where results are kept")
    options = parser.parse_args(arguments)
    print("# Park, Ho and Ghosh (2016), ACDC: α-carving decision chain\n")
    for name in methods.absent(PROTOCOL["methods"]):
        print(f"Not compared, since it is not installed: {name}.\n")
    with opened(options.store) as store:
        for name in options.cohort:
            print(report(name, store) + "\n", flush=True)
