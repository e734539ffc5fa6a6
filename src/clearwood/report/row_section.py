"""How one row is decided: its lit picture, a line for each condition, the leaves that answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clearwood.report.markup import element, table, text
from clearwood.tree.drawing.lit import row_name, shown_value, stance, told_class, why_divided
from clearwood.tree.paths import OR_MISSING, path
from clearwood.tree.risk import percent
from clearwood.tree.rules import way_text
from clearwood.tree.testimony import decided, verdict
from clearwood.tree.wording import class_words, plain_name

if TYPE_CHECKING:
    from clearwood.tree import Tree
    from clearwood.tree.paths import Path, Step

_MOST_LEAVES = 12


def row_heading(row: Any) -> str:
    """E.g. ``How row 17 is decided``."""
    name = row_name(row)
    return f"How {name[:1].lower()}{name[1:]} is decided"


def row_section(tree: Tree, row: Any, code: int | None) -> Iterator[str]:
    """The section about `row`, which is given as `Tree.path` takes it.

    `code` is the class whose risk the page tells; None: that of the answer.
    """
    followed = path(tree, row)
    event = None if code is None else tree.classes.tolist()[code]
    yield text("h2", row_heading(row))
    yield element("figure", tree.to_svg(event=event, row=row))
    if followed.steps:
        yield _steps(tree, followed)
    if len(followed.leaves) > 1:
        yield _leaves(tree, followed, code)


def _steps(tree: Tree, followed: Path) -> str:
    """One line for each condition that the row meets."""
    has_witnesses = any(step.testimonies or step.dispute for step in followed.steps)
    is_divided = any(step.weight < 1 for step in followed.steps)
    head = [("Part of the row", "number")] if is_divided else []
    head += [("Looks at", ""), ("Value", ""), ("Goes to", "")]
    head += [("Witnesses", "")] if has_witnesses else []
    rows = []
    for step in followed.steps:
        cells = [text("td", percent(step.weight), class_="number")] if is_divided else []
        cells += [
            text("td", plain_name(step.condition.feature.name)),
            text("td", shown_value(step.condition, step.value), class_="value"),
            element("td", *_branches(tree, step), class_="rule"),
        ]
        cells += [element("td", *_witnesses(step), class_="rule")] if has_witnesses else []
        rows.append(element("tr", *cells))
    return table("steps", head, rows, _about_steps(has_witnesses, is_divided))


def _about_steps(has_witnesses: bool, is_divided: bool) -> str:
    words = "The conditions that the row meets, from the first on."
    if is_divided:
        words += " Where a row is divided, each part goes on alone, and the answers are averaged."
    if has_witnesses:
        words += " A witness is another column that confirms a condition."
    return words


def _branches(tree: Tree, step: Step) -> Iterator[str]:
    """Where the row goes on, one line for each branch; where both were asked, both answers."""
    both = step.dispute
    if both is not None:
        yield _line("both branches are asked")
        for number, answer in enumerate(both.answers):
            says = f"{told_class(tree, answer.class_name)} {percent(answer.probability)}"
            yield _line(f"{step.condition.text(number)}: {says}")
        yield _line(decided(step.condition, step.value, both))
        return
    whole = len(step.branches) == 1 and step.branches[0].share == 1
    if step.missing and step.missing != OR_MISSING:
        yield _line(step.missing)
        return
    for branch in step.branches:
        share = "" if whole else f": {percent(branch.share)}"
        words = f"{step.condition.text(branch.number)} {step.missing}".rstrip()
        yield _line(f"{words}{share}")
    if why := why_divided(tree, step):
        yield _line(why)


def _witnesses(step: Step) -> Iterator[str]:
    """How many agree, and what each says."""
    agreed = verdict(step.condition, step.value, step.testimonies)
    yield _line(agreed or "none")
    for testimony in step.testimonies:
        yield _line(f"{testimony.text()}{stance(testimony)}")


def _line(words: str) -> str:
    return text("div", words)


def _leaves(tree: Tree, followed: Path, code: int | None) -> str:
    """The leaves that share the row, and what each adds to the answer."""
    shown = int(followed.probabilities.argmax()) if code is None else code
    whose = f"Risk of {class_words(tree, shown)}"
    head = [("Part of the row", "number"), (whose, "number"), ("Leaf", "")]
    leaves = sorted(followed.leaves, key=lambda leaf: -leaf[1])
    rows = [
        _leaf(weight, float(tree.distribution[leaf, shown]), way_text(tree, leaf))
        for leaf, weight in leaves[:_MOST_LEAVES]
    ]
    rest = leaves[_MOST_LEAVES:]
    if rest:
        weight = sum(share for _, share in rest)
        given = sum(share * float(tree.distribution[leaf, shown]) for leaf, share in rest)
        rows.append(_leaf(weight, given / weight, f"{len(rest)} more"))
    total = sum(weight for _, weight in leaves)
    rows.append(_leaf(total, float(followed.probabilities[shown]), "together"))
    return table(
        "leaves", head, rows, "The leaves that answer: the risk together is their average by part."
    )


def _leaf(weight: float, at_risk: float, words: str) -> str:
    return element(
        "tr",
        text("td", percent(weight), class_="number"),
        text("td", percent(at_risk), class_="number"),
        text("td", words, class_="rule"),
    )
