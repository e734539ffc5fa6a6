"""`clearwood`: the commands together, and how errors and warnings reach the user.

Exit codes: 0 done; 1 could not do it, one line on stderr says why; 2 the command was misspelt.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from clearwood.cli.demo import demo
from clearwood.cli.evaluate import evaluate
from clearwood.cli.failure import told_in_one_line
from clearwood.cli.fit import fit
from clearwood.cli.predict import predict
from clearwood.cli.prune import prune
from clearwood.cli.show import show


class OneLineErrors(TyperGroup):
    """Commands whose errors and warnings are one line each on stderr."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command that was asked for."""
        with told_in_one_line():
            return super().invoke(ctx)


app = typer.Typer(
    name="clearwood",
    cls=OneLineErrors,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, fit, show, predict, evaluate, prune):
    app.command()(command)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from clearwood import __version__

        typer.echo(f"clearwood {__version__}")
        raise typer.Exit


@app.callback()
def clearwood(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Readable decision trees, grown from a table, that know how far they can be trusted."""


def main() -> None:
    """Entry point of the `clearwood` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no failure
    app()
