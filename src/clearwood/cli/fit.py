"""`clearwood fit`: from a table to a tree, its cross-validated performance and a model file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from clearwood._progress import working
from clearwood.cli import options
from clearwood.cli.doubts import note_doubts
from clearwood.cli.failure import CommandError
from clearwood.cli.methods import Settings, classifier, require_two_classes, settings_of
from clearwood.cli.one_leaf import why_one_leaf
from clearwood.cli.reading import (
    Format,
    Labelled,
    about,
    chosen_event,
    read_labelled,
)
from clearwood.cli.validation import (
    Dealing,
    cross_validated,
    performance_json,
    performance_text,
    remembering,
)
from clearwood.cli.wording import data_text, settings_text, shows_all
from clearwood.cli.writing import require_free, save_model

if TYPE_CHECKING:
    from clearwood.metrics import Performance
    from clearwood.tree import Tree

Target: TypeAlias = Annotated[
    str, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.")
]
Output: TypeAlias = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the model here (.json)."),
]


def fit(
    data: options.Data,
    target: Target,
    event: options.Event = None,
    output: Output = None,
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
    folds: options.FoldsOrNone = 10,
    repeats: options.Repeats = 5,
    seed: options.Seed = 0,
    force: options.Force = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Grow a tree from a table; print it and how well such trees do on rows they have not seen."""
    settings = settings_of(method, confidence, alpha, min_leaf, max_depth, velocity, verifiers)
    if output is not None:
        require_free(output, suffixes=(".json",), force=force, inputs=(data,))
    table = read_labelled(data, Format(missing, separator, encoding), target, drop or [])
    asked = chosen_event(table, event)
    note_doubts(table, nominal or ())
    dealing = Dealing(folds, repeats, seed)
    _require_folds(folds, len(table.y))
    result = grown(table, settings, nominal or [], asked, dealing, output, quiet or as_json)
    if output is not None:
        save_model(result.tree, output)
    if as_json:
        typer.echo(json.dumps(result.as_json(), indent=2))
    elif not quiet:
        typer.echo(result.text())


def _require_folds(folds: int, n_rows: int) -> None:
    if folds and not 2 <= folds <= n_rows:
        raise CommandError(
            f"--folds must be from 2 to the {n_rows} rows, or 0 to leave cross-validation out, "
            f"got {folds}"
        )


def grown(
    table: Labelled,
    settings: Settings,
    nominal: Sequence[str],
    event: Any,
    dealing: Dealing,
    output: Path | None,
    quiet: bool,
) -> Result:
    """The tree of a table, and its performance unless there are to be no folds."""
    require_two_classes(table, settings)
    estimator = classifier(settings, nominal, event)
    with about(table.path), working("growing the tree", quiet=quiet):
        tree = estimator.fit(table.X, table.y).tree_
    performance = None
    if dealing.folds:
        performance = cross_validated(estimator, table.X, table.y, event, dealing, quiet=quiet)
    tree = remembering(tree, table.target, len(table.y), settings.given(), event, performance)
    return Result(table, settings, event, tree, performance, output)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What `fit` found, to be printed."""

    table: Labelled
    settings: Settings
    event: Any
    tree: Tree
    performance: Performance | None
    output: Path | None

    def text(self) -> str:
        """For people."""
        from clearwood.tree.text import to_text

        parts = [data_text(self.table, self.event), settings_text(self.settings)]
        parts.append(f"\n{to_text(self.tree, rest=shows_all(self.output))}")
        if self.tree.n_leaves == 1:
            parts.append(why_one_leaf(self.table, self.settings))
        if self.performance is not None:
            parts.append(f"\n{performance_text(self.performance, self.table.target)}")
        if self.output is not None:
            parts.append(f"\nModel written to {self.output}; see: clearwood show {self.output}")
        return "\n".join(parts)

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "data": str(self.table.path),
            "target": self.table.target,
            "event": self.event,
            "classes": self.table.classes.tolist(),
            "n_rows": len(self.table.y),
            "n_rows_left_out": self.table.n_left_out,
            "settings": self.settings.given(),
            "n_leaves": self.tree.n_leaves,
            "depth": self.tree.depth,
            "rules": [rule.text(digits=None) for rule in self.tree.rules()],
            "performance": (
                None if self.performance is None else performance_json(self.performance)
            ),
            "model": None if self.output is None else str(self.output),
        }
