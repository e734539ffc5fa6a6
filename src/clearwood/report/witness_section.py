"""What a page says of witnesses: how they are read, and a table of conditions with theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from clearwood.report.markup import element, table, text
from clearwood.tree.conditions import condition_at
from clearwood.tree.risk import percent
from clearwood.tree.rules import way_text
from clearwood.tree.witnesses import Witnesses, witnesses_of

if TYPE_CHECKING:
    from clearwood.tree import Tree
    from clearwood.tree.witnesses import Conflict, Witness

_N = (
    "n is the training weight that came there; a row {disagreed}whose value was missing was copied "
    "to both branches and counts in both."
)
_DECIDES: dict[Conflict, str] = {
    "paper": "where they name different classes, the branch for which more witnesses speak counts, "
    "and at a tie the second",
    "main": "where they name different classes, the condition and its witnesses vote, and at a tie "
    "the condition decides",
    "probability": "their risks are averaged by the votes of the condition and its witnesses",
}

_OF_MISSING: dict[tuple[bool, bool], str] = {
    (True, True): "and are averaged by the votes of the witnesses and the parts of the training "
    "weight",
    (True, False): "and the witnesses decide; at a tie the branch with more of the training weight "
    "counts",
    (False, True): "and are averaged by the parts of the training weight",
    (False, False): "and, of different classes, the branch with more of the training weight "
    "counts; risks of the same class are averaged by it",
}
"""By whether there are witnesses, and whether answers are always averaged."""


def of_rules(evaluation: Witnesses) -> str:
    """When a rule holds alone, and what its n counts."""
    if not len(evaluation.column):
        return _N.format(disagreed="")
    return (
        "A rule holds where the witnesses of its conditions agree with them; where they do not, "
        f"several rules answer. {_N.format(disagreed='whose witnesses disagreed, or ')}"
    )


def witness_reading(evaluation: Witnesses) -> Iterator[str]:
    """How a patient is followed through a tree with witnesses."""
    if not len(evaluation.column):
        return
    alike = "" if evaluation.conflict == "probability" else (
        "; where they name the same class, their risks are averaged by the votes"
    )  # fmt: skip
    yield (
        "A box with a line that begins with + looks at further columns, its witnesses, listed "
        "under Conditions and their witnesses. Where all that are known say what the condition "
        "says, follow that branch alone. Where one disagrees, or the value itself is missing, "
        "follow both to their ends: "
        f"{_DECIDES[evaluation.conflict]}{alike}."
    )


def witness_missing(evaluation: Witnesses) -> Iterator[str]:
    """What becomes of missing values in a tree with witnesses."""
    has_any, is_mean = len(evaluation.column) > 0, evaluation.conflict == "probability"
    decides = _OF_MISSING[has_any, is_mean]
    yield f"Where the value that a box looks at is missing, both branches answer, {decides}."
    if has_any:
        yield "A witness whose value is missing has no vote."
    yield "A level that was not seen in training, or that no branch names, is treated as missing."


def witness_table(tree: Tree) -> str:
    """Each condition beside its witnesses, from the strongest to the weakest."""
    head = [("Where", ""), ("Condition of the first branch", ""), ("Witness", ""),
            ("Agreement", "number")]  # fmt: skip
    rows = [row for node in np.flatnonzero(~tree.is_leaf).tolist() for row in _rows(tree, node)]
    caption = (
        "A witness is written as it should be where the condition holds. Agreement: of the pairs "
        "of training rows of different classes that the condition tells apart, the part that the "
        "witness tells apart in the same way."
    )
    return table("witnesses", head, rows, caption)


def _rows(tree: Tree, node: int) -> Iterator[str]:
    condition, listed = condition_at(tree, node).text(0), witnesses_of(tree, node)
    span = {"rowspan": str(len(listed))} if len(listed) > 1 else {}
    way = way_text(tree, node) or "all rows"
    own = text("td", way, **span) + text("td", condition, **span)
    if not listed:
        yield element("tr", own, text("td", "none"), text("td", "–", class_="number"))
    for place, witness in enumerate(listed):
        yield element("tr", "" if place else own, *_cells(witness))


def _cells(witness: Witness) -> Iterator[str]:
    yield text("td", witness.text())
    yield text("td", percent(witness.agreement), class_="number")
