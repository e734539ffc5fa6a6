"""What a picture of a chain says in each of its rows, before anything has a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clearwood.tree.chain import LOWER_RISK, ChainStep, goes_to_lower_risk, steps
from clearwood.tree.chain_text import risk_text
from clearwood.tree.conditions import Condition, condition_at
from clearwood.tree.drawing.bands import bands
from clearwood.tree.drawing.content import branch_text, level_words
from clearwood.tree.drawing.lit import said
from clearwood.tree.drawing.typeset import broken
from clearwood.tree.risk import Risk, percent, risk
from clearwood.tree.wording import class_words, plain_name, weight_text

if TYPE_CHECKING:
    from clearwood.tree.drawing.lit import LitRow
    from clearwood.tree.structure import Tree

RULE_SIZE = 12.5
"""Font size of a rule in pixels."""
_LINES, _NAME_LINES, _VALUE_LINES = 3, 2, 2
_TOLD_SIZE = 10.5


@dataclass(frozen=True, slots=True)
class Followed:
    """What one row does at a step of a chain.

    Parameters
    ----------
    asked, carved, onward : float or None
        The part of the row that comes to the question, that its leaf takes, and that goes on;
        None: nothing.
    told : tuple of (str, bool)
        Lines in the question's box, and whether they are bold.
    ending : str
        What is said at the leaf.
    """

    asked: float | None
    carved: float | None
    onward: float | None
    told: tuple[tuple[str, bool], ...] = ()
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One step of a chain in words.

    Parameters
    ----------
    step : ChainStep
        The step.
    number : str
        E.g. ``3.``; "otherwise" has the last, as in tables and curves.
    lines : tuple of str
        The rule as it fits.
    exact : str
        The whole rule.
    carved : str
        How much is carved, or left at the end.
    missing : str
        Where a missing value goes; empty where all steps of the chain say the same.
    risk : Risk
        That of the event, or of the step's class.
    risk_text : str
        The same in percent, with its interval.
    counts : str
        Events of all rows, e.g. ``10 of 480``.
    spoken : str
        The row as a sentence.
    followed : Followed or None
        What the row of a table does here that is followed; None: none is.
    """

    step: ChainStep
    number: str
    lines: tuple[str, ...]
    exact: str
    carved: str
    missing: str
    risk: Risk
    risk_text: str
    counts: str
    spoken: str
    followed: Followed | None = None

    @property
    def told(self) -> tuple[tuple[str, bool], ...]:
        """Lines about the row that is followed; none where none is."""
        return () if self.followed is None else self.followed.told

    @property
    def takes(self) -> tuple[bool, bool]:
        """Whether its leaf and its way on are to be seen well.

        They are unless a row is followed that comes to its question and takes the other.
        """
        if self.followed is None or self.followed.asked is None:
            return True, True
        return self.followed.carved is not None, self.followed.onward is not None


def rows(
    tree: Tree, code: int | None, width: float, n_rules: int | None, lit: LitRow | None = None
) -> tuple[tuple[Row, ...], int]:
    """The first `n_rules` rules and "otherwise", as wide as `width`, and how many are left out."""
    event = None if code is None else tree.classes.tolist()[code]
    every = steps(tree, event)
    shown = [*every[:-1][:n_rules], every[-1]]
    differs = len({step.missing_text for step in every[:-1]}) > 1
    around = {node: band.text for node, band in bands(tree).items()}
    found = [_row(tree, step, code, width, differs, around) for step in shown]
    if lit is not None:
        found = [replace(row, followed=_followed(tree, row.step, lit, width)) for row in found]
    return tuple(found), len(every) - len(shown)


def _followed(tree: Tree, step: ChainStep, lit: LitRow, width: float) -> Followed:
    carved = lit.passages.get(step.leaf)
    share, ending = (carved.share, carved.lines[0]) if carved else (None, "")
    if step.node is None:
        return Followed(share, share, None, (), ending)
    asked = lit.passages.get(step.node)
    children = tree.children(step.node).tolist()
    onward = lit.passages.get(children[1 - children.index(step.leaf)])
    told = said(asked.lines, width, _TOLD_SIZE) if asked else ()
    return Followed(
        asked.share if asked else None, share, onward.share if onward else None, told, ending
    )


def chain_title(n_rules: int) -> str:
    """What a picture of a chain is called that has no other name."""
    if n_rules == 0:
        return "Decision chain without a rule"
    return f"Decision chain: {'1 rule' if n_rules == 1 else f'{n_rules} rules'}"


