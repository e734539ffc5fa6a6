"""How the cuts of a tree are verified by cuts on other columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

from clearwood.errors import ParameterError

if TYPE_CHECKING:
    from clearwood import _core

MOST_NODES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Witnesses of every cut (RS-V), and what becomes of rows on which they disagree.

    Parameters
    ----------
    n_verifiers : int, default=3
        Witnesses of a cut at most, the best first, at most one of each other column. 0 is RS-C:
        none.
    agreement : float, default=0.9
        Of the pairs of rows of different classes that a cut parts, a witness must part more than
        this share in the same way. At least 0, below 1.
    orientation : {"both", "same"}, default="both"
        Whether a column may also witness that falls where the cut's column rises. "same" is the
        paper's algorithm, which passes over such columns.
    disagreement : {"any", "all"}, default="any"
        A training row goes to both branches where any witness, or all of them, contradict the cut.
    conflict : {"paper", "main", "probability"}, default="paper"
        How a row is decided whose witnesses disagree; see `clearwood.tree.witnesses.Witnesses`.
    max_nodes : int, default=100000
        Rows that go both ways can make a tree large: no more nodes than this.
    max_dup_fraction : float, default=0.5
        Of a node's weight. Where witnesses send more to both branches, the weakest is dropped.
    min_purity : float, default=1
        Share of its heaviest class from which on a node is a leaf. Above 0, at most 1.

    Raises
    ------
    ParameterError
        Names the parameter, the rule and the value.

    References
    ----------
    Bazan, Bazan-Socha, Buregwa-Czuma, Pardel and Sokolowska (2014), V-decision trees, section 2.
    """

    n_verifiers: int = 3
    agreement: float = 0.9
    orientation: Literal["both", "same"] = "both"
    disagreement: Literal["any", "all"] = "any"
    conflict: Literal["paper", "main", "probability"] = "paper"
    max_nodes: int = MOST_NODES
    max_dup_fraction: float = 0.5
    min_purity: float = 1.0

    def __post_init__(self) -> None:
        _require_whole("n_verifiers", self.n_verifiers, 0)
        _require_whole("max_nodes", self.max_nodes, 1)
        _require_between("agreement", self.agreement, 0.0, 1.0, "below 1", open_above=True)
        _require_between("max_dup_fraction", self.max_dup_fraction, 0.0, 1.0, "at most 1")
        _require_between("min_purity", self.min_purity, 0.0, 1.0, "at most 1", open_below=True)
        for name, choices in (
            ("orientation", ("both", "same")),
            ("disagreement", ("any", "all")),
            ("conflict", ("paper", "main", "probability")),
        ):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ParameterError(
                    f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
                )

    def set_on(self, plan: _core.Plan) -> None:
        """Tells the core's plan."""
        plan.set_verification(
            n_verifiers=min(int(self.n_verifiers), 2**31 - 1),
            agreement=float(self.agreement),
            mirrored=self.orientation == "both",
            disagreement=self.disagreement,
            max_nodes=min(int(self.max_nodes), 2**31 - 1),
            max_dup_fraction=float(self.max_dup_fraction),
            min_purity=float(self.min_purity),
        )


def _require_whole(name: str, value: Any, least: int) -> None:
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, got {value!r}")


def _require_between(
    name: str,
    value: Any,
    least: float,
    most: float,
    upper: str,
    *,
    open_below: bool = False,
    open_above: bool = False,
) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    fits = is_number and math.isfinite(value) and least <= value <= most
    if not fits or (open_below and value == least) or (open_above and value == most):
        lower = f"above {least:g}" if open_below else f"of at least {least:g}"
        raise ParameterError(f"{name} must be a number {lower} and {upper}, got {value!r}")
