"""Noise as any distribution of ``scipy.stats``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import NoiseModel, number_text
from clearwood.noise.quantile_table import tabulated
from clearwood.noise.standard_form import ErrorLaw


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Distribution(NoiseModel):
    """Errors that follow a frozen distribution of ``scipy.stats``.

    Parameters
    ----------
    law : frozen distribution
        Of measured − true, such as ``scipy.stats.gamma(0.3, scale=2)``. Two models are equal if
        name and parameters of their distributions are.

    Raises
    ------
    ParameterError
        It is no frozen distribution.
    """

    law: Any

    kind: ClassVar[str] = "distribution"

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        if not all(hasattr(self.law, name) for name in ("ppf", "isf", "dist", "args", "kwds")):
            raise ParameterError(
                "law must be a frozen distribution such as scipy.stats.gamma(0.3, scale=2), got "
                f"{self.law!r}"
            )

    @property
    def _identity(self) -> tuple[Any, ...]:
        named = tuple(sorted(self.law.kwds.items()))
        return (self.law.dist.name or id(self.law), self.law.args, named, self.unit, self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("table", 1.0, quantiles=_table(self))

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        return np.asarray(self.law.rvs(measured.shape, random_state=rng), dtype=np.float64)

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        sd = float(self.law.std())
        return np.full(np.shape(measured), np.inf if np.isnan(sd) else sd)

    def averaged(self, m: int) -> NoiseModel:
        from clearwood.noise.sums import mean_of

        return mean_of(self, m)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; only for distributions that ``scipy.stats`` has by name.

        Raises
        ------
        ParameterError
            It was made by hand, as a histogram is.
        """
        name = self.law.dist.name
        _named(name)
        common = NoiseModel.to_dict(self)
        del common["law"]
        return {
            **common,
            "name": name,
            "args": [float(value) for value in self.law.args],
            "kwds": {key: float(value) for key, value in self.law.kwds.items()},
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        rest = {key: value for key, value in data.items() if key not in ("name", "args", "kwds")}
        law = _named(data["name"])(*data.get("args", ()), **data.get("kwds", {}))
        return cls(law, **rest)

    def _arguments(self) -> list[str]:
        given = [number_text(float(value)) for value in self.law.args]
        given += [f"{key}={number_text(float(value))}" for key, value in self.law.kwds.items()]
        shown = f"{self.law.dist.name or 'made by hand'}({', '.join(given)})"
        return [shown, *NoiseModel._arguments(self)[1:]]


def _named(name: Any) -> Any:
    """The distribution of this name, and nothing else that the module holds."""
    from scipy import stats

    found = getattr(stats, name, None) if isinstance(name, str) else None
    if not isinstance(found, stats.rv_continuous | stats.rv_discrete):
        raise ParameterError(
            f"name must be that of a distribution of scipy.stats, got {name!r}; one made by hand "
            "cannot be saved: save its errors as Empirical(errors)"
        )
    return found


@lru_cache(maxsize=64)
def _table(model: Distribution) -> FloatArray:
    return tabulated(model.law.ppf, model.law.isf)
