"""Six trees written by hand, one for each thing that a reader of trees can get wrong."""

from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels

NASTY_LEVELS = ("D, east", "a:b", " ", "", "?", "NA", "é", '"', "two\nlines", "missing", "tab\t\\")
NASTY_COLUMN = 'x<y "1"'
STAGES = ("2", "5", "10", "25", "50", "100")


def one_leaf():
    return build(leaf([7, 3]), [Feature("age", "numeric", unit="years")], ["no", "yes"])


def binary():
    root = cut(
        "ef",
        35,
        cut("age", 62.5, leaf([3, 9]), leaf([1.44, 23.12]), missing=(0, 1)),
        leaf([52, 4]),
        strict=True,
    )
    features = [Feature("ef", "numeric", unit="%"), Feature("age", "numeric", unit="years")]
    return build(root, features, [False, True], class_names=["healthy", "disease"])


def many_branches():
    branches = {
        "north": leaf([20, 5, 1]),
        ("south", "east"): leaf([2, 9, 4]),
        "sea": leaf([0, 0, 0]),
        (): leaf([0, 0, 0]),
    }
    features = [Feature("site", "nominal", ("east", "north", "sea", "south", "west"))]
    return build(levels("site", branches), features, ["A", "B", "C"])


def ordinal():
    root = cut(
        "dose",
        "10",
        cut("dose", "2", leaf([8, 2]), leaf([5, 5])),
        cut("dose", "50", cut("dose", "25", leaf([3, 4]), leaf([3, 6])), leaf([0, 9])),
    )
    return build(root, [Feature("dose", "ordinal", STAGES, unit="mg")], ["alive", "dead"])


def nasty_names():
    below = levels("code", {NASTY_LEVELS[:1]: leaf([4, 1, 0]), NASTY_LEVELS[2:6]: leaf([1, 6, 2])})
    root = levels(
        "code",
        {
            NASTY_LEVELS[:6]: cut(NASTY_COLUMN, 1e-7, below, leaf([0, 3, 3])),
            NASTY_LEVELS[6:]: cut("ward", 7, leaf([2, 0, 1]), levels("flag", {
                True: leaf([1, 1, 5]), False: leaf([0.004, 0, 0]),
            })),
        },
    )  # fmt: skip
    features = [
        Feature("code", "nominal", NASTY_LEVELS),
        Feature(NASTY_COLUMN, "numeric", unit="mL/min/1.73 m²"),
        Feature("ward", "ordinal", (3, 7, 11), unit='or "so"'),
        Feature("flag", "nominal", (False, True)),
    ]
    return build(root, features, ["1", "in", "ja: nein"])


def deep_chain(n_cuts=2_999):
    """Two classes in turn: cuts at 0.5, 1.5, … with a leaf on each first branch."""
    node = leaf([0, 1] if n_cuts % 2 else [1, 0])
    for at in range(n_cuts - 1, -1, -1):
        node = cut("x", at + 0.5, leaf([0, 1] if at % 2 else [1, 0]), node)
    return build(node, [Feature("x", "numeric")], ["even", "odd"])


TREES = {
    make.__name__: make
    for make in (one_leaf, binary, many_branches, ordinal, nasty_names, deep_chain)
}
