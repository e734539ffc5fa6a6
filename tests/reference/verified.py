"""RS-C and RS-V by the letter: every cut of every column, every row, counted anew at each.

Bazan, Bazan-Socha, Buregwa-Czuma, Pardel and Sokolowska (2014), V-decision trees; here RS-C is
the tree without witnesses. A cut is strict: its first branch takes ``value < cut``, the second the
rest; a level is taken against all others. Where the paper is silent:

- A column with missing values is known on a mass F of the node's n: it is chosen by
  ``pairs * F / n``, pairs among its known rows. A row that lacks the main column goes to both
  branches.
- A witness is counted on rows known on both columns, and its cuts are midpoints between their
  values. It abstains where its column is missing.
- Pairs are weighted by the product of their weights, and `max_dup_fraction` is a part of the node's
  mass: a row of weight two is two rows. Rows without a main value do not count as copies.
- `max_nodes` is spent breadth first: a node stays a leaf if its two branches no longer fit in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from reference.tree import MISSING, Array, Rows

UNKNOWN = -1
YES, NO = 1, 0


@dataclass(frozen=True)
class Options:
    """How to grow; names as of the estimator, `max_dup_fraction` None for any."""

    n_verifiers: int = 3
    agreement: float = 0.9
    orientation: str = "both"
    disagreement: str = "any"
    min_purity: float = 1.0
    max_depth: int = 50
    max_nodes: int = 100_000
    max_dup_fraction: float | None = 0.5


@dataclass(frozen=True, order=True)
class Condition:
    """``value < cut``, or ``value == cut`` of a level code; mirrored: the opposite of that."""

    column: int
    cut: float
    is_level: bool = False
    is_mirrored: bool = False

    def answers(self, values: Array) -> Array:
        """YES, NO or UNKNOWN of each value."""
        is_unknown = values == MISSING if self.is_level else np.isnan(values)
        holds = values == self.cut if self.is_level else values < self.cut
        return np.where(is_unknown, UNKNOWN, np.asarray(holds) != self.is_mirrored)


@dataclass(frozen=True)
class Witness:
    """A condition and the share of the main condition's pairs that it discerns the same way."""

    condition: Condition
    score: float


@dataclass
class Node:
    """A leaf unless `main` is set; `first_share` is the part of the known mass where it holds."""

    rows: Array
    masses: Array
    depth: int = 0
    main: Condition | None = None
    witnesses: list[Witness] = field(default_factory=list)
    first_share: float = np.nan
    first: Node | None = None
    second: Node | None = None

    def preorder(self) -> Iterator[Node]:
        yield self
        for branch in (self.first, self.second):
            if branch is not None:
                yield from branch.preorder()


def pairs_apart(first: Array, second: Array) -> float:
    """Pairs of different classes with one member in each part, by the class masses of the parts."""
    classes = range(len(first))
    return float(sum(first[k] * second[j] for k in classes for j in classes if k != j))


def conditions(rows: Rows, column: int, is_known: Array) -> Iterator[Condition]:
    """Every cut at a midpoint of known values, or every level, from the lowest."""
    present = [float(value) for value in np.unique(rows.columns[column][is_known])]
    if rows.n_levels[column]:
        if len(present) > 1:
            yield from (Condition(column, level, is_level=True) for level in present)
        return
    for lower, upper in pairwise(present):
        middle = lower + (upper / 2 - lower / 2)
        yield Condition(column, middle if middle > lower else upper)


def known(rows: Rows, column: int) -> Array:
    values = rows.columns[column]
    is_known: Array = values != MISSING if rows.n_levels[column] else ~np.isnan(values)
    return is_known


def discerned(rows: Rows, condition: Condition) -> float:
    """Dis: pairs of different classes that the condition parts, among rows known on its column."""
    answers = condition.answers(rows.columns[condition.column])
    return pairs_apart(rows.masses(answers == YES), rows.masses(answers == NO))


