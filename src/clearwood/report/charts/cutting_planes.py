"""First cuts for several α over a scatter of two columns (figure 2a of Park, Ho and Ghosh 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import BoolArray, FloatArray
from clearwood.errors import ColumnNotFound, ParameterError, TableError
from clearwood.metrics.risk_table_text import percent
from clearwood.report.charts.cut_labels import CutLine, label_places
from clearwood.report.charts.look import COLOURS, DASHES, FONT_SIZE, INK, finished
from clearwood.table.frames import read_table
from clearwood.table.labels import read_labels
from clearwood.tree.wording import name_text, number_text

if TYPE_CHECKING:
    import altair

MOST_POINTS = 2000
"""More rows are thinned out evenly, so that files stay small; counts are of all rows."""


def cutting_planes_chart(
    X: Any,
    y: Any,
    *,
    columns: tuple[Any, Any],
    cuts: Mapping[float, tuple[Any, float]] | Sequence[float],
    min_samples_leaf: float | None = None,
    event: Any = None,
    title: str | None = None,
    width: int = 460,
    height: int = 420,
) -> altair.LayerChart:
    """Two columns by class, with the cut of each α as a line, and how pure its sides are.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
    y : array-like of shape (n_rows,)
        Two classes.
    columns : (column, column)
        Names, or places in an array, of the numeric columns of the axes x and y.
    cuts : sequence of alpha, or mapping of alpha to (column, threshold)
        One to eight α, such as ``[1, 4, 64]``: the cut of each is the root of an
        `AlphaTreeClassifier` on the two columns, with the reference of chains, "uniform". Or
        of each α the column, one of `columns`, and the threshold. Equal cuts are one line.
    min_samples_leaf : float or None, default=None
        Rows that both sides of a cut that is searched must reach, by training weight: a row with
        a missing value is divided. None is the larger of 10 and 1 % of all, as in chains.
    event : object or None, default=None
        The class drawn as event; None: the second.
    title : str or None, default=None
    width, height : int
        Of the area between the axes, in pixels.

    Returns
    -------
    altair.LayerChart
        The legend says for each line the share of events on either side. Rows with a missing
        value in the column of a cut count on neither.

    Raises
    ------
    ParameterError
        Not one to eight cuts, a cut of a third column, an alpha or a threshold that is no finite
        number, an alpha for which no cut is found, not two different columns, or an event that
        is no class.
    ColumnNotFound
        A column is not in `X`.

    References
    ----------
    Park, Ho and Ghosh (2018), ACDC: alpha-carving decision chain for risk stratification.
    """
    _require_cuts(cuts)
    _require_two(columns)
    names, values = _columns(X, columns)
    is_event, event_name = _events(y, event)
    if len(is_event) != len(values):
        raise TableError(f"X has {len(values)} rows and y has {len(is_event)}")
    if not isinstance(cuts, Mapping):
        found = first_cuts(values, is_event, cuts, min_samples_leaf)
        cuts = {alpha: (columns[axis], threshold) for alpha, (axis, threshold) in found.items()}
    lines = [
        _line(axis, threshold, alphas, names, values, is_event)
        for (axis, threshold), alphas in _by_cut(cuts, columns, names).items()
    ]
    known = np.isfinite(values).all(axis=1)
    layers = _layers(names, values[known], is_event[known], event_name, lines, (width, height))
    import altair as alt

    chart: altair.LayerChart = finished(alt.layer(*layers), title, width, height)
    return chart


def first_cuts(
    X: Any, y: Any, alphas: Sequence[float], min_samples_leaf: float | None = None
) -> dict[float, tuple[int, float]]:
    """Of each alpha the place of the column and the threshold at the root of its tree.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
        Numeric columns.
    y : array-like of shape (n_rows,)
    alphas : sequence of float
    min_samples_leaf : float or None, default=None
        As of `cutting_planes_chart`.

    Raises
    ------
    ParameterError
        No cut of an alpha tells the classes better than none.
    """
    from clearwood.estimators.decision_chain import LEAST_ROWS, LEAST_SHARE
    from clearwood.estimators.presets import AlphaTreeClassifier

    least = max(LEAST_ROWS, LEAST_SHARE * len(y)) if min_samples_leaf is None else min_samples_leaf
    cuts = {}
    for alpha in alphas:
        model = AlphaTreeClassifier(
            alpha=alpha, reference="uniform", max_depth=1, min_samples_leaf=least
        )
        root = model.fit(X, y).tree_
        if root.column[0] < 0:
            raise ParameterError(
                f"cuts: no cut of alpha {alpha!r} with at least {number_text(least)} rows on both "
                "sides tells the classes apart; lower min_samples_leaf or choose other columns"
            )
        cuts[alpha] = int(root.column[0]), float(root.threshold[0])
    return cuts


def _layers(
    names: Sequence[str],
    values: FloatArray,
    is_event: BoolArray,
    event_name: str,
    lines: Sequence[CutLine],
    size: tuple[int, int],
) -> list[altair.Chart]:
    """The points, the lines of the cuts, and their alphas."""
    domains = [_domain(values[:, k], [c.threshold for c in lines if c.axis == k]) for k in (0, 1)]
    every = slice(None, None, max(1, -(-len(values) // MOST_POINTS)))
    return [
        _scatter(names, domains, values[every], is_event[every], event_name),
        _rules(lines, domains),
        *_alphas(lines, domains, size),
    ]


def _require_cuts(cuts: Any) -> None:
    """Finite alphas, by each of which there may be a column and a finite number."""
    is_alphas = isinstance(cuts, Sequence) and not isinstance(cuts, str)
    wrong = [alpha for alpha in cuts if not _is_number(alpha)] if is_alphas else []
    if wrong or not (is_alphas or isinstance(cuts, Mapping)):
        raise ParameterError(
            "cuts must be a mapping of alpha to (column, threshold), such as {1: ('age', 65)}, "
            f"or a sequence of alphas, such as [1, 4, 64], got a {type(cuts).__name__}"
            + (f" that holds {wrong[0]!r}" if wrong else "")
        )
    if not 1 <= len(cuts) <= len(COLOURS):
        raise ParameterError(f"cuts must be 1 to {len(COLOURS)} cuts, got {len(cuts)}")
    if isinstance(cuts, Mapping):
        _require_places(cuts)


def _require_places(cuts: Mapping[Any, Any]) -> None:
    for alpha, cut in cuts.items():
        if not _is_number(alpha):
            raise ParameterError(f"alpha, the key of each of cuts, must be a number, got {alpha!r}")
        if not (isinstance(cut, Sequence) and not isinstance(cut, str) and len(cut) == 2):
            raise ParameterError(
                f"cuts must give (column, threshold) of each alpha, got {cut!r} for alpha {alpha!r}"
            )
        if not _is_number(cut[1]):
            raise ParameterError(
                f"cuts must have numbers as thresholds, got {cut[1]!r} for alpha {alpha!r}"
            )


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float | np.integer | np.floating)
    return is_number and not isinstance(value, bool) and isfinite(value)


def _require_two(columns: Any) -> None:
    if isinstance(columns, str) or not isinstance(columns, Sequence) or len(columns) != 2:
        raise ParameterError(f"columns must be two columns, of the axes x and y, got {columns!r}")


def _columns(X: Any, columns: tuple[Any, Any]) -> tuple[list[str], FloatArray]:
    """Names and values (n_rows, 2) of two numeric columns."""
    table = read_table(X, "from_dtype")
    found: list[int] = []
    for column in columns:
        is_place = isinstance(column, int | np.integer) and column not in table.names
        place = int(column) if is_place else -1
        if not is_place and column in table.names:
            place = table.names.index(column)
        if not 0 <= place < len(table.names):
            raise ColumnNotFound(str(column), table.names)
        found.append(place)
    for place in found:
        if table.features[place].kind != "numeric":
            raise ParameterError(
                f"columns must be numeric, but {table.names[place]!r} is "
                f"{table.features[place].kind}"
            )
    if found[0] == found[1]:
        raise ParameterError(
            f"columns must be two different columns, got {table.names[found[0]]!r} twice"
        )
    values = np.column_stack([np.asarray(table.columns[place], np.float64) for place in found])
    return [table.names[place] for place in found], values


def _events(y: Any, event: Any) -> tuple[BoolArray, str]:
    classes, codes = read_labels(y)
    labels: list[Any] = classes.tolist()
    if len(labels) != 2 or (event is not None and event not in labels):
        asked = "" if event is None else f" and event one of them, got {event!r}"
        raise ParameterError(
            f"y must hold two classes{asked}; it holds {', '.join(map(repr, labels))}"
        )
    code = 1 if event is None else labels.index(event)
    return codes == code, str(labels[code])


def _by_cut(
    cuts: Mapping[float, tuple[Any, float]], columns: tuple[Any, Any], names: Sequence[str]
) -> dict[tuple[int, float], list[float]]:
    """The alphas of each cut, in increasing order; a cut by axis and threshold."""
    found: dict[tuple[int, float], list[float]] = {}
    for alpha, (column, threshold) in sorted(cuts.items()):
        if column in columns:
            axis = columns.index(column)
        elif column in names:
            axis = list(names).index(column)
        else:
            raise ParameterError(
                f"cuts must be of the columns {names[0]!r} and {names[1]!r}, got {column!r} "
                f"for alpha {alpha!r}"
            )
        found.setdefault((axis, float(threshold)), []).append(alpha)
    return found


def _line(
    axis: int,
    threshold: float,
    alphas: Sequence[float],
    names: Sequence[str],
    values: FloatArray,
    is_event: BoolArray,
) -> CutLine:
    column = values[:, axis]
    below = _purity(is_event[column <= threshold])
    above = _purity(is_event[column > threshold])
    written = "α = " + ", ".join(map(number_text, alphas))
    where = f"{name_text(names[axis])} <= {number_text(threshold)}"
    return CutLine(axis, threshold, written, f"{written}: {where}: events {below}; above {above}")


def _purity(is_event: BoolArray) -> str:
    if not len(is_event):
        return "none of 0"
    return f"{percent(float(is_event.mean()))} of {len(is_event)}"


def _domain(values: FloatArray, thresholds: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis: all values and thresholds, with a margin."""
    inside = [*thresholds, *([values.min(), values.max()] if len(values) else [])]
    low, high = (float(min(inside)), float(max(inside))) if inside else (0.0, 1.0)
    margin = 0.03 * (high - low) or 0.5
    return low - margin, high + margin


