"""A tree's evaluation as members of its JSON document: noise, ramps of cuts, or witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.errors import ModelFileError, ParameterError
from clearwood.tree import json_witnesses

if TYPE_CHECKING:
    from clearwood.noise.parameter import ColumnNoise
    from clearwood.table.column import Feature
    from clearwood.tree.evaluation import Evaluation, Ramps, Soft
    from clearwood.tree.structure import Tree

_OF_ENTRY = ("unit", "source")  # of a noise model, beside its parameters


def members(tree: Tree) -> dict[str, Any]:
    """The members of the document of `tree` that say how rows are sent down.

    Raises
    ------
    ParameterError
        A distribution was made by hand; its column is named.
    """
    from clearwood.tree.evaluation import Ramps
    from clearwood.tree.witnesses import Witnesses

    evaluation = tree.evaluation
    if evaluation is None:
        return {"evaluation": "hard"}
    if isinstance(evaluation, Ramps):
        return {
            "evaluation": "ramps",
            "gates": {"compatibility": evaluation.compatibility},
            "ramps": _ramps(evaluation),
        }
    if isinstance(evaluation, Witnesses):
        return {
            "evaluation": "witnesses",
            "gates": {"conflict": evaluation.conflict},
            "witnesses": json_witnesses.entries(evaluation, tree.features),
        }
    return {
        "evaluation": "noise",
        "gates": {"coupling": evaluation.coupling, "eta": evaluation.eta},
        "noise": _noise(tree, evaluation),
    }


def read(document: Mapping[str, Any], features: tuple[Feature, ...]) -> Evaluation | None:
    """The evaluation of a document that fits the schema.

    Raises
    ------
    ModelFileError
        A member is lacking or cannot be read; it is named.
    """
    name = document["evaluation"]
    if name == "hard":
        return None
    for member in (name, "gates"):
        if member not in document:
            raise ModelFileError(f"evaluation is {name!r}, which needs the member {member!r}")
    if name == "witnesses":
        return json_witnesses.read(document, features, _gate(document, "conflict"))
    return _read_ramps(document) if name == "ramps" else _read_noise(document, features)


def _ramps(ramps: Ramps) -> list[dict[str, Any]]:
    return [
        {"node": node, "lower": float(ramps.lower[node]), "upper": float(ramps.upper[node])}
        for node in np.flatnonzero(~np.isnan(ramps.lower)).tolist()
    ]


def _read_ramps(document: Mapping[str, Any]) -> Ramps:
    from clearwood.tree.evaluation import Ramps

    lower, upper = np.full((2, len(document["nodes"])), np.nan)
    for place, entry in enumerate(document["ramps"]):
        node = entry["node"]
        if node >= len(lower):
            raise ModelFileError(f"ramps[{place}].node must be less than {len(lower)}, got {node}")
        if not np.isnan(lower[node]):
            raise ModelFileError(f"ramps[{place}].node is {node}, which stands there twice")
        lower[node], upper[node] = entry["lower"], entry["upper"]
    return Ramps(lower, upper, _gate(document, "compatibility"))


def _noise(tree: Tree, soft: Soft) -> dict[str, Any]:
    return {
        feature.name: _entry(model, feature.name)
        for feature, model in zip(tree.features, soft.noise, strict=True)
        if model is not None
    }


def _entry(model: Any, name: str) -> dict[str, Any]:
    try:
        parameters = dict(model.to_dict())
    except ParameterError as error:
        raise ParameterError(f"noise of column {name!r}: {error}") from error
    beside = {key: parameters.pop(key) for key in _OF_ENTRY if key in parameters}
    return {"model": parameters.pop("kind"), "parameters": parameters, **beside}


def _read_noise(document: Mapping[str, Any], features: tuple[Feature, ...]) -> Soft:
    from clearwood.tree.evaluation import Soft

    entries = document["noise"]
    names = [feature.name for feature in features]
    for name in entries:
        if name not in names:
            raise ModelFileError(f"noise names {name!r}, which is no column of the model")
    noise = tuple(_model(entries.get(name), name) for name in names)
    eta = _gate(document, "eta")
    if not isinstance(eta, float | int):
        raise ModelFileError(f"gates.eta must be a number, got {eta!r}")
    try:
        return Soft(noise, _gate(document, "coupling"), float(eta))
    except ParameterError as error:
        raise ModelFileError(f"gates: {error}") from None


def _model(entry: Mapping[str, Any] | None, name: str) -> ColumnNoise:
    from clearwood.noise import from_dict

    if entry is None:
        return None
    beside = {key: entry[key] for key in _OF_ENTRY if key in entry}
    try:
        model: ColumnNoise = from_dict({"kind": entry["model"], **entry["parameters"], **beside})
    except (ParameterError, AttributeError, ValueError) as error:
        raise ModelFileError(f"noise.{name}: {error}") from None
    return model


def _gate(document: Mapping[str, Any], name: str) -> Any:
    if name not in document["gates"]:
        raise ModelFileError(
            f"gates must have a member {name!r} where evaluation is {document['evaluation']!r}"
        )
    return document["gates"][name]
