"""The answers of C4.5 release 8: reading them, and comparing a tree with one of them.

Everything is brought to the plain `Node` of the reference before it is compared: the oracle's
nested JSON here, our `Tree` in `test_c45.py`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reference.c45 import MISSING, Cases, Node, Options

OPTION_SETS = {
    "default": Options(),
    "m1_c1": Options(minimum=1, confidence=0.01),
    "m1_c10": Options(minimum=1, confidence=0.10),
    "m1_c25": Options(minimum=1, confidence=0.25),
    "m1_g": Options(minimum=1, gain_only=True),
    "m5": Options(minimum=5),
    "c1": Options(confidence=0.01),
    "c10": Options(confidence=0.10),
    "c25": Options(confidence=0.25),
    "c60": Options(confidence=0.60),
    "g": Options(gain_only=True),
    "s": Options(grouped=True),
    "p": Options(),  # the same trees; the soft bounds belong to another comparison
}


@dataclass(frozen=True)
class Schema:
    """Names in the order of declaration, which decides ties."""

    columns: list[str]
    levels: list[list[str]]
    classes: list[str]

    @classmethod
    def read(cls, path: Path) -> Schema:
        content = json.loads(path.read_text())
        attributes = content["attributes"]
        return cls(
            [attribute["name"] for attribute in attributes],
            [attribute.get("values", []) for attribute in attributes],
            content["classes"],
        )


@dataclass(frozen=True)
class Oracle:
    """One run of the original: options, both trees, their errors, how far they can be trusted."""

    dataset: str
    option_set: str
    options: Options
    schema: Schema
    grown: Node
    pruned: Node
    estimate: float
    grown_errors: int
    pruned_errors: int
    test_errors: tuple[int, int] | None
    grown_is_robust: bool
    pruned_is_robust: bool


def dataset_names(folder: Path) -> list[str]:
    return sorted(
        path.name.removesuffix(".schema.json") for path in folder.glob("data/*.schema.json")
    )


def read_schema(folder: Path, dataset: str) -> Schema:
    return Schema.read(folder / "data" / f"{dataset}.schema.json")


def read_cases(path: Path, schema: Schema) -> Cases:
    """The rows of a CSV file whose last column is the class; `?` is unknown."""
    with path.open(newline="") as lines:
        _, *rows = csv.reader(lines)
    columns = []
    for j, levels in enumerate(schema.levels):
        texts = [row[j] for row in rows]
        if levels:
            code = {level: k for k, level in enumerate(levels)}
            columns.append(np.array([code.get(text, MISSING) for text in texts], dtype=np.int32))
        else:
            columns.append(np.array([np.nan if text == "?" else float(text) for text in texts]))
    classes = np.array([schema.classes.index(row[-1]) for row in rows], dtype=np.int32)
    n_levels = [len(levels) for levels in schema.levels]
    return Cases(columns, n_levels, classes, len(schema.classes))


def training_cases(folder: Path, dataset: str) -> Cases:
    return read_cases(folder / "data" / f"{dataset}.csv", read_schema(folder, dataset))


def test_cases(folder: Path, dataset: str) -> Cases | None:
    path = folder / "data" / f"{dataset}.test.csv"
    return read_cases(path, read_schema(folder, dataset)) if path.exists() else None


test_cases.__test__ = False  # type: ignore[attr-defined]


def read_oracle(folder: Path, dataset: str, option_set: str) -> Oracle:
    content = json.loads((folder / f"{dataset}__{option_set}.json").read_text())
    schema = read_schema(folder, dataset)
    options = OPTION_SETS[option_set]
    if "note" in content:  # the one run that the defect of -s touched
        options = Options(grouped=True, leaking_minimum=True)
    test = content.get("test")
    return Oracle(
        dataset,
        option_set,
        options,
        schema,
        oracle_node(content["tree_unpruned"], schema),
        oracle_node(content["tree"], schema),
        content["pruned"]["estimate"],
        content["unpruned"]["errors"],
        content["pruned"]["errors"],
        (test["unpruned_errors"], test["pruned_errors"]) if test else None,
        content["fp_robust"]["unpruned"],
        content["fp_robust"]["pruned"],
    )


def oracles(folder: Path, option_set: str) -> Iterator[Oracle]:
    for dataset in dataset_names(folder):
        yield read_oracle(folder, dataset, option_set)


def oracle_node(content: dict[str, Any], schema: Schema) -> Node:
    node = Node(
        schema.classes.index(content["class"]),
        content["items"],
        np.array(content["class_dist"]),
        content["errors"],
    )
    if content["type"] == "leaf":
        return node
    node.column = schema.columns.index(content["attribute"])
    node.branches = [oracle_node(branch["node"], schema) for branch in content["branches"]]
    if content["type"] == "threshold":
        node.threshold = content["threshold"]
        return node
    levels = schema.levels[node.column]
    outcomes = [branch["outcome"] for branch in content["branches"]]
    node.is_grouped = content["type"] == "subset"
    named = outcomes if node.is_grouped else [[outcome] for outcome in outcomes]
    node.groups = [sorted(levels.index(level) for level in group) for group in named]
    return node


def kind(node: Node) -> str:
    if node.is_leaf:
        return "leaf"
    return "levels" if node.threshold is None else "cut"


def first_difference(expected: Node, ours: Node, schema: Schema, path: str = "root") -> str | None:
    """Where and how our tree first departs from the expected one, in words; None if it does not."""
    difference = node_difference(expected, ours, schema)
    if difference is not None:
        return f"{path}: {difference}"
    for k, (theirs, mine) in enumerate(zip(expected.branches, ours.branches, strict=True)):
        step = f"{path} > {branch_name(expected, k, schema)}"
        difference = first_difference(theirs, mine, schema, step)
        if difference is not None:
            return difference
    return None


def node_difference(expected: Node, ours: Node, schema: Schema) -> str | None:
    """How two nodes differ, their branches' insides aside."""
    if not close(expected.weight, ours.weight):
        return f"weight {expected.weight:g}, ours {ours.weight:g}"
    if expected.label != ours.label:
        return f"class {schema.classes[expected.label]}, ours {schema.classes[ours.label]}"
    if split_name(expected, schema) != split_name(ours, schema):
        return f"{split_name(expected, schema)}, ours {split_name(ours, schema)}"
    # The original leaves the parent's class weights in an empty leaf and never uses them.
    if expected.weight > 0 and not np.allclose(expected.counts, ours.counts, rtol=1e-4, atol=1e-3):
        return f"class weights {expected.counts}, ours {ours.counts}"
    if expected.is_leaf and not close(expected.errors, ours.errors):
        return f"errors {expected.errors:g}, ours {ours.errors:g}"
    return None


def close(expected: float, ours: float) -> bool:
    """Equal but for single-precision sums of fractional weights."""
    return abs(expected - ours) <= 1e-3 + 1e-4 * abs(expected)


def split_name(node: Node, schema: Schema) -> str:
    if node.is_leaf:
        return "leaf"
    name = schema.columns[node.column]
    if node.threshold is not None:
        return f"{name} <= {np.float32(node.threshold)!s}"
    return f"{name} in " + " | ".join(level_names(node, k, schema) for k in range(len(node.groups)))


def level_names(node: Node, k: int, schema: Schema) -> str:
    return ",".join(schema.levels[node.column][level] for level in sorted(node.groups[k]))


def branch_name(node: Node, k: int, schema: Schema) -> str:
    name = schema.columns[node.column]
    if node.threshold is not None:
        return f"{name} {('<=', '>')[k]} {np.float32(node.threshold)!s}"
    return f"{name} = {level_names(node, k, schema)}"
