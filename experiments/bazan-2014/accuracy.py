"""Accuracy and coverage of RS-C and RS-V by repeated cross-validation on the same folds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.metrics import corrected_resampled_t
from clearwood.metrics.estimate import Estimate
from experiments.__main__ import load
from experiments.protocol.significance import wilcoxon
from experiments.protocol.store import Store
from experiments.protocol.tables import markdown

data_sets = load("bazan-2014", "data_sets")
methods = load("bazan-2014", "methods")
PROTOCOL = data_sets.PROTOCOL
Scores = Mapping[str, Mapping[str, list[Any]]]
"""By method and measure: a value for each fold, over all repeats."""


def fold_scores(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Shares of correct rows, of covered ones, and of correct ones among them, by threshold."""
    is_right = model.predict(X) == y
    confidence = model.predict_proba(X).max(axis=1)
    is_covered = [confidence >= least - 1e-12 for least in PROTOCOL["coverage"]["least"]]
    return {
        "accuracy": float(is_right.mean()),
        "leaves": model.get_n_leaves(),
        "coverage": [float(covered.mean()) for covered in is_covered],
        "covered_accuracy": [
            float(is_right[covered].mean()) if covered.any() else float("nan")
            for covered in is_covered
        ],
    }


def repeat_scores(data: Any, make: Callable[[], Any], repeat: int) -> dict[str, list[Any]]:
    """Of all folds of one repeat."""
    options = PROTOCOL["cross_validation"]
    found: dict[str, list[Any]] = {}
    for train, test in data.folds(options["folds"], [options["seed"], repeat]):
        model = make().fit(data.rows(train), data.y[train])
        for measure, value in fold_scores(model, data.rows(test), data.y[test]).items():
            found.setdefault(measure, []).append(value)
    return found


def scores(name: str, store: Store) -> Scores:
    """Of all methods on a data set; what is in the store is not run again."""
    data = None
    options = PROTOCOL["cross_validation"]
    protocol = {part: PROTOCOL[part] for part in ("cross_validation", "methods", "coverage")}
    found: dict[str, dict[str, list[Any]]] = {}
    for method, make in methods.compared(PROTOCOL["methods"]).items():
        for repeat in range(options["repeats"]):
            key = {"part": "accuracy", "data": name, "method": method, "repeat": repeat,
                   "protocol": protocol, "version": cw.__version__}  # fmt: skip
            run = store.get("bazan-2014", key)
            if run is None:
                data = data_sets.data_set(name) if data is None else data
                run = repeat_scores(data, make, repeat)
                store.put("bazan-2014", key, run)
            for measure, values in run.items():
                found.setdefault(method, {}).setdefault(measure, []).extend(values)
    return found


def gain(found: Scores, method: str, baseline: str = methods.PLAIN) -> Estimate:
    """Accuracy of a method less that of the baseline, in points, with its interval."""
    both = (np.asarray(found[name]["accuracy"]) for name in (method, baseline))
    return interval(100 * np.subtract(*both))


def interval(values: Any) -> Estimate:
    """Mean over folds with the corrected interval."""
    return corrected_resampled_t(values, 1 / (PROTOCOL["cross_validation"]["folds"] - 1), 1)


def percent(values: Sequence[float]) -> str:
    """A mean in percent."""
    return f"{100 * statistics.mean(values):.1f}"


def gain_text(estimate: Estimate) -> str:
    """``+1.2 (−0.3 to +2.7)``; a star where the interval leaves out 0."""
    if np.isnan(estimate.lower):
        return signed(estimate.value)
    star = "" if estimate.lower <= 0 <= estimate.upper else " *"
    ends = f"{signed(estimate.lower)} to {signed(estimate.upper)}"
    return f"{signed(estimate.value)} ({ends}){star}"


def share_text(values: Any) -> str:
    """``6.9 (4.0 to 9.9)`` of percents by fold; ends stay within 0 and 100.

    Folds of no value are left out. Where all are the same there is no interval.
    """
    known = np.asarray(values, float)
    known = known[~np.isnan(known)]
    if np.ptp(known) == 0:
        return f"{known[0]:.1f}"
    estimate = interval(known)
    ends = f"{max(estimate.lower, 0.0):.1f} to {min(estimate.upper, 100.0):.1f}"
    return f"{estimate.value:.1f} ({ends})"


def signed(points: float) -> str:
    """One decimal with its sign; 0.0 has none."""
    text = f"{points:+.1f}".replace("-", "−")
    return "0.0" if text[1:] == "0.0" else text


def first_repeat(found: Mapping[str, Scores]) -> dict[str, Scores]:
    """Of the folds of one cross-validation alone."""
    n_folds = PROTOCOL["cross_validation"]["folds"]
    return {
        name: {
            method: {measure: values[:n_folds] for measure, values in measures.items()}
            for method, measures in of.items()
        }
        for name, of in found.items()
    }


def accuracies(found: Mapping[str, Scores], chosen: Sequence[str], title: str) -> str:
    """Accuracy with its interval."""
    rows = [
        [name, *(share_text(100 * np.array(of[method]["accuracy"])) for method in chosen)]
        for name, of in found.items()
    ]
    return f"## {title}\n\n" + markdown(["", *chosen], rows)


