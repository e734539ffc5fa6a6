"""The data sets that lie beside a checkout, too large to be in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

SHARED = Path(os.environ.get("CLEARWOOD_SHARED", Path(__file__).parents[3] / "shared"))


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """A table as an experiment reads it.

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_columns)
        Nominal columns are categories, of all levels that occur in the data set: a level that a
        fold lacks is known all the same, as it is in C4.5's file of names. Others are numbers; NaN
        where missing.
    y : pandas.Series of shape (n_rows,)
    """

    X: pd.DataFrame
    y: pd.Series


def read(
    name: str,
    *,
    target: str | None = None,
    nominal: tuple[str, ...] = (),
    n_rows: int | None = None,
) -> DataSet:
    """A data set by the name of its folder.

    Parameters
    ----------
    name : str
        Folder under ``shared/data``.
    target : str or None
        Column to predict; None is the last.
    nominal : tuple of str
        Columns whose numbers are codes without an order.
    n_rows : int or None
        Only so many rows from the top.

    Raises
    ------
    FileNotFoundError
        Names where the data were looked for, and the variable that says where they are.
    """
    paths = [SHARED / "data" / name / file for file in ("data.csv", "data.csv.gz")]
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        raise FileNotFoundError(f"no {paths[0]}; set CLEARWOOD_SHARED to the folder of data")
    frame = pd.read_csv(path, nrows=n_rows, na_values=["?", ""], keep_default_na=False)
    y = frame.pop(target or frame.columns[-1])
    texts = [column for column in frame if not pd.api.types.is_numeric_dtype(frame[column])]
    levels = {column: frame[column].astype("category") for column in (*texts, *nominal)}
    return DataSet(frame.assign(**levels), y)