def missing_sentence(tree: Tree, code: int | None, every: Sequence[Row]) -> str:
    """What the key says of missing values that is not said by each row for itself."""
    told = {row.step.missing_text for row in every if row.step.node is not None}
    onward = goes_to_lower_risk(tree, code, [row.step for row in every])
    if len(told) != 1:
        return f"A missing value that stays in the chain {LOWER_RISK}" if onward else ""
    sentence = f"A missing value {told.pop().removeprefix('missing: ')}"
    return f"{sentence}, and so {LOWER_RISK}" if onward else sentence


def counted_sentence(every: Sequence[Row]) -> str:
    """Which of “yes” and “no” counts the rows whose value is missing; empty without a rule."""
    carved = {row.step.missing_carved for row in every if row.step.node is not None}
    if not carved:
        return ""
    if carved == {0.0}:
        return " “No” counts the rows whose value is missing too."
    if carved == {1.0}:
        return " “Yes” counts the rows whose value is missing too."
    return " Rows whose value is missing are counted where they go."


def whose(tree: Tree, code: int | None) -> str:
    """Whose risk is told."""
    return "the likeliest class" if code is None else class_words(tree, code)


def in_words(condition: Condition, branch: int) -> tuple[str, str]:
    """A branch of a condition as a picture says it, e.g. ``ward`` and ``is not ICU``."""
    name = plain_name(condition.feature.name)
    if condition.feature.kind == "numeric":
        return name, branch_text(condition, branch)
    codes, others = condition.codes(branch), condition.codes(1 - branch)
    n_possible = (
        condition.feature.n_levels if condition.possible is None else len(condition.possible)
    )
    if len(codes) > 1 and len(others) == 1 and len(codes) + 1 == n_possible:
        unit = f" {condition.feature.unit}" if condition.feature.unit else ""
        return name, f"is not {level_words(condition.feature.levels[others[0]])}{unit}"
    return name, f"{'is' if len(codes) == 1 else 'in'} {branch_text(condition, branch)}"


def _row(
    tree: Tree,
    step: ChainStep,
    code: int | None,
    width: float,
    differs: bool,
    around: dict[int, str],
) -> Row:
    name, value = _rule(tree, step, around)
    exact, lines = f"{name} {value}".strip(), _fitted(name, value, width)
    shown = int(tree.label[step.leaf]) if code is None else code
    at_risk = risk(tree, step.leaf, shown)
    counts = f"{count_text(float(step.carved[shown]))} of {count_text(step.weight)}"
    told = _risk_text(at_risk)
    if code is None:
        told = f"{class_words(tree, shown)}: {told}"
    number = f"{step.number}."
    missing = step.missing_text
    return Row(
        step=step,
        number=number,
        lines=lines,
        exact=exact,
        carved=_carved(step),
        missing=missing if differs else "",
        risk=at_risk,
        risk_text=told,
        counts=counts,
        spoken=", ".join(
            part
            for part in (f"{number} {exact}: risk {told}", counts, _carved(step), missing)
            if part
        ).strip(),
    )


def _rule(tree: Tree, step: ChainStep, around: dict[int, str]) -> tuple[str, str]:
    """Name and value of a rule; the value has the band of its threshold behind it."""
    if step.node is None:
        return ("otherwise" if step.number > 1 else "always"), ""
    branch = tree.children(step.node).tolist().index(step.leaf)
    name, value = in_words(condition_at(tree, step.node), branch)
    return name, f"{value} [{around[step.node]}]" if step.node in around else value


def _fitted(name: str, value: str, width: float) -> tuple[str, ...]:
    """A rule in lines; where it is too long, a long name gives way before a threshold does."""
    lines = broken(f"{name} {value}", width, RULE_SIZE, lines=_LINES)
    short = broken(name, width, RULE_SIZE, lines=_NAME_LINES)
    if len(short) < _NAME_LINES or not lines[-1].endswith("…"):
        return tuple(lines)
    return (*short, *broken(value, width, RULE_SIZE, lines=_VALUE_LINES))


def _carved(step: ChainStep) -> str:
    """E.g. ``carves 480 of 913 (53 %)``; of the last what is left of all."""
    word, whole = ("left: ", step.total) if step.is_otherwise else ("carves ", step.reaching_weight)
    share = f" ({percent(step.weight / whole)})" if whole > 0 else ""
    return f"{word}{count_text(step.weight)} of {count_text(whole)}{share}"


def _risk_text(at_risk: Risk) -> str:
    """E.g. ``2.1 % (1.1–3.8)``; the interval has the decimals of the risk."""
    told = risk_text(at_risk.value)
    if at_risk.lower != at_risk.lower:
        return told
    places = 1 if at_risk.value < 0.0995 else 0
    return f"{told} ({100 * at_risk.lower:.{places}f}–{100 * at_risk.upper:.{places}f})"


def count_text(weight: float) -> str:
    """A weight, whole unless it is small."""
    return weight_text(weight, 1 if weight < 100 else 0)
