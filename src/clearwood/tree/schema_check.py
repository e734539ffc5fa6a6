"""Checks parsed JSON against the part of JSON Schema that our published schema uses.

The schema that is published is the schema that is enforced: a keyword that is not known here is an
error, never ignored. Each schema becomes one function, so that a node costs some microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any], None]
"""Raises `Mismatch` where a value is not as the schema says."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
_WORDS: Mapping[str, str] = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}
_IGNORED = frozenset({"$schema", "$id", "$defs", "title", "description"})
_LONGEST_VALUE = 60


class Mismatch(Exception):
    """A value that breaks the schema: the rule, and the way to it from the innermost outwards."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule
        self.way: list[str | int] = []

    @property
    def place(self) -> str:
        """E.g. ``nodes[3].threshold``; ``the document`` for the whole."""
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.way[::-1]]
        return "".join(steps).removeprefix(".") or "the document"


def compiled(schema: Mapping[str, Any]) -> Check:
    """The check of a whole schema document."""
    return _compiled(schema, schema.get("$defs", {}))


def _compiled(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Check:
    checks = [
        make
        for keyword, value in schema.items()
        if keyword not in _IGNORED
        for make in [_KEYWORDS[keyword](value, schema, named)]
        if make is not None
    ]
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> None:
        for one in checks:
            one(value)

    return check


def shown(value: Any) -> str:
    """A value as an error shows it, cut short."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} …"


def _refer(reference: str, schema: Any, named: Mapping[str, Any]) -> Check:
    return _compiled(named[reference.removeprefix("#/$defs/")], named)


def _type(names: Any, schema: Any, named: Any) -> Check:
    listed = [names] if isinstance(names, str) else names
    types = tuple(kind for name in listed for kind in _TYPES[name])
    wanted = " or ".join(_WORDS[name] for name in listed)
    whole = "integer" in listed and "number" not in listed

    def check(value: Any) -> None:
        if isinstance(value, types) and (value.__class__ is not bool or bool in types):
            return
        if whole and isinstance(value, float) and value.is_integer():
            return
        raise Mismatch(f"must be {wanted}, got {shown(value)}")

    return check


def _enum(values: list[Any], schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        if not any(value.__class__ is known.__class__ and value == known for known in values):
            wanted = " or ".join(repr(known) for known in values)
            raise Mismatch(f"must be {wanted}, got {shown(value)}")

    return check


def _const(value: Any, schema: Any, named: Any) -> Check:
    return _enum([value], schema, named)


def _required(names: list[str], schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        for name in names:
            if name not in value:
                raise Mismatch(f"must have a member {name!r}")

    return check


def _properties(members: Mapping[str, Any], schema: Any, named: Mapping[str, Any]) -> Check:
    checks = {name: _compiled(member, named) for name, member in members.items()}

    def check(value: Any) -> None:
        for name, member in value.items():
            one = checks.get(name)
            if one is not None:
                _step(one, member, name)

    return check


def _additional(rest: Any, schema: Mapping[str, Any], named: Mapping[str, Any]) -> Check:
    known = schema.get("properties", {}).keys()
    one = None if rest is False else _compiled(rest, named)

    def check(value: Any) -> None:
        for name in value.keys() - known:
            if one is None:
                raise Mismatch(f"has an unknown member {shown(name)}")
            _step(one, value[name], name)

    return check


def _items(item: Mapping[str, Any], schema: Any, named: Mapping[str, Any]) -> Check:
    one = _compiled(item, named)

    def check(value: Any) -> None:
        place = -1
        try:
            for place, entry in enumerate(value):  # noqa: B007 - read where the loop broke off
                one(entry)
        except Mismatch as mismatch:
            mismatch.way.append(place)
            raise

    return check


def _step(one: Check, value: Any, name: str) -> None:
    try:
        one(value)
    except Mismatch as mismatch:
        mismatch.way.append(name)
        raise


def _min_items(least: int, schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        if len(value) < least:
            raise Mismatch(f"must have at least {least} entry, has {len(value)}")

    return check


def _minimum(least: float, schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        if not value >= least:
            raise Mismatch(f"must be at least {least}, got {shown(value)}")

    return check


def _maximum(most: float, schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        if not value <= most:
            raise Mismatch(f"must be at most {most}, got {shown(value)}")

    return check


def _pattern(pattern: str, schema: Any, named: Any) -> Check:
    def check(value: Any) -> None:
        if re.search(pattern, value) is None:
            raise Mismatch(f"must match {pattern}, got {shown(value)}")

    return check


def _all_of(parts: list[Mapping[str, Any]], schema: Any, named: Mapping[str, Any]) -> Check:
    checks = [_compiled(part, named) for part in parts]

    def check(value: Any) -> None:
        for one in checks:
            one(value)

    return check


def _if(condition: Any, schema: Mapping[str, Any], named: Mapping[str, Any]) -> Check:
    holds, then = _compiled(condition, named), _compiled(schema["then"], named)

    def check(value: Any) -> None:
        try:
            holds(value)
        except Mismatch:
            return
        then(value)

    return check


def _then(*_: Any) -> None:
    """Belongs to ``if``."""


_KEYWORDS: Mapping[str, Callable[[Any, Any, Any], Check | None]] = {
    "$ref": _refer,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "minItems": _min_items,
    "minimum": _minimum,
    "maximum": _maximum,
    "pattern": _pattern,
    "allOf": _all_of,
    "if": _if,
    "then": _then,
}