def _scatter(
    names: Sequence[str],
    domains: Sequence[tuple[float, float]],
    values: FloatArray,
    is_event: BoolArray,
    event_name: str,
) -> altair.Chart:
    import altair as alt

    classes = [f"event: {event_name}", "no event"]
    records = [
        {"x": x, "y": y, "class": classes[0 if event else 1]}
        for (x, y), event in zip(values.tolist(), is_event.tolist(), strict=True)
    ]
    legend = alt.Legend(title=None, orient="top", direction="horizontal", labelLimit=0)

    def scale(values: list[Any]) -> alt.Scale:
        return alt.Scale(domain=classes, range=values)

    chart = alt.Chart(alt.InlineData(values=records)).mark_point(filled=True, opacity=0.7)
    scatter: altair.Chart = chart.encode(
        x=alt.X("x:Q", title=names[0], scale=alt.Scale(domain=list(domains[0]), nice=False)),
        y=alt.Y("y:Q", title=names[1], scale=alt.Scale(domain=list(domains[1]), nice=False)),
        fill=alt.Fill("class:N", scale=scale(["#B22222", "#9a9a9a"]), legend=legend),
        shape=alt.Shape("class:N", scale=scale(["cross", "circle"]), legend=legend),
        size=alt.Size("class:N", scale=scale([34, 14]), legend=legend),
        order=alt.Order("class:N", sort="descending"),
    )
    return scatter


