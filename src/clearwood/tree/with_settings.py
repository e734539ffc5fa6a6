"""The same tree with other things remembered of its growing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from clearwood.tree.structure import Tree


def with_settings(tree: Tree, settings: Mapping[str, Any]) -> Tree:
    """`tree` with these settings; its arrays, and what was derived of them, are shared."""
    other = object.__new__(Tree)
    other.__dict__.update(tree.__dict__, settings=MappingProxyType(dict(settings)))
    return other
