"""A tree as one SVG element: root at the left, no script, no style sheet, nothing from outside."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from clearwood.tree.chain import shown_as_chain
from clearwood.tree.drawing import geometry
from clearwood.tree.drawing.bands import Band
from clearwood.tree.drawing.chain_picture import chain_svg
from clearwood.tree.drawing.content import contents
from clearwood.tree.drawing.fills import BAND, GREY, INK, LINE, PALE, Fill, definitions, fills
from clearwood.tree.drawing.geometry import Card, Edge, Layout, laid_out
from clearwood.tree.drawing.legend import Legend, legend
from clearwood.tree.drawing.lit import LitRow, lit_row, place_on
from clearwood.tree.drawing.lit_marks import LIT, frame_line, group_attributes, value_dot, way_line
from clearwood.tree.drawing.marks import dashes, escaped, label, px
from clearwood.tree.drawing.typeset import FONTS, text_width
from clearwood.tree.drawing.witness_notes import Notes, notes, with_witnesses
from clearwood.tree.opened import opened
from clearwood.tree.risk import event_code
from clearwood.tree.text import to_text

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
    row: Any = None,
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
    row : mapping, Series or 1-d sequence, optional
        A row as `Tree.path` takes it. Its way is lit, beyond the limits too, and the rest faded;
        cards say what value it meets them with, what its witnesses say and where it ends; where
        it is divided, branches say how much of it they take. Its answer stands below the title.
        A series is called by its name.

    Returns
    -------
    str
        One ``<svg>`` element, to be saved as a file or put into a page.

    Raises
    ------
    ParameterError
        `event` is no class of the tree, a limit shows nothing, or `form` is none of the three or
        does not suit the tree.
    ColumnNotFound, TableError
        `row` is none of this tree; see `Tree.path`.
    """
    lit = None if row is None else lit_row(tree, row)
    code = event_code(tree, event)
    if shown_as_chain(tree, form):
        shown = opened(tree, max_nodes, None)  # it only grows downward
        shown = shown if lit is None else lit.opened(tree, shown, max_nodes)
        return chain_svg(tree, code, n_rules=int(shown.sum()), title=title, lit=lit)
    drawn = with_witnesses(contents(tree, code, max_nodes, max_depth, lit))
    layout = laid_out(drawn)
    head = legend(tree, code, title, layout.width, lit)
    foot = notes(drawn, max(layout.width, head.width))
    chosen = fills(tree.n_classes, code)
    told = (layout, head) if lit is None else (layout, head, lit)
    prefix = f"cw{crc32(repr(told).encode()):08x}"
    return _document(tree, layout, (head, foot), chosen, prefix, code, lit)


def _document(
    tree: Tree,
    layout: Layout,
    around: tuple[Legend, Notes],
    chosen: Sequence[Fill],
    prefix: str,
    code: int | None,
    lit: LitRow | None,
) -> str:
    head, foot = around
    width = max(layout.width, head.width) + 2 * _MARGIN
    height = head.height + layout.height + foot.height + 2 * _MARGIN
    spoken = to_text(tree, max_nodes=60, rest="") if lit is None else f"{lit.name}:\n{lit.spoken}"
    whole_title = head.title if lit is None else f"{head.title}. {lit.answer}"
    order = [code, *range(tree.n_classes)] if code is not None else list(range(tree.n_classes))
    order, is_followed = list(dict.fromkeys(order)), lit is not None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{px(width)}" height="{px(height)}" '
        f'viewBox="0 0 {px(width)} {px(height)}" role="img" '
        f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}" '
        f'font-size="{px(geometry.TEXT)}" fill="{INK}">',
        f'<title id="{prefix}-title">{escaped(whole_title)}</title>',
        f'<desc id="{prefix}-desc">{escaped(spoken)}</desc>',
        f"<defs>{definitions(chosen, prefix)}</defs>",
        f'<rect width="{px(width)}" height="{px(height)}" fill="#fff"/>',
        f'<g transform="translate({px(_MARGIN)},{px(_MARGIN)})">',
        *_legend(head, prefix),
        "</g>",
        f'<g transform="translate({px(_MARGIN)},{px(_MARGIN + head.height)})">',
        *(_edge(edge, is_followed) for edge in _ways_last(layout.edges)),
        *(_card(tree, card, order, prefix, is_followed) for card in layout.cards),
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
        elif item.way is not None:
            parts.append(way_line(f"M{px(item.x)},{px(y - 4)} h18", item.way))
        size, colour = (geometry.HEADER, LIT) if item.is_answer else (geometry.TEXT, GREY)
        parts.append(
            label(item.text_x, y, item.text, size, bold=item.is_answer, colour=colour,
                  exact=item.exact)
        )  # fmt: skip
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


