"""What was run, in one SQLite file: a run that is there already need not be run again.

A run has a key, the choices that make it what it is, and the values that came out. The version of
the package belongs in the key of whoever wants results of one version only.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_TABLE = """
create table if not exists runs (
    experiment text not null,
    key text not null,
    outcome text not null,
    finished text not null default current_timestamp,
    primary key (experiment, key)
)
"""


class Store:
    """Results by experiment and key.

    Parameters
    ----------
    path : Path or None
        The file, made if need be; None keeps everything in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(":memory:" if path is None else path)
        self._database.execute(_TABLE)

    def put(self, experiment: str, key: Mapping[str, Any], outcome: Mapping[str, Any]) -> None:
        """Keeps an outcome; one under the same key gives way."""
        with self._database as database:
            database.execute(
                "insert or replace into runs (experiment, key, outcome) values (?, ?, ?)",
                (experiment, _text(key), _text(outcome)),
            )

    def get(self, experiment: str, key: Mapping[str, Any]) -> dict[str, Any] | None:
        """The outcome of a run, or None."""
        found = self._database.execute(
            "select outcome from runs where experiment = ? and key = ?", (experiment, _text(key))
        ).fetchone()
        return None if found is None else json.loads(found[0])

    def runs(self, experiment: str) -> list[dict[str, Any]]:
        """All runs of an experiment, each key and outcome together, in the order of their keys."""
        found = self._database.execute(
            "select key, outcome from runs where experiment = ? order by key", (experiment,)
        )
        return [json.loads(key) | json.loads(outcome) for key, outcome in found]

    def close(self) -> None:
        """Lets go of the file."""
        self._database.close()


@contextmanager
def opened(path: Path | None) -> Iterator[Store]:
    """A store that is closed in the end."""
    store = Store(path)
    try:
        yield store
    finally:
        store.close()


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)
