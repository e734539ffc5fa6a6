"""Cohorts: open intensive-care stays, and two simulated ones of the paper's sizes.

The paper's own cohorts (MIMIC-II, restricted access) cannot be had. The simulated ones have their
numbers of rows, events and features, and nothing else of theirs: what README.md says in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from clearwood.noise import MeanFraction, Normal
from experiments.protocol.data import DataSet, read
from experiments.protocol.noise_grid import seed_of

HOURS = 12


@dataclass(frozen=True, slots=True)
class Sign:
    """How a vital sign behaves.

    Parameters
    ----------
    usual : float
        Mean over patients.
    between : float
        Standard deviation between patients.
    within : float
        Standard deviation from hour to hour.
    bounds : (float, float)
        What a monitor shows at least and at most.
    digits : int
        Decimals that are written down.
    """

    usual: float
    between: float
    within: float
    bounds: tuple[float, float]
    digits: int = 0


SIGNS: Mapping[str, Sign] = {
    "DBP": Sign(62, 9, 6, (10, 140)),
    "HR": Sign(86, 15, 6, (15, 220)),
    "RespRate": Sign(19, 4, 3, (2, 60)),
    "SBP": Sign(122, 17, 10, (30, 250)),
    "SaO2": Sign(97, 1.5, 1.2, (50, 100)),
    "Temp": Sign(37.0, 0.6, 0.2, (32, 42), 1),
}
SUMMARIES = ("last", "min", "max", "mean")


@dataclass(frozen=True, slots=True)
class Course:
    """A simulated cohort.

    Parameters
    ----------
    n_rows, n_events : int
    drift : mapping of str to float
        What a vital sign has changed by in the last hour, in its standard deviations between
        patients, where severity is 1. The change sets in over the 12 hours and is strongest at
        their end.
    silent : float
        Share of the events that look like patients without it.
    unwell : float
        Share of the others that look like events.
    missing : float
        Share of the patients in whom a sign was not measured, for each sign by itself.
    """

    n_rows: int
    n_events: int
    drift: Mapping[str, float]
    silent: float = 0.15
    unwell: float = 0.1
    missing: float = 0.05


COURSES: Mapping[str, Course] = {
    "septic-like": Course(
        1359,
        213,
        {"SBP": -2.2, "DBP": -1.5, "HR": 1.0, "RespRate": 1.0, "SaO2": -0.6, "Temp": 0.4},
    ),
    "asystole-like": Course(
        3590,
        361,
        {"HR": -1.8, "SaO2": -2.4, "RespRate": -0.8, "SBP": -0.8, "DBP": -0.5, "Temp": -0.4},
    ),
}
"""Septic shock shows in blood pressure first; asystole, says the paper, in heart rate and SpO2."""


def severity(course: Course, has_event: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """How far each patient deteriorates: about 1 or about 0, with a spread of a half."""
    is_ill = np.where(
        has_event,
        rng.random(course.n_rows) >= course.silent,
        rng.random(course.n_rows) < course.unwell,
    )
    return np.asarray(is_ill + 0.5 * rng.standard_normal(course.n_rows))


def readings(sign: Sign, drift: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Hourly values (n_rows, 12), as a monitor would have written them down."""
    n_rows = len(drift)
    level = sign.usual + sign.between * rng.standard_normal((n_rows, 1))
    onset = np.linspace(1 / HOURS, 1, HOURS) ** 2  # slow at first
    change = sign.between * drift[:, None] * onset
    noise = sign.within * rng.standard_normal((n_rows, HOURS))
    return np.asarray(np.round(np.clip(level + change + noise, *sign.bounds), sign.digits))


def simulated(name: str, seed: int) -> DataSet:
    """One of `COURSES`; the event is 1. The same for the same seed on every machine."""
    course = COURSES[name]
    rng = np.random.default_rng(seed_of(name, seed))
    has_event = rng.permutation(np.arange(course.n_rows) < course.n_events)
    severe = severity(course, has_event, rng)
    columns: dict[str, np.ndarray] = {}
    for sign, behaviour in SIGNS.items():
        values = readings(behaviour, course.drift[sign] * severe, rng)
        is_missing = rng.random(course.n_rows) < course.missing
        for summary, found in summarised(values).items():
            columns[f"{sign}_{summary}"] = np.where(is_missing, np.nan, found)
    return DataSet(pd.DataFrame(columns), pd.Series(has_event.astype(int), name="event"))


def summarised(values: np.ndarray) -> dict[str, np.ndarray]:
    """Last, least, largest and mean of each row."""
    found = (values[:, -1], values.min(axis=1), values.max(axis=1), values.mean(axis=1).round(2))
    return dict(zip(SUMMARIES, found, strict=True))


def intensive_care() -> DataSet:
    """4000 stays of the PhysioNet/CinC Challenge 2012, set A; the event is death in hospital.

    Vital signs of hours 36 to 48. Raises FileNotFoundError where the data are not there.
    """
    return read("physionet2012_seta", target="In-hospital_death")


def cohort(name: str, seed: int) -> DataSet:
    """Any of them by name."""
    return simulated(name, seed) if name in COURSES else intensive_care()


def noises(options: Mapping[str, Any], columns: Any) -> dict[str, dict[str, Any]]:
    """Noise of every column, by how it is named: a share of the mean, or that of devices.

    Parameters
    ----------
    options : mapping
        ``relative``: standard deviation in means of a column; ``devices``: by vital sign.
    columns : iterable of str
        A vital sign and a summary, joined by "_".
    """
    share, devices = options["relative"], options["devices"]
    relative = {name: MeanFraction(share) for name in columns}
    by_device = {name: Normal(devices[name.rsplit("_", 1)[0]]) for name in columns}
    return {f"{100 * share:g} %": relative, "devices": by_device}
