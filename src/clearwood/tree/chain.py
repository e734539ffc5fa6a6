"""A decision chain as data: a tree that is a spine, step by step.

Each inner node of a chain has two branches, of which one is a leaf, the carved stratum, and the
other goes on; both branches of the last node are leaves, one carved and one that is left over
("otherwise"). Where carving begins with the lowest risk, as in Park, Ho and Ghosh's alpha-carving
(2018), the carved leaf of the last node is the one with the lower risk; a falling list begins with
the highest risk, and is its mirror.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.tree.conditions import Condition, PossibleLevels, condition_at, narrowed
from clearwood.tree.risk import event_code
from clearwood.tree.witnesses import Witnesses
from clearwood.tree.wording import level_text, name_text, share_text, unit_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

FORMS = ("auto", "tree", "chain")
"""How a tree can be shown; ``auto``: as a chain where its settings say so."""

MARK = "form"
"""The entry of a tree's settings that says ``"chain"`` where it is to be read as one."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainStep:
    """One rule of a chain, or what is left when no rule held.

    Parameters
    ----------
    number : int
        Place in the chain, from 1; the last is "otherwise".
    node : int or None
        The inner node that tests the condition; None: otherwise.
    leaf : int
        The node that the rows of this step end in.
    condition : str
        What holds for the carved rows, e.g. ``heart_rate <= 90`` or ``ward is not ICU``;
        ``otherwise`` for the last.
    missing_carved : float
        Part of a row with a missing value that is carved here; NaN: nothing is looked at.
    carved : ndarray of float, shape (n_classes,)
        Training weight of each class that is carved.
    remaining : ndarray of float, shape (n_classes,)
        Training weight of each class that goes on.
    distribution : ndarray of float, shape (n_classes,)
        Class probabilities that the step gives.
    n_rows : int
        Training rows that are carved, whatever their weight.
    total : float
        Training weight of all rows.
    """

    number: int
    node: int | None
    leaf: int
    condition: str
    missing_carved: float
    carved: FloatArray
    remaining: FloatArray
    distribution: FloatArray
    n_rows: int
    total: float

    @property
    def rule(self) -> str:
        """The name under which charts, tables and pictures know the step, e.g. ``step-3``."""
        return f"step-{self.number}"

    @property
    def is_otherwise(self) -> bool:
        """Whether it is what is left when no rule held."""
        return self.node is None

    @property
    def weight(self) -> float:
        """Training weight that is carved."""
        return float(self.carved.sum())

    @property
    def remaining_weight(self) -> float:
        """Training weight that goes on."""
        return float(self.remaining.sum())

    @property
    def reaching_weight(self) -> float:
        """Training weight that comes to the step."""
        return self.weight + self.remaining_weight

    @property
    def share_carved(self) -> float:
        """The carved part of what comes to the step; NaN where nothing comes."""
        reaching = self.reaching_weight
        return self.weight / reaching if reaching > 0 else float("nan")

    @property
    def missing_text(self) -> str:
        """Where a missing value goes; empty for the last."""
        if self.is_otherwise:
            return ""
        if self.missing_carved == 0:
            return "missing: stays in the chain"
        if self.missing_carved == 1:
            return "missing: carved too"
        return f"missing: {share_text(self.missing_carved)} carved, the rest stays in the chain"


def is_chain(tree: Tree) -> bool:
    """Whether `tree` is a spine: of the two branches of each inner node at least one is a leaf.

    A single leaf is a chain without rules, and a tree of one inner node is a chain of one. A tree
    with witnesses is none: its first rule that holds does not decide alone.
    """
    if isinstance(tree.evaluation, Witnesses):
        return False
    inner = np.flatnonzero(~tree.is_leaf)
    if not (np.diff(tree.child_start)[inner] == 2).all():
        return False
    children = tree.child_ids.reshape(-1, 2)
    return bool(tree.is_leaf[children].any(axis=1).all())


def require_chain(tree: Tree) -> None:
    """Refuses a tree that is no chain.

    Raises
    ------
    ParameterError
        Names the first node that is no step of one.
    """
    if isinstance(tree.evaluation, Witnesses):
        raise ParameterError("a tree with witnesses is no chain: they may overrule its conditions")
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        children = tree.children(node)
        if len(children) != 2 or not tree.is_leaf[children].any():
            what = f"{len(children)} branches" if len(children) != 2 else "two that go on"
            raise ParameterError(
                f"the tree must be a chain, of two branches at each node at least one a leaf; "
                f"node {node} has {what}"
            )


