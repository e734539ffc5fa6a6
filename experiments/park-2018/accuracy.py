"""Areas under the ROC curve by repeated cross-validation, and whether methods differ."""

from __future__ import annotations

import math
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.metrics import auc, corrected_resampled_t
from clearwood.metrics.estimate import Estimate
from experiments.__main__ import load
from experiments.protocol import significance
from experiments.protocol.data import DataSet
from experiments.protocol.splits import stratified_folds
from experiments.protocol.store import Store
from experiments.protocol.tables import markdown, read_expected

HERE = Path(__file__).parent
PROTOCOL = tomllib.loads((HERE / "protocol.toml").read_text(encoding="utf-8"))
EXPECTED = read_expected(HERE / "expected.csv", ["cohort"])
BASELINE = "chain, 4"
"""What the others are held against."""

cohorts = load("park-2018", "cohorts")
methods = load("park-2018", "methods")
Runs = dict[str, dict[str, list[Any]]]


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
    has_event = data.y.to_numpy() == 1
    found: dict[str, Any] = {"auc": [], "sensitivity": [], "n_rules": []}
    held_out = np.full(len(has_event), np.nan)
    for train, test in parts(has_event, repeat):
        model = method.make(least_rows(len(train))).fit(data.X.iloc[train], data.y.iloc[train])
        held_out[test] = model.predict_proba(data.X.iloc[test])[:, 1]
        found["auc"].append(auc(has_event[test], held_out[test]))
        share = PROTOCOL["report"]["flagged"]
        found["sensitivity"].append(sensitivity_at(has_event[test], held_out[test], share))
        found["n_rules"].append(method.n_rules(model))
    return found | {"score": held_out.tolist()}


def parts(has_event: Any, repeat: int) -> Iterator[tuple[Any, Any]]:
    """Training and test rows of each fold of a repeat, the same for all methods."""
    options = PROTOCOL["cross_validation"]
    return stratified_folds(has_event, options["folds"], [options["seed"], repeat])


def least_rows(n_rows: int) -> float:
    """What a leaf must hold."""
    options = PROTOCOL["methods"]
    return float(max(options["least_rows"], math.ceil(options["least_share"] * n_rows)))


def results(name: str, compared: Mapping[str, Any], store: Store) -> Runs:
    """By method: lists over all folds of all repeats, and the held-out scores of each repeat."""
    data = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"])
    chosen = ("cohorts", "cross_validation", "methods", "flips")
    protocol = {part: PROTOCOL[part] for part in chosen}
    protocol["flagged"] = PROTOCOL["report"]["flagged"]
    found: Runs = {}
    for method_name, method in compared.items():
        gathered: dict[str, list[Any]] = {"auc": [], "sensitivity": [], "n_rules": [], "score": []}
        for repeat in range(PROTOCOL["cross_validation"]["repeats"]):
            key = {"part": "accuracy", "cohort": name, "method": method_name, "repeat": repeat,
                   "protocol": protocol, "version": cw.__version__}  # fmt: skip
            run = store.get("park-2018", key)
            if run is None:
                run = repeat_results(data, method, repeat)
                store.put("park-2018", key, run)
            for part in ("auc", "sensitivity", "n_rules"):
                gathered[part] += run[part]
            gathered["score"].append(run["score"])
        found[method_name] = gathered
    return found


def p_values(found: Runs, baseline: str, has_event: Any) -> dict[str, tuple[float, float]]:
    """Of each other method against the baseline: corrected t, and paired areas within folds.

    Both held together by Holm's method; of the repeats' paired areas twice the median.
    """
    others = [name for name in found if name != baseline]
    n_test = 1 / (PROTOCOL["cross_validation"]["folds"] - 1)
    fold_of = [tested_in(has_event, repeat) for repeat in range(len(found[baseline]["score"]))]
    by_t, by_area = [], []
    for name in others:
        pair = found[baseline], found[name]
        t_test = significance.corrected_resampled_t(pair[0]["auc"], pair[1]["auc"], n_test, 1)
        by_t.append(t_test.p_value)
        repeats = zip(pair[0]["score"], pair[1]["score"], fold_of, strict=True)
        areas = [significance.paired_delong(has_event, *scored).p_value for scored in repeats]
        by_area.append(significance.twice_the_median(areas))
    held = zip(significance.holm(by_t), significance.holm(by_area), strict=True)
    return dict(zip(others, held, strict=True))


