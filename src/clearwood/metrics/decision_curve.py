"""Decision curves: what flagging by a model is worth, against flagging all or none.

Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26, 565-574. A threshold
probability p says that a missed event is as bad as (1 − p)/p useless interventions. Net benefit is
``TP/n − FP/n · p/(1 − p)``: events found per row, less the useless interventions in their coin.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.metrics.estimate import normal_quantile
from clearwood.metrics.risk_table import RiskTable
from clearwood.metrics.strata import Stratum

_STEPS = (0.01, 0.001, 0.0001, 0.00001)
_FEWEST = 15
"""Steps of the default grid: the widest of `_STEPS` that makes at least so many points."""


@dataclass(frozen=True, slots=True, eq=False)
class DecisionCurve:
    """Net benefit over threshold probabilities.

    Parameters
    ----------
    thresholds : ndarray of float, shape (n_thresholds,)
        A row is flagged if its predicted risk is at least this.
    net_benefit : ndarray of float, shape (n_thresholds,)
        In events found per row; NaN without rows.
    lower, upper : ndarray of float, shape (n_thresholds,)
        Normal interval of the mean over rows of what each adds to the net benefit; of each
        threshold by itself.
    flag_all : ndarray of float, shape (n_thresholds,)
        Net benefit of flagging everybody; that of flagging nobody is 0.
    last_flagged : tuple of Stratum or None
        At each threshold the stratum of lowest risk that is flagged; None: nobody is.
    """

    thresholds: FloatArray
    net_benefit: FloatArray
    lower: FloatArray
    upper: FloatArray
    flag_all: FloatArray
    last_flagged: tuple[Stratum | None, ...]

    @property
    def avoided_per_100(self) -> FloatArray:
        """Interventions that the model spares per 100 rows against flagging all, no event lost."""
        odds = self.thresholds / (1 - self.thresholds)
        avoided: FloatArray = 100 * (self.net_benefit - self.flag_all) / odds
        return avoided


def decision_curve(table: RiskTable, thresholds: Any = None) -> DecisionCurve:
    """Net benefit of flagging the strata whose predicted risk reaches a threshold.

    Parameters
    ----------
    table : RiskTable
        Rows that are divided among leaves are flagged with the stratum in which they count; see
        `RiskTable.n_divided`.
    thresholds : array-like of float or None, default=None
        Threshold probabilities, between 0 and 1. None: steps of 0.01 from half the prevalence
        to twice of it, finer where it is low. Choose what a clinician would act on: the default
        only knows how frequent the event is.

    Returns
    -------
    DecisionCurve

    Raises
    ------
    ParameterError
        A threshold is not between 0 and 1.
    """
    p = _default(table.prevalence.value) if thresholds is None else _checked(thresholds)
    flags = [_last_flagged(table, threshold) for threshold in p.tolist()]
    n = table.n if table.n > 0 else np.nan
    true = np.array([0.0 if s is None else s.flagged.n_events for s in flags]) / n
    false = np.array([0.0 if s is None else s.flagged.n for s in flags]) / n - true
    odds = p / (1 - p)
    benefit = true - false * odds
    variance = true + false * odds**2 - benefit**2
    half = normal_quantile(table.confidence) * np.sqrt(np.maximum(variance, 0) / table.n_effective)
    return DecisionCurve(
        thresholds=p,
        net_benefit=benefit,
        lower=benefit - half,
        upper=benefit + half,
        flag_all=table.n_events / n - (table.n - table.n_events) / n * odds,
        last_flagged=tuple(flags),
    )


def _last_flagged(table: RiskTable, threshold: float) -> Stratum | None:
    reached = [stratum for stratum in table.strata if stratum.predicted >= threshold]
    return reached[-1] if reached else None


def _default(prevalence: float) -> FloatArray:
    """Multiples of a round step from half the prevalence to twice of it, inside 0 and 1."""
    if not 0 < prevalence < 1:
        return np.arange(1, 100) / 100
    lowest, highest = prevalence / 2, min(2 * prevalence, 0.99)
    for step in _STEPS:
        first, last = ceil(lowest / step - 1e-9), floor(highest / step + 1e-9)
        if last - first + 1 >= _FEWEST:
            break
    per_one = round(1 / step)  # dividing keeps 0.3 the number that is written so
    return np.arange(max(first, 1), min(last, per_one - 1) + 1) / per_one


def _checked(thresholds: Any) -> FloatArray:
    p = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    wrong = ~((p > 0) & (p < 1))
    if p.ndim != 1 or not len(p) or wrong.any():
        seen = float(p[wrong][0]) if wrong.any() else p.shape
        raise ParameterError(f"thresholds must be a list of numbers between 0 and 1, got {seen!r}")
    return p
