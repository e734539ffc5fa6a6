"""A tree as text that says exactly what is executed, and that a program can read back.

::

    Decision tree: 3 leaves, depth 2
    all rows: n = 303; no 0.54, yes 0.46
    |   thal in {"normal"} or missing (0.55) => no: n = 166.11; no 0.78, yes 0.22
    |   thal in {"fixed", "reversible"} or missing (0.45): n = 136.89; no 0.25, yes 0.75
    |   |   chol <= 240 mg/dL => yes: n = 60.89; no 0.33, yes 0.67
    |   |   chol > 240 mg/dL or missing => yes: n = 76; no 0.19, yes 0.81

A line is a branch: what holds for the values that take it; ``or missing`` and, unless it is 1, the
share of a row with a missing value that goes there too; ``=>`` and the class at a leaf; the
training weight and the class probabilities. A level that no branch names is treated as missing.
What lies deeper than a page is wide is printed as a section of its own, ``[S1]``.

Where a tree does not read values as exact, lines before the first node say so, and a condition
has its band behind it, ``chol <= 271 mg/dL [263.5 to 278.5]``: there a row goes both ways.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clearwood.tree.band import band_ends, ends_text
from clearwood.tree.conditions import PossibleLevels, condition_at, narrowed
from clearwood.tree.evaluation import Soft
from clearwood.tree.opened import opened, require_at_least
from clearwood.tree.wording import name_text, share_text, weight_text

if TYPE_CHECKING:
    from clearwood._typing import BoolArray, FloatArray
    from clearwood.tree.structure import Tree

_INDENT = "|   "
_DEEPEST_INDENT = 20
_MOST_CLASSES = 6
_LONGEST_NOISE = 120

_Entry: TypeAlias = tuple[int, int, str, PossibleLevels]
"""A node still to print: its id, its indent, the words of its branch, the levels that reach it."""


def to_text(
    tree: Tree, *, max_nodes: int | None = 200, max_depth: int | None = None, digits: int | None = 2
) -> str:
    """The tree in words.

    Parameters
    ----------
    tree : Tree
        The tree to print.
    max_nodes : int or None
        Prints about so many nodes, whole levels first, and says what it left out. None: all.
    max_depth : int or None
        Prints no node below this depth. None: all.
    digits : int or None
        Decimals of weights, shares and probabilities; None: all. Thresholds and levels are
        always exact.

    Returns
    -------
    str
        Lines without a line break at the end.
    """
    require_at_least("digits", digits, 0)
    shown = opened(tree, max_nodes, max_depth)
    n_leaves = tree.n_leaves
    head = f"Decision tree: {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}, depth {tree.depth}"
    lines = [*_reading(tree), *_lines(tree, shown, digits), *_left_out(tree, shown)]
    return "\n".join([head, *lines])


def _reading(tree: Tree) -> Iterator[str]:
    """How values are read, where not as exact, with the noise of each column that is tested."""
    if tree.evaluation is None:
        return
    if not isinstance(tree.evaluation, Soft):
        yield "thresholds are ramps: between the limits in brackets a row goes both ways"
        return
    yield (
        "values are read with noise: near a threshold a row goes both ways; in brackets: "
        "threshold ± 1 SD"
    )
    if tree.evaluation.coupling == "joint":
        yield "cuts of one column on a path ask for the same true value"
    for column in np.unique(tree.column[tree.column >= 0]).tolist():
        if (model := tree.evaluation.noise[column]) is not None:
            text = shorten(repr(model), _LONGEST_NOISE, placeholder=" ...")
            yield f"noise of {name_text(tree.features[column].name)}: {text}"


def _lines(tree: Tree, shown: BoolArray, digits: int | None) -> Iterator[str]:
    sections: deque[tuple[int, PossibleLevels]] = deque()
    n_sections = 0
    stack: list[_Entry] = [(0, 0, "all rows", {})]
    while stack or sections:
        if not stack:
            node, possible = sections.popleft()
            yield f"[S{n_sections - len(sections)}]"
            stack = _branches(tree, node, 1, possible, digits)
        node, indent, words, possible = stack.pop()
        line = f"{_INDENT * indent}{words}{_outcome(tree, node, digits)}"
        if not shown[node]:
            yield line + _hidden(tree, node)
        elif indent < _DEEPEST_INDENT:
            yield line
            stack += _branches(tree, node, indent + 1, possible, digits)
        else:
            sections.append((node, possible))
            n_sections += 1
            yield f"{line} [S{n_sections}]"


def _branches(
    tree: Tree, node: int, indent: int, possible: PossibleLevels, digits: int | None
) -> list[_Entry]:
    """The branches of `node`, the last one first, as a stack wants them."""
    condition = condition_at(tree, node, possible)
    shares, band = tree.shares(node).tolist(), _band(tree, node, digits)
    entries = []
    for branch, child in enumerate(tree.children(node).tolist()):
        words = condition.text(branch) + band + _missing(shares[branch], digits)
        entries.append((child, indent, words, narrowed(tree, node, branch, possible)))
    return entries[::-1]


def _band(tree: Tree, node: int, digits: int | None) -> str:
    ends = band_ends(tree, node) if tree.features[tree.column[node]].kind == "numeric" else None
    return "" if ends is None else f" [{ends_text(*ends, exact=digits is None)}]"


def _missing(share: float, digits: int | None) -> str:
    if share == 0:
        return ""
    return " or missing" if share == 1 else f" or missing ({share_text(share, digits)})"


def _outcome(tree: Tree, node: int, digits: int | None) -> str:
    """Class at a leaf, weight and class probabilities of a node."""
    label = f" => {name_text(tree.class_names[tree.label[node]])}" if tree.is_leaf[node] else ""
    weight = weight_text(float(tree.masses[node].sum()), digits)
    return f"{label}: n = {weight}; {_probabilities(tree, tree.distribution[node], digits)}"


def _probabilities(tree: Tree, distribution: FloatArray, digits: int | None) -> str:
    """Classes with their probability; of many classes the most probable, and the rest."""
    shown = list(range(len(distribution)))
    if len(distribution) > _MOST_CLASSES and digits is not None:
        likely = np.argsort(-distribution, kind="stable")[:_MOST_CLASSES]
        shown = sorted(code for code in likely.tolist() if distribution[code] > 0)
    parts = [
        f"{name_text(tree.class_names[code])} {share_text(distribution[code], digits)}"
        for code in shown
    ]
    rest = np.delete(distribution, shown).sum()
    return ", ".join(parts) + (f", others {share_text(rest, digits)}" if rest > 0 else "")


def _hidden(tree: Tree, node: int) -> str:
    below = int(tree.subtree_end[node]) - node - 1
    return f" ... {below} nodes below" if below else ""


def _left_out(tree: Tree, shown: BoolArray) -> list[str]:
    n_shown = 1 + int(np.diff(tree.child_start)[shown].sum())
    if n_shown == tree.n_nodes:
        return []
    return [
        f"({tree.n_nodes - n_shown} of {tree.n_nodes} nodes are not shown; "
        "to_text(max_nodes=None) shows all)"
    ]
