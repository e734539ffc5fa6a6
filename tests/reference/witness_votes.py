"""How a tree with witnesses reads one row, by the letter (algorithms.md G.4 and G.5).

A row is a mapping of column name to number or level; a column that is not in it is missing.
"""

import numpy as np


def code(feature, value):
    """Number or level code; None: missing or unknown."""
    if value is None or value != value:
        return None
    if feature.kind == "numeric":
        return float(value)
    return feature.levels.index(value) if value in feature.levels else None


def says(tree, witness, row):
    """0 or 1: the branch that the witness at this place speaks for; None: it abstains."""
    evaluation = tree.evaluation
    feature = tree.features[evaluation.column[witness]]
    value = code(feature, row.get(feature.name))
    if value is None:
        return None
    if feature.kind == "nominal":
        holds = value == evaluation.level[witness]
    else:
        holds = value < evaluation.threshold[witness]
    return int(holds == bool(evaluation.is_reversed[witness]))


def main_branch(tree, node, row):
    """Branch of the condition of `node`; None where its value is missing or has no branch."""
    feature = tree.features[tree.column[node]]
    value = code(feature, row.get(feature.name))
    if value is None:
        return None
    if tree.kind[node] == 2:
        levels = tree.levels(node)
        return None if value >= len(levels) or levels[value] < 0 else int(levels[value])
    threshold = tree.threshold[node]
    return int(not (value < threshold if tree.strict[node] else value <= threshold))


def first_share(tree, node, row, answers):
    """Part of the row that goes to the first branch, given what both subtrees answer."""
    conflict, evaluation = tree.evaluation.conflict, tree.evaluation
    main = main_branch(tree, node, row)
    places = range(evaluation.start[node], evaluation.start[node + 1])
    votes = [vote for place in places if (vote := says(tree, place, row)) is not None]
    k, k1 = len(votes), votes.count(0)
    if main == 0 and k1 == k:
        return 1.0
    if main == 1 and k1 == 0:
        return 0.0
    missing = tree.shares(node)[0]
    m = missing if main is None else 1.0 - main
    alike = np.argmax(answers[0]) == np.argmax(answers[1])
    if alike or conflict == "probability":
        return (k1 + m) / (k + 1)
    k2 = k - k1
    if conflict == "main" and main is not None:
        k1, k2 = k1 + (main == 0), k2 + (main == 1)
        if k1 == k2:
            return 1.0 - main
    if k1 != k2:
        return float(k1 > k2)
    return float(missing >= 0.5) if main is None else 0.0


def answer(tree, row, node=0):
    """Class probabilities that the subtree of `node` gives to the row."""
    if tree.is_leaf[node]:
        return tree.distribution[node]
    answers = [answer(tree, row, child) for child in tree.children(node).tolist()]
    share = first_share(tree, node, row, answers)
    return share * answers[0] + (1.0 - share) * answers[1]


def shares(tree, row):
    """Which part of the row in its parent goes on to each node; 1 at the root."""
    found = np.ones(tree.n_nodes)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        children = tree.children(node).tolist()
        answers = [answer(tree, row, child) for child in children]
        share = first_share(tree, node, row, answers)
        found[children[0]], found[children[1]] = share, 1.0 - share
    return found
