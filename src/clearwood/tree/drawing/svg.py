"""A tree as one SVG element: root at the left, no script, no style sheet, nothing from outside."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from clearwood.tree.chain import shown_as_chain
from clearwood.tree.drawing import geometry
from clearwood.tree.drawing.bands import Band
from clearwood.tree.drawing.chain_picture import chain_svg
from clearwood.tree.drawing.content import contents
from clearwood.tree.drawing.fills import BAND, GREY, INK, LINE, PALE, Fill, definitions, fills
from clearwood.tree.drawing.geometry import Card, Edge, Layout, laid_out
from clearwood.tree.drawing.legend import Legend, legend
from clearwood.tree.drawing.marks import dashes, escaped, label, px
from clearwood.tree.drawing.typeset import FONTS, text_width
from clearwood.tree.drawing.witness_notes import Notes, notes, with_witnesses
from clearwood.tree.opened import opened
from clearwood.tree.risk import event_code

if TYPE_CHECKING:
    from clearwood.tree.structure import Tree

_MARGIN = 16.0


def to_svg(
    tree: Tree,
    *,
    title: str | None = None,
    event: Hashable | None = None,
    max_nodes: int | None = 150,
    max_depth: int | None = 12,
    form: str = "auto",
) -> str:
    """The tree as a picture.

    Each card shows the training weight n, the class shares as a bar with a pattern for each class,
    and the risk of the event with Wilson's 95 % interval. Branches are as wide as their share of
    the training weight; a dashed line shows where missing values go, unless they are shared out
    as the widths say. Where the tree evaluates with noise or ramps, a band lies around the
    threshold, on an axis that all cuts of a column share. Where conditions have witnesses, cards
    name them, or, where there are more than eight leaves, the number of a note below the picture
    that does. What is cut short can be read in full by pointing at it.

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
        many nodes below it are left out. None: all. A chain may be of any depth.
    form : {"auto", "tree", "chain"}
        A decision chain can be drawn as its rules one below another; ``auto`` does so with trees
        that were grown as one.

    Returns
    -------
    str
        One ``<svg>`` element, to be saved as a file or put into a page.

    Raises
    ------
    ParameterError
        `event` is no class of the tree, a limit shows nothing, or `form` is none of the three or
        does not suit the tree.
    """
    code = event_code(tree, event)
    if shown_as_chain(tree, form):
        n_rules = int(opened(tree, max_nodes, None).sum())  # it only grows downward
        return chain_svg(tree, code, n_rules=n_rules, title=title)
    drawn = with_witnesses(contents(tree, code, max_nodes, max_depth))
    layout = laid_out(drawn)
    head = legend(tree, code, title, layout.width)
    foot = notes(drawn, max(layout.width, head.width))
    chosen = fills(tree.n_classes, code)
    prefix = f"cw{crc32(repr((layout, head)).encode()):08x}"
    return _document(tree, layout, (head, foot), chosen, prefix, code)


def _document(
    tree: Tree,
    layout: Layout,
    around: tuple[Legend, Notes],
    chosen: Sequence[Fill],
    prefix: str,
    code: int | None,
) -> str:
    head, foot = around
    width = max(layout.width, head.width) + 2 * _MARGIN
    height = head.height + layout.height + foot.height + 2 * _MARGIN
    spoken = escaped(tree.to_text(max_nodes=60))
    order = [code, *range(tree.n_classes)] if code is not None else list(range(tree.n_classes))
    order = list(dict.fromkeys(order))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{px(width)}" height="{px(height)}" '
        f'viewBox="0 0 {px(width)} {px(height)}" role="img" '
        f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}" '
        f'font-size="{px(geometry.TEXT)}" fill="{INK}">',
        f'<title id="{prefix}-title">{escaped(head.title)}</title>',
        f'<desc id="{prefix}-desc">{spoken}</desc>',
        f"<defs>{definitions(chosen, prefix)}</defs>",
        f'<rect width="{px(width)}" height="{px(height)}" fill="#fff"/>',
        f'<g transform="translate({px(_MARGIN)},{px(_MARGIN)})">',
        *_legend(head, prefix),
        "</g>",
        f'<g transform="translate({px(_MARGIN)},{px(_MARGIN + head.height)})">',
        *(_edge(edge) for edge in layout.edges),
        *(_card(card, order, prefix) for card in layout.cards),
        "</g>",
        *_notes(foot, _MARGIN + head.height + layout.height),
        "</svg>",
    ]
    return "\n".join(parts)


def _legend(head: Legend, prefix: str) -> list[str]:
    parts = [label(0, 14, head.title, geometry.HEADER + 3, bold=True)]
    for item in head.items:
        y = item.y
        if item.code is not None:
            parts.append(
                f'<rect x="{px(item.x)}" y="{px(y - 10)}" width="18" height="11" '
                f'fill="url(#{prefix}-{item.code})" stroke="{GREY}"/>'
            )
        elif item.is_missing:
            parts.append(dashes(f"M{px(item.x)},{px(y - 4)} h18"))
        elif item.is_band:
            parts.append(_axis(item.x, y - 4, 18, Band(0.2, 0.5, 0.8, "")))
        parts.append(label(item.text_x, y, item.text, geometry.TEXT, colour=GREY, exact=item.exact))
    return parts


def _notes(foot: Notes, top: float) -> list[str]:
    if not foot.lines:
        return []
    parts = [label(0, geometry.LINE, foot.title, geometry.TEXT, colour=GREY)]
    for line in foot.lines:
        if line.number:
            parts.append(label(line.x, line.y, line.number, geometry.SMALL, bold=True))
        parts.append(label(line.text_x, line.y, line.text, geometry.SMALL))
    return [f'<g transform="translate({px(_MARGIN)},{px(top)})">', *parts, "</g>"]


def _edge(edge: Edge) -> str:
    card, branch = edge.card, edge.card.content.branch
    assert branch is not None
    bend = (edge.start_x + edge.text_x) / 2
    y = card.middle
    way = (
        f"M{px(edge.start_x)},{px(edge.start_y)} C{px(bend)},{px(edge.start_y)} "
        f"{px(bend)},{px(y)} {px(edge.text_x - 4)},{px(y)} H{px(card.x)}"
    )
    parts = [
        f"<g><title>{escaped(branch.exact)}</title>",
        f'<path d="{way}" fill="none" stroke="{BAND}" stroke-width="{px(edge.width)}"/>',
    ]
    base = y - edge.width / 2 - 4
    for number, line in enumerate(reversed(edge.lines)):
        parts.append(label(edge.text_x, base - number * geometry.LINE, line, geometry.TEXT))
    if branch.missing:
        parts.append(dashes(way))
        below = y + edge.width / 2 + geometry.SMALL + 1
        parts.append(label(edge.text_x, below, branch.missing, geometry.SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _card(card: Card, order: Sequence[int], prefix: str) -> str:
    content = card.content
    parts = [f"<g><title>{escaped(content.exact)}</title>", _frame(card, prefix)]
    y = card.y + geometry.LINE
    for line in card.header:
        parts.append(label(card.left, y, line, geometry.HEADER, bold=True))
        y += geometry.LINE
    parts.append(_bar(card, y - geometry.LINE + 5, order, prefix))
    y += geometry.BAR_HEIGHT + 4
    parts.append(label(card.left, y, card.risk_text, geometry.TEXT))
    parts.append(label(card.right, y, content.weight, geometry.SMALL, colour=GREY, anchor="end"))
    if content.band:
        y += geometry.LINE
        parts.append(_band(card, y, content.band))
    for line in card.small_print:
        y += geometry.LINE
        parts.append(_witnesses(card, y, line))
    if content.n_hidden:
        words = f"+ {content.n_hidden} nodes"
        parts.append(label(card.left, y + geometry.LINE, words, geometry.SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _witnesses(card: Card, y: float, words: str) -> str:
    """A line about the witnesses of the condition; all of them, where it is pointed at."""
    exact = "The first branch is confirmed by:\n" + "\n".join(card.content.witnesses)
    return label(card.left, y, words, geometry.SMALL, colour=GREY, exact=exact)


def _band(card: Card, y: float, band: Band) -> str:
    """The band around a threshold on its column's axis, and its width in words."""
    width = card.right - card.left - text_width(band.text, geometry.SMALL) - 6.0
    words = label(card.right, y, band.text, geometry.SMALL, colour=GREY, anchor="end")
    return _axis(card.left, y - 4, width, band) + words


