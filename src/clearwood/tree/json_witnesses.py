"""Witnesses as the block of a model file that is called so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.errors import ModelFileError

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.witnesses import Conflict, Witnesses


def entries(witnesses: Witnesses, features: tuple[Feature, ...]) -> list[dict[str, Any]]:
    """The witnesses of all nodes, one entry each."""
    nodes = np.repeat(np.arange(len(witnesses.start) - 1), np.diff(witnesses.start))
    return [
        {"node": node, "column": column, **pattern, "reversed": is_reversed, "agreement": agreement}
        for node, column, pattern, is_reversed, agreement in zip(
            nodes.tolist(),
            witnesses.column.tolist(),
            _patterns(witnesses, features),
            witnesses.is_reversed.astype(np.bool_).tolist(),
            witnesses.agreement.tolist(),
            strict=True,
        )
    ]


def _patterns(witnesses: Witnesses, features: tuple[Feature, ...]) -> list[dict[str, Any]]:
    return [
        {"level": level} if features[column].is_nominal else {"threshold": value, "strict": True}
        for column, value, level in zip(
            witnesses.column.tolist(),
            witnesses.threshold.tolist(),
            witnesses.level.tolist(),
            strict=True,
        )
    ]


def read(
    document: Mapping[str, Any], features: tuple[Feature, ...], conflict: Conflict
) -> Witnesses:
    """The witnesses of a document that fits the schema.

    Raises
    ------
    ModelFileError
        An entry lacks what its column needs, or names what there is not; it is named.
    """
    from clearwood.tree.witnesses import Witnesses

    listed, n_nodes = document["witnesses"], len(document["nodes"])
    for place, entry in enumerate(listed):
        _require_readable(entry, f"witnesses[{place}]", n_nodes, features)
    listed = sorted(listed, key=lambda entry: entry["node"])  # keeps the order inside a node
    counts = np.bincount(np.array([entry["node"] for entry in listed], np.int64), minlength=n_nodes)
    return Witnesses(
        np.concatenate(([0], np.cumsum(counts))),
        np.array([entry["column"] for entry in listed], np.int32),
        np.array([entry.get("threshold", np.nan) for entry in listed], np.float64),
        np.array([entry.get("level", -1) for entry in listed], np.int32),
        np.array([entry["reversed"] for entry in listed], np.uint8),
        np.array([entry["agreement"] for entry in listed], np.float64),
        conflict,
    )


def _require_readable(
    entry: Mapping[str, Any], where: str, n_nodes: int, features: tuple[Feature, ...]
) -> None:
    for member, limit in (("node", n_nodes), ("column", len(features))):
        if entry[member] >= limit:
            raise ModelFileError(f"{where}.{member} must be less than {limit}, got {entry[member]}")
    is_nominal = features[entry["column"]].is_nominal
    needed, foreign = ("level", "threshold") if is_nominal else ("threshold", "level")
    kind = features[entry["column"]].kind
    for member in (needed, "agreement"):
        if member not in entry:
            raise ModelFileError(f"{where} must have a member {member!r}: its column is {kind}")
    if foreign in entry:
        raise ModelFileError(f"{where} must not have a member {foreign!r}: its column is {kind}")
    if not is_nominal and entry.get("strict") is not True:
        raise ModelFileError(f"{where}.strict must be true: a witness holds below its threshold")
