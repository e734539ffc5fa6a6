"""Signs of life on stderr, for work of more than a second and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Any, TypeVar

PATIENCE_S = 1.0
Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int, label: str, *, quiet: bool) -> Iterator[Item]:
    """The same items; a bar counts those that are done."""
    if not _is_wanted(quiet):
        yield from items
        return
    started, bar = monotonic(), _bar(total, label)
    try:
        for done, item in enumerate(items, start=1):
            yield item
            bar.update(0, completed=done)
            if not bar.live.is_started and monotonic() - started > PATIENCE_S:
                bar.start()
    finally:
        bar.stop()


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
