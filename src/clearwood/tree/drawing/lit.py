"""What a picture says of one row: where it goes, what it meets there, and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import BoolArray
from clearwood.tree.band import band_ends
from clearwood.tree.conditions import Condition, CutCondition, encoded, is_missing
from clearwood.tree.drawing.content import level_words
from clearwood.tree.drawing.typeset import broken
from clearwood.tree.evaluation import Ramps, Soft
from clearwood.tree.paths import Path, Step, path
from clearwood.tree.risk import percent
from clearwood.tree.testimony import Testimony, decided, verdict
from clearwood.tree.wording import class_words, plain_name, short_number_text

if TYPE_CHECKING:
    from clearwood.tree.drawing.bands import Band
    from clearwood.tree.structure import Tree

_LEAST = 0.005
"""A smaller part of a row is not lit: noise without bounds sends a little everywhere."""
_OPENS = 0.05
"""A smaller part of a row opens nothing that would be closed without it."""
_MOST_CLASSES, _MOST_WITNESSES, _MOST_LINES = 3, 4, 6


@dataclass(frozen=True, slots=True)
class Passage:
    """What one row does at one node.

    Parameters
    ----------
    share : float
        The part of the row that comes here; 0 where the node was asked and does not count.
    way : tuple of str
        Said at the branch that leads here: its part, where the row is divided, and the answer of
        a branch that was asked because witnesses disagree.
    lines : tuple of str
        Said on the card.
    value : float or None
        What the condition looks at, of a column of numbers; None: not known.
    exact : str
        The same in full.
    """

    share: float
    way: tuple[str, ...]
    lines: tuple[str, ...]
    value: float | None = None
    exact: str = ""


@dataclass(frozen=True, slots=True)
class LitRow:
    """One row for a picture.

    Parameters
    ----------
    name : str
        How the row is called: by the name of a series, as ``Row 17``, else ``This row``.
    answer : str
        Name and class probabilities, the most probable first.
    spoken : str
        Its way in words.
    passages : mapping of int to Passage
        By node; a node that is not in it takes no part.
    """

    name: str
    answer: str
    spoken: str
    passages: Mapping[int, Passage]

    @property
    def is_divided(self) -> bool:
        """Whether some branch takes only a part of it."""
        return any(0 < passage.share < 1 for passage in self.passages.values())

    @property
    def has_outvoted(self) -> bool:
        """Whether some branch was asked in vain."""
        return any(passage.share == 0 for passage in self.passages.values())

    def opened(self, tree: Tree, shown: BoolArray, max_nodes: int | None) -> BoolArray:
        """`shown`, and the inner nodes on the row's way, those with most of it first."""
        shares = sorted(
            (-passage.share, node)
            for node, passage in self.passages.items()
            if passage.share >= _OPENS and not tree.is_leaf[node]
        )
        found = shown.copy()
        found[[node for _, node in shares[:max_nodes]]] = True
        return found


def lit_row(tree: Tree, row: Any) -> LitRow:
    """What a picture of `tree` says of `row`, which is given as `Tree.path` takes it."""
    followed = path(tree, row)
    name = row_name(row)
    return LitRow(
        name, answer_text(tree, name, followed), followed.text(), passages(tree, followed)
    )


def row_name(row: Any) -> str:
    """How a row is called: by the name of a series, else ``This row``."""
    name = getattr(row, "name", None)
    is_named = isinstance(name, str | int | np.integer) and str(name).strip() != ""
    return f"Row {plain_name(str(name))}" if is_named else "This row"


def answer_text(tree: Tree, name: str, followed: Path) -> str:
    """E.g. ``Row 17: malignant 54 %, benign 46 %``; of many classes the most probable."""
    order = np.argsort(-followed.probabilities, kind="stable")[:_MOST_CLASSES].tolist()
    parts = [
        f"{told_class(tree, tree.class_names[code])} {percent(share)}"
        for code, share in zip(order, followed.probabilities[order].tolist(), strict=True)
    ]
    rest = tree.n_classes - len(parts)
    return f"{name}: {', '.join(parts)}{f' and {rest} more' if rest else ''}"


def told_class(tree: Tree, name: str) -> str:
    """A class before its percentage, from which a bare number is parted by a colon."""
    words = class_words(tree, tree.class_names.index(name))
    return words if words == plain_name(name) else f"{words}:"


