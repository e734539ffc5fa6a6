"""`clearwood prune`: the size-error path of a saved tree, and another pruning of it."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from clearwood.cli import options
from clearwood.cli.evaluation import labels_of_model, target_of_model
from clearwood.cli.failure import CommandError
from clearwood.cli.reading import Format, about, load_model, read_labelled
from clearwood.cli.wording import aligned, shows_all
from clearwood.cli.writing import require_free, save_model
from clearwood.errors import ParameterError

if TYPE_CHECKING:
    from clearwood.pruning import PruningPath
    from clearwood.tree import Tree


class Pruner(StrEnum):
    """Ways to prune a tree."""

    tree_size = "tree_size"
    error_based = "error_based"
    cost_complexity = "cost_complexity"
    reduced_error = "reduced_error"
    pessimistic_error = "pessimistic_error"
    minimum_error = "minimum_error"
    critical_value = "critical_value"
    optimal_size = "optimal_size"


STRENGTH = {
    Pruner.tree_size: "c",
    Pruner.error_based: "confidence",
    Pruner.cost_complexity: "alpha",
    Pruner.pessimistic_error: "standard_errors",
    Pruner.minimum_error: "m",
    Pruner.critical_value: "value",
    Pruner.optimal_size: "n_leaves",
}
"""The parameter that `--strength` sets."""


class Rule(StrEnum):
    """How rows choose a tree of the path."""

    least = "0-SE"
    smallest = "1-SE"


MOST_LINES = 24

Strength: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="How strongly, in the method's own measure (c, confidence, alpha, ..., leaves); "
        "default: what DATA choose.",
    ),
]
Training: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The table that the tree was grown from; error_based, and pruning a tree with "
        "witnesses, sends its rows through again.",
    ),
]
Output: TypeAlias = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the pruned model here (.json)."),
]
Target: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", metavar="COLUMN",
        help="The column with the true classes; default: the model's own.",
    ),
]  # fmt: skip


def prune(
    model: options.Model,
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="Rows that the tree was not grown from."),
    ],
    method: Annotated[Pruner, typer.Option(help="The way to prune.")] = Pruner.tree_size,
    strength: Strength = None,
    rule: Annotated[
        Rule,
        typer.Option(
            help="What DATA choose: the smallest of the most accurate trees (0-SE), or the "
            "smallest within a standard error of them (1-SE)."
        ),
    ] = Rule.smallest,
    training: Training = None,
    target: Target = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    output: Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Prune a saved tree anew; print the sizes and errors that the method offers."""
    if output is not None:
        read = (model, data) if training is None else (model, data, training)
        require_free(output, suffixes=(".json",), force=force, inputs=read)
    format = Format(missing, separator, encoding)
    path = _path(
        model, data, training, format, target, _asked(method, strength, training), str(rule)
    )
    pruned = path.tree()
    if output is not None:
        save_model(pruned, output)
    if as_json and not quiet:
        typer.echo(json.dumps(_as_json(path), indent=2))
    elif not quiet:
        typer.echo(_text(path, model, data, chosen_by_rows=strength is None))
        typer.echo(_pruned_text(pruned, output))


def _pruned_text(pruned: Tree, output: Path | None) -> str:
    from clearwood.tree.text import to_text

    text = f"\n{to_text(pruned, rest=shows_all(output))}"
    return text + (f"\nModel written to {output}" if output else "")


def _asked(method: Pruner, strength: float | None, training: Path | None) -> Any:
    """The method by its name, or with the strength that was asked for."""
    from clearwood.pruning.menu import METHODS

    if method is Pruner.error_based and training is None:
        raise CommandError(
            "--method error_based sends the rows that the tree was grown from through it again; "
            "name their file with --training"
        )
    if strength is None:
        return str(method)
    if method not in STRENGTH:
        raise typer.BadParameter(f"--strength does not belong to --method {method}; leave it out")
    value = int(strength) if method is Pruner.optimal_size and strength % 1 == 0 else strength
    try:
        return METHODS[str(method)].options(**{STRENGTH[method]: value})
    except ParameterError as error:
        raise CommandError(f"--strength: {error}") from error


def _path(
    model: Path,
    data: Path,
    training: Path | None,
    format: Format,
    target: str | None,
    asked: Any,
    rule: str,
) -> PruningPath:
    from clearwood.pruning import pruning_path

    tree = load_model(model)
    name = target_of_model(tree, model, target)
    X, y = _rows(tree, model, data, format, name)
    grown_from = None if training is None else _rows(tree, model, training, format, name)
    return pruning_path(tree, asked, X, y, training=grown_from, rule=rule)  # type: ignore[arg-type]


def _rows(tree: Tree, model: Path, path: Path, format: Format, target: str) -> tuple[Any, Any]:
    table = read_labelled(path, format, target, [])
    with about(path):
        return table.X, labels_of_model(tree, model, table)


def _text(path: PruningPath, model: Path, data: Path, *, chosen_by_rows: bool) -> str:
    """The path as a table, its chosen tree marked."""
    rows = [[path.parameter or "", "leaves", "nodes", "wrong", "in training", ""]]
    for step in _steps_to_show(path):
        mark = "<- chosen" if step == path.chosen else ""
        rows.append(
            [
                f"{path.values[step]:.4g}" if path.parameter else "",
                str(path.n_leaves[step]),
                str(path.n_nodes[step]),
                f"{100 * path.errors[step]:.1f} %",
                f"{100 * path.training_errors[step]:.1f} %",
                mark,
            ]
        )
    lines = [f"{model} pruned by {path.method}, measured on {data}:"]
    lines.append(aligned(rows, right=(0, 1, 2, 3, 4)))
    if chosen_by_rows and path.parameter:
        lines.append("The rows chose the tree, so they flatter it: measure it on others.")
    return "\n".join(lines)


def _steps_to_show(path: PruningPath) -> list[int]:
    """Steps at which the tree changes, thinned out where there are many; the chosen one stays."""
    trees = list(zip(path.n_leaves, path.n_nodes, path.errors, strict=True))
    new = [step for step, tree in enumerate(trees) if step == 0 or tree != trees[step - 1]]
    stride = -(-len(new) // MOST_LINES)
    shown = {*new[::stride], new[-1]}
    return sorted(shown | ({path.chosen} if path.chosen is not None else set()))


def _as_json(path: PruningPath) -> dict[str, Any]:
    return {
        "method": path.method,
        "parameter": path.parameter,
        "values": path.values.tolist(),
        "n_leaves": path.n_leaves.tolist(),
        "n_nodes": path.n_nodes.tolist(),
        "errors": path.errors.tolist(),
        "training_errors": path.training_errors.tolist(),
        "chosen": path.chosen,
    }