def gains(found: Mapping[str, Scores], chosen: Sequence[str], title: str) -> str:
    """Accuracy of RS-C over all repeats, and what others gain over it."""
    rows = [
        [
            name,
            percent(of[methods.PLAIN]["accuracy"]),
            *(gain_text(gain(of, method)) for method in chosen),
        ]
        for name, of in found.items()
    ]
    return f"## {title}\n\n" + markdown(["", f"{methods.PLAIN} (%)", *chosen], rows)


def summary(found: Mapping[str, Scores]) -> str:
    """Over data sets: where each method is better than RS-C, and by how much.

    A data set that differs from another in its folds alone is left out.
    """
    own = [name for name in found if name not in PROTOCOL["groups"]]
    rows = []
    for method in methods.compared(PROTOCOL["methods"]):
        if method == methods.PLAIN:
            continue
        estimates = [gain(found[name], method) for name in own]
        values = [estimate.value for estimate in estimates]
        rows.append([
            method,
            str(sum(value > 1e-9 for value in values)),
            str(sum(value < -1e-9 for value in values)),
            str(sum(estimate.lower > 0 for estimate in estimates)),
            str(sum(estimate.upper < 0 for estimate in estimates)),
            signed(statistics.mean(values)),
            f"{signed(min(values))} to {signed(max(values))}",
            f"{wilcoxon(values, [0.0] * len(values)).p_value:.3f}",
        ])  # fmt: skip
    header = ["against RS-C", "better", "worse", "clearly better", "clearly worse",
              "mean gain", "range", "p, signed ranks"]  # fmt: skip
    return f"## Summary of {len(own)} data sets, ten times 10-fold\n\n" + markdown(header, rows)


def by_threshold(of: Scores, method: str, measure: str, place: int) -> np.ndarray[Any, Any]:
    """Percents by fold at one threshold."""
    return np.array([100 * fold[place] for fold in of[method][measure]])


def coverage(found: Mapping[str, Scores], chosen: Sequence[str], place: int) -> str:
    """Share of the rows that are covered at one threshold."""
    least = PROTOCOL["coverage"]["least"][place]
    rows = [
        [name, *(share_text(by_threshold(of, method, "coverage", place)) for method in chosen)]
        for name, of in found.items()
    ]
    return f"## Coverage (%), min_confidence {least:g}\n\n" + markdown(["", *chosen], rows)


def doubt(found: Mapping[str, Scores], place: int) -> str:
    """Coverage, and accuracy of the covered rows, where answers are averaged."""
    k, most = PROTOCOL["methods"]["variants_at"], max(PROTOCOL["methods"]["n_verifiers"])
    chosen = [f"RS-V {k}, probability", f"RS-V {most}, probability"]
    measures = {"coverage": "coverage", "covered_accuracy": "accuracy"}
    rows = [
        [name, *(share_text(by_threshold(of, method, measure, place))
                 for method in chosen for measure in measures)]
        for name, of in found.items()
    ]  # fmt: skip
    header = ["", *(f"{method}: {label}" for method in chosen for label in measures.values())]
    least = PROTOCOL["coverage"]["least"][place]
    title = f"## Coverage (%) and accuracy of covered rows (%), min_confidence {least:g}"
    return f"{title}\n\n" + markdown(header, rows)


def sizes(found: Mapping[str, Scores]) -> str:
    """Mean number of leaves."""
    options = PROTOCOL["methods"]
    chosen = [*methods.witnessed(options), *methods.pruned(options), *methods.outside()]
    rows = [
        [name, *(f"{statistics.mean(of[method]['leaves']):.1f}" for method in chosen)]
        for name, of in found.items()
    ]
    return "## Leaves\n\n" + markdown(["", *chosen], rows)


def report(names: Sequence[str], store: Store) -> Iterator[str]:
    """All tables of the data sets named."""
    found = {name: scores(name, store) for name in names}
    options = PROTOCOL["methods"]
    witnesses = [name for name in methods.witnessed(options) if name != methods.PLAIN]
    others = [*methods.pruned(options), *methods.outside()]
    yield summary(found)
    once = first_repeat(found)
    every = [methods.PLAIN, *witnesses, *methods.outside()]
    yield accuracies(once, every, "Accuracy (%, 95 % interval), 10-fold once")
    yield gains(once, witnesses, "Gain over RS-C in points (95 % interval), 10-fold once")
    yield accuracies(found, every, "Accuracy (%, 95 % interval), ten times 10-fold")
    yield gains(found, witnesses, "Gain over RS-C in points (95 % interval), ten times 10-fold")
    yield gains(found, list(methods.variants(options)), "Gain of the variants over RS-C")
    yield gains(found, others, "Gain of pruned trees and of other trees over RS-C")
    for place in range(len(PROTOCOL["coverage"]["least"])):
        yield coverage(found, [methods.PLAIN, *witnesses], place)
        yield doubt(found, place)
    yield sizes(found)
