"""How names, numbers, levels and shares are written, so that what is read is what is executed.

A written number is the shortest decimal that reads back as the same float64. A name is written
bare where it is one plain word and in double quotes, with JSON's escapes, everywhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from clearwood.table.column import Feature
    from clearwood.tree.structure import Tree

_SHORT = 6
_PLAIN_NAME = re.compile(r"[^\W\d][\w.]*")
_PLAIN_UNIT = re.compile(r'[^\s"(){}\[\],:;<>=]+( [^\s"(){}\[\],:;<>=]+)*')
_RESERVED = frozenset({"all", "always", "and", "if", "in", "is", "missing", "or", "others", "then"})

_SAYS_NOTHING = frozenset({"True", "False"})


def number_text(value: float) -> str:
    """Shortest decimal that reads back as `value`; whole numbers without a point."""
    value = float(value)
    if value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return repr(value)


def short_number_text(value: float, threshold: float | None = None) -> str:
    """`value` in six digits, or as many as its whole part has.

    In more where fewer would not lie on the same side of `threshold`, or on it.
    """
    value = float(value)
    if not isfinite(value) or value.is_integer():
        return number_text(value)
    fewest = max(_SHORT, len(str(int(abs(value)))))
    for digits in range(fewest, 17):
        rounded = float(f"{value:.{digits}g}")
        if threshold is None or _side(rounded, threshold) == _side(value, threshold):
            return number_text(rounded)
    return number_text(value)


def _side(value: float, threshold: float) -> int:
    return (value > threshold) - (value < threshold)


def share_text(share: float, digits: int | None = 2) -> str:
    """`share` to `digits` decimals; more where 0 or 1 would be said of a share that is neither.

    ``digits=None`` writes every digit.
    """
    if digits is None:
        return number_text(share)
    for places in range(digits, 17):
        text = f"{share:.{places}f}"
        if (float(text) in (0.0, 1.0)) == (share in (0.0, 1.0)):
            return text
    return number_text(share)


def weight_text(weight: float, digits: int | None = 2) -> str:
    """`weight` to at most `digits` decimals; small weights keep their first two digits."""
    if digits is None:
        return number_text(weight)
    text = f"{weight:.{digits}f}"
    if float(text) == 0.0 and weight != 0.0:
        return f"{weight:.2g}"
    return number_text(float(text))


def name_text(name: str) -> str:
    """A column's or class's name: bare where it is one plain word, else quoted."""
    if _PLAIN_NAME.fullmatch(name) and name not in _RESERVED and name.isprintable():
        return name
    return quoted(name)


def plain_name(name: str) -> str:
    """A name as a sentence or picture shows it: as it is, unless that could not be seen."""
    is_plain = name.isprintable() and name == name.strip() and name not in ("", "missing")
    return name if is_plain else quoted(name)


def class_words(tree: Tree, code: int, write: Callable[[str], str] = plain_name) -> str:
    """A class of `tree` as a sentence names it; see `label_words`."""
    target = tree.settings.get("training", {}).get("target")
    return label_words(tree.class_names[code], target, write)


def label_words(name: str, target: Any, write: Callable[[str], str] = plain_name) -> str:
    """A class in a sentence: ``chd = 1`` where its name alone, such as 1 or True, says nothing.

    ``class 1`` where the target's name is not known; of other classes the name, as `write` does.
    """
    if any(map(str.isalpha, name)) and name not in _SAYS_NOTHING:
        return write(name)
    name = plain_name(name)
    return f"{plain_name(target)} = {name}" if isinstance(target, str) else f"class {name}"


def unit_text(unit: str | None) -> str:
    """A unit with the space before it, quoted where it could be read otherwise; may be empty."""
    if not unit:
        return ""
    plain = _PLAIN_UNIT.fullmatch(unit) and _RESERVED.isdisjoint(unit.split())
    return " " + (unit if plain and unit.isprintable() else quoted(unit))


def quoted(text: str) -> str:
    """`text` in double quotes with JSON's escapes; what cannot be printed is escaped too."""
    escaped = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in escaped)


def level_text(label: Any) -> str:
    """A level's label: numbers and booleans bare, everything else quoted."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, int):  # booleans too; a whole number keeps every digit
        return str(label)
    if isinstance(label, float):
        return number_text(label)
    return quoted(str(label))


def level_set_text(feature: Feature, codes: Iterable[int]) -> str:
    """The labels of `codes` in braces, in code order, with the column's unit."""
    labels = ", ".join(level_text(feature.levels[code]) for code in codes)
    return f"{{{labels}}}{unit_text(feature.unit)}"
