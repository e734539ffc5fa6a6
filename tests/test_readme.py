"""The README's Python code runs, and prints what the README says."""

import contextlib
import difflib
import doctest
import io
import re

from shared_data import ROOT

BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[tuple[int, str, str]]:
    """Line, language and content of each fenced block."""
    return [
        (text.count("\n", 0, match.start(2)) + 1, match[1], match[2])
        for match in BLOCK.finditer(text)
    ]


def printed_by(code: str, line: int, namespace: dict[str, object]) -> str:
    """What a block prints; its lines keep their numbers in the README for tracebacks."""
    out = io.StringIO()
    program = compile("\n" * (line - 1) + code, "README.md", "exec")
    with contextlib.redirect_stdout(out):
        exec(program, namespace)
    return out.getvalue()


def plain(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def difference(want: str, got: str) -> str:
    """Empty where `got` is `want`, in which `...` stands for anything."""
    want, got = plain(want), plain(got)
    if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        return ""
    return "\n".join(
        difflib.unified_diff(want.splitlines(), got.splitlines(), "README", "printed", lineterm="")
    )


def test_python_code_of_the_readme_runs_and_prints_what_is_shown(tmp_path, monkeypatch):
    found = blocks((ROOT / "README.md").read_text(encoding="utf-8"))
    assert any(language == "python" for _, language, _ in found), "the README shows no Python code"
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for line, language, content in found:
        if language == "text" and printed:
            assert difference(content, printed) == "", f"README.md, line {line}"
        printed = printed_by(content, line, namespace) if language == "python" else ""


def test_a_wrong_output_is_noticed():
    assert difference("0.91 ...\n", "0.91 ± 0.02\n") == ""
    assert difference("0.91\n", "0.90\n") == "--- README\n+++ printed\n@@ -1 +1 @@\n-0.91\n+0.90"


def test_blocks_are_found_with_line_and_language():
    text = "# T\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n"
    assert blocks(text) == [(4, "python", "print(1)\n"), (8, "text", "1\n")]
