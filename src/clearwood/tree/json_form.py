"""A tree as JSON: the one form in which trees are kept. Only this module writes and reads it.

``json_schema.json`` beside this file says what a document holds, and is what is enforced. Reading
takes these steps, each of which refuses what the next could not bear: text, version, schema,
arrays (`clearwood.tree.validation`), checksum, and at last the rows of the self-test, which are
the first thing that the compiled core sees.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from clearwood._typing import AnyArray
from clearwood.errors import (
    InvalidTreeError,
    ModelFileError,
    OutputError,
    ParameterError,
)
from clearwood.table.column import Feature
from clearwood.tree import json_evaluation, json_text, self_test
from clearwood.tree.label_check import require_labels
from clearwood.tree.saving import save_text
from clearwood.tree.schema_check import Check, Mismatch, compiled, shown
from clearwood.tree.structure import ARRAYS, KIND_CUT, Tree

FORMAT, VERSION = "clearwood model", 1
KINDS = ("leaf", "cut", "levels")
FROM_SETTINGS = ("training", "noise")
"""Members of a document that a tree keeps among its settings; noise only if it is not evaluated."""
ABOUT_NODES = ("ramps", "witnesses", "bands", "forced_cuts")
"""Members of a document that a tree keeps, as they are, as its extras."""
NOT_OFFERED = ("bands",)
"""Evaluations of the schema that this version does not know."""

_TOLERANCE = 1e-9  # of the self-test; sums may be rounded otherwise on another machine
_SCALARS = ("score", "gain", "threshold")


def to_json(tree: Tree) -> str:
    """`tree` as a JSON document of schema version 1.

    Raises
    ------
    ParameterError
        A name, label or setting is of a kind that JSON cannot hold; it is named.
    """
    _require_distinct(tree)
    rows = self_test.rows_for(tree)
    expected = self_test.probabilities(tree, rows).tolist()
    evaluation = json_evaluation.members(tree)
    settings = {name: plain(value, f"settings[{name!r}]") for name, value in tree.settings.items()}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": _writer(),
        "evaluation": evaluation.pop("evaluation"),
        "classes": _classes(tree),
        "columns": [_column(feature) for feature in tree.features],
        **{name: settings.pop(name) for name in _from_settings(tree) if name in settings},
        **({"settings": settings} if settings else {}),
        **{name: plain(value, name) for name, value in tree.extras.items()},
        **evaluation,
        "self_test": [
            {"row": dict(row), "probabilities": values}
            for row, values in zip(rows, expected, strict=True)
        ],
        "nodes": _nodes(tree),
    }
    json_text.write(document)  # refuses what has no JSON before it is digested
    return json_text.write_members(document | {"sha256": json_text.digest(document)})


def from_json(text: str) -> Tree:
    """The tree of a JSON document.

    Raises
    ------
    ModelFileError
        The text is no such document, is damaged, was changed, or is of a newer version; the
        message names the place.
    """
    document = json_text.parse(text)
    _require_version(document)
    try:
        _schema()(document)
    except Mismatch as mismatch:
        raise ModelFileError(f"{mismatch.place} {mismatch.rule}") from None
    tree = _tree(document)
    _require_nodes_of_blocks(document, tree.n_nodes)
    stated = document.pop("sha256")
    if json_text.digest(document) != stated:
        raise ModelFileError(
            "sha256 does not fit the content: the file was changed or damaged after it was written"
        )
    require_labels(tree)
    _require_expected(tree, document["self_test"])
    return tree


def save(tree: Tree, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write `tree` to a JSON file, after reading the text back gave the same tree.

    Raises
    ------
    ParameterError
        A name, label or setting cannot be written.
    OutputError
        The file is there already and `overwrite` is False, or it cannot be written.
    """
    text = to_json(tree)
    if from_json(text) != tree:
        raise OutputError("this tree does not read back as itself, so it was not written")
    return save_text(text, path, overwrite=overwrite)


