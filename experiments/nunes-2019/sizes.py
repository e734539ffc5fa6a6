"""Leaves, accuracy and decision stability of the paper's six methods under training noise.

``python -m experiments nunes-2019 --part sizes``. A fixed u, equal to the noise but at least 0.1,
stands for the paper's tuned one; noise enters the training rows, tests are clean (experiment 1).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine

import clearwood as cw
from clearwood.errors import ClearwoodWarning
from experiments.protocol.data import DataSet, read
from experiments.protocol.noise_grid import scales, seed_of, with_measurement_noise
from experiments.protocol.splits import stratified_split
from experiments.protocol.tables import markdown

LEVELS = (0.0, 0.1, 0.2)
SEEDS = 10
READING = 0.1  # noise of the two readings whose answers are compared
LEAST_U = 0.1
FROM_SHARED = {
    "bupa": "bupa",
    "haberman": "haberman",
    "pima": "pima_diabetes",
    "south african heart": "saheart",
    "vertebral, 2 classes": "vertebral_2c",
}


def data_sets() -> Iterator[tuple[str, DataSet]]:
    """Wisconsin breast cancer and wine as scikit-learn ships them, and five from beside."""
    for name, load in (("breast cancer", load_breast_cancer), ("wine", load_wine)):
        X, y = load(return_X_y=True, as_frame=True)
        yield name, DataSet(X, y)
    for name, folder in FROM_SHARED.items():
        data = read(folder)
        yield name, DataSet(data.X.select_dtypes("number"), data.y)


def methods(u: float) -> dict[str, Any]:
    """The paper's names; "C4.5" is what an independent reproduction found the paper's to be."""
    soft = cw.SoftTreeClassifier
    return {
        "C4.5": soft(cut_at="upper"),
        "SS": soft(search_noise=u),
        "STP": soft(propagation_noise=u),
        "SE": soft(cut_at="upper", evaluation_noise=u),
        "SS+STP": soft(noise=u),
        "UDT": cw.UDTClassifier(width=u),
    }


def results(name: str, data: DataSet) -> list[dict[str, Any]]:
    """One record for each level, seed and method."""
    records = []
    for level in LEVELS:
        for seed in range(SEEDS):
            train, test = stratified_split(data.y, 0.3, seed_of(name, seed))
            X, y = data.X.iloc[train], data.y.iloc[train]
            rng = np.random.default_rng(seed_of(name, seed, level))
            noisy = with_measurement_noise(X, scales(X, level), rng)
            clean, answers = data.X.iloc[test], data.y.iloc[test].to_numpy()
            readings = [with_measurement_noise(clean, scales(X, READING), rng) for _ in range(2)]
            for method, learner in methods(max(level, LEAST_U)).items():
                learner.fit(noisy, y)
                first, second = (learner.predict(reading) for reading in readings)
                records.append(
                    {
                        "method": method,
                        "level": level,
                        "leaves": learner.get_n_leaves(),
                        "accuracy": float((learner.predict(clean) == answers).mean()),
                        "flips": float((first != second).mean()),
                    }
                )
    return records


def table(frame: pd.DataFrame, value: str, digits: int, factor: float = 1.0) -> str:
    """Means by data set or method and level."""
    names = list(methods(LEAST_U))
    rows = []
    for (data, level), part in frame.groupby(["data", "level"], sort=False):
        means = part.groupby("method")[value].mean() * factor
        rows.append([f"{data}, {level:g}", *(f"{means[name]:.{digits}f}" for name in names)])
    for level in LEVELS:
        means = frame[frame.level == level].groupby("method")[value].mean() * factor
        rows.append([f"all, {level:g}", *(f"{means[name]:.{digits}f}" for name in names)])
    return markdown(["data, noise", *names], rows)


def main() -> None:
    """Prints three tables: leaves, accuracy, share of patients whose answer changes."""
    frames = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # means near 0: known and harmless here
        for name, data in data_sets():
            frames.append(pd.DataFrame(results(name, data)).assign(data=name))
    frame = pd.concat(frames)
    print("Leaves\n\n" + table(frame, "leaves", 1))
    print("\nAccuracy on clean tests, %\n\n" + table(frame, "accuracy", 1, 100.0))
    print(
        "\nPatients whose class differs between two readings with sd 0.1 |mean|, %\n\n"
        + table(frame, "flips", 1, 100.0)
    )


if __name__ == "__main__":
    main()
