"""What the witnesses of a node say of one row, and how it is decided where they disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._typing import FloatArray
from clearwood.tree.conditions import Condition, CutCondition, is_missing, value_text
from clearwood.tree.witnesses import Conflict, Witness, Witnesses, witnesses_of
from clearwood.tree.wording import name_text, number_text, share_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

INDENT = "    "
"""Before each line of what lies inside another."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one witness says of a row.

    Parameters
    ----------
    witness : Witness
        The witness.
    value : object
        The row's value in its column, as it was given.
    branch : int or None
        The branch that it speaks for; None where it abstains, its value being missing or unknown.
    agrees : bool or None
        Whether that is the branch of the node's condition; None where either is not known.
    """

    __test__ = False  # no test of pytest's, whatever its name begins with

    witness: Witness
    value: Any
    branch: int | None
    agrees: bool | None

    def text(self, *, exact: bool = False) -> str:
        """E.g. ``apo_b = 1.3 g/L (>= 1.2)``; ``apo_b = missing`` where it abstains.

        The value is shortened unless `exact`, never across the threshold.
        """
        feature, condition = self.witness.feature, self.witness.condition
        given = f"{name_text(feature.name)} = {value_text(condition, self.value, exact=exact)}"
        if self.branch is None:
            return given if is_missing(self.value) else f"{given}, which is unknown"
        if feature.kind != "numeric" or not isinstance(condition, CutCondition):
            return given
        sign = condition.sign(self.branch ^ self.witness.is_reversed)
        return f"{given} ({sign} {number_text(condition.threshold)})"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one subtree says of a row: its most probable class and the probability of that."""

    label: Any
    class_name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Dispute:
    """Both subtrees of a node were asked.

    Parameters
    ----------
    children : tuple of two int
        The nodes that its branches lead to.
    answers : tuple of two Answer
        What each subtree says.
    answer : Answer
        What comes of both.
    parts : tuple of two float
        The probability that each subtree gives to the class of `answer`.
    votes : tuple of two int
        Votes for each branch: of the witnesses and, where `conflict` is "main", of the condition.
    shares : tuple of two float
        With which each answer counts.
    winner : int or None
        The branch whose answer alone counts; None where both answers are averaged.
    conflict : {"paper", "main", "probability"}
        The rule in force.
    """

    children: tuple[int, int]
    answers: tuple[Answer, Answer]
    answer: Answer
    parts: tuple[float, float]
    votes: tuple[int, int]
    shares: tuple[float, float]
    winner: int | None
    conflict: Conflict


def testimonies(
    tree: Tree, node: int, condition: Condition, value: Any, values: Mapping[int, Any]
) -> tuple[Testimony, ...]:
    """What the witnesses of `node` say of a row with these values, by column."""
    main = condition.branch_of(value)
    columns = {feature.name: column for column, feature in enumerate(tree.features)}
    found = []
    for witness in witnesses_of(tree, node):
        seen = values[columns[witness.feature.name]]
        branch = witness.speaks_for(seen)
        agrees = None if main is None or branch is None else branch == main
        found.append(Testimony(witness, seen, branch, agrees))
    return tuple(found)


def subtree_answers(tree: Tree, shares: FloatArray) -> FloatArray | None:
    """Class probabilities that each subtree gives to a row, by its shares of each node.

    None for a tree without witnesses: it never compares subtrees.
    """
    if not isinstance(tree.evaluation, Witnesses):
        return None
    answers = np.where(tree.is_leaf[:, None], tree.distribution, 0.0)
    parent = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        answers[parent[node]] += shares[node] * answers[node]
    return answers


def dispute(
    tree: Tree,
    node: int,
    main: int | None,
    heard: Sequence[Testimony],
    shares: FloatArray,
    answers: FloatArray,
) -> Dispute | None:
    """What both subtrees of `node` answered; None where all that is known says the same.

    `main` is the branch of the node's condition; `shares` and `answers` are by node.
    """
    said = [testimony.branch for testimony in heard if testimony.branch is not None]
    if main is not None and all(branch == main for branch in said):
        return None
    assert isinstance(tree.evaluation, Witnesses)
    conflict = tree.evaluation.conflict
    voters = [*said, main] if conflict == "main" and main is not None else said
    left, right = tree.children(node).tolist()
    first, second, own = (_answer(tree, answers[asked]) for asked in (left, right, node))
    label = int(answers[node].argmax())
    parts = (float(answers[left, label]), float(answers[right, label]))
    share = (float(shares[left]), float(shares[right]))
    alike = first.class_name == second.class_name
    winner = None if alike or conflict == "probability" else int(share[1] > share[0])
    votes = (voters.count(0), voters.count(1))
    return Dispute((left, right), (first, second), own, parts, votes, share, winner, conflict)


def _answer(tree: Tree, probabilities: FloatArray) -> Answer:
    label = int(probabilities.argmax())
    return Answer(tree.classes[label], tree.class_names[label], float(probabilities[label]))


def told(condition: Condition, value: Any, heard: Sequence[Testimony]) -> str:
    """The rest of a step's line, after the value of the tested column."""
    main = condition.branch_of(value)
    taken = "" if main is None else f": {condition.text(main)}"
    return f"{taken}; {verdict(condition, value, heard)}" if heard else taken


