"""Whether two methods differ.

Difference of proportions, Wilcoxon's signed ranks, the corrected resampled t, DeLong's paired
areas; and p-values of several tests put together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import stats


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference and how far chance explains it.

    Parameters
    ----------
    statistic : float
        z, t, or the sum of ranks.
    p_value : float
    """

    statistic: float
    p_value: float


def difference_of_proportions(
    first: float, second: float, n: float, sides: Literal[1, 2] = 2
) -> Difference:
    """Test of two error rates on n rows each (Dietterich 1998, section 3.2).

    z = (p1 - p2) / sqrt(2 p (1 - p) / n) with p the mean of both. As Dietterich says, rates of two
    methods on the same rows are not independent: the test is rough.

    Parameters
    ----------
    first, second : float
        Error rates between 0 and 1.
    n : float
        Rows that each was measured on.
    sides : {1, 2}, default=2
        1: the chance of a z as far from 0 on the side where it is.
    """
    p = (first + second) / 2
    spread = math.sqrt(2 * p * (1 - p) / n)
    z = 0.0 if spread == 0 else (first - second) / spread
    return Difference(z, sides * float(stats.norm.sf(abs(z))))


def wilcoxon(
    first: Sequence[float], second: Sequence[float], zeros: Literal["wilcox", "pratt"] = "wilcox"
) -> Difference:
    """Wilcoxon's signed-rank test of paired values; p is 1 where all pairs are equal."""
    gaps = np.asarray(first, float) - np.asarray(second, float)
    if not gaps.any():
        return Difference(0.0, 1.0)
    result: Any = stats.wilcoxon(gaps, zero_method=zeros)
    return Difference(float(result.statistic), float(result.pvalue))


def corrected_resampled_t(
    first: Sequence[float], second: Sequence[float], n_test: float, n_train: float
) -> Difference:
    """Paired t test of the scores of two methods on the folds of a repeated cross-validation.

    The folds share training rows. Nadeau and Bengio (2003), Inference for the generalization error,
    Machine Learning 52, 239-281, therefore put ``1/J + n_test/n_train`` in the place of ``1/J`` in
    the variance of the mean of J differences.

    Parameters
    ----------
    first, second : sequence of float, length n_folds
        At least two, over all repeats, in the same order.
    n_test, n_train : float
        Rows of a fold; only their ratio counts.

    Returns
    -------
    Difference
        Of first less second. Where all pairs differ by the same, p is 0, or 1 if that is nothing.
    """
    gaps = np.asarray(first, float) - np.asarray(second, float)
    variance = (1 / len(gaps) + n_test / n_train) * float(gaps.var(ddof=1))
    t = _ratio(float(gaps.mean()), variance)
    return Difference(t, 2 * float(stats.t.sf(abs(t), len(gaps) - 1)))


def paired_delong(is_event: Any, first: Any, second: Any, group: Any = None) -> Difference:
    """Test of two areas under the ROC curve on the same rows.

    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845: the variance of the difference
    of areas is that of the mean difference of placements, of the events among the others and of the
    others among the events.

    Parameters
    ----------
    is_event : array-like of bool, shape (n_rows,)
        At least two rows of either kind, in each group.
    first, second : array-like of float, shape (n_rows,)
        Scores of two methods; higher where the event is expected. Ties count half.
    group : array-like of shape (n_rows,) or None
        Rows whose scores can be compared with one another: those of one fold, say, since each
        fold's models put their scores on scales of their own. Areas are taken within the groups,
        and their mean is tested. None is one group.

    Returns
    -------
    Difference
        z of the first area less the second.
    """
    has_event = np.asarray(is_event, bool)
    scores = [np.asarray(score, float) for score in (first, second)]
    groups = np.zeros(len(has_event), int) if group is None else np.asarray(group)
    gap, variance = 0.0, 0.0
    for label in np.unique(groups):
        here = groups == label
        pair = (_placements(has_event[here], score[here]) for score in scores)
        of_events, of_others = (a - b for a, b in zip(*pair, strict=True))
        gap += float(of_events.mean())
        variance += sum(float(gaps.var(ddof=1)) / len(gaps) for gaps in (of_events, of_others))
    z = _ratio(gap, variance)
    return Difference(z, 2 * float(stats.norm.sf(abs(z))))


def _placements(has_event: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Share of the others that each event is above, and of the events that are above each other."""
    events, others = score[has_event], score[~has_event]
    among_others, among_events = np.sort(others), np.sort(events)

    def below(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
        places = np.searchsorted(ordered, values, "left") + np.searchsorted(
            ordered, values, "right"
        )
        return np.asarray(places / (2 * len(ordered)))

    return below(among_others, events), 1 - below(among_events, others)


def _ratio(difference: float, variance: float) -> float:
    """In standard errors; 0 where there is no difference at all."""
    if variance > 0:
        return difference / math.sqrt(variance)
    return math.copysign(math.inf, difference) if difference else 0.0


def twice_the_median(p_values: Sequence[float]) -> float:
    """One p-value of several of the same hypothesis, however they depend on one another.

    Rüger (1978), Metrika 25, 171-178: twice the median, 1 at most. Of the repeats of a
    cross-validation, for example.
    """
    return min(1.0, 2 * float(np.median(p_values)))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests made to hold together (Holm 1979), in their order."""
    values = np.asarray(p_values, float)
    order = values.argsort()
    factors = len(values) - np.arange(len(values))
    adjusted = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    result = np.empty(len(values))
    result[order] = adjusted
    return [float(value) for value in result]
