"""How classes are filled: each with a pattern of its own, told apart in black and white too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

INK, GREY, LINE, BAND, PALE = "#1f2933", "#4a5663", "#8d99a6", "#c5d0db", "#f4f6f8"


@dataclass(frozen=True, slots=True)
class Fill:
    """A ground and what is drawn on it, in a tile of 6 by 6 pixels."""

    ground: str
    marks: str = ""


def _lines(way: str, colour: str, width: float) -> str:
    return f'<path d="{way}" stroke="{colour}" stroke-width="{width}"/>'


def _dot(x: int, y: int, colour: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="1.3" fill="{colour}"/>'


_RISING, _FALLING = "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", "M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2"
_EVENT = Fill("#b5482a", _lines(_RISING, "#fff", 1.3))
_OTHERS = (
    Fill("#e4eaf0"),
    Fill("#ffffff", _dot(2, 2, "#1b5e8c") + _dot(5, 5, "#1b5e8c")),
    Fill("#9cc3e0", _lines("M0,1.5 h6 M0,4.5 h6", "#163a56", 1.0)),
    Fill("#ffffff", _lines("M1.5,0 v6 M4.5,0 v6", "#2c6e49", 1.4)),
    Fill("#f0c75e", _lines("M0,0 l6,6 M6,0 l-6,6", "#5c4a12", 0.9)),
    Fill("#3d4752"),
    Fill("#ffffff", _lines(_FALLING, "#6b3fa0", 1.3)),
    Fill("#b8c2cc", _lines("M0,3 h6 M3,0 v6", "#fff", 1.2)),
)


def fills(n_classes: int, event: int | None) -> tuple[Fill, ...]:
    """A fill for each class: the strongest for the event; with many classes they repeat."""
    if event is None:
        menu: Sequence[Fill] = (_OTHERS[0], _EVENT, *_OTHERS[1:])
        return tuple(menu[code % len(menu)] for code in range(n_classes))
    others = iter(range(n_classes))
    return tuple(
        _EVENT if code == event else _OTHERS[next(others) % len(_OTHERS)]
        for code in range(n_classes)
    )


def definitions(chosen: Sequence[Fill], prefix: str) -> str:
    """The patterns as SVG definitions, under ids ``<prefix>-0``, ``<prefix>-1``, …"""
    return "".join(
        f'<pattern id="{prefix}-{code}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<rect width="6" height="6" fill="{fill.ground}"/>{fill.marks}</pattern>'
        for code, fill in enumerate(chosen)
    )
