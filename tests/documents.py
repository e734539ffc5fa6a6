"""What a page of the documentation holds: its fenced blocks, and how they are run and compared."""

import contextlib
import difflib
import doctest
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from cli.command_line import run

BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: line of its first content, language, content."""

    line: int
    language: str
    content: str


@dataclass(frozen=True)
class Step:
    """One command of a session, and what is printed below it ("" where nothing is claimed)."""

    command: str
    shown: str


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [
        Block(text.count("\n", 0, match.start(2)) + 1, match[1], match[2])
        for match in BLOCK.finditer(text)
    ]


def steps(session: str) -> list[Step]:
    """The commands of a session; a line that ends in a backslash goes on."""
    parts = re.split(r"^\$ ", session.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    return [Step(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def plain(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def difference(want: str, got: str) -> str:
    """Empty where `got` is `want`, in which `...` stands for anything."""
    want, got = plain(want), plain(got)
    if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        return ""
    return "\n".join(
        difflib.unified_diff(want.splitlines(), got.splitlines(), "shown", "printed", lineterm="")
    )


def _require_equal(want: str, got: str, where: str) -> None:
    found = difference(want, got)
    assert not found, f"{where}\n{found}"


def printed_by(code: str, line: int, name: str, namespace: dict[str, object]) -> str:
    """What a block prints; its lines keep their numbers in the page for tracebacks."""
    out = io.StringIO()
    program = compile("\n" * (line - 1) + code, name, "exec")
    with contextlib.redirect_stdout(out):
        exec(program, namespace)
    return out.getvalue()


def run_session(session: str, where: str) -> None:
    """Runs each command in the current folder; it must end, and print, as the session shows."""
    for step in steps(session):
        program, *arguments = shlex.split(step.command)
        assert program == "clearwood", f"{where}: {step.command}"
        result = run(*arguments)
        expected = 1 if step.shown.startswith("error: ") else 0
        assert result.exit_code == expected, f"{where}: {step.command}\n{result.output}"
        if step.shown.strip():
            _require_equal(step.shown, result.output, f"{where}: {step.command}")


def run_page(page: Path) -> int:
    """Runs what a page shows, in order, in the current folder; the number of blocks that ran.

    A ``text`` block is what the ``python`` block right before it prints.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed, n_run = "", 0
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}, line {block.line}"
        if block.language == "text" and printed:
            _require_equal(block.content, printed, where)
        printed = ""
        if block.language == "python":
            printed = printed_by(block.content, block.line, str(page), namespace)
            n_run += 1
        elif block.language == "console":
            run_session(block.content, where)
            n_run += 1
    return n_run
