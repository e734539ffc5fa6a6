"""Everything that clearwood raises on its own account.

::

    ClearwoodError
    ├── ParameterError      ValueError    a parameter or setting has a value that makes no sense
    ├── TableError          ValueError    the data cannot be read as meant
    │   ├── ColumnNotFound  KeyError      a column that the table does not have
    │   ├── NotATableError  TypeError     an object of a kind that is no table for us
    │   └── DataFileError   OSError       a file that is no table in a format we read
    ├── InvalidTreeError    ValueError    a tree that contradicts itself
    │   └── ModelFileError  OSError       a file that is no model, is damaged, or is newer than we
    └── OutputError         OSError       a file that cannot be written, or is there already

    ClearwoodWarning
    └── UnseenLevelWarning                a level that training did not know, read as missing

Each error is also the builtin that a caller would catch. Every message names the parameter or
column, the rule, the value seen and the mend.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class ClearwoodError(Exception):
    """Root of all errors raised by clearwood."""


class ParameterError(ClearwoodError, ValueError):
    """A parameter or setting has a value that makes no sense."""


class TableError(ClearwoodError, ValueError):
    """The data cannot be read as meant."""


class ColumnNotFound(TableError, KeyError):
    """A column that the table does not have.

    Parameters
    ----------
    column : str
        The name asked for.
    columns : iterable of str
        The names that exist; the nearest one is proposed.
    mend : str, default=""
        What else may be done, said at the end.

    Examples
    --------
    >>> print(ColumnNotFound("creatinin", ["age", "creatinine"]))
    no column 'creatinin'; did you mean 'creatinine'?
    """

    def __init__(self, column: str, columns: Iterable[str], mend: str = "") -> None:
        super().__init__(column, tuple(columns), mend)
        self.column = column
        self.columns = tuple(self.args[1])
        self.mend = mend

    def __str__(self) -> str:
        return f"{self._lack()} ({self.mend})" if self.mend else self._lack()

    def _lack(self) -> str:
        near = get_close_matches(self.column, self.columns, n=1)
        if near:
            return f"no column {self.column!r}; did you mean {near[0]!r}?"
        if not self.columns:
            return f"no column {self.column!r}: the table has no columns"
        return f"no column {self.column!r}; the table has {', '.join(map(repr, self.columns))}"


class NotATableError(TableError, TypeError):
    """An object that cannot be read as a table, or a cell that holds no number or text."""


class DataFileError(TableError, OSError):
    """A file that cannot be read, or is no table in a format that clearwood reads."""


class InvalidTreeError(ClearwoodError, ValueError):
    """A tree that contradicts itself: a child out of range, a cycle, arrays of unequal length."""


class ModelFileError(InvalidTreeError, OSError):
    """A model file that cannot be read: not ours, damaged, changed, or of a newer version."""


class OutputError(ClearwoodError, OSError):
    """A file that cannot be written, or that is there already and may not be replaced."""


class ClearwoodWarning(UserWarning):
    """Root of all warnings given by clearwood."""


class UnseenLevelWarning(ClearwoodWarning):
    """A nominal column holds a level that training did not know; it is read as missing."""
