"""Reads a drawn tree back from its SVG alone: cards, texts and where they are."""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from clearwood.tree.drawing.typeset import text_width

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Box:
    """A rectangle and the text or title that it carries."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""

    def overlaps(self, other, slack=0.0):
        return (
            min(self.right, other.right) - max(self.left, other.left) > slack
            and min(self.bottom, other.bottom) - max(self.top, other.top) > slack
        )

    def holds(self, other, slack=0.0):
        return (
            other.left >= self.left - slack and other.right <= self.right + slack
            and other.top >= self.top - slack and other.bottom <= self.bottom + slack
        )  # fmt: skip


def parse(svg):
    return ET.fromstring(svg)


def size(root):
    return float(root.get("width")), float(root.get("height"))


def groups(root):
    """The groups of cards and of branches with their titles: a card has a rect, a branch a path."""
    drawing = root.findall(f"{SVG}g")[1]
    found = drawing.findall(f"{SVG}g")
    cards = [group for group in found if group.find(f"{SVG}rect") is not None]
    return cards, [group for group in found if group not in cards]


def offset(root):
    """Where the drawing begins below its legend."""
    x, y = re.findall(r"[\d.]+", root.findall(f"{SVG}g")[1].get("transform"))
    return float(x), float(y)


def card_box(group):
    rect = group.find(f"{SVG}rect")
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return Box(x, y, x + width, y + height, group.find(f"{SVG}title").text)


def text_boxes(group):
    return [text_box(text) for text in group.findall(f"{SVG}text")]


def text_box(text):
    words = "".join(text.itertext()) if text.find(f"{SVG}title") is None else text[0].tail
    height = float(text.get("font-size"))
    width = text_width(words, height, bold=text.get("font-weight") == "bold")
    x, y = float(text.get("x")), float(text.get("y"))
    left = x - width if text.get("text-anchor") == "end" else x
    return Box(left, y - 0.76 * height, left + width, y + 0.22 * height, words)
