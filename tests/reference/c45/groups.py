"""Groups of the levels of one column (A.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference.c45.data import EPS, Array, enough, information, running_total, split_gain

if TYPE_CHECKING:
    from reference.c45.growing import Grower


class GroupSearch:
    """Hill climbing over groups of the levels of one column at one node."""

    def __init__(
        self, grower: Grower, table: Array, total: Any, known: Any, unknown: Any, base: Any
    ) -> None:
        self.grower, self.real = grower, grower.real
        self.total, self.known, self.unknown, self.base = total, known, unknown, base
        self.missing = running_total(table[0], self.real)
        sizes = np.cumsum(table[1:], axis=1, dtype=self.real)[:, -1]
        self.info, self.gain = self.info_of(table[1:]), self.gain_of(table[1:], 1)
        self.groups = [[v] for v in range(len(sizes)) if sizes[v] > 0.5]
        self.tables = [table[1 + v] for (v,) in self.groups]
        self.unrepresented = [v for v in range(len(sizes)) if not sizes[v] > 0.5]

    def gain_of(self, tables: Any, minimum: int) -> Any:
        stacked = np.asarray(tables, dtype=self.real).reshape(-1, self.grower.cases.n_classes)
        if not enough(self.sizes_of(stacked), minimum):
            return self.real(-EPS)
        return split_gain(stacked, self.base, self.unknown, self.known, self.real)

    def info_of(self, tables: Any) -> Any:
        parts = np.concatenate([[self.missing], self.sizes_of(tables)]).astype(self.real)
        return self.real(information(parts, self.real) / self.total)

    def sizes_of(self, tables: Any) -> Array:
        stacked = np.asarray(tables, dtype=self.real).reshape(-1, self.grower.cases.n_classes)
        sizes: Array = np.cumsum(stacked, axis=1, dtype=self.real)[:, -1]
        return sizes

    def worth(self, info: Any, gain: Any) -> Any:
        return self.grower.worth(info, gain, self.real(EPS))

    def merge(self, i: int, j: int) -> None:
        """Group j joins group i; the last group takes the free place, which decides later ties."""
        self.groups[i] = self.groups[i] + self.groups[j]
        self.tables = self.merged(i, j)
        self.groups[j] = self.groups[-1]
        del self.groups[-1]

    def merged(self, i: int, j: int) -> list[Array]:
        tables = list(self.tables)
        tables[i] = (tables[i] + tables[j]).astype(self.real)
        tables[j] = tables[-1]
        del tables[-1]
        return tables

    def merge_pure(self) -> bool:
        """Joins groups that hold one and the same class."""
        merged = False
        i = 0
        while i < len(self.groups):
            label = self.pure_class(i)
            j = i + 1
            while label is not None and j < len(self.groups):
                if self.pure_class(j) == label:
                    self.merge(i, j)
                    merged = True
                else:
                    j += 1
            i += 1
        return merged

    def pure_class(self, i: int) -> int | None:
        size, label = self.sizes_of(self.tables[i])[0], int(np.argmax(self.tables[i]))
        return label if self.tables[i][label] >= size - 0.1 else None

    def climb(self) -> bool:
        """Merges while it pays; whether the grouping found is worth anything."""
        if self.merge_pure():
            self.info, self.gain = self.info_of(self.tables), self.gain_of(self.tables, 1)
        value = self.worth(self.info, self.gain)
        least_gain = self.real(self.gain / 2)
        while len(self.groups) > 2:
            sizes = self.sizes_of(self.tables)
            n_big = int((sizes >= self.grower.minimum).sum())
            barred = int(np.argmax(sizes)) if n_big < 3 else -1
            best = self.best_pair(barred, least_gain, n_big)
            free = not self.grower.options.gain_only and n_big >= 2
            if free and (best is None or best[2] < np.float64(value) + 1e-5):
                break
            if best is None:
                break
            i, j, value, self.gain, self.info = best
            self.merge(i, j)
        return bool(value > 0)

    def best_pair(
        self, barred: int, least_gain: Any, n_big: int
    ) -> tuple[int, int, Any, Any, Any] | None:
        best, best_value, best_gain = None, self.real(0.0), self.real(-EPS)
        forced = self.grower.options.gain_only or n_big < 2
        for i in range(len(self.groups)):
            for j in range(i + 1, len(self.groups)):
                if barred in (i, j):
                    continue
                tables = self.merged(i, j)
                gain, info = self.gain_of(tables, 1), self.info_of(tables)
                value = self.worth(info, gain)
                lifts = gain >= least_gain and best_gain < least_gain
                if lifts or value >= best_value or (best is None and forced):
                    best, best_value, best_gain = (i, j, value, gain, info), value, gain
        return best
