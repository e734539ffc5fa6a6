"""What noise costs: soft fits over our own hard fit of the same table, in one run.

    python -m benchmarks.noise [a1 a2 c]

Shapes are those of `benchmarks.compare`; c is grown to a depth of 6.
"""

from __future__ import annotations

import sys
from typing import Any

import clearwood as cw
from benchmarks.compare.shapes import shape
from benchmarks.compare.timing import alternate

U = 0.1
NOISE = {
    "hard": {},
    "soft search": {"search_noise": U},
    "soft propagation": {"propagation_noise": U},
    "both": {"search_noise": U, "propagation_noise": U},
}
DEPTHS: dict[str, tuple[int | None, ...]] = {"a1": (None, 6), "a2": (None, 6), "c": (6,)}
REPS = {"a1": 15, "a2": 15, "c": 3}


def ratios(name: str, depth: int | None) -> dict[str, tuple[float, float, int]]:
    """Milliseconds, ratio to the hard fit and leaves of each way to fit a shape."""
    data = shape(name)
    models: dict[str, Any] = {
        label: cw.TreeClassifier(min_samples_leaf=2, max_depth=depth, **noise)
        for label, noise in NOISE.items()
    }
    calls = {
        label: (lambda model=model: model.fit(data.X, data.y)) for label, model in models.items()
    }
    times = alternate(calls, REPS[name])
    hard = times["hard"].least
    return {
        label: (1e3 * taken.least, taken.least / hard, models[label].get_n_leaves())
        for label, taken in times.items()
    }


def main(names: list[str]) -> None:
    print(f"{'shape':<6}{'depth':>10}  {'fit':<18}{'ms':>10}{'ratio':>8}{'leaves':>8}")
    for name in names:
        for depth in DEPTHS[name]:
            for label, (taken, ratio, leaves) in ratios(name, depth).items():
                print(
                    f"{name:<6}{depth or 'unlimited':>10}  {label:<18}{taken:>10.2f}{ratio:>8.1f}"
                    f"{leaves:>8}"
                )


if __name__ == "__main__":
    main(sys.argv[1:] or list(DEPTHS))