def passages(tree: Tree, followed: Path) -> dict[int, Passage]:
    """What the row does at each node that takes part in its answer."""
    found: dict[int, Passage] = {}
    ways: dict[int, tuple[str, ...]] = {}
    for step in followed.steps:
        if step.weight < _LEAST:
            continue
        lines = tuple(_lines(tree, step))
        number = _number(step)
        found[step.node] = Passage(
            step.weight, ways.get(step.node, ()), lines, number, step.text(None)
        )
        for child, share, words in _ways(tree, step):
            ways[child] = words
            if share == 0:
                found[child] = Passage(0.0, words, ())
    for leaf, weight in followed.leaves:
        if weight >= _LEAST:
            found[leaf] = Passage(weight, ways.get(leaf, ()), (_ending(weight),))
    return found


def part_text(share: float) -> str:
    """E.g. ``30 % of the row``."""
    return f"{percent(share)} of the row"


def said(lines: Iterable[str], width: float, size: float) -> tuple[tuple[str, bool], ...]:
    """A passage in lines that fit, and whether each is bold, as the first is."""
    return tuple(
        (part, number == 0)
        for number, words in enumerate(lines)
        for part in broken(words, width, size, bold=number == 0, lines=_MOST_LINES)
    )


def shown_value(condition: Condition, value: Any) -> str:
    """A row's value as a picture shows it."""
    if is_missing(value):
        return "missing"
    unit = f" {condition.feature.unit}" if condition.feature.unit else ""
    if condition.feature.kind == "numeric":
        threshold = condition.threshold if isinstance(condition, CutCondition) else None
        return short_number_text(value, threshold) + unit
    known = encoded(condition.feature, value) is not None
    return f"{level_words(value)}{unit}{'' if known else ', which is unknown'}"


def why_divided(tree: Tree, step: Step) -> str:
    """Why a row goes more than one way at a condition; empty if it does not."""
    if step.dispute is not None or len(step.branches) < 2:
        return ""
    if step.condition.branch_of(step.value) is None:
        return "shared out over the branches"
    if isinstance(tree.evaluation, Soft):
        return "divided by its noise"
    return "divided by the ramp" if isinstance(tree.evaluation, Ramps) else ""


def place_on(band: Band, tree: Tree, node: int, value: float | None) -> float | None:
    """Where a value lies on the axis of a band, from 0 to 1; None outside of it."""
    ends = band_ends(tree, node)
    if ends is None or value is None:
        return None
    scale = (band.upper - band.lower) / (ends[1] - ends[0])
    place = band.threshold + (value - float(tree.threshold[node])) * scale
    return place if 0 <= place <= 1 else None


def _lines(tree: Tree, step: Step) -> Iterator[str]:
    yield f"this row: {shown_value(step.condition, step.value)}"
    if why := why_divided(tree, step):
        yield why
    if agreed := verdict(step.condition, step.value, step.testimonies):
        yield agreed
    yield from _witnesses(step)
    if step.dispute is not None:
        yield f"both branches are asked: {decided(step.condition, step.value, step.dispute)}"


def _witnesses(step: Step) -> Iterator[str]:
    """What each witness says; of many those first that do not agree."""
    heard = list(step.testimonies)
    if len(heard) > _MOST_WITNESSES:
        heard = sorted(heard, key=lambda testimony: testimony.agrees is True)
    for testimony in heard[:_MOST_WITNESSES]:
        yield f"+ {testimony.text()}{stance(testimony)}"
    if len(heard) > _MOST_WITNESSES:
        yield f"+ {len(heard) - _MOST_WITNESSES} more"


def stance(testimony: Testimony) -> str:
    """E.g. ``: agrees``; empty where nothing is known to agree with."""
    if testimony.agrees is None:
        return ""
    return ": agrees" if testimony.agrees else ": disagrees"


def _ways(tree: Tree, step: Step) -> Iterator[tuple[int, float, tuple[str, ...]]]:
    """Each branch that takes part: its child, the row's part of it, and what is said there."""
    shares = {branch.child: step.weight * branch.share for branch in step.branches}
    if step.dispute is None:
        for child, share in shares.items():
            yield child, share, (part_text(share),) if share < 1 else ()
        return
    for child, answer in zip(step.dispute.children, step.dispute.answers, strict=True):
        share = shares.get(child, 0.0)
        says = f"says {told_class(tree, answer.class_name)} {percent(answer.probability)}"
        yield child, share, (says, part_text(share)) if 0 < share < 1 else (says,)


def _ending(weight: float) -> str:
    return "this row ends here" if weight == 1 else f"{part_text(weight)} ends here"


def _number(step: Step) -> float | None:
    return encoded(step.condition.feature, step.value)