def load(path: str | os.PathLike[str]) -> Tree:
    """The tree in a model file.

    Parameters
    ----------
    path : str or path-like
        A file written by ``Tree.save`` or ``clearwood fit``.

    Returns
    -------
    Tree
        It predicts by itself.

    Raises
    ------
    ModelFileError
        There is no such file, or it is no model, is damaged, was changed, or is of a newer
        version; the message names the file and the place. Nothing in a file is ever executed.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ModelFileError(
            f"{path}: byte {error.start} is not UTF-8; this is no model file, or it is damaged"
        ) from None
    try:
        return from_json(text)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def plain(value: Any, where: str, deepest: int = json_text.DEEPEST - 10) -> Any:
    """`value` in what JSON has: mappings with text keys, lists, texts, numbers, booleans, None."""
    if deepest == 0:
        raise ParameterError(f"{where} is nested too deeply for a model file")
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [plain(entry, f"{where}[{i}]", deepest - 1) for i, entry in enumerate(value)]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: plain(entry, f"{where}[{name!r}]", deepest - 1)
                for name, entry in value.items()}  # fmt: skip
    raise ParameterError(
        f"{where} must be a text, a number, true, false, None, or lists and mappings of these to "
        f"be written to a model file, got {shown(value)}"
    )


def _from_settings(tree: Tree) -> tuple[str, ...]:
    return FROM_SETTINGS if tree.evaluation is None else ("training",)


@cache
def _schema() -> Check:
    text = (files("clearwood.tree") / "json_schema.json").read_text(encoding="utf-8")
    return compiled(json.loads(text))


def _writer() -> str:
    from clearwood import __version__

    return f"clearwood {__version__}"


def _require_distinct(tree: Tree) -> None:
    names = [feature.name for feature in tree.features]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(f"column names must differ in a model file, {twice!r} stands twice")
    if len(set(tree.class_names)) < tree.n_classes:
        twice = next(name for name in tree.class_names if tree.class_names.count(name) > 1)
        raise ParameterError(f"class names must differ in a model file, {twice!r} stands twice")


def _classes(tree: Tree) -> dict[str, Any]:
    kind = tree.classes.dtype.name
    labels = [_label(label, "a class label") for label in tree.classes.tolist()]
    return {
        "type": "str" if kind.startswith("str") else kind,
        "labels": labels,
        "names": list(tree.class_names),
    }


def _column(feature: Feature) -> dict[str, Any]:
    column: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.levels:
        where = f"a level of column {feature.name!r}"
        column["levels"] = [_label(label, where) for label in feature.levels]
    return column if feature.unit is None else column | {"unit": feature.unit}


def _label(label: Any, where: str) -> str | int | float | bool:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str | int | float):
        return label
    raise ParameterError(
        f"{where} must be a text, a number or a boolean to be written to a model file, got "
        f"{shown(label)}"
    )


def _nodes(tree: Tree) -> list[dict[str, Any]]:
    """The nodes, without members that say nothing."""
    arrays = {name: array.tolist() for name, array in tree.arrays().items()}
    child, level = arrays["child_start"], arrays["level_start"]
    nodes = []
    for node in range(tree.n_nodes):
        entry: dict[str, Any] = {"kind": KINDS[arrays["kind"][node]]}
        if child[node] < child[node + 1]:
            branches = slice(child[node], child[node + 1])
            entry["column"] = arrays["column"][node]
            if arrays["kind"][node] == KIND_CUT:
                entry["strict"] = bool(arrays["strict"][node])
            else:
                entry["branch_of_level"] = arrays["level_branch"][level[node] : level[node + 1]]
            entry["children"] = arrays["child_ids"][branches]
            entry["missing_share"] = arrays["missing_share"][branches]
        entry |= {name: arrays[name][node] for name in _SCALARS
                  if arrays[name][node] == arrays[name][node]}  # fmt: skip
        names = ("label", "n_rows", "distribution", "masses")
        nodes.append(entry | {name: arrays[name][node] for name in names})
    return nodes


def _require_version(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"this is no clearwood model: it must say 'format': {FORMAT!r}")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ModelFileError(
            f"version {shown(version)} is newer than this clearwood reads (version {VERSION}); "
            "install a newer clearwood"
        )
    if document.get("evaluation", "hard") in NOT_OFFERED:
        raise ModelFileError(
            f"evaluation is {document['evaluation']!r}, which this clearwood cannot do; "
            "install a newer clearwood"
        )


def _tree(document: Mapping[str, Any]) -> Tree:
    """The tree of a document that fits the schema."""
    classes = _read_classes(document["classes"])
    features = tuple(_read_column(entry, i) for i, entry in enumerate(document["columns"]))
    names = tuple(document["classes"]["names"])
    if len(set(names)) < len(names):
        raise ModelFileError("classes.names must differ")
    if len({feature.name for feature in features}) < len(features):
        raise ModelFileError("columns must have names that differ")
    arrays = _arrays(document["nodes"], len(classes))
    evaluation = json_evaluation.read(document, features)
    own = () if evaluation is None else (document["evaluation"],)
    settings = document.get("settings", {}) | {
        name: document[name] for name in FROM_SETTINGS if name in document and name not in own
    }
    try:
        return Tree(
            **arrays,
            features=features,
            classes=classes,
            class_names=names,
            settings=settings,
            extras={
                name: document[name] for name in ABOUT_NODES if name in document and name not in own
            },
            evaluation=evaluation,
        )
    except InvalidTreeError as error:
        raise ModelFileError(f"nodes: {error}") from None


def _read_classes(classes: Mapping[str, Any]) -> AnyArray:
    labels = classes["labels"]
    try:
        array = np.array(labels, dtype=classes["type"])
    except (ValueError, TypeError, OverflowError):
        array = np.empty(0)
    kinds = [type(label) for label in labels]
    if array.tolist() != labels or [type(label) for label in array.tolist()] != kinds:
        raise ModelFileError(f"classes.labels must all be of type {classes['type']}")
    if len(set(labels)) < len(labels):
        raise ModelFileError("classes.labels must differ")
    return array


def _read_column(column: Mapping[str, Any], place: int) -> Feature:
    try:
        return Feature(
            column["name"], column["kind"], tuple(column.get("levels", ())), column.get("unit")
        )
    except ParameterError as error:
        raise ModelFileError(f"columns[{place}]: {error}") from None


def _arrays(nodes: list[dict[str, Any]], n_classes: int) -> dict[str, Any]:
    for place, node in enumerate(nodes):
        _require_length(node, "masses", n_classes, place)
        _require_length(node, "distribution", n_classes, place)
        _require_length(node, "missing_share", len(node.get("children", ())), place)
    lists: dict[str, Any] = {
        "kind": [KINDS.index(node["kind"]) for node in nodes],
        "column": [node.get("column", -1) for node in nodes],
        "threshold": [node.get("threshold", np.nan) for node in nodes],
        "strict": [node.get("strict", False) for node in nodes],
        "score": [node.get("score", np.nan) for node in nodes],
        "gain": [node.get("gain", np.nan) for node in nodes],
        **{name: [node[name] for node in nodes]
           for name in ("masses", "distribution", "label", "n_rows")},
        **_ragged(nodes, "child_start", "children", "child_ids"),
        **_ragged(nodes, "level_start", "branch_of_level", "level_branch"),
        "missing_share": [share for node in nodes for share in node.get("missing_share", ())],
    }  # fmt: skip
    return {name: np.array(lists[name], dtype) for name, dtype in ARRAYS.items()}


def _ragged(nodes: list[dict[str, Any]], start: str, member: str, name: str) -> dict[str, Any]:
    parts = [node.get(member, ()) for node in nodes]
    return {
        start: np.cumsum([0, *map(len, parts)]),
        name: [entry for part in parts for entry in part],
    }


def _require_length(node: Mapping[str, Any], name: str, length: int, place: int) -> None:
    found = len(node.get(name, ()))
    if found != length:
        raise ModelFileError(f"nodes[{place}].{name} must have {length} entries, has {found}")


def _require_nodes_of_blocks(document: Mapping[str, Any], n_nodes: int) -> None:
    for name in ABOUT_NODES:
        for place, entry in enumerate(document.get(name, ())):
            if entry["node"] >= n_nodes:
                raise ModelFileError(
                    f"{name}[{place}].node must be less than {n_nodes}, got {entry['node']}"
                )


def _require_expected(tree: Tree, rows: list[dict[str, Any]]) -> None:
    """The tree must give the probabilities that were written beside its self-test's rows."""
    names = {feature.name for feature in tree.features}
    for place, entry in enumerate(rows):
        if not names.issuperset(entry["row"]):
            raise ModelFileError(f"self_test[{place}].row names a column that the model lacks")
        if len(entry["probabilities"]) != tree.n_classes:
            raise ModelFileError(
                f"self_test[{place}].probabilities must have {tree.n_classes} entries"
            )
    try:
        found = self_test.probabilities(tree, [entry["row"] for entry in rows])
    except ParameterError as error:
        raise ModelFileError(f"self_test: {error}") from None
    expected = np.array([entry["probabilities"] for entry in rows])
    wrong = ~(abs(found - expected) <= _TOLERANCE).all(axis=1)  # NaN is wrong
    if wrong.any():
        place = int(wrong.argmax())
        raise ModelFileError(
            f"self_test[{place}] fails: the model must give {expected[place].tolist()}, it gives "
            f"{found[place].tolist()}; do not use this file"
        )
