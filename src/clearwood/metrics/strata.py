"""Strata: what is known of the rows that one leaf takes, and of all from it upward in risk."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, isnan, log, nan, sqrt

import numpy as np

from clearwood._typing import FloatArray
from clearwood.metrics.estimate import Estimate, normal_quantile
from clearwood.metrics.proportion import wilson


@dataclass(frozen=True, slots=True)
class Flagged:
    """What follows from flagging a stratum together with all of higher risk.

    Parameters
    ----------
    n, n_events : float
        Rows flagged (their weight), and those of them with the event.
    share : Estimate
        Share of all rows that is flagged.
    sensitivity, specificity, ppv, npv : Estimate
        With Wilson's intervals; undefined where no row could be counted.
    likelihood_ratio_positive, likelihood_ratio_negative : Estimate
        ``sensitivity / (1 - specificity)`` and ``(1 - sensitivity) / specificity``, with the
        interval of Simel, Samsa and Matchar (1991), Journal of Clinical Epidemiology 44,
        763-770; there is none where a count in it is 0.
    number_needed_to_evaluate : Estimate
        Rows flagged for each event found: 1 / PPV. Infinite where none is found.
    flagged_per_1000, missed_per_1000 : float
        Of 1,000 rows, those flagged, and those with the event that are not flagged.
    lift : float
        PPV divided by the prevalence.
    """

    n: float
    n_events: float
    share: Estimate
    sensitivity: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate
    likelihood_ratio_positive: Estimate
    likelihood_ratio_negative: Estimate
    number_needed_to_evaluate: Estimate
    flagged_per_1000: float
    missed_per_1000: float
    lift: float


@dataclass(frozen=True, slots=True)
class Stratum:
    """The rows that one leaf of a tree takes.

    Parameters
    ----------
    rule_id : str
        By which charts and pictures name the stratum: ``step-3`` in a chain, ``leaf-7`` in any
        other tree.
    step : int
        In a chain the number of its rule, from 1 in the order of carving, the last being the
        rest; in any other tree the place by risk, 1 for the highest.
    leaf : int
        Node of the tree.
    rule : str
        In a chain its own rule, which holds where none before it does: ``otherwise if ef > 35 %``.
        In any other tree, and where no chain was meant and its risks are in no order, the same as
        `conditions`.
    conditions : str
        The whole conjunction, one condition a column; ``always`` where there is none.
    n, n_events : float
        Rows (their weight), and those of them with the event.
    predicted : float
        The risk that the model gives, from its training.
    observed : Estimate
        Share of events among the rows, with Wilson's interval.
    flagged : Flagged
        This stratum and all above it in the table.
    """

    rule_id: str
    step: int
    leaf: int
    rule: str
    conditions: str
    n: float
    n_events: float
    predicted: float
    observed: Estimate
    flagged: Flagged


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Weights and squared weights of the rows of each stratum, highest risk first.

    Parameters
    ----------
    weight, squared : ndarray of float, shape (n_strata, 2)
        Without and with the event.
    """

    weight: FloatArray
    squared: FloatArray

    def until(self, place: int) -> Counts:
        """The strata before `place`."""
        return Counts(self.weight[:place], self.squared[:place])

    def since(self, place: int) -> Counts:
        """The strata from `place` on."""
        return Counts(self.weight[place:], self.squared[place:])

    def n_effective(self, column: int | None = None) -> float:
        """Kish's effective number of rows, (sum w)² / sum w²; that of one column, or of both."""
        chosen = slice(None) if column is None else column
        weight, squared = self.weight[:, chosen].sum(), self.squared[:, chosen].sum()
        return float(weight**2 / squared) if squared > 0 else 0.0


def share(part: float, whole: float, n_effective: float, confidence: float) -> Estimate:
    """``part / whole`` with Wilson's interval for `n_effective` rows; NaN where `whole` is 0."""
    if not whole > 0:
        return Estimate(nan)
    value = min(part / whole, 1.0)
    interval = wilson(min(value * n_effective, n_effective), n_effective, confidence)
    return Estimate(value, interval.lower, interval.upper)


