"""What charts of risk tables hold: a series a table, and what a tooltip says of a vertex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from clearwood.errors import ParameterError
from clearwood.metrics import Estimate, RiskTable, Stratum, Vertex
from clearwood.metrics.risk_table_text import division, number, percent, percent_interval
from clearwood.report.charts.look import COLOURS
from clearwood.tree.wording import weight_text

Tables: TypeAlias = RiskTable | Mapping[str, RiskTable]
XY: TypeAlias = tuple[float, float]

SOURCES = {"training": "training rows (optimistic)", "held-out": "held-out rows"}


@dataclass(frozen=True, slots=True)
class Series:
    """One curve of a chart.

    Parameters
    ----------
    name : str
        As the legend writes it.
    vertices : sequence of Vertex
        The points that can be pointed at.
    line : sequence of (x, y)
        What is drawn through them.
    """

    name: str
    vertices: Sequence[Vertex]
    line: Sequence[XY]


def by_name(tables: Tables) -> dict[str, RiskTable]:
    """Tables by a name that says where their rows come from.

    Raises
    ------
    ParameterError
        No table, more than can be told apart, something else than a table, or tables of
        different events.
    """
    named: dict[str, Any] = dict(tables) if isinstance(tables, Mapping) else {"": tables}
    wrong = [value for value in named.values() if not isinstance(value, RiskTable)]
    if wrong:
        raise ParameterError(
            "tables must be a RiskTable or a mapping of label to RiskTable, got "
            f"{type(wrong[0]).__name__}; clearwood.risk_table makes one of a model"
        )
    if not 1 <= len(named) <= len(COLOURS):
        raise ParameterError(f"tables must be 1 to {len(COLOURS)} tables, got {len(named)}")
    _require_one_event(named)
    return {_named(label, table): table for label, table in named.items()}


def _require_one_event(named: Mapping[str, RiskTable]) -> None:
    """Curves of different events are no answers to one question."""
    (first, table), *others = named.items()
    for label, other in others:
        if other.event != table.event:
            raise ParameterError(
                f"tables must be about one event, got {table.event!r} in {first!r} and "
                f"{other.event!r} in {label!r}; risk_table(…, event=…) chooses it"
            )


def headline(named: Mapping[str, RiskTable], title: str | None) -> tuple[str, list[str]]:
    """The title of a chart and the notes below it: whose risk it is about is among them."""
    table = next(iter(named.values()))
    assumed = " (the last class)" if table.is_event_assumed else ""
    event = f"Event: {table.event_name}{assumed}"
    return (event, []) if title is None else (title, [event])


def remarks(named: Mapping[str, RiskTable], series: Sequence[Series]) -> list[str]:
    """What must be known of single tables: that there is no curve, or that rows are divided."""
    found = []
    for (name, table), one in zip(named.items(), series, strict=True):
        told = [f"no curve, because {_lacking(table)}."] if not one.vertices else []
        told += [f"{division(table)}."] if division(table) else []
        found += [f"{name}: {words}" for words in told]
    return found


def _lacking(table: RiskTable) -> str:
    if not table.n > 0:
        return "there are no rows"
    return "no row has the event" if table.n_events == 0 else "every row has the event"


def _named(label: str, table: RiskTable) -> str:
    source = SOURCES[table.source]
    if not label or label == table.source:
        return source
    return f"{label}, {source}"


def vertex_record(vertex: Vertex, series: str) -> dict[str, Any]:
    """A vertex as plain values; ``rule`` is the id that charts and pictures share."""
    stratum = vertex.stratum
    if stratum is None:
        return {"series": series, "x": vertex.x, "y": vertex.y}
    flagged = stratum.flagged
    return {
        "series": series,
        "x": vertex.x,
        "y": vertex.y,
        "rule": stratum.rule_id,
        "step": stratum.step,
        "text": stratum.rule,
        "conditions": stratum.conditions,
        "n": stratum.n,
        "n_events": stratum.n_events,
        "predicted": percent(stratum.predicted),
        "observed": _of(stratum.n_events, stratum.n, stratum.observed),
        "flagged": _of(flagged.n, None, flagged.share),
        "found": weight_text(flagged.n_events),
        "sensitivity": percent_interval(flagged.sensitivity),
        "specificity": percent_interval(flagged.specificity),
        "ppv": percent_interval(flagged.ppv),
        "npv": percent_interval(flagged.npv),
        "lift": number(flagged.lift, 2),
        "evaluate": number(flagged.number_needed_to_evaluate.value, 1),
    }


TOOLTIP = (
    ("step", "step"), ("text", "rule"), ("conditions", "all conditions"),
    ("observed", "events here"), ("predicted", "predicted risk"), ("flagged", "flagged to here"),
    ("found", "events found"), ("sensitivity", "sensitivity"), ("specificity", "specificity"),
    ("ppv", "PPV"), ("npv", "NPV"), ("lift", "lift"), ("evaluate", "to evaluate per event"),
    ("series", "rows"),
)  # fmt: skip
"""Fields of a vertex and how its tooltip names them."""


def short_rule(stratum: Stratum) -> str:
    """The rule without the words that its number says, signs as in pictures."""
    rule = stratum.rule.removeprefix("otherwise ").removeprefix("if ")
    return rule.replace(" <= ", " ≤ ").replace(" >= ", " ≥ ")


def _of(part: float, whole: float | None, share: Estimate) -> str:
    counts = weight_text(part) + ("" if whole is None else f" of {weight_text(whole)}")
    return f"{counts}: {percent_interval(share)}"
