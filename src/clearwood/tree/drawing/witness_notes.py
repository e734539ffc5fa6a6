"""Which witnesses a picture names where: on the cards of a small tree, in notes below a larger one.

What only pointing at a card would tell is lost on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clearwood.tree.drawing.content import NO_BREAK, Content
from clearwood.tree.drawing.geometry import LINE, SMALL
from clearwood.tree.drawing.typeset import broken

_MOST_LEAVES = 8
_MOST_ON_A_CARD = 3
_NARROWEST, _GAP, _HANG, _BETWEEN = 380.0, 26.0, 26.0, 3.0
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a note: its place in pixels, and the number of the note on its first line."""

    x: float
    y: float
    text: str
    number: str = ""

    @property
    def text_x(self) -> float:
        """Where the text begins, behind the number."""
        return self.x + _HANG


@dataclass(frozen=True, slots=True)
class Notes:
    """What stands below a picture; without lines nothing does, and the height is 0."""

    title: str
    lines: tuple[Line, ...]
    height: float


def with_witnesses(contents: Sequence[Content]) -> list[Content]:
    """The same, each with what its card says of its witnesses."""
    is_small = sum(_is_end(content) for content in contents) <= _MOST_LEAVES
    found, number = [], 0
    for content in contents:
        if not content.witnesses:
            found.append(content)
        elif is_small and content.passage is not None and content.passage.lines:
            found.append(content)  # its lines on the row name them
        elif is_small:
            found.append(replace(content, small_print=_named(content.witnesses)))
        else:
            number += 1
            n = len(content.witnesses)
            words = f"+ {n} {'witness' if n == 1 else 'witnesses'}: note {number}"
            found.append(replace(content, small_print=(words,)))
    return found


def notes(contents: Sequence[Content], width: float) -> Notes:
    """The witnesses of every card that refers to a note, in columns that fill `width`."""
    if sum(map(_is_end, contents)) <= _MOST_LEAVES or not any(c.witnesses for c in contents):
        return Notes("", (), 0.0)
    n_columns = max(1, int((width + _GAP) // (_NARROWEST + _GAP)))
    column = (width - (n_columns - 1) * _GAP) / n_columns
    blocks = [broken(text, column - _HANG, SMALL, lines=_MOST_LINES) for text in _texts(contents)]
    heights = [len(block) * LINE + _BETWEEN for block in blocks]
    top, x, y, filled = LINE + 8.0, 0.0, 0.0, 0.0
    lines: list[Line] = []
    for place, (block, height) in enumerate(zip(blocks, heights, strict=True)):
        if filled >= sum(heights) * (1 + x / (column + _GAP)) / n_columns:
            x, y = x + column + _GAP, 0.0
        for at, text in enumerate(block):
            number = "" if at else str(place + 1)
            lines.append(Line(x, top + y + at * LINE + SMALL, text, number))
        y, filled = y + height, filled + height
    bottom = max(line.y for line in lines) + LINE
    return Notes("Witnesses of the first branches, with their agreement:", tuple(lines), bottom)


def _is_end(content: Content) -> bool:
    return content.is_leaf or content.n_hidden > 0


def _named(witnesses: Sequence[str]) -> tuple[str, ...]:
    """One line a witness; of many the strongest, and how many more there are."""
    if len(witnesses) <= _MOST_ON_A_CARD:
        return tuple(f"+ {words}" for words in witnesses)
    shown = [f"+ {words}" for words in witnesses[: _MOST_ON_A_CARD - 1]]
    return (*shown, f"+ {len(witnesses) - len(shown)} more")


def _texts(contents: Sequence[Content]) -> Iterator[str]:
    first = {
        content.parent: content.branch.exact
        for content in reversed(contents)
        if content.branch is not None
    }
    for place, content in enumerate(contents):
        if content.witnesses:
            listed = ", ".join(content.witnesses).replace(" %)", f"{NO_BREAK}%)")
            yield f"{first[place]}: {listed}"
