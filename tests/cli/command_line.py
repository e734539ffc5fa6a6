"""Runs the command line inside the test, in a folder of its own, and reads what it said."""

from typer.testing import CliRunner

from clearwood.cli.main import app

GOLF = """\
outlook,temperature,humidity,windy,play
sunny,75,70,true,yes
sunny,80,90,true,no
sunny,85,85,false,no
sunny,72,95,false,no
sunny,69,70,false,yes
overcast,72,90,true,yes
overcast,83,78,false,yes
overcast,64,65,true,yes
overcast,81,75,false,yes
rain,71,80,true,no
rain,65,70,true,no
rain,75,80,false,yes
rain,68,80,false,yes
rain,70,96,false,yes
"""
"""Quinlan's 14 days of golf (1993, C4.5: Programs for Machine Learning, table 2-1)."""

GOLF_TREE = """\
all rows: n = 14; no 0.36, yes 0.64
|   outlook in {"overcast"} or missing (0.29) => yes: n = 4; no 0.00, yes 1.00
|   outlook in {"rain"} or missing (0.36): n = 5; no 0.40, yes 0.60
|   |   windy in {"false"} or missing (0.60) => yes: n = 3; no 0.00, yes 1.00
|   |   windy in {"true"} or missing (0.40) => no: n = 2; no 1.00, yes 0.00
|   outlook in {"sunny"} or missing (0.36): n = 5; no 0.60, yes 0.40
|   |   humidity <= 75 or missing (0.40) => yes: n = 2; no 0.00, yes 1.00
|   |   humidity > 75 or missing (0.60) => no: n = 3; no 1.00, yes 0.00
"""
"""The tree that his book grows from them, as we print it."""


def run(*arguments):
    """The result of one command: exit_code, stdout, stderr."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def done(*arguments):
    """What a command printed, which must have ended well and with nothing on stderr."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*arguments):
    """The one line with which a command declined to work."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip("\n")


def misused(*arguments):
    """What is said of a misspelt command, its line breaks and frame taken out."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return " ".join(result.stderr.replace("│", " ").split())
