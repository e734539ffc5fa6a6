"""Our C4.5 on the rows of an oracle, its trees as the plain nodes that are compared.

`grow_c45` works below the estimators, since the original's order of classes, which decides ties,
is that of its declaration and not the sorted one.
"""

from __future__ import annotations

import numpy as np

from clearwood.growing import C45Compatibility, Plan, grow
from clearwood.pruning import ErrorBased, error_based
from clearwood.pruning.possible_levels import keep_possible_levels
from clearwood.table.column import Feature
from clearwood.table.core_table import core_table
from clearwood.table.table import Table
from clearwood.tree import Tree
from reference.c45 import Cases, Node, Options, added_errors, known_numbers, labels_of

SINGLE_PRECISION = 1e-6
"""What sums of parts of a row in single precision may be off by."""


def grow_c45(cases: Cases, options: Options) -> tuple[Tree, Tree, float]:
    """Grown tree, pruned tree and the errors estimated for it."""
    table = as_table(cases, options)
    grown = grow(table, np.arange(cases.n_classes), cases.classes, None, as_plan(options))
    pruning = error_based(
        grown,
        table,
        cases.classes,
        None,
        ErrorBased(confidence=options.confidence),
        "c45" if options.single else None,
    )
    pruned = keep_possible_levels(pruning.tree) if options.grouped else pruning.tree
    return grown, pruned, pruning.errors


def as_plan(options: Options) -> Plan:
    exact = C45Compatibility(minimum_leak=options.leaking_minimum) if options.single else None
    return Plan(
        criterion="information_gain" if options.gain_only else "gain_ratio",
        nominal="grouped" if options.grouped else "branches",
        cut_at="observed",
        penalty=True,
        c45_rules=True,
        min_samples_leaf=options.minimum,
        compatibility=exact,
    )


def as_table(cases: Cases, options: Options) -> Table:
    """Numbers as the original holds them: in single precision, -999 unknown."""
    features = tuple(
        Feature(f"x{j}", "nominal" if n else "numeric", tuple(range(n)))
        for j, n in enumerate(cases.n_levels)
    )
    real = np.float32 if options.single else np.float64
    columns = [
        column if n else known_numbers(column, real).astype(np.float64)
        for column, n in zip(cases.columns, cases.n_levels, strict=True)
    ]
    return Table(features, columns, None, cases.n_rows)


def hard_errors(tree: Tree, cases: Cases, options: Options) -> int:
    """Misclassified rows.

    The core adds up probabilities in double precision. Where two classes tie but for single
    precision, the original's rounding decides, which only the reference repeats.
    """
    probabilities = tree.predictor.predict_proba(core_table(as_table(cases, options)))
    labels = probabilities.argmax(axis=1)
    if options.single:
        second, first = np.sort(probabilities, axis=1)[:, -2:].T
        tied = np.flatnonzero(first - second < SINGLE_PRECISION)
        labels[tied] = labels_of(as_node(tree), cases, options, tied)
    return int((labels != cases.classes).sum())


def as_node(tree: Tree, confidence: float | None = None, node: int = 0) -> Node:
    """A tree as plain nodes; errors of leaves are pessimistic where a confidence is given."""
    counts = tree.masses[node]
    weight = float(counts.sum())
    errors = weight - float(counts[tree.label[node]])
    if confidence is not None and weight > 0:
        errors += added_errors(weight, errors, confidence)
    result = Node(int(tree.label[node]), weight, counts, errors)
    children = tree.children(node)
    if len(children) == 0:
        return result
    result.column = int(tree.column[node])
    if np.isnan(tree.threshold[node]):
        levels = tree.levels(node)
        result.groups = [np.flatnonzero(levels == k).tolist() for k in range(len(children))]
    else:
        result.threshold = float(tree.threshold[node])
    result.branches = [as_node(tree, confidence, int(child)) for child in children]
    return result


def grow_nodes(cases: Cases, options: Options) -> tuple[Node, Node, float]:
    """As `grow_c45`, for the comparison of nodes."""
    grown, pruned, estimate = grow_c45(cases, options)
    return as_node(grown), as_node(pruned, options.confidence), estimate
