"""The marks that every picture is made of, as SVG: texts, lines, and numbers in few digits."""

from __future__ import annotations

import re

from clearwood.tree.drawing.fills import INK

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """`text` as content of an element or an attribute."""
    text = "".join(_ESCAPES.get(sign, sign) for sign in text)
    return _NOT_XML.sub("\ufffd", text)


def label(
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
    """A line of text, with the whole of it as a title where it had to be cut."""
    attributes = f'x="{px(x)}" y="{px(y)}" font-size="{px(size)}"'
    if bold:
        attributes += ' font-weight="bold"'
    if colour != INK:
        attributes += f' fill="{colour}"'
    if anchor != "start":
        attributes += f' text-anchor="{anchor}"'
    title = f"<title>{escaped(exact)}</title>" if exact else ""
    return f"<text {attributes}>{title}{escaped(text)}</text>"


def dashes(way: str) -> str:
    """A dashed line, the way of missing values."""
    return f'<path d="{way}" fill="none" stroke="{INK}" stroke-width="1.3" stroke-dasharray="4 3"/>'


def px(value: float) -> str:
    """A length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
