"""For rows that no single rule answers: what holds for them, and where both branches were asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import AnyArray
from clearwood.tree.conditions import condition_at
from clearwood.tree.polls import FIRST, UNKNOWN, first_disputes
from clearwood.tree.rules import way_text
from clearwood.tree.testimony import agreement_text
from clearwood.tree.witnesses import has_witnesses, witnesses_of
from clearwood.tree.wording import name_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree


def disputed_rules(tree: Tree, X: Any) -> AnyArray:
    """In the place of a rule, where each row was disputed; empty for the others.

    Parameters
    ----------
    tree : Tree
        The tree; one without witnesses disputes nothing.
    X : frame or array
        The tree's columns, n_rows of them.

    Returns
    -------
    ndarray of str objects, shape (n_rows,)
        What holds down to the first node where both branches were asked, and why they were:
        ``sex in {"f"} and witnesses agree; disputed at chol < 240: 1 of 2 witnesses agrees``. The
        condition is written as the row's own value fulfils it.
    """
    from clearwood.table.frames import encode_table

    table = encode_table(X, tree.features)
    texts = np.full(table.n_rows, "", dtype=object)
    for node, heard in first_disputes(tree, table):
        way = _way(tree, node)
        cases = np.column_stack([heard.main, heard.for_first, heard.n_known])
        found, place = np.unique(cases, axis=0, return_inverse=True)
        words = [f"{way}{_reason(tree, node, *case)}" for case in found.tolist()]
        texts[heard.rows] = np.array(words, dtype=object)[place.reshape(-1)]
    return texts


def _way(tree: Tree, node: int) -> str:
    """The conditions above `node`, which hold for rows that come there undisputed."""
    way, above = way_text(tree, node), node
    while above > 0:
        above = int(tree.parent[above])
        if has_witnesses(tree, above):
            return f"{way} and witnesses agree; "
    return f"{way}; " if way else ""


def _reason(tree: Tree, node: int, main: int, for_first: int, n_known: int) -> str:
    condition = condition_at(tree, node)
    if main == UNKNOWN:
        return f"both branches asked at {name_text(condition.feature.name)}: its value is not known"
    n = len(witnesses_of(tree, node))
    n_agree = for_first if main == FIRST else n_known - for_first
    counted = agreement_text(n, n_agree, n - n_known)
    return f"disputed at {condition.text(main)}: {counted}"
