"""The menu of split criteria: what scores a candidate cut, and how a column is then chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Criterion:
    """A split criterion as the core composes it.

    Parameters
    ----------
    score : str
        Ranks the candidates within a column.
    chooser : str
        Picks a column: "best_score", or "gain_ratio" (among the columns whose gain is at least
        average, the highest gain divided by split information).
    source : str
        Where it is defined.
    """

    score: str
    chooser: str
    source: str


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {
        "information_gain": Criterion(
            "information_gain", "best_score", "Quinlan, Induction of decision trees (1986)"
        ),
        "gain_ratio": Criterion(
            "information_gain", "gain_ratio", "Quinlan, C4.5: Programs for machine learning (1993)"
        ),
        "gini": Criterion(
            "gini", "best_score", "Breiman et al., Classification and regression trees (1984)"
        ),
        "discernibility": Criterion(
            "discernibility", "best_score", "Bazan et al., V-decision trees (2014), section 1.1"
        ),
    }
)
