"""A decision chain as a numbered list of rules, of which the first that holds counts.

::

    Decision chain: 2 rules, the first that holds gives the risk of dead
    a missing value stays in the chain
    1. if heart_rate <= 90 bpm:    risk  2.1 % (10 of 480)
    2. if ward is not ICU:         risk  9.4 % (5 of 53)
    otherwise:                     risk 61 %   (20 of 33)

In brackets stands the training weight of the event and of all rows that came there. Where noise
leaves a threshold uncertain, its band stands behind it, as in a printed tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from clearwood.tree.chain import LOWER_RISK, ChainStep, goes_to_lower_risk, steps
from clearwood.tree.line_words import band_text, outcome, reading
from clearwood.tree.risk import event_code
from clearwood.tree.wording import class_words, name_text, weight_text

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_WIDEST = 64
"""A rule longer than this has its outcome on a line of its own."""
_PERCENT_DIGITS = 2  # by which a percentage has fewer decimals than its share


def chain_text(tree: Tree, n_shown: int, digits: int | None, rest: str) -> str:
    """The first `n_shown` rules of a chain and its "otherwise"; the others as in `to_text`."""
    code = event_code(tree, None)
    every = steps(tree)
    shown = [*every[:-1][:n_shown], every[-1]]
    common = _common_missing(every)
    lines = [_head(tree, len(every) - 1, code), *reading(tree)]
    onward = goes_to_lower_risk(tree, code, every)
    if common:
        goes = common.removeprefix("missing: ")
        lines.append(f"a missing value {goes}{f', and so {LOWER_RISK}' if onward else ''}")
    elif onward:
        lines.append(f"a missing value that stays in the chain {LOWER_RISK}")
    lines += _aligned(
        [_rule(tree, step, len(every) - 1, digits, tell_missing=not common) for step in shown],
        _outcomes(tree, shown, code, digits),
    )
    if n_hidden := len(every) - len(shown):
        told = "1 rule is not shown" if n_hidden == 1 else f"{n_hidden} rules are not shown"
        lines.insert(len(lines) - 1, f"({told}; {rest})" if rest else f"({told})")
    return "\n".join(lines)


def risk_text(share: float, digits: int | None = 2) -> str:
    """A risk in percent: below 10 % with one decimal more; never 0 or 100 of one that is neither.

    `digits` are the decimals of the share; None writes every digit.
    """
    if digits is None:
        exact = format(Decimal(repr(share)).scaleb(_PERCENT_DIGITS).normalize(), "f")
        return f"{exact} %"
    places = max(digits - _PERCENT_DIGITS, 0) + (share < 0.0995)
    text = f"{100 * share:.{places}f}"
    if float(text) == 0 and share > 0:
        return f"<{10.0**-places:.{places}f} %"
    if float(text) == 100 and share < 1:
        return f">{100 - (10.0**-places if places else 1):.{places}f} %"
    return f"{text} %" if share > 0 else "0 %"


def _head(tree: Tree, n_rules: int, code: int | None) -> str:
    what = "class" if code is None else f"risk of {class_words(tree, code, name_text)}"
    if n_rules == 0:
        return f"Decision chain without a rule: one {what} for all"
    if n_rules == 1:
        return f"Decision chain: 1 rule gives the {what}"
    return f"Decision chain: {n_rules} rules, the first that holds gives the {what}"


def _common_missing(every: Sequence[ChainStep]) -> str:
    """What is true of missing values at each step; empty where they differ."""
    told = {step.missing_text for step in every[:-1]}
    return told.pop() if len(told) == 1 else ""


def _rule(
    tree: Tree, step: ChainStep, n_rules: int, digits: int | None, *, tell_missing: bool
) -> str:
    if step.node is None:
        return "otherwise:" if step.number > 1 else "always:"
    band = band_text(tree, step.node, digits)
    missing = f" [{step.missing_text}]" if tell_missing else ""
    number = f"{step.number}.".rjust(len(f"{n_rules}."))
    return f"{number} if {step.condition}{band}{missing}:"


def _outcomes(
    tree: Tree, shown: Sequence[ChainStep], code: int | None, digits: int | None
) -> list[str]:
    if code is None:
        return [outcome(tree, step.leaf, digits).lstrip() for step in shown]
    risks = [risk_text(float(step.distribution[code]), digits) for step in shown]
    return [
        f"risk {risk} ({weight_text(float(step.carved[code]), digits)} of "
        f"{weight_text(step.weight, digits)})"
        for step, risk in zip(shown, _on_the_point(risks), strict=True)
    ]


def _on_the_point(risks: Sequence[str]) -> Iterator[str]:
    """Percentages of one width, whose decimal points stand below one another."""
    numbers = [risk.removesuffix(" %") for risk in risks]
    before = max(len(number.partition(".")[0]) for number in numbers)
    width = max(len(number) - len(number.partition(".")[0]) for number in numbers) + before + 2
    for number in numbers:
        indent = " " * (before - len(number.partition(".")[0]))
        yield f"{indent}{number} %".ljust(width)


def _aligned(rules: Sequence[str], outcomes: Sequence[str]) -> list[str]:
    width = max((len(rule) for rule in rules if len(rule) <= _WIDEST), default=0)
    lines: list[str] = []
    for rule, told in zip(rules, outcomes, strict=True):
        if len(rule) > _WIDEST:
            lines.append(rule)
            rule = ""
        lines.append(f"{rule:<{width}} {told}")
    return lines
