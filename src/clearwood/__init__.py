"""Readable decision trees that know how far a measurement can be trusted.

Nothing heavy is imported before a name is asked for, so `import clearwood` costs next to nothing.
"""

from importlib import import_module as _import_module

__version__ = "0.1.0"

_WHERE = {
    "AlphaDivergence": "clearwood.growing",
    "AlphaTreeClassifier": "clearwood.estimators",
    "C45Classifier": "clearwood.estimators",
    "CARTClassifier": "clearwood.estimators",
    "Column": "clearwood.table",
    "DecisionChainClassifier": "clearwood.estimators",
    "DepthTwoClassifier": "clearwood.estimators",
    "ID3Classifier": "clearwood.estimators",
    "RiskTable": "clearwood.metrics",
    "SampledSearch": "clearwood.growing",
    "SoftSearch": "clearwood.growing",
    "SoftTreeClassifier": "clearwood.estimators",
    "Tree": "clearwood.tree",
    "TreeClassifier": "clearwood.estimators",
    "UDTClassifier": "clearwood.estimators",
    "VerifiedTreeClassifier": "clearwood.estimators",
    "choose_alpha": "clearwood.estimators.selection",
    "Fit": "clearwood.estimators.fit_many",
    "fit_many": "clearwood.estimators.fit_many",
    "load": "clearwood.tree",
    "prune": "clearwood.pruning",
    "pruning_path": "clearwood.pruning",
    "risk_table": "clearwood.metrics",
    "tune": "clearwood.estimators.tuning",
}
"""Module of every public name."""

_MODULES = ("errors", "noise", "pruning")
"""Public modules, reachable as attributes without an import of their own."""

__all__ = ["__version__", *_WHERE, *_MODULES]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return _import_module(f"clearwood.{name}")
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_import_module(_WHERE[name]), name)
    globals()[name] = value  # the next access costs nothing
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
