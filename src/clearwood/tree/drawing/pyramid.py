"""A decision chain as a pyramid: a band for each rule, as wide as what is left when it is asked.

It stands on its point: the first rule lies at the top, where all rows are, so that it is read in
the order in which the rules are asked. The parts that stick out of the next band are carved.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any
from zlib import crc32

from clearwood.errors import ParameterError
from clearwood.tree.chain import require_chain
from clearwood.tree.drawing.chain_rows import (
    RULE_SIZE,
    Row,
    chain_title,
    missing_sentence,
    rows,
    whose,
)
from clearwood.tree.drawing.fills import GREY, INK, PALE
from clearwood.tree.drawing.lit import LitRow, lit_row
from clearwood.tree.drawing.lit_marks import LIT, answer_label, frame_line
from clearwood.tree.drawing.marks import escaped, label, px
from clearwood.tree.drawing.risk_axis import TOP_ROOM, RiskAxis
from clearwood.tree.drawing.typeset import FONTS, broken, cut
from clearwood.tree.opened import require_at_least
from clearwood.tree.risk import Risk, event_code

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_TITLE, _TEXT, _SMALL, _LEADING = 15.5, 11.5, 10.5, 14.5
_MARGIN, _GAP, _PADDING = 16.0, 22.0, 6.0
_RULE_WIDTH, _BAND_WIDTH, _AXIS_WIDTH, _RISK_WIDTH = 292.0, 280.0, 130.0, 150.0
_NUMBER_WIDTH = 24.0
_NARROWEST_BAND = 2.0
_MANY = 8
"""More rows than these have the numbers of the axis above them too."""

_BAND_X = _RULE_WIDTH + _GAP
_AXIS_X = _BAND_X + _BAND_WIDTH + _GAP
_RISK_X = _AXIS_X + _AXIS_WIDTH + _GAP
_WIDTH = _RISK_X + _RISK_WIDTH


@dataclass(frozen=True, slots=True)
class _Scale:
    """What is drawn to scale: all rows as the widest band, and risks on their axis."""

    total: float
    risks: RiskAxis

    def width(self, weight: float) -> float:
        """Of a band of this weight."""
        share = weight / self.total if self.total > 0 else 0.0
        return max(_BAND_WIDTH * share, _NARROWEST_BAND)


def to_pyramid(
    tree: Tree,
    *,
    title: str | None = None,
    event: Hashable | None = None,
    max_rules: int | None = 60,
    row: Any = None,
) -> str:
    """A chain as a pyramid.

    Each band is as wide as the training weight that comes to its rule; what is carved there sticks
    out at both sides and is the darker, the higher its risk. Beside it stand the rule, how much it
    carves, and the risk of what is carved: on an axis with Wilson's 95 % interval, and in numbers.
    What is cut short can be read in full by pointing at it.

    Parameters
    ----------
    tree : Tree
        A chain: of the two branches of each inner node at least one is a leaf.
    title : str, optional
        Stands above the picture; by default the number of rules.
    event : label, optional
        The class whose risk is shown; by default that of the training, else the last of two.
    max_rules : int or None
        Draws so many rules from the top, and says how many are left out. None: all.
    row : mapping, Series or 1-d sequence, optional
        A row as `Tree.path` takes it: what takes it is framed, the rules that it does not come to
        are faded, and its answer stands below the title.

    Returns
    -------
    str
        One ``<svg>`` element. Each band is a group with ``data-rule="step-3"``, by which a page
        can light it, and can be reached by keyboard.

    Raises
    ------
    ParameterError
        The tree is no chain, `event` is no class of it or is not told of more than two, or
        `max_rules` is below 1.
    ColumnNotFound, TableError
        `row` is none of this tree; see `Tree.path`.
    """
    require_chain(tree)
    require_at_least("max_rules", max_rules, 1)
    code = event_code(tree, event)
    if code is None:
        names = ", ".join(map(repr, tree.classes.tolist()))
        raise ParameterError(f"event must be named where there are more than two classes: {names}")
    lit = None if row is None else lit_row(tree, row)
    shown, n_hidden = rows(tree, code, _RULE_WIDTH - _NUMBER_WIDTH, max_rules, lit)
    axis = RiskAxis.of([row.risk for row in shown], _AXIS_X, _AXIS_WIDTH)
    scale = _Scale(float(tree.masses[0].sum()), axis)
    head, top = _head(tree, code, title, shown, n_hidden, lit)
    body, bottom = _body(shown, n_hidden, scale, top)
    lines = "".join(axis.drawn(top, bottom, is_long=len(shown) > _MANY))
    return _document(head, body, lines, bottom, shown)


def _head(
    tree: Tree,
    code: int,
    title: str | None,
    shown: tuple[Row, ...],
    n_hidden: int,
    lit: LitRow | None,
) -> tuple[list[str], float]:
    """Title, key and heads of the columns, and where the bands begin."""
    n_rules = len(shown) - 1 + n_hidden
    whole = title or chain_title(n_rules)
    parts = [label(0, 14, cut(whole, _WIDTH, _TITLE, bold=True), _TITLE, bold=True, exact=whole)]
    key = _key(tree, code, shown, lit)
    y = 14.0 + _LEADING + 5.0
    if lit is not None:
        parts.append(answer_label(lit, y, _WIDTH, RULE_SIZE))
        y += _LEADING + 5.0
    for line in broken(key, _WIDTH, _TEXT, lines=4):
        parts.append(label(0, y, line, _TEXT, colour=GREY))
        y += _LEADING
    y += 8.0
    about = f"Risk of {whose(tree, code)}"
    room = _WIDTH - _AXIS_X
    parts += [
        label(0, y, "Rule", _TEXT, bold=True),
        label(
            _BAND_X + _BAND_WIDTH / 2,
            y,
            "All rows" if n_rules == 0 else "Who is left",
            _TEXT,
            bold=True,
            anchor="middle",
        ),
        label(_AXIS_X, y, cut(about, room, _TEXT, bold=True), _TEXT, bold=True, exact=about),
    ]
    return parts, y + 8.0 + (TOP_ROOM if len(shown) > _MANY else 0.0)


def _key(tree: Tree, code: int, shown: tuple[Row, ...], lit: LitRow | None) -> str:
    if shown[-1].step.number == 1:  # no rule
        return f"The line through the risk is its 95 % interval.{_framed(lit)}"
    key = (
        "The first rule that holds decides. A band is as wide as the training weight that comes "
        "to its rule; the parts that stick out are carved there, the darker the higher their "
        "risk; the middle goes on. The line through a risk is its 95 % interval. "
        f"{missing_sentence(tree, code, shown)}"
    )
    return f"{key.rstrip('. ')}.{_framed(lit)}"


def _body(
    shown: tuple[Row, ...], n_hidden: int, scale: _Scale, top: float
) -> tuple[list[str], float]:
    parts, y = [], top
    for row in shown:
        if n_hidden and row.step.is_otherwise:
            words = f"{n_hidden} more rules are not drawn"
            parts.append(label(_NUMBER_WIDTH, y + _LEADING + 2, words, _TEXT, colour=GREY))
            y += 2 * _LEADING
        height = _height(row)
        parts.append(_row(row, scale, y, height))
        y += height
    return parts, y


def _height(row: Row) -> float:
    below = bool(row.carved) + bool(row.missing) + len(_told(row))
    return max(len(row.lines) + below, 2) * _LEADING + 2 * _PADDING


def _row(row: Row, scale: _Scale, y: float, height: float) -> str:
    faded, line = "", ""
    if row.followed is not None:
        faded = ' opacity="0.45"' if row.followed.asked is None else ""
        strong = frame_line(row.followed.carved, "", is_answer=False)
        line = f" {strong}" if strong else ""
    parts = [
        f'<g class="step" role="listitem" tabindex="0" data-rule="{row.step.rule}" '
        f'aria-label="{escaped(row.spoken)}"{faded}><title>{escaped(row.spoken)}</title>',
        f'<rect class="frame" x="-6" y="{px(y)}" width="{px(_WIDTH + 12)}" height="{px(height)}" '
        f'rx="5" fill="none"{line} pointer-events="all"/>',
        *_words(row, y),
        *_band(row, scale, y, height),
        *_risk(row.risk, scale, y + height / 2),
    ]
    middle = y + height / 2
    parts.append(label(_RISK_X, middle - 1, row.risk_text, RULE_SIZE, bold=True))
    parts.append(label(_RISK_X, middle + 13, row.counts, _SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _framed(lit: LitRow | None) -> str:
    """What the key says of frames; empty where no row is followed."""
    if lit is None:
        return ""
    name = f"{lit.name[:1].lower()}{lit.name[1:]}"
    return f" What takes {'a part of ' if lit.is_divided else ''}{name} is framed."


def _told(row: Row) -> tuple[tuple[str, bool], ...]:
    """Lines about the row that is followed, and whether they are bold."""
    if row.followed is None or not row.followed.ending:
        return row.told
    return (*row.told, (row.followed.ending, True))


def _words(row: Row, y: float) -> Iterator[str]:
    base = y + _PADDING + RULE_SIZE - 1.5
    if row.number:
        yield label(_NUMBER_WIDTH - 6, base, row.number, RULE_SIZE, bold=True, anchor="end")
    for line in row.lines:
        yield label(_NUMBER_WIDTH, base, line, RULE_SIZE)
        base += _LEADING
    for line in (row.carved, row.missing):
        if line:
            yield label(_NUMBER_WIDTH, base, line, _SMALL, colour=GREY)
            base += _LEADING
    for line, bold in _told(row):
        yield label(_NUMBER_WIDTH, base, line, _SMALL, bold=bold, colour=LIT)
        base += _LEADING


def _band(row: Row, scale: _Scale, y: float, height: float) -> Iterator[str]:
    """The whole band in the tone of what is carved, and over it the middle that goes on."""
    step = row.step
    whole = scale.width(step.reaching_weight)
    x = _BAND_X + (_BAND_WIDTH - whole) / 2
    box = f'y="{px(y + 1)}" height="{px(height - 2)}"'
    yield (
        f'<rect class="carved" x="{px(x)}" {box} width="{px(whole)}" '
        f'fill="{scale.risks.tone(row.risk.value)}" stroke="{GREY}" stroke-width="0.8"/>'
    )
    if not step.is_otherwise:
        rest = min(scale.width(step.remaining_weight), whole)
        yield (
            f'<rect class="rest" x="{px(_BAND_X + (_BAND_WIDTH - rest) / 2)}" {box} '
            f'width="{px(rest)}" fill="{PALE}" stroke="{GREY}" stroke-width="0.8"/>'
        )


def _risk(at_risk: Risk, scale: _Scale, y: float) -> Iterator[str]:
    """The risk as a dot on its axis, and its interval as a line."""
    if not isnan(at_risk.lower):
        lower, upper = scale.risks.place(at_risk.lower), scale.risks.place(at_risk.upper)
        yield (
            f'<path d="M{px(lower)},{px(y)} H{px(upper)} M{px(lower)},{px(y - 4)} v8 '
            f'M{px(upper)},{px(y - 4)} v8" fill="none" stroke="{INK}" stroke-width="1.2"/>'
        )
    yield (
        f'<circle class="risk" cx="{px(scale.risks.place(at_risk.value))}" cy="{px(y)}" r="4.2" '
        f'fill="{scale.risks.tone(at_risk.value)}" stroke="{INK}" stroke-width="1.2"/>'
    )


def _document(
    head: list[str], body: list[str], axis: str, bottom: float, shown: tuple[Row, ...]
) -> str:
    width, height = _WIDTH + 2 * _MARGIN, bottom + 24.0 + 2 * _MARGIN
    name = f"cw{crc32(repr((head, body)).encode()):08x}-title"
    spoken = "Decision chain without a rule"
    if shown[-1].step.number > 1:
        spoken = f"Decision chain, the first rule that holds decides, {len(shown) - 1} drawn"
    return "\n".join(
        [
            f'<svg class="pyramid" xmlns="http://www.w3.org/2000/svg" width="{px(width)}" '
            f'height="{px(height)}" viewBox="0 0 {px(width)} {px(height)}" role="group" '
            f'aria-labelledby="{name}" font-family="{FONTS}" font-size="{px(_TEXT)}" '
            f'fill="{INK}">',
            f'<title id="{name}">{escaped(spoken)}</title>',
            f'<rect width="{px(width)}" height="{px(height)}" fill="#fff"/>',
            f'<g transform="translate({px(_MARGIN)},{px(_MARGIN)})">',
            *head,
            axis,
            '<g role="list">',
            *body,
            "</g>",
            "</g>",
            "</svg>",
        ]
    )
