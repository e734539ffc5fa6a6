"""Cross-validation as a command does it: with a bar, and in the words that are printed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

from clearwood._progress import tracked
from clearwood.cli.wording import aligned, percent, quoted
from clearwood.errors import UnseenLevelWarning

if TYPE_CHECKING:
    from clearwood.metrics import Performance
    from clearwood.tree import Tree


@dataclass(frozen=True, slots=True)
class Dealing:
    """How rows are dealt to the folds of cross-validation.

    Parameters
    ----------
    folds, repeats : int
        Folds in each repeat; 0 folds stand for no validation.
    seed : int
        Of the dealing.
    """

    folds: int = 10
    repeats: int = 5
    seed: int = 0


def cross_validated(
    estimator: Any, X: Any, y: Any, event: Any, dealing: Dealing, *, quiet: bool
) -> Performance:
    """Repeated stratified cross-validation of `estimator`; `y` is an array of labels."""
    import numpy as np

    from clearwood.metrics import cross_validate, repeated_folds, summarize

    classes = np.unique(y)
    random = np.random.default_rng(dealing.seed)
    splits = repeated_folds(y, dealing.folds, dealing.repeats, random)
    with warnings.catch_warnings():
        # A level that only held-out rows have is read as missing; one line a fold helps nobody.
        warnings.simplefilter("ignore", UnseenLevelWarning)
        running = cross_validate(estimator, X, y, classes, splits)
        done = list(tracked(running, len(splits), "cross-validating", quiet=quiet))
    return summarize(done, classes, y, n_repeats=dealing.repeats, event=event)


def remembering(
    tree: Tree,
    target: str,
    n_rows: int,
    settings: Mapping[str, Any],
    event: Any,
    performance: Performance | None,
) -> Tree:
    """The tree with what a model file says of its growing and its training."""
    training: dict[str, Any] = {"target": target, "n_rows": n_rows}
    if event is not None:
        training["event"] = event
    if performance is not None:
        training["performance"] = performance_json(performance)
    return replace(tree, settings={**tree.settings, **settings, "training": training})


def performance_text(performance: Performance, target: str | None = None) -> str:
    """A performance as a small table, with what its intervals are; `target` names bare numbers."""
    from clearwood.metrics.performance import MEASURES

    repeated = f", repeated {performance.n_repeats} times," if performance.n_repeats > 1 else ""
    n_scores = performance.n_folds * performance.n_repeats
    rows = [[MEASURES[name], str(found)] for name, found in performance.measures.items()]
    return "\n".join(
        [
            f"Performance in {performance.n_folds}-fold cross-validation"
            f"{repeated} on {performance.n_rows} rows:",
            aligned(rows),
            f"Means over {n_scores} folds with {percent(performance.confidence)} intervals "
            "(corrected resampled t,",
            "Nadeau and Bengio 2003: approximate; they allow for the rows that folds share).",
            about_text(performance.event, target),
        ]
    )


def about_text(event: Any, target: str | None) -> str:
    """Which event AUC and Brier score are about."""
    from clearwood.tree.wording import label_words

    if event is None:
        return (
            "AUC: mean over the classes, each against the rest. Brier score: summed over the "
            "classes (0 to 2)."
        )
    return f"AUC and Brier score are about {label_words(str(event), target, quoted)}."


def performance_json(performance: Performance) -> dict[str, Any]:
    """A performance as plain values."""
    return {
        "event": None if performance.event is None else str(performance.event),
        "n_rows": performance.n_rows,
        "n_folds": performance.n_folds,
        "n_repeats": performance.n_repeats,
        "confidence": performance.confidence,
        "interval": "corrected resampled t",
        "measures": {name: estimate_json(found) for name, found in performance.measures.items()},
    }


def performance_of(tree: Tree) -> Performance | None:
    """The performance that a model file remembers; None where it has none that we can read."""
    from clearwood.metrics import Estimate, Performance

    told = tree.settings.get("training", {}).get("performance")
    try:
        measures = {
            name: Estimate(*(nan if part is None else float(part)
                             for part in (found["value"], found["lower"], found["upper"])))
            for name, found in told["measures"].items()
        }  # fmt: skip
        numbers = (told[name] for name in ("n_rows", "n_folds", "n_repeats", "confidence"))
        return Performance(measures, told["event"], *numbers)
    except (TypeError, KeyError, AttributeError):
        return None  # another program may keep something else under this name


def estimate_json(estimate: Any) -> dict[str, float | None]:
    """A number with its interval as plain values; what is undefined is null."""
    parts = {"value": estimate.value, "lower": estimate.lower, "upper": estimate.upper}
    return {name: None if number != number else number for name, number in parts.items()}
