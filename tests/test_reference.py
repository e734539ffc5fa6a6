"""The reference names everything public, and nothing else."""

import re
from importlib import import_module

import pytest

from shared_data import ROOT

REFERENCE = ROOT / "docs" / "reference"
MODULES = ("noise", "growing", "pruning", "metrics", "report", "table")


def listed(page: str) -> set[str]:
    """The names in the summaries of a page."""
    text = (REFERENCE / f"{page}.md").read_text(encoding="utf-8")
    summaries = re.findall(r"^   :toctree: generated\n\n((?:   \S+\n)+)", text, re.MULTILINE)
    return {name for summary in summaries for name in summary.split()}


@pytest.mark.parametrize("module", MODULES)
def test_page_of_a_module_names_what_it_offers(module):
    offered = set(import_module(f"clearwood.{module}").__all__)
    assert listed(module) <= offered <= listed(module) | listed("clearwood")


def test_first_page_names_what_the_package_offers():
    package = import_module("clearwood")
    assert listed("clearwood") == set(package._WHERE)
    assert all((REFERENCE / f"{name}.md").exists() for name in package._MODULES)


def test_page_of_trees_names_what_is_not_on_the_first():
    tree = import_module("clearwood.tree")
    here = {name for name in listed("tree") if "." not in name}
    assert here == set(tree.__all__) - listed("clearwood")


def test_every_error_and_warning_is_named():
    errors = import_module("clearwood.errors")
    raised = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert listed("errors") == raised
