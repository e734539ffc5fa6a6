"""`clearwood show --explain`: one row of a table in words, picture and page."""

import json

import pytest

from clearwood.tree.json_form import load
from cli.command_line import done, refused
from golden.trees import binary

TABLE = "id,ef,age\n1,30,70\n2,,70\n3,n/a,50\n"


@pytest.fixture
def patients(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    binary().save("m.json")
    (tmp_path / "p.csv").write_text(TABLE)
    return tmp_path


def explained(*more):
    return done("show", "m.json", "--explain", "p.csv", "--missing", "n/a", *more)


def test_show_prints_the_way_of_the_first_row_or_the_one_named(patients):
    assert explained() == binary().path({"ef": 30, "age": 70}).text() + "\n"
    assert explained("--row", 2) == binary().path({"ef": None, "age": 70}).text() + "\n"
    assert explained("--row", 2, "--digits", 4).startswith(
        "ef = missing: ef < 35 % (0.3950) or ef >= 35 % (0.6050)"
    )


def test_picture_and_page_are_of_the_row(patients):
    text = explained("--row", 3, "--svg", "r.svg", "--html", "r.html")
    assert text == "Written: r.svg\nWritten: r.html\n"
    svg, html = ((patients / name).read_text() for name in ("r.svg", "r.html"))
    assert "Decision tree: row 3 of p.csv" in svg
    assert "Row 3: " in svg
    assert "<h1>Decision tree: row 3 of p.csv</h1>" in html
    assert "<h2>How row 3 is decided</h2>" in html


def test_machines_get_steps_shares_and_answer(patients):
    row = json.loads(explained("--row", 2, "--json"))["row"]
    followed = load("m.json").path({"ef": None, "age": 70})
    assert row["row"] == 2
    assert row["class"] == followed.class_name
    assert row["probabilities"]["disease"] == followed.probabilities[1]
    assert [part["leaf"] for part in row["leaves"]] == [3, 4]
    assert [step["node"] for step in row["steps"]] == [0, 1]
    assert row["steps"][1]["branches"] == [{"condition": "age > 62.5 years", "share": 1.0}]


def test_what_cannot_be_explained_is_refused_in_one_line(patients):
    assert refused("show", "m.json", "--explain", "p.csv", "--missing", "n/a", "--row", 4) == (
        "p.csv: has 3 rows, so there is no row 4"
    )
    assert refused("show", "m.json", "--row", 2) == (
        "--row is about a table; name it with --explain"
    )
    (patients / "q.csv").write_text("age\n50\n")
    assert "q.csv" in refused("show", "m.json", "--explain", "q.csv")
