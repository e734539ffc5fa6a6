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

Where conditions have witnesses, a line before the branches lists them as they should be in the
first branch, each with its agreement: ``confirmed by: age < 55 years (97 %), bmi < 30 (93 %)``.

A decision chain is printed as a list of rules instead, see `clearwood.tree.chain_text`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clearwood.tree.chain import shown_as_chain
from clearwood.tree.chain_text import chain_text
from clearwood.tree.conditions import PossibleLevels, condition_at, narrowed
from clearwood.tree.line_words import band_text, confirmed_by, outcome, reading
from clearwood.tree.opened import opened, require_at_least
from clearwood.tree.witnesses import Witnesses
from clearwood.tree.wording import share_text

if TYPE_CHECKING:
    from clearwood._typing import BoolArray
    from clearwood.tree.structure import Tree

_INDENT = "|   "
_DEEPEST_INDENT = 20
SHOWS_ALL = "to_text(max_nodes=None) shows all"
"""How a reader of Python gets the nodes that are left out."""

_Entry: TypeAlias = tuple[int, int, str, PossibleLevels]
"""A node still to print: its id, its indent, the words of its branch, the levels that reach it."""


def to_text(
    tree: Tree,
    *,
    max_nodes: int | None = 200,
    max_depth: int | None = None,
    digits: int | None = 2,
    form: str = "auto",
    rest: str = SHOWS_ALL,
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
    form : {"auto", "tree", "chain"}
        A decision chain can be printed as a list of rules; ``auto`` does so with trees that were
        grown as one.
    rest : str
        What is said of the way to all nodes where some are left out; empty: nothing.

    Returns
    -------
    str
        Lines without a line break at the end.

    Raises
    ------
    ParameterError
        A limit shows nothing, or `form` is none of the three or does not suit the tree.
    """
    require_at_least("digits", digits, 0)
    shown = opened(tree, max_nodes, max_depth)
    if shown_as_chain(tree, form):
        return chain_text(tree, int(shown.sum()), digits, rest)
    n_leaves = tree.n_leaves
    head = f"Decision tree: {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}, depth {tree.depth}"
    lines = [*reading(tree), *_lines(tree, shown, digits), *_left_out(tree, shown, rest)]
    return "\n".join([head, *lines])


def _lines(tree: Tree, shown: BoolArray, digits: int | None) -> Iterator[str]:
    sections: deque[tuple[int, PossibleLevels]] = deque()
    n_sections = 0
    stack: list[_Entry] = [(0, 0, "all rows", {})]
    while stack or sections:
        if not stack:
            node, possible = sections.popleft()
            yield f"[S{n_sections - len(sections)}]"
            yield from _confirmed(tree, node, 1, digits)
            stack = _branches(tree, node, 1, possible, digits)
        node, indent, words, possible = stack.pop()
        line = f"{_INDENT * indent}{words}{outcome(tree, node, digits)}"
        if not shown[node]:
            yield line + _hidden(tree, node)
        elif indent < _DEEPEST_INDENT:
            yield line
            yield from _confirmed(tree, node, indent + 1, digits)
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
    band = band_text(tree, node, digits)
    entries = []
    for branch, child in enumerate(tree.children(node).tolist()):
        words = condition.text(branch) + band + _missing(tree, node, branch, digits)
        entries.append((child, indent, words, narrowed(tree, node, branch, possible)))
    return entries[::-1]


def _confirmed(tree: Tree, node: int, indent: int, digits: int | None) -> Iterator[str]:
    if words := confirmed_by(tree, node, digits):
        yield _INDENT * indent + words


def _missing(tree: Tree, node: int, branch: int, digits: int | None) -> str:
    share = float(tree.shares(node)[branch])
    if share == 0 or isinstance(tree.evaluation, Witnesses):  # both branches answer, undivided
        return ""
    return " or missing" if share == 1 else f" or missing ({share_text(share, digits)})"


def _hidden(tree: Tree, node: int) -> str:
    below = int(tree.subtree_end[node]) - node - 1
    return f" ... {below} nodes below" if below else ""


def _left_out(tree: Tree, shown: BoolArray, rest: str) -> list[str]:
    n_shown = 1 + int(np.diff(tree.child_start)[shown].sum())
    if n_shown == tree.n_nodes:
        return []
    told = f"{tree.n_nodes - n_shown} of {tree.n_nodes} nodes are not shown"
    return [f"({told}; {rest})" if rest else f"({told})"]
