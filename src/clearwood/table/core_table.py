"""The core's view of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood import _core


def core_table(table: Table) -> _core.Table:
    """The table as the core borrows it; it keeps the arrays alive."""
    from clearwood import _core

    if table.matrix is not None:
        return _core.Table.from_matrix(table.matrix)
    n_levels = [feature.n_levels if feature.is_nominal else 0 for feature in table.features]
    return _core.Table.from_columns(table.columns, n_levels)
