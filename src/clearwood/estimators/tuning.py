"""Choosing parameters by cross-validation: noise, pruning, size, anything a classifier takes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.utils import _safe_indexing

from clearwood._progress import bar
from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import ParameterError
from clearwood.estimators.fit_many import Fit, fit_many, runs_in_core
from clearwood.estimators.pruning_step import pruning_value
from clearwood.metrics import repeated_folds
from clearwood.noise.scaled import scaled
from clearwood.pruning import ErrorBased
from clearwood.pruning.option_checks import require_choice

Scoring: TypeAlias = Literal["log_loss", "accuracy"]
Rule: TypeAlias = Literal["best", "one_standard_error"]
Grid: TypeAlias = Mapping[str, Sequence[Any]]

NOISE_PARAMETERS = ("noise", "search_noise", "propagation_noise", "evaluation_noise")


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """Settings with their cross-validated scores, and the classifier that was chosen.

    Parameters
    ----------
    settings : tuple of dict
        As the grid gives them.
    scoring : {"log_loss", "accuracy"}
        What the scores are: log loss in nats, where less is better, or accuracy.
    fold_scores : ndarray of shape (n_settings, n_folds)
        On the rows that each fold holds out.
    fold_leaves : ndarray of shape (n_settings, n_folds)
        Leaves of the trees; NaN for classifiers that do not say.
    chosen : int
        Position of the chosen setting.
    best_estimator_ : classifier
        With the chosen setting, fitted to all rows.
    """

    settings: tuple[dict[str, Any], ...]
    scoring: Scoring
    fold_scores: FloatArray
    fold_leaves: FloatArray
    chosen: int
    best_estimator_: Any

    @property
    def best_setting(self) -> dict[str, Any]:
        """The chosen one."""
        return self.settings[self.chosen]

    @property
    def scores(self) -> FloatArray:
        """Mean score of each setting over the folds."""
        return mean_and_error(self.fold_scores)[0]

    @property
    def standard_errors(self) -> FloatArray:
        """Of the mean scores, from their spread over the folds; folds share training rows, so
        that this is a guide to how alike settings are and no interval."""
        return mean_and_error(self.fold_scores)[1]

    @property
    def n_leaves(self) -> FloatArray:
        """Mean leaves of each setting over the folds."""
        mean: FloatArray = self.fold_leaves.mean(axis=1)
        return mean

    def __str__(self) -> str:
        """A table, a line for each setting; the chosen one has a star."""
        names = list(dict.fromkeys(name for setting in self.settings for name in setting))
        head = [*names, self.scoring, "± s.e.", "leaves", ""]
        body = [
            [*(_text(setting.get(name, "")) for name in names), f"{score:.4f}", f"{error:.4f}",
             f"{leaves:.1f}", "*" if i == self.chosen else ""]
            for i, (setting, score, error, leaves) in enumerate(
                zip(self.settings, self.scores, self.standard_errors, self.n_leaves, strict=True)
            )
        ]  # fmt: skip
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        lines = ("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)).rstrip()
                 for row in (head, *body))  # fmt: skip
        return "\n".join(lines)


def tune(
    estimator: Any,
    X: Any,
    y: Any,
    grid: Grid | Sequence[Grid],
    *,
    cv: Any = 10,
    groups: Any = None,
    scoring: Scoring = "log_loss",
    rule: Rule = "best",
    n_jobs: int | None = None,
    random_state: int | None = 0,
    progress: bool = True,
) -> Tuned:
    """The setting of a classifier that does best, or as well with the smallest tree.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier; ours are grown, pruned and tried by `fit_many`. It is not
        fitted itself.
    X, y
        As in its `fit`.
    grid : mapping of parameter to values, or a sequence of these
        All combinations are tried. Besides the estimator's own parameters there are

        - ``noise``: a fraction u of the mean or a mapping, for search and propagation alike;
        - ``multiplier``: a factor of the noise that the estimator declares, in all its noise
          parameters; 0 reads values as exact;
        - ``confidence``: of the estimator's error-based pruning.
    cv : int, splitter or iterable, default=10
        A number of stratified folds of shuffled rows, or as in scikit-learn.
    groups : array-like of shape (n_rows,) or None
        Rows of one group, as of one patient, are held out together.
    scoring : {"log_loss", "accuracy"}, default="log_loss"
        A probability of 0 counts as 2.2e-16 in the log loss, as in scikit-learn: a tree with pure
        leaves pays for every error it makes there.
    rule : {"best", "one_standard_error"}, default="best"
        The best mean score; or, among the settings whose mean score is within one standard error
        of it, that with the fewest leaves (Breiman et al. 1984, section 3.4.3). Among equals the
        smaller tree, then the earlier setting.
    n_jobs : int or None, default=None
        Threads; they change nothing but the time.
    random_state : int or None, default=0
        Shuffles the rows where `cv` is a number.
    progress : bool, default=True
        Whether a bar shows what is done, where stderr is a terminal and it takes a while.

    Returns
    -------
    Tuned

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from clearwood import SoftTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = tune(SoftTreeClassifier(), X, y, {"noise": [0.0, 0.05, 0.1]}, cv=5)
    >>> found.scores.shape
    (3,)
    """
    require_choice("scoring", scoring, get_args(Scoring))
    require_choice("rule", rule, get_args(Rule))
    settings = _settings(grid)
    models = [with_setting(estimator, setting) for setting in settings]
    folds = _folds(X, y, cv, groups, random_state)
    jobs = [Fit(model, train, test) for model in models for train, test in folds]
    with bar(len(jobs), "cross-validating", quiet=not progress) as done:
        if all(map(runs_in_core, models)):
            many = fit_many(jobs, X, y, n_jobs=n_jobs, done=done)
            found = np.column_stack([getattr(many, scoring), many.n_leaves])
        else:
            found = np.array([_tried(job, X, y, scoring, done, i) for i, job in enumerate(jobs)])
    shape = (len(settings), len(folds))
    scores, leaves = found[:, 0].reshape(shape), found[:, 1].reshape(shape)
    chosen = _chosen(scores, leaves, scoring, rule)
    best = clone(models[chosen]).fit(X, y)
    return Tuned(tuple(settings), scoring, scores, leaves, chosen, best)


def with_setting(estimator: Any, setting: Mapping[str, Any]) -> Any:
    """A copy of an estimator with one setting of a grid.

    Raises
    ------
    ParameterError
        A name that it does not have, or one that does not fit it.
    """
    model, own = clone(estimator), estimator.get_params()
    for name, value in setting.items():
        if name in own:
            model.set_params(**{name: value})
        elif name == "noise" and "search_noise" in own:
            model.set_params(search_noise=value, propagation_noise=value)
        elif name == "multiplier":
            model.set_params(**_multiplied(own, value))
        elif name == "confidence" and "pruning" in own:
            model.set_params(pruning=_with_confidence(model.pruning, value))
        else:
            raise ParameterError(
                f"grid names {name!r}, which {type(estimator).__name__} does not have; it has "
                f"{', '.join(own)}"
            )
    return model


def mean_and_error(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means over the last axis, and their standard errors; 0 of a single score."""
    n = scores.shape[-1]
    spread = scores.std(axis=-1, ddof=1) if n > 1 else np.zeros(scores.shape[:-1])
    return scores.mean(axis=-1), spread / np.sqrt(n)


