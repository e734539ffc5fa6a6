"""The layers that charts of risk tables share: lines, points with their rules, labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearwood.report.charts import labels
from clearwood.report.charts.look import (
    COLOURS,
    DASHES,
    FONT_SIZE,
    GREY,
    HOT,
    INK,
    finished,
    series_channels,
)
from clearwood.report.charts.series import (
    TOOLTIP,
    XY,
    Series,
    headline,
    remarks,
    short_rule,
    vertex_record,
)

if TYPE_CHECKING:
    import altair

    from clearwood.metrics import RiskTable

MOST_RULES = 8
"""Up to so many strata are labelled with their rules, more with their numbers."""
MOST_NUMBERS = 60
"""More vertices than these stand so close that numbers tell nothing."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: its title, its ends and the format of its numbers."""

    title: str
    low: float
    high: float
    format: str = ".0~%"


@dataclass(frozen=True, slots=True)
class Plot:
    """Series between two axes, `width` by `height` pixels.

    `references` are thin lines that are no series; labels keep off them and off `obstacles`.
    """

    x: Axis
    y: Axis
    series: Sequence[Series]
    width: int
    height: int
    references: Sequence[Sequence[XY]] = ()
    obstacles: Sequence[Sequence[XY]] = ()

    def pixel(self, point: XY) -> labels.Point:
        """From the left and the top."""
        right = (point[0] - self.x.low) / (self.x.high - self.x.low)
        up = (point[1] - self.y.low) / (self.y.high - self.y.low)
        return right * self.width, (1 - up) * self.height

    def value(self, pixel: labels.Point) -> dict[str, float]:
        """The values at a pixel."""
        right, down = pixel[0] / self.width, pixel[1] / self.height
        return {
            "x": self.x.low + right * (self.x.high - self.x.low),
            "y": self.y.high - down * (self.y.high - self.y.low),
        }

    def base(self, records: Sequence[dict[str, Any]]) -> altair.Chart:
        """A chart of records with x and y on the axes."""
        import altair as alt

        def channel(kind: Any, name: str, axis: Axis) -> Any:
            return kind(
                name,
                type="quantitative",
                title=axis.title,
                scale=alt.Scale(domain=[axis.low, axis.high], nice=False),
                axis=alt.Axis(format=axis.format, tickCount=6),
            )

        chart: altair.Chart = alt.Chart(alt.InlineData(values=list(records))).encode(
            x=channel(alt.X, "x", self.x), y=channel(alt.Y, "y", self.y)
        )
        return chart


def drawn(
    plot: Plot,
    named: Mapping[str, RiskTable],
    title: str | None,
    *,
    linked: bool,
    behind: Sequence[Any] = (),
    notes: Sequence[str] = (),
) -> altair.LayerChart:
    """The whole chart: thin lines, what else is behind, lines, points and labels.

    `named` are the tables of the series, in their order; `notes` stand below the title.
    """
    import altair as alt

    references = [_reference(plot, line) for line in plot.references]
    layers = [
        *references,
        *behind,
        *_lines(plot),
        *_label_layers(plot),
        points(plot, linked=linked),
    ]
    headed, below = headline(named, title)
    below += [*remarks(named, plot.series), *notes]
    chart: altair.LayerChart = finished(alt.layer(*layers), headed, plot.width, plot.height, below)
    return chart


def _reference(plot: Plot, points: Sequence[XY]) -> altair.Chart:
    records = [{"x": x, "y": y, "order": k} for k, (x, y) in enumerate(points)]
    line: altair.Chart = (
        plot.base(records)
        .mark_line(color=GREY, strokeWidth=1, strokeDash=[3, 3], clip=True)
        .encode(order="order:Q")
    )
    return line


def points(plot: Plot, *, linked: bool) -> altair.Chart:
    """The vertices that have a rule; `linked` adds the params by which pages light rules."""
    import altair as alt

    scales = series_channels([series.name for series in plot.series])
    records = [
        vertex_record(vertex, series.name)
        for series in plot.series
        for vertex in series.vertices
        if vertex.stratum is not None
    ]
    size: Any = alt.value(60)
    color: Any = scales["color"]
    if linked:
        lit = "datum.rule === hot"
        size, color = (
            alt.condition(lit, alt.value(260), size),
            alt.condition(lit, alt.value(HOT), color),
        )
    chart: altair.Chart = (
        plot.base(records)
        .mark_point(filled=True, opacity=1, stroke="white", strokeWidth=0.7)
        .encode(
            color=color,
            shape=scales["shape"],
            size=size,
            tooltip=[alt.Tooltip(field, type="nominal", title=name) for field, name in TOOLTIP],
            description=alt.Description("text:N"),
        )
    )
    return chart.add_params(*_params()) if linked else chart


def _params() -> tuple[Any, Any]:
    """What a page listens to, and what it writes."""
    import altair as alt

    hover = alt.selection_point(
        name="hover", fields=["rule"], on="pointerover", clear="pointerout", empty=False
    )
    return hover, alt.param(name="hot", value="")


def _lines(plot: Plot) -> list[altair.Chart]:
    """A line a series, in its colour and with its dashes."""
    layers = []
    for series, colour, dash in zip(plot.series, COLOURS, DASHES, strict=False):
        records = [{"x": x, "y": y, "order": order} for order, (x, y) in enumerate(series.line)]
        line = plot.base(records).mark_line(
            strokeWidth=1.8, clip=True, color=colour, strokeDash=list(dash)
        )
        if records:
            layers.append(line.encode(order="order:Q"))
    return layers


def _label_layers(plot: Plot) -> list[altair.Chart]:
    """Numbers and rules of the first series, where there is room."""
    placed = _placed(plot) if len(plot.series[0].vertices) <= MOST_NUMBERS else []
    leaders = [
        {**plot.value(end), "label": k}
        for k, label in enumerate(placed)
        for end in label.leader or ()
    ]
    layers: list[altair.Chart] = []
    if leaders:
        layers.append(
            plot.base(leaders).mark_line(color="#9a9a9a", strokeWidth=0.7).encode(detail="label:N")
        )
    for align in ("left", "right", "center"):
        texts = [
            {**plot.value(label.anchor), "label": label.text}
            for label in placed
            if label.align == align
        ]
        if texts:
            words = plot.base(texts).encode(text="label:N")
            look: dict[str, Any] = {"align": align, "baseline": "middle", "fontSize": FONT_SIZE}
            layers.append(words.mark_text(**look, stroke="white", strokeWidth=3))
            layers.append(words.mark_text(**look, color=INK))
    return layers


def _placed(plot: Plot) -> list[labels.Label]:
    first, *rest = plot.series
    known = [vertex for vertex in first.vertices if vertex.stratum is not None]
    strata = [vertex.stratum for vertex in known if vertex.stratum is not None]
    named = len(strata) <= MOST_RULES
    return labels.place(
        [plot.pixel((vertex.x, vertex.y)) for vertex in known],
        [str(stratum.step) for stratum in strata],
        [short_rule(stratum) if named else "" for stratum in strata],
        [_pixels(plot, line) for line in [*(s.line for s in plot.series), *plot.obstacles]],
        [_pixels(plot, line) for line in plot.references],
        (plot.width, plot.height),
        [plot.pixel((v.x, v.y)) for series in rest for v in series.vertices if v.stratum],
    )


def _pixels(plot: Plot, line: Sequence[XY]) -> list[labels.Point]:
    return [plot.pixel(point) for point in line]
