"""Where the labels of cuts stand: beside their own line, across no other line and no label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from clearwood.report.charts.look import FONT_SIZE
from clearwood.tree.drawing.typeset import text_width

_ROWS = 6  # labels further in than so many rows are far from the end of their line
_HALF = 7.5  # of the height of a label
_SAFE = 1.05  # browsers' fonts differ a little


@dataclass(frozen=True, slots=True)
class CutLine:
    """A cut of axis 0 (x) or 1 (y), the alphas that chose it, and what the legend says of it."""

    axis: int
    threshold: float
    alphas: str
    legend: str


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """The label of a line, in pixels from the left and the top; `align` is its exact end."""

    line: CutLine
    left: float
    right: float
    middle: float
    align: Literal["left", "right"]


def label_places(
    lines: Sequence[CutLine], domains: Sequence[tuple[float, float]], size: tuple[int, int]
) -> list[PlacedLabel]:
    """Labels of the lines of one axis: each beside its own line, over no other and no label.

    Where two lines stand too close, the first is written on its other side; one without room on
    either has no label, and is told apart by the legend.
    """
    placed: list[PlacedLabel] = []
    every = [_pixel(line, domains, size) for line in lines]
    for line, at in sorted(zip(lines, every, strict=True), key=lambda pair: pair[1]):
        others = [other for other in every if other != at]
        found = next(
            (
                label
                for label in _candidates(line, at, size)
                if _is_free(label, others, placed, size)
            ),
            None,
        )
        if found is not None:
            placed.append(found)
    return placed


def _pixel(line: CutLine, domains: Sequence[tuple[float, float]], size: tuple[int, int]) -> float:
    """Where a line stands: from the left, or from the bottom."""
    low, high = domains[line.axis]
    return (line.threshold - low) / (high - low) * size[line.axis]


def _candidates(line: CutLine, at: float, size: tuple[int, int]) -> Iterator[PlacedLabel]:
    """After the line at its end, then before it, then further in."""
    width = text_width(line.alphas, FONT_SIZE + 1) * _SAFE
    for row in range(_ROWS):
        if line.axis == 0:
            middle = 10.0 + 16 * row
            yield PlacedLabel(line, at + 4, at + 4 + width, middle, "left")
            yield PlacedLabel(line, at - 4 - width, at - 4, middle, "right")
        else:
            right = size[0] - 4 - row * (width + 8)
            for middle in (size[1] - at - 9, size[1] - at + 9):
                yield PlacedLabel(line, right - width, right, middle, "right")


def _is_free(
    label: PlacedLabel,
    others: Sequence[float],
    placed: Sequence[PlacedLabel],
    size: tuple[int, int],
) -> bool:
    top, bottom = label.middle - _HALF, label.middle + _HALF
    if label.left < 0 or label.right > size[0] or top < 0 or bottom > size[1]:
        return False
    if label.line.axis == 0:
        crossed = any(label.left - 2 < other < label.right + 2 for other in others)
    else:
        crossed = any(top < size[1] - other < bottom for other in others)
    return not crossed and not any(
        label.left < other.right + 4
        and other.left < label.right + 4
        and abs(label.middle - other.middle) < 2 * _HALF
        for other in placed
    )
