"""Small tables with few values, so that ties, missing values and absent levels are common."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from hypothesis import strategies as st


@dataclass(frozen=True)
class SmallTable:
    """A frame of numeric (``x…``) and nominal (``c…``) columns, and a label for each row."""

    X: pd.DataFrame
    y: np.ndarray
    rng: np.random.Generator

    @property
    def n_rows(self):
        return len(self.y)

    def __repr__(self):
        return f"SmallTable(\n{self.X.assign(y=self.y).to_string()})"


def one_column(rng, n_levels, n_rows, missing):
    absent = rng.random(n_rows) < missing
    if n_levels == 0:
        return np.where(absent, np.nan, rng.integers(0, 8, n_rows) / 4)
    codes = np.where(absent, -1, rng.integers(0, n_levels, n_rows))
    return pd.Categorical.from_codes(codes, [f"l{k}" for k in range(n_levels)])


SOME_MISSING = st.sampled_from([0.0, 0.2])


@st.composite
def small_tables(draw, missing=SOME_MISSING):
    """Tables of up to five columns and forty rows."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_classes, share = draw(st.integers(2, 40)), draw(st.integers(2, 4)), draw(missing)
    n_levels = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 5]), min_size=1, max_size=5))
    columns = {
        f"{'c' if levels else 'x'}{j}": one_column(rng, levels, n, share)
        for j, levels in enumerate(n_levels)
    }
    return SmallTable(pd.DataFrame(columns), rng.integers(0, n_classes, n), rng)


COMPLETE = small_tables(missing=st.just(0.0))
