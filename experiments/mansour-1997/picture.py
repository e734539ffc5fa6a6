"""Pictures: size and error rate on adult as c rises, and the trees of the artificial data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt


def sweep_chart(
    points: Sequence[tuple[float, float, float]],
    paper: Sequence[tuple[float, float, float]],
) -> alt.HConcatChart:
    """Mean nodes and error rate in percent against c; the paper's points are rings.

    Parameters
    ----------
    points, paper : sequence of (c, nodes, error rate in percent)
    """
    records = [
        {"c": c, "nodes": nodes, "error": error, "from": source}
        for source, rows in (("ours", points), ("the paper", paper))
        for c, nodes, error in rows
        if c > 0
    ]
    base = alt.Chart(alt.InlineData(values=records)).encode(
        x=alt.X("c:Q", title="c"),
        shape=alt.Shape("from:N", legend=None),
        color=alt.Color(
            "from:N", scale=alt.Scale(range=["#0072B2", "#D55E00"]), legend=alt.Legend(title=None)
        ),
    )

    def side(field: str, title: str, scale: alt.Scale) -> alt.LayerChart:
        drawn = base.encode(y=alt.Y(f"{field}:Q", title=title, scale=scale))
        line = drawn.transform_filter("datum.from == 'ours'").mark_line(strokeWidth=1.5)
        return (line + drawn.mark_point(size=70)).properties(width=300, height=240)

    return alt.hconcat(
        side("nodes", "nodes (mean of 5 folds)", alt.Scale(type="log")),
        side("error", "error rate (%)", alt.Scale(zero=False)),
    )


def artificial_chart(trees: Mapping[str, Sequence[tuple[int, float]]]) -> alt.LayerChart:
    """Test error against nodes of the trees of each criterion, one point a sample.

    Parameters
    ----------
    trees : mapping of criterion to a sequence of (nodes, error rate in percent)
    """
    records = [
        {"criterion": name, "nodes": nodes, "error": error}
        for name, points in trees.items()
        for nodes, error in points
    ]
    base = alt.Chart(alt.InlineData(values=records))
    points = base.mark_point(size=45, filled=True, opacity=0.6).encode(
        x=alt.X("nodes:Q", scale=alt.Scale(type="log"), title="nodes"),
        y=alt.Y("error:Q", scale=alt.Scale(zero=False), title="error rate on new rows (%)"),
        color=alt.Color("criterion:N", sort=list(trees), legend=alt.Legend(title=None)),
    )
    best = base.transform_aggregate(best="min(error)").transform_calculate(best="45")
    rule = best.mark_rule(strokeDash=[4, 3], color="#555").encode(y="best:Q")
    return (rule + points).properties(width=480, height=280)
