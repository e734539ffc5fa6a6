"""Where the labels of points go: near their point, on nothing else, inside the plot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Literal, TypeAlias

import numpy as np

from clearwood._typing import FloatArray
from clearwood.report.charts.look import FONT_SIZE
from clearwood.tree.drawing.typeset import cut, text_width

Align: TypeAlias = Literal["left", "right", "center"]
Point: TypeAlias = tuple[float, float]
"""Pixels from the left and from the top of the plot."""
Leader: TypeAlias = tuple[Point, Point] | None
"""A line from a point to its label, where the label is not beside it."""

_HEIGHT = FONT_SIZE + 3
_WIDTHS = (210.0, 140.0, 90.0)
_SPACING = 4.0  # between the points that stand for a line
_NEARBY, _AWAY = (9.0, 22.0), (38.0, 58.0, 82.0)
_DIRECTIONS: tuple[tuple[int, int, Align], ...] = (
    (1, 0, "left"), (1, 1, "left"), (1, -1, "left"), (-1, -1, "right"), (-1, 1, "right"),
    (-1, 0, "right"), (0, 1, "center"), (0, -1, "center"), (0, 1, "right"), (0, 1, "left"),
    (0, -1, "right"), (0, -1, "left"),
)  # fmt: skip
"""Where a label stands from its point, right and down, and which end of it is there."""
_INSET = 3.0  # of the end that is above or below its point: points lie on the edge of the plot
_NEAR = 12.0
_SHORTEST = 30.0  # of what is left of a column's name
_SIGN = re.compile(r" (≤|<|≥|>|is not|is|in) ")


@dataclass(frozen=True, slots=True)
class Label:
    """A text beside its point.

    Parameters
    ----------
    text : str
    left, middle : float
        Where it begins, and its middle from the top, in pixels.
    right : float
        Where it ends.
    point : (float, float)
        What it is the label of.
    align : {"left", "right", "center"}
        Which end is exact, as widths are those of a typical font.
    """

    text: str
    left: float
    middle: float
    right: float
    point: Point
    align: Align

    @property
    def anchor(self) -> Point:
        """The place that `align` speaks of."""
        x = {"left": self.left, "right": self.right, "center": (self.left + self.right) / 2}
        return x[self.align], self.middle

    @property
    def leader(self) -> Leader:
        """A line from the point to the text, where the text is not beside it."""
        x = min(max(self.point[0], self.left - 2), self.right + 2)
        y = self.middle
        if abs(y - self.point[1]) > _HEIGHT / 2:
            y += _HEIGHT / 2 if self.point[1] > y else -_HEIGHT / 2
        return (self.point, (x, y)) if hypot(x - self.point[0], y - self.point[1]) > _NEAR else None


def place(
    points: Sequence[Point],
    numbers: Sequence[str],
    texts: Sequence[str],
    lines: Sequence[Sequence[Point]],
    thin: Sequence[Sequence[Point]],
    size: tuple[float, float],
    others: Sequence[Point] = (),
) -> list[Label]:
    """Labels of points that cover no point, no line and no other label.

    Parameters
    ----------
    points : sequence of (float, float)
    numbers, texts : sequence of str
        For each point the number, which always leads the label, and the words after it, which
        are shortened, and at last left out, where there is no room; empty: the number alone.
    lines, thin : sequence of sequences of (float, float)
        What is drawn. A label crosses a thin line where it must.
    size : (width, height)
        Of the plot.
    others : sequence of (float, float)
        More points that must stay in sight.

    Returns
    -------
    list of Label
        At most one a point; a point without room for its number has none.
    """
    ways = (_spots(lines), _spots([*lines, *thin]))
    marks = np.array([*points, *others]).reshape(-1, 2)
    best: list[Label] = []
    for skipped in range(len(_WIDTHS) if any(texts) else 1):  # long labels may bar short ones
        widths = _WIDTHS[skipped:]
        tries = [
            list(_candidates(point, number, words, widths))
            for point, number, words in zip(points, numbers, texts, strict=True)
        ]
        placed = _placed(tries, ways, marks, size)
        best = placed if len(placed) > len(best) else best
        if len(best) == len(points):
            break
    return best


def _placed(
    tries: Sequence[Sequence[tuple[Label, bool]]],
    ways: tuple[FloatArray, FloatArray],
    marks: FloatArray,
    size: tuple[float, float],
) -> list[Label]:
    """Of each point the first label that is free, given those before it."""
    occupied, avoided = ways
    placed: list[Label] = []
    for candidates in tries:
        free = (
            label
            for label, crosses in candidates
            if _is_free(label, occupied if crosses else avoided, marks, placed, size)
            and not _meet(label.leader, [other.leader for other in placed])
        )
        if (label := next(free, None)) is not None:
            placed.append(label)
            if label.leader is not None:
                way = _spots([label.leader])[2:]
                occupied, avoided = np.vstack([occupied, way]), np.vstack([avoided, way])
    return placed


def _candidates(
    point: Point, number: str, words: str, widths: Sequence[float]
) -> Iterator[tuple[Label, bool]]:
    """Labels to try, the best first, and whether they may cross thin lines."""
    short = [shortened(words, width) for width in widths]
    texts = [f"{number}: {text}" for text in short if text]
    tries = [(text, distances) for text in dict.fromkeys(texts) for distances in (_NEARBY, _AWAY)]
    for text, distances in [*tries, (number, (*_NEARBY, _AWAY[0]))]:
        for crosses in (False, True):
            for label in _around(point, text, distances):
                yield label, crosses


def shortened(rule: str, width: float) -> str:
    """A rule in `width` pixels; empty where its threshold would be lost."""
    sign = _SIGN.search(rule)
    if sign is None or text_width(rule, FONT_SIZE) <= width:
        return cut(rule, width, FONT_SIZE)
    tail = rule[sign.start() :]
    room = width - text_width(tail, FONT_SIZE)
    if room < _SHORTEST:  # a part of the levels says more than nothing, of a number it misleads
        return cut(rule, width, FONT_SIZE) if sign[1] in ("in", "is", "is not") else ""
    return cut(rule[: sign.start()], room, FONT_SIZE) + tail


def _around(point: Point, text: str, distances: Sequence[float]) -> Iterator[Label]:
    width = text_width(text, FONT_SIZE) * 1.05  # browsers' fonts differ a little
    for distance in distances:
        for right, down, align in _DIRECTIONS:
            reach = distance / hypot(right, down)
            x, y = point[0] + right * reach, point[1] + down * (reach + _HEIGHT / 4)
            inset = 0.0 if right else _INSET
            begins = {"left": x + inset, "right": x - width - inset, "center": x - width / 2}
            left = begins[align]
            yield Label(text, left, y, left + width, point, align)


def _is_free(
    label: Label,
    occupied: FloatArray,
    marks: FloatArray,
    placed: Sequence[Label],
    size: tuple[float, float],
) -> bool:
    top, bottom = label.middle - _HEIGHT / 2, label.middle + _HEIGHT / 2
    if label.left < 2 or label.right > size[0] - 2 or top < 2 or bottom > size[1] - 2:
        return False
    if _covers(label, marks, 6.0) or _covers(label, occupied, 2.5):
        return False
    if any(
        label.left < other.right + 5
        and other.left < label.right + 5
        and abs(label.middle - other.middle) < _HEIGHT
        for other in placed
    ):
        return False
    return label.leader is None or _is_clear(label, marks, placed)


def _is_clear(label: Label, marks: FloatArray, placed: Sequence[Label]) -> bool:
    """Whether the leader of a label passes through no other label and no other point."""
    way = _spots([label.leader or ()])[2:]
    if any(_covers(other, way, 1.0) for other in placed):
        return False
    others = marks[(marks != label.point).any(axis=1)]
    apart = np.hypot(*(way[:, None, :] - others[None, :, :]).transpose(2, 0, 1))
    return not bool((apart < 6).any())


def _meet(leader: Leader, others: Sequence[Leader]) -> bool:
    """Whether a leader crosses another."""
    if leader is None:
        return False
    return any(_cross(leader, other) for other in others if other is not None)


def _cross(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    def side(line: tuple[Point, Point], spot: Point) -> float:
        (x0, y0), (x1, y1) = line
        return (x1 - x0) * (spot[1] - y0) - (y1 - y0) * (spot[0] - x0)

    return side(one, two[0]) * side(one, two[1]) <= 0 and side(two, one[0]) * side(two, one[1]) <= 0


def _covers(label: Label, spots: FloatArray, margin: float) -> bool:
    """Whether a spot lies in the box of a label, or so near to it."""
    x, y = spots[:, 0], spots[:, 1]
    across = (label.left - margin < x) & (x < label.right + margin)
    return bool((across & (np.abs(y - label.middle) < _HEIGHT / 2 + margin)).any())


def _spots(lines: Sequence[Sequence[Point]]) -> FloatArray:
    """Points that stand close together on lines of straight pieces; shape (n, 2)."""
    spots = [np.empty((0, 2))]
    for (x0, y0), (x1, y1) in (piece for line in lines for piece in pairwise(line)):
        n = max(1, int(hypot(x1 - x0, y1 - y0) / _SPACING))
        part = np.arange(n + 1) / n
        spots.append(np.column_stack([x0 + (x1 - x0) * part, y0 + (y1 - y0) * part]))
    return np.vstack(spots)
