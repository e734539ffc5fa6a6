"""The worked example of verified trees: eight objects, agreement above 0.5, up to two witnesses."""

from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.witnesses import Witness, Witnesses

FEATURES = tuple(Feature(name, "numeric") for name in ("a0", "a1", "a2"))
OBJECTS = (
    (1, 10, 9), (2, 11, 8), (3, 12, 7), (4, 19, 6), (5, 13, 3), (6, 20, 2), (7, 21, 4), (8, 22, 1),
)  # fmt: skip
LABELS = (0, 0, 0, 0, 1, 1, 1, 1)


def from_there_on(column, threshold, agreement=1.0):
    """Speaks for the first branch where the value is at least the threshold."""
    return Witness.below(FEATURES[column], threshold, is_reversed=True, agreement=agreement)


def below(column, threshold, agreement=1.0):
    return Witness.below(FEATURES[column], threshold, agreement=agreement)


def worked_example(conflict="paper"):
    """Object 4, (4, 19, 6), is in both branches of the root, since its a1 speaks against its a0."""
    copies = cut("a0", 4.5, leaf([1, 0]), leaf([0, 1]), strict=True)
    second = cut("a0", 4.5, copies, leaf([0, 4]), strict=True)
    tree = build(cut("a0", 4.5, leaf([4, 0]), second, strict=True), FEATURES, [0, 1])
    witnesses = {
        0: [from_there_on(2, 5), below(1, 12.5, 0.75)],
        2: [from_there_on(2, 5), below(1, 19.5, 0.75)],
        3: [from_there_on(1, 16), from_there_on(2, 4.5)],
    }
    return tree.with_evaluation(Witnesses.of(tree, witnesses, conflict))
