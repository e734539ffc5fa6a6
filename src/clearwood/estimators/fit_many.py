"""Many trees in one call of the core: folds, settings, experiments.

The table is read and sorted once; each fit filters its rows out of the sorted orders, so that a fit
of a few hundred rows costs tens of microseconds (hard) and no Python but for its noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ClearwoodWarning, ParameterError, TableError
from clearwood.estimators.base import thread_count
from clearwood.estimators.pruning_step import pruning_value
from clearwood.estimators.training import Training
from clearwood.estimators.tree_classifier import TreeClassifier, growing_costs
from clearwood.growing import Softness
from clearwood.growing.grow import require_few_levels
from clearwood.pruning import ErrorBased
from clearwood.pruning.error_based import core_options
from clearwood.table.core_table import core_table
from clearwood.tree.evaluation import Soft
from clearwood.tree.structure import Tree

if TYPE_CHECKING:
    from clearwood import _core

Kept: TypeAlias = Literal["scores", "probabilities", "trees"]

FITS_A_CALL = 256
"""After so many fits progress is reported; sorting the table anew costs less than one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """One tree to grow.

    Parameters
    ----------
    estimator : TreeClassifier
        How; left unfitted. The same object may serve many fits.
    train : ndarray of int
        Rows to grow it from, by their places in the table; a row named twice weighs twice.
    test : ndarray of int or None
        Rows to try it on.
    """

    estimator: TreeClassifier
    train: AnyArray
    test: AnyArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ManyFits:
    """What became of many fits, in their order.

    Parameters
    ----------
    n_leaves : ndarray of int32, shape (n_fits,)
        Leaves of the pruned trees.
    accuracy, log_loss : ndarray of shape (n_fits,)
        Weighted means over the test rows, NaN without any; log loss in nats, where a probability
        of 0 counts as 2.2e-16.
    probabilities : list of ndarray of shape (n_test, n_classes)
        Of the test rows, in the order of the classes of the whole table; empty unless kept.
    trees : list of Tree
        Empty unless kept.
    """

    n_leaves: IntArray
    accuracy: FloatArray
    log_loss: FloatArray
    probabilities: list[FloatArray]
    trees: list[Tree]


def fit_many(
    fits: Sequence[Fit],
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    keep: Kept = "scores",
    n_jobs: int | None = None,
    done: Callable[[int], None] | None = None,
) -> ManyFits:
    """Trees from many sets of rows of one table, each with parameters of its own.

    Parameters
    ----------
    fits : sequence of Fit
        Their estimators must read the table in the same way: the same `categorical_features`,
        `columns` and columns of noise sizes.
    X, y, sample_weight
        The whole table, as in `TreeClassifier.fit`.
    keep : {"scores", "probabilities", "trees"}, default="scores"
        What is kept beside the scores.
    n_jobs : int or None, default=None
        Threads; they change nothing but the time. The `n_jobs` of the estimators is not looked
        at.
    done : callable or None
        Is told now and then how many fits are done.

    Returns
    -------
    ManyFits
        Each tree is the one that its estimator grows from its rows alone, except that classes
        and levels are those of the whole table.

    Raises
    ------
    ParameterError
        An estimator that the core cannot carry out whole (see `runs_in_core`), or that reads the
        table in another way than the first.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from clearwood import C45Classifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rows = np.arange(len(y))
    >>> fits = [Fit(C45Classifier(), rows[rows % 2 != k], rows[rows % 2 == k]) for k in (0, 1)]
    >>> fit_many(fits, X, y).n_leaves.tolist()
    [8, 6]
    """
    if keep not in get_args(Kept):
        raise ParameterError(f"keep must be one of {', '.join(get_args(Kept))}, got {keep!r}")
    if not fits:
        nothing = np.zeros(0)
        return ManyFits(np.zeros(0, np.int32), nothing, nothing, [], [])
    whole = _read(fits, X, y, sample_weight)
    threads = thread_count(n_jobs)
    _warn_of_noise(fits, whole)
    results = []
    for start in range(0, len(fits), FITS_A_CALL):
        part = fits[start : start + FITS_A_CALL]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClearwoodWarning)  # each said once, of the whole table
            call = _CoreCall(whole, part)
        results.append(call.run(keep, threads))
        if done is not None:
            done(start + len(part))
    return _joined(results)


def runs_in_core(estimator: Any) -> bool:
    """Whether `fit_many` can carry out an estimator: grown, pruned and tried in the core.

    It cannot where pruning is neither None nor error-based, where levels are grouped and pruned,
    where prediction uses ramps or witnesses, and where `class_weight` depends on the training
    rows.
    """
    if not isinstance(estimator, TreeClassifier) or not estimator._tried_in_core:
        return False
    pruning = pruning_value(estimator.pruning)
    return (
        (pruning is None or isinstance(pruning, ErrorBased))
        and not (pruning is not None and estimator.nominal == "grouped")
        and estimator.evaluation != "ramps"
        and not isinstance(estimator.class_weight, str)
    )


def _read(fits: Sequence[Fit], X: Any, y: Any, sample_weight: Any) -> Training:
    first = fits[0].estimator
    estimators = {id(fit.estimator): fit.estimator for fit in fits}.values()
    if not all(map(runs_in_core, estimators)):
        raise ParameterError(
            "fit_many grows TreeClassifiers that are pruned by their training errors or not at "
            "all, without ramps, witnesses and class_weight='balanced'; fit the others one by one"
        )
    whole = first._read(X, y, sample_weight, first._noise_choices())
    n_rows = len(y) if hasattr(y, "__len__") else whole.table.n_rows
    if whole.table.n_rows != n_rows:
        raise TableError(
            "a row of weight 0 has no place in a set of rows; leave such rows out of X and y"
        )
    for estimator in estimators:
        if not _read_alike(estimator, first, whole):
            raise ParameterError(
                "the estimators of one fit_many must have the same categorical_features, columns, "
                "class_weight and columns of noise sizes"
            )
    return whole