def _rules(lines: Sequence[CutLine], domains: Sequence[tuple[float, float]]) -> altair.Chart:
    """The cuts, from end to end of the plot; their legend says how pure the sides are."""
    import altair as alt

    (left, right), (bottom, top) = domains
    records = [
        {"x": line.threshold, "x2": line.threshold, "y": bottom, "y2": top, "cut": line.legend}
        if line.axis == 0
        else {"x": left, "x2": right, "y": line.threshold, "y2": line.threshold, "cut": line.legend}
        for line in lines
    ]
    legends = [line.legend for line in lines]
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", labelLimit=0, symbolType="stroke",
        symbolSize=500, symbolStrokeWidth=2, columns=1,
    )  # fmt: skip

    def scale(values: Sequence[Any]) -> alt.Scale:
        return alt.Scale(domain=legends, range=list(values[: len(lines)]))

    dashes = [list(dash) for dash in DASHES]
    chart: altair.Chart = (
        alt.Chart(alt.InlineData(values=records))
        .mark_rule(strokeWidth=2)
        .encode(
            x="x:Q",
            y="y:Q",
            x2="x2:Q",
            y2="y2:Q",
            color=alt.Color("cut:N", scale=scale(COLOURS), legend=legend),
            strokeDash=alt.StrokeDash("cut:N", scale=scale(dashes), legend=legend),
            tooltip=[alt.Tooltip("cut:N", title="cut")],
        )
    )
    return chart


def _alphas(
    lines: Sequence[CutLine], domains: Sequence[tuple[float, float]], size: tuple[int, int]
) -> list[altair.Chart]:
    """The alphas beside their lines: at the top of a vertical one, at the right of others."""
    import altair as alt

    layers: list[altair.Chart] = []
    placed = [
        label for axis in (0, 1)
        for label in label_places([c for c in lines if c.axis == axis], domains, size)
    ]  # fmt: skip
    for align in ("left", "right"):
        records = []
        for label in placed:
            x, y = _inside(domains, size, getattr(label, align), label.middle)
            if label.align == align:
                records.append({"x": x, "y": y, "alphas": label.line.alphas})
        if records:
            texts = alt.Chart(alt.InlineData(values=records)).encode(
                x="x:Q", y="y:Q", text="alphas:N"
            )
            look: dict[str, Any] = {
                "align": align, "baseline": "middle", "fontSize": FONT_SIZE + 1,
            }  # fmt: skip
            layers.append(texts.mark_text(**look, stroke="white", strokeWidth=4))
            layers.append(texts.mark_text(**look, color=INK))
    return layers


def _inside(
    domains: Sequence[tuple[float, float]], size: tuple[int, int], right: float, down: float
) -> tuple[float, float]:
    """The values at a pixel."""
    (left, end), (bottom, top) = domains
    return left + right / size[0] * (end - left), top - down / size[1] * (top - bottom)
