"""What the lines of a printed tree and of a printed chain share: how values are read, outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from clearwood.tree.band import band_ends, ends_text
from clearwood.tree.evaluation import Soft
from clearwood.tree.risk import percent
from clearwood.tree.witnesses import (
    Conflict,
    Witness,
    Witnesses,
    has_any_witness,
    witnesses_of,
)
from clearwood.tree.wording import name_text, number_text, share_text, weight_text

if TYPE_CHECKING:
    from clearwood._typing import FloatArray
    from clearwood.tree.structure import Tree

_MOST_CLASSES = 6
_LONGEST_NOISE = 120


def reading(tree: Tree) -> Iterator[str]:
    """How values are read, where not as exact, with the noise of each column that is tested."""
    if tree.evaluation is None:
        return
    if isinstance(tree.evaluation, Witnesses):
        yield from _witness_reading(tree, tree.evaluation)
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


def _witness_reading(tree: Tree, evaluation: Witnesses) -> Iterator[str]:
    if tree.n_leaves == 1:
        return
    if has_any_witness(tree):
        yield (
            "witnesses confirm the first branch of a condition; in brackets: their agreement with "
            "it in training"
        )
    yield how_decided(tree, evaluation.conflict)
    if words := copies_text(tree):
        yield words


def how_decided(tree: Tree, conflict: Conflict) -> str:
    """What becomes of a row whose witnesses disagree, or whose value is missing."""
    if not has_any_witness(tree):
        both = "where the value of a condition is missing, both branches answer"
        if conflict == "probability":
            return f"{both}, averaged by their training weight"
        return (
            f"{both}: of different classes that of more training weight counts, answers of the "
            "same class are averaged by it"
        )
    both = "where one disagrees, or the condition's value is missing, both branches answer"
    if conflict == "probability":
        return f"{both}, averaged by the votes"
    voters = "the witnesses" if conflict == "paper" else "condition and witnesses"
    return (
        f"{both}: if they name different classes, {voters} vote; answers of the same class are "
        "averaged by the votes"
    )


def copies_text(tree: Tree) -> str:
    """Why the counts of branches add up to more than those above them; empty where they do not."""
    inner = np.flatnonzero(~tree.is_leaf)
    below = [int(tree.n_rows[tree.children(node)].sum()) for node in inner.tolist()]
    if not (np.array(below, np.int64) > tree.n_rows[inner]).any():
        return ""
    disagreed = "witnesses disagreed or " if has_any_witness(tree) else ""
    return (
        f"training rows where {disagreed}the value was missing count in both branches, so that "
        "their n add up to more"
    )


def confirmed_by(tree: Tree, node: int, digits: int | None = 2) -> str:
    """E.g. ``confirmed by: apo_b < 1.2 g/L (97 %), age >= 55 years (93 %)``; empty without."""
    listed = [witness_text(witness, digits) for witness in witnesses_of(tree, node)]
    return f"confirmed by: {', '.join(listed)}" if listed else ""


def witness_text(witness: Witness, digits: int | None = 2) -> str:
    """What holds where it speaks for the first branch, and its agreement in brackets."""
    share = witness.agreement
    agreement = number_text(share) if digits is None else percent(share)
    return f"{witness.text()} ({agreement})"


def band_text(tree: Tree, node: int, digits: int | None) -> str:
    """The band of a cut as it stands behind its condition; empty where it has none."""
    ends = band_ends(tree, node) if tree.features[tree.column[node]].kind == "numeric" else None
    return "" if ends is None else f" [{ends_text(*ends, exact=digits is None)}]"


def outcome(tree: Tree, node: int, digits: int | None) -> str:
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
