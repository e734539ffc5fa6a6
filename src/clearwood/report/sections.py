"""Sections that the page of every kind of model has: performance, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clearwood.metrics.performance import MEASURES
from clearwood.report.markup import element, table, text
from clearwood.tree.risk import percent
from clearwood.tree.witnesses import looked_at
from clearwood.tree.wording import (
    class_words,
    label_words,
    plain_name,
    share_text,
    short_number_text,
)

if TYPE_CHECKING:
    from clearwood.metrics import Performance
    from clearwood.metrics.estimate import Estimate
    from clearwood.tree import Tree

_SAYS: Mapping[str, str] = {
    "balanced_accuracy": "mean over the classes of the share that is recognised; guessing gives "
    "1 / number of classes",
    "auc": "chance that of two rows the one with the event gets the higher risk; guessing "
    "gives 0.5",
    "brier_score": "mean squared distance of predicted probability and outcome; 0 is perfect",
    "accuracy": "share of rows whose class is predicted",
}


def performance_section(tree: Tree, performance: Performance | None) -> str:
    """What cross-validation found, or that nothing was measured."""
    if performance is None:
        return text(
            "p",
            "Not measured here. The risks above were found on the rows that the tree was grown on, "
            "so do not use it before it was tested on others.",
        )
    interval = f"{percent(performance.confidence)} interval"
    head = [("Measure", ""), ("Value", "number"), (interval, "number"), ("What it says", "")]
    rows = [_measure(name, estimate) for name, estimate in performance.measures.items()]
    about = "" if performance.event is None else (
        f" AUC and Brier score are about {_event_words(tree, performance.event)}."
    )  # fmt: skip
    often = f", repeated {performance.n_repeats} times" if performance.n_repeats > 1 else ""
    caption = (
        f"{performance.n_folds}-fold cross-validation{often}, on {performance.n_rows} rows: each "
        f"row was predicted by trees that were grown without it.{about} Rows of another hospital "
        "may differ more than these did from each other."
    )
    return table("measures", head, rows, caption)


def _event_words(tree: Tree, event: Any) -> str:
    """The event of a performance, which a file remembers as text, among the classes of `tree`."""
    name = str(event)
    if name in tree.class_names:
        return class_words(tree, tree.class_names.index(name))
    return label_words(name, None)


def _measure(name: str, estimate: Estimate) -> str:
    has_interval = estimate.lower == estimate.lower and estimate.upper == estimate.upper
    interval = f"{estimate.lower:.3f}–{estimate.upper:.3f}" if has_interval else "–"
    value = f"{estimate.value:.3f}" if estimate.value == estimate.value else "undefined"
    return element(
        "tr",
        text("th", MEASURES.get(name, name), scope="row"),
        text("td", value, class_="number"),
        text("td", interval, class_="number"),
        text("td", _SAYS.get(name, "")),
    )


def provenance(tree: Tree) -> list[tuple[str, str]]:
    """How the tree was grown, as names and values."""
    written = json.loads(tree.to_json())
    settings = dict(tree.settings)
    carving = settings.pop("carving", None)
    training, noise = dict(settings.pop("training", {})), settings.pop("noise", {})
    training.pop("performance", None)  # has a section of its own
    rows = [("Made with", version())]
    rows += [(_capital(_spaced(name)), _value(value)) for name, value in _flat(settings)]
    rows += _carving(carving)
    rows += [(f"Training: {_spaced(name)}", _value(value)) for name, value in _flat(training)]
    rows += [(f"Noise of {plain_name(name)}", _value(value)) for name, value in _flat(noise)]
    rows.append(("Classes", ", ".join(
        f"{plain_name(name)} {share_text(float(share))}"
        for name, share in zip(tree.class_names, tree.distribution[0], strict=True)
    )))  # fmt: skip
    rows.append(("Columns looked at", _columns(tree)))
    rows.append(("SHA-256 of the model", written["sha256"]))
    return rows


def _carving(steps: Any) -> Iterator[tuple[str, str]]:
    """Alpha of each step of a chain, as far as a file tells it."""
    if not isinstance(steps, Sequence) or not all(isinstance(step, Mapping) for step in steps):
        return
    alphas = [step["alpha"] for step in steps if isinstance(step.get("alpha"), int | float)]
    if len(alphas) == len(steps) > 0:
        yield "Alpha of each rule", ", ".join(f"{alpha:.3g}" for alpha in alphas)


def _columns(tree: Tree) -> str:
    used = looked_at(tree)
    names = ", ".join(plain_name(tree.features[column].name) for column in used) or "none"
    return f"{names} ({len(used)} of {len(tree.features)} given)"


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Name and value of everything in nested mappings."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from ((f"{name}, {inner}", found) for inner, found in _flat(value))
        else:
            yield name, value


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{_spaced(str(name))} {_value(inner)}" for name, inner in value.items())
    if isinstance(value, Sequence):
        return _listed(value)
    return short_number_text(value) if isinstance(value, float) else str(value)


def _listed(values: Sequence[Any]) -> str:
    """The parts of a list, parted by semicolons where they have commas of their own."""
    parts = [_value(value) for value in values]
    return ("; " if any("," in part for part in parts) else ", ").join(parts) or "none"


def version() -> str:
    """Name and version of this package."""
    from clearwood import __version__

    return f"clearwood {__version__}"
