"""What tutorial, how-to guides and explanations show can be run and prints what stands below it."""

import pytest

from documents import run_page
from shared_data import ROOT

DOCS = ROOT / "docs"
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if any(fence in page.read_text(encoding="utf-8") for fence in ("```python", "```console"))
    and page != DOCS / "reference" / "cli.md"  # tests/test_docs.py runs it and looks for gaps
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_what_a_page_shows_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(page) > 0


def test_every_part_of_the_tutorial_is_run():
    tutorial = {page.name for page in PAGES if page.parent.name == "tutorial"}
    assert tutorial == {"command_line.md", "reading.md", "python.md"}
