"""Where everything lies: a column of cards for each level, the words of a branch between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clearwood.tree.drawing.content import Content
from clearwood.tree.drawing.lit import said
from clearwood.tree.drawing.placement import centres
from clearwood.tree.drawing.typeset import broken, cut, text_width

HEADER, TEXT, SMALL = 12.5, 11.5, 10.5
"""Font sizes in pixels."""
LINE = 14.5
PADDING = 7.0
BAR_HEIGHT = 9.0
AXIS_WIDTH = 54.0
"""Least width of the axis on which the band around a threshold lies."""
ACCENT = 8.0
"""Width of the strip that shows a leaf's class."""
_WIDEST_HEADER, _WIDEST_RISK, _WIDEST_BRANCH = 140.0, 160.0, 112.0
_WIDEST_SMALL_PRINT, _WIDEST_ROW_LINE = 205.0, 260.0
_MOST_LINES = 3
_FAN, _GAP, _SPACE = 26.0, 9.0, 6.0
_WIDEST_EDGE, _THINNEST_EDGE = 16.0, 1.2


@dataclass(frozen=True, slots=True)
class Card:
    """A node's box: its top left corner, size, and the texts as they fit.

    Parameters
    ----------
    content : Content
        What it says.
    header : tuple of str
        Lines of the header.
    risk_text : str
        As it fits.
    small_print : tuple of str
        Lines as they fit.
    x, y, width, height : float
        In pixels.
    row_lines : tuple of (str, bool)
        Of the row that is followed, as they fit, and whether they are bold.
    """

    content: Content
    header: tuple[str, ...]
    risk_text: str
    small_print: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float
    row_lines: tuple[tuple[str, bool], ...] = field(default=(), repr=False)

    @property
    def left(self) -> float:
        """Where its texts begin."""
        return self.x + PADDING + (ACCENT if self.content.is_leaf else 0.0)

    @property
    def right(self) -> float:
        """Where its texts end."""
        return self.x + self.width - PADDING

    @property
    def middle(self) -> float:
        """Height at which the card is entered and left."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Edge:
    """A branch from one card to another.

    Parameters
    ----------
    card : Card
        Where it leads.
    start_x, start_y : float
        Where it leaves its parent.
    text_x : float
        Where its words begin and the bend ends.
    lines : tuple of str
        What holds for the values that take it.
    width : float
        In proportion to the training weight.
    """

    card: Card
    start_x: float
    start_y: float
    text_x: float
    lines: tuple[str, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything with its place; sizes in pixels."""

    cards: tuple[Card, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float


def laid_out(contents: Sequence[Content]) -> Layout:
    """The places of `contents` (parents before children), the root at the left."""
    depth, children = _shape(contents)
    headers = [_header(content) for content in contents]
    risks = [cut(content.risk_text, _WIDEST_RISK, TEXT) for content in contents]
    small = [_small_print(content) for content in contents]
    told = [_row_lines(content) for content in contents]
    lines = [_branch_lines(content) for content in contents]
    edge_widths = [_edge_width(content.weight_share) for content in contents]
    heights = [_card_height(*three) for three in zip(contents, headers, told, strict=True)]
    room = [_room(*four) for four in zip(contents, heights, lines, edge_widths, strict=True)]
    middles = centres(children, room, _GAP)
    widths = _per_level(
        depth,
        [_card_width(*five) for five in zip(contents, headers, risks, small, told, strict=True)],
    )
    branches = _per_level(
        depth, [_branch_width(*pair) for pair in zip(contents, lines, strict=True)]
    )
    left = _lefts(widths, branches)
    cards = tuple(
        Card(content, headers[i], risks[i], small[i], left[depth[i]],
             middles[i] - heights[i] / 2, widths[depth[i]], heights[i], told[i])
        for i, content in enumerate(contents)
    )  # fmt: skip
    edges = _edges(cards, children, depth, lines, edge_widths, branches)
    bottom = max(at + size / 2 for at, size in zip(middles, room, strict=True))
    return Layout(cards, tuple(edges), left[-1] + widths[-1], bottom)


def _shape(contents: Sequence[Content]) -> tuple[list[int], list[list[int]]]:
    depth: list[int] = []
    children: list[list[int]] = [[] for _ in contents]
    for place, content in enumerate(contents):
        depth.append(0 if content.parent < 0 else depth[content.parent] + 1)
        if content.parent >= 0:
            children[content.parent].append(place)
    return depth, children


def _header(content: Content) -> tuple[str, ...]:
    return tuple(broken(content.header, _WIDEST_HEADER, HEADER, bold=True, lines=_MOST_LINES))


def _small_print(content: Content) -> tuple[str, ...]:
    return tuple(cut(line, _WIDEST_SMALL_PRINT, SMALL) for line in content.small_print)


def _row_lines(content: Content) -> tuple[tuple[str, bool], ...]:
    lines = content.passage.lines if content.passage else ()
    return said(lines, _WIDEST_ROW_LINE, SMALL)


def _branch_lines(content: Content) -> tuple[str, ...]:
    """A number is never broken or cut, so a long one makes its column wider."""
    if content.branch is None:
        return ()
    text = content.branch.text
    width = _WIDEST_BRANCH
    if content.branch.is_number:
        width = max(width, text_width(text.split(" ")[0], TEXT))
    return tuple(broken(text, width, TEXT, lines=_MOST_LINES))


def _edge_width(weight_share: float) -> float:
    return max(_THINNEST_EDGE, _WIDEST_EDGE * weight_share)


def _card_height(
    content: Content, header: tuple[str, ...], row_lines: tuple[tuple[str, bool], ...]
) -> float:
    further = (content.band is not None) + len(content.small_print) + (content.n_hidden > 0)
    n_lines = len(header) + 1 + further + len(row_lines)
    return LINE * n_lines + BAR_HEIGHT + 12.0


def _card_width(
    content: Content,
    header: tuple[str, ...],
    risk_text: str,
    small_print: tuple[str, ...],
    row_lines: tuple[tuple[str, bool], ...],
) -> float:
    numbers = text_width(risk_text, TEXT) + 9.0 + text_width(content.weight, SMALL)
    headers = [text_width(line, HEADER, bold=True) for line in header]
    band = AXIS_WIDTH + 6.0 + text_width(content.band.text, SMALL) if content.band else 0.0
    small = [text_width(line, SMALL) for line in small_print]
    small += [text_width(line, SMALL, bold=bold) for line, bold in row_lines]
    return max(numbers, band, *headers, *small) + 2 * PADDING + (ACCENT if content.is_leaf else 0.0)


def _branch_width(content: Content, lines: tuple[str, ...]) -> float:
    widths = [text_width(line, TEXT) for line in lines]
    missing = content.branch.missing if content.branch else ""
    below = [text_width(line, SMALL, bold=line != missing) for line in below_branch(content)]
    return max([*widths, *below, 0.0])


def below_branch(content: Content) -> tuple[str, ...]:
    """Lines below the branch to a node: where missing values go, and what the row does."""
    missing = content.branch.missing if content.branch else ""
    way = content.passage.way if content.passage else ()
    return (missing, *way) if missing else way


def _room(content: Content, height: float, lines: tuple[str, ...], edge_width: float) -> float:
    """Height that a node needs: its card, and the words above and below its branch."""
    above = edge_width / 2 + 4.0 + LINE * len(lines)
    below = edge_width / 2 + 2.0 + (SMALL + 3.0) * len(below_branch(content))
    return 2 * max(height / 2, above, below)


def _per_level(depth: Sequence[int], values: Sequence[float]) -> list[float]:
    widest = [0.0] * (max(depth) + 1)
    for level, value in zip(depth, values, strict=True):
        widest[level] = max(widest[level], value)
    return widest


def _lefts(widths: Sequence[float], branches: Sequence[float]) -> list[float]:
    """Left side of the cards of each level."""
    left = [0.0]
    for level in range(1, len(widths)):
        before = left[-1] + widths[level - 1]
        left.append(before + _FAN + branches[level] + _SPACE)
    return left


def _edges(
    cards: Sequence[Card],
    children: Sequence[Sequence[int]],
    depth: Sequence[int],
    lines: Sequence[tuple[str, ...]],
    edge_widths: Sequence[float],
    branches: Sequence[float],
) -> list[Edge]:
    """The branches of each card leave it side by side, like the arms of a river."""
    edges = []
    for card, below in zip(cards, children, strict=True):
        start = card.middle - sum(edge_widths[child] for child in below) / 2
        for child in below:
            width = edge_widths[child]
            text_x = cards[child].x - _SPACE - branches[depth[child]]
            edges.append(
                Edge(cards[child], card.x + card.width, start + width / 2, text_x,
                     lines[child], width)
            )  # fmt: skip
            start += width
    return edges
