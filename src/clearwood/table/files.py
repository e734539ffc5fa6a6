"""Reading a table from a file, with nothing guessed: numbers only where every cell is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clearwood.errors import DataFileError, TableError
from clearwood.table.source import unique_names

MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")
"""Cells that are read as missing unless told otherwise."""

SEPARATORS = {".csv": ",", ".tsv": "\t"}
KNOWN = ".csv, .csv.gz, .tsv, .tsv.gz or .parquet"

NUMBER = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
WHOLE = r"^-?[0-9]+$"
# A code such as 00123 would lose its zeros, and a record number of 20 digits its last ones.
CODE = r"^-?0[0-9]|^-?[0-9]{16,}$"


def read_file(
    path: str | Path,
    *,
    missing: Sequence[str] = MISSING,
    separator: str | None = None,
    encoding: str = "utf-8",
) -> Any:
    """A data frame from a file of separated values or a Parquet file.

    Parameters
    ----------
    path : str or path
        ``.csv`` or ``.tsv`` (also with ``.gz``) or ``.parquet``.
    missing : sequence of str
        Cells of separated values that are missing, quoted or not, compared exactly; an empty
        cell too only if "" is among them. The default is `MISSING`.
    separator : str or None
        One character between cells; by default what the suffix says.
    encoding : str, default="utf-8"
        Of separated values. A byte order mark is skipped.

    Returns
    -------
    pandas.DataFrame
        A column in which every cell is a number or missing is int64 or float64; any other is
        text (``str``), and so are codes with leading zeros and whole numbers of more than 15
        digits. Missing cells are NaN.

    Raises
    ------
    DataFileError
        No such file, unknown suffix, a row with too many or too few cells, bytes that are not
        in the encoding, two columns of one name, no rows, or a damaged file.
    """
    path = Path(path)
    if not path.is_file():
        raise DataFileError(f"{path}: no such file; check the name and the folder")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    is_zipped = suffixes[-1:] == [".gz"]
    suffix = suffixes[-2 if is_zipped else -1] if len(suffixes) > is_zipped else ""
    if suffix == ".parquet" and not is_zipped:
        return _read_parquet(path)
    if suffix not in SEPARATORS:
        raise DataFileError(f"{path}: unknown suffix {''.join(suffixes[-2:])!r}; known: {KNOWN}")
    return _read_separated(path, missing, separator or SEPARATORS[suffix], encoding)


def _read_parquet(path: Path) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise DataFileError(f"{path}: not a readable Parquet file ({error})") from error
    _require_table(path, table)
    return table.to_pandas()


def _read_separated(path: Path, missing: Sequence[str], separator: str, encoding: str) -> Any:
    import pandas as pd

    table = _cells(path, missing, separator, encoding)
    _require_table(path, table)
    return pd.DataFrame({name: _column(table.column(name)) for name in table.column_names})


def _cells(path: Path, missing: Sequence[str], separator: str, encoding: str) -> Any:
    """Every cell as text, in an Arrow table; Arrow refuses ragged rows instead of filling them."""
    import pyarrow as pa
    from pyarrow import csv

    ragged: list[Any] = []

    def refuse(row: Any) -> str:
        ragged.append(row)
        return "error"

    # Arrow numbers the rows only where a single thread reads them.
    read = csv.ReadOptions(encoding=encoding, use_threads=False)
    parse = csv.ParseOptions(
        delimiter=separator, newlines_in_values=True, invalid_row_handler=refuse
    )
    try:
        with csv.open_csv(path, read, parse) as header:
            names = header.schema.names
        _require_header(path, names, separator)
        convert = csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=list(missing),
            strings_can_be_null=True,
        )
        return csv.read_csv(path, read, parse, convert)
    except (UnicodeError, LookupError) as error:
        raise DataFileError(f"{path}: {_why_not_decoded(error, encoding)}") from error
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, DataFileError):
            raise
        raise DataFileError(f"{path}: {_why_not_read(error, ragged, encoding)}") from error


def _require_header(path: Path, names: Sequence[str], separator: str) -> None:
    if len(names) == 1:
        for other in (";", "\t", ",", "|"):
            if other in names[0]:
                raise DataFileError(
                    f"{path}: the header is one cell, {names[0]!r}; if {other!r} stands between "
                    f"its cells, pass separator={other!r} (got {separator!r})"
                )
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise DataFileError(f"{path}: column {position} has no name; name it or remove it")


def _require_table(path: Path, table: Any) -> None:
    if table.num_rows == 0 or table.num_columns == 0:
        raise DataFileError(f"{path}: no rows below the header")
    try:
        unique_names(table.column_names)
    except TableError as error:
        raise DataFileError(f"{path}: {error}") from error


def _why_not_decoded(error: Exception, encoding: str) -> str:
    if isinstance(error, LookupError):
        return f"unknown encoding {encoding!r}; try 'utf-8', 'utf-16' or 'cp1252'"
    return (
        f"its bytes are not {encoding}; pass encoding='cp1252' (older Windows programs) or 'utf-16'"
    )


def _why_not_read(error: Exception, ragged: Sequence[Any], encoding: str) -> str:
    if ragged:
        row = ragged[0]
        return (
            f"row {row.number} has {row.actual_columns} cells, but the header has "
            f"{row.expected_columns}: {row.text[:80]!r}; mend that row (a cell that contains the "
            "separator needs quotes)"
        )
    if "UTF8" in str(error):
        return _why_not_decoded(error, encoding)
    return f"not a readable table ({error})"


def _column(cells: Any) -> Any:
    """Cells as numbers if each one is one, else as they are."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(cells)
    if not _all_match(trimmed, NUMBER) or pc.any(_matches(trimmed, CODE)).as_py():
        return cells.to_pandas()
    is_whole = cells.null_count == 0 and _all_match(trimmed, WHOLE)
    return trimmed.cast("int64" if is_whole else "float64").to_pandas()


def _matches(cells: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    return pc.match_substring_regex(cells, pattern)


def _all_match(cells: Any, pattern: str) -> bool:
    """Whether every cell that is not missing matches; true where all are missing."""
    import pyarrow.compute as pc

    return pc.all(_matches(cells, pattern)).as_py() is not False
