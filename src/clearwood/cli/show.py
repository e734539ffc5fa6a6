"""`clearwood show`: a saved tree in words, as rules, as a picture, as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from clearwood.cli import options
from clearwood.cli.explain import row_as_json, row_of
from clearwood.cli.failure import CommandError
from clearwood.cli.reading import Format, load_model
from clearwood.cli.validation import performance_of
from clearwood.cli.writing import require_distinct, require_free, save_text

if TYPE_CHECKING:
    from clearwood.cli.evaluation import Measured
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
Explain: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DATA", help="Tell how a row of this table is decided."),
]
RowNumber: TypeAlias = Annotated[
    int | None,
    typer.Option("--row", min=1, metavar="N", help="Which row --explain tells of; default: 1."),
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
    explain: Explain = None,
    row: RowNumber = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Print a saved tree or chain, or how it decides a row; or write it as a picture or page."""
    wanted = {"svg": svg, "html": html, "pyramid": pyramid}
    files = {kind: path for kind, path in wanted.items() if path is not None}
    for kind, path in files.items():
        suffix = ".html" if kind == "html" else ".svg"
        inputs = (model,) if explain is None else (model, explain)
        require_free(path, suffixes=(suffix,), force=force, inputs=inputs)
    require_distinct(files)
    tree = load_model(model)
    told = _row(tree, explain, row, Format(missing, separator, encoding))
    headline = title or _headline(tree)
    if title is None and told is not None:
        headline = f"{headline}: row {told.name} of {explain}"
    _write(tree, files, headline, max_depth, told)
    if as_json:
        typer.echo(json.dumps(_as_json(tree, files, told), indent=2))
    elif files and not quiet:
        typer.echo("\n".join(f"Written: {path}" for path in files.values()))
    elif not quiet:
        typer.echo(_text(tree, rules, digits, max_depth, told))


def _write(
    tree: Tree, files: Mapping[str, Path], title: str, max_depth: int | None, row: Any
) -> None:
    if "svg" in files:
        drawn = tree.to_svg(title=title, max_nodes=None, max_depth=max_depth, row=row)
        save_text(drawn, files["svg"])
    if "pyramid" in files:
        save_text(tree.to_pyramid(title=title, row=row), files["pyramid"])
    if "html" in files:
        save_page(tree, files["html"], title, row=row)


def _row(tree: Tree, data: Path | None, number: int | None, format: Format) -> Any:
    """The row that is to be told of; None where none is."""
    if data is not None:
        return row_of(tree, data, format, number or 1)
    described = {"--row": number, "--missing": format.missing}
    described |= {"--separator": format.separator, "--encoding": format.encoding}
    for option, value in described.items():
        if value not in (None, []):
            raise CommandError(f"{option} is about a table; name it with --explain")
    return None


def save_page(
    tree: Tree, path: Path, title: str, notes: Sequence[str] = (), row: Any = None
) -> None:
    """Writes the page of a tree or chain, with the performance that it remembers."""
    from clearwood.report import write_chain_page, write_page
    from clearwood.tree.risk import event_code

    is_linked = _is_chain(tree) and event_code(tree, None) is not None
    write = write_chain_page if is_linked else write_page
    about = {"performance": performance_of(tree), "notes": notes, "row": row}
    write(path, tree, title=title, overwrite=True, **about)


def save_measured_page(tree: Tree, path: Path, measured: Measured, name: str) -> None:
    """Writes the page of a chain with the rows that it was measured on beside those of training."""
    from clearwood.metrics import risk_table
    from clearwood.report import write_chain_page

    table = measured.table
    assert table is not None  # a chain knows its event
    tables = {"training": risk_table(tree, event=table.event)}
    if table.source != "training":
        tables[name] = table
    write_chain_page(
        path,
        tree,
        title=_headline(tree),
        tables=tables,
        performance=performance_of(tree),
        event=table.event,
        overwrite=True,
    )


def _is_chain(tree: Tree) -> bool:
    from clearwood.tree.chain import shown_as_chain

    return shown_as_chain(tree, "auto")


def _headline(tree: Tree) -> str:
    what = "Decision chain" if _is_chain(tree) else "Decision tree"
    target = tree.settings.get("training", {}).get("target")
    return what if target is None else f"{what} for {target}"


def _text(tree: Tree, rules: bool, digits: int, max_depth: int | None, row: Any) -> str:
    from clearwood.tree.text import to_text

    if row is not None:
        return tree.path(row).text(digits)
    if rules:
        return "\n".join(rule.text(digits) for rule in tree.rules())
    rest = "without --max-depth all are shown"
    return to_text(tree, max_nodes=None, max_depth=max_depth, digits=digits, rest=rest)


def _as_json(tree: Tree, files: Mapping[str, Path], row: Any) -> dict[str, Any]:
    from clearwood.tree.json_form import plain

    told = {} if row is None else {"row": row_as_json(tree, row)}
    return told | {
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
