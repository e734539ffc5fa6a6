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
    n_test = 1 / (PROTOCOL["cross_validation"]["folds"] - 1)
    both = (np.asarray(found[name]["accuracy"]) for name in (method, baseline))
    return corrected_resampled_t(100 * np.subtract(*both), n_test, 1)


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


def signed(points: float) -> str:
    """One decimal with its sign; 0.0 has none."""
    text = f"{points:+.1f}".replace("-", "−")
    return "0.0" if text[1:] == "0.0" else text


def once(found: Mapping[str, Scores]) -> str:
    """Accuracy of all methods by one cross-validation, the first repeat."""
    n_folds = PROTOCOL["cross_validation"]["folds"]
    chosen = [*methods.witnessed(PROTOCOL["methods"]), *methods.outside()]
    rows = [
        [name, *(percent(of[method]["accuracy"][:n_folds]) for method in chosen)]
        for name, of in found.items()
    ]
    return "## Accuracy (%), 10-fold once\n\n" + markdown(["", *chosen], rows)


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


def coverage(found: Mapping[str, Scores]) -> str:
    """Coverage and accuracy of the covered rows of the rules that can doubt."""
    k, most = PROTOCOL["methods"]["variants_at"], max(PROTOCOL["methods"]["n_verifiers"])
    chosen = [methods.PLAIN, f"RS-V {k}", f"RS-V {k}, probability", f"RS-V {most}, probability"]
    texts = []
    for place, least in enumerate(PROTOCOL["coverage"]["least"]):
        rows = []
        for name, of in found.items():
            cells = []
            for method in chosen:
                shares = [fold[place] for fold in of[method]["coverage"]]
                right = [fold[place] for fold in of[method]["covered_accuracy"]]
                cells.append(f"{percent(shares)} / {100 * np.nanmean(right):.1f}")
            rows.append([name, *cells])
        texts.append(
            f"## Coverage (%) / accuracy of covered rows (%), min_confidence {least:g}\n\n"
            + markdown(["", *chosen], rows)
        )
    return "\n\n".join(texts)


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
    yield summary(found)
    yield once(found)
    yield gains(found, witnesses, "Gain over RS-C in points (95 % interval), ten times 10-fold")
    yield gains(found, list(methods.variants(options)), "Gain of the variants over RS-C")
    others = [*methods.pruned(options), *methods.outside()]
    yield gains(found, others, "Gain of pruned trees and of other trees over RS-C")
    yield coverage(found)
    yield sizes(found)