def _ways_last(edges: Sequence[Edge]) -> list[Edge]:
    """What a row takes is drawn over what it does not."""
    return sorted(edges, key=lambda edge: edge.card.content.passage is not None)


def _edge(edge: Edge, is_followed: bool) -> str:
    card, branch = edge.card, edge.card.content.branch
    assert branch is not None
    bend = (edge.start_x + edge.text_x) / 2
    y = card.middle
    way = (
        f"M{px(edge.start_x)},{px(edge.start_y)} C{px(bend)},{px(edge.start_y)} "
        f"{px(bend)},{px(y)} {px(edge.text_x - 4)},{px(y)} H{px(card.x)}"
    )
    passage = card.content.passage
    share = None if passage is None else passage.share
    parts = [
        f"<g{group_attributes(is_followed, share)}><title>{escaped(branch.exact)}</title>",
        f'<path d="{way}" fill="none" stroke="{BAND}" stroke-width="{px(edge.width)}"/>',
    ]
    if share is not None:
        parts.append(way_line(way, share))
    base = y - edge.width / 2 - 4
    for number, line in enumerate(reversed(edge.lines)):
        parts.append(label(edge.text_x, base - number * geometry.LINE, line, geometry.TEXT))
    below = y + edge.width / 2 + geometry.SMALL + 1
    if branch.missing:
        if share is None:
            parts.append(dashes(way))
        parts.append(label(edge.text_x, below, branch.missing, geometry.SMALL, colour=GREY))
        below += geometry.SMALL + 3
    for line in passage.way if passage else ():
        parts.append(label(edge.text_x, below, line, geometry.SMALL, bold=True, colour=LIT))
        below += geometry.SMALL + 3
    return "".join([*parts, "</g>"])


def _card(tree: Tree, card: Card, order: Sequence[int], prefix: str, is_followed: bool) -> str:
    content, passage = card.content, card.content.passage
    group = group_attributes(is_followed, passage.share or None if passage else None)
    parts = [f"<g{group}><title>{escaped(content.exact)}</title>", _frame(card, prefix)]
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
        value = passage.value if passage else None
        parts.append(
            _band(card, y, content.band, place_on(content.band, tree, content.node, value))
        )
    for line in card.small_print:
        y += geometry.LINE
        parts.append(_witnesses(card, y, line))
    for line, bold in card.row_lines:
        y += geometry.LINE
        parts.append(label(card.left, y, line, geometry.SMALL, bold=bold, colour=LIT))
    if content.n_hidden:
        words = f"+ {content.n_hidden} nodes"
        parts.append(label(card.left, y + geometry.LINE, words, geometry.SMALL, colour=GREY))
    return "".join([*parts, "</g>"])


def _witnesses(card: Card, y: float, words: str) -> str:
    """A line about the witnesses of the condition; all of them, where it is pointed at."""
    exact = "The first branch is confirmed by:\n" + "\n".join(card.content.witnesses)
    return label(card.left, y, words, geometry.SMALL, colour=GREY, exact=exact)


def _band(card: Card, y: float, band: Band, place: float | None) -> str:
    """The band around a threshold on its column's axis, and its width in words.

    With the `place` on the axis of the row that is followed.
    """
    width = card.right - card.left - text_width(band.text, geometry.SMALL) - 6.0
    words = label(card.right, y, band.text, geometry.SMALL, colour=GREY, anchor="end")
    dot = "" if place is None else value_dot(card.left + width * place, y - 4)
    return _axis(card.left, y - 4, width, band) + dot + words


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
    share = content.passage.share if content.passage else None
    box = f'x="{px(card.x)}" y="{px(card.y)}" width="{px(card.width)}" height="{px(card.height)}"'
    if not content.is_leaf:
        dashed = ' stroke-dasharray="5 3"' if content.n_hidden else ""
        line = frame_line(share, f'stroke="{LINE}"', is_answer=False)
        return f'<rect {box} rx="7" fill="{PALE}" {line}{dashed}/>'
    line = frame_line(share, f'stroke="{GREY}" stroke-width="1.3"', is_answer=True)
    strip = (
        f'x="{px(card.x)}" y="{px(card.y)}" width="{px(geometry.ACCENT)}" '
        f'height="{px(card.height)}" fill="url(#{prefix}-{content.label})"'
    )
    return f'<rect {box} fill="#fff"/><rect {strip}/><rect {box} fill="none" {line}/>'


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
