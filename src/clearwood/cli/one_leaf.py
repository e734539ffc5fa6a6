"""Why a tree has one leaf only, and what of its method would show more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.cli.methods import Method, Settings

if TYPE_CHECKING:
    from clearwood.cli.reading import Labelled


def why_one_leaf(table: Labelled, settings: Settings) -> str:
    """A sentence or two; what they advise goes with the method and differs from what was asked."""
    what = "rule" if settings.method is Method.chain else "condition"
    if (table.X.nunique() < 2).all():
        return f"No predictor has two different values, so no {what} can be found."
    advice = [mend for mend in (_pruning(settings), _leaves(settings)) if mend]
    if not advice:
        return f"No {what} tells the classes apart."
    return f"No {what} was worth its place. To see what there is, {' and '.join(advice)}."


def _pruning(settings: Settings) -> str:
    """How to prune less; empty where nothing is pruned."""
    if settings.method not in (Method.c45, Method.cart, Method.tree):
        return ""
    if settings.alpha:
        return "prune less (--alpha 0)"
    is_pruned = settings.method is Method.c45 or settings.confidence is not None
    return "prune less (--confidence 1)" if is_pruned and settings.confidence != 1 else ""


def _leaves(settings: Settings) -> str:
    """How to allow smaller leaves; empty where they may be of one row."""
    if settings.min_leaf is not None:
        return "allow smaller leaves (--min-leaf 1)" if settings.min_leaf > 1 else ""
    if settings.method is Method.chain:
        return "allow smaller parts than 10 rows and 1 % (--min-leaf 1)"
    is_whole = settings.method is Method.c45 and settings.confidence == 1
    return "allow smaller leaves (--min-leaf 1)" if is_whole else ""
