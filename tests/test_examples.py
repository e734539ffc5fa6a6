"""Each example runs by itself, and pictures in the documentation are those that examples draw."""

import runpy

import pytest

from shared_data import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
IMAGES = ROOT / "docs" / "images"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_draws_the_picture_in_the_documentation(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    picture = runpy.run_path(str(example)).get("picture")
    if picture is not None:
        shown = (IMAGES / f"{example.stem}.svg").read_text(encoding="utf-8")
        assert picture + "\n" == shown, "run docs/make_pictures.py and look at what changed"


def test_every_picture_in_the_documentation_belongs_to_an_example():
    assert {path.stem for path in IMAGES.iterdir()} <= {path.stem for path in EXAMPLES}
