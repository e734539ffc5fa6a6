"""What a picture says of each node and branch, before anything has a place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.tree.conditions import Condition, CutCondition, condition_at, narrowed
from clearwood.tree.drawing.bands import Band, bands
from clearwood.tree.line_words import confirmed_by, witness_text
from clearwood.tree.opened import opened
from clearwood.tree.risk import Risk, percent, risk
from clearwood.tree.witnesses import Witnesses, witnesses_of
from clearwood.tree.wording import (
    class_words,
    level_text,
    number_text,
    plain_name,
    quoted,
    share_text,
    weight_text,
)

if TYPE_CHECKING:
    from clearwood.tree.conditions import PossibleLevels
    from clearwood.tree.drawing.lit import LitRow, Passage
    from clearwood.tree.structure import Tree

_SIGNS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">"}
_SHARE_TOLERANCE = 1e-6
NO_BREAK = "\u00a0"
"""A space at which no line is broken."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The words of the branch that leads to a node.

    Parameters
    ----------
    text : str
        What holds for the values that take it, without the column's name.
    is_number : bool
        Whether the text begins with a sign and a number, joined by a space that does not break.
    missing : str
        What is said of missing values; empty where their share is that of the training weight.
    exact : str
        The branch as the printed tree words it.
    """

    text: str
    is_number: bool
    missing: str
    exact: str


@dataclass(frozen=True, slots=True)
class Content:
    """What is said of one node.

    Parameters
    ----------
    node : int
        Its number in the tree.
    parent : int
        Place of its parent among the drawn nodes; -1 for the root.
    branch : Branch or None
        How it is reached; None for the root.
    header : str
        The tested column, or the class of a leaf.
    is_leaf : bool
        Whether it tests nothing.
    n_hidden : int
        Nodes below it that are not drawn.
    weight, risk_text : str
        Training weight, and the risk with its interval.
    risk : Risk
        The same as numbers.
    label : int
        Index of its most probable class.
    shares : tuple of float
        Class probabilities.
    weight_share : float
        Part of all training weight.
    exact : str
        Everything in words.
    band : Band or None
        What noise leaves uncertain around its threshold.
    witnesses : tuple of str
        What confirms its first branch, with the agreement; empty where no branch is drawn.
    small_print : tuple of str
        What its card says of them.
    passage : Passage or None
        What the row that is followed does here; None: nothing, or none is followed.
    """

    node: int
    parent: int
    branch: Branch | None
    header: str
    is_leaf: bool
    n_hidden: int
    weight: str
    risk_text: str
    risk: Risk
    label: int
    shares: tuple[float, ...]
    weight_share: float
    exact: str
    band: Band | None = None
    witnesses: tuple[str, ...] = field(default=(), repr=False)  # told by `exact` too
    small_print: tuple[str, ...] = field(default=(), repr=False)
    passage: Passage | None = field(default=None, repr=False)


def contents(
    tree: Tree,
    event: int | None,
    max_nodes: int | None,
    max_depth: int | None,
    lit: LitRow | None = None,
) -> list[Content]:
    """The nodes that are drawn, in pre-order; a parent comes before its children.

    Where a row is followed, its way is drawn beyond the limits.
    """
    shown = opened(tree, max_nodes, max_depth)
    if lit is not None:
        shown = lit.opened(tree, shown, max_nodes)
    passages = {} if lit is None else lit.passages
    bands_of = bands(tree)
    found: list[Content] = []
    todo: list[tuple[int, int, Branch | None, PossibleLevels]] = [(0, -1, None, {})]
    while todo:
        node, parent, branch, possible = todo.pop()
        place = len(found)
        hidden = 0 if shown[node] else int(tree.subtree_end[node]) - node - 1
        band = bands_of.get(node)
        content = _content(tree, node, parent, branch, event, hidden, band)
        found.append(_passed(content, passages.get(node)))
        if not shown[node]:
            continue
        condition = condition_at(tree, node, possible)
        for number, child in reversed(list(enumerate(tree.children(node).tolist()))):
            below = narrowed(tree, node, number, possible)
            todo.append((child, place, _branch(tree, node, number, condition), below))
    return found


def has_own_share(tree: Tree, node: int) -> bool:
    """Whether missing values at `node` are worth a line of their own.

    Not where their shares are those of the weight and no training row was missing there: then
    every row was sent to one branch, and the branches' row counts add up. Nor in a tree that
    decides by witnesses, where both branches answer.
    """
    if isinstance(tree.evaluation, Witnesses):  # both branches answer, whatever the shares
        return False
    children = tree.children(node)
    weight = tree.masses[children].sum(axis=1)
    shares = tree.shares(node)
    if (shares == 1).any() or not weight.sum() > 0:
        return True
    as_weight = bool((abs(shares - weight / weight.sum()) < _SHARE_TOLERANCE).all())
    return not as_weight or int(tree.n_rows[children].sum()) > int(tree.n_rows[node])


def _content(
    tree: Tree,
    node: int,
    parent: int,
    branch: Branch | None,
    event: int | None,
    n_hidden: int,
    band: Band | None,
) -> Content:
    label = int(tree.label[node])
    is_leaf = bool(tree.is_leaf[node])
    at_risk = risk(tree, node, label if event is None else event)
    whose = f" {class_words(tree, label)}" if event is None and not is_leaf else ""
    weight, all_weight = float(tree.masses[node].sum()), float(tree.masses[0].sum())
    header = tree.class_names[label] if is_leaf else tree.features[tree.column[node]].name
    return Content(
        node=node,
        parent=parent,
        branch=branch,
        header=plain_name(header),
        is_leaf=is_leaf,
        n_hidden=n_hidden,
        weight=f"n = {weight_text(weight, 1 if weight < 100 else 0)}",
        risk_text=at_risk.text() + whose,
        risk=at_risk,
        label=label,
        shares=tuple(tree.distribution[node].tolist()),
        weight_share=weight / all_weight if all_weight > 0 else 0.0,
        exact=_exact(tree, node, weight, band),
        band=band,
        witnesses=() if n_hidden else tuple(map(witness_text, witnesses_of(tree, node))),
    )


def _passed(content: Content, passage: Passage | None) -> Content:
    """The same, with what the row does that is followed."""
    if passage is None:
        return content
    exact = f"{content.exact}\nThis row: {passage.exact}" if passage.exact else content.exact
    return replace(content, passage=passage, exact=exact)


def _exact(tree: Tree, node: int, weight: float, band: Band | None) -> str:
    shares = ", ".join(
        f"{plain_name(name)} {_short(float(share))}"
        for name, share in zip(tree.class_names, tree.distribution[node], strict=True)
    )
    kind = "leaf" if tree.is_leaf[node] else f"tests {tree.features[tree.column[node]].name}"
    around = f"; threshold {number_text(tree.threshold[node])}, {band.text}" if band else ""
    confirmed = f"; first branch {words}" if (words := confirmed_by(tree, node)) else ""
    return f"Node {node}, {kind}: n = {weight_text(weight)}; {shares}{around}{confirmed}"


def _branch(tree: Tree, node: int, number: int, condition: Condition) -> Branch:
    share = float(tree.shares(node)[number])
    are_both_asked = isinstance(tree.evaluation, Witnesses)  # of a missing value
    words = f" or missing ({_short(share)})" if share > 0 and not are_both_asked else ""
    missing = ""
    if share > 0 and has_own_share(tree, node):
        missing = "or missing" if share == 1 else f"or missing: {percent(share)}"
    is_number = isinstance(condition, CutCondition) and condition.feature.kind == "numeric"
    exact = condition.text(number) + words
    return Branch(branch_text(condition, number), is_number, missing, exact)


def _short(share: float) -> str:
    """Four digits; more where 0 or 1 would be said of a share that is neither."""
    text = f"{share:.4g}"
    return share_text(share, 4) if text == "1" and share != 1 else number_text(float(text))


def branch_text(condition: Condition, number: int) -> str:
    """What holds for the values that take a branch, without the column's name."""
    unit = f" {condition.feature.unit}" if condition.feature.unit else ""
    if isinstance(condition, CutCondition) and condition.feature.kind == "numeric":
        sign = _SIGNS[condition.sign(number)]
        return f"{sign}{NO_BREAK}{number_text(condition.threshold)}{unit}"
    labels = [level_words(condition.feature.levels[code]) for code in condition.codes(number)]
    return (", ".join(labels) + unit) if labels else "no value"


def level_words(label: Any) -> str:
    """A level as a picture shows it."""
    if isinstance(label, np.generic):
        label = label.item()
    if not isinstance(label, str):
        return level_text(label)
    return quoted(label) if "," in label else plain_name(label)
