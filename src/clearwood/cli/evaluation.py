"""A saved tree on a labelled table: matched to its classes, measured, in words.

Of a chain the risk table of the rows is told in the place of calibration by leaf, and no accuracy:
where events are rare all steps may predict the same class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.cli.failure import CommandError, note
from clearwood.cli.reading import Format, about, read_labelled, with_untested
from clearwood.cli.strata import is_chain
from clearwood.cli.validation import estimate_json
from clearwood.cli.wording import aligned, percent, quoted, some

if TYPE_CHECKING:
    from clearwood.metrics import Evaluation, RiskTable
    from clearwood.tree import Tree


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found of a tree on a labelled table.

    Parameters
    ----------
    evaluation : Evaluation
        Discrimination, calibration and accuracy.
    table : RiskTable or None
        The rows by the risk of the event; None where none is asked about.
    target : str
        The column that held the labels.
    """

    evaluation: Evaluation
    table: RiskTable | None
    target: str


def evaluation_of(
    tree: Tree, model: Path, data: Path, format: Format, target: str | None, event: str | None
) -> Measured:
    """The tree in file `model` on the rows of file `data`."""
    from clearwood.metrics import evaluate, risk_table
    from clearwood.tree.polls import disputed_rows

    training = tree.settings.get("training", {})
    target = target_of_model(tree, model, target)
    found_event = _event(tree, model, training, event)
    table = read_labelled(data, format, target, [])
    labels = labels_of_model(tree, model, table)
    _note_training_rows(tree, labels, data)
    X = with_untested(tree, table.X, data)
    with about(data):
        probabilities, leaf, shared = tree.predict_proba(X), tree.apply(X), disputed_rows(tree, X)
        by_risk = None if found_event is None else risk_table(tree, X, labels, event=found_event)
    evaluation = evaluate(
        tree.classes, labels, probabilities, leaf, tree.label, event=found_event, shared=shared
    )
    return Measured(evaluation, by_risk, target)


def target_of_model(tree: Tree, model: Path, target: str | None) -> str:
    """The column that was named, or the one that the tree says it predicts."""
    named: str | None = target or tree.settings.get("training", {}).get("target")
    if named is None:
        raise CommandError(f"{model} does not say what it predicts; add --target COLUMN")
    if named in (feature.name for feature in tree.features):
        raise CommandError(
            f"--target: {named!r} is a predictor of {model}; name the column with the true classes"
        )
    return named


def _note_training_rows(tree: Tree, labels: Any, data: Path) -> None:
    """Tells where the rows may be those that the tree was grown on."""
    import numpy as np

    counts = np.array([np.sum(labels == label) for label in tree.classes.tolist()])
    if np.array_equal(counts, tree.masses[0]):
        note(
            f"{data}: has as many rows of each class as the tree was grown on; if they are the "
            "same rows, they flatter it: take rows it has not seen, or evaluate DATA --target"
        )


def _texts(labels: Any) -> dict[str, Any]:
    from clearwood.table.column import format_level

    return {format_level(label): label for label in labels.tolist()}


def _event(tree: Tree, model: Path, training: Mapping[str, Any], event: str | None) -> Any:
    """The class of `tree` that is asked about."""
    by_text = _texts(tree.classes)
    if event is not None:
        if event not in by_text:
            raise CommandError(f"{model} has no class {event!r}; its classes are {some(by_text)}")
        return by_text[event]
    if training.get("event") in tree.classes.tolist():
        return training["event"]
    if tree.n_classes == 2:
        options = " or ".join(f"--event {text!r}" for text in by_text)
        raise CommandError(
            f"{model} has the classes {some(by_text)}; say which is the event: {options}"
        )
    return None


def labels_of_model(tree: Tree, model: Path, table: Any) -> Any:
    """The labels of `table` as the model's own, which may have been read as another type."""
    import numpy as np

    known, here = _texts(tree.classes), _texts(table.classes)
    unknown = [text for text in here if text not in known]
    if unknown:
        count = int(np.isin(table.y, [here[text] for text in unknown]).sum())
        raise CommandError(
            f"{table.path}: {count} rows have a {table.target!r} that {model} does not know, "
            f"{some(unknown)}; its classes are {some(known)}"
        )
    place = {text: k for k, text in enumerate(known)}
    code_of = np.array([place[text] for text in here])
    return tree.classes[code_of[np.searchsorted(table.classes, table.y)]]


