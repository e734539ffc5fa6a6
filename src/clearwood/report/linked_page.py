"""One offline page of a decision chain in which picture, curves and table are linked.

Pointing at a rule in one of them, by mouse, touch or keyboard, lights it in all others. The page
holds the script that does so, and Vega that draws the curves; its policy forbids everything else,
so it asks for nothing from outside.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.errors import ParameterError
from clearwood.metrics import RiskTable, risk_table
from clearwood.metrics.risk_table_text import area_text, to_html
from clearwood.report.charts.calibration import calibration_chart
from clearwood.report.charts.output import EMBED_OPTIONS, javascript, json_for_script
from clearwood.report.charts.risk_curves import lift_chart, roc_chart
from clearwood.report.markup import bullets, document, element, facts, text
from clearwood.report.row_section import row_section
from clearwood.report.sections import performance_section, provenance, version
from clearwood.tree import as_tree
from clearwood.tree.chain import LOWER_RISK, goes_to_lower_risk, steps
from clearwood.tree.drawing.pyramid import to_pyramid
from clearwood.tree.risk import event_code, percent
from clearwood.tree.saving import save_text
from clearwood.tree.wording import class_words, weight_text

if TYPE_CHECKING:
    from clearwood.metrics import Performance
    from clearwood.tree import Tree

_CHART_SIZE = 400
_NO_CHARTS = (
    "The curves are left out, because drawing them needs more packages: pip install "
    "'clearwood[plots]', then write the page again. The picture and the table are linked without."
)
_NO_SCRIPT = (
    "The curves, and what links them, need JavaScript. It is part of this page and asks for "
    "nothing from outside."
)


def write_chain_page(
    path: str | os.PathLike[str],
    model: Any,
    *,
    title: str,
    tables: RiskTable | Mapping[str, RiskTable] | None = None,
    performance: Performance | None = None,
    event: Hashable | None = None,
    notes: Sequence[str] = (),
    row: Any = None,
    overwrite: bool = False,
) -> Path:
    """Write the linked page of a decision chain to one HTML file.

    Parameters
    ----------
    path : str or path-like
        The file; about 1 MB with curves.
    model : Tree or fitted classifier
        A decision chain.
    title : str
        Headline.
    tables : RiskTable or mapping of label to RiskTable, optional
        What `clearwood.risk_table` found of this chain, such as
        ``{"training": …, "held-out": …}``; labels stand in captions and legends.
        By default the table of the training rows.
    performance : Performance, optional
        What cross-validation found. Without it, and without a table of held-out rows, the page
        says that nothing was measured.
    event : label, optional
        The class whose risk is told; by default that of the training, else the last of two.
    notes : sequence of str
        Sentences that stand below the headline: the data, a warning, who is responsible.
    row : mapping, Series or 1-d sequence, optional
        A row as `Tree.path` takes it. The page begins with how it is decided, as that of
        `write_page` does.
    overwrite : bool
        Whether a file that is there already may be replaced.

    Raises
    ------
    OutputError
        The file is there already and `overwrite` is False, or it cannot be written.
    ParameterError
        The tree is no chain, `event` is no class of it or is not told of more than two, or a
        table is of another tree or another event.
    ColumnNotFound, TableError
        `row` is none of this chain; see `Tree.path`.
    """
    content = chain_page(
        model,
        title=title,
        tables=tables,
        performance=performance,
        event=event,
        notes=notes,
        row=row,
    )
    return save_text(content, path, overwrite=overwrite)


def chain_page(
    model: Any,
    *,
    title: str,
    tables: RiskTable | Mapping[str, RiskTable] | None = None,
    performance: Performance | None = None,
    event: Hashable | None = None,
    notes: Sequence[str] = (),
    row: Any = None,
) -> str:
    """The page as HTML; parameters as in `write_chain_page`.

    Without the packages of ``clearwood[plots]`` it has no curves and says so.
    """
    tree = as_tree(model)
    pyramid = to_pyramid(tree, event=event)
    code = event_code(tree, event)
    assert code is not None  # a pyramid has one
    named = _tables(tree, event, code, tables)
    charts = _charts(named) if tree.n_leaves > 1 and _can_draw() else {}
    parts = ("page.css", "linked.css") if row is None else ("page.css", "linked.css", "row.css")
    style = "\n".join(map(_part, parts))
    return document(
        title,
        style,
        _head(tree, code, title, notes),
        element(
            "main",
            *_of_row(tree, code, row),
            *_sections(tree, code, pyramid, named, charts, performance),
        ),
        element("footer", text("span", f"Written by {version()}.")),
        element("output", id="lit"),
        *_data(charts),
        scripts=[*_drawer(charts), _part("link.js")],
    )


def _tables(
    tree: Tree,
    asked: Hashable | None,
    code: int,
    tables: RiskTable | Mapping[str, RiskTable] | None,
) -> dict[str, RiskTable]:
    if tables is None:
        return {"training": risk_table(tree, event=asked)}
    event = tree.classes.tolist()[code]
    named: dict[str, RiskTable] = (
        dict(tables) if isinstance(tables, Mapping) else {tables.source: tables}
    )
    leaves = {step.rule: step.leaf for step in steps(tree, event)}
    for label, table in named.items():
        if {stratum.rule_id: stratum.leaf for stratum in table} != leaves:
            raise ParameterError(f"table {label!r} is not of this chain: it has other rules")
        if table.event != event:
            raise ParameterError(
                f"table {label!r} is about the event {table.event!r}, the page about {event!r}"
            )
    return named


def _can_draw() -> bool:
    return all(find_spec(package) is not None for package in ("altair", "vl_convert"))


def _charts(named: Mapping[str, RiskTable]) -> dict[str, Any]:
    """Specification of each chart by the id of its place."""
    makers: dict[str, Callable[..., Any]] = {"chart-roc": roc_chart, "chart-lift": lift_chart}
    if any(table.source == "held-out" for table in named.values()):
        makers["chart-calibration"] = calibration_chart  # of training rows it is a diagonal
    return {
        place: make(named, linked=True, width=_CHART_SIZE, height=_CHART_SIZE).to_dict()
        for place, make in makers.items()
    }


def _data(charts: Mapping[str, Any]) -> Iterator[str]:
    if charts:
        written = json_for_script({"options": EMBED_OPTIONS, "specs": charts})
        yield f'<script type="application/json" id="charts">{written}</script>'


def _drawer(charts: Mapping[str, Any]) -> Iterator[str]:
    if charts:
        yield javascript()


def _part(name: str) -> str:
    return (files("clearwood.report") / name).read_text(encoding="utf-8")


def _head(tree: Tree, code: int, title: str, notes: Sequence[str]) -> str:
    n_rules = tree.n_leaves - 1
    rules = {0: "without a rule", 1: "of 1 rule"}.get(n_rules, f"of {n_rules} rules")
    lead = (
        f"A decision chain {rules}, grown on {tree.n_rows[0]} rows, {class_words(tree, code)} "
        f"in {percent(float(tree.distribution[0, code]))} of them."
    )
    parts = [text("h1", title), text("p", lead)]
    if notes:
        parts.append(element("div", *(text("p", note) for note in notes), class_="notes"))
    return element("header", *parts)


def _of_row(tree: Tree, code: int, row: Any) -> Iterator[str]:
    """The section about one row, if there is one, and the heading of what follows."""
    if row is not None:
        yield from row_section(tree, row, code)
        yield text("h2", "The whole chain")


def _sections(
    tree: Tree,
    code: int,
    pyramid: str,
    named: Mapping[str, RiskTable],
    charts: Mapping[str, Any],
    performance: Performance | None,
) -> Iterator[str]:
    yield element("figure", pyramid, class_="pyramid")
    if tree.n_leaves > 1:
        yield from _curves(charts)
    yield text("h2", "Risk table")
    for label, table in named.items():
        name = "" if label == table.source else label
        yield element("div", to_html(table, name), class_="scroll")
    yield text("h2", "How to read it")
    yield bullets(_reading(tree, code))
    yield text("h2", "Performance")
    yield from _performance(tree, named, performance)
    yield text("h2", "Missing values")
    yield bullets(_missing(tree, code))
    yield text("h2", "Where this comes from")
    yield facts(provenance(tree))


def _curves(charts: Mapping[str, Any]) -> Iterator[str]:
    yield text("h2", "Curves: each point is a rule")
    if charts:
        yield element("noscript", text("p", _NO_SCRIPT))
        places = (element("div", id=place, class_="chart") for place in charts)
        yield element("div", *places, class_="charts")
    else:
        yield text("p", _NO_CHARTS)


def _performance(
    tree: Tree, named: Mapping[str, RiskTable], performance: Performance | None
) -> Iterator[str]:
    """What was measured on rows that the tree was not grown on: tables, and cross-validation."""
    held_out = {label: table for label, table in named.items() if table.source == "held-out"}
    if held_out:
        yield text("p", "Measured on rows that were held out, by the table and the curves above:")
        yield bullets(
            f"{'' if label == table.source else f'{label}: '}{weight_text(table.n)} rows, "
            f"{weight_text(table.n_events)} events, {area_text(table)}."
            for label, table in held_out.items()
        )
    if performance is not None or not held_out:
        yield performance_section(tree, performance)


def _reading(tree: Tree, code: int) -> Iterator[str]:
    if tree.n_leaves == 1:
        yield "No rule was worth its place: there is nothing to ask, and one risk for all."
        yield (
            f"The picture tells the risk of {class_words(tree, code)} among the training rows, "
            "with its 95 % interval (Wilson)."
        )
        return
    yield (
        "Ask the rules from the top down. The first that holds for the patient gives the risk; "
        "whoever is left at the end has the risk that stands beside “otherwise”."
    )
    yield (
        "Point at a rule anywhere, or reach it by the Tab key: it is lit in the picture, in the "
        "curves and in the table."
    )
    yield (
        f"The picture tells the risk of {class_words(tree, code)} among the training rows, with "
        "its 95 % interval (Wilson). The intervals do not know that the rules were chosen to fit "
        "these same rows, so high risks may be too high and low ones too low; a table and curves "
        "of held-out rows are free of that."
    )
    yield (
        "Curves and table flag the strata from the highest risk down: a point, or a line of the "
        "table, is what follows from flagging its stratum and all of higher risk."
    )


def _missing(tree: Tree, code: int) -> Iterator[str]:
    every = steps(tree, tree.classes.tolist()[code])
    rules = every[:-1]
    if not rules:
        yield "The chain looks at nothing, so nothing can be missing."
        return
    carved = [step for step in rules if step.missing_carved > 0]
    for step in carved:
        part = "is carved" if step.missing_carved == 1 else (
            f"is carved with a part of {weight_text(step.missing_carved)}, and stays with the rest"
        )  # fmt: skip
        asked = f"rule {step.number} ({step.condition})"
        yield f"Where the value of {asked} is missing, the row {part}."
    if len(carved) < len(rules):
        which = "Any other" if carved else "A"
        yield (
            f"{which} rule does not hold for a missing value: the row stays in the chain, and the "
            "next rule is asked."
        )
    if goes_to_lower_risk(tree, code, every):
        yield (
            "This is not cautious here: the chain takes the highest risk first, so a missing value "
            f"that stays in it {LOWER_RISK}. Use it where the columns are measured in everybody."
        )
    yield "A level that was not seen in training, or that no branch names, is treated as missing."
