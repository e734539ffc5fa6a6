"""Strict JSON: no duplicate keys, no NaN, no depth that could exhaust a stack, exact floats."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

from clearwood.errors import ModelFileError, ParameterError

DEEPEST = 40
_LONGEST_NUMBER = 308
"""Digits of a whole number; every one of them fits a float64."""
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


def parse(text: str) -> Any:
    """The value of a JSON text.

    Raises
    ------
    ModelFileError
        Says the line and column, or the member, and what is wrong there.
    """
    _require_shallow(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_int=_whole_number,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"line {error.lineno}, column {error.colno}: this is no JSON ({error.msg}); the file "
            "may be cut off or damaged"
        ) from None


def write(value: Any) -> str:
    """`value` on one line, as UTF-8 text.

    Raises
    ------
    ParameterError
        A float is not finite, or a text cannot be written as UTF-8.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ParameterError(f"a name or label is no valid text: {error.object!r:.60}") from None
    except ValueError:
        raise ParameterError("a model file holds finite numbers of at most 300 digits only; this "
                             f"cannot be written: {value!r:.60}") from None  # fmt: skip
    return text


def write_members(members: Mapping[str, Any]) -> str:
    """An object over several lines: a line for each member and for each object in a list."""
    lines = [f"{write(name)}: {_entries(value)}" for name, value in members.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def digest(value: Any) -> str:
    """SHA-256 of `value` in the one form that does not depend on layout or order of members."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _entries(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n " + ",\n ".join(map(write, value)) + "\n]"
    return write(value)


def _require_shallow(text: str) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        sign = match[0]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        if depth > DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise ModelFileError(f"line {line}: brackets are nested more than {DEEPEST} deep")


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFileError(f"member {twice!r:.60} stands twice in one object")
    return members


def _whole_number(digits: str) -> int:
    if len(digits.lstrip("-")) > _LONGEST_NUMBER:
        raise ModelFileError(f"a whole number has {len(digits)} digits: {digits:.20} …")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise ModelFileError(f"{digits:.60} is larger than any number that can be held")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ModelFileError(f"{name} is no number that a model can hold; leave the member out instead")
