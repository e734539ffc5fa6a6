"""The command line's reference: complete, and every session in it runs as it is printed."""

import re
import shlex

import pytest
import typer.main

from clearwood.cli.main import app
from documents import blocks, run_page, steps
from shared_data import ROOT

REFERENCE = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands


def sessions():
    """The commands of all sessions, in order."""
    return [step for block in blocks(REFERENCE) if block.language == "console"
            for step in steps(block.content)]  # fmt: skip


def section(name):
    """The part of the reference below the heading of a command."""
    match = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    assert match, f"docs/reference/cli.md has no section '## {name}'"
    return match[1]


def options_of(name):
    return [p for p in COMMANDS[name].params if p.param_type_name == "option"]


def words_used(name):
    """What follows the name of a command, in all its uses."""
    used = [shlex.split(step.command) for step in sessions()]
    return {word for words in used if words[1:2] == [name] for word in words[2:]}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    text = section(name)
    undocumented = [p.name for p in options_of(name) if f"`{max(p.opts, key=len)}" not in text]
    assert undocumented == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_used_in_a_session(name):
    unused = [p.name for p in options_of(name) if not words_used(name) & set(p.opts)]
    assert unused == []


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_documented_that_does_not_exist(name):
    known = {option for p in options_of(name) for option in p.opts} | {"--help", "--version"}
    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(
        re.findall(r"^\| `(.*?)`", section(name), re.MULTILINE)))) <= known  # fmt: skip


def test_the_sessions_run_in_one_folder_and_print_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / "reference" / "cli.md") > 0
