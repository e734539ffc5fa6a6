"""The paper's figures 1 to 5, of each cohort, as SVG files; and the chain as one linked page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import altair as alt

import clearwood as cw
from clearwood.report import (
    chart_svg,
    cutting_planes_chart,
    lift_chart,
    roc_chart,
    write_chain_page,
)
from clearwood.report.charts import cutting_planes
from experiments.__main__ import load
from experiments.protocol.data import DataSet
from experiments.protocol.splits import stratified_split
from experiments.protocol.store import Store

accuracy = load("park-2018", "accuracy")
cohorts, methods, PROTOCOL = accuracy.cohorts, accuracy.methods, accuracy.PROTOCOL
CLASSES = {
    "septic-like": ("no shock", "shock"),
    "asystole-like": ("no asystole", "asystole"),
    "physionet-2012": ("survival", "death"),
}
"""What pictures call the rows without and with the event."""
GAP = 24
"""Pixels between two pictures in one."""
KINDS = {
    "chain": ("#0072B2", "circle"),
    "falling list": ("#D55E00", "square"),
    "α-tree": ("#009E73", "triangle-up"),
    "imodels list": ("#CC79A7", "diamond"),
    "other trees": ("#000000", "cross"),
}
"""Colour and shape of the kinds of methods."""


def written(name: str, folder: Path, store: Store) -> Iterator[Path]:
    """Draws all of a cohort into a folder of its name; yields each file when it is there."""
    here = folder / name
    here.mkdir(parents=True, exist_ok=True)
    for stem, svg in pictures(name, store):
        path = here / f"{stem}.svg"
        path.write_text(svg, encoding="utf-8")
        yield path
    _, chain, tables, _ = grown(name)
    yield write_chain_page(
        here / "chain.html", chain, title=f"{name}: chain", tables=tables, overwrite=True
    )


def pictures(name: str, store: Store) -> Iterator[tuple[str, str]]:
    """Names of files and their content, in the order of the paper."""
    data, event = named(name), CLASSES[name][1]
    tree, chain, tables, words = grown(name)
    sides = [
        model.tree_.to_svg(title=f"{name}: {kind}", event=event)
        for kind, model in (("tree of information gain", tree), ("chain", chain))
    ]
    yield "1_tree_beside_chain", beside(*sides)
    columns = tuple(PROTOCOL["figures"]["columns"][name])
    planes = cutting_planes_chart(
        data.X, data.y, columns=columns, cuts=first_cuts(data, columns), event=event,
        title=f"{name}: first cut of each α",
    )  # fmt: skip
    yield "2a_cutting_planes", chart_svg(planes)
    found = accuracy.results(name, methods.available(PROTOCOL["methods"]), store)
    yield "2b_areas", chart_svg(areas_chart(found, name))
    yield "3a_roc", chart_svg(roc_chart(tables, title=f"{name}: ROC of the chain{words}"))
    yield "3b_lift", chart_svg(lift_chart(tables, title=f"{name}: lift of the chain{words}"))
    yield "5_pyramid", chain.tree_.to_pyramid(title=f"{name}: chain", event=event)


def named(name: str) -> DataSet:
    """A cohort whose classes are words."""
    data = cohorts.cohort(name, PROTOCOL["cohorts"]["seed"])
    return DataSet(data.X, data.y.map(dict(enumerate(CLASSES[name]))))


def grown(name: str) -> tuple[Any, Any, dict[str, Any], str]:
    """Tree and chain of a part of the rows; what the chain does on it and on the others."""
    data, options, event = named(name), PROTOCOL["figures"], CLASSES[name][1]
    train, test = stratified_split(data.y == event, options["held_out"], options["seed"])
    X, y = data.X.iloc[train], data.y.iloc[train]
    known = methods.available(PROTOCOL["methods"])
    tree, chain = (
        known[method].make(accuracy.least_rows(len(train))).fit(X, y)
        for method in ("information gain", accuracy.BASELINE)
    )
    tables = {
        "held-out": cw.risk_table(chain, data.X.iloc[test], data.y.iloc[test], event=event),
        "training": cw.risk_table(chain, event=event),
    }
    return tree, chain, tables, f", {len(train)} rows grown, {len(test)} held out"


def first_cuts(data: DataSet, columns: tuple[str, ...]) -> dict[float, tuple[str, float]]:
    """Of each α: column and threshold of the first cut, by the chain's reference."""
    least, alphas = accuracy.least_rows(len(data.y)), PROTOCOL["figures"]["alphas"]
    cuts = cutting_planes.first_cuts(data.X[list(columns)], data.y, alphas, least)
    return {alpha: (columns[place], threshold) for alpha, (place, threshold) in cuts.items()}


def kind_of(method: str) -> str:
    """Which of `KINDS` a method is."""
    return next((kind for kind in KINDS if method.startswith(kind)), "other trees")


def areas_chart(found: Mapping[str, Mapping[str, Any]], name: str) -> alt.LayerChart:
    """Area of each method with its corrected interval, in the order of the tables."""
    records = []
    for method, values in found.items():
        area = accuracy.interval(values["auc"])
        records.append(
            {"method": method, "kind": kind_of(method), "area": area.value,
             "low": area.lower, "high": area.upper}
        )  # fmt: skip
    kinds = [kind for kind in KINDS if any(record["kind"] == kind for record in records)]
    colours, shapes = zip(*(KINDS[kind] for kind in kinds), strict=True)
    base = alt.Chart(alt.InlineData(values=records)).encode(
        y=alt.Y("method:N", sort=list(found), title=None),
        color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=list(colours)), legend=None),
    )
    scale = alt.Scale(zero=False, nice=True)
    axis = alt.Axis(title="area under the ROC curve (95 % interval)", tickCount=6)
    bars = base.mark_rule(strokeWidth=1.6).encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="area:Q",
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=list(shapes)), legend=None),
    )
    chart: alt.LayerChart = (bars + points).properties(
        width=420, height=alt.Step(20), title=f"{name}: chains, trees and lists, held out"
    )
    drawn: alt.LayerChart = chart.configure_title(anchor="start", fontSize=14).configure_axis(
        gridColor="#e6e6e6", titleFontWeight="normal", labelLimit=0
    )
    return drawn


def beside(left: str, right: str) -> str:
    """Two SVG pictures side by side in one, both at the top."""
    (wide, high), (other_wide, other_high) = size(left), size(right)
    width, height = wide + GAP + other_wide, max(high, other_high)
    moved = re.sub(r"<svg ", f'<svg x="{wide + GAP:g}" ', right, count=1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n{left}\n{moved}\n</svg>\n'
    )


def size(svg: str) -> tuple[float, float]:
    """Width and height that an SVG picture says of itself."""
    found = re.search(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', svg)
    if found is None:
        raise ValueError("an SVG picture without width and height")
    return float(found[1]), float(found[2])
