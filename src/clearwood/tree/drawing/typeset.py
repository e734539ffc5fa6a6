"""How wide a text is in a plain sans-serif, and how a long one is broken or cut.

A picture is laid out before anyone knows the reader's fonts. The widths are those of Helvetica,
which Arial and Liberation Sans share, with a margin.
"""

from __future__ import annotations

import unicodedata
from functools import cache

FONTS = "Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif"
_MARGIN, _BOLD = 1.04, 1.08
_OTHER = 0.62

_BY_WIDTH = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " \u00a0!,./:;I[\\]ft·",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu–",
    584: "+<=>~≤≥−",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "…",
    1015: "@",
}
_WIDTHS = {sign: width / 1000 for width, signs in _BY_WIDTH.items() for sign in signs}


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of `text` in pixels at a font size of `size` pixels."""
    return sum(map(_width, text)) * size * _MARGIN * (_BOLD if bold else 1.0)


def broken(
    text: str, width: float, size: float, *, bold: bool = False, lines: int = 2
) -> list[str]:
    """`text` in at most so many lines, each at most `width` pixels; what is too much ends in …."""
    found: list[str] = []
    rest = text.strip()
    while rest and len(found) < lines:
        if len(found) == lines - 1:
            found.append(cut(rest, width, size, bold=bold))
            break
        end = _end_of_line(rest, width, size, bold)
        found.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return found or [""]


def cut(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """`text`, or as much of it as fits before an ellipsis."""
    if text_width(text, size, bold=bold) <= width:
        return text
    end = _fitting(text, width - text_width("…", size, bold=bold), size, bold)
    return text[:end].rstrip(" ,") + "…"


def _end_of_line(text: str, width: float, size: float, bold: bool) -> int:
    """Where a line breaks: after the last word that fits, or inside a word that never will."""
    end = _fitting(text, width, size, bold)
    if end == len(text):
        return end
    space = max(text.rfind(" ", 0, end + 1), *(text.rfind(sign, 0, end) for sign in "_/"))
    return space + 1 if space > 0 else max(end, 1)


def _fitting(text: str, width: float, size: float, bold: bool) -> int:
    used = 0.0
    for end, sign in enumerate(text):
        used += text_width(sign, size, bold=bold)
        if used > width:
            return end
    return len(text)


@cache
def _width(sign: str) -> float:
    """Width of one character, in parts of the font size."""
    known = _WIDTHS.get(sign)
    if known is not None:
        return known
    if unicodedata.combining(sign):
        return 0.0
    base = unicodedata.normalize("NFD", sign)[0]
    if base != sign and base in _WIDTHS:
        return _WIDTHS[base]
    return 1.0 if unicodedata.east_asian_width(sign) in "WF" or ord(sign) > 0xFFFF else _OTHER
