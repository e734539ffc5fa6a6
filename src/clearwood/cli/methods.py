"""From the options of a command to a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from clearwood.cli.failure import CommandError
from clearwood.cli.wording import some

if TYPE_CHECKING:
    from clearwood.cli.reading import Labelled


class Method(StrEnum):
    """Ways to grow a tree."""

    c45 = "c45"
    cart = "cart"
    id3 = "id3"
    tree = "tree"
    alpha = "alpha"
    chain = "chain"
    verified = "verified"


CLASSIFIERS = {
    Method.c45: "C45Classifier",
    Method.cart: "CARTClassifier",
    Method.id3: "ID3Classifier",
    Method.tree: "TreeClassifier",
    Method.alpha: "AlphaTreeClassifier",
    Method.chain: "DecisionChainClassifier",
    Method.verified: "VerifiedTreeClassifier",
}
BELONGS_TO = {
    "confidence": (Method.c45, Method.tree),
    "alpha": (Method.cart, Method.tree, Method.alpha),
    "velocity": (Method.chain,),
    "verifiers": (Method.verified,),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked of the tree; what is None is left to the method.

    Parameters
    ----------
    method : Method
    confidence : float or None
        Of error-based pruning.
    alpha : float or None
        Of cost-complexity pruning; of an alpha-tree's divergence.
    min_leaf : float or None
        Rows that two branches of a split must reach.
    max_depth : int or None
        Conditions on the longest path.
    velocity : float or None
        Of a chain.
    verifiers : int or None
        Witnesses of a cut at most.
    """

    method: Method
    confidence: float | None = None
    alpha: float | None = None
    min_leaf: float | None = None
    max_depth: int | None = None
    velocity: float | None = None
    verifiers: int | None = None

    def __post_init__(self) -> None:
        if self.confidence is not None and self.alpha is not None:
            raise typer.BadParameter("--confidence and --alpha are two ways to prune; give one")
        for name, methods in BELONGS_TO.items():
            if getattr(self, name) is not None and self.method not in methods:
                raise typer.BadParameter(
                    f"--{name} does not belong to --method {self.method}; "
                    f"use it with {' or '.join(methods)}"
                )

    def given(self) -> dict[str, Any]:
        """The method and what was set, by name."""
        names = ("confidence", "alpha", "velocity", "verifiers", "min_leaf", "max_depth")
        chosen = {name: getattr(self, name) for name in names}
        return {"method": str(self.method)} | {
            name: value for name, value in chosen.items() if value is not None
        }


def settings_of(
    method: Method | None,
    confidence: float | None,
    alpha: float | None,
    min_leaf: float | None,
    max_depth: int | None,
    velocity: float | None,
    verifiers: int | None,
) -> Settings:
    """The settings that the options of a command ask for."""
    return Settings(
        method or Method.c45, confidence, alpha, min_leaf, max_depth, velocity, verifiers
    )


def require_two_classes(table: Labelled, settings: Settings) -> None:
    """Refuses a chain of more than two classes, in the words of the command line."""
    if settings.method is Method.chain and len(table.classes) > 2:
        raise CommandError(
            f"{table.path}: column {table.target!r} has {len(table.classes)} classes, "
            f"{some(table.classes.tolist())}, but --method chain tells one event from the rest; "
            "name a target of two classes, the event and the rest, or take another --method"
        )


def classifier(settings: Settings, nominal: Sequence[str], event: Any) -> Any:
    """An unfitted classifier; `nominal` columns are read as codes without an order."""
    from clearwood import estimators
    from clearwood.pruning import CostComplexity, ErrorBased
    from clearwood.table import Column

    is_chain = settings.method is Method.chain
    parameters: dict[str, Any] = {
        "min_samples_leaf": settings.min_leaf,
        "max_length" if is_chain else "max_depth": settings.max_depth,
        "velocity": settings.velocity,
        "n_verifiers": settings.verifiers,
        "event": event if is_chain else None,
    }
    if settings.confidence is not None:
        parameters["pruning"] = ErrorBased(confidence=settings.confidence)
    if settings.method is Method.alpha:
        parameters["alpha"] = settings.alpha
    elif settings.alpha is not None:
        parameters["pruning"] = CostComplexity(alpha=settings.alpha)
    asked = {name: value for name, value in parameters.items() if value is not None}
    wishes = {name: Column(kind="nominal") for name in nominal}
    return getattr(estimators, CLASSIFIERS[settings.method])(**asked, columns=wishes or None)
