"""A tree as one SVG element: root at the left, no script, no style sheet, nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from clearwood.tree.drawing import geometry
from clearwood.tree.drawing.bands import Band
from clearwood.tree.drawing.content import contents
from clearwood.tree.drawing.fills import BAND, GREY, INK, LINE, PALE, Fill, definitions, fills
from clearwood.tree.drawing.geometry import Card, Edge, Layout, laid_out
from clearwood.tree.drawing.legend import Legend, legend
from clearwood.tree.drawing.typeset import FONTS, text_width
from clearwood.tree.risk import event_code

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_MARGIN = 16.0
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(
    tree: Tree,
    *,
    title: str | None = None,
    event: Hashable | None = None,
    max_nodes: int | None = 150,
    max_depth: int | None = 12,
) -> str:
    """The tree as a picture.

    Each card shows the training weight n, the class shares as a bar with a pattern for each class,
    and the risk of the event with Wilson's 95 % interval. Branches are as wide as their share of
    the training weight; a dashed line shows where missing values go, unless they are shared out
    as the widths say. Where the tree evaluates with noise or ramps, a band lies around the
    threshold, on an axis that all cuts of a column share. What is cut short can be read in full by
    pointing at it.

    Parameters
    ----------
    tree : Tree
        The tree to draw.
    title : str, optional
        Stands above the picture; by default its size.
    event : label, optional
        The class whose risk is shown; by default the last of two. With more classes the risk is
        that of the most probable class.
    max_nodes, max_depth : int or None
        Draws about so many nodes, whole levels first, and none below this depth; a card says how
        many nodes below it are left out. None: all.

    Returns
    -------
    str
        One ``<svg>`` element, to be saved as a file or put into a page.

    Raises
    ------
    ParameterError
        `event` is no class of the tree, or a limit shows nothing.
    """
    code = event_code(tree, event)
    layout = laid_out(contents(tree, code, max_nodes, max_depth))
    head = legend(tree, code, title, layout.width)
    chosen = fills(tree.n_classes, code)
    prefix = f"cw{crc32(repr((layout, head)).encode()):08x}"
    return _document(tree, layout, head, chosen, prefix, code)


def escaped(text: str) -> str:
    """`text` as content of an element or an attribute."""
    text = "".join(_ESCAPES.get(sign, sign) for sign in text)
    return _NOT_XML.sub("\ufffd", text)


def _document(
    tree: Tree, layout: Layout, head: Legend, chosen: Sequence[Fill], prefix: str, code: int | None
) -> str:
    width = max(layout.width, head.width) + 2 * _MARGIN
    height = head.height + layout.height + 2 * _MARGIN
    spoken = escaped(tree.to_text(max_nodes=60))
    order = [code, *range(tree.n_classes)] if code is not None else list(range(tree.n_classes))
    order = list(dict.fromkeys(order))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" '
        f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}" '
        f'font-size="{_n(geometry.TEXT)}" fill="{INK}">',
        f'<title id="{prefix}-title">{escaped(head.title)}</title>',
        f'<desc id="{prefix}-desc">{spoken}</desc>',
        f"<defs>{definitions(chosen, prefix)}</defs>",
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="#fff"/>',
        f'<g transform="translate({_n(_MARGIN)},{_n(_MARGIN)})">',
        *_legend(head, prefix),
        "</g>",
        f'<g transform="translate({_n(_MARGIN)},{_n(_MARGIN + head.height)})">',
        *(_edge(edge) for edge in layout.edges),
        *(_card(card, order, prefix) for card in layout.cards),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def _legend(head: Legend, prefix: str) -> list[str]:
    parts = [_text(0, 14, head.title, geometry.HEADER + 3, bold=True)]
    for item in head.items:
        y = item.y
        if item.code is not None:
            parts.append(
                f'<rect x="{_n(item.x)}" y="{_n(y - 10)}" width="18" height="11" '
                f'fill="url(#{prefix}-{item.code})" stroke="{GREY}"/>'
            )
        elif item.is_missing:
            parts.append(_dashes(f"M{_n(item.x)},{_n(y - 4)} h18"))
        elif item.is_band:
            parts.append(_axis(item.x, y - 4, 18, Band(0.2, 0.5, 0.8, "")))
        parts.append(_text(item.text_x, y, item.text, geometry.TEXT, colour=GREY, exact=item.exact))
    return parts


def _edge(edge: Edge) -> str:
    card, branch = edge.card, edge.card.content.branch
    assert branch is not None
    bend = (edge.start_x + edge.text_x) / 2
    y = card.middle
    way = (
        f"M{_n(edge.start_x)},{_n(edge.start_y)} C{_n(bend)},{_n(edge.start_y)} "
        f"{_n(bend)},{_n(y)} {_n(edge.text_x - 4)},{_n(y)} H{_n(card.x)}"
    )
    parts = [
        f"<g><title>{escaped(branch.exact)}</title>",
        f'<path d="{way}" fill="none" stroke="{BAND}" stroke-width="{_n(edge.width)}"/>',
    ]
    base = y - edge.width / 2 - 4
    for number, line in enumerate(reversed(edge.lines)):
        parts.append(_text(edge.text_x, base - number * geometry.LINE, line, geometry.TEXT))
    if branch.missing:
        parts.append(_dashes(way))
        below = y + edge.width / 2 + geometry.SMALL + 1
        parts.append(_text(edge.text_x, below, branch.missing, geometry.SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _dashes(way: str) -> str:
    return f'<path d="{way}" fill="none" stroke="{INK}" stroke-width="1.3" stroke-dasharray="4 3"/>'


def _card(card: Card, order: Sequence[int], prefix: str) -> str:
    content = card.content
    parts = [f"<g><title>{escaped(content.exact)}</title>", _frame(card, prefix)]
    y = card.y + geometry.LINE
    for line in card.header:
        parts.append(_text(card.left, y, line, geometry.HEADER, bold=True))
        y += geometry.LINE
    parts.append(_bar(card, y - geometry.LINE + 5, order, prefix))
    y += geometry.BAR_HEIGHT + 4
    parts.append(_text(card.left, y, card.risk_text, geometry.TEXT))
    parts.append(_text(card.right, y, content.weight, geometry.SMALL, colour=GREY, anchor="end"))
    if content.band:
        y += geometry.LINE
        parts.append(_band(card, y, content.band))
    if content.n_hidden:
        words = f"+ {content.n_hidden} nodes"
        parts.append(_text(card.left, y + geometry.LINE, words, geometry.SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _band(card: Card, y: float, band: Band) -> str:
    """The band around a threshold on its column's axis, and its width in words."""
    width = card.right - card.left - text_width(band.text, geometry.SMALL) - 6.0
    words = _text(card.right, y, band.text, geometry.SMALL, colour=GREY, anchor="end")
    return _axis(card.left, y - 4, width, band) + words


