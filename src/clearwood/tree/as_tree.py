"""One way in for whatever holds a tree: a `Tree`, or a fitted model with a ``tree_``."""

from __future__ import annotations

from typing import Any

from clearwood.tree.structure import Tree


def as_tree(model: Any) -> Tree:
    """The tree of `model`.

    Raises
    ------
    NotFittedError
        A model of clearwood was not fitted yet (scikit-learn's error).
    TypeError
        Where it is neither a `Tree` nor has one as ``tree_``.
    """
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if hasattr(model, "fit") and tree is None:
        if hasattr(model, "_require_fitted"):  # our own models raise what scikit-learn's do
            model._require_fitted()
        raise TypeError(f"{type(model).__name__} has no tree yet; call its fit(X, y) first")
    if tree is not None:
        raise TypeError(
            f"the tree_ of this {type(model).__name__} is a {type(tree).__name__}, "
            "not a clearwood Tree"
        )
    raise TypeError(
        f"expected a clearwood Tree or a fitted clearwood model, got {type(model).__name__}"
    )
