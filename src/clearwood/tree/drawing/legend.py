"""What stands above a picture: its title and the key to everything in it, in lines that fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from clearwood.tree.drawing.bands import bands, meaning
from clearwood.tree.drawing.content import has_own_share
from clearwood.tree.drawing.geometry import HEADER, LINE, TEXT
from clearwood.tree.drawing.typeset import broken, cut, text_width
from clearwood.tree.line_words import copies_text, how_decided
from clearwood.tree.witnesses import Witnesses, has_any_witness
from clearwood.tree.wording import class_words

if TYPE_CHECKING:
    from clearwood.tree.drawing.lit import LitRow
    from clearwood.tree.structure import Tree

_NARROWEST = 560.0
_SWATCH, _SPACE, _WIDEST_NAME = 24.0, 18.0, 220.0
_MOST_CLASSES = 12
_MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the key: where, its text, and the class or line that it explains.

    `way` is the share of a row whose line it explains; an answer is that of the row.
    """

    x: float
    y: float
    text: str
    exact: str = ""
    code: int | None = None
    is_missing: bool = False
    is_band: bool = False
    way: float | None = field(default=None, repr=False)
    is_answer: bool = field(default=False, repr=False)

    @property
    def text_x(self) -> float:
        """Where the text begins: behind the swatch, if there is one."""
        return self.x + (_SWATCH if self.has_swatch else 0.0)

    @property
    def has_swatch(self) -> bool:
        """Whether something is drawn before the text."""
        return self.code is not None or self.is_missing or self.is_band or self.way is not None


@dataclass(frozen=True, slots=True)
class Legend:
    """Title and key with their places; sizes in pixels."""

    title: str
    items: tuple[Item, ...]
    width: float
    height: float


def legend(
    tree: Tree, event: int | None, title: str | None, width: float, lit: LitRow | None = None
) -> Legend:
    """The head of a picture that is `width` wide, or a little wider where it must be."""
    n_leaves = tree.n_leaves
    size = f"{n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}, depth {tree.depth}"
    room = max(width, _NARROWEST)
    shown = cut(title or f"Decision tree: {size}", room, HEADER + 3, bold=True)
    items: list[Item] = []
    x, y = 0.0, 14.0 + LINE + 7.0
    if lit is not None:
        items.append(_answer(lit, room, y))
        y += LINE + 7.0
    for item in [*_items(tree, event), *way_items(tree, lit)]:
        needed = item.text_x + text_width(item.text, TEXT)
        if x > 0 and x + needed > room:
            x, y = 0.0, y + LINE + 3.0
        items.append(replace(item, x=x, y=y))
        x += needed + _SPACE
    for sentence in _sentences(tree):
        for line in broken(sentence, room, TEXT, lines=_MOST_LINES):
            y += LINE + 1.0
            items.append(Item(0, y, line))
    return Legend(shown, tuple(items), room, y + 18.0)


def _answer(lit: LitRow, room: float, y: float) -> Item:
    words = cut(lit.answer, room, HEADER, bold=True)
    return Item(0, y, words, exact=lit.answer, is_answer=True)


def way_items(tree: Tree, lit: LitRow | None) -> Iterator[Item]:
    """The lines by which a picture follows a row."""
    if lit is None or tree.n_leaves == 1:
        return
    yield Item(0, 0, f"the way of {lit.name[:1].lower()}{lit.name[1:]}", way=1.0)
    if lit.is_divided:
        yield Item(0, 0, "a part of it, in dashes as long as it is large", way=0.5)
    if lit.has_outvoted:
        yield Item(0, 0, "asked, but outvoted", way=0.0)


def _items(tree: Tree, event: int | None) -> list[Item]:
    found = []
    for code in range(min(tree.n_classes, _MOST_CLASSES)):
        words = class_words(tree, code)
        found.append(Item(0, 0, cut(words, _WIDEST_NAME, TEXT), exact=words, code=code))
    if tree.n_classes > _MOST_CLASSES:
        found.append(Item(0, 0, f"and {tree.n_classes - _MOST_CLASSES} more classes"))
    whose = "of the likeliest class" if event is None else f"of {class_words(tree, event)}"
    found.append(
        Item(0, 0, cut(f"Percent: risk {whose}", 2 * _WIDEST_NAME, TEXT) + " (95 % interval)")
    )
    found.append(Item(0, 0, "n and width of a branch: training weight"))
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    dashed = [has_own_share(tree, node) for node in inner]
    if has_any_witness(tree):
        found.append(Item(0, 0, "+ witnesses: other columns that confirm the first branch"))
    if isinstance(tree.evaluation, Witnesses):
        pass  # sentences say where missing values go
    elif any(dashed):
        words = "" if all(dashed) else "; without dashes it is shared out by the widths"
        found.append(Item(0, 0, f"where a missing value goes{words}", is_missing=True))
    elif inner:
        found.append(Item(0, 0, "A missing value is shared out by the widths"))
    if bands(tree):
        found.append(Item(0, 0, meaning(tree), is_band=True))
    return found


def _sentences(tree: Tree) -> Iterator[str]:
    """What becomes of rows that both branches answer, and why counts add up to more."""
    if not isinstance(tree.evaluation, Witnesses) or tree.n_leaves == 1:
        return
    for words in (how_decided(tree, tree.evaluation.conflict), copies_text(tree)):
        if words:
            yield f"{words[:1].upper()}{words[1:]}."
