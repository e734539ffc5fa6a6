"""Random trees over given features, with cuts at given values; drawn through `by_hand`."""

import numpy as np

from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels

LABELS = ("a", "b, c", 'd "e"', "", "missing", "f:g", "h\ni")
ORDER = ("low", "mid", "high", "top")
FEATURES = (
    Feature("x", "numeric", unit="mL/min/1.73 m²"),
    Feature('x<y "1"', "numeric"),
    Feature("site", "nominal", LABELS),
    Feature("stage", "ordinal", ORDER, unit="or"),
    Feature("flag", "nominal", (False, True)),
)


def random_tree(rng, values, n_inner=8, n_classes=3):
    """A tree of `n_inner` inner nodes; numeric cuts lie at `values`, some of them strict."""
    nodes = [random_leaf(rng, n_classes) for _ in range(n_inner + 1)]
    while len(nodes) > 1:
        take = [nodes.pop(rng.integers(len(nodes))) for _ in range(2)]
        nodes.append(random_split(rng, values, take, n_classes))
    return build(nodes[0], FEATURES, list(range(n_classes)))


def random_leaf(rng, n_classes):
    return leaf(rng.integers(0, 4, n_classes) * rng.choice([1.0, 1 / 3]))


def random_split(rng, values, take, n_classes):
    feature = FEATURES[rng.integers(len(FEATURES))]
    missing = rng.dirichlet([0.5, 0.5]) if rng.random() < 0.7 else [1.0, 0.0]
    if feature.kind == "numeric":
        strict = bool(rng.random() < 0.5)
        return cut(feature.name, rng.choice(values), *take, strict=strict, missing=missing)
    if feature.kind == "ordinal":
        return cut(feature.name, ORDER[rng.integers(len(ORDER) - 1)], *take, missing=missing)
    parts = random_level_sets(rng, feature.levels)
    nodes = [*take, random_leaf(rng, n_classes)][: len(parts)]
    missing = rng.dirichlet(np.full(len(parts), 0.5))
    return levels(feature.name, dict(zip(parts, nodes, strict=True)), missing=missing)


def random_level_sets(rng, labels):
    """Two or three sets of labels, one of them perhaps empty; some labels may be in none."""
    while True:
        branch = rng.integers(-1, 3, len(labels))
        parts = {
            tuple(label for label, b in zip(labels, branch, strict=True) if b == wanted)
            for wanted in range(3)
        }
        if len(parts) > 1:
            return sorted(parts, key=str)


def random_row(rng, values):
    """A row by column name and the same row as the core codes it; a fifth is missing."""
    row, coded = {}, []
    for feature in FEATURES:
        if rng.random() < 0.2:
            row[feature.name] = None
            coded.append(-1.0 if feature.is_nominal else np.nan)
        elif feature.kind == "numeric":
            at = rng.choice(values)
            near = rng.choice([at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf)])
            row[feature.name] = float(near)
            coded.append(float(near))
        else:
            code = int(rng.integers(feature.n_levels))
            row[feature.name] = feature.levels[code]
            coded.append(float(code))
    return row, coded
