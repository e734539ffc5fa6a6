"""`clearwood evaluate`: a saved tree on a table, or the performance of a kind of tree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from clearwood.cli import options
from clearwood.cli.doubts import note_doubts
from clearwood.cli.evaluation import evaluation_json, evaluation_of, evaluation_text
from clearwood.cli.failure import CommandError
from clearwood.cli.methods import Settings, classifier, require_two_classes, settings_of
from clearwood.cli.reading import (
    Format,
    Labelled,
    about,
    chosen_event,
    load_model,
    read_labelled,
)
from clearwood.cli.show import save_measured_page
from clearwood.cli.strata import is_chain
from clearwood.cli.validation import (
    Dealing,
    cross_validated,
    performance_json,
    performance_text,
)
from clearwood.cli.wording import data_text, settings_text
from clearwood.cli.writing import require_free

Html: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Of a chain: write its page with the curves of these rows beside those of training.",
    ),
]
Files: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="[MODEL] DATA",
        help="A model file, which is never refitted, and a table; or a table alone, on which "
        "trees are grown and cross-validated.",
    ),
]
Target: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", metavar="COLUMN",
        help="The column with the true classes; default: the model's own.",
    ),
]  # fmt: skip


def evaluate(
    ctx: typer.Context,
    files: Files,
    target: Target = None,
    event: options.Event = None,
    method: options.MethodName = None,
    confidence: options.Confidence = None,
    alpha: options.Alpha = None,
    velocity: options.Velocity = None,
    verifiers: options.Verifiers = None,
    min_leaf: options.MinLeaf = None,
    max_depth: options.MaxDepth = None,
    drop: options.Drop = None,
    nominal: options.Nominal = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    folds: options.Folds = 10,
    repeats: options.Repeats = 5,
    seed: options.Seed = 0,
    html: Html = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure discrimination, calibration and accuracy: MODEL DATA, or DATA --target COLUMN."""
    format = Format(missing, separator, encoding)
    if len(files) == 2:
        _refuse_growing_options(ctx)
        if html is not None:
            require_free(html, suffixes=(".html",), force=force, inputs=files)
        of_model(files[0], files[1], format, target, event, html, as_json=as_json)
        return
    if html is not None or force:
        raise typer.BadParameter("--html and --force are for MODEL and DATA")
    if len(files) > 2 or target is None:
        raise typer.BadParameter("give MODEL and DATA, or DATA alone with --target")
    settings = settings_of(method, confidence, alpha, min_leaf, max_depth, velocity, verifiers)
    table = read_labelled(files[0], format, target, drop or [])
    dealing = Dealing(folds, repeats, seed)
    of_method(table, settings, nominal or [], chosen_event(table, event), dealing, as_json=as_json)


def of_method(
    table: Labelled,
    settings: Settings,
    nominal: Sequence[str],
    event: Any,
    dealing: Dealing,
    *,
    as_json: bool,
) -> None:
    """Prints how trees that are grown in this way do on rows of a table they have not seen."""
    note_doubts(table, nominal)
    require_two_classes(table, settings)
    estimator = classifier(settings, nominal, event)
    with about(table.path):
        performance = cross_validated(estimator, table.X, table.y, event, dealing, quiet=as_json)
    if as_json:
        typer.echo(json.dumps(performance_json(performance), indent=2))
        return
    typer.echo(f"{data_text(table, event)}\n{settings_text(settings)}\n")
    typer.echo(performance_text(performance, table.target))


def of_model(
    model: Path,
    data: Path,
    format: Format,
    target: str | None,
    event: str | None,
    html: Path | None,
    *,
    as_json: bool,
) -> None:
    """Prints how the tree in a file does on a table; a chain's page shows it, too."""
    tree = load_model(model)
    if html is not None and not is_chain(tree):
        raise CommandError(f"--html writes the page of a chain, and {model} is a tree")
    measured = evaluation_of(tree, model, data, format, target, event)
    if html is not None:
        save_measured_page(tree, html, measured, data.name)
    if as_json:
        typer.echo(json.dumps(evaluation_json(tree, measured), indent=2))
    else:
        typer.echo(f"{model} on {data}\n{evaluation_text(tree, measured)}")
        if html is not None:
            typer.echo(f"\nWritten: {html}")


GROWING = {
    "method", "confidence", "alpha", "velocity", "verifiers", "min_leaf", "max_depth", "drop",
    "nominal", "folds", "repeats", "seed",
}  # fmt: skip


def _refuse_growing_options(ctx: Any) -> None:
    for name in sorted(GROWING):
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} is for growing trees on DATA --target; "
                "the tree of MODEL is as it is"
            )
