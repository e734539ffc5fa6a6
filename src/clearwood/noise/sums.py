"""Errors that add up, and means of several readings.

Normal errors of any kind: variances add at each value. Errors of one distribution whatever the
value: one convolved table. Nothing else has a distribution that a table could hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from clearwood._typing import FloatArray
from clearwood.errors import ParameterError
from clearwood.noise.contract import NoiseModel, require_count
from clearwood.noise.empirical import Empirical
from clearwood.noise.models import Exact, Normal
from clearwood.noise.quantile_table import (
    MOST_POINTS,
    PROBABILITIES,
    Addend,
    convolved,
    frozen,
)
from clearwood.noise.standard_form import ErrorLaw


@dataclass(frozen=True, slots=True, repr=False)
class Sum(NoiseModel):
    """Independent errors that add up; made by ``+``.

    Parameters
    ----------
    parts : tuple of NoiseModel
        At least two, either all normal (of any kind) or all with one distribution whatever the
        value.

    Raises
    ------
    ParameterError
        Other parts, with the reason.
    """

    parts: tuple[NoiseModel, ...]

    kind: ClassVar[str] = "sum"

    def __post_init__(self) -> None:
        NoiseModel.__post_init__(self)
        object.__setattr__(self, "parts", tuple(self.parts))
        object.__setattr__(self, "unit", self.unit or _common_unit(self.parts))
        if len(self.parts) < 2:
            raise ParameterError(f"a sum needs at least two parts, got {self.parts!r}")
        _require_summable(self.parts)

    @property
    def _is_of_normals(self) -> bool:
        return all(part.is_normal for part in self.parts)

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        if not self._is_of_normals:
            return ErrorLaw("table", 1.0, quantiles=_table_of_sum(self.parts))
        bias = sum(part.error_law(measured).bias for part in self.parts)
        if not all(part.has_constant_scale for part in self.parts):
            return ErrorLaw("normal", self.sd_at(measured), bias)
        sd = float(self.sd_at(0.0))
        return ErrorLaw("normal" if sd > 0 else "step", sd, bias)

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        total = np.zeros_like(measured)
        for part in self.parts:
            total += part.draw_errors(measured, rng)
        return total

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        sd = self.parts[0].sd_at(measured)
        for part in self.parts[1:]:
            sd = np.hypot(sd, part.sd_at(measured))
        return np.asarray(sd)

    def averaged(self, m: int) -> NoiseModel:
        return replace(self, parts=tuple(part.averaged(m) for part in self.parts))

    def fitted(self, values: ArrayLike, name: str, weights: FloatArray | None = None) -> NoiseModel:
        parts = tuple(part.fitted(values, name, weights) for part in self.parts)
        return replace(self, parts=parts)

    def to_dict(self) -> dict[str, Any]:
        return {**NoiseModel.to_dict(self), "parts": [part.to_dict() for part in self.parts]}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        from clearwood.noise.menu import from_dict

        return cls(**{**data, "parts": tuple(from_dict(part) for part in data["parts"])})

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.parts))


@dataclass(frozen=True, slots=True, repr=False)
class Averaged(NoiseModel):
    """Mean of several independent errors of one distribution; made by ``averaged``.

    Parameters
    ----------
    model : NoiseModel
        Of one reading; its distribution is the same whatever the value.
    m : int
        Number of readings.
    """

    model: NoiseModel
    m: int

    kind: ClassVar[str] = "averaged"

    def __post_init__(self) -> None:
        object.__setattr__(self, "m", require_count(self.m))
        object.__setattr__(self, "unit", self.unit or self.model.unit)
        NoiseModel.__post_init__(self)
        if self.model.is_normal or not _has_addend(self.model):
            raise ParameterError(f"take {self.model!r}.averaged({self.m}), which stays in its kind")

    def error_law(self, measured: FloatArray) -> ErrorLaw:
        return ErrorLaw("table", 1.0, quantiles=_table_of_mean(self.model, self.m))

    def draw_errors(self, measured: FloatArray, rng: np.random.Generator) -> FloatArray:
        drawn = self.model.draw_errors(np.broadcast_to(measured, (self.m, *measured.shape)), rng)
        return np.asarray(drawn.mean(axis=0))

    def sd_at(self, measured: ArrayLike) -> FloatArray:
        return np.asarray(self.model.sd_at(measured) / np.sqrt(self.m))

    def averaged(self, m: int) -> NoiseModel:
        return replace(self, m=self.m * require_count(m))

    def to_dict(self) -> dict[str, Any]:
        return {**NoiseModel.to_dict(self), "model": self.model.to_dict()}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        from clearwood.noise.menu import from_dict

        return cls(**{**data, "model": from_dict(data["model"])})

    def __repr__(self) -> str:
        return f"{self.model!r}.averaged({self.m})"


def mean_of(model: NoiseModel, m: int) -> NoiseModel:
    """Noise of the mean of `m` readings, for a model that does not stay in its kind."""
    return model if require_count(m) == 1 else Averaged(model, m)


def added(a: NoiseModel, b: NoiseModel) -> NoiseModel:
    """The sum of two models, its parts flat; an exact part changes nothing.

    Raises
    ------
    ParameterError
        The sum has no form that the core could read, or the units differ.
    """
    if isinstance(a, Exact):
        return b
    return a if isinstance(b, Exact) else Sum((*_parts(a), *_parts(b)))


def _parts(model: NoiseModel) -> tuple[NoiseModel, ...]:
    return model.parts if isinstance(model, Sum) else (model,)


def _has_addend(model: NoiseModel) -> bool:
    return model.has_constant_scale and not isinstance(model, Sum)


def _common_unit(parts: Sequence[NoiseModel]) -> str | None:
    units = {part.unit for part in parts} - {None}
    if len(units) > 1:
        raise ParameterError(
            f"units of a sum must be the same, got {', '.join(sorted(map(repr, units)))}; convert "
            "one first"
        )
    return units.pop() if units else None


def _require_summable(parts: Sequence[NoiseModel]) -> None:
    if all(part.is_normal for part in parts) or all(map(_has_addend, parts)):
        return
    position = next(i for i, part in enumerate(parts) if not _has_addend(part))
    refused, others = parts[position], (*parts[:position], *parts[position + 1 :])
    why = (
        "its scale changes with the value, and not all other parts are normal, so that each value "
        "would need a table of its own"
        if refused.is_normal
        else "its error multiplies the value"
    )
    rest = " and ".join(map(repr, others))
    raise ParameterError(
        f"{refused!r} cannot be added to {rest}: {why}; add normal kinds, or models of one scale"
    )


def _table_of_sum(parts: tuple[NoiseModel, ...]) -> FloatArray:
    """Cached apart from unit and source, which change no number."""
    return _cached_sum(tuple(replace(part, unit=None, source=None) for part in parts))


@lru_cache(maxsize=64)
def _cached_sum(parts: tuple[NoiseModel, ...]) -> FloatArray:
    normals = [part for part in parts if part.is_normal]
    others = [_addend(part) for part in parts if not part.is_normal]
    total = others[0]
    for other in others[1:]:
        total = convolved(total, other)
    if not normals:
        return total.quantiles
    bias = sum(part.error_law(np.zeros(1)).bias for part in normals)
    sd = hypot(*(float(part.sd_at(0.0)) for part in normals))
    if sd == 0:
        return frozen(total.quantiles + bias)
    return convolved(total, _addend(Normal(sd, bias))).quantiles


def _table_of_mean(model: NoiseModel, m: int) -> FloatArray:
    return _cached_mean(replace(model, unit=None, source=None), m)


@lru_cache(maxsize=64)
def _cached_mean(model: NoiseModel, m: int) -> FloatArray:
    """By doubling: the sum of m is put together from sums of 1, 2, 4, … readings."""
    power, total, rest = _addend(model), None, m
    while rest:
        if rest % 2:
            total = power if total is None else convolved(total, power)
        rest //= 2
        if rest:
            power = convolved(power, power)
    assert total is not None
    return frozen(total.quantiles / m)


def _addend(model: NoiseModel) -> Addend:
    """One model of constant scale as convolution needs it."""
    if isinstance(model, Empirical) and len(model.errors) <= MOST_POINTS:
        n = len(model.errors)
        return Addend.of_points(np.asarray(model.errors), np.full(n, 1.0 / n))
    law = model.error_law(np.zeros(1))
    scale = float(np.max(law.scale))
    standard: FloatArray | None = law.quantiles
    if law.cdf == "uniform":
        quantiles = law.bias + scale * (2.0 * PROBABILITIES - 1.0)
        return Addend.of_table(
            quantiles, lambda z: np.clip(((z - law.bias) / scale + 1.0) / 2.0, 0.0, 1.0)
        )
    if law.cdf == "normal":
        from scipy.special import ndtr, ndtri

        return Addend.of_table(
            law.bias + scale * ndtri(PROBABILITIES), lambda z: ndtr((z - law.bias) / scale)
        )
    assert standard is not None
    return Addend.of_table(law.bias + scale * standard)