def _warn_of_noise(fits: Sequence[Fit], whole: Training) -> None:
    """What there is to warn of in the noise of the whole table."""
    for estimator in {id(fit.estimator): fit.estimator for fit in fits}.values():
        noise = estimator._noise_choices()
        noise.softness(whole)
        noise.soft_evaluation(whole)


def _read_alike(a: TreeClassifier, b: TreeClassifier, whole: Training) -> bool:
    names = ("categorical_features", "columns", "class_weight")
    if any(getattr(a, name) is not getattr(b, name) for name in names) and any(
        repr(getattr(a, name)) != repr(getattr(b, name)) for name in names
    ):
        return False
    return not a._noise_choices().size_columns(whole.table)


class _CoreCall:
    """One call of the core, put together."""

    def __init__(self, whole: Training, fits: Sequence[Fit]) -> None:
        self.whole = whole
        self.parts: dict[int, Training] = {}
        self.row_sets: list[AnyArray] = []
        self.held_out: list[tuple[Any, IntArray, FloatArray | None]] = []
        self.numbers: dict[tuple[str, int], int] = {}
        self.hard_plans: dict[int, _core.Plan] = {}
        self.fits = [self._choices(fit) for fit in fits]
        self.sources = fits  # keeps the arrays whose ids are keys

    def run(self, keep: Kept, n_threads: int) -> ManyFits:
        from clearwood import _core

        whole = self.whole
        n_leaves, accuracy, log_loss, kept = _core.fit_many(
            core_table(whole.table),
            whole.codes,
            len(whole.classes),
            whole.weights,
            self.row_sets,
            self.fits,
            self.held_out,
            keep,
            n_threads,
        )
        features, classes = whole.table.features, whole.classes
        trees = [Tree.of_core(a, features, classes) for a in kept] if keep == "trees" else []
        return ManyFits(
            n_leaves, accuracy, log_loss, kept if keep == "probabilities" else [], trees
        )

    def _choices(self, fit: Fit) -> tuple[Any, ...]:
        estimator, whole = fit.estimator, self.whole
        noise = estimator._noise_choices()
        softness, soft = None, None
        if noise.has_training_noise:
            softness = noise.softness(self._part(fit.train), whole)
        if noise.evaluation_noise is not None:
            soft = noise.soft_evaluation(self._part(fit.train))
        tried_on, evaluation = self._held_out(fit.test, soft)
        plan = self._plan(estimator, softness)
        return (self._row_set(fit.train), plan, _pruning(estimator, softness), tried_on, evaluation)

    def _plan(self, estimator: TreeClassifier, softness: Softness | None) -> _core.Plan:
        """What the core grows by; an estimator without noise has one for all its fits."""
        if softness is None and id(estimator) in self.hard_plans:
            return self.hard_plans[id(estimator)]
        table = self.whole.table
        choices = estimator._plan(growing_costs(estimator, table.names), softness)
        if choices.nominal in ("branches", "grouped"):
            require_few_levels(table.features)
        plan = choices.for_core(table.n_columns, n_threads=1)
        if softness is None:
            self.hard_plans[id(estimator)] = plan
        return plan

    def _part(self, rows: AnyArray) -> Training:
        if id(rows) not in self.parts:
            self.parts[id(rows)] = self.whole.part(rows)
        return self.parts[id(rows)]

    def _row_set(self, rows: AnyArray) -> int:
        key = ("train", id(rows))
        if key not in self.numbers:
            self.numbers[key] = len(self.row_sets)
            self.row_sets.append(_row_numbers(rows, self.whole.table.n_rows))
        return self.numbers[key]

    def _held_out(
        self, rows: AnyArray | None, soft: Soft | None
    ) -> tuple[int, _core.Evaluation | None]:
        if rows is None:
            return -1, None
        part, key = self._part(rows), ("test", id(rows))
        if key not in self.numbers:
            self.numbers[key] = len(self.held_out)
            self.held_out.append((core_table(part.table), part.codes, part.weights))
        evaluation = None if soft is None else soft.for_core(part.table, part.beside)
        return self.numbers[key], evaluation


def _pruning(estimator: TreeClassifier, softness: Softness | None) -> _core.ErrorBased | None:
    options = pruning_value(estimator.pruning)
    if options is None:
        return None
    exact: Literal["c45"] | None = None if estimator.compatibility is None else "c45"
    if softness is None:
        return core_options(options, exact, eta=0.0)
    joint = softness.coupling == "joint"
    return core_options(options, exact, softness.propagation_noise, joint, softness.eta)


def _row_numbers(rows: Any, n_rows: int) -> AnyArray:
    numbers = np.asarray(rows)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or numbers.size == 0:
        raise ParameterError(f"rows must be a non-empty array of whole numbers, got {rows!r}")
    if numbers.min() < 0 or numbers.max() >= n_rows:
        raise ParameterError(
            f"rows must be from 0 to {n_rows - 1}, got {numbers.min()} to {numbers.max()}"
        )
    return numbers.astype(np.uint32)


def _joined(results: list[ManyFits]) -> ManyFits:
    return ManyFits(
        np.concatenate([r.n_leaves for r in results]),
        np.concatenate([r.accuracy for r in results]),
        np.concatenate([r.log_loss for r in results]),
        [p for r in results for p in r.probabilities],
        [tree for r in results for tree in r.trees],
    )
