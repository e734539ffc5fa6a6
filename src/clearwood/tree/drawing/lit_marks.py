"""How the way of one row is drawn over a picture: told apart by line and dash, in grey too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.tree.drawing.marks import label, px
from clearwood.tree.drawing.typeset import cut

if TYPE_CHECKING:
    from clearwood.tree.drawing.lit import LitRow

LIT = "#0b3d91"
"""The colour of a row's way; dark in grey."""

_WIDEST, _THINNEST = 4.0, 1.6
_PERIOD, _SHORTEST, _GAP = 14.0, 2.0, 2.5
_FADED = ' class="faded" opacity="0.45"'


def way_line(way: str, share: float) -> str:
    """The row's way along a branch: solid, dashed for a part of it, dotted where it is outvoted."""
    width = _WIDEST if share > 0 else 2.0
    pattern = ""
    if 0 < share < 1:
        width = _THINNEST + (_WIDEST - _THINNEST) * share
        inked = min(max(_PERIOD * share, _SHORTEST), _PERIOD - _GAP)
        pattern = f"{px(inked)} {px(_PERIOD - inked)}"
    elif share == 0:
        pattern = "2 4"
    dashed = f' stroke-dasharray="{pattern}"' if pattern else ""
    return (
        f'<path class="way" d="{way}" fill="none" stroke="{LIT}" stroke-width="{px(width)}"'
        f"{dashed}/>"
    )


def group_attributes(is_followed: bool, share: float | None) -> str:
    """Of the group of a card or branch: lit, or faded where a row is followed and is not here."""
    if not is_followed:
        return ""
    return _FADED if share is None else ' class="lit"'


def faded(marks: str, *, unless: bool) -> str:
    """Marks that the row that is followed has no part in."""
    return marks if unless else f"<g{_FADED}>{marks}</g>"


def frame_line(share: float | None, usual: str, *, is_answer: bool) -> str:
    """Attributes of the frame of a card; strong where the row is, strongest where it ends."""
    if not share:
        return usual
    return f'stroke="{LIT}" stroke-width="{3.2 if is_answer else 2.2}"'


def value_dot(x: float, y: float) -> str:
    """The row's value on an axis."""
    return f'<circle cx="{px(x)}" cy="{px(y)}" r="3" fill="{LIT}" stroke="#fff"/>'


def answer_label(lit: LitRow, y: float, width: float, size: float) -> str:
    """The row's answer below the title."""
    words = cut(lit.answer, width, size, bold=True)
    return label(0, y, words, size, bold=True, colour=LIT, exact=lit.answer)


def way_sentence(lit: LitRow | None) -> str:
    """What the key of a chain says of lines and frames; empty where no row is followed."""
    if lit is None:
        return ""
    dashes = "; a line is dashed where it is a part of it" if lit.is_divided else ""
    return f" The strong line is the way of {lit.name[:1].lower()}{lit.name[1:]}{dashes}."
