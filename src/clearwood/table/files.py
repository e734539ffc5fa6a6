"""Reading a table from a file, with nothing guessed: numbers only where every cell is one."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clearwood.errors import DataFileError, ParameterError, TableError
from clearwood.table.source import unique_names
from clearwood.table.text_columns import read_columns

MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")
"""Cells that are read as missing unless told otherwise."""

SEPARATORS = {".csv": ",", ".tsv": "\t"}
KNOWN = ".csv, .csv.gz, .tsv, .tsv.gz or .parquet"

BLOCK = 1 << 20
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

LEAST_BLOCK, MOST_BLOCK = 1 << 20, 1 << 26
"""Bytes that Arrow reads at once: in small blocks a wide table would fall into small pieces."""


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
        One ASCII character between cells; by default what the suffix says.
    encoding : str, default="utf-8"
        Of separated values. A byte order mark is skipped.

    Returns
    -------
    pandas.DataFrame
        A column in which every cell is a number or missing is int64 or float64; any other is
        text (``str``), and so are codes with leading zeros and whole numbers of more than 15
        digits. Missing cells are NaN. Beside numbers, "inf" is a number too: a table refuses it.

    Raises
    ------
    ParameterError
        `separator` is not one ASCII character, or stands for a quote or the end of a line.
    DataFileError
        No such file, unknown suffix, a row with too many or too few cells, bytes that are not
        in the encoding, two columns of one name, no rows, or a damaged file.
    """
    path = Path(path)
    if path.is_dir():
        raise DataFileError(f"{path}: is a directory; name a file in it")
    if not path.is_file():
        raise DataFileError(f"{path}: no such file; check the name and the folder")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    is_zipped = suffixes[-1:] == [".gz"]
    suffix = suffixes[-2 if is_zipped else -1] if len(suffixes) > is_zipped else ""
    if suffix == ".parquet" and not is_zipped:
        return _read_parquet(path)
    if suffix not in SEPARATORS:
        raise DataFileError(f"{path}: unknown suffix {''.join(suffixes[-2:])!r}; known: {KNOWN}")
    if separator is None:
        separator = SEPARATORS[suffix]
    _require_separator(separator)
    return _read_separated(path, missing, separator, encoding)


def _require_separator(separator: str) -> None:
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise ParameterError(
            f"separator must be one ASCII character such as ';', not a quote or the end of a "
            f"line, got {separator!r}"
        )


def _read_parquet(path: Path) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise DataFileError(
            f"{path}: not a readable Parquet file ({_printable(str(error))})"
        ) from error
    _require_table(path, table)
    return table.to_pandas()


def _read_separated(path: Path, missing: Sequence[str], separator: str, encoding: str) -> Any:
    import pandas as pd

    table = _cells(path, missing, separator, encoding)
    _require_table(path, table)
    return pd.DataFrame(read_columns(table), copy=False)


def _cells(path: Path, missing: Sequence[str], separator: str, encoding: str) -> Any:
    """Every cell as text, in an Arrow table; Arrow refuses ragged rows instead of filling them."""
    import pyarrow as pa
    from pyarrow import csv

    ragged: list[Any] = []

    def refuse(row: Any) -> str:
        ragged.append(row)
        return "error"

    # Arrow numbers the rows only where a single thread reads them.
    size = min(max(path.stat().st_size, LEAST_BLOCK), MOST_BLOCK)
    read = csv.ReadOptions(encoding=encoding, use_threads=False, block_size=size)
    parse = csv.ParseOptions(
        delimiter=separator, newlines_in_values=True, invalid_row_handler=refuse
    )
    try:
        _require_text(path, encoding)
        first = csv.ReadOptions(encoding=encoding, use_threads=False)
        with csv.open_csv(path, first, parse) as header:
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


def _require_text(path: Path, encoding: str) -> None:
    """Refuses bytes that are no text before Arrow meets them, which would print them."""
    import pyarrow as pa

    codec = codecs.lookup(encoding).name
    # Arrow decodes the other encodings itself, and says so where it cannot.
    decoder = codecs.getincrementaldecoder("utf-8")() if codec == "utf-8" else None
    has_zeros = codec.startswith(("utf-16", "utf-32"))
    with pa.input_stream(str(path), compression="detect") as stream:
        start = block = stream.read(BLOCK)
        # Text of UTF-16 has zero bytes too, but a mark before them, which the decoder refuses.
        if not has_zeros and b"\0" in start and not start.startswith(UTF16_MARKS):
            raise DataFileError(
                f"{path}: holds zero bytes, so it is no text in {encoding}; if it is a table, "
                "save it as .csv in UTF-8, or pass encoding='utf-16'"
            )
        while decoder is not None and block:
            decoder.decode(block)
            block = stream.read(BLOCK)
        if decoder is not None:
            decoder.decode(b"", final=True)


def _require_header(path: Path, names: Sequence[str], separator: str) -> None:
    if len(names) == 1:
        for other in (";", "\t", ",", "|"):
            if other in names[0]:
                raise DataFileError(
                    f"{path}: the header is one cell, {names[0][:80]!r}; if {other!r} stands "
                    f"between its cells, pass separator={other!r} (got {separator!r})"
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
    known = {"cp1252": "'cp1252' (older Windows programs)", "utf-16": "'utf-16'"}
    others = [text for name, text in known.items() if name != encoding.lower()]
    return f"its bytes are not {encoding}; pass encoding={' or '.join(others)}"


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
    return f"not a readable table ({_printable(str(error))})"


def _printable(message: str, most: int = 200) -> str:
    """A message of another library, which may quote the file, short and without its raw bytes."""
    escaped = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message[:most])
    return escaped + ("…" if len(message) > most else "")
