"""Arguments and options that several commands share, each with its one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from clearwood.cli.methods import Method

Model: TypeAlias = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file (.json), written by `fit -o`.")
]
Data: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DATA", help="The table: .csv, .tsv (also .gz) or .parquet.")
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON object, for machines.")
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but warnings and errors.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]

# How DATA is read.
Drop: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Not a predictor, e.g. a record number. May be repeated."),
]
Nominal: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Its numbers are codes without an order. May be repeated."),
]
Missing: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="A cell that means missing, besides empty, NA, NaN and the like. May be repeated.",
    ),
]
Separator: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="CHAR", help="Between cells; default: comma in .csv, tab in .tsv."),
]
Encoding: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of the text, e.g. cp1252 or utf-16; default: utf-8."),
]
Event: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS", help="The class whose risk is meant; required if there are two classes."
    ),
]

# How a tree is grown.
MethodName: TypeAlias = Annotated[
    Method | None,
    typer.Option(
        help="C4.5, CART, ID3, plain information gain, alpha-tree or decision chain; default: c45."
    ),
]
Confidence: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="CF", help="Of error-based pruning: smaller prunes more; c45's default: 0.25."
    ),
]
Alpha: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="A",
        help="Of cost-complexity pruning: larger prunes more; cart's default: 0. With --method "
        "alpha, of the divergence: larger prefers purer branches; default: 2.",
    ),
]
Velocity: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="V", help="Of a chain: smaller makes more and smaller parts; default: 0.1."
    ),
]
Verifiers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Of a verified tree: witnesses of a condition at most; default: 3, 0 has none.",
    ),
]
MinLeaf: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        help="Rows that two branches of a split must reach; default: 2 in c45, in a chain the "
        "more of 10 and 1 %, else 1.",
    ),
]
MaxDepth: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", help="Conditions on the longest path; default: any, 8 in a chain."),
]

# How a kind of tree is validated.
Folds: TypeAlias = Annotated[
    int, typer.Option(min=2, metavar="K", help="Folds of the cross-validation.")
]
FoldsOrNone: TypeAlias = Annotated[
    int, typer.Option(min=0, metavar="K", help="Folds of the cross-validation; 0 leaves it out.")
]
Repeats: TypeAlias = Annotated[
    int, typer.Option(min=1, metavar="N", help="Repeats of the cross-validation.")
]
Seed: TypeAlias = Annotated[
    int, typer.Option(min=0, metavar="N", help="Seed that deals the rows to the folds.")
]
