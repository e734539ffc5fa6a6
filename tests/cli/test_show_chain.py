"""`clearwood show` of a decision chain: rules, picture, pyramid, linked page."""

import json

import pytest

from clearwood.report import linked_page
from cli.command_line import done, refused
from golden.chains import four_rules
from golden.trees import many_branches


@pytest.fixture
def chain(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    four_rules().save("chain.json")
    return tmp_path


def test_show_prints_the_rules(chain):
    assert done("show", "chain.json") == four_rules().to_text() + "\n"


def test_show_prints_as_many_rules_as_asked(chain):
    lines = done("show", "chain.json", "--max-depth", 1).splitlines()
    assert lines[2].startswith("1. if heart_rate <= 90 bpm:")
    assert lines[3].startswith("(3 rules are not shown")


def test_show_writes_picture_and_pyramid(chain):
    text = done("show", "chain.json", "--svg", "c.svg", "--pyramid", "p.svg")
    assert text == "Written: c.svg\nWritten: p.svg\n"
    assert (chain / "c.svg").read_text() == four_rules().to_svg(
        title="Decision chain for outcome", max_nodes=None
    )
    assert (chain / "p.svg").read_text() == four_rules().to_pyramid(
        title="Decision chain for outcome"
    )


def test_show_writes_the_linked_page(chain, monkeypatch):
    monkeypatch.setattr(linked_page, "_can_draw", lambda: False)
    done("show", "chain.json", "--html", "c.html", "-q")
    page = (chain / "c.html").read_text()
    assert "<h1>Decision chain for outcome</h1>" in page
    assert page.count('data-rule="step-4"') == 2
    assert "Not measured here." in page


def test_show_tells_machines_what_it_wrote(chain):
    found = json.loads(done("show", "chain.json", "--pyramid", "p.svg", "--json"))
    assert found["files"] == {"pyramid": "p.svg"}
    assert found["settings"]["form"] == "chain"
    assert len(found["rules"]) == 5


def test_a_tree_that_is_no_chain_has_no_pyramid(chain):
    many_branches().save("tree.json")
    assert refused("show", "tree.json", "--pyramid", "p.svg").startswith("the tree must be a chain")
    assert not (chain / "p.svg").exists()
    assert "must end in .svg" in refused("show", "chain.json", "--pyramid", "p.html")
