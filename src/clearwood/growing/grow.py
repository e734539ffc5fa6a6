"""Grows a tree from a table by a plan."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ClearwoodWarning, TableError
from clearwood.growing.plan import Plan
from clearwood.growing.verification import Verification
from clearwood.table.column import Feature
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witnesses

MOST_BRANCHES = 2**16 - 1
"""The core numbers the branches of a node in 16 bits."""


def grow(
    table: Table,
    classes: AnyArray,
    codes: IntArray,
    weights: FloatArray | None = None,
    plan: Plan | None = None,
) -> Tree:
    """The grown tree, unpruned.

    Parameters
    ----------
    table : Table
        Measured values, n_rows rows.
    classes : ndarray of shape (n_classes,)
        Labels; their order decides ties.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
        Row weights; a row of weight 0 is left out. None weighs every row 1.
    plan : Plan or None
        None is the plan of plain defaults.

    Returns
    -------
    Tree
        With `Witnesses` as its evaluation where the plan verifies cuts.

    Raises
    ------
    TableError
        A nominal column has more levels than a node can have branches.
    """
    from clearwood import _core

    plan = plan or Plan()
    if plan.nominal in ("branches", "grouped"):
        require_few_levels(table.features)
    arrays, _, _, witnesses = _core.grow(
        core_table(table), codes, len(classes), weights, plan.for_core(table.n_columns)
    )
    if plan.verification is None:
        return Tree.of_core(arrays, table.features, classes)
    evaluation = Witnesses(**witnesses, conflict=plan.verification.conflict)
    tree = Tree.of_core(arrays, table.features, classes, evaluation=evaluation)
    _warn_if_full(tree, plan.verification)
    return tree


def _warn_if_full(tree: Tree, verification: Verification) -> None:
    if tree.n_nodes + 2 <= verification.max_nodes:
        return
    is_mixed = (tree.masses > 0).sum(axis=1) > 1
    if (tree.is_leaf & is_mixed).any():
        warnings.warn(
            f"the tree has reached max_nodes={verification.max_nodes}, so that leaves of several "
            "classes were not split; a higher agreement or fewer n_verifiers copy fewer rows",
            ClearwoodWarning,
            stacklevel=2,
        )


def search_effort(
    table: Table, classes: AnyArray, codes: IntArray, weights: FloatArray | None, plan: Plan
) -> tuple[int, int]:
    """How many thresholds growing could have tried under noise, and how many it tried.

    Parameters
    ----------
    table, classes, codes, weights, plan
        As in `grow`.

    Returns
    -------
    n_candidates, n_evaluations : int
        Thresholds on the grids of all columns in all nodes (of UDT: sample points), and those
        whose gain was computed; bounds spare the rest. Columns without noise are not counted.
    """
    from clearwood import _core

    _, candidates, evaluations, _ = _core.grow(
        core_table(table), codes, len(classes), weights, plan.for_core(table.n_columns)
    )
    return candidates, evaluations


def require_few_levels(features: Iterable[Feature]) -> None:
    """Raises `TableError` where a node could get more branches than the core can number."""
    for feature in features:
        if feature.is_nominal and feature.n_levels > MOST_BRANCHES:
            raise TableError(
                f"column {feature.name!r} has {feature.n_levels} levels, but a node can have at "
                f"most {MOST_BRANCHES} branches; leave it out if it is an identifier, or use "
                "nominal='subset'"
            )
