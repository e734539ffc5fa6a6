"""Measurement noise in a classifier: read at fit, then used where the parameters ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from clearwood.errors import ParameterError
from clearwood.estimators.training import Training
from clearwood.growing import SampledSearch, Softness, SoftSearch, fit_ramps
from clearwood.growing.softness import COUPLINGS, Forms
from clearwood.noise import columns_of_sizes, fit_noise, standard_forms
from clearwood.table.table import Table
from clearwood.tree.evaluation import Soft
from clearwood.tree.structure import Tree

EVALUATIONS = ("hard", "soft", "ramps")

DEPTH_UNDER_PROPAGATION = 25
"""Rows of a softly grown tree never run out: without a limit it grows far past any use."""


@dataclass(frozen=True, slots=True)
class NoiseChoices:
    """The parameters of a classifier that speak of measurement noise, as they were given."""

    search_noise: Any
    propagation_noise: Any
    evaluation_noise: Any
    search: Any
    evaluation: Any
    coupling: Any
    shorthand: tuple[str, ...] = ()
    """Which of search and propagation noise were given as the one parameter `noise`."""

    def __post_init__(self) -> None:
        if self.search is not None and not isinstance(self.search, SoftSearch | SampledSearch):
            raise ParameterError(
                "search must be None, a SoftSearch or a SampledSearch of clearwood.growing, got "
                f"{self.search!r}"
            )
        for name, value, choices in (
            ("evaluation", self.evaluation, (None, *EVALUATIONS)),
            ("gate_coupling", self.coupling, COUPLINGS),
        ):
            if not isinstance(value, str | None) or value not in choices:
                raise ParameterError(
                    f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
                )
        if self.evaluation == "soft" and self.evaluation_noise is None:
            raise ParameterError(
                "evaluation='soft' needs to know the noise: give evaluation_noise as well"
            )
        if self.evaluation in ("hard", "ramps") and self.evaluation_noise is not None:
            raise ParameterError(
                f"evaluation={self.evaluation!r} does not use evaluation_noise; leave one out"
            )

    @property
    def has_training_noise(self) -> bool:
        """Whether growing needs to know of noise."""
        return self.search_noise is not None or self.propagation_noise is not None

    def size_columns(self, table: Table) -> tuple[str, ...]:
        """Columns of the table that say how large the noise of others is, and predict nothing."""
        noises = (self.search_noise, self.propagation_noise, self.evaluation_noise)
        names = dict.fromkeys(name for noise in noises for name in columns_of_sizes(noise))
        return tuple(name for name in names if name in table.names)

    def forms(
        self, which: Literal["search", "propagation"], training: Training, rows: Training
    ) -> Forms:
        """What the core reads of each column's noise, for `rows`; None where there is none."""
        name = f"{which}_noise"
        noise = getattr(self, name)
        if noise is None:
            return None
        given_as = "noise" if name in self.shorthand else name
        models = fit_noise(noise, training.table, given_as, training.weights)
        return standard_forms(models, rows.table, rows.beside)

    def softness(self, training: Training, rows: Training | None = None) -> Softness | None:
        """The part of a growing plan that knows of noise.

        `rows` are those that the plan is for, where they are not the ones that decide how large
        noise is.
        """
        if not self.has_training_noise:
            return None
        rows = rows or training
        search = self.forms("search", training, rows)
        is_same = self.propagation_noise is self.search_noise
        return Softness(
            search_noise=search,
            propagation_noise=search if is_same else self.forms("propagation", training, rows),
            search=self.search or SoftSearch(),
            coupling=self.coupling,
        )

    def evaluated(self, tree: Tree, training: Training, compatibility: Any) -> Tree:
        """The tree with the evaluation that it will predict by."""
        if self.evaluation == "ramps":
            exact: Literal["c45"] | None = None if compatibility is None else "c45"
            ramps = fit_ramps(tree, training.table, training.codes, training.weights, exact)
            return tree.with_evaluation(ramps)
        soft = self.soft_evaluation(training)
        return tree if soft is None else tree.with_evaluation(soft)

    def soft_evaluation(self, training: Training) -> Soft | None:
        """How noisy values are read in prediction; None: as exact."""
        if self.evaluation_noise is None:
            return None
        models = fit_noise(
            self.evaluation_noise, training.table, "evaluation_noise", training.weights
        )
        return None if all(model is None for model in models) else Soft(models, self.coupling)


def propagates(forms: Forms) -> bool:
    """Whether any column's noise divides rows."""
    return forms is not None and any(form is not None for form in forms)
