"""`pruning_path`: sizes and errors of all the prunings that a method offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clearwood._typing import FloatArray, IntArray
from clearwood.errors import ParameterError
from clearwood.pruning.choice import RULES, Rule, choose
from clearwood.pruning.errors_below import (
    errors_as_leaf,
    errors_ending,
    errors_left,
    leaves_left,
    nodes_left,
)
from clearwood.pruning.ladder import Ladder, ladder
from clearwood.pruning.menu import (
    METHODS,
    NO_DEFAULT,
    name_of,
    options_of,
    require_prunable,
    require_rows,
)
from clearwood.pruning.option_checks import require_choice, require_method, require_whole
from clearwood.pruning.rows import PruningRows, node_masses, read_rows
from clearwood.table.core_table import core_table
from clearwood.tree.as_tree import as_tree
from clearwood.tree.predict import core_evaluation
from clearwood.tree.structure import Tree
from clearwood.tree.witnesses import Witnesses

_STEPS_AT_ENDS = 8
"""Steps printed at each end of a path."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PruningPath:
    """Sizes and errors of the prunings that a method offers.

    Parameters
    ----------
    method : str
        Its name.
    parameter : str or None
        What is varied along the path; None where the method has nothing to vary.
    values : ndarray of shape (n_steps,)
        Its values, from the weakest pruning to the strongest.
    n_leaves : ndarray of shape (n_steps,)
        Leaves of each tree.
    n_nodes : ndarray of shape (n_steps,)
        All its nodes: the size that papers of the C4.5 family print.
    training_errors : ndarray of shape (n_steps,)
        Error rate of each tree on the training weight that it keeps.
    errors : ndarray of shape (n_steps,)
        Error rate on the rows given as X and y; `training_errors` where none were. A row with a
        missing value counts with the parts of its weight that end in wrong leaves.
    chosen : int or None
        Position of the tree to take; see `pruning_path`.
    """

    method: str
    parameter: str | None
    values: FloatArray
    n_leaves: IntArray
    n_nodes: IntArray
    training_errors: FloatArray
    errors: FloatArray
    chosen: int | None
    _tree_at: Callable[[float], Tree] = field(repr=False)

    def tree(self, step: int | None = None) -> Tree:
        """The tree at a position of the path; None is the chosen one.

        Raises
        ------
        ParameterError
            Where none was chosen.
        """
        step = self.chosen if step is None else step
        if step is None:
            raise ParameterError(
                f"no tree of the {self.method} path was chosen; give X and y to pruning_path, or "
                "a step from 0 to n_steps - 1"
            )
        return self._tree_at(float(self.values[step]))

    def __repr__(self) -> str:
        """A table of the steps; of many the first, the last and those around the chosen one."""
        n_steps = len(self.values)
        head = f"PruningPath by {self.method}: {n_steps} step{'' if n_steps == 1 else 's'}"
        titles = ("step", self.parameter or "value", "leaves", "training error", "error")
        rows = [titles]
        for step in range(n_steps):
            errors = (f"{self.training_errors[step]:.4f}", f"{self.errors[step]:.4f}")
            mark = "*" if step == self.chosen else ""
            value = f"{self.values[step]:.6g}"
            rows.append((f"{mark}{step}", value, str(self.n_leaves[step]), *errors))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
        foot = [] if self.chosen is None else ["* chosen"]
        return "\n".join([head, lines[0], *self._some(lines[1:]), *foot])

    def _some(self, lines: list[str]) -> list[str]:
        """The lines to print, with dots where some are left out."""
        last, chosen = len(lines) - 1, self.chosen or 0
        shown = sorted(
            step
            for step in range(last + 1)
            if min(step, last - step) < _STEPS_AT_ENDS or abs(step - chosen) <= 2
        )
        found: list[str] = []
        for before, step in zip([-1, *shown], shown, strict=False):
            found += ["..."] * (step > before + 1) + [lines[step]]
        return found


