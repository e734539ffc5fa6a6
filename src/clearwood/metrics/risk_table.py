"""The risk table: the leaves of a tree from the highest risk down, and what flagging them does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import nan
from typing import Any, Literal

import numpy as np

from clearwood._typing import AnyArray, BoolArray, FloatArray
from clearwood.errors import ParameterError, TableError
from clearwood.metrics.estimate import Estimate, require_confidence
from clearwood.metrics.strata import Counts, Stratum, area, flagged, share
from clearwood.table.labels import read_labels, read_weights
from clearwood.tree.as_tree import as_tree
from clearwood.tree.chain import MARK, ChainStep, is_chain
from clearwood.tree.chain import steps as chain_steps
from clearwood.tree.risk import event_code, is_event_known
from clearwood.tree.structure import Tree
from clearwood.tree.wording import class_words

_ROUNDING = 1e-9
"""Risks nearer than this are equal."""


@dataclass(frozen=True, slots=True)
class RiskTable:
    """The leaves of a tree as strata of risk.

    Parameters
    ----------
    strata : tuple of Stratum
        From the highest risk that the model gives to the lowest; of equals, the later leaf first.
    event, event_name : object, str
        The class whose risk it is, and how a sentence names it: ``dead``, but ``outcome = 1``, or
        ``class 1`` where the tree does not know its target's name.
    is_event_assumed : bool
        Whether nobody named an event, here or in training, so that the last of two classes is it.
    source : {"training", "held-out"}
        Where the rows come from. Numbers from training rows are optimistic: the tree was grown
        to fit them.
    n, n_events : float
        Rows (their weight), and those with the event.
    prevalence : Estimate
        Share of events among all rows, with Wilson's interval.
    n_divided : float
        Rows (their weight) whose risk by the model is not that of one leaf: a missing value, noise
        or witnesses divided them. Each counts in the stratum of its largest share. NaN for
        training rows of which some were divided: these count by their shares, and how many they
        were is not known.
    auc : Estimate
        Area under the ROC curve of the risks that the model gives (`predict_proba`), with
        DeLong's interval.
    strata_auc : Estimate
        The same where each row has the risk of its stratum; equal to `auc` unless rows are
        divided. This is the area under `roc_curve`.
    is_chain : bool
        Whether the strata are the steps of a chain.
    is_weighted : bool
        Whether rows had weights. Intervals are then those of Kish's effective number of rows,
        ``(sum of w)² / (sum of w²)``, taken over the rows that a share is of.
    n_effective : float
        That number for all rows; `n` where they had no weights.
    confidence : float
        Of all intervals.
    """

    strata: tuple[Stratum, ...]
    event: Any
    event_name: str
    is_event_assumed: bool
    source: Literal["training", "held-out"]
    n: float
    n_events: float
    prevalence: Estimate
    n_divided: float
    auc: Estimate
    strata_auc: Estimate
    is_chain: bool
    is_weighted: bool
    n_effective: float
    confidence: float

    def __len__(self) -> int:
        return len(self.strata)

    def __iter__(self) -> Iterator[Stratum]:
        return iter(self.strata)

    def records(self) -> list[dict[str, Any]]:
        """One flat dict a stratum; an interval is three entries: name, name_lower, name_upper.

        ``pandas.DataFrame(table.records())`` makes a frame of them.
        """
        return [record(stratum) for stratum in self.strata]

    def __str__(self) -> str:
        from clearwood.metrics.risk_table_text import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        from clearwood.metrics.risk_table_text import to_html

        return to_html(self)


def risk_table(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    event: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> RiskTable:
    """Leaves of a tree by risk: n, events, and what flagging them from the top down would do.

    Parameters
    ----------
    model : Tree or fitted classifier
    X : data frame or array, optional
        Rows that the tree has not seen; those that fill every leaf as the training rows did are
        taken for these, and called so. Without them the training rows are counted, as the leaves
        remember them: class weights and shares of missing values are then part of the counts.
    y : array-like of shape (n_rows,), optional
        Their labels, among the classes of the tree.
    event : object or None, default=None
        The class whose risk is asked. By default that of the training, where it is known, else
        the second of two classes.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Weights of the rows of `X`.
    confidence : float, default=0.95
        Of all intervals. Between 0 and 1.

    Returns
    -------
    RiskTable
        A row that is divided among leaves counts at the leaf with its largest share, since a
        stratum is what can be flagged; `n_divided` says how many there are. What follows from
        flagging is then that of the strata, while `auc` is that of the model's own risks.

    Raises
    ------
    ParameterError
        One of `X` and `y` without the other, more than two classes and no `event`, or an `event`
        that is no class.
    NotFittedError
        The model was not fitted yet (scikit-learn's error).
    TableError
        A label that the tree does not know, or rows, labels and weights that do not fit together.
    """
    require_confidence(confidence)
    tree = as_tree(model)
    code = _event(tree, event)
    if (X is None) != (y is None):
        raise ParameterError("X and y belong together: give both, or none for the training rows")
    if X is None:
        if sample_weight is not None:
            raise ParameterError("sample_weight needs X and y: training rows have theirs already")
        found = _training_counts(tree, code)
    else:
        found = _counts(tree, X, y, code, sample_weight)
    strata, counts = _strata(tree, code, found.by_leaf, confidence)
    strata_auc = area(counts, np.array([stratum.predicted for stratum in strata]), confidence)
    return RiskTable(
        strata=strata,
        event=tree.classes.tolist()[code],
        event_name=class_words(tree, code),
        is_event_assumed=event is None and not is_event_known(tree),
        source="training" if X is None or _are_training_rows(tree, found, code) else "held-out",
        n=float(counts.weight.sum()),
        n_events=float(counts.weight[:, 1].sum()),
        prevalence=_prevalence(counts, confidence),
        n_divided=found.n_divided,
        auc=strata_auc if found.by_risk is None else area(*found.by_risk, confidence),
        strata_auc=strata_auc,
        is_chain=is_chain(tree),
        is_weighted=found.is_weighted,
        n_effective=counts.n_effective(),
        confidence=confidence,
    )


def record(value: Any, prefix: str = "") -> dict[str, Any]:
    """A stratum, or what is flagged with it, as a flat dict; nested names get a prefix."""
    flat: dict[str, Any] = {}
    for field in fields(value):
        entry = getattr(value, field.name)
        name = field.name if field.name.startswith(prefix) else prefix + field.name
        if isinstance(entry, Estimate):
            ends = {f"{name}_lower": entry.lower, f"{name}_upper": entry.upper}
            flat |= {name: entry.value, **ends}
        elif field.name == "flagged":
            flat |= record(entry, "flagged_")
        else:
            flat[name] = entry
    return flat


def _event(tree: Tree, event: Any) -> int:
    code = event_code(tree, event)
    if code is None:
        raise ParameterError(
            "event must be named where a tree has more than two classes: one of "
            f"{', '.join(map(repr, tree.classes.tolist()))}"
        )
    return code


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Rows by leaf and, where some are divided, by the risk that the model gives them."""

    by_leaf: Counts
    is_weighted: bool
    n_divided: float
    by_risk: tuple[Counts, FloatArray] | None = None


def _training_counts(tree: Tree, code: int) -> _Found:
    """Counts by leaf from the tree itself; rows count as if all had the mean weight."""
    masses = tree.masses[tree.is_leaf]
    weight = np.column_stack([np.delete(masses, code, axis=1).sum(axis=1), masses[:, code]])
    total, n_rows = float(weight.sum()), int(tree.n_rows[0])
    mean_weight = total / n_rows if n_rows > 0 else 0.0
    is_divided = tree.n_rows[tree.is_leaf].sum() > n_rows
    return _Found(
        Counts(weight, weight * mean_weight),
        not np.isclose(mean_weight, 1.0),
        nan if is_divided else 0.0,
    )


def _are_training_rows(tree: Tree, found: _Found, code: int) -> bool:
    """Whether rows count in every leaf, event or not, as those of the training do."""
    training = _training_counts(tree, code).by_leaf.weight
    return found.n_divided == 0 and bool(np.array_equal(found.by_leaf.weight, training))


def _counts(tree: Tree, X: Any, y: Any, code: int, sample_weight: Any) -> _Found:
    """Counts of rows by the leaf of their largest share."""
    leaves, is_event = tree.apply(X), _is_event(tree, y, code)
    if len(leaves) != len(is_event):
        raise TableError(f"X has {len(leaves)} rows and y has {len(is_event)}")
    weights = read_weights(sample_weight, len(leaves))
    row_weight = np.ones(len(leaves)) if weights is None else weights
    by_leaf = _counted((np.cumsum(tree.is_leaf) - 1)[leaves], is_event, row_weight, tree.n_leaves)
    risks, of_leaf = tree.predict_proba(X)[:, code], tree.distribution[leaves, code]
    is_divided = np.abs(risks - of_leaf) > _ROUNDING
    n_divided = float(row_weight[is_divided].sum())
    if n_divided == 0:
        return _Found(by_leaf, weights is not None, 0.0)
    different, place = np.unique(np.where(is_divided, risks, of_leaf), return_inverse=True)
    by_risk = _counted(place, is_event, row_weight, len(different))
    return _Found(by_leaf, weights is not None, n_divided, (by_risk, different))


def _counted(place: AnyArray, is_event: BoolArray, weight: FloatArray, n_places: int) -> Counts:
    """Weights of rows by place and whether they have the event."""
    both = place * 2 + is_event
    summed, squared = (
        np.asarray(np.bincount(both, values, 2 * n_places), np.float64).reshape(-1, 2)
        for values in (weight, weight**2)
    )
    return Counts(summed, squared)


def _is_event(tree: Tree, y: Any, code: int) -> BoolArray:
    classes, codes = read_labels(y)
    known: list[Any] = tree.classes.tolist()
    unknown = [label for label in classes.tolist() if label not in known]
    if unknown:
        raise TableError(
            f"y holds {unknown[0]!r}, which is no class of the tree; its classes are "
            f"{', '.join(map(repr, known))}"
        )
    return np.array([label == known[code] for label in classes.tolist()])[codes]


def _prevalence(counts: Counts, confidence: float) -> Estimate:
    total, events = float(counts.weight.sum()), float(counts.weight[:, 1].sum())
    return share(events, total, counts.n_effective(), confidence)


def _strata(
    tree: Tree, code: int, counts: Counts, confidence: float
) -> tuple[tuple[Stratum, ...], Counts]:
    """The strata from the highest risk down, and their counts in this order."""
    leaves, rules = np.flatnonzero(tree.is_leaf), _conditions(tree)
    event = tree.classes.tolist()[code]
    steps = {step.leaf: step for step in chain_steps(tree, event)} if is_chain(tree) else {}
    asked = [steps[leaf].number if steps else leaf for leaf in leaves.tolist()]
    risks = tree.distribution[leaves, code]
    order = np.lexsort((-np.array(asked), -risks))
    ordered = Counts(counts.weight[order], counts.squared[order])
    is_list = bool(steps) and (tree.settings.get(MARK) == "chain" or _is_in_order(order, asked))
    strata = []
    for place, leaf in enumerate(leaves[order].tolist()):
        step, conditions = steps.get(leaf), rules[leaf]
        here = Counts(ordered.weight[place : place + 1], ordered.squared[place : place + 1])
        n, n_events = float(here.weight.sum()), float(here.weight[0, 1])
        stratum = Stratum(
            rule_id=f"leaf-{leaf}" if step is None else step.rule,
            step=place + 1 if step is None else step.number,
            leaf=leaf,
            rule=_rule(step) if step is not None and is_list else conditions,
            conditions=conditions,
            n=n,
            n_events=n_events,
            predicted=float(tree.distribution[leaf, code]),
            observed=share(n_events, n, here.n_effective(), confidence),
            flagged=flagged(ordered, place, confidence),
        )
        strata.append(stratum)
    return tuple(strata), ordered


def _is_in_order(order: AnyArray, asked: list[int]) -> bool:
    """Whether the rules of a chain are asked in the order of their risks, up or down."""
    turns = np.diff(np.array(asked)[order])
    return bool((turns > 0).all() or (turns < 0).all())


def _rule(step: ChainStep) -> str:
    """The rule of a chain as it is read among the others."""
    if step.is_otherwise:
        return "otherwise" if step.number > 1 else "always"
    condition = step.condition + (" or missing" if step.missing_carved == 1 else "")
    return f"{'if' if step.number == 1 else 'otherwise if'} {condition}"


def _conditions(tree: Tree) -> dict[int, str]:
    """By leaf: its whole conjunction."""
    return {rule.leaf: rule.conditions or "always" for rule in tree.rules()}
