"""Random trees with random witnesses, over the features of `random_trees`."""

import numpy as np

from clearwood.tree.witnesses import Witness, Witnesses
from reference.random_trees import FEATURES, random_tree

CONFLICTS = ("paper", "main", "probability")


def random_verified_tree(rng, values, n_inner=5):
    """A tree of two branches a node; numeric thresholds of witnesses lie at `values` too."""
    while True:
        tree = random_tree(rng, values, n_inner, n_classes=int(rng.integers(2, 4)))
        if (np.diff(tree.child_start)[~tree.is_leaf] == 2).all():
            break
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    witnesses = {node: random_witnesses(rng, values, int(tree.column[node])) for node in inner}
    return tree.with_evaluation(Witnesses.of(tree, witnesses, str(rng.choice(CONFLICTS))))


def random_witnesses(rng, values, column):
    """Up to four witnesses on other columns, the strongest first."""
    others = [feature for feature in FEATURES if feature is not FEATURES[column]]
    chosen = rng.permutation(len(others))[: rng.integers(5)]
    agreement = np.sort(1.0 - rng.random(len(chosen)))[::-1]
    return [
        random_witness(rng, values, others[place], float(share))
        for place, share in zip(chosen, agreement, strict=True)
    ]


def random_witness(rng, values, feature, agreement):
    about = {"is_reversed": bool(rng.random() < 0.5), "agreement": agreement}
    if feature.kind == "numeric":
        return Witness.below(feature, float(rng.choice(values)), **about)
    if feature.kind == "ordinal":
        return Witness.below(feature, rng.integers(1, feature.n_levels) - 0.5, **about)
    return Witness.equal(feature, int(rng.integers(feature.n_levels)), **about)
