"""One noise model from several studies of the same measurement (meta-analysis).

Biases are combined with weights n / sd²; standard deviations through y = ln s² + 1 / (n − 1), whose
variance is 2 / (n − 1). Between-study variances are DerSimonian and Laird's (1986). That studies
differ, and that limits of agreement in a new place are therefore wider than any one study says:
Tipton and Shuster, A framework for the meta-analysis of Bland–Altman studies (2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import FINITE, POSITIVE
from clearwood.noise.models import Normal

Method: TypeAlias = Literal["fixed", "random"]


@dataclass(frozen=True, slots=True)
class Study:
    """What one study of a measurement reports.

    Parameters
    ----------
    n : int
        Number of pairs or subjects. At least 2.
    sd : float
        Standard deviation of measured − true. Positive.
    bias : float, default=0
        Mean of measured − true.
    """

    n: int
    sd: float
    bias: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.n, bool) or self.n != int(self.n) or self.n < 2:
            raise ParameterError(f"n must be a whole number of at least 2, got {self.n!r}")
        POSITIVE.require("sd", self.sd)
        FINITE.require("bias", self.bias)


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """How far studies differ beyond chance.

    Parameters
    ----------
    q : float
        Cochran's Q: weighted sum of squared distances from the common value.
    tau2 : float
        Variance between studies; 0 where Q is below its expectation.
    i2 : float
        Share of the variance that lies between studies, 0 to 1.
    """

    q: float
    tau2: float
    i2: float


@dataclass(frozen=True, slots=True)
class Pooled:
    """Several studies as one.

    Parameters
    ----------
    model : Normal
        The noise: pooled bias, and `sd` widened by the variance between studies where that was
        asked for.
    method : {"fixed", "random"}
        Whether studies share one value or have values of their own around a common one.
    n_studies : int
        Number of studies.
    bias, bias_se : float
        Pooled bias and its standard error.
    sd : float
        Pooled standard deviation within a study, by log-variance.
    sd_of_mean_variance : float
        The same from the mean variance, weighted by n − 1; for comparison.
    between_biases, between_sds : Heterogeneity
        Of the biases, in squared units; of the log-variances.
    """

    model: Normal
    method: Method
    n_studies: int
    bias: float
    bias_se: float
    sd: float
    sd_of_mean_variance: float
    between_biases: Heterogeneity
    between_sds: Heterogeneity

    def __str__(self) -> str:
        rows = (
            ("bias", f"{self.bias:.4g} (se {self.bias_se:.2g})", self.between_biases),
            ("sd", f"{self.sd:.4g}", self.between_sds),
        )
        lines = [f"{self.n_studies} studies, {self.method} effects: {self.model!r}"]
        lines += [
            f"  {name:<4}  {value:<20}  Q {found.q:.2f}  τ² {found.tau2:.4g}  I² {found.i2:.0%}"
            for name, value, found in rows
        ]
        return "\n".join(lines)


def pool(
    studies: Sequence[Study],
    method: Method = "random",
    include_between_study: bool = True,
    unit: str | None = None,
    source: str | None = None,
) -> Pooled:
    """Combines studies of the same measurement.

    Parameters
    ----------
    studies : sequence of Study
        At least two, in one unit.
    method : {"fixed", "random"}, default="random"
        One value for all studies, or values of their own around a common one.
    include_between_study : bool, default=True
        Whether the variance between the biases of studies widens the noise, as it does in a
        place that none of the studies is about. Only with random effects.
    unit, source : str or None
        Of the model; the source says by default how many studies and patients there were.

    Raises
    ------
    ParameterError
        Fewer than two studies, or an unknown method.

    Examples
    --------
    >>> print(pool([Study(54, 5.05, -0.6), Study(100, 6.0, 1.5), Study(40, 7.2, -2.0)]))
    3 studies, random effects: Normal(...)
      bias  -0.2047 (se 0.99)     Q 9.78  τ² 2.281  I² 80%
      sd    6.03                  Q 5.79  τ² 0.06472  I² 65%
    """
    studies = tuple(studies)
    if len(studies) < 2:
        raise ParameterError(f"studies must be at least two, got {len(studies)}")
    if method not in get_args(Method):
        raise ParameterError(f"method must be one of fixed, random, got {method!r}")
    n = np.array([study.n for study in studies], dtype=np.float64)
    variance = np.array([study.sd for study in studies], dtype=np.float64) ** 2
    bias = np.array([study.bias for study in studies], dtype=np.float64)
    mean_bias, bias_se, between_biases = _combined(bias, variance / n, method)
    y, _, between_sds = _combined(np.log(variance) + 1.0 / (n - 1.0), 2.0 / (n - 1.0), method)
    is_widened = include_between_study and method == "random"
    widened = sqrt(exp(y) + (between_biases.tau2 if is_widened else 0.0))
    return Pooled(
        Normal(
            widened,
            mean_bias,
            unit=unit,
            source=source or f"{len(studies)} studies pooled ({method} effects), n = {n.sum():g}",
        ),
        method,
        len(studies),
        mean_bias,
        bias_se,
        exp(y / 2.0),
        sqrt(float(((n - 1.0) * variance).sum() / (n - 1.0).sum())),
        between_biases,
        between_sds,
    )


def _combined(
    values: FloatArray, variances: FloatArray, method: Method
) -> tuple[float, float, Heterogeneity]:
    """Weighted mean, its standard error, and how far the values differ."""
    weights = 1.0 / variances
    mean = float(np.average(values, weights=weights))
    q = float((weights * (values - mean) ** 2).sum())
    df = len(values) - 1
    spread = weights.sum() - (weights**2).sum() / weights.sum()
    tau2 = max(0.0, float((q - df) / spread))
    i2 = max(0.0, (q - df) / q) if q > 0 else 0.0
    if method == "random":
        weights = 1.0 / (variances + tau2)
        mean = float(np.average(values, weights=weights))
    return mean, float(1.0 / np.sqrt(weights.sum())), Heterogeneity(q, tau2, i2)
