"""What the constructors share: their checks, z values, and notes in a model's source."""

from __future__ import annotations

from typing import Any

from clearwood.errors import ParameterError
from clearwood.noise.contract import POSITIVE


def require_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuses a value that is not among the choices."""
    if value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def require_cv(name: str, value: float) -> float:
    """A coefficient of variation as a fraction; refuses what looks like a percentage."""
    if value not in POSITIVE or value >= 1:
        raise ParameterError(
            f"{name} must be a fraction above 0 and below 1 (5 % is 0.05), got {value!r}"
        )
    return float(value)


def normal_quantile(p: float) -> float:
    """z below which a standard normal variable lies with probability p."""
    from scipy.special import ndtri

    return float(ndtri(p))


def described(note: str, source: str | None) -> str | None:
    """The user's source, preceded by what must be known about how the model came about."""
    return "; ".join(part for part in (note, source) if part) or None
