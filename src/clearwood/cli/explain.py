"""One row of a table, as `clearwood show --explain` follows it through a saved tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.cli.failure import CommandError
from clearwood.cli.reading import Format, about, read_data, with_untested

if TYPE_CHECKING:
    from clearwood.tree import Tree


def row_of(tree: Tree, path: Path, format: Format, number: int) -> Any:
    """Row `number`, from 1, of the table at `path`: a series that is named by it.

    Values are as the tree knows them, so that a level means what it means to `predict`; a level
    that it does not know stays as it is.

    Raises
    ------
    CommandError
        The table has no such row, or lacks a column that the tree looks at.
    """
    from clearwood.table.frames import encode_table

    frame = with_untested(tree, read_data(path, format), path)
    if number > len(frame):
        rows = "1 row" if len(frame) == 1 else f"{len(frame)} rows"
        raise CommandError(f"{path}: has {rows}, so there is no row {number}")
    one = frame.iloc[number - 1 : number]
    with about(path):
        table = encode_table(one, tree.features, warn_unseen=False)
    row = one.astype(object).iloc[0].rename(number)
    for feature, column in zip(tree.features, table.columns, strict=True):
        code = column[0]
        if feature.kind == "numeric":
            row[feature.name] = float(code)
        elif code >= 0:  # missing is -1, or NaN in an ordinal column
            row[feature.name] = feature.levels[int(code)]
    return row


def row_as_json(tree: Tree, row: Any) -> dict[str, Any]:
    """The way of a row for machines: each condition with its branches, and the answer."""
    followed = tree.path(row)
    return {
        "row": int(row.name),
        "class": followed.class_name,
        "probabilities": dict(zip(tree.class_names, followed.probabilities.tolist(), strict=True)),
        "leaves": [{"leaf": leaf, "share": share} for leaf, share in followed.leaves],
        "steps": [
            {
                "node": step.node,
                "share": step.weight,
                "text": step.text(None),
                "branches": [
                    {"condition": step.condition.text(branch.number), "share": branch.share}
                    for branch in step.branches
                ],
                "witnesses": [
                    {"text": testimony.text(exact=True), "agrees": testimony.agrees}
                    for testimony in step.testimonies
                ],
            }
            for step in followed.steps
        ],
    }