def evaluation_text(tree: Tree, measured: Measured) -> str:
    """An evaluation in tables."""
    evaluation, table = measured.evaluation, measured.table
    if table is not None and is_chain(tree):
        by_step = f"Risk table of these rows:\n{table}"
        return "\n\n".join([_measures_text(measured, of_classes=False), by_step])
    return "\n\n".join([_measures_text(measured), _calibration_text(tree, evaluation)])


def _measures_text(measured: Measured, *, of_classes: bool = True) -> str:
    from clearwood.tree.wording import label_words

    evaluation = measured.evaluation
    n_rows = evaluation.n_rows
    rows = []
    for label, area in evaluation.auc.items():
        of = "" if evaluation.event is not None else f" of {quoted(label)} against the rest"
        rows.append([f"AUC{of}", str(area), "DeLong"])
        rows.append([f"Brier score{of}", str(evaluation.brier_score[label]), "normal"])
    if of_classes:
        balanced = str(evaluation.balanced_accuracy)
        rows.append(["balanced accuracy", balanced, "Wilson, squared and added"])
        rows.append(["accuracy", str(evaluation.accuracy), "Wilson"])
    expected = [
        f"{label_words(str(label), measured.target, quoted)}: "
        f"predicted {evaluation.expected[label]:.1f} of {n_rows}, observed {observed}"
        for label, observed in evaluation.n_events.items()
    ]
    heading = f"{n_rows} rows; intervals of {percent(evaluation.confidence)}, by the method named:"
    return "\n".join([heading, aligned(rows), *expected])


def _calibration_text(tree: Tree, evaluation: Evaluation) -> str:
    rows = [["leaf", "rows", "predicted", "observed (Wilson)", "", "of", "rule"]]
    rules = _conditions(tree)
    for found in evaluation.leaves:
        mark = "" if found.is_compatible else "*"
        leaf = "-" if found.leaf is None else str(found.leaf)
        rows.append(
            [leaf, str(found.n_rows), f"{found.predicted:.3f}", str(found.observed), mark,
             _asked_class(tree, evaluation, found.leaf), rules[found.leaf] or "always"]
        )  # fmt: skip
    n_outside = sum(not found.is_compatible for found in evaluation.leaves)
    groups = "groups" if evaluation.leaves and evaluation.leaves[-1].leaf is None else "leaves"
    lines = ["Calibration by leaf:", aligned(rows, right=(0, 1))]
    if n_outside:
        lines.append(
            f"* predicted is outside the interval: {n_outside} of {len(evaluation.leaves)} "
            f"{groups}; {percent(1 - evaluation.confidence)} of them would be by chance."
        )
    return "\n".join(lines)


def _conditions(tree: Tree) -> dict[int | None, str]:
    """What holds for the rows of each leaf; None: for those that several leaves answer."""
    from clearwood.tree.witnesses import has_any_witness

    found: dict[int | None, str] = {rule.leaf: rule.conditions for rule in tree.rules()}
    disagreed = "witnesses disagreed or " if has_any_witness(tree) else ""
    found[None] = f"answered by several leaves: {disagreed}a value was missing"
    return found


def _asked_class(tree: Tree, evaluation: Evaluation, leaf: int | None) -> str:
    if evaluation.event is not None:
        return quoted(str(evaluation.event))
    return "predicted" if leaf is None else quoted(tree.class_names[tree.label[leaf]])


def evaluation_json(tree: Tree, measured: Measured) -> dict[str, Any]:
    """An evaluation as plain values."""
    evaluation, table = measured.evaluation, measured.table
    rules = _conditions(tree)
    return {
        "n_rows": evaluation.n_rows,
        "event": evaluation.event,
        "confidence": evaluation.confidence,
        "auc": {str(key): estimate_json(found) for key, found in evaluation.auc.items()},
        "brier_score": {
            str(key): estimate_json(found) for key, found in evaluation.brier_score.items()
        },
        "balanced_accuracy": estimate_json(evaluation.balanced_accuracy),
        "accuracy": estimate_json(evaluation.accuracy),
        "n_events": {str(key): n for key, n in evaluation.n_events.items()},
        "expected": {str(key): n for key, n in evaluation.expected.items()},
        "leaves": [
            {
                "leaf": found.leaf,
                "n_rows": found.n_rows,
                "n_events": found.n_events,
                "predicted": found.predicted,
                "observed": estimate_json(found.observed),
                "rule": rules[found.leaf],
            }
            for found in evaluation.leaves
        ],
        "risk_table": None if table is None else _plain(table.records()),
    }


def _plain(value: Any) -> Any:
    """Records as JSON has them: what is undefined or infinite is null."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