def _multiplied(own: Mapping[str, Any], factor: float) -> dict[str, Any]:
    declared = {name: own[name] for name in NOISE_PARAMETERS if own.get(name) is not None}
    if not declared:
        raise ParameterError(
            "multiplier needs noise to multiply: give the estimator noise, search_noise, "
            "propagation_noise or evaluation_noise"
        )
    return {name: scaled(noise, factor) for name, noise in declared.items()}


def _with_confidence(pruning: Any, confidence: float) -> ErrorBased:
    options = pruning_value(pruning)
    if not isinstance(options, ErrorBased):
        raise ParameterError(
            f"confidence belongs to error-based pruning, but pruning is {pruning!r}"
        )
    return replace(options, confidence=confidence)


def _settings(grid: Any) -> list[dict[str, Any]]:
    grids = [grid] if isinstance(grid, Mapping) else list(grid)
    settings: list[dict[str, Any]] = []
    for each in grids:
        for name, values in each.items():
            if isinstance(values, str) or not hasattr(values, "__len__") or len(values) == 0:
                raise ParameterError(
                    f"grid[{name!r}] must be a list of at least one value, got {values!r}"
                )
        settings += [
            dict(zip(each, values, strict=True)) for values in itertools.product(*each.values())
        ]
    if not settings:
        raise ParameterError(f"grid must name at least one parameter, got {grid!r}")
    return settings


def _folds(
    X: Any, y: Any, cv: Any, groups: Any, random_state: int | None
) -> list[tuple[AnyArray, AnyArray]]:
    if isinstance(cv, int) and groups is None:
        return list(repeated_folds(y, cv, 1, np.random.default_rng(random_state)))
    if isinstance(cv, int):
        n_groups = len(np.unique(np.asarray(groups)))
        if not 2 <= cv <= n_groups:
            raise ParameterError(f"cv must be from 2 to the {n_groups} groups, got {cv!r}")
        cv = StratifiedGroupKFold(cv, shuffle=True, random_state=random_state)
    splits = check_cv(cv, y, classifier=True).split(X, y, groups)
    return [(np.asarray(train), np.asarray(test)) for train, test in splits]


def _tried(
    job: Fit, X: Any, y: Any, scoring: Scoring, done: Any, number: int
) -> tuple[float, float]:
    """Score and leaves of a classifier that the core does not know."""
    labels = np.asarray(y)
    model = clone(job.estimator).fit(_safe_indexing(X, job.train), labels[job.train])
    assert job.test is not None
    test, truth = _safe_indexing(X, job.test), labels[job.test]
    done(number + 1)
    leaves = float(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else np.nan
    if scoring == "accuracy":
        return float((model.predict(test) == truth).mean()), leaves
    of_truth = (model.classes_ == truth[:, None]) * model.predict_proba(test)
    likely = np.maximum(of_truth.sum(axis=1), np.finfo(float).eps)
    return float(-np.log(likely).mean()), leaves


def _chosen(scores: FloatArray, leaves: FloatArray, scoring: Scoring, rule: Rule) -> int:
    mean, error = mean_and_error(scores)
    loss = mean if scoring == "log_loss" else -mean
    size = leaves.mean(axis=1)
    best = int(loss.argmin())
    if rule == "best":
        order = np.lexsort((np.arange(len(loss)), size, loss))
        return int(order[0])
    if np.isnan(size).any():
        raise ParameterError(
            "rule='one_standard_error' needs to know the leaves of a tree, and the estimator has "
            "no get_n_leaves; use rule='best'"
        )
    good = np.flatnonzero(loss <= loss[best] + error[best] + 1e-12)
    return int(good[np.lexsort((good, loss[good], size[good]))[0]])


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