def _axis(x: float, y: float, width: float, band: Band) -> str:
    """An axis with a band and, as a tick, the threshold."""
    lower, threshold, upper = (
        x + width * place for place in (band.lower, band.threshold, band.upper)
    )
    return (
        f'<rect x="{_n(lower)}" y="{_n(y - 3)}" width="{_n(upper - lower)}" height="6" '
        f'fill="{BAND}" stroke="{GREY}" stroke-width="0.8"/>'
        f'<path d="M{_n(x)},{_n(y)} h{_n(width)} M{_n(threshold)},{_n(y - 5)} v10" fill="none" '
        f'stroke="{INK}" stroke-width="1.1"/>'
    )


def _frame(card: Card, prefix: str) -> str:
    content = card.content
    box = f'x="{_n(card.x)}" y="{_n(card.y)}" width="{_n(card.width)}" height="{_n(card.height)}"'
    if not content.is_leaf:
        dashed = ' stroke-dasharray="5 3"' if content.n_hidden else ""
        return f'<rect {box} rx="7" fill="{PALE}" stroke="{LINE}"{dashed}/>'
    strip = (
        f'x="{_n(card.x)}" y="{_n(card.y)}" width="{_n(geometry.ACCENT)}" '
        f'height="{_n(card.height)}" fill="url(#{prefix}-{content.label})"'
    )
    return (
        f'<rect {box} fill="#fff"/><rect {strip}/>'
        f'<rect {box} fill="none" stroke="{GREY}" stroke-width="1.3"/>'
    )


def _bar(card: Card, top: float, order: Sequence[int], prefix: str) -> str:
    """Class shares side by side, the event first, so that its length is the risk."""
    parts, x, full = [], card.left, card.right - card.left
    for code in order:
        width = full * card.content.shares[code]
        if width > 0:
            parts.append(
                f'<rect x="{_n(x)}" y="{_n(top)}" width="{_n(width)}" '
                f'height="{_n(geometry.BAR_HEIGHT)}" fill="url(#{prefix}-{code})"/>'
            )
        x += width
    parts.append(
        f'<rect x="{_n(card.left)}" y="{_n(top)}" width="{_n(full)}" '
        f'height="{_n(geometry.BAR_HEIGHT)}" fill="none" stroke="{GREY}" stroke-width="0.8"/>'
    )
    return "".join(parts)


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: str = INK,
    anchor: str = "start",
    exact: str = "",
) -> str:
    attributes = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
    if bold:
        attributes += ' font-weight="bold"'
    if colour != INK:
        attributes += f' fill="{colour}"'
    if anchor != "start":
        attributes += f' text-anchor="{anchor}"'
    title = f"<title>{escaped(exact)}</title>" if exact else ""
    return f"<text {attributes}>{title}{escaped(text)}</text>"


def _n(value: float) -> str:
    """A length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
