"""The README's code and commands run, and print what the README says."""

from documents import Block, blocks, difference, run_page
from shared_data import ROOT


def test_code_and_commands_of_the_readme_run_and_print_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "README.md") > 0


def test_files_that_the_readme_links_to_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    missing = [name for name in targets if "://" not in name and not (ROOT / name).exists()]
    assert missing == []


def test_a_wrong_output_is_noticed():
    assert difference("0.91 ...\n", "0.91 ± 0.02\n") == ""
    assert difference("0.91\n", "0.90\n") == "--- shown\n+++ printed\n@@ -1 +1 @@\n-0.91\n+0.90"


def test_blocks_are_found_with_line_and_language():
    text = "# T\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n"
    assert blocks(text) == [Block(4, "python", "print(1)\n"), Block(8, "text", "1\n")]
