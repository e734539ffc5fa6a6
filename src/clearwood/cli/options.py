"""Options that several commands share, each with its one help text."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON object, for machines.")
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but warnings and errors.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
Folds: TypeAlias = Annotated[
    int, typer.Option("--folds", min=2, metavar="K", help="Folds of the cross-validation.")
]
Repeats: TypeAlias = Annotated[
    int, typer.Option("--repeats", min=1, metavar="N", help="Repeats of the cross-validation.")
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="Seed that deals the rows to the folds.")
]
