"""`clearwood demo`: the main job on the bundled table."""

import json

import pytest

from clearwood.table import load_heart_disease, read_file
from clearwood.tree.json_form import load
from cli.command_line import done, refused


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_demo_prints_the_data_the_tree_and_how_well_it_does(here):
    text = done("demo")
    assert "920 patients, 13 predictors" in text
    assert "chol of 0 in 172 rows" in text
    assert "Missing: 1932 of 11960 cells (16 %)." in text
    assert "Decision tree: 11 leaves, depth 5\nall rows: n = 920; disease 0.55" in text
    assert "10-fold cross-validation, repeated 5 times, on 920 rows:" in text
    assert "  Switzerland         123     93 %  0." in text
    assert "at a centre that the tree has not seen, against 0.8" in text
    assert str(here.joinpath("clearwood-demo", "model.json").relative_to(here)) in text


def test_demo_prints_a_chain_of_the_same_patients_and_how_well_it_does_beside_the_tree(here):
    text = done("demo")
    assert (
        "Decision chain: 7 rules, the first that holds gives the risk of disease\n"
        "a missing value stays in the chain\n"
        "1. if cp is not asymptomatic:  risk  28 % (117 of 424)\n"
    ) in text
    found = json.loads(done("demo", "-o", "there", "--json"))
    assert found["chain"]["n_rules"] == 7
    auc = found["chain"]["performance"]["measures"]["auc"]["value"]
    assert 0.75 < auc < found["performance"]["measures"]["auc"]["value"]
    assert f"Chains: AUC {auc:.3f} (0.7" in text
    areas = [centre["auc"]["value"] for centre in found["chain"]["centres"].values()]
    assert f"{sum(areas) / 4:.2f} on average at a\ncentre that the chain has not seen" in text


def test_demo_writes_the_chain_its_pyramid_and_its_linked_page(here):
    found = json.loads(done("demo", "--json"))
    chain = load(found["files"]["chain"])
    assert chain.n_leaves == found["chain"]["n_rules"] + 1
    assert chain.settings["training"]["performance"] == found["chain"]["performance"]
    pyramid = here.joinpath(found["files"]["pyramid"]).read_text(encoding="utf-8")
    page = here.joinpath(found["files"]["chain_page"]).read_text(encoding="utf-8")
    for drawn in (pyramid, page):
        assert [f'data-rule="step-{n}"' in drawn for n in range(1, 10)] == [True] * 8 + [False]
    assert "10-fold cross-validation, repeated 5 times, on 920 rows" in page
    assert "doi 10.24432/C52P4X. Licence CC BY 4.0." in page


def test_demo_writes_what_it_used_and_grew(here):
    found = json.loads(done("demo", "--output", "there", "--json"))
    assert sorted(found["files"].values()) == sorted(
        str(path.relative_to(here)) for path in here.joinpath("there").iterdir()
    )
    data, table = load_heart_disease(), read_file(found["files"]["data"])
    tree = load(found["files"]["model"])
    assert table["diagnosis"].tolist() == data.y.tolist()
    assert (tree.predict_proba(table) == tree.predict_proba(data.X)).all()
    assert tree.n_leaves == found["n_leaves"]
    training = tree.settings["training"]
    assert (training["target"], training["event"]) == ("diagnosis", "disease")
    assert training["performance"] == found["performance"]


def test_demo_writes_a_page_with_performance_source_and_licence(here):
    done("demo", "--quiet")
    page = here.joinpath("clearwood-demo", "tree.html").read_text(encoding="utf-8")
    assert "10-fold cross-validation, repeated 5 times, on 920 rows" in page
    assert "doi 10.24432/C52P4X. Licence CC BY 4.0." in page
    assert "at a centre that the tree has not seen" in page


def test_the_difference_between_centres_is_measured_without_their_own_rows(here):
    found = json.loads(done("demo", "--json"))
    assert {name: centre["n_rows"] for name, centre in found["centres"].items()} == {
        "Cleveland": 303, "Hungary": 294, "Switzerland": 123, "VA Long Beach": 200,
    }  # fmt: skip
    areas = [centre["auc"]["value"] for centre in found["centres"].values()]
    assert sum(areas) / 4 < found["performance"]["measures"]["auc"]["value"]


def test_demo_overwrites_only_by_force(here):
    here.joinpath("clearwood-demo").mkdir()
    mine = here / "clearwood-demo" / "model.json"
    mine.write_text("mine")
    assert "model.json: is there already" in refused("demo")
    assert mine.read_text() == "mine"
    assert done("demo", "--force", "--quiet") == ""
    assert load(mine).n_leaves == 11


def test_demo_refuses_a_folder_that_cannot_be_made(here):
    here.joinpath("file").write_text("")
    assert "file: is a file" in refused("demo", "-o", "file")
    assert "there is no folder 'no'" in refused("demo", "-o", "no/there")
