"""A decision tree as immutable arrays, nodes in pre-order (node 0 is the root).

The arrays and their names are those of ``cpp/include/clearwood/tree.hpp``. Everything that reads a
tree (text, rules, pruners, exports) reads these arrays and cannot know how the tree was grown.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from clearwood._typing import AnyArray, BoolArray, FlagArray, FloatArray, IntArray, RowCounts
from clearwood.tree import validation
from clearwood.tree.frozen import frozen, same

if TYPE_CHECKING:
    from clearwood._core import Predictor
    from clearwood.table.column import Feature
    from clearwood.tree.evaluation import Evaluation
    from clearwood.tree.nodes import Leaves, Nodes
    from clearwood.tree.paths import Path
    from clearwood.tree.rules import Rule

KIND_LEAF, KIND_CUT, KIND_LEVELS = 0, 1, 2
NO_BRANCH = -1

ARRAYS: Mapping[str, DTypeLike] = MappingProxyType(
    {
        "kind": np.int8,
        "column": np.int32,
        "threshold": np.float64,
        "strict": np.uint8,
        "child_start": np.int32,
        "child_ids": np.int32,
        "missing_share": np.float64,
        "level_start": np.int32,
        "level_branch": np.int32,
        "masses": np.float64,
        "distribution": np.float64,
        "label": np.int32,
        "score": np.float64,
        "gain": np.float64,
        "n_rows": np.int64,
    }
)
"""Name and dtype of each array of a tree."""

_PICKLE_VERSION = 1


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tree:
    """A tree: one entry a node in each array, unless said otherwise; all arrays are read-only.

    Arrays that can be written to are copied.

    Parameters
    ----------
    kind : ndarray of int8
        0 leaf, 1 cut, 2 levels.
    column : ndarray of int32
        Tested column, an index into `features`; -1 at a leaf.
    threshold : ndarray of float64
        Of a cut: the first branch takes ``value <= threshold``; NaN elsewhere. On an ordinal
        column the value is the level's code.
    strict : ndarray of uint8
        1 where the first branch takes ``value < threshold``.
    child_start, child_ids : ndarray of int32, shapes (n_nodes + 1,) and (n_nodes - 1,)
        The branches of node i lead to ``child_ids[child_start[i]:child_start[i + 1]]``.
    missing_share : ndarray of float64, as `child_ids`
        Part of the weight of a row with a missing value that goes to this branch.
    level_start, level_branch : ndarray of int32
        ``level_branch[level_start[i]:level_start[i + 1]]`` has the branch of each level code of
        node i; -1, and a level beyond the end, is treated as missing.
    masses : ndarray of float64, shape (n_nodes, n_classes)
        Training weight that reached the node.
    distribution : ndarray of float64, shape (n_nodes, n_classes)
        Class probabilities that the node gives as a leaf.
    label : ndarray of int32
        Class index that the node gives as a leaf.
    score, gain : ndarray of float64
        By which the split was chosen; its impurity gain. NaN at a leaf.
    n_rows : ndarray of int64
        Training rows that reached the node, whatever their weight.
    features : tuple of Feature
        Name, kind, levels and unit of each input column.
    classes : ndarray of shape (n_classes,)
        The labels, as they were given.
    class_names : tuple of str, optional
        How the classes are written; by default their labels as text.
    settings : mapping, optional
        How the tree was grown, and whether it is to be shown as a chain. Equality ignores it.
    extras : mapping, optional
        Further facts about single nodes, by node number, as a model file holds them. Equality
        ignores them, and a rebuilt tree, whose nodes have other numbers, has none.
    evaluation : Soft, Ramps or None, optional
        How rows that are predicted go down; None: a known value takes one branch.

    Raises
    ------
    InvalidTreeError
        Where the arrays are not one tree in pre-order; names the node and the array.
    """

    kind: NDArray[np.int8]
    column: IntArray
    threshold: FloatArray
    strict: FlagArray
    child_start: IntArray
    child_ids: IntArray
    missing_share: FloatArray
    level_start: IntArray
    level_branch: IntArray
    masses: FloatArray
    distribution: FloatArray
    label: IntArray
    score: FloatArray
    gain: FloatArray
    n_rows: RowCounts
    features: tuple[Feature, ...]
    classes: AnyArray
    class_names: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)
    evaluation: Evaluation | None = None

    def __post_init__(self) -> None:
        put = self.__dict__.__setitem__
        for name, dtype in ARRAYS.items():
            put(name, frozen(getattr(self, name), dtype))
        put("classes", frozen(self.classes, None))
        put("features", tuple(self.features))
        names = self.class_names or (str(label) for label in self.classes.tolist())
        put("class_names", tuple(names))
        put("settings", MappingProxyType(dict(self.settings)))
        put("extras", MappingProxyType(dict(self.extras)))
        validation.check(self)

    @classmethod
    def of_core(
        cls,
        arrays: Mapping[str, AnyArray],
        features: tuple[Feature, ...],
        classes: AnyArray,
        **others: Any,
    ) -> Tree:
        """A tree of arrays that the core has just made, or that a valid tree was cut down to.

        They are read-only and one tree by construction, which takes longer to check than a small
        tree to grow; the predictor checks them before it runs. `others` are further parameters.
        """
        tree: Tree = object.__new__(cls)
        nothing: Mapping[str, Any] = MappingProxyType({})
        tree.__dict__.update(arrays, features=features, classes=frozen(classes, None))
        tree.__dict__.update({"settings": nothing, "extras": nothing} | others)
        if "class_names" not in others:
            tree.__dict__["class_names"] = tuple(str(label) for label in classes.tolist())
        return tree

    def arrays(self) -> dict[str, AnyArray]:
        """The arrays of the layout by name, read-only."""
        return {name: getattr(self, name) for name in ARRAYS}

    @property
    def n_nodes(self) -> int:
        """Number of nodes, inner nodes and leaves."""
        return len(self.kind)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def size(self) -> int:
        """Number of leaves."""
        return self.n_leaves

    @property
    def depth(self) -> int:
        """Conditions on the longest path; 0 for a single leaf."""
        return int(self.depth_of.max())

    @cached_property
    def is_leaf(self) -> BoolArray:
        """Which nodes are leaves."""
        return frozen(self.kind == KIND_LEAF, np.bool_)

    @cached_property
    def parent(self) -> IntArray:
        """Parent of each node; -1 for the root."""
        parent = np.full(self.n_nodes, -1, np.int32)
        parent[self.child_ids] = np.repeat(np.arange(self.n_nodes), np.diff(self.child_start))
        return frozen(parent, np.int32)

    @cached_property
    def depth_of(self) -> IntArray:
        """Conditions between the root and each node."""
        ancestor = self.parent.copy()
        depth = (ancestor >= 0).astype(np.int32)
        while (rest := np.flatnonzero(ancestor >= 0)).size:  # doubles the distance in each round
            depth[rest] += depth[ancestor[rest]]
            ancestor[rest] = ancestor[ancestor[rest]]
        return frozen(depth, np.int32)

    @cached_property
    def subtree_end(self) -> IntArray:
        """One past the last node below each node: its subtree ends at ``subtree_end - 1``."""
        end = list(range(1, self.n_nodes + 1))
        for node, parent in zip(
            range(self.n_nodes - 1, 0, -1), self.parent[:0:-1].tolist(), strict=True
        ):
            end[parent] = max(end[parent], end[node])
        return frozen(np.array(end), np.int32)

    def children(self, node: int) -> IntArray:
        """The nodes that the branches of `node` lead to, in branch order; empty at a leaf."""
        return self.child_ids[self.child_start[node] : self.child_start[node + 1]]

    def shares(self, node: int) -> FloatArray:
        """Part of a row with a missing value that goes down each branch of `node`."""
        return self.missing_share[self.child_start[node] : self.child_start[node + 1]]

    def levels(self, node: int) -> IntArray:
        """Branch of each level code at `node`; empty unless it tests a nominal column."""
        return self.level_branch[self.level_start[node] : self.level_start[node + 1]]

    def bottom_up(self) -> range:
        """All nodes, each after every node below it."""
        return range(self.n_nodes - 1, -1, -1)

    def with_evaluation(self, evaluation: Evaluation | None) -> Tree:
        """The same tree, predicting in another way."""
        return replace(self, evaluation=evaluation)

    @cached_property
    def predictor(self) -> Predictor:
        """The core's predictor of this tree; it knows nothing of `evaluation`."""
        from clearwood.tree.predict import predictor

        return predictor(self)

    @property
    def nodes(self) -> Nodes:
        """The nodes as a sequence of small views, in pre-order."""
        from clearwood.tree.nodes import Nodes

        return Nodes(self)

    @property
    def leaves(self) -> Leaves:
        """The leaves as a sequence of small views, in pre-order."""
        from clearwood.tree.nodes import Leaves

        return Leaves(self)

    def predict_proba(self, X: Any) -> FloatArray:
        """Class probabilities of each row of a frame or array; shape (n_rows, n_classes)."""
        from clearwood.tree import predict

        return predict.predict_proba(self, X)

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of each row; of equals the first."""
        from clearwood.tree import predict

        return predict.predict(self, X)

    def apply(self, X: Any) -> IntArray:
        """The leaf of each row; with missing values the leaf with the largest share."""
        from clearwood.tree import predict

        return predict.apply(self, X)

    def rules(self) -> list[Rule]:
        """One rule for each leaf: its path as a short conjunction."""
        from clearwood.tree.rules import rules

        return rules(self)

    def path(self, row: Any) -> Path:
        """The way of one row (mapping, series or 1-d array) from the root to its leaves."""
        from clearwood.tree.paths import path

        return path(self, row)

    def to_text(
        self,
        *,
        max_nodes: int | None = 200,
        max_depth: int | None = None,
        digits: int | None = 2,
        form: str = "auto",
    ) -> str:
        """The tree in words; see `clearwood.tree.text.to_text`."""
        from clearwood.tree.text import to_text

        return to_text(self, max_nodes=max_nodes, max_depth=max_depth, digits=digits, form=form)

    def to_svg(
        self,
        *,
        title: str | None = None,
        event: Hashable | None = None,
        max_nodes: int | None = 150,
        max_depth: int | None = 12,
        form: str = "auto",
        row: Any = None,
    ) -> str:
        """The tree as a picture, with the way of one row; see `clearwood.tree.drawing.to_svg`."""
        from clearwood.tree.drawing import to_svg

        limits = {"max_nodes": max_nodes, "max_depth": max_depth}
        return to_svg(self, title=title, event=event, form=form, row=row, **limits)

    def to_pyramid(
        self, *, title: str | None = None, event: Hashable | None = None, row: Any = None
    ) -> str:
        """A chain as a pyramid; see `clearwood.tree.drawing.pyramid.to_pyramid`."""
        from clearwood.tree.drawing.pyramid import to_pyramid

        return to_pyramid(self, title=title, event=event, row=row)

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.to_svg(max_nodes=80)}</div>'

    def to_json(self) -> str:
        """The tree as a JSON document; see `clearwood.tree.json_form.to_json`."""
        from clearwood.tree.json_form import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str) -> Tree:
        """The tree of a JSON document; see `clearwood.tree.json_form.from_json`."""
        from clearwood.tree.json_form import from_json

        return from_json(text)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Writes a model file that `clearwood.load` reads; refuses to replace one unasked."""
        from clearwood.tree.json_form import save

        save(self, path, overwrite=overwrite)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return (
            f"<Tree: {self.n_leaves} {'leaf' if self.n_leaves == 1 else 'leaves'}, "
            f"depth {self.depth}, {len(self.features)} features, {self.n_classes} classes>"
        )

    def __eq__(self, other: object) -> bool:
        """Equal arrays, features, classes and evaluation; NaN equals NaN."""
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.features == other.features
            and self.class_names == other.class_names
            and np.array_equal(self.classes, other.classes)
            and self.evaluation == other.evaluation
            and all(same(getattr(self, name), getattr(other, name)) for name in ARRAYS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Plain arrays with a version, so that a later layout can still read them."""
        state = self.arrays() | {
            "features": self.features,
            "classes": self.classes,
            "class_names": self.class_names,
            "settings": dict(self.settings),
            "extras": dict(self.extras),
            "evaluation": self.evaluation,
        }
        return _from_pickle, (_PICKLE_VERSION, state)


def _from_pickle(version: int, state: dict[str, Any]) -> Tree:
    if version != _PICKLE_VERSION:
        raise ValueError(
            f"this pickle holds a tree of version {version}, this clearwood reads version "
            f"{_PICKLE_VERSION}; save trees as JSON, which later versions read"
        )
    return Tree(**state)
