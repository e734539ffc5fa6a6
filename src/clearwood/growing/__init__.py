"""Growing: choices as values, and the one call that uses them."""

from clearwood.growing.carve import Carving, CarvingStep, carve
from clearwood.growing.criteria import AlphaDivergence
from clearwood.growing.grow import grow, search_effort
from clearwood.growing.plan import C45Compatibility, Plan
from clearwood.growing.ramps import fit_ramps
from clearwood.growing.softness import SampledSearch, Softness, SoftSearch
from clearwood.growing.verification import Verification

__all__ = [
    "AlphaDivergence",
    "C45Compatibility",
    "Carving",
    "CarvingStep",
    "Plan",
    "SampledSearch",
    "SoftSearch",
    "Softness",
    "Verification",
    "carve",
    "fit_ramps",
    "grow",
    "search_effort",
]
