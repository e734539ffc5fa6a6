"""Refuses labels of a model file that contradict what came to their leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.errors import ModelFileError

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_TOLERANCE = 1e-9  # masses that differ by less are a tie, which may go either way


def require_labels(tree: Tree) -> None:
    """The label of a leaf must be a class of largest mass or, of as good a claim, probability."""
    leaves = np.flatnonzero(tree.is_leaf & (tree.masses.sum(axis=1) > 0))
    labels = tree.label[leaves]
    wrong = np.ones(len(leaves), bool)
    for values in (tree.masses[leaves], tree.distribution[leaves]):
        own = values[np.arange(len(leaves)), labels]
        highest = values.max(axis=1, initial=0.0)
        wrong &= own < highest - _TOLERANCE * highest
    if wrong.any():
        node = int(leaves[wrong.argmax()])
        raise ModelFileError(
            f"nodes[{node}].label is {tree.label[node]}, but class "
            f"{int(tree.masses[node].argmax())} has the largest mass in this leaf"
        )
