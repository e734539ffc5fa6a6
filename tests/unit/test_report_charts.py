"""The chart of size-error paths: what it holds, and that it becomes a picture."""

import json
import xml.etree.ElementTree as ET

import pytest
from sklearn.datasets import load_breast_cancer

import clearwood as cw
from clearwood.errors import ParameterError
from clearwood.report import chart_svg, size_error_chart

X, Y = load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def paths():
    grown = cw.TreeClassifier().fit(X[::2], Y[::2])
    return {name: cw.pruning_path(grown, name, X[1::2], Y[1::2])
            for name in ("tree_size", "cost_complexity")}  # fmt: skip


def test_every_tree_is_a_point_and_every_chosen_tree_a_ring(paths):
    content = json.loads(size_error_chart(paths, title="Paths").to_json())
    (points,) = content["datasets"].values()
    assert len(points) == sum(len(path.values) for path in paths.values())
    assert [point["method"] for point in points if point["chosen"]] == list(paths)
    chosen = paths["tree_size"].chosen
    ours = [point for point in points if point["method"] == "tree_size"]
    assert ours[chosen]["leaves"] == paths["tree_size"].n_leaves[chosen]
    assert ours[chosen]["error"] == paths["tree_size"].errors[chosen]
    assert content["title"] == "Paths"


def test_it_becomes_svg_that_names_the_methods(paths):
    svg = chart_svg(size_error_chart(paths))
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "tree_size" in svg
    assert "error rate" in svg


def test_a_tree_without_errors_is_on_a_linear_axis():
    grown = cw.TreeClassifier().fit(X, Y)
    content = size_error_chart({"all": cw.pruning_path(grown, "optimal_size")}).to_dict()
    assert content["layer"][0]["encoding"]["y"]["scale"]["type"] == "linear"


def test_too_many_paths_to_tell_apart_are_refused(paths):
    many = {str(k): paths["tree_size"] for k in range(9)}
    with pytest.raises(ParameterError, match="paths must be 1 to 8 paths, got 9"):
        size_error_chart(many)
    with pytest.raises(ParameterError, match="got 0"):
        size_error_chart({})