def flagged(counts: Counts, place: int, confidence: float) -> Flagged:
    """What follows from flagging the strata up to and including `place`."""
    yes, no = counts.until(place + 1), counts.since(place + 1)
    others, events = counts.weight.sum(axis=0).tolist()
    false, true = yes.weight.sum(axis=0).tolist()
    rest_others, missed = no.weight.sum(axis=0).tolist()
    n, total = false + true, others + events
    n_events, n_others = counts.n_effective(1), counts.n_effective(0)
    sensitivity = share(true, events, n_events, confidence)
    specificity = share(rest_others, others, n_others, confidence)
    ppv = share(true, n, yes.n_effective(), confidence)
    z = normal_quantile(confidence)
    return Flagged(
        n=n,
        n_events=true,
        share=share(n, total, counts.n_effective(), confidence),
        sensitivity=sensitivity,
        specificity=specificity,
        ppv=ppv,
        npv=share(rest_others, rest_others + missed, no.n_effective(), confidence),
        likelihood_ratio_positive=_ratio(
            sensitivity.value, 1 - specificity.value, n_events, n_others, z
        ),
        likelihood_ratio_negative=_ratio(
            1 - sensitivity.value, specificity.value, n_events, n_others, z
        ),
        number_needed_to_evaluate=_inverse(ppv),
        flagged_per_1000=1000 * n / total if total > 0 else nan,
        missed_per_1000=1000 * missed / total if total > 0 else nan,
        lift=ppv.value * total / events if events > 0 else nan,
    )


def _ratio(above: float, below: float, n_above: float, n_below: float, z: float) -> Estimate:
    """A ratio of two independent shares with the normal interval of its logarithm."""
    if isnan(above) or isnan(below) or above == below == 0:
        return Estimate(nan)
    if above <= 0 or below <= 0:
        return Estimate(0.0 if above <= 0 else inf)
    half = z * sqrt((1 - above) / (n_above * above) + (1 - below) / (n_below * below))
    middle = log(above / below)
    return Estimate(above / below, exp(middle - half), exp(middle + half))


def _inverse(ppv: Estimate) -> Estimate:
    """1 / PPV; the ends of its interval change places."""
    value, lower, upper = (
        nan if isnan(v) else inf if v == 0 else 1 / v for v in (ppv.value, ppv.upper, ppv.lower)
    )
    return Estimate(value, lower, upper)


def area(counts: Counts, risks: FloatArray, confidence: float) -> Estimate:
    """Area under the ROC curve with DeLong's interval, from the weights of strata.

    Parameters
    ----------
    counts : Counts
        Of the strata.
    risks : ndarray of float, shape (n_strata,)
        The score of each; strata of one risk are ties.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Estimate
        For rows of weight 1 what `delong` gives row by row; else every row counts by its weight,
        and the variance is that of a weighted mean, with effective numbers.
    """
    weight = counts.weight.sum(axis=0)
    if not (weight > 0).all():
        return Estimate(nan)
    events, others = counts.weight[:, 1] / weight[1], counts.weight[:, 0] / weight[0]
    beaten, unbeaten = _below(risks, others), 1 - _below(risks, events)  # DeLong's components
    value = float(events @ beaten)
    variance = _mean_variance(beaten, value, counts, 1) + _mean_variance(unbeaten, value, counts, 0)
    if not variance > 0:
        return Estimate(value)
    half = normal_quantile(confidence) * sqrt(variance)
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))


def _below(risks: FloatArray, parts: FloatArray) -> FloatArray:
    """What lies below the risk of each stratum, and half of what has the same."""
    _, place = np.unique(risks, return_inverse=True)
    by_risk = np.bincount(place, parts)
    below: FloatArray = (np.cumsum(by_risk) - by_risk / 2)[place]
    return below


def _mean_variance(values: FloatArray, mean: float, counts: Counts, column: int) -> float:
    """Variance of a weighted mean over rows that share a value by stratum."""
    n = counts.n_effective(column)
    if not n > 1:
        return nan
    squares = float(counts.squared[:, column] @ (values - mean) ** 2)
    return squares / float(counts.weight[:, column].sum()) ** 2 * n / (n - 1)
