"""Measurement noise in training: where it enters the search of thresholds and the flow of weight.

Nunes et al., Decision tree learning for uncertain clinical measurements (2019): soft search blurs
the values that a threshold is chosen by; soft training propagation divides a row over both sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from clearwood.errors import ParameterError
from clearwood.noise.core_form import core_noise
from clearwood.noise.standard_form import StandardForm

if TYPE_CHECKING:
    from clearwood import _core

GRIDS = ("hybrid", "paper")
BOUNDS = ("none", "BP", "LP", "GP", "ES")
COUPLINGS = ("independent", "joint")

Forms = Sequence[StandardForm | None] | None
"""Noise of each column; None for a column, or for all, that is read as exact."""


@dataclass(frozen=True, slots=True)
class SoftSearch:
    """Thresholds are tried on a grid wherever noise leaves a value uncertain.

    Parameters
    ----------
    window : float, default=6
        Width of the interval around a value within which it is uncertain, in standard
        deviations of a normal error; of other errors, with tails as large. The paper's omega.
    step : float, default=0.1
        Between two thresholds, in scales of the noise. The paper's delta.
    grid : {"hybrid", "paper"}, default="hybrid"
        "hybrid" tries one threshold in a gap that no value's interval reaches; "paper" goes on
        by steps there (equation 12).
    """

    window: float = 6.0
    step: float = 0.1
    grid: Literal["hybrid", "paper"] = "hybrid"

    def __post_init__(self) -> None:
        _require_positive("window", self.window)
        _require_positive("step", self.step)
        _require_choice("grid", self.grid, GRIDS)


@dataclass(frozen=True, slots=True)
class SampledSearch:
    """Thresholds are tried at sample points of every value's distribution (UDT).

    Parameters
    ----------
    bounds : {"none", "BP", "LP", "GP", "ES"}, default="ES"
        What spares evaluations, in Tsang et al.'s names: nothing; intervals of one class; also
        bounds within a column; also those of the columns before; also sampled end points. The
        tree is the same.
    """

    bounds: Literal["none", "BP", "LP", "GP", "ES"] = "ES"

    def __post_init__(self) -> None:
        _require_choice("bounds", self.bounds, BOUNDS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Softness:
    """What a plan knows of measurement noise.

    Parameters
    ----------
    search_noise, propagation_noise : sequence of StandardForm or None, or None
        One a column: for the search of thresholds, and for training weight. Under propagation
        noise a node also ends where all classes but its own weigh less than half of
        `min_samples_leaf` together: no leaf below could have another label.
    search : SoftSearch or SampledSearch
        How thresholds are searched in columns with search noise.
    coupling : {"independent", "joint"}, default="independent"
        Whether a gate knows the interval that the cuts above leave to its column. "independent"
        is the paper's: a value tested twice counts as measured twice.
    eta : float, default=1e-6
        Shares below eta count as 0, and their complements as 1: training masses are off by at
        most depth × eta.
    """

    search_noise: Forms = None
    propagation_noise: Forms = None
    search: SoftSearch | SampledSearch = field(default_factory=SoftSearch)
    coupling: Literal["independent", "joint"] = "independent"
    eta: float = 1e-6

    def __post_init__(self) -> None:
        _require_choice("coupling", self.coupling, COUPLINGS)
        if not isinstance(self.search, SoftSearch | SampledSearch):
            raise ParameterError(
                f"search must be a SoftSearch or a SampledSearch, got {self.search!r}"
            )
        if not (isinstance(self.eta, Real) and 0 <= self.eta < 0.5):
            raise ParameterError(f"eta must be at least 0 and below 0.5, got {self.eta!r}")

    def set_on(self, plan: _core.Plan) -> None:
        """Hands the noise to the core's plan, which keeps it."""
        soft = self.search if isinstance(self.search, SoftSearch) else SoftSearch()
        sampled = self.search if isinstance(self.search, SampledSearch) else SampledSearch()
        search_noise = core_noise(self.search_noise)
        is_same = self.propagation_noise is self.search_noise
        plan.set_noise(
            search_noise=search_noise,
            propagation_noise=search_noise if is_same else core_noise(self.propagation_noise),
            window=float(soft.window),
            step=float(soft.step),
            one_grid=soft.grid == "paper",
            sampled_bounds=sampled.bounds,
            joint_gates=self.coupling == "joint",
            eta=float(self.eta),
        )


def _require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def _require_positive(name: str, value: Any) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not value > 0:
        raise ParameterError(f"{name} must be a positive number, got {value!r}")
