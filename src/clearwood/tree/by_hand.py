"""Writes small trees by hand, for tests and examples.

>>> from clearwood.table.column import Feature
>>> root = cut("ef", 35, leaf([2, 8]), leaf([9, 1]))
>>> print(build(root, [Feature("ef", "numeric", unit="%")], ["well", "ill"]))
Decision tree: 2 leaves, depth 1
all rows: n = 20; well 0.55, ill 0.45
|   ef <= 35 % or missing (0.50) => ill: n = 10; well 0.20, ill 0.80
|   ef > 35 % or missing (0.50) => well: n = 10; well 0.90, ill 0.10
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ColumnNotFound, ParameterError
from clearwood.tree.structure import ARRAYS, KIND_CUT, KIND_LEAF, KIND_LEVELS, NO_BRANCH, Tree

if TYPE_CHECKING:
    from clearwood.table.column import Feature


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sketch:
    """A node on paper: `leaf`, `cut` and `levels` make it, `build` turns it into a tree."""

    kind: int
    children: tuple[Sketch, ...] = ()
    masses: tuple[float, ...] = ()
    distribution: tuple[float, ...] | None = None
    n_rows: int | None = None
    name: str = ""
    threshold: Any = None
    strict: bool = False
    branches: tuple[tuple[Hashable, ...], ...] = field(default=())
    missing: tuple[float, ...] | None = None


def leaf(
    masses: Sequence[float],
    *,
    distribution: Sequence[float] | None = None,
    n_rows: int | None = None,
) -> Sketch:
    """A leaf with the training weight of each class.

    `distribution` is the share of each class by default, and the parent's where no weight came;
    `n_rows` is the whole weight, rounded.
    """
    given = None if distribution is None else tuple(distribution)
    return Sketch(KIND_LEAF, masses=tuple(masses), distribution=given, n_rows=n_rows)


def cut(
    name: str,
    threshold: Any,
    first: Sketch,
    second: Sketch,
    *,
    strict: bool = False,
    missing: Sequence[float] | None = None,
) -> Sketch:
    """A cut; on an ordinal column `threshold` is the last level of the first branch.

    `missing` is the part of a row with a missing value that goes to each branch, by default in
    proportion to their weight.
    """
    return Sketch(
        KIND_CUT,
        (first, second),
        name=name,
        threshold=threshold,
        strict=strict,
        missing=None if missing is None else tuple(missing),
    )


def levels(
    name: str,
    branches: Mapping[Any, Sketch],
    *,
    missing: Sequence[float] | None = None,
) -> Sketch:
    """A condition on the levels of a nominal column: for each label, or tuple of them, a node.

    A level in no branch is treated as missing; a branch of no level is ``()``.
    """
    sets = tuple(key if isinstance(key, tuple) else (key,) for key in branches)
    return Sketch(
        KIND_LEVELS,
        tuple(branches.values()),
        name=name,
        branches=sets,
        missing=None if missing is None else tuple(missing),
    )


def build(
    root: Sketch,
    features: Iterable[Feature],
    classes: Sequence[Any],
    *,
    class_names: Sequence[str] = (),
) -> Tree:
    """The tree of a sketch; masses are summed upward, the rest follows from them."""
    features = tuple(features)
    sketches, parent, below = _numbered(root)
    masses = _masses(sketches, parent, len(classes))
    distribution = _distribution(sketches, parent, masses)
    columns = [_column(sketch, features) for sketch in sketches]
    maps = [_level_map(s, features, c) for s, c in zip(sketches, columns, strict=True)]
    arrays: dict[str, Any] = {
        "kind": [sketch.kind for sketch in sketches],
        "column": columns,
        "threshold": [_threshold(s, features, c) for s, c in zip(sketches, columns, strict=True)],
        "strict": [sketch.strict for sketch in sketches],
        "child_start": np.cumsum([0, *map(len, below)]),
        "child_ids": [child for children in below for child in children],
        "missing_share": _missing_share(sketches, below, masses),
        "level_start": np.cumsum([0, *map(len, maps)]),
        "level_branch": [branch for level_map in maps for branch in level_map],
        "masses": masses,
        "distribution": distribution,
        "label": distribution.argmax(axis=1),
        "score": np.full(len(sketches), np.nan),
        "gain": np.full(len(sketches), np.nan),
        "n_rows": _n_rows(sketches, parent),
    }
    for name, values in arrays.items():
        arrays[name] = np.asarray(values).astype(ARRAYS[name])
    return Tree(
        **arrays,
        features=features,
        classes=np.asarray(classes),
        class_names=tuple(class_names),
    )


def _numbered(root: Sketch) -> tuple[list[Sketch], list[int], list[list[int]]]:
    """The sketches in pre-order, and of each its parent (-1 for the root) and its children."""
    sketches: list[Sketch] = []
    parents: list[int] = []
    below: list[list[int]] = []
    todo = [(root, -1)]
    while todo:
        sketch, parent = todo.pop()
        node = len(sketches)
        if parent >= 0:
            below[parent].append(node)
        todo.extend((child, node) for child in reversed(sketch.children))
        sketches.append(sketch)
        parents.append(parent)
        below.append([])
    return sketches, parents, below


def _masses(sketches: list[Sketch], parent: list[int], n_classes: int) -> FloatArray:
    masses = np.zeros((len(sketches), n_classes))
    for node in range(len(sketches) - 1, -1, -1):
        own = sketches[node].masses
        if sketches[node].kind == KIND_LEAF:
            if len(own) != n_classes:
                raise ParameterError(
                    f"masses of a leaf must have one entry for each of the {n_classes} classes, "
                    f"got {own}"
                )
            masses[node] = own
        if node > 0:
            masses[parent[node]] += masses[node]
    return masses


def _distribution(sketches: list[Sketch], parent: list[int], masses: FloatArray) -> FloatArray:
    total = masses.sum(axis=1)
    distribution = np.full_like(masses, 1 / masses.shape[1])
    reached = total > 0
    distribution[reached] = masses[reached] / total[reached, None]
    for node in (np.flatnonzero(~reached[1:]) + 1).tolist():
        distribution[node] = distribution[parent[node]]
    for node, sketch in enumerate(sketches):
        if sketch.distribution is not None:
            distribution[node] = sketch.distribution
    return distribution


def _missing_share(
    sketches: list[Sketch], below: list[list[int]], masses: FloatArray
) -> list[float]:
    """The shares of all branches, as the sketch says or in proportion to weight."""
    weight = masses.sum(axis=1).tolist()
    shares: list[float] = []
    for node, sketch in enumerate(sketches):
        children = below[node]
        if sketch.missing is not None:
            if len(sketch.missing) != len(children):
                raise ParameterError(
                    f"missing must have one share for each of the {len(children)} branches of "
                    f"{sketch.name!r}, got {sketch.missing}"
                )
            shares += sketch.missing
        elif weight[node] > 0:
            shares += [weight[child] / weight[node] for child in children]
        else:
            shares += [1 / len(children) for _ in children]
    return shares


def _column(sketch: Sketch, features: tuple[Feature, ...]) -> int:
    if sketch.kind == KIND_LEAF:
        return -1
    names = [feature.name for feature in features]
    if sketch.name not in names:
        raise ColumnNotFound(sketch.name, names)
    return names.index(sketch.name)


def _threshold(sketch: Sketch, features: tuple[Feature, ...], column: int) -> float:
    if sketch.kind != KIND_CUT:
        return float("nan")
    if features[column].kind == "ordinal":
        return _code(features[column], sketch.threshold) + 0.5
    return float(sketch.threshold)


def _level_map(sketch: Sketch, features: tuple[Feature, ...], column: int) -> list[int]:
    if sketch.kind != KIND_LEVELS:
        return []
    feature = features[column]
    branch_of = [NO_BRANCH] * feature.n_levels
    for branch, labels in enumerate(sketch.branches):
        for label in labels:
            branch_of[_code(feature, label)] = branch
    return branch_of


def _code(feature: Feature, label: Any) -> int:
    if label not in feature.levels:
        raise ParameterError(
            f"column {feature.name!r} has no level {label!r}; it has {feature.levels}"
        )
    return feature.levels.index(label)


def _n_rows(sketches: list[Sketch], parent: list[int]) -> list[int]:
    n_rows = [0] * len(sketches)
    for node in range(len(sketches) - 1, -1, -1):
        sketch = sketches[node]
        if sketch.kind == KIND_LEAF:
            n_rows[node] = round(sum(sketch.masses)) if sketch.n_rows is None else sketch.n_rows
        if node > 0:
            n_rows[parent[node]] += n_rows[node]
    return n_rows
