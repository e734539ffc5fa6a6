"""What a user reads when something is wrong: one line on stderr, never a traceback."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from clearwood.errors import ClearwoodError, ClearwoodWarning


class CommandError(ClearwoodError):
    """A command cannot do what it was asked; the message says what, where and how to mend it."""


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Turns our errors into a line on stderr and exit code 1, our warnings into a line."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", ClearwoodWarning)
        warnings.showwarning = _show_warning
        try:
            yield
        except ClearwoodError as error:
            _fail(error, str(error))
        except BrokenPipeError:
            raise  # the reader of our output has left: nobody to tell
        except OSError as error:
            if error.filename is None or error.strerror is None:
                raise
            _fail(error, f"{error.filename}: {error.strerror}")


def _fail(error: Exception, message: str) -> None:
    typer.echo(f"error: {_one_line(message)}", err=True)
    raise typer.Exit(1) from error


def _show_warning(message: Any, *rest: Any, **named: Any) -> None:
    typer.echo(f"warning: {_one_line(str(message))}", err=True)


def _one_line(message: str) -> str:
    return " ".join(message.splitlines())
