"""Structure: a grown tree as immutable arrays, and everything that reads it without its rows."""

from clearwood.tree.as_tree import as_tree
from clearwood.tree.json_form import load
from clearwood.tree.rebuild import LEAF, rebuild
from clearwood.tree.structure import Tree

__all__ = ["LEAF", "Tree", "as_tree", "load", "rebuild"]
