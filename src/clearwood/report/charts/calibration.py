"""The chart of calibration: what each stratum was predicted beside what was seen in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.metrics import calibration_points
from clearwood.report.charts.curve_layers import Axis, Plot, drawn
from clearwood.report.charts.look import COLOURS
from clearwood.report.charts.series import Series, Tables, by_name

if TYPE_CHECKING:
    import altair


def calibration_chart(
    tables: Tables,
    *,
    title: str | None = None,
    linked: bool = False,
    width: int = 420,
    height: int = 420,
) -> altair.LayerChart:
    """Observed share of events against predicted risk: a point and Wilson's interval a stratum.

    Parameters and result are those of `roc_chart`. Nothing is smoothed or binned: a tree gives
    only as many risks as it has leaves. Points of training rows lie on the diagonal by
    construction, unless the tree smooths its probabilities.
    """
    named = by_name(tables)
    series = [Series(name, calibration_points(table).vertices, ()) for name, table in named.items()]
    strata = [v.stratum for one in series for v in one.vertices if v.stratum is not None]
    highest = max((max(s.predicted, s.observed.upper) for s in strata), default=1.0)
    end = min(1.0, 1.05 * highest)
    x, y = Axis("predicted risk", 0, end), Axis("observed share of events", 0, end)
    bars = [((s.predicted, s.observed.lower), (s.predicted, s.observed.upper)) for s in strata]
    plot = Plot(x, y, series, width, height, [((0, 0), (end, end))], obstacles=bars)
    return drawn(plot, named, title, linked=linked, behind=_bars(plot))


def _bars(plot: Plot) -> list[altair.Chart]:
    """The intervals; later series are thinner, so that one behind another stays in sight."""
    layers = []
    for place, (series, colour) in enumerate(zip(plot.series, COLOURS, strict=False)):
        records = [
            {"x": v.x, "y": v.stratum.observed.lower, "y2": v.stratum.observed.upper}
            for v in series.vertices
            if v.stratum is not None
        ]
        bars = plot.base(records).mark_rule(
            color=colour, strokeWidth=1.4 + 2.2 * (len(plot.series) - 1 - place), opacity=0.75
        )
        if records:
            layers.append(bars.encode(y2="y2:Q"))
    return layers