def verdict(condition: Condition, value: Any, heard: Sequence[Testimony]) -> str:
    """How the witnesses of a condition stand to its answer; empty where it has none."""
    if not heard:
        return ""
    return _without_main(heard) if condition.branch_of(value) is None else _count(heard)


def disputed(
    condition: Condition,
    value: Any,
    heard: Sequence[Testimony],
    both: Dispute,
    digits: int | None,
    below: Sequence[Sequence[str]],
) -> Iterator[str]:
    """Further lines of a step where both subtrees are asked; `below`: the steps of each."""
    main = condition.branch_of(value)
    yield from _seen(condition, main, heard, exact=digits is None)
    yield "both sides are asked"
    for branch, answer in enumerate(both.answers):
        words = f"=> {name_text(answer.class_name)} {share_text(answer.probability, digits)}"
        if below[branch]:
            yield f"if {condition.text(branch)}:"
            yield from (f"{INDENT}{line}" for line in (*below[branch], words))
        else:
            yield f"if {condition.text(branch)} {words}"
    yield decided(condition, value, both, digits)


def agreement_text(n: int, n_agree: int, n_missing: int) -> str:
    """E.g. ``3 of 4 witnesses agree``, ``2 of 3 witnesses agree, 1 is missing``; `n` is above 0."""
    if n == 1:
        word = "is missing" if n_missing else "agrees" if n_agree else "disagrees"
        return f"its one witness {word}"
    if n_missing == n:
        return f"{'both' if n == 2 else f'all {n}'} witnesses are missing"
    if n_agree == n:
        return "both witnesses agree" if n == 2 else f"all {n} witnesses agree"
    counted = str(n_agree) if n_agree else "none"
    agree = f"{counted} of {n} witnesses {'agree' if n_agree > 1 else 'agrees'}"
    if n == 2 and n_agree == n_missing == 0:
        return "neither witness agrees"
    missing = f", {n_missing} {'is' if n_missing == 1 else 'are'} missing" if n_missing else ""
    return agree + missing


def _count(heard: Sequence[Testimony]) -> str:
    n_agree = sum(testimony.agrees is True for testimony in heard)
    n_missing = sum(testimony.branch is None for testimony in heard)
    return agreement_text(len(heard), n_agree, n_missing)


def _without_main(heard: Sequence[Testimony]) -> str:
    n_known = sum(testimony.branch is not None for testimony in heard)
    n = len(heard)
    if n == 1:
        return "its one witness is missing too" if n_known == 0 else "its one witness is known"
    if n_known == 0:
        return f"{'both' if n == 2 else f'all {n}'} witnesses are missing too"
    return (
        f"{n_known if n_known else 'none'} of {n} witnesses {'is' if n_known == 1 else 'are'} known"
    )


def _seen(
    condition: Condition, main: int | None, heard: Sequence[Testimony], *, exact: bool
) -> Iterator[str]:
    """What speaks for each branch, that of the condition first, and what is missing."""
    for branch in (0, 1) if main in (0, None) else (1, 0):
        said = [testimony.text(exact=exact) for testimony in heard if testimony.branch == branch]
        if said:
            yield f"{', '.join(said)} {_speak(said)} for {condition.text(branch)}"
    missing = [testimony.text() for testimony in heard if testimony.branch is None]
    if missing:
        yield ", ".join(missing)


def _speak(said: Sequence[str]) -> str:
    return "speaks" if len(said) == 1 else "speak"


def decided(condition: Condition, value: Any, both: Dispute, digits: int | None = 2) -> str:
    """Which answer of the two counts and why, or how they are averaged."""
    main = condition.branch_of(value)
    if both.winner is not None:
        return f"{_vote(main, both)}: {condition.text(both.winner)} counts"
    first, second = both.answers
    alike = first.class_name == second.class_name
    parts = [
        f"{share_text(share, digits)} * {share_text(part, digits)}"
        for share, part in zip(both.shares, both.parts, strict=True)
    ]
    return (
        f"they say {'the same class' if alike else 'different classes'} and are averaged by "
        f"{_weighed_by(main, both)}: {name_text(both.answer.class_name)} {' + '.join(parts)} = "
        f"{share_text(both.answer.probability, digits)}"
    )


def _weighed_by(main: int | None, both: Dispute) -> str:
    """Whose shares they are: training weight votes in the place of a condition that is unknown."""
    if main is not None:
        return "the votes"
    return "votes and training weight" if sum(both.votes) else "training weight"


def _vote(main: int | None, both: Dispute) -> str:
    """Why one side counts, e.g. ``2 votes to 1``."""
    ours, theirs = both.votes if both.winner == 0 else both.votes[::-1]
    if ours != theirs:
        return f"{ours} {'vote' if ours == 1 else 'votes'} to {theirs}"
    tie = f"{ours} votes each" if ours != 1 else "1 vote each"
    if ours == 0:
        tie = "no vote"
    if main is None:
        return f"{tie}, so the side with more of the training weight"
    side = "the side of the value itself" if both.conflict == "main" else "the second side"
    return f"{tie}, a tie that goes to {side}"
