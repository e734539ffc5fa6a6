"""The first cut of each alpha over two columns, searched for the chart of cutting planes."""

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ParameterError
from clearwood.report import cutting_planes_chart
from unit.test_report_risk_charts import values

# Low "a" is mostly well and high "a" mostly ill, but neither end is pure. The six rows of lowest
# "b" are all well, half of them with high "a"; above them "b" says little.
A = np.arange(40.0)
ILL = (A >= 20) & ~np.isin(A, [25, 30, 35, 39]) | (A == 0)
LOWEST = [1, 5, 9, 25, 30, 35]
B = np.full(40, 0.0)
B[LOWEST] = range(6)
OTHERS = [row for pair in zip(range(20), range(20, 40), strict=True) for row in pair]
B[[row for row in OTHERS if row not in LOWEST]] = range(10, 44)
TABLE = pd.DataFrame({"other": -A, "a": A, "b": B})
STATE = np.where(ILL, "ill", "well")


def legends(X, **options):
    content = cutting_planes_chart(X, STATE, event="ill", **options).to_dict()
    (rules,) = [layer for layer in content["layer"] if layer["mark"]["type"] == "rule"]
    return [record["cut"] for record in values(content, rules)]


FOUND = [
    "α = 1, 2: a <= 19.5: events 5.0 % of 20; above 80.0 % of 20",
    "α = 64: b <= 7.5: events 0.0 % of 6; above 50.0 % of 34",
]


def test_a_high_alpha_cuts_off_the_pure_part_and_a_low_one_halves_the_table():
    assert legends(TABLE, columns=("a", "b"), cuts=[64, 1, 2], min_samples_leaf=5) == FOUND


def test_columns_by_place_find_the_same_cuts():
    found = legends(TABLE.to_numpy(), columns=(2, 1), cuts=(1, 2, 64), min_samples_leaf=5)
    assert [line.split(": ", 2)[2] for line in found] == [
        "events 5.0 % of 20; above 80.0 % of 20",
        "events 0.0 % of 6; above 50.0 % of 34",
    ]


def test_both_sides_of_a_cut_hold_ten_rows_where_nothing_else_is_said():
    found = legends(TABLE, columns=("a", "b"), cuts=[64])
    assert found == ["α = 64: a <= 19.5: events 5.0 % of 20; above 80.0 % of 20"]


def test_alphas_that_have_no_cut_or_are_none_are_refused():
    with pytest.raises(ParameterError, match="no cut of alpha 4 with at least 21 rows on both"):
        legends(TABLE, columns=("a", "b"), cuts=[4], min_samples_leaf=21)
    with pytest.raises(ParameterError, match=r"or a sequence of alphas.* a list that holds 'x'"):
        legends(TABLE, columns=("a", "b"), cuts=[1, "x"])
    with pytest.raises(ParameterError, match="cuts must be 1 to 8 cuts, got 0"):
        legends(TABLE, columns=("a", "b"), cuts=[])
    with pytest.raises(ParameterError, match="alpha"):
        legends(TABLE, columns=("a", "b"), cuts=[-1])
