"""The package's face: every public name loads, has a type, and a wrong name says so."""

import ast
import importlib

import pytest

import clearwood
from shared_data import ROOT


@pytest.mark.parametrize("name", clearwood.__all__)
def test_public_name_loads(name):
    assert getattr(clearwood, name) is not None


def test_typed_face_has_exactly_the_public_names():
    stub = ast.parse((ROOT / "src/clearwood/__init__.pyi").read_text())
    named = {
        alias.asname
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    declared = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert named | declared == set(clearwood.__all__)


def test_dir_lists_names_that_are_not_loaded_yet():
    assert set(clearwood.__all__) <= set(dir(clearwood))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'C46Classifier'"):
        _ = clearwood.C46Classifier


def test_dir_of_the_package_shows_nothing_but_what_is_public():
    import clearwood

    shown = {name for name in dir(clearwood) if not name.startswith("__")}
    assert shown == set(clearwood.__all__) - {"__version__"}
    assert clearwood.Column is importlib.import_module("clearwood.table").Column
