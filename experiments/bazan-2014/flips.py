"""Patients whose class flips when they are measured again."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import clearwood as cw
from clearwood.errors import ClearwoodWarning
from clearwood.noise import MeanFraction, remeasure
from experiments.__main__ import load
from experiments.protocol.noise_grid import seed_of
from experiments.protocol.store import Store
from experiments.protocol.tables import markdown

data_sets = load("bazan-2014", "data_sets")
methods = load("bazan-2014", "methods")
accuracy = load("bazan-2014", "accuracy")
PROTOCOL = data_sets.PROTOCOL
Shares = dict[str, list[Any]]


def readings(
    X: pd.DataFrame, training: pd.DataFrame, columns: Sequence[str], level: float, seed: list[int]
) -> pd.DataFrame:
    """Patients measured `readings` times again, one table below the other.

    The standard deviation is `level` means of a column's training values. Whole numbers become
    floats: they are read as finely as the noise has it.
    """
    model = MeanFraction(level)
    noise = {name: model.fitted(training[name].to_numpy(float), name) for name in columns}
    n_readings = PROTOCOL["flips"]["readings"]
    stacked = pd.concat([X] * n_readings, ignore_index=True).astype(dict.fromkeys(columns, float))
    again: pd.DataFrame = remeasure(stacked, noise, np.random.default_rng(seed))
    return again


def fold_shares(model: Any, X: Any, y: Any, again: Mapping[float, Any]) -> dict[str, Any]:
    """Shares of one fold: correct; flipped, and correct when measured again, by level."""
    answer = model.predict(X)
    repeated = {level: model.predict(read).reshape(-1, len(y)) for level, read in again.items()}
    return {
        "accuracy": float((answer == y).mean()),
        "flips": [float((other != answer).mean()) for other in repeated.values()],
        "accuracy_again": [float((other == y).mean()) for other in repeated.values()],
    }


def repeat_shares(data: Any, columns: Sequence[str], name: str, repeat: int) -> dict[str, Shares]:
    """By method and measure, of all folds of one repeat; all methods get the same readings."""
    options, cross = PROTOCOL["flips"], PROTOCOL["cross_validation"]
    told = {column: MeanFraction(options["soft"]) for column in columns}
    makers = methods.measured_again(PROTOCOL["methods"], told)
    found: dict[str, Shares] = {method: {} for method in makers}
    splits = data.folds(cross["folds"], [cross["seed"], repeat])
    for fold, (train, test) in enumerate(splits):
        training, X = data.rows(train), data.rows(test)
        again = {
            level: readings(X, training, columns, level, seed_of(name, repeat, fold, level))
            for level in options["noise"]
        }
        for method, make in makers.items():
            model = make().fit(training, data.y[train])
            for measure, value in fold_shares(model, X, data.y[test], again).items():
                found[method].setdefault(measure, []).append(value)
    return found


def shares(name: str, store: Store) -> dict[str, Shares]:
    """Of all methods on a data set, over all repeats."""
    data, columns = data_sets.measured(name)
    protocol = {part: PROTOCOL[part] for part in ("cross_validation", "methods", "flips")}
    found: dict[str, Shares] = {}
    for repeat in range(PROTOCOL["cross_validation"]["repeats"]):
        key = {"part": "flips", "data": name, "repeat": repeat, "measured": columns,
               "protocol": protocol, "version": cw.__version__}  # fmt: skip
        run = store.get("bazan-2014", key)
        if run is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ClearwoodWarning)  # means near 0: see README.md
                run = repeat_shares(data, columns, name, repeat)
            store.put("bazan-2014", key, run)
        for method in methods.measured_again(PROTOCOL["methods"], {}):  # a store forgets the order
            for measure, values in run[method].items():
                found.setdefault(method, {}).setdefault(measure, []).extend(values)
    return found


def flipped(found: Mapping[str, Shares], method: str, place: int) -> np.ndarray[Any, Any]:
    """Percent of flipped answers, for each fold, at one level of noise."""
    return np.array([100 * fold[place] for fold in found[method]["flips"]])


def flips_of(found: Mapping[str, Shares], method: str, place: int) -> list[str]:
    """Flips, and flips less those of RS-C, with intervals, at one level of noise."""
    ours, plain = (flipped(found, each, place) for each in (method, methods.PLAIN))
    gap = accuracy.gain_text(accuracy.interval(ours - plain))
    return [accuracy.share_text(ours), "–" if method == methods.PLAIN else gap]


def flip_header() -> list[str]:
    """Columns of flips, by level of noise."""
    levels = PROTOCOL["flips"]["noise"]
    return [text for level in levels for text in (f"flips (%) at {100 * level:g} %", "less RS-C")]


def table(title: str, found: Mapping[str, Shares]) -> str:
    """A row for each method: flips, and flips less those of RS-C, at each level; accuracy."""
    levels = PROTOCOL["flips"]["noise"]
    rows = []
    for method, measures in found.items():
        cells = [text for place in range(len(levels)) for text in flips_of(found, method, place)]
        again = [fold[-1] for fold in measures["accuracy_again"]]
        correct = [measures["accuracy"], again]
        rows.append([method, *cells, *(f"{100 * statistics.mean(part):.1f}" for part in correct)])
    header = ["", *flip_header(), "accuracy (%)", f"at {100 * levels[-1]:g} %"]
    return f"{title}\n\n" + markdown(header, rows)


def mean_of(found: Mapping[str, Mapping[str, Shares]]) -> dict[str, Shares]:
    """Means over data sets, fold by fold.

    Folds of different sets have nothing in common, so the variance of these means over folds is
    that of the mean of the sets, taken as given: their interval does not reach to other sets.
    """
    sets = list(found.values())
    return {
        method: {
            measure: np.mean([of[method][measure] for of in sets], axis=0).tolist()
            for measure in measures
        }
        for method, measures in sets[0].items()
    }


def report(names: Sequence[str], store: Store) -> Iterator[str]:
    """The means first, then each data set."""
    found = {name: shares(name, store) for name in names}
    yield table(f"## Flips, means of {len(found)} data sets", mean_of(found))
    for name, of in found.items():
        yield table(f"### {name}", of)
