"""The risk of an event in each node, with an interval from its training rows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.errors import ParameterError

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_Z = 1.959963984540054  # 97.5 % quantile of the normal distribution


@dataclass(frozen=True, slots=True)
class Risk:
    """Probability of a class in a node.

    Parameters
    ----------
    value : float
        What the node predicts.
    lower, upper : float
        Wilson's 95 % interval for the share of the class among such rows; NaN where the node saw
        no training rows.
    """

    value: float
    lower: float
    upper: float

    def text(self) -> str:
        """In percent, e.g. ``80 % (49–94)``; never 0 or 100 of a share that is neither."""
        if isnan(self.lower):
            return percent(self.value)
        return f"{percent(self.value)} ({100 * self.lower:.0f}–{100 * self.upper:.0f})"


def event_code(tree: Tree, event: Hashable | None) -> int | None:
    """Class index of the event.

    By default that of the training (``settings["training"]["event"]``), where it is known; else
    the last of two classes, and none of more.

    Raises
    ------
    ParameterError
        `event` is no class of the tree.
    """
    labels: list[Any] = tree.classes.tolist()
    if event is None:
        if not is_event_known(tree):
            return 1 if tree.n_classes == 2 else None
        event = tree.settings["training"]["event"]
    label: Any = event.item() if isinstance(event, np.generic) else event
    if label in labels:
        return labels.index(label)
    if label in tree.class_names:
        return tree.class_names.index(label)
    raise ParameterError(
        f"event must be one of the classes {', '.join(map(repr, labels))}, got {event!r}"
    )


def is_event_known(tree: Tree) -> bool:
    """Whether the training of `tree` tells its event, ``settings["training"]["event"]``."""
    event = tree.settings.get("training", {}).get("event")
    return event is not None and event in tree.classes.tolist()


def risk(tree: Tree, node: int, code: int) -> Risk:
    """Risk of the class with index `code` at `node`.

    Rows count by their weight, scaled so that the weights of all training rows average 1.
    """
    weight, all_weight = float(tree.masses[node].sum()), float(tree.masses[0].sum())
    scale = float(tree.n_rows[0]) / all_weight if all_weight > 0 else 0.0
    count, total = float(tree.masses[node, code]) * scale, weight * scale
    return Risk(float(tree.distribution[node, code]), *wilson(count, total or 0.0))


def wilson(count: float, total: float) -> tuple[float, float]:
    """95 % score interval of a proportion (Wilson 1927, JASA 22, 209-212); NaN for no rows."""
    if not total > 0:
        return nan, nan
    share = min(count / total, 1.0)
    z2 = _Z * _Z / total
    centre = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * share * (1 - share) + z2 * z2 / 4) / (1 + z2)
    return max(0.0, centre - half), min(1.0, centre + half)


def percent(share: float) -> str:
    """`share` in whole percent; ``<1 %`` and ``>99 %`` where 0 or 100 would be wrong."""
    rounded = f"{100 * share:.0f}"
    if rounded == "0" and share > 0:
        rounded = "<1"
    elif rounded == "100" and share < 1:
        rounded = ">99"
    return f"{rounded} %"