def shown_as_chain(tree: Tree, form: str) -> bool:
    """Whether a tree is to be shown as a chain.

    Raises
    ------
    ParameterError
        `form` is none of ``auto``, ``tree`` and ``chain``, or the tree is no chain and must be
        shown as one.
    """
    if form not in FORMS:
        raise ParameterError(f"form must be one of {', '.join(map(repr, FORMS))}, got {form!r}")
    if form == "chain":
        require_chain(tree)
        return True
    return form == "auto" and tree.settings.get(MARK) == "chain" and is_chain(tree)


def steps(tree: Tree, event: Hashable | None = None) -> tuple[ChainStep, ...]:
    """The steps of a chain in order; the last is "otherwise".

    Parameters
    ----------
    tree : Tree
        A chain.
    event : label, optional
        The class whose risk tells which leaf of the last node is carved; by default that of the
        training, else the last of two. With more classes it is the node's first branch.

    Raises
    ------
    ParameterError
        The tree is no chain, or `event` is no class of it.
    """
    require_chain(tree)
    code = event_code(tree, event)
    found: list[ChainStep] = []
    node = 0
    possible: PossibleLevels = {}
    while not tree.is_leaf[node]:
        branch = _carved_branch(tree, node, code)
        found.append(_step(tree, node, branch, len(found) + 1, possible))
        possible = narrowed(tree, node, 1 - branch, possible)
        node = int(tree.children(node)[1 - branch])
    found.append(_otherwise(tree, node, len(found) + 1))
    return tuple(found)


def is_falling(tree: Tree, code: int | None) -> bool:
    """Whether a chain carves the higher risk of class `code` first; one of one rule does not."""
    if tree.n_leaves < 3 or code is None:
        return False
    first, second = tree.children(0).tolist()
    carved, rest = (first, second) if tree.is_leaf[first] else (second, first)
    return bool(tree.distribution[carved, code] > tree.distribution[rest, code])


LOWER_RISK = "goes on to lower risk"
"""What becomes of a missing value that stays in a falling chain: it is not treated cautiously."""


def goes_to_lower_risk(tree: Tree, code: int | None, every: Sequence[ChainStep]) -> bool:
    """Whether a missing value that stays in the chain goes on to lower risk of class `code`."""
    return is_falling(tree, code) and any(
        step.missing_carved < 1 for step in every if step.node is not None
    )


def condition_words(condition: Condition, branch: int) -> str:
    """`branch` of a condition as a reader says it; one level is named, not put into braces."""
    if condition.feature.kind == "numeric":
        return condition.text(branch)
    codes, others = condition.codes(branch), condition.codes(1 - branch)
    possible = condition.possible
    n_possible = condition.feature.n_levels if possible is None else len(possible)
    if len(codes) == 1:
        sign, code = "is", codes[0]
    elif len(others) == 1 and codes and len(codes) + 1 == n_possible:
        sign, code = "is not", others[0]
    else:
        return condition.text(branch)
    level = _level(condition.feature.levels[code]) + unit_text(condition.feature.unit)
    return f"{name_text(condition.feature.name)} {sign} {level}"


def _level(label: Any) -> str:
    return name_text(label) if isinstance(label, str) else level_text(label)


def _carved_branch(tree: Tree, node: int, code: int | None) -> int:
    """The branch whose leaf is carved; of two leaves the one with the risk that comes next."""
    first, second = tree.children(node).tolist()
    if not (tree.is_leaf[first] and tree.is_leaf[second]):
        return 0 if tree.is_leaf[first] else 1
    if code is None:
        return 0
    rise = tree.distribution[second, code] - tree.distribution[first, code]
    return int(rise > 0) if is_falling(tree, code) else int(rise < 0)


def _step(tree: Tree, node: int, branch: int, number: int, possible: PossibleLevels) -> ChainStep:
    children = tree.children(node).tolist()
    leaf, rest = children[branch], children[1 - branch]
    return ChainStep(
        number=number,
        node=node,
        leaf=leaf,
        condition=condition_words(condition_at(tree, node, possible), branch),
        missing_carved=float(tree.shares(node)[branch]),
        carved=tree.masses[leaf],
        remaining=tree.masses[rest],
        distribution=tree.distribution[leaf],
        n_rows=int(tree.n_rows[leaf]),
        total=float(tree.masses[0].sum()),
    )


def _otherwise(tree: Tree, leaf: int, number: int) -> ChainStep:
    return ChainStep(
        number=number,
        node=None,
        leaf=leaf,
        condition="otherwise",
        missing_carved=float("nan"),
        carved=tree.masses[leaf],
        remaining=np.zeros(tree.n_classes),
        distribution=tree.distribution[leaf],
        n_rows=int(tree.n_rows[leaf]),
        total=float(tree.masses[0].sum()),
    )