def _axis(x: float, y: float, width: float, band: Band) -> str:
    """An axis with a band and, as a tick, the threshold."""
    lower, threshold, upper = (
        x + width * place for place in (band.lower, band.threshold, band.upper)
    )
    return (
        f'<rect x="{px(lower)}" y="{px(y - 3)}" width="{px(upper - lower)}" height="6" '
        f'fill="{BAND}" stroke="{GREY}" stroke-width="0.8"/>'
        f'<path d="M{px(x)},{px(y)} h{px(width)} M{px(threshold)},{px(y - 5)} v10" fill="none" '
        f'stroke="{INK}" stroke-width="1.1"/>'
    )


def _frame(card: Card, prefix: str) -> str:
    content = card.content
    box = f'x="{px(card.x)}" y="{px(card.y)}" width="{px(card.width)}" height="{px(card.height)}"'
    if not content.is_leaf:
        dashed = ' stroke-dasharray="5 3"' if content.n_hidden else ""
        return f'<rect {box} rx="7" fill="{PALE}" stroke="{LINE}"{dashed}/>'
    strip = (
        f'x="{px(card.x)}" y="{px(card.y)}" width="{px(geometry.ACCENT)}" '
        f'height="{px(card.height)}" fill="url(#{prefix}-{content.label})"'
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
                f'<rect x="{px(x)}" y="{px(top)}" width="{px(width)}" '
                f'height="{px(geometry.BAR_HEIGHT)}" fill="url(#{prefix}-{code})"/>'
            )
        x += width
    parts.append(
        f'<rect x="{px(card.left)}" y="{px(top)}" width="{px(full)}" '
        f'height="{px(geometry.BAR_HEIGHT)}" fill="none" stroke="{GREY}" stroke-width="0.8"/>'
    )
    return "".join(parts)