def pruning_path(
    model: Any,
    method: Any,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    training: tuple[Any, ...] | None = None,
    rule: Rule = "0-SE",
    max_steps: int = 200,
) -> PruningPath:
    """The whole size-error path of a method, and a point to take on it.

    Parameters
    ----------
    model : Tree or fitted estimator
        A grown tree, as a rule unpruned.
    method : str or value
        As in `prune`.
    X, y, sample_weight : optional
        Rows that the tree was not grown from. Every tree of the path is measured on them;
        reduced-error pruning prunes with them too.
    training : tuple (X, y) or (X, y, sample_weight), optional
        The rows that the tree was grown from; error-based pruning, raising by tree size, and the
        pruning of a tree with witnesses send them through the tree again.
    rule : {"0-SE", "1-SE"}, default="0-SE"
        How X and y choose: see below.
    max_steps : int, default=200
        A path of more steps is thinned out, evenly in the logarithm of the step counted from the
        smallest tree.

    Returns
    -------
    PruningPath
        `chosen` is the step of the method's own value where one was given. For a name, rows
        choose: the smallest tree with the least error rate on X and y, or within a standard error
        of it. Without rows it is the method's default, and None where it has none. A path by X and
        y has been fitted to them: measure the chosen tree on other rows.

    Raises
    ------
    ParameterError, TableError
        As `prune` does.

    Notes
    -----
    Cost-complexity, critical value and optimal size have a tree for every change of the
    parameter; of the other methods a ladder of values is tried. Reduced-error pruning has nothing
    to vary: its path is the whole tree and the pruned one.
    """
    require_choice("rule", rule, RULES)
    require_whole("max_steps", max_steps, least=2)
    tree = as_tree(model)
    require_method("pruning_path", method)
    is_named = isinstance(method, str)
    options = _options_to_vary(method)
    require_prunable(tree, options)
    held_out = None if X is None else read_rows(tree, X, y, sample_weight)
    rows = None if training is None else read_rows(tree, *training)
    if name_of(options) == "reduced_error":
        rows = require_rows(options, held_out)
    _require_training(tree, rows)
    steps = ladder(tree, options, rows, max_steps)
    points = _measured(tree, steps, held_out, rows)
    chosen = _place(steps, None if is_named and method in NO_DEFAULT else steps.own)
    if is_named and held_out is not None and steps.parameter is not None:
        chosen = choose(points[:, 3], points[:, 0].astype(np.int32), held_out.weight, rule)
    return PruningPath(
        method=name_of(options),
        parameter=steps.parameter,
        values=steps.values,
        n_leaves=points[:, 0].astype(np.int32),
        n_nodes=points[:, 1].astype(np.int32),
        training_errors=points[:, 2],
        errors=points[:, 3],
        chosen=chosen,
        _tree_at=steps.tree,
    )


def _options_to_vary(method: Any) -> Any:
    """The options; for the name of a method without a default, any that are allowed."""
    if isinstance(method, str) and method in NO_DEFAULT:
        return METHODS[method].options(*((0.0,) if method == "critical_value" else (1,)))
    return options_of(method)


def _require_training(tree: Tree, rows: PruningRows | None) -> None:
    if isinstance(tree.evaluation, Witnesses) and rows is None:
        raise ParameterError(
            "a tree with witnesses is pruned with the rows that it was grown from, each counted "
            "once: give them as training=(X, y) (at the command line: --training FILE)"
        )


def _place(steps: Ladder, value: float | None) -> int | None:
    return None if value is None else int(np.flatnonzero(steps.values == value)[0])


def _measured(
    tree: Tree, steps: Ladder, held_out: PruningRows | None, training: PruningRows | None
) -> FloatArray:
    """Leaves, nodes, training error rate and error rate of each step; shape (n_steps, 4)."""
    if steps.replacement is None:
        trees = map(steps.tree, steps.values.tolist())
        measured = _of_votes if isinstance(tree.evaluation, Witnesses) else _of_tree
        return np.array([measured(pruned, held_out, training) for pruned in trees])
    measures = [_Errors(tree, tree.masses)]
    measures.append(measures[0] if held_out is None else _Errors(tree, node_masses(tree, held_out)))
    points = []
    for value in steps.values.tolist():
        replacement = steps.replacement(value)
        n_leaves = np.count_nonzero(leaves_left(tree, replacement))
        n_nodes = np.count_nonzero(nodes_left(tree, replacement))
        points.append([n_leaves, n_nodes, *(measure.rate(replacement) for measure in measures)])
    return np.array(points, dtype=np.float64)


def _of_votes(
    pruned: Tree, held_out: PruningRows | None, training: PruningRows | None
) -> list[float]:
    """Of a tree with witnesses: each row as it is decided."""
    assert training is not None
    rates = [_error_rate(pruned, rows) for rows in (training, held_out or training)]
    return [pruned.n_leaves, pruned.n_nodes, *rates]


def _error_rate(tree: Tree, rows: PruningRows) -> float:
    evaluation = core_evaluation(tree, rows.table)
    answers = tree.predictor.predict_proba(core_table(rows.table), evaluation=evaluation)
    is_wrong = answers.argmax(axis=1) != rows.codes
    return float(np.average(is_wrong, weights=rows.weights))


def _of_tree(
    pruned: Tree, held_out: PruningRows | None, training: PruningRows | None
) -> list[float]:
    """By masses; of the training rows those that the tree keeps."""
    kept = np.arange(pruned.n_nodes, dtype=np.int32)
    in_training = _Errors(pruned, pruned.masses).rate(kept)
    measured = in_training
    if held_out is not None:
        measured = _Errors(pruned, node_masses(pruned, held_out)).rate(kept)
    return [pruned.n_leaves, pruned.n_nodes, in_training, measured]


class _Errors:
    """Error rates of prunings of one tree on one set of rows, from their masses alone."""

    def __init__(self, tree: Tree, masses: FloatArray) -> None:
        self.tree = tree
        self.weight = float(masses[0].sum())
        self.as_leaf = errors_as_leaf(tree, masses)
        self.ending = errors_ending(tree, masses)

    def rate(self, replacement: IntArray) -> float:
        errors = errors_left(self.tree, replacement, self.as_leaf, self.ending)
        return errors / self.weight if self.weight > 0 else float("nan")
