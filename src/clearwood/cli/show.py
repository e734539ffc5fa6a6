"""`clearwood show`: a saved tree in words, as rules, as a picture, as a page."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from clearwood.cli import options
from clearwood.cli.reading import load_model


def show(
    model: options.Model,
    rules: Annotated[
        bool, typer.Option("--rules", help="One rule for each leaf in the place of the tree.")
    ] = False,
    digits: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Digits of shares and weights; default: all."),
    ] = 2,
    max_depth: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Conditions printed one below another.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Print a saved tree."""
    tree = load_model(model)
    if as_json:
        typer.echo(json.dumps(_as_json(tree), indent=2))
    elif rules:
        typer.echo("\n".join(rule.text(digits) for rule in tree.rules()))
    else:
        typer.echo(tree.to_text(max_nodes=None, max_depth=max_depth, digits=digits))


def _as_json(tree: Any) -> dict[str, Any]:
    from clearwood.tree.json_form import plain

    return {
        "classes": list(tree.class_names),
        "columns": [feature.name for feature in tree.features],
        "n_leaves": tree.n_leaves,
        "depth": tree.depth,
        "settings": plain(tree.settings, "settings"),
        "rules": [
            {
                "leaf": rule.leaf,
                "conditions": rule.conditions,
                "class": rule.class_name,
                "probabilities": dict(
                    zip(tree.class_names, rule.probabilities.tolist(), strict=True)
                ),
                "weight": rule.weight,
            }
            for rule in tree.rules()
        ],
    }
