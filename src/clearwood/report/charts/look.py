"""How our charts look: series differ by colour, dash and shape, so also in black and white."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clearwood.tree.drawing.typeset import broken

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31",
)  # fmt: skip
"""Okabe and Ito's colours, which most colour-blind people tell apart, and a brown."""

DASHES = ((1, 0), (6, 3), (2, 2), (9, 3, 2, 3), (12, 4), (4, 2), (1, 3), (9, 2, 2, 2, 2, 2))
SHAPES = (
    "circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right",
    "triangle-left",
)  # fmt: skip

HOT = "#c1272d"
"""Of what is pointed at."""

GREY = "#6b6b6b"
INK = "#222222"
FONT_SIZE = 11


def series_channels(names: Sequence[str]) -> dict[str, Any]:
    """Channels ``color`` and ``shape`` of the field ``series``, in one legend.

    Lines have constant looks instead: in a legend with theirs, symbols would be dashed too.
    """
    import altair as alt

    legend = alt.Legend(
        title=None, orient="top", direction="vertical", labelLimit=0, symbolSize=90, offset=8
    )

    def scale(values: Sequence[Any]) -> alt.Scale:
        return alt.Scale(domain=list(names), range=list(values[: len(names)]))

    return {
        "color": alt.Color("series:N", scale=scale(COLOURS), legend=legend),
        "shape": alt.Shape("series:N", scale=scale(SHAPES), legend=legend),
    }


def finished(
    chart: Any, title: str | None, width: int, height: int, notes: Sequence[str] = ()
) -> Any:
    """A layered chart with its size, title, the notes below it and the look that all share."""
    import altair as alt

    sized = chart.properties(width=width, height=height)
    below = [line for note in notes for line in broken(note, width, FONT_SIZE, lines=4)]
    if title is not None or below:
        told = alt.TitleParams(text=title or "", subtitle=below) if below else title
        sized = sized.properties(title=told)
    return (
        sized.configure_view(stroke=None)
        .configure_axis(
            gridColor="#e6e6e6", titleFontWeight="normal", titleFontSize=12, labelFontSize=FONT_SIZE
        )
        .configure_legend(labelFontSize=12)
        .configure_title(
            fontSize=14,
            anchor="start",
            offset=10,
            subtitleFontSize=FONT_SIZE,
            subtitleColor=GREY,
            subtitlePadding=4,
        )
    )
