"""The chart of size-error paths: error rate against the number of leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clearwood.errors import ParameterError
from clearwood.pruning import PruningPath
from clearwood.report.charts.look import COLOURS

if TYPE_CHECKING:
    import altair


def size_error_chart(
    paths: Mapping[str, PruningPath],
    *,
    title: str | None = None,
    width: int = 520,
    height: int = 340,
) -> altair.LayerChart:
    """Error rate against the number of leaves along the paths of several methods.

    Parameters
    ----------
    paths : mapping of label to PruningPath
        As `clearwood.pruning_path` gives them, from one tree and one set of rows; up to eight.
    title : str or None, default=None
    width, height : int
        Of the area between the axes, in pixels.

    Returns
    -------
    altair.LayerChart
        Both axes are logarithmic, that of errors only where every tree makes some. A ring marks
        the chosen tree of each path. The chart draws itself in a notebook; `chart_svg` makes a
        file's content of it.

    Raises
    ------
    ParameterError
        Where there is no path, or more than eight.
    """
    import altair as alt

    if not 1 <= len(paths) <= len(COLOURS):
        raise ParameterError(f"paths must be 1 to {len(COLOURS)} paths, got {len(paths)}")
    points = [point for label, path in paths.items() for point in _points(label, path)]
    base = alt.Chart(alt.InlineData(values=points)).encode(
        **_axes(paths),
        color=alt.Color(
            "method:N",
            scale=alt.Scale(domain=list(paths), range=list(COLOURS[: len(paths)])),
            legend=alt.Legend(title=None, orient="right"),
        ),
        order="step:Q",
        detail="method:N",
    )
    lines = base.mark_line(strokeWidth=1.6, opacity=0.85)
    dots = base.mark_circle(size=14, opacity=0.9)
    chosen = base.transform_filter("datum.chosen").mark_point(
        size=150, filled=False, strokeWidth=2.4, opacity=1
    )
    chart = alt.layer(lines, dots, chosen).properties(width=width, height=height)
    chart = chart.properties(title=title) if title is not None else chart
    drawn: altair.LayerChart = chart.configure_view(stroke=None).configure_axis(
        gridColor="#e6e6e6", titleFontWeight="normal"
    )
    return drawn


def _axes(paths: Mapping[str, PruningPath]) -> dict[str, Any]:
    import altair as alt

    return {
        "x": alt.X(
            "leaves:Q",
            scale=alt.Scale(type="log", nice=False),
            title="leaves",
            axis=alt.Axis(values=[1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]),
        ),
        "y": alt.Y(
            "error:Q",
            scale=alt.Scale(type=_error_scale(paths), nice=False, padding=8, zero=False),
            title="error rate",
            axis=alt.Axis(format=".1~%", values=_rates(paths)),
        ),
    }


def _error_scale(paths: Mapping[str, PruningPath]) -> Literal["log", "linear"]:
    return "log" if all((path.errors > 0).all() for path in paths.values()) else "linear"


def _rates(paths: Mapping[str, PruningPath]) -> list[float]:
    """Round error rates for the axis, closer together where few of them are in sight."""
    errors = np.concatenate([path.errors for path in paths.values()])
    lowest, highest = errors.min(), errors.max()
    for step in (0.1, 0.05, 0.02, 0.01, 0.005):
        rates = np.arange(np.ceil(lowest / step), highest / step) * step
        if len(rates) >= 5:
            break
    return [round(rate, 4) for rate in rates.tolist()]


def _points(label: str, path: PruningPath) -> list[dict[str, Any]]:
    """One record for each tree of a path."""
    return [
        {"method": label, "step": step, "leaves": leaves, "error": error,
         "value": value, "chosen": step == path.chosen}
        for step, (leaves, error, value) in enumerate(
            zip(path.n_leaves.tolist(), path.errors.tolist(), path.values.tolist(), strict=True)
        )
    ]  # fmt: skip