def tested_in(has_event: Any, repeat: int) -> np.ndarray[Any, Any]:
    """Fold in which each row is held out."""
    fold_of = np.empty(len(has_event), int)
    for fold, (_, test) in enumerate(parts(has_event, repeat)):
        fold_of[test] = fold
    return fold_of


def verdict(
    found: Runs, baseline: str, p: Mapping[str, tuple[float, float]], against: Sequence[str]
) -> str:
    """How the baseline stands against each of the methods named."""
    words: dict[str, list[str]] = {}
    for name in against:
        gap = statistics.mean(found[baseline]["auc"]) - statistics.mean(found[name]["auc"])
        word = "better than" if gap > 0 else "worse than"
        is_clear = p[name][0] < PROTOCOL["report"]["level"]
        words.setdefault(word if is_clear else "not clearly different from", []).append(name)
    said = "; ".join(f"{word} {', '.join(names)}" for word, names in words.items())
    return f"By the corrected t {baseline} is {said}."


def interval(values: Any) -> Estimate:
    """Mean over folds with the corrected interval."""
    return corrected_resampled_t(values, 1 / (PROTOCOL["cross_validation"]["folds"] - 1), 1)


def p_text(p_value: float) -> str:
    """Three decimals; a dash for the method that the others are held against."""
    if math.isnan(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def table(found: Runs, baseline: str, p: Mapping[str, tuple[float, float]]) -> str:
    """A row for each method."""
    rows = []
    for method, values in found.items():
        gaps = np.subtract(values["auc"], found[baseline]["auc"])
        rows.append(
            [
                method,
                f"{statistics.mean(values['auc']):.3f}",
                "–" if method == baseline else gap_text(interval(gaps)),
                f"{statistics.mean(values['n_rules']):.1f}",
                f"{100 * statistics.mean(values['sensitivity']):.1f}",
                *map(p_text, p.get(method, (math.nan, math.nan))),
            ]
        )
    header = ["", "AUC", f"less that of {baseline} (95 % interval)", "rules",
              f"sensitivity (%) at {100 * PROTOCOL['report']['flagged']:g} % flagged",
              "p, corrected t", "p, DeLong"]  # fmt: skip
    return markdown(header, rows)


def gap_text(gap: Estimate) -> str:
    """``+0.008 (-0.010 to +0.026)``."""
    return f"{gap.value:+.3f} ({gap.lower:+.3f} to {gap.upper:+.3f})".replace("-", "−")


def report(name: str, store: Store) -> Iterator[str]:
    """All methods on a cohort; then other settings of chains and α-trees, and told the noise."""
    options = PROTOCOL["methods"]
    data = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"])
    has_event = data.y.to_numpy() == 1
    known = methods.available(options)
    found = results(name, known, store)
    p = p_values(found, BASELINE, has_event)
    trees = [method for method in p if known[method].is_tree_of_the_paper]
    claim = EXPECTED.get((name,))
    of_paper = ""
    if claim is not None:
        of_paper = f" The paper's, of {claim['condition']}: {claim['chain_against_trees']}."
    yield (
        f"## {name}, {len(has_event)} rows, {has_event.sum()} events\n\n"
        f"{table(found, BASELINE, p)}\n\n"
        f"p-values against {BASELINE}, Holm's. {verdict(found, BASELINE, p, trees)}{of_paper}"
    )
    others = {BASELINE: known[BASELINE]} | methods.other_settings(options)
    for kind, noise in cohorts.noises(PROTOCOL["flips"], data.X.columns).items():
        told = methods.told(options, noise)
        others |= {f"{method} of {kind}": told[method] for method in told}
    found = results(name, others, store)
    p = p_values(found, BASELINE, has_event)
    yield f"### {name}, other settings\n\n{table(found, BASELINE, p)}"
