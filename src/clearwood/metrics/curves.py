"""Curves whose every vertex is a rule: ROC, gains, lift, precision and recall, calibration."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from clearwood.metrics.risk_table import RiskTable, record
from clearwood.metrics.strata import Stratum


@dataclass(frozen=True, slots=True)
class Vertex:
    """A point of a curve.

    Parameters
    ----------
    x, y : float
        Never NaN.
    stratum : Stratum or None
        The last stratum that is flagged here, with its rule, counts and measures; None where a
        curve begins, with nothing flagged.
    """

    x: float
    y: float
    stratum: Stratum | None


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of a risk table, in the order of its strata.

    Parameters
    ----------
    x_name, y_name : str
        What the axes show.
    vertices : tuple of Vertex
        Without those of which a coordinate is undefined: no row flagged, no events, no others.
    """

    x_name: str
    y_name: str
    vertices: tuple[Vertex, ...]

    def records(self) -> list[dict[str, Any]]:
        """One flat dict a vertex: x, y, and all that `RiskTable.records` says of its stratum."""
        return [
            {"x": vertex.x, "y": vertex.y}
            | ({} if vertex.stratum is None else record(vertex.stratum))
            for vertex in self.vertices
        ]


def roc_curve(table: RiskTable) -> Curve:
    """Sensitivity against 1 − specificity, from nobody flagged to everybody.

    Of training rows it is concave wherever the risks of the leaves are their shares of events.
    Its area is `RiskTable.strata_auc`, but for strata of equal risk, which the area takes as ties.
    """
    vertices = [
        Vertex(1 - stratum.flagged.specificity.value, stratum.flagged.sensitivity.value, stratum)
        for stratum in table.strata
    ]
    return _curve("1 − specificity", "sensitivity", [Vertex(0.0, 0.0, None), *vertices])


def gains_curve(table: RiskTable) -> Curve:
    """Sensitivity against the share of rows that is flagged."""
    vertices = [
        Vertex(stratum.flagged.share.value, stratum.flagged.sensitivity.value, stratum)
        for stratum in table.strata
    ]
    return _curve("share flagged", "sensitivity", [Vertex(0.0, 0.0, None), *vertices])


def lift_curve(table: RiskTable) -> Curve:
    """PPV as a multiple of the prevalence, against the share of rows that is flagged.

    Between two vertices, where a part of a stratum is flagged at random, sensitivity is linear
    in the share flagged, and lift, their ratio, is not.
    """
    vertices = [
        Vertex(stratum.flagged.share.value, stratum.flagged.lift, stratum)
        for stratum in table.strata
    ]
    return _curve("share flagged", "lift", _from_the_axis(vertices))


def precision_recall_curve(table: RiskTable) -> Curve:
    """PPV against sensitivity; compare it with the prevalence, the PPV of flagging at random.

    The way between two vertices is a step: precision of the later one. Straight lines would
    promise too much: Davis and Goadrich (2006), ICML, 233-240.
    """
    vertices = [
        Vertex(stratum.flagged.sensitivity.value, stratum.flagged.ppv.value, stratum)
        for stratum in table.strata
    ]
    return _curve("sensitivity (recall)", "PPV (precision)", _from_the_axis(vertices))


def calibration_points(table: RiskTable) -> Curve:
    """Observed share of events against predicted risk, a point a stratum, nothing smoothed."""
    vertices = [
        Vertex(stratum.predicted, stratum.observed.value, stratum) for stratum in table.strata
    ]
    return _curve("predicted risk", "observed share of events", vertices)


def average_precision(table: RiskTable) -> float:
    """Mean of PPV over the events, each taken where its stratum is reached.

    Returns
    -------
    float
        The sum over the different risks of PPV times what sensitivity grows by; strata of equal
        risk are taken together. NaN without events.
    """
    strata, total, before = table.strata, 0.0, 0.0
    if not table.n_events > 0:
        return nan
    for place, stratum in enumerate(strata):
        is_tied = place + 1 < len(strata) and strata[place + 1].predicted == stratum.predicted
        found, ppv = stratum.flagged.sensitivity.value, stratum.flagged.ppv.value
        if is_tied or isnan(ppv):
            continue
        total += (found - before) * ppv
        before = found
    return total


def _from_the_axis(vertices: list[Vertex]) -> list[Vertex]:
    """The same, begun at x = 0 with the height of the first vertex that is defined."""
    known = [vertex for vertex in vertices if not isnan(vertex.y)]
    return [Vertex(0.0, known[0].y, None), *known] if known else []


def _curve(x_name: str, y_name: str, vertices: list[Vertex]) -> Curve:
    known = tuple(vertex for vertex in vertices if not (isnan(vertex.x) or isnan(vertex.y)))
    return Curve(x_name, y_name, known if any(vertex.stratum for vertex in known) else ())
