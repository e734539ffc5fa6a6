"""`clearwood predict`: a saved tree's answer for each row of a table, and the rule behind it.

Of a chain the rule is its step; of other trees all conditions of the leaf.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clearwood._progress import working
from clearwood.cli import options
from clearwood.cli.failure import CommandError
from clearwood.cli.reading import Format, about, load_model, read_data, with_untested
from clearwood.cli.strata import counts_json, counts_text, is_chain, step_text, strata_of
from clearwood.cli.wording import percent, quoted
from clearwood.cli.writing import FRAME_SUFFIXES, require_free, save_frame

if TYPE_CHECKING:
    from clearwood.tree import Tree

_LARGEST_WHOLE = 2**53
"""Above this a float may not be the whole number that was written."""


def predict(
    model: options.Model,
    data: options.Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="Write here (.csv, .tsv or .parquet); default: print as CSV.",
        ),
    ] = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Predict each row: class, probabilities, leaf and rule, beside columns it does not use."""
    if output is not None:
        require_free(output, suffixes=FRAME_SUFFIXES, force=force, inputs=(model, data))
    tree = load_model(model)
    frame = with_untested(tree, read_data(data, Format(missing, separator, encoding)), data)
    with about(data), working("predicting", quiet=quiet or as_json):
        answers = predictions(tree, frame)
    if output is not None:
        save_frame(answers, output)
    if as_json:
        typer.echo(json.dumps(_as_json(tree, answers, output), indent=2))
    elif quiet:
        return
    elif output is None:
        typer.echo(answers.to_csv(index=False), nl=False)
    else:
        typer.echo(f"{_counts_text(tree, answers)}\nPredictions written to {output}")


def predictions(tree: Tree, frame: Any) -> Any:
    """One row for each row of `frame`: columns that the tree does not know, then its answers.

    Raises
    ------
    CommandError
        `frame` has a column of the name of an answer that would be kept.
    """
    probabilities = tree.predict_proba(frame)
    found = {"predicted": tree.classes[probabilities.argmax(axis=1)]}
    for k, name in enumerate(tree.class_names):
        found[f"probability_{name}"] = probabilities[:, k]
    found |= _rules(tree, frame)
    known = {feature.name for feature in tree.features}
    kept = [name for name in frame.columns if name not in known]
    for name in kept:
        if name in found:
            raise CommandError(
                f"the data has a column {name!r}, which is where an answer goes; rename it"
            )
    return _as_model_writes(tree, frame[kept]).assign(**found)


def _as_model_writes(tree: Tree, kept: Any) -> Any:
    """Columns beside the answers, without the ``.0`` that gaps give to whole numbers.

    A column with gaps is read as floats; the classes of its model are whole, so `dead` would be
    0.0 beside a prediction of 0.
    """
    import numpy as np

    whole = {
        name: kept[name].astype("Int64")
        for name in kept.columns
        if kept[name].dtype.kind == "f"
        and kept[name].isna().any()
        and np.isfinite(kept[name].dropna()).all()
        and (kept[name].dropna() % 1 == 0).all()
        and (kept[name].dropna().abs() < _LARGEST_WHOLE).all()
    }
    classes = tree.classes
    target = tree.settings.get("training", {}).get("target")
    if classes.dtype.kind == "f":  # 0.0 is how this model writes it
        whole.pop(target, None)
    return kept.assign(**whole)


def _rules(tree: Tree, frame: Any) -> dict[str, Any]:
    """Leaf and rule of each row; in a tree with witnesses also whether it was disputed.

    No rule holds for a disputed row by itself, so where it was disputed stands in the rule's place.
    """
    import numpy as np

    from clearwood.tree.disputed_rules import disputed_rules
    from clearwood.tree.witnesses import Witnesses

    leaves = tree.apply(frame)
    if is_chain(tree) and (strata := strata_of(tree)):
        rules = {stratum.leaf: step_text(stratum) for stratum in strata}
    else:
        rules = {rule.leaf: rule.conditions or "always" for rule in tree.rules()}
    of_leaf = np.array([rules.get(node, "") for node in range(tree.n_nodes)], dtype=object)
    if not isinstance(tree.evaluation, Witnesses):
        return {"leaf": leaves, "rule": of_leaf[leaves]}
    disputed = disputed_rules(tree, frame)
    is_disputed = disputed != ""
    return {
        "leaf": leaves,
        "disputed": np.where(is_disputed, "yes", "no"),
        "rule": np.where(is_disputed, disputed, of_leaf[leaves]),
    }


def _counts_text(tree: Tree, answers: Any) -> str:
    strata = strata_of(tree)
    by_risk = f"\n{counts_text(tree, strata, answers)}" if strata and len(answers) else ""
    if by_risk and is_chain(tree):
        return f"Predicted {len(answers)} rows.{by_risk}"
    counts = answers["predicted"].value_counts(sort=False).sort_index()
    parts = [f"{quoted(label)} in {n} ({percent(n / len(answers))})" for label, n in counts.items()]
    return f"Predicted {len(answers)} rows: {', '.join(parts)}.{by_risk}"


def _as_json(tree: Tree, answers: Any, output: Path | None) -> dict[str, Any]:
    counts = answers["predicted"].value_counts(sort=False).sort_index()
    result: dict[str, Any] = {
        "n_rows": len(answers),
        "predicted": {str(label): int(n) for label, n in counts.items()},
        "output": None if output is None else str(output),
    }
    if strata := strata_of(tree):
        result["steps" if is_chain(tree) else "leaves"] = counts_json(tree, strata, answers)
    if output is None:
        result["predictions"] = json.loads(answers.to_json(orient="records", double_precision=15))
    return result