def best_condition(rows: Rows) -> Condition | None:
    """The most discerned pairs, scaled; ties go to the lowest column, then to the lowest cut."""
    best, best_pairs = None, 0.0
    for column in range(len(rows.columns)):
        is_known = known(rows, column)
        for condition in conditions(rows, column, is_known):
            pairs = discerned(rows, condition) * rows.weights[is_known].sum() / rows.weights.sum()
            if pairs > best_pairs:
                best, best_pairs = condition, pairs
    return best


def agreement(rows: Rows, main: Condition, other: Condition) -> float:
    """A of a plain condition and M of a mirrored one, over Dis of the main condition.

    Pairs that both part, with the same member on the yes side of both.
    """
    of_main = main.answers(rows.columns[main.column])
    of_other = other.answers(rows.columns[other.column])
    both_yes = rows.masses((of_main == YES) & (of_other == YES))
    both_no = rows.masses((of_main == NO) & (of_other == NO))
    return pairs_apart(both_yes, both_no) / discerned(rows, main)


def witnesses_of(rows: Rows, main: Condition, options: Options) -> list[Witness]:
    """The best witness of each other column if it agrees enough; of these the best few.

    Ties within a column go to the lower cut, then to the plain orientation; among columns to the
    lower one.
    """
    turns = (False,) if options.orientation == "same" else (False, True)
    found = []
    for column in range(len(rows.columns)):
        if column == main.column:
            continue
        is_known = known(rows, column) & known(rows, main.column)
        tried = [
            Condition(column, plain.cut, plain.is_level, is_mirrored)
            for plain in conditions(rows, column, is_known)
            for is_mirrored in turns
        ]
        scored = [Witness(condition, agreement(rows, main, condition)) for condition in tried]
        best = max(scored, key=lambda witness: witness.score, default=None)  # the first of equals
        if best is not None and best.score > options.agreement:
            found.append(best)
    found.sort(key=lambda witness: (-witness.score, witness.condition.column))
    return found[: options.n_verifiers]


def contradicted(rows: Rows, main: Condition, witnesses: list[Witness], disagreement: str) -> Array:
    """Which rows any (or all) of the witnesses that know them send the other way than `main`."""
    of_main = main.answers(rows.columns[main.column])
    result = np.zeros(len(of_main), bool)
    for row in np.flatnonzero(of_main != UNKNOWN):
        votes = [
            vote
            for witness in witnesses
            if (vote := witness.condition.answers(rows.columns[witness.condition.column])[row])
            != UNKNOWN
        ]
        against = [vote != of_main[row] for vote in votes]
        result[row] = any(against) if disagreement == "any" else bool(against) and all(against)
    return result


def sides(rows: Rows, main: Condition, is_contradicted: Array) -> tuple[Array, Array]:
    """Which rows go to the first branch and which to the second; some go to both."""
    of_main = main.answers(rows.columns[main.column])
    to_both = is_contradicted | (of_main == UNKNOWN)
    return (of_main == YES) | to_both, (of_main == NO) | to_both


def separation(rows: Rows, first: Array, second: Array) -> float:
    """sep: pairs of different classes of which each branch has one member alone."""
    return pairs_apart(rows.masses(first & ~second), rows.masses(second & ~first))


def kept_witnesses(rows: Rows, main: Condition, options: Options) -> list[Witness]:
    """Witnesses, without the weakest while the branches make no progress or copy too much."""
    witnesses = witnesses_of(rows, main, options)
    while witnesses:
        is_copied = contradicted(rows, main, witnesses, options.disagreement)
        copied = rows.weights[is_copied].sum() / rows.weights.sum()
        is_too_much = options.max_dup_fraction is not None and copied > options.max_dup_fraction
        if separation(rows, *sides(rows, main, is_copied)) > 0 and not is_too_much:
            break
        witnesses = witnesses[:-1]
    return witnesses


def grow(rows: Rows, options: Options | None = None) -> Node:
    """The tree; every node knows the numbers of its rows."""
    options = options or Options()
    everything = np.arange(len(rows.classes))
    root = Node(everything, rows.masses(everything))
    n_nodes, waiting = 1, deque([root])
    while waiting:
        node = waiting.popleft()
        part = rows.part(node.rows, rows.weights[node.rows])
        is_pure = node.masses.max() >= options.min_purity * node.masses.sum()
        if is_pure or node.depth >= options.max_depth or n_nodes + 2 > options.max_nodes:
            continue
        main = best_condition(part)
        if main is None:
            continue
        split(node, rows, part, main, options)
        n_nodes += 2
        waiting.extend(branch for branch in (node.first, node.second) if branch is not None)
    return root


