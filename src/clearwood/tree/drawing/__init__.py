"""A tree as a picture: own layout, plain SVG, nothing from outside."""

from clearwood.tree.drawing.svg import to_svg

__all__ = ["to_svg"]
