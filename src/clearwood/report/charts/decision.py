"""The chart of decision curves: net benefit against the threshold probability."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Literal

from clearwood._typing import FloatArray
from clearwood.metrics import DecisionCurve, RiskTable, Vertex, decision_curve
from clearwood.report.charts.curve_layers import Axis, Plot, drawn
from clearwood.report.charts.look import FONT_SIZE, GREY
from clearwood.report.charts.series import XY, Series, Tables, by_name

if TYPE_CHECKING:
    import altair

_DEPTH = 0.25  # how far below 0 the chart reaches, in parts of the highest benefit


def decision_curve_chart(
    tables: Tables,
    *,
    thresholds: Any = None,
    title: str | None = None,
    linked: bool = False,
    width: int = 520,
    height: int = 340,
) -> altair.LayerChart:
    """Net benefit of a model against flagging all and flagging none.

    Parameters
    ----------
    tables, title, linked, width, height
        As in `roc_chart`. A point stands where the threshold passes the risk of a stratum: from
        there to the next point those of its risk and higher are flagged.
    thresholds : array-like of float or None, default=None
        Threshold probabilities to draw, between 0 and 1; by default from half the prevalence of
        the first table to twice of it. Choose the range in which a clinician would act.

    Returns
    -------
    altair.LayerChart

    Raises
    ------
    ParameterError
        No table, more than eight, or a threshold that is not between 0 and 1.
    """
    named = by_name(tables)
    first = next(iter(named.values()))
    grid = decision_curve(first).thresholds if thresholds is None else thresholds
    curves = {name: decision_curve(table, grid) for name, table in named.items()}
    series = [_series(name, curve) for name, curve in curves.items()]
    plot = _plot(named, list(curves.values()), series, width, height)
    return drawn(plot, title, linked=linked, behind=_names(plot))


def _series(name: str, curve: DecisionCurve) -> Series:
    line = _xy(curve.thresholds, curve.net_benefit)
    vertices, before = [], None
    for (x, y), stratum in zip(line, curve.last_flagged, strict=True):
        if stratum is not None and stratum is not before:
            vertices.append(Vertex(x, y, stratum))
        before = stratum
    return Series(name, vertices, line)


def _plot(
    named: dict[str, RiskTable],
    curves: list[DecisionCurve],
    series: list[Series],
    width: int,
    height: int,
) -> Plot:
    highest = max((y for one in series for _, y in one.line), default=0.0)
    highest = max(highest, max((curve.flag_all.max() for curve in curves), default=0.0), 1e-3)
    low, high = float(curves[0].thresholds.min()), float(curves[0].thresholds.max())
    edge = 0.02 * (high - low) or 0.01
    x = Axis("threshold probability", max(0.0, low - edge), min(1.0, high + edge))
    y = Axis("net benefit: events found per row", -_DEPTH * highest, 1.1 * highest, "~g")
    prevalences = [table.prevalence.value for table in named.values()]
    different = dict(zip(prevalences, curves, strict=True)).values()
    floor = y.low + 0.05 * (y.high - y.low)  # above it there is room for words
    flag_all = [
        [point for point in _xy(curve.thresholds, curve.flag_all) if point[1] >= floor]
        for curve in different
    ]
    lines = [[(x.low, 0.0), (x.high, 0.0)], *sorted(line for line in flag_all if line)]
    room = 60 / width * (x.high - x.low)  # of the words beside a line
    words = [[(px - room, py), (px + room, py)] for px, py in (line[-1] for line in lines[1:])]
    return Plot(x, y, series, width, height, lines, words)


def _xy(x: FloatArray, y: FloatArray) -> list[XY]:
    """Points in the order of x, without the undefined."""
    return sorted((px, py) for px, py in zip(x.tolist(), y.tolist(), strict=True) if not isnan(py))


def _names(plot: Plot) -> list[altair.Chart]:
    """What the thin lines are: none at its end, all right of the last and left of the first."""
    none, *flag_all = (line[-1] for line in plot.references)
    places: list[tuple[XY, str, int, Literal["left", "right"]]] = [(none, "flag none", 6, "left")]
    if flag_all:
        places.append((flag_all[-1], "flag all", 6, "left"))
    if len(flag_all) > 1:
        places.append((flag_all[0], "flag all", -6, "right"))
    return [
        plot.base([{"x": x, "y": y}]).mark_text(
            text=name, dx=dx, align=align, fontSize=FONT_SIZE, color=GREY
        )
        for (x, y), name, dx, align in places
    ]