def split(node: Node, rows: Rows, part: Rows, main: Condition, options: Options) -> None:
    """Gives the node its conditions and its two branches."""
    node.main = main
    node.witnesses = kept_witnesses(part, main, options)
    of_main = main.answers(part.columns[main.column])
    holds, fails = part.weights[of_main == YES].sum(), part.weights[of_main == NO].sum()
    node.first_share = float(holds / (holds + fails))
    is_copied = contradicted(part, main, node.witnesses, options.disagreement)
    node.first, node.second = (
        Node(node.rows[side], rows.masses(node.rows[side]), node.depth + 1)
        for side in sides(part, main, is_copied)
    )


@dataclass(frozen=True)
class Ballot:
    """What a node asks of a row: whether `main` holds (None: missing), and the witnesses' votes."""

    main: bool | None
    n_yes: int
    n_votes: int
    first_share: float

    @property
    def only_branch(self) -> int | None:
        """0 or 1 where nobody contradicts the main condition."""
        if self.main is True and self.n_yes == self.n_votes:
            return 0
        if self.main is False and self.n_yes == 0:
            return 1
        return None

    def winner(self, conflict: str) -> int:
        """The branch that is followed where the two give different classes."""
        n_yes, n_no = self.n_yes, self.n_votes - self.n_yes
        if self.main is None:
            tie = 0 if self.first_share >= 0.5 else 1
        elif conflict == "main":
            n_yes, n_no = n_yes + self.main, n_no + (not self.main)
            tie = 0 if self.main else 1
        else:
            tie = 1
        return tie if n_yes == n_no else 0 if n_yes > n_no else 1

    @property
    def first_vote(self) -> float:
        """v: part of the votes, the main condition's among them, for the first branch."""
        own = self.first_share if self.main is None else float(self.main)
        return (self.n_yes + own) / (self.n_votes + 1)


def ballot(node: Node, row: Array) -> Ballot:
    """The votes on a row of numbers and level codes."""
    assert node.main is not None
    of_main = int(node.main.answers(row[node.main.column]))
    votes = [int(w.condition.answers(row[w.condition.column])) for w in node.witnesses]
    cast = [vote for vote in votes if vote != UNKNOWN]
    holds = None if of_main == UNKNOWN else of_main == YES
    return Ballot(holds, sum(cast), len(cast), node.first_share)


def classify(node: Node, row: Array, conflict: str = "paper") -> int:
    """The class of a row (G.4); `conflict` is paper, main or probability."""
    if conflict == "probability":
        return int(np.argmax(probabilities(node, row, conflict)))
    if node.first is None or node.second is None:
        return int(np.argmax(node.masses))
    votes = ballot(node, row)
    branches = (node.first, node.second)
    if votes.only_branch is not None:
        return classify(branches[votes.only_branch], row, conflict)
    answers = [classify(branch, row, conflict) for branch in branches]
    return answers[votes.winner(conflict)]


def probabilities(node: Node, row: Array, conflict: str = "paper") -> Array:
    """Class probabilities of a row; the first of the largest is the class that `classify` gives."""
    if node.first is None or node.second is None:
        shares: Array = node.masses / node.masses.sum()
        return shares
    votes = ballot(node, row)
    branches = (node.first, node.second)
    if votes.only_branch is not None:
        return probabilities(branches[votes.only_branch], row, conflict)
    answers = [probabilities(branch, row, conflict) for branch in branches]
    v = votes.first_vote
    is_agreed = np.argmax(answers[0]) == np.argmax(answers[1])
    if conflict == "probability" or is_agreed:
        mixed: Array = v * answers[0] + (1 - v) * answers[1]
        return mixed
    return answers[votes.winner(conflict)]
