"""What a user reads when something is wrong: one line on stderr, never a traceback."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from clearwood.errors import ClearwoodError, ClearwoodWarning, ParameterError

OPTION_OF = {
    "min_samples_leaf": "--min-leaf",
    "max_depth": "--max-depth",
    "max_length": "--max-depth",
    "confidence": "--confidence",
    "alpha": "--alpha",
    "velocity": "--velocity",
    "n_verifiers": "--verifiers",
    "n_folds": "--folds",
    "separator": "--separator",
}
"""The option that sets a parameter of ours."""

IN_OPTIONS = (
    (r"must be None or ", "must be "),
    (r"pass (separator|encoding)=", r"add --\1 "),
    (r"^alpha=(\S+) makes", r"--alpha \1 makes"),
    (r"give a smoothing above 0, or an alpha above 0", "give an alpha above 0"),
    (r"leave it out if it is an identifier, or use nominal='subset'",
     "leave it out (--drop) if it is an identifier, or take --method cart"),
    (r"a higher agreement or fewer n_verifiers copy", "fewer witnesses (--verifiers) copy"),
)  # fmt: skip
"""What a message says to those who write Python, and what it says here."""


class CommandError(ClearwoodError):
    """A command cannot do what it was asked; the message says what, where and how to mend it."""


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Turns our errors into a line on stderr and exit code 1, our warnings into a line."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", ClearwoodWarning)
        warnings.showwarning = _teller()
        try:
            yield
        except ClearwoodError as error:
            _fail(error, _with_options(error))
        except BrokenPipeError:
            raise  # the reader of our output has left: nobody to tell
        except OSError as error:
            if error.strerror is None:
                raise
            _fail(error, f"{error.filename or 'cannot write the output'}: {error.strerror}")


def _fail(error: Exception, message: str) -> None:
    typer.echo(f"error: {_one_line(message)}", err=True)
    raise typer.Exit(1) from error


def _with_options(error: Exception) -> str:
    """The message with the names that the command line has for what it speaks of."""
    message = _in_options(str(error))
    if isinstance(error, ParameterError):
        name = message.partition(" ")[0]
        return OPTION_OF.get(name, name) + message[len(name) :]
    return message


def _in_options(message: str) -> str:
    for said, here in IN_OPTIONS:
        message = re.sub(said, here, message)
    return message


def note(message: str) -> None:
    """One line on stderr about something that was repaired, left out or is in doubt."""
    typer.echo(f"note: {_one_line(message)}", err=True)


def _teller() -> Any:
    """Shows each warning once, however often it is given."""
    told: set[str] = set()

    def tell(message: Any, *rest: Any, **named: Any) -> None:
        line = f"warning: {_one_line(_in_options(str(message)))}"
        if line not in told:
            told.add(line)
            typer.echo(line, err=True)

    return tell


def _one_line(message: str) -> str:
    return " ".join(message.splitlines())
