"""What is compared, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import clearwood as cw
from clearwood.pruning import TreeSize

Make = Callable[[], Any]
"""A classifier that was not fitted yet."""

PLAIN = "RS-C"


def verified(k: int, **choices: Any) -> Make:
    """RS-V with k witnesses at most; with none it is RS-C."""
    return lambda: cw.VerifiedTreeClassifier(n_verifiers=k, **choices)


def witnessed(options: Mapping[str, Any]) -> dict[str, Make]:
    """RS-C, and RS-V by the number of witnesses."""
    return {PLAIN: verified(0)} | {f"RS-V {k}": verified(k) for k in options["n_verifiers"]}


def variants(options: Mapping[str, Any]) -> dict[str, Make]:
    """RS-V with another orientation, another rule where subtrees differ, laxer witnesses."""
    k = options["variants_at"]
    most = max(options["n_verifiers"])
    return {
        f"RS-V {k}, same": verified(k, orientation="same"),
        f"RS-V {k}, main": verified(k, conflict="main"),
        f"RS-V {k}, probability": verified(k, conflict="probability"),
        f"RS-V {most}, probability": verified(most, conflict="probability"),
        f"RS-V {k}, lax": verified(k, agreement=options["lax"]),
    }


def pruned(options: Mapping[str, Any]) -> dict[str, Make]:
    """RS-C and RS-V pruned by tree size; the paper prunes neither."""
    k, c = options["variants_at"], options["pruned_at"]
    return {
        f"{PLAIN}, pruned": verified(0, pruning=TreeSize(c)),
        f"RS-V {k}, pruned": verified(k, pruning=TreeSize(c)),
    }


def outside() -> dict[str, Make]:
    """Trees of another kind, with their own defaults.

    CART's prunes only what costs no training error, C4.5's by its estimate of errors.
    """
    return {"CART": cw.CARTClassifier, "C4.5": cw.C45Classifier}


def compared(options: Mapping[str, Any]) -> dict[str, Make]:
    """All whose accuracy is measured."""
    return witnessed(options) | variants(options) | pruned(options) | outside()


def measured_again(options: Mapping[str, Any], noise: Mapping[str, Any]) -> dict[str, Make]:
    """All whose answers are watched when patients are measured again.

    `noise` by column is what the soft tree is told.
    """
    k = options["variants_at"]
    rules = ("main", "probability", "lax")
    chosen = (f"RS-V {k}", "RS-V 5", "RS-V 9", *(f"RS-V {k}, {rule}" for rule in rules))
    every = compared(options)
    return {name: every[name] for name in (PLAIN, *chosen, *pruned(options), *outside())} | {
        "soft tree": lambda: cw.SoftTreeClassifier(noise=noise)
    }
