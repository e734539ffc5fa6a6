"""`clearwood show`: a saved tree in words, as rules, as a picture, as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from clearwood.cli import options
from clearwood.cli.reading import load_model
from clearwood.cli.validation import performance_of
from clearwood.cli.writing import require_free, save_text

if TYPE_CHECKING:
    from clearwood.tree import Tree


Rules: TypeAlias = Annotated[
    bool, typer.Option("--rules", help="One rule for each leaf in the place of the tree.")
]
Digits: TypeAlias = Annotated[
    int, typer.Option(min=1, metavar="N", help="Digits of shares and weights.")
]
MaxDepth: TypeAlias = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Conditions shown one below another; default: all."),
]
Svg: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a picture here (.svg).")
]
Html: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a page here: picture, rules, performance (.html)."),
]
Pyramid: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the pyramid of a decision chain here (.svg)."),
]
Title: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Of picture and page; default: the target.")
]


def show(
    model: options.Model,
    rules: Rules = False,
    digits: Digits = 2,
    max_depth: MaxDepth = None,
    svg: Svg = None,
    html: Html = None,
    pyramid: Pyramid = None,
    title: Title = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Print a saved tree or chain, or write it as a picture or a page."""
    wanted = {"svg": svg, "html": html, "pyramid": pyramid}
    files = {kind: path for kind, path in wanted.items() if path is not None}
    for kind, path in files.items():
        suffix = ".html" if kind == "html" else ".svg"
        require_free(path, suffixes=(suffix,), force=force, inputs=(model,))
    tree = load_model(model)
    headline = title or _headline(tree)
    if svg is not None:
        save_text(tree.to_svg(title=headline, max_nodes=None, max_depth=max_depth), svg)
    if pyramid is not None:
        save_text(tree.to_pyramid(title=headline), pyramid)
    if html is not None:
        save_page(tree, html, headline)
    if as_json:
        typer.echo(json.dumps(_as_json(tree, files), indent=2))
    elif files and not quiet:
        typer.echo("\n".join(f"Written: {path}" for path in files.values()))
    elif not quiet:
        typer.echo(_text(tree, rules, digits, max_depth))


def save_page(tree: Tree, path: Path, title: str, notes: Sequence[str] = ()) -> None:
    """Writes the page of a tree or chain, with the performance that it remembers."""
    from clearwood.report import write_chain_page, write_page
    from clearwood.tree.risk import event_code

    is_linked = _is_chain(tree) and event_code(tree, None) is not None
    write = write_chain_page if is_linked else write_page
    write(path, tree, title=title, performance=performance_of(tree), notes=notes, overwrite=True)


def _is_chain(tree: Tree) -> bool:
    from clearwood.tree.chain import shown_as_chain

    return shown_as_chain(tree, "auto")


def _headline(tree: Tree) -> str:
    what = "Decision chain" if _is_chain(tree) else "Decision tree"
    target = tree.settings.get("training", {}).get("target")
    return what if target is None else f"{what} for {target}"


def _text(tree: Tree, rules: bool, digits: int, max_depth: int | None) -> str:
    if rules:
        return "\n".join(rule.text(digits) for rule in tree.rules())
    return tree.to_text(max_nodes=None, max_depth=max_depth, digits=digits)


def _as_json(tree: Tree, files: Mapping[str, Path]) -> dict[str, Any]:
    from clearwood.tree.json_form import plain

    return {
        "classes": list(tree.class_names),
        "columns": [feature.name for feature in tree.features],
        "files": {kind: str(path) for kind, path in files.items()},
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
