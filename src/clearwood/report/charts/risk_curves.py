"""Charts of risk tables: ROC, lift, gains, precision and recall, each vertex with its rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from clearwood.metrics import (
    Curve,
    RiskTable,
    average_precision,
    gains_curve,
    lift_curve,
    precision_recall_curve,
    roc_curve,
)
from clearwood.metrics.risk_table_text import differs, number, percent_interval
from clearwood.report.charts.curve_layers import Axis, Plot, drawn
from clearwood.report.charts.series import XY, Series, Tables, by_name

if TYPE_CHECKING:
    import altair

_PIECES = 24  # straight pieces between two vertices of the lift curve


def roc_chart(
    tables: Tables,
    *,
    title: str | None = None,
    linked: bool = False,
    width: int = 420,
    height: int = 420,
) -> altair.LayerChart:
    """ROC curves whose every vertex is a rule, with AUC and DeLong's interval.

    Parameters
    ----------
    tables : RiskTable or mapping of label to RiskTable
        As `clearwood.risk_table` gives them, up to eight, of one event. The legend says of each
        whether its rows are training rows, which flatter a model, or held out. The first has its
        vertices labelled where there is room: up to eight with their rules, up to sixty with
        their numbers. How many rows are divided among leaves, and why a table has no curve,
        stands below the title.
    title : str or None, default=None
        None: the event, which otherwise stands below the title.
    linked : bool, default=False
        Adds the params ``hover`` and ``hot`` by which a page lights the same rule elsewhere.
    width, height : int
        Of the area between the axes, in pixels.

    Returns
    -------
    altair.LayerChart
        Its tooltips hold rule, n, events, sensitivity, specificity, PPV, NPV with intervals.

    Raises
    ------
    ParameterError
        No table, more than eight, or tables of different events.
    """
    named = by_name(tables)
    series = [_series(f"{name}: {_area(table)}", roc_curve(table)) for name, table in named.items()]
    x, y = Axis("1 − specificity", 0, 1), Axis("sensitivity", 0, 1)
    plot = Plot(x, y, series, width, height, [((0, 0), (1, 1))])
    notes = [
        f"{name}: AUC of the strata that are drawn {table.strata_auc}."
        for name, table in named.items()
        if differs(table)
    ]
    return drawn(plot, named, title, linked=linked, notes=notes)


def gains_chart(
    tables: Tables,
    *,
    title: str | None = None,
    linked: bool = False,
    width: int = 420,
    height: int = 420,
) -> altair.LayerChart:
    """Share of the events found against the share of rows flagged.

    Parameters and result are those of `roc_chart`.
    """
    named = by_name(tables)
    series = [_series(name, gains_curve(table)) for name, table in named.items()]
    x, y = Axis("share flagged", 0, 1), Axis("sensitivity: share of events found", 0, 1)
    plot = Plot(x, y, series, width, height, [((0, 0), (1, 1))])
    return drawn(plot, named, title, linked=linked)


def lift_chart(
    tables: Tables,
    *,
    title: str | None = None,
    linked: bool = False,
    width: int = 420,
    height: int = 420,
) -> altair.LayerChart:
    """Lift, PPV as a multiple of the prevalence, against the share of rows flagged.

    Parameters and result are those of `roc_chart`. Between two vertices the line shows the lift
    of flagging a part of the next stratum at random.
    """
    named, series = by_name(tables), []
    for name, table in named.items():
        curve = lift_curve(table)
        label = f"{name}: prevalence {percent_interval(table.prevalence)}"
        series.append(Series(label, curve.vertices, _lift_line(curve)))
    highest = max((v.y for one in series for v in one.vertices), default=1.0)
    x, y = Axis("share flagged", 0, 1), Axis("lift", 0, 1.08 * max(highest, 1.2), "~g")
    plot = Plot(x, y, series, width, height, [((0, 1), (1, 1))])
    return drawn(plot, named, title, linked=linked)


def precision_recall_chart(
    tables: Tables,
    *,
    title: str | None = None,
    linked: bool = False,
    width: int = 420,
    height: int = 420,
) -> altair.LayerChart:
    """Precision (PPV) against recall (sensitivity), with average precision and prevalence.

    Parameters and result are those of `roc_chart`. A thin line marks each prevalence, the
    precision of flagging at random.
    """
    named = by_name(tables)
    series = [_stepped(name, table) for name, table in named.items()]
    highest = max((v.y for one in series for v in one.vertices), default=1.0)
    x, y = Axis("recall (sensitivity)", 0, 1), Axis("precision (PPV)", 0, min(1, 1.1 * highest))
    prevalences = {table.prevalence.value for table in named.values() if table.n > 0}
    references = [((0, share), (1, share)) for share in sorted(prevalences)]
    return drawn(Plot(x, y, series, width, height, references), named, title, linked=linked)


def _area(table: RiskTable) -> str:
    whose = " of the model's risks" if differs(table) else ""
    return f"AUC {table.auc}{whose}"


def _series(name: str, curve: Curve) -> Series:
    return Series(name, curve.vertices, [(vertex.x, vertex.y) for vertex in curve.vertices])


def _stepped(name: str, table: RiskTable) -> Series:
    vertices = precision_recall_curve(table).vertices
    corners: list[XY] = []
    for before, after in pairwise(vertices):
        corners += [(before.x, before.y), (before.x, after.y), (after.x, after.y)]
    mean = number(average_precision(table), 3)
    prevalence = percent_interval(table.prevalence)
    return Series(f"{name}: average precision {mean}, prevalence {prevalence}", vertices, corners)


def _lift_line(curve: Curve) -> Sequence[XY]:
    """Sensitivity is linear in the share flagged, so lift is what it is divided by the share."""
    line: list[XY] = []
    for before, after in pairwise(curve.vertices):
        gain, rise = before.x * before.y, after.x * after.y - before.x * before.y
        for k in range(_PIECES + 1):
            part = k / _PIECES
            x = before.x + part * (after.x - before.x)
            line.append((x, (gain + part * rise) / x if x > 0 else before.y))
    return line
