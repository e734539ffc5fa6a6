"""Patients who change their stratum, or the side of the flag, when they are measured again."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

import clearwood as cw
from clearwood.noise import remeasure
from experiments.__main__ import load
from experiments.protocol.data import DataSet
from experiments.protocol.noise_grid import seed_of
from experiments.protocol.store import Store
from experiments.protocol.tables import markdown

accuracy = load("park-2018", "accuracy")
cohorts, methods, PROTOCOL = accuracy.cohorts, accuracy.methods, accuracy.PROTOCOL
SAME = 1e-9
"""Risks nearer than this are one stratum."""
Shares = dict[str, dict[str, list[float]]]


def readings(
    X: pd.DataFrame, training: pd.DataFrame, noise: Mapping[str, Any], seed: list[int]
) -> pd.DataFrame:
    """Patients measured several times again, one table below the other.

    What depends on a column's mean is that of the training rows.
    """
    fitted = {
        name: model.fitted(training[name].to_numpy(float), name) for name, model in noise.items()
    }
    stacked = pd.concat([X] * PROTOCOL["flips"]["readings"], ignore_index=True).astype(float)
    again: pd.DataFrame = remeasure(stacked, fitted, np.random.default_rng(seed))
    return again


def flagging_cut(score: Any, flagged: float) -> float:
    """The least score that is flagged, where the share flagged comes nearest to the one asked."""
    scores = np.asarray(score, float)
    values = np.unique(scores)
    shares = np.array([(scores >= value).mean() for value in values])
    return float(values[np.abs(shares - flagged).argmin()])


def shares(cut: float, first: Any, again: Any, has_event: Any) -> dict[str, float]:
    """What changes between readings.

    Parameters
    ----------
    cut : float
        From this score on patients are flagged.
    first : array of shape (n_rows,)
        Scores of the first reading.
    again : array of shape (n_readings, n_rows)
        Scores of the others.
    has_event : array of bool, shape (n_rows,)

    Returns
    -------
    dict of str to float
        Shares of the patients: with another stratum, with another side, flagged at first; and of
        the events flagged at first those that are not flagged again.
    """
    is_flagged, is_again = first >= cut - SAME, again >= cut - SAME
    found = is_flagged & has_event
    return {
        "stratum": float((np.abs(again - first) > SAME).mean()),
        "side": float((is_again != is_flagged).mean()),
        "flagged": float(is_flagged.mean()),
        "lost": float((~is_again[:, found]).mean()) if found.any() else 0.0,
    }


def fold_shares(method: Any, data: DataSet, train: Any, test: Any, again: Any) -> dict[str, float]:
    """Of one method on one fold."""
    X, y = data.X.iloc[train], data.y.iloc[train]
    model = method.make(accuracy.least_rows(len(train))).fit(X, y)

    def score(table: pd.DataFrame) -> Any:
        return model.predict_proba(table)[:, 1]

    cut = flagging_cut(score(X), PROTOCOL["report"]["flagged"])
    first, has_event = score(data.X.iloc[test]), data.y.iloc[test].to_numpy() == 1
    return shares(cut, first, score(again).reshape(-1, len(test)), has_event)


def repeat_shares(
    name: str, data: DataSet, compared: Mapping[str, Any], kind: str, repeat: int
) -> Shares:
    """By method and measure, of all folds of one repeat; all methods get the same readings."""
    noise = cohorts.noises(PROTOCOL["flips"], data.X.columns)[kind]
    found: Shares = {method: {} for method in compared}
    folds = accuracy.parts(data.y.to_numpy() == 1, repeat)
    for fold, (train, test) in enumerate(folds):
        seed = seed_of(name, kind, repeat, fold)
        again = readings(data.X.iloc[test], data.X.iloc[train], noise, seed)
        for method in compared:
            measures = fold_shares(compared[method], data, train, test, again)
            for measure, value in measures.items():
                found[method].setdefault(measure, []).append(value)
    return found


def results(name: str, kind: str, store: Store) -> Shares:
    """Of all methods on a cohort, over all repeats."""
    data = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"])
    options = PROTOCOL["methods"]
    noise = cohorts.noises(PROTOCOL["flips"], data.X.columns)[kind]
    compared = methods.available(options) | methods.told(options, noise)
    chosen = ("cohorts", "cross_validation", "methods", "flips", "report")
    protocol = {part: PROTOCOL[part] for part in chosen}
    found: Shares = {}
    for repeat in range(PROTOCOL["cross_validation"]["repeats"]):
        key = {"part": "flips", "cohort": name, "noise": kind, "repeat": repeat,
               "methods": list(compared), "protocol": protocol,
               "version": cw.__version__}  # fmt: skip
        run = store.get("park-2018", key)
        if run is None:
            run = repeat_shares(name, data, compared, kind, repeat)
            store.put("park-2018", key, run)
        for method in compared:  # in this order, which the store does not keep
            for measure, values in run[method].items():
                found.setdefault(method, {}).setdefault(measure, []).extend(values)
    return found


def table(found: Mapping[str, Shares]) -> str:
    """A row for each method; `found` by kind of noise. Who is told it has no strata."""
    some = next(iter(found.values()))
    rows = []
    for method in some:
        row = [method]
        for of in found.values():
            means = {part: 100 * statistics.mean(values) for part, values in of[method].items()}
            stratum = "–" if method.endswith("told") else f"{means['stratum']:.1f}"
            row += [stratum, side_text(of[method]["side"]), f"{means['lost']:.1f}"]
        rows.append([*row, f"{100 * statistics.mean(some[method]['flagged']):.1f}"])
    header = [""]
    for kind in found:
        header += [f"{kind}: other stratum (%)", "other side", "events lost"]
    return markdown([*header, "flagged (%)"], rows)


def side_text(values: Any) -> str:
    """``6.9 (4.0 to 9.9)``, in percent, with the corrected interval; no end is below 0."""
    found = accuracy.interval([100 * value for value in values])
    return f"{found.value:.1f} ({max(found.lower, 0.0):.1f} to {found.upper:.1f})"


def report(name: str, store: Store) -> Iterator[str]:
    """One table for a cohort."""
    kinds = list(cohorts.noises(PROTOCOL["flips"], []))
    found = {kind: results(name, kind, store) for kind in kinds}
    yield f"## {name}, measured again\n\n{table(found)}"
