"""Signs of life on stderr, for work of more than a second and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Any, TypeVar

PATIENCE_S = 1.0
Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int, label: str, *, quiet: bool) -> Iterator[Item]:
    """The same items; a bar counts those that are done."""
    with bar(total, label, quiet=quiet) as show:
        for done, item in enumerate(items, start=1):
            yield item
            show(done)


@contextmanager
def bar(total: int, label: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar, and what tells it how many are done."""
    if not _is_wanted(quiet):
        yield lambda done: None
        return
    started, shown = monotonic(), _bar(total, label)

    def show(done: int) -> None:
        shown.update(0, completed=done)
        if not shown.live.is_started and monotonic() - started > PATIENCE_S:
            shown.start()

    try:
        yield show
    finally:
        shown.stop()


@contextmanager
def working(label: str, *, quiet: bool) -> Iterator[None]:
    """A spinner while one long step runs."""
    if not _is_wanted(quiet):
        yield
        return
    from rich.console import Console

    status = Console(stderr=True).status(label)
    timer = Timer(PATIENCE_S, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def _is_wanted(quiet: bool) -> bool:
    return not quiet and sys.stderr.isatty()


def _bar(total: int, label: str) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(label, total=total)
    return bar
