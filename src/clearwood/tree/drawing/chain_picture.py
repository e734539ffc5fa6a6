"""A decision chain as a column of questions, each with the leaf that it carves beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from clearwood.tree.drawing.chain_rows import (
    RULE_SIZE,
    Row,
    chain_title,
    count_text,
    counted_sentence,
    missing_sentence,
    rows,
    whose,
)
from clearwood.tree.drawing.fills import GREY, INK, LINE, PALE, definitions, fills
from clearwood.tree.drawing.lit import part_text
from clearwood.tree.drawing.lit_marks import (
    LIT,
    answer_label,
    faded,
    frame_line,
    group_attributes,
    way_line,
    way_sentence,
)
from clearwood.tree.drawing.marks import escaped, label, px
from clearwood.tree.drawing.typeset import FONTS, broken, cut, text_width
from clearwood.tree.wording import class_words

if TYPE_CHECKING:
    from clearwood.tree.drawing.lit import LitRow
    from clearwood.tree.structure import Tree

_TITLE, _TEXT, _SMALL, _LEADING = 15.5, 11.5, 10.5, 14.5
_MARGIN, _PADDING, _NUMBER_WIDTH = 16.0, 8.0, 24.0
_BOX_WIDTH, _WAY, _LEAF_WIDTH = 330.0, 96.0, 244.0
_LEAF_X = _BOX_WIDTH + _WAY
_WIDTH = _LEAF_X + _LEAF_WIDTH
_DOWN = 30.0
_BAR = 9.0
_WIDEST_WAY, _THINNEST_WAY = 14.0, 1.2
_STEM = 34.0  # from the left edge of a box to the way down


def chain_svg(
    tree: Tree,
    code: int | None,
    *,
    n_rules: int | None,
    title: str | None,
    lit: LitRow | None = None,
) -> str:
    """The first `n_rules` rules of a chain as a picture; `code` is the class whose risk is told.

    Where a row is followed, its way is lit and the rest faded.
    """
    shown, n_hidden = rows(tree, code, _BOX_WIDTH - _NUMBER_WIDTH - 2 * _PADDING, n_rules, lit)
    chosen = fills(tree.n_classes, code)
    order = list(dict.fromkeys([*([] if code is None else [code]), *range(tree.n_classes)]))
    said: list[object] = [title, code, [row.spoken for row in shown]]
    prefix = f"cw{crc32(repr(tuple(said if lit is None else [*said, lit])).encode()):08x}"
    head, top = _head(tree, code, title, shown, len(shown) - 1 + n_hidden, prefix, lit)
    body, bottom = _body(shown, n_hidden, top, order, prefix)
    width, height = _WIDTH + 2 * _MARGIN, bottom + 2 * _MARGIN
    spoken = "; ".join(row.spoken for row in shown)
    headline = title or "Decision chain"
    if lit is not None:
        headline, spoken = f"{headline}. {lit.answer}", f"{lit.name}:\n{lit.spoken}"
    return "\n".join(
        [
            f'<svg class="chain" xmlns="http://www.w3.org/2000/svg" width="{px(width)}" '
            f'height="{px(height)}" viewBox="0 0 {px(width)} {px(height)}" role="img" '
            f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}" '
            f'font-size="{px(_TEXT)}" fill="{INK}">',
            f'<title id="{prefix}-title">{escaped(headline)}</title>',
            f'<desc id="{prefix}-desc">{escaped(spoken)}</desc>',
            f"<defs>{definitions(chosen, prefix)}</defs>",
            f'<rect width="{px(width)}" height="{px(height)}" fill="#fff"/>',
            f'<g transform="translate({px(_MARGIN)},{px(_MARGIN)})">',
            *head,
            *body,
            "</g>",
            "</svg>",
        ]
    )


def _head(
    tree: Tree,
    code: int | None,
    title: str | None,
    shown: Sequence[Row],
    n_rules: int,
    prefix: str,
    lit: LitRow | None,
) -> tuple[list[str], float]:
    """Title and key, and where the rows begin."""
    whole = title or chain_title(n_rules)
    parts = [label(0, 14, cut(whole, _WIDTH, _TITLE, bold=True), _TITLE, bold=True, exact=whole)]
    x, y = 0.0, 14.0 + _LEADING + 7.0
    if lit is not None:
        parts.append(answer_label(lit, y, _WIDTH, RULE_SIZE))
        y += _LEADING + 7.0
    for fill in range(min(tree.n_classes, 12)):
        exact = class_words(tree, fill)
        words = cut(exact, 200, _TEXT)
        needed = 24 + text_width(words, _TEXT)
        if x > 0 and x + needed > _WIDTH:
            x, y = 0.0, y + _LEADING + 3
        parts.append(
            f'<rect x="{px(x)}" y="{px(y - 10)}" width="18" height="11" '
            f'fill="url(#{prefix}-{fill})" stroke="{GREY}"/>'
        )
        parts.append(label(x + 24, y, words, _TEXT, colour=GREY, exact=exact))
        x += needed + 18
    key = f"Percent: risk of {whose(tree, code)} (95 % interval)."
    if n_rules:
        key += (
            " The first rule that holds decides; ways are as wide as the training weight that goes "
            f"them. {missing_sentence(tree, code, shown)}"
        )
    key = f"{key.rstrip('. ')}.{counted_sentence(shown)}{way_sentence(lit)}"
    for line in broken(key, _WIDTH, _TEXT, lines=5):
        y += _LEADING + 1
        parts.append(label(0, y, line, _TEXT, colour=GREY))
    return parts, y + 18.0


def _body(
    shown: Sequence[Row], n_hidden: int, top: float, order: Sequence[int], prefix: str
) -> tuple[list[str], float]:
    """The rows from the top down; the last is a leaf below the last question."""
    parts, y = [], top
    for row in shown:
        height = _height(row)
        if row.step.is_otherwise:
            if n_hidden:
                words = f"{n_hidden} more rules are not drawn"
                parts.append(label(_STEM + 16, y + 4, words, _SMALL, colour=GREY))
                y += _LEADING
            parts.append(_group(row, [*_leaf(row, 0.0, y, height, order, prefix)]))
            return parts, y + height
        inner = [
            *_ways(row, y, height),
            *_box(row, y, height),
            faded("".join(_leaf(row, _LEAF_X, y, height, order, prefix)), unless=row.takes[0]),
        ]
        parts.append(_group(row, inner))
        y += height + _DOWN
    return parts, y


def _group(row: Row, inner: Sequence[str]) -> str:
    attributes = "" if row.followed is None else group_attributes(True, row.followed.asked)
    head = f'<g data-rule="{row.step.rule}"{attributes}><title>{escaped(row.spoken)}</title>'
    return "".join([head, *inner, "</g>"])


def _height(row: Row) -> float:
    n_lines = len(row.lines) + bool(row.missing) + row.step.is_otherwise + len(row.told)
    ending = _LEADING if row.followed is not None and row.followed.ending else 0.0
    return (
        max(n_lines * _LEADING, _LEADING + _BAR + 6 + ending)
        + 2 * _PADDING
        + (_BAR if row.step.is_otherwise else 0)
    )


def _box(row: Row, y: float, height: float) -> Iterator[str]:
    asked = row.followed.asked if row.followed else None
    line = frame_line(asked, f'stroke="{LINE}"', is_answer=False)
    yield (
        f'<rect class="frame" x="0" y="{px(y)}" width="{px(_BOX_WIDTH)}" height="{px(height)}" '
        f'rx="7" fill="{PALE}" {line}/>'
    )
    n_lines = len(row.lines) + bool(row.missing) + len(row.told)
    base = y + (height - n_lines * _LEADING) / 2 + RULE_SIZE - 1
    yield label(_PADDING + _NUMBER_WIDTH - 6, base, row.number, RULE_SIZE, bold=True, anchor="end")
    for line in row.lines:
        yield label(_PADDING + _NUMBER_WIDTH, base, line, RULE_SIZE)
        base += _LEADING
    if row.missing:
        yield label(_PADDING + _NUMBER_WIDTH, base, row.missing, _SMALL, colour=GREY)
        base += _LEADING
    for line, bold in row.told:
        yield label(_PADDING + _NUMBER_WIDTH, base, line, _SMALL, bold=bold, colour=LIT)
        base += _LEADING


def _ways(row: Row, y: float, height: float) -> Iterator[str]:
    """The way to the leaf, and the way down to the next question."""
    step = row.step
    middle, below = y + height / 2, y + height
    total = step.total if step.total > 0 else 1.0
    across, down = (
        max(_WIDEST_WAY * weight / total, _THINNEST_WAY)
        for weight in (step.weight, step.remaining_weight)
    )
    leaves_it, goes_on = row.takes
    yield faded(
        f'<path d="M{px(_BOX_WIDTH)},{px(middle)} H{px(_LEAF_X)}" stroke="{LINE}" '
        f'stroke-width="{px(across)}" fill="none"/>',
        unless=leaves_it,
    )
    yield faded(
        f'<path d="M{px(_STEM)},{px(below)} v{px(_DOWN)}" stroke="{LINE}" '
        f'stroke-width="{px(down)}" fill="none"/>',
        unless=goes_on,
    )
    yield from _followed_ways(row, middle, below)
    words = cut(f"yes: {count_text(step.weight)}", _WAY - 12, _SMALL)
    yes = label(_BOX_WIDTH + 6, middle - across / 2 - 4, words, _SMALL, colour=GREY)
    yield faded(yes, unless=leaves_it)
    words = f"no: {count_text(step.remaining_weight)}"
    no = label(_STEM + _WIDEST_WAY / 2 + 8, below + _DOWN / 2 + 4, words, _SMALL, colour=GREY)
    yield faded(no, unless=goes_on)


def _followed_ways(row: Row, middle: float, below: float) -> Iterator[str]:
    """What the row that is followed takes of both ways, and how much of it."""
    followed = row.followed
    if followed is None:
        return
    if followed.carved is not None:
        yield way_line(f"M{px(_BOX_WIDTH)},{px(middle)} H{px(_LEAF_X)}", followed.carved)
    if followed.onward is not None:
        yield way_line(f"M{px(_STEM)},{px(below)} v{px(_DOWN)}", followed.onward)
        if followed.onward < 1:
            x = _BOX_WIDTH - _PADDING
            words = f"{part_text(followed.onward)} goes on"
            y = below + _DOWN / 2 + 4
            yield label(x, y, words, _SMALL, bold=True, colour=LIT, anchor="end")


def _leaf(
    row: Row, x: float, y: float, height: float, order: Sequence[int], prefix: str
) -> Iterator[str]:
    """The leaf: for the last row with its word, for the others beside their question."""
    carved, ending = (row.followed.carved, row.followed.ending) if row.followed else (None, "")
    line = frame_line(carved, f'stroke="{GREY}" stroke-width="1.3"', is_answer=True)
    yield (
        f'<rect class="frame" x="{px(x)}" y="{px(y)}" width="{px(_LEAF_WIDTH)}" '
        f'height="{px(height)}" fill="#fff" {line}/>'
    )
    left, right = x + _PADDING, x + _LEAF_WIDTH - _PADDING
    n_lines = 1 + row.step.is_otherwise + bool(ending)
    base = y + (height - n_lines * _LEADING - _BAR - 4) / 2 + RULE_SIZE - 1
    if row.step.is_otherwise:
        yield label(left, base, f"{row.number} {row.lines[0]}", RULE_SIZE)
        base += _LEADING
    at_risk = cut(row.risk_text, right - left, RULE_SIZE, bold=True)
    room = right - left - text_width(at_risk, RULE_SIZE, bold=True) - 8.0
    yield label(left, base, at_risk, RULE_SIZE, bold=True)
    if room > 0:
        counts = cut(row.counts, room, _SMALL)
        yield label(right, base, counts, _SMALL, colour=GREY, anchor="end")
    yield from _bar(row, left, right, base + 6, order, prefix)
    if ending:
        below = base + 6 + _BAR + _SMALL + 3
        yield label(left, below, ending, _SMALL, bold=True, colour=LIT)


def _bar(
    row: Row, left: float, right: float, top: float, order: Sequence[int], prefix: str
) -> Iterator[str]:
    """Class shares side by side, the event first, so that its length is the risk."""
    x, full = left, right - left
    for code in order:
        width = full * float(row.step.distribution[code])
        if width > 0:
            yield (
                f'<rect x="{px(x)}" y="{px(top)}" width="{px(width)}" height="{px(_BAR)}" '
                f'fill="url(#{prefix}-{code})"/>'
            )
        x += width
    yield (
        f'<rect x="{px(left)}" y="{px(top)}" width="{px(full)}" height="{px(_BAR)}" fill="none" '
        f'stroke="{GREY}" stroke-width="0.8"/>'
    )
