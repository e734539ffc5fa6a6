"""C4.5 release 8 as slowly and plainly as it can be said, in single or double precision.

An independent second version against which the fast one is held, and the place to look up which
rule breaks when they part. Rules: growing A.1 to A.5, classification A.6, error-based pruning
A.7 and A.8 of the behavioural specification of C4.5 release 8.

Every quantity that the original stores in single precision passes through `real`; in double
precision the same code runs with `real = numpy.float64`. Running sums are `cumsum` or `add.at`,
which add strictly one after another, as the original does; `sum` would add in pairs.

What decides in single precision, each found by leaving it out: with all of it every tree of the
oracles that does not itself hang on the floating-point mode comes out the same.

- The running sum inside I() is rounded at each addition (else glass and soybean differ).
- The base information of a nominal column has one rounding, that of a cut has two (soybean).
- In a branch the rows with unknown value are summed before the known ones (heart_cleveland,
  soybean); the order of the rows within the two parts is that of the file and does not matter.
- Weights of unknown rows are divided back after each branch and drift (soybean, -m 1 -g).
- Pruning keeps a node's class among equally heavy ones; the lowest would be wrong (crx and
  heart_cleveland, -m 1 -g).
- In classification each product and quotient of weights is rounded (crx, -g: one exact tie).
- Gaps are held against 1e-5 in double precision, on values rounded to single (glass).

The other roundings (of gain, ratio, average, penalty, known weight, unknown fraction, of the upper
side of a cut by subtraction) are kept because the original has them; no oracle tells them apart.
"""

from __future__ import annotations

from reference.c45.classification import hard_errors, labels_of
from reference.c45.data import MISSING, Cases, Node, Options, known_numbers
from reference.c45.growing import Grower
from reference.c45.pruning import Pruner, added_errors

__all__ = [
    "MISSING",
    "Cases",
    "Node",
    "Options",
    "added_errors",
    "grow_c45",
    "hard_errors",
    "known_numbers",
    "labels_of",
]


def grow_c45(cases: Cases, options: Options) -> tuple[Node, Node, float]:
    """Grown tree, pruned tree and the pruned tree's estimated errors."""
    grown = Grower(cases, options).grow()
    pruned, estimate = Pruner(cases, options).prune(grown)
    return grown, pruned, estimate
