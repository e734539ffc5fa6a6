"""The chart of decision curves: net benefit against the threshold probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clearwood._typing import FloatArray
from clearwood.metrics import DecisionCurve, Vertex, decision_curve
from clearwood.report.charts.curve_layers import Axis, Plot, drawn
from clearwood.report.charts.look import COLOURS, FONT_SIZE, GREY
from clearwood.report.charts.series import XY, Series, Tables, by_name
from clearwood.tree.drawing.typeset import cut, text_width

if TYPE_CHECKING:
    import altair

_NEAR = 0.02  # of the highest net benefit: lines of flagging all that are nearer are one
_BAND_OPACITY = 0.13
_LEADING = 14.0
_BESIDE = 60.0  # pixels right of the plot that words may take
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
    """Net benefit of flagging strata, with its interval, against flagging all and flagging none.

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
        No table, more than eight, tables of different events, or a threshold that is not between
        0 and 1.
    """
    named = by_name(tables)
    first = next(iter(named.values()))
    grid = decision_curve(first).thresholds if thresholds is None else thresholds
    curves = {name: decision_curve(table, grid) for name, table in named.items()}
    series = [_series(name, curve) for name, curve in curves.items()]
    everybody = _everybody(tables, list(curves.values()))
    plot = _plot(everybody, list(curves.values()), series, width, height)
    behind = [*_bands(plot, list(curves.values())), *_names(plot, [*everybody])]
    return drawn(plot, named, title, linked=linked, behind=behind)


def _everybody(tables: Tables, curves: list[DecisionCurve]) -> dict[str, DecisionCurve]:
    """The lines of flagging all that differ in the picture, each by what is written at it."""
    labels = list(tables) if isinstance(tables, Mapping) else [""]
    span = max(float(np.nanmax(curve.flag_all, initial=0.0)) for curve in curves)
    groups: list[tuple[list[str], DecisionCurve]] = []
    for label, curve in zip(labels, curves, strict=True):
        if np.isnan(curve.flag_all).all():
            continue
        near = (names for names, other in groups if _is_near(curve.flag_all, other.flag_all, span))
        if (names := next(near, None)) is not None:
            names.append(label)
        else:
            groups.append(([label], curve))
    if len(groups) == 1:
        return {"flag all": groups[0][1]}
    return {f"flag all: {', '.join(names)}": curve for names, curve in groups}


def _is_near(one: FloatArray, other: FloatArray, span: float) -> bool:
    """Whether two lines can hardly be told apart in the part of the picture that shows them."""
    is_shown = np.maximum(one, other) >= -_DEPTH * span
    return bool((np.abs(one - other)[is_shown] < _NEAR * span).all())


def _series(name: str, curve: DecisionCurve) -> Series:
    line = _xy(curve.thresholds, curve.net_benefit)
    flagged = dict(zip(curve.thresholds.tolist(), curve.last_flagged, strict=True))
    vertices, before = [], None
    for x, y in line:
        stratum = flagged[x]
        if stratum is not None and stratum is not before:
            vertices.append(Vertex(x, y, stratum))
        before = stratum
    return Series(name, vertices, line)


def _plot(
    everybody: dict[str, DecisionCurve],
    curves: list[DecisionCurve],
    series: list[Series],
    width: int,
    height: int,
) -> Plot:
    highest = max((y for one in series for _, y in one.line), default=0.0)
    highest = max(highest, max((c.flag_all.max() for c in everybody.values()), default=0.0), 1e-3)
    low, high = float(curves[0].thresholds.min()), float(curves[0].thresholds.max())
    edge = 0.02 * (high - low) or 0.01
    x = Axis("threshold probability", max(0.0, low - edge), min(1.0, high + edge))
    y = Axis("net benefit: events found per row", -_DEPTH * highest, 1.1 * highest, "~g")
    floor = y.low + 0.05 * (y.high - y.low)  # above it there is room for words
    flag_all = [
        [point for point in _xy(curve.thresholds, curve.flag_all) if point[1] >= floor]
        for curve in everybody.values()
    ]
    none = [(x.low, 0.0), (x.high, 0.0)]
    plot = Plot(x, y, series, width, height, [none, *flag_all])
    words = [_room(plot, name) for name in _written(plot, [*everybody])]
    return replace(plot, obstacles=words)


def _xy(x: FloatArray, y: FloatArray) -> list[XY]:
    """Points in the order of x, without the undefined."""
    return sorted((px, py) for px, py in zip(x.tolist(), y.tolist(), strict=True) if not isnan(py))


def _bands(plot: Plot, curves: list[DecisionCurve]) -> list[altair.Chart]:
    """The interval at each threshold, lightly, behind all lines."""
    layers = []
    for curve, colour in zip(curves, COLOURS, strict=False):
        ends = zip(*(part.tolist() for part in (curve.thresholds, curve.lower, curve.upper)),
                   strict=True)  # fmt: skip
        records = [{"x": x, "y": low, "y2": high} for x, low, high in sorted(ends)
                   if not isnan(low)]  # fmt: skip
        if records:
            area = plot.base(records).mark_area(color=colour, opacity=_BAND_OPACITY, clip=True)
            layers.append(area.encode(y2="y2:Q"))
    return layers


@dataclass(frozen=True, slots=True)
class _Name:
    """What is written at a thin line: where it is anchored, and to which side it runs."""

    text: str
    at: XY
    align: Literal["left", "right"]


def _written(plot: Plot, names: list[str]) -> list[_Name]:
    """None at its right end, each flag-all at its lower end, outward, as far as there is room."""
    none, *flag_all = plot.references
    found = [_Name("flag none", none[0], "left")]
    ends = sorted(
        ((line[-1], line, name) for line, name in zip(flag_all, names, strict=True) if line),
        key=lambda end: end[0][0],
    )
    for place, (end, line, name) in enumerate(ends):
        is_last = place == len(ends) - 1
        steps = 0 if is_last else place
        up = end[1] + steps * _LEADING / plot.height * (plot.y.high - plot.y.low)
        at = min(line, key=lambda point: abs(point[1] - up))
        room = plot.width - plot.pixel(at)[0] if is_last else plot.pixel(at)[0]
        words = cut(name, room + (_BESIDE if is_last else 0) - 8, FONT_SIZE)
        found.append(_Name(words, at, "left" if is_last else "right"))
    return found


def _room(plot: Plot, name: _Name) -> list[XY]:
    """The words at a line as something that labels keep off."""
    length = (text_width(name.text, FONT_SIZE) + 8) / plot.width * (plot.x.high - plot.x.low)
    (x, y), sign = name.at, 1 if name.align == "left" else -1
    return [(x, y), (x + sign * length, y)]


def _names(plot: Plot, names: list[str]) -> list[altair.Chart]:
    """What the thin lines are."""
    halos: tuple[dict[str, Any], ...] = ({"stroke": "white", "strokeWidth": 3}, {})
    return [
        plot.base([{"x": name.at[0], "y": name.at[1]}]).mark_text(
            text=name.text, dx=6 if name.align == "left" else -6, align=name.align,
            fontSize=FONT_SIZE, color=GREY, **halo,
        )
        for name in _written(plot, names)
        for halo in halos
    ]  # fmt: skip
