"""A risk table in words: two aligned tables of text, or one of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isinf, isnan
from typing import TYPE_CHECKING

from clearwood.metrics.estimate import Estimate
from clearwood.tree.wording import weight_text

if TYPE_CHECKING:
    from clearwood.metrics.risk_table import RiskTable
    from clearwood.metrics.strata import Stratum

_STRATUM = ("step", "n", "events", "predicted", "observed risk", "rule")
_FLAGGED = (
    "to step", "flagged", "events found", "sensitivity", "specificity", "PPV", "NPV", "lift",
    "evaluate", "per 1000", "missed",
)  # fmt: skip
_BY_STRATUM, _BY_FLAGGING = "each stratum", "flagging from the top down"
_LEGEND = (
    "evaluate: rows flagged for each event found; per 1000: rows flagged, of 1000; missed: events "
    "not flagged, per 1000 rows"
)
_MOST_LETTERS = 100
_DASH = "–"


def to_text(table: RiskTable) -> str:
    """The strata, then what flagging them from the top down would do."""
    strata = [_stratum_cells(stratum) for stratum in table.strata]
    flags = [_flagged_cells(stratum) for stratum in table.strata]
    n_texts = len(_STRATUM) - 1
    return "\n".join(
        [
            heading(table),
            _aligned([_STRATUM, *strata], range(n_texts)),
            "",
            f"{_BY_FLAGGING}:",
            _aligned([_FLAGGED, *flags], range(len(_FLAGGED))),
            _LEGEND,
        ]
    )


def heading(table: RiskTable) -> str:
    """Whose risk, counted on which rows, and how good the order is, a line each."""
    rows = "training rows (optimistic)" if table.source == "training" else "held-out rows"
    weights = ", by weight; effective numbers in intervals" if table.is_weighted else ""
    lines = [
        f"{whose_risk(table)}: {weight_text(table.n)} {rows}, "
        f"{weight_text(table.n_events)} events ({percent_interval(table.prevalence)})",
        area_text(table),
        division(table),
        f"intervals: {100 * table.confidence:g} %{weights}",
    ]
    return "\n".join(line for line in lines if line)


def whose_risk(table: RiskTable) -> str:
    """E.g. ``risk of survival``, and that nobody named this event."""
    assumed = " (the last class; event= names another)" if table.is_event_assumed else ""
    return f"risk of {table.event_name}{assumed}"


def area_text(table: RiskTable) -> str:
    """The AUC; where rows are divided that of the model's own risks, and that of the strata."""
    if not differs(table):
        return f"AUC {table.auc}"
    return f"AUC {table.auc} of the model's own risks, {table.strata_auc} of these strata"


def differs(table: RiskTable) -> bool:
    """Whether the model orders the rows otherwise than the strata do."""
    return table.n_divided > 0 and table.auc != table.strata_auc


def division(table: RiskTable) -> str:
    """How rows that several leaves share are counted, in a sentence; empty where there are none."""
    if isnan(table.n_divided):
        return "rows that were divided among leaves count in each by their share"
    if not table.n_divided > 0:
        return ""
    return (
        f"{weight_text(table.n_divided)} of {weight_text(table.n)} rows were divided among leaves "
        "(missing values, noise or witnesses); each counts in the stratum of its largest share"
    )


def to_html(table: RiskTable, name: str = "") -> str:
    """One table with everything, a row a stratum; `data-rule` holds its `rule_id`.

    `name` leads the caption, where there are several tables.
    """
    strata, flags = _STRATUM, _FLAGGED[1:]
    groups = (
        f'<th scope="colgroup" colspan="{len(strata)}">{_BY_STRATUM}</th>'
        f'<th scope="colgroup" colspan="{len(flags)}">{_BY_FLAGGING}, to this step</th>'
    )
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in (*strata, *flags))
    rows = "".join(_html_row(stratum) for stratum in table.strata)
    caption = escape(heading(table)).replace("\n", "<br>")
    if name:
        caption = f"<b>{escape(name)}</b><br>{caption}"
    return (
        f'<table class="risk-table"><caption>{caption}</caption>'
        f'<colgroup span="{len(strata)}"></colgroup><colgroup span="{len(flags)}"></colgroup>'
        f"<thead><tr>{groups}</tr><tr>{columns}</tr></thead><tbody>{rows}</tbody>"
        f'<tfoot><tr><td colspan="{len(strata) + len(flags)}">{_LEGEND}</td></tr></tfoot></table>'
    )


def _html_row(stratum: Stratum) -> str:
    cells = (*_stratum_cells(stratum, None), *_flagged_cells(stratum)[1:])
    tags = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr data-rule="{escape(stratum.rule_id)}">{tags}</tr>'


def _stratum_cells(stratum: Stratum, most_letters: int | None = _MOST_LETTERS) -> list[str]:
    rule = stratum.rule
    if most_letters is not None and len(rule) > most_letters:
        rule = rule[: most_letters - 1] + "…"
    return [
        str(stratum.step),
        weight_text(stratum.n),
        weight_text(stratum.n_events),
        percent(stratum.predicted),
        percent_interval(stratum.observed),
        rule,
    ]


def _flagged_cells(stratum: Stratum) -> list[str]:
    flagged = stratum.flagged
    shares = (flagged.sensitivity, flagged.specificity, flagged.ppv, flagged.npv)
    return [
        str(stratum.step),
        f"{weight_text(flagged.n)} ({percent(flagged.share.value)})",
        weight_text(flagged.n_events),
        *map(percent_interval, shares),
        number(flagged.lift, 2),
        number(flagged.number_needed_to_evaluate.value, 1),
        number(flagged.flagged_per_1000, 0),
        number(flagged.missed_per_1000, 1),
    ]


def percent(share: float) -> str:
    """E.g. ``12.5 %``; a dash for NaN."""
    return _DASH if isnan(share) else f"{100 * share:.1f} %"


def percent_interval(estimate: Estimate) -> str:
    """E.g. ``12.5 % (9.1–17.0)``; a dash for NaN."""
    if isnan(estimate.value) or isnan(estimate.lower):
        return percent(estimate.value)
    return f"{percent(estimate.value)} ({100 * estimate.lower:.1f}–{100 * estimate.upper:.1f})"


def number(value: float, digits: int) -> str:
    """`value` to some decimals; a dash for NaN, ∞ for what has no bound."""
    if isnan(value):
        return _DASH
    return "∞" if isinf(value) else f"{value:.{digits}f}"


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Cells in columns of equal width; those of `right` flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
