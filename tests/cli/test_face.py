"""The commands as a whole: help, version, what is loaded, exit codes, signs of life."""

import os
import subprocess
import sys
import warnings

import pytest
import typer
import typer.main

from clearwood import __version__
from clearwood.cli.failure import told_in_one_line
from clearwood.cli.main import app
from clearwood.errors import ClearwoodWarning, ParameterError
from cli.command_line import done, misused, run

COMMANDS = typer.main.get_command(app).commands
PARAMETERS = [(name, p) for name, command in COMMANDS.items() for p in command.params]


def test_there_is_a_command_for_each_step():
    assert list(COMMANDS) == ["demo", "fit", "show", "predict", "evaluate", "prune"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_in_a_line_what_it_does(name):
    assert COMMANDS[name].help.endswith((".", "COLUMN."))
    assert done(name, "--help") == done(name, "-h")


@pytest.mark.parametrize(
    ("name", "parameter"), PARAMETERS, ids=[f"{name}-{p.name}" for name, p in PARAMETERS]
)
def test_every_argument_and_option_has_help(name, parameter):
    assert parameter.help[0].isupper()
    assert parameter.help.endswith((".", ")"))


def test_version_is_that_of_the_package():
    assert done("--version") == f"clearwood {__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["--version"]])
def test_help_loads_nothing_that_costs(arguments):
    code = (
        "import sys\n"
        f"sys.argv = ['clearwood', *{arguments!r}]\n"
        "from clearwood.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ended.stderr.split()}
    costly = {"numpy", "pandas", "sklearn", "scipy", "pyarrow", "narwhals", "polars"}
    assert loaded & costly == set()
    assert len(ended.stderr.split()) < 500


def test_no_command_shows_the_help_as_a_misuse():
    result = run()
    assert result.exit_code == 2
    assert "Usage: clearwood [OPTIONS] COMMAND" in result.output


def test_a_misspelt_command_is_a_misuse():
    assert "No such command 'fitt'" in misused("fitt")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (PermissionError(13, "Permission denied", "a.csv"), "error: a.csv: Permission denied"),
        (OSError(28, "No space left"), "error: cannot write the output: No space left"),
        (ParameterError("max_depth must be 1,\ngot 0"), "error: --max-depth must be 1, got 0"),
    ],
)
def test_what_a_user_can_mend_is_one_line_and_exit_code_1(error, line, capsys):
    with pytest.raises(typer.Exit) as ended, told_in_one_line():
        raise error
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == f"{line}\n"


def test_a_fault_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError), told_in_one_line():
        raise ZeroDivisionError


def test_a_warning_is_told_once(capsys):
    with told_in_one_line():
        for _ in range(2):
            warnings.warn("column 'a' holds\nunknown levels", ClearwoodWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: column 'a' holds unknown levels\n"


def streams(code, stderr):
    """Runs Python code; what it wrote to the given stderr comes back through its other end."""
    return subprocess.run([sys.executable, "-c", code], stderr=stderr, timeout=60, check=True)


WORK = (
    "from clearwood import _progress as progress\n"
    "progress.PATIENCE_S = 0\n"
    "print(list(progress.tracked(range(3), 3, 'cross-validating', quiet={quiet})))\n"
    "import time\n"
    "with progress.working('growing', quiet={quiet}):\n    time.sleep(0.2)\n"
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("quiet", [False, True])
def test_long_work_shows_life_on_a_terminal_unless_quiet(quiet):
    import pty

    ours, theirs = pty.openpty()
    streams(WORK.format(quiet=quiet), theirs)
    os.close(theirs)
    seen = b""
    with open(ours, "rb", buffering=0) as terminal:
        try:
            while part := terminal.read(4096):
                seen += part
        except OSError:  # Linux says so when the other end is closed
            pass
    assert (b"cross-validating" in seen) == (not quiet)
    assert (b"growing" in seen) == (not quiet)


def test_long_work_is_silent_where_stderr_is_no_terminal():
    ended = streams(WORK.format(quiet=False), subprocess.PIPE)
    assert ended.stderr == b""
