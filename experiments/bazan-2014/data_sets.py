"""The data: those beside the checkout, and any folder a user has, such as the ovarian set."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clearwood.table import read_file
from experiments.protocol import data as shared
from experiments.protocol.splits import Rows, stratified_folds

PROTOCOL = tomllib.loads((Path(__file__).parent / "protocol.toml").read_text(encoding="utf-8"))
FILES = ("data.csv", "data.csv.gz", "data.parquet")


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """A table whose rows may belong together.

    Parameters
    ----------
    X : pandas.DataFrame or ndarray, shape (n_rows, n_columns)
        An array where all columns are numbers: thousands of columns are cut into folds sooner.
    y : ndarray of shape (n_rows,)
    group : ndarray of shape (n_rows,)
        Whom a row is of; each row its own where nothing else is known.
    """

    X: Any
    y: np.ndarray[Any, Any]
    group: np.ndarray[Any, Any]

    def rows(self, which: Rows) -> Any:
        """Some rows of X."""
        return self.X.iloc[which] if isinstance(self.X, pd.DataFrame) else self.X[which]

    def folds(self, n_folds: int, seed: list[int]) -> Iterator[tuple[Rows, Rows]]:
        """Stratified folds of groups, hence of rows where each is its own."""
        _, first, group = np.unique(self.group, return_index=True, return_inverse=True)
        for train, test in stratified_folds(self.y[first], n_folds, seed):
            yield np.flatnonzero(np.isin(group, train)), np.flatnonzero(np.isin(group, test))


def names() -> tuple[str, ...]:
    """The data sets that are compared."""
    return tuple(PROTOCOL["data"])


def data_set(name: str) -> Grouped:
    """One of `names`, or a folder with one of `FILES`, the class in its last column."""
    if name in PROTOCOL["data"]:
        found = shared.read(PROTOCOL["data"][name])
        return grouped(found.X, found.y, group_of(name))
    path = next((Path(name, file) for file in FILES if Path(name, file).exists()), None)
    if path is None:
        raise FileNotFoundError(f"{name}: holds none of {', '.join(FILES)}")
    frame = read_file(path)
    y = frame.pop(frame.columns[-1])
    return grouped(frame, y, None)


def grouped(X: pd.DataFrame, y: pd.Series, group: Any) -> Grouped:
    """The table, as an array if it can be one."""
    is_numbers = len(X.select_dtypes("number").columns) == X.shape[1]
    values = np.ascontiguousarray(X, dtype=float) if is_numbers else X
    return Grouped(values, y.to_numpy(), np.arange(len(y)) if group is None else group)


def group_of(name: str) -> Any:
    """Whom each row is of, or None."""
    if name not in PROTOCOL["groups"]:
        return None
    file, column = PROTOCOL["groups"][name]
    return pd.read_csv(shared.SHARED / "data" / PROTOCOL["data"][name] / file)[column].to_numpy()


def measured(name: str) -> tuple[Grouped, tuple[str, ...]]:
    """A data frame to be measured again, and the columns that this would change."""
    options: Mapping[str, Any] = PROTOCOL["measured"][name]
    found = shared.read(options["folder"])
    columns = tuple(options.get("columns", found.X.columns))
    X = found.X
    if options.get("zero_is_missing"):
        known = {column: X[column].where(X[column] != 0).astype(float) for column in columns}
        X = X.assign(**known)
    group = group_of(name)
    whose = np.arange(len(X)) if group is None else group
    return Grouped(X, found.y.to_numpy(), whose), columns
