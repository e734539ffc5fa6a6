"""One self-contained page of a tree: picture, rules, performance, missing values, provenance.

It asks for nothing from outside, runs no script, and prints on A4. A reader who was not there must
be able to tell what the tree says, how well it was tested, and where it came from.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.report.markup import bullets, document, element, facts, table, text
from clearwood.report.row_section import row_section
from clearwood.report.sections import performance_section, provenance, version
from clearwood.report.witness_section import (
    of_rules,
    witness_missing,
    witness_reading,
    witness_table,
)
from clearwood.tree import as_tree
from clearwood.tree.conditions import condition_at
from clearwood.tree.risk import event_code, percent, risk
from clearwood.tree.rules import conjuncts, way_text
from clearwood.tree.saving import save_text
from clearwood.tree.witnesses import Witnesses, has_any_witness
from clearwood.tree.wording import class_words, plain_name, weight_text

if TYPE_CHECKING:
    from clearwood.metrics import Performance
    from clearwood.tree import Tree
    from clearwood.tree.rules import Rule

_SMALLEST_SCALE = 0.62
"""A picture wider than the page is shrunk to this, then scrolled."""


def write_page(
    path: str | os.PathLike[str],
    model: Any,
    *,
    title: str,
    performance: Performance | None = None,
    event: Hashable | None = None,
    notes: Sequence[str] = (),
    row: Any = None,
    overwrite: bool = False,
) -> Path:
    """Write a page about a tree to one HTML file.

    Parameters
    ----------
    path : str or path-like
        The file.
    model : Tree or fitted classifier
        What the page is about.
    title : str
        Headline.
    performance : Performance, optional
        What cross-validation found. Without it the page says that nothing was measured.
    event : label, optional
        The class whose risk is told; by default the last of two.
    notes : sequence of str
        Sentences that stand below the headline: the data, a warning, who is responsible.
    row : mapping, Series or 1-d sequence, optional
        A row as `Tree.path` takes it. The page begins with how it is decided: its way lit in the
        picture, and each condition with value, branch and witnesses. A series is called by its
        name.
    overwrite : bool
        Whether a file that is there already may be replaced.

    Raises
    ------
    OutputError
        The file is there already and `overwrite` is False, or it cannot be written.
    ParameterError
        `event` is no class of the tree.
    ColumnNotFound, TableError
        `row` is none of this tree; see `Tree.path`.
    """
    content = page(model, title=title, performance=performance, event=event, notes=notes, row=row)
    return save_text(content, path, overwrite=overwrite)


def page(
    model: Any,
    *,
    title: str,
    performance: Performance | None = None,
    event: Hashable | None = None,
    notes: Sequence[str] = (),
    row: Any = None,
) -> str:
    """The page as HTML; parameters as in `write_page`."""
    tree = as_tree(model)
    code = event_code(tree, event)
    label = None if code is None else tree.classes[code]
    picture = tree.to_svg(event=label)
    parts = ("page.css",) if row is None else ("page.css", "row.css")
    folder = files("clearwood.report")
    style = "\n".join((folder / part).read_text(encoding="utf-8") for part in parts)
    return document(
        title,
        f"{_least_width(picture)}\n{style}",
        _head(tree, code, title, notes),
        element("main", *_of_row(tree, code, row), *_sections(tree, code, picture, performance)),
        element("footer", text("span", f"Written by {version()}.")),
    )


def _least_width(picture: str) -> str:
    """A style that lets a wide picture scroll before it becomes too small to read."""
    natural = float(picture.split('width="', 1)[1].split('"', 1)[0])
    return f"figure > svg {{ min-width: {natural * _SMALLEST_SCALE:.0f}px; }}"


def _of_row(tree: Tree, code: int | None, row: Any) -> Iterator[str]:
    """The section about one row, if there is one, and the heading of what follows."""
    if row is not None:
        yield from row_section(tree, row, code)
        yield text("h2", "The whole tree")


def _sections(
    tree: Tree, code: int | None, picture: str, performance: Performance | None
) -> Iterator[str]:
    yield element("figure", picture)
    yield text("h2", "How to read it")
    yield bullets(_reading(tree, code))
    yield text("h2", "The rules, highest risk first" if code is not None else "The rules")
    yield _rules(tree, code)
    if has_any_witness(tree):
        yield text("h2", "Conditions and their witnesses")
        yield witness_table(tree)
    yield text("h2", "Performance")
    yield performance_section(tree, performance)
    yield text("h2", "Missing values")
    yield bullets(_missing(tree))
    yield text("h2", "Where this comes from")
    yield facts(provenance(tree))


def _head(tree: Tree, code: int | None, title: str, notes: Sequence[str]) -> str:
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    grown = f"{tree.n_rows[0]} rows"
    share = ""
    if code is not None:
        share = (
            f", {class_words(tree, code)} in {percent(float(tree.distribution[0, code]))} of them"
        )
    lead = f"A decision tree with {leaves}, grown on {grown}{share}."
    parts = [text("h1", title), text("p", lead)]
    if notes:
        parts.append(element("div", *(text("p", note) for note in notes), class_="notes"))
    return element("header", *parts)


def _reading(tree: Tree, code: int | None) -> Iterator[str]:
    yield (
        "Begin at the left. Each rounded box names what is looked at; follow the branch whose "
        "words hold for the patient until a box with a class is reached."
        if tree.n_leaves > 1
        else "The tree asks nothing: it gives one answer to all."
    )
    if isinstance(tree.evaluation, Witnesses):
        yield from witness_reading(tree.evaluation)
    whose = "the class named there" if code is None else class_words(tree, code)
    yield (
        f"The percentage is the risk of {whose} among the training rows that came there, with its "
        "95 % interval (Wilson): the fewer rows, the wider."
    )
    yield (
        "The intervals do not know that the tree was chosen to fit these same rows, so high risks "
        "may be too high and low ones too low. How it does on other rows is told under "
        "Performance."
    )


def _rules(tree: Tree, code: int | None) -> str:
    rules = tree.rules()
    if code is not None:
        rules.sort(key=lambda rule: -float(rule.probabilities[code]))
    named = "Risk" if code is None else f"Risk of {class_words(tree, code)}"
    head = [(named, "number"), ("95 % interval", "number"), ("", ""), ("n", "number"),
            ("Class", ""), ("Rule", "")]  # fmt: skip
    rows = [_rule(tree, rule, code) for rule in rules]
    caption = (
        "One line for each leaf. n is the training weight that came there; a row with a missing "
        "value counts in parts."
    )
    if isinstance(tree.evaluation, Witnesses):
        caption = f"One line for each leaf. {of_rules(tree.evaluation)}"
    return table("rules", head, rows, caption)


def _rule(tree: Tree, rule: Rule, code: int | None) -> str:
    shown = int(tree.label[rule.leaf]) if code is None else code
    at_risk = risk(tree, rule.leaf, shown)
    seen = at_risk.lower == at_risk.lower
    interval = f"{100 * at_risk.lower:.0f}–{100 * at_risk.upper:.0f} %" if seen else "no rows"
    words = conjuncts(rule.restrictions)
    if rule.witnesses == "disagree":
        words = ["witnesses disagree"]
    conditions = [text("span", part) for part in words] or ["always"]
    return element(
        "tr",
        text("td", percent(at_risk.value), class_="number"),
        text("td", interval, class_="number"),
        element("td", _bar(at_risk.value, at_risk.lower, at_risk.upper), class_="bar"),
        text("td", weight_text(rule.weight, 1), class_="number"),
        text("td", plain_name(rule.class_name), class_="class"),
        element("td", " and ".join(conditions), class_="rule"),
    )


def _bar(value: float, lower: float, upper: float) -> str:
    """Risk as a bar with its interval as a line; hidden from readers of text, who have numbers."""
    line = ""
    if lower == lower:
        line = (
            f'<path d="M{80 * lower:.1f},6 H{80 * upper:.1f} M{80 * lower:.1f},2.5 v7 '
            f'M{80 * upper:.1f},2.5 v7" stroke="#1f2933" fill="none"/>'
        )
    return (
        '<svg width="82" height="12" viewBox="-1 0 82 12" aria-hidden="true">'
        '<rect x="0" y="1" width="80" height="10" fill="#f4f6f8" stroke="#8d99a6"/>'
        f'<rect x="0" y="1" width="{80 * value:.1f}" height="10" fill="#d9917c"/>{line}</svg>'
    )


def _missing(tree: Tree) -> Iterator[str]:
    if tree.n_leaves == 1:
        yield "The tree looks at nothing, so nothing can be missing."
        return
    if isinstance(tree.evaluation, Witnesses):
        yield from witness_missing(tree.evaluation)
        return
    whole, inner = _whole_branches(tree), int(np.count_nonzero(~tree.is_leaf))
    if len(whole) < inner:
        yield (
            "A row whose value is missing is split over the branches, in the parts that stand at "
            "the dashed lines, or else as the branches are wide; its risk is the average over the "
            "leaves it reaches."
        )
    yield from whole
    yield ("A level that was not seen in training, or that no branch names, is treated as missing.")


def _whole_branches(tree: Tree) -> list[str]:
    """A sentence for each condition that sends all rows with a missing value one way."""
    found = []
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.child_start))
    for node in owner[tree.missing_share == 1].tolist():
        condition = condition_at(tree, node)
        branch = int(tree.shares(node).argmax())
        name = plain_name(condition.feature.name)
        way = way_text(tree, node)
        way = f"({way})" if way.endswith(" or missing") else way
        found.append(
            f"Where {f'{way} and ' if way else ''}{name} is missing, the row goes as if "
            f"{condition.text(branch)}."
        )
    return found
