"""Readings that are intervals: what is read of them, and what is refused."""

from math import inf, nan

import numpy as np
import pytest

from clearwood.errors import ParameterError, TableError
from clearwood.noise import parse_reading, read_intervals


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("7.5", (7.5, 7.5)),
        (" -3 ", (-3.0, -3.0)),
        ("−3", (-3.0, -3.0)),
        ("1e3", (1000.0, 1000.0)),
        ("<5", (-inf, 5.0)),
        ("<= 5", (-inf, 5.0)),
        ("≤.5", (-inf, 0.5)),
        (">300", (300.0, inf)),
        ("≥ 300", (300.0, inf)),
        ("16-20", (16.0, 20.0)),
        ("16 – 20", (16.0, 20.0)),
        ("16 to 20", (16.0, 20.0)),
        ("16..20", (16.0, 20.0)),
        ("-5 - -2", (-5.0, -2.0)),
        ("1.5e-3-2e-3", (0.0015, 0.002)),
    ],
)
def test_ends_of_a_reading(text, ends):
    assert parse_reading(text) == ends


@pytest.mark.parametrize("text", ["", "pos", "5 mg/dL", "5,5", "<", "1-2-3", "5<", "nan", "1_000"])
def test_a_text_that_is_no_reading_is_refused(text):
    with pytest.raises(TableError, match="is no reading"):
        parse_reading(text)


def test_a_range_from_high_to_low_is_refused():
    with pytest.raises(TableError, match="'20-16' is no range"):
        parse_reading("20-16")


def test_a_column_becomes_centres_and_half_widths():
    found = read_intervals(["16-20", "7", 3, None, nan, "NA", "<5", ">300"], lowest=0, highest=500)
    np.testing.assert_array_equal(found.centre, [18, 7, 3, nan, nan, nan, 2.5, 400])
    np.testing.assert_array_equal(found.half_width, [2, 0, 0, 0, 0, 0, 2.5, 100])
    assert found.n_intervals == 3


def test_no_readings_are_no_intervals():
    assert read_intervals([]).centre.shape == (0,)


@pytest.mark.parametrize(
    ("cells", "bounds", "error", "message"),
    [
        (["<5"], {}, ParameterError, r"1 reading\(s\) start with '<': give lowest"),
        ([">5", ">6"], {"lowest": 0}, ParameterError, r"2 reading\(s\) start with '>'"),
        (["<5"], {"lowest": 5}, ParameterError, "lowest must lie beyond .* ends at 5"),
        ([">5"], {"highest": 4}, ParameterError, "highest must lie beyond"),
        (["4", "high"], {}, TableError, "row 1: 'high' is no reading"),
        ([True], {}, TableError, "row 0 holds True"),
    ],
)
def test_what_cannot_be_closed_or_read_is_refused(cells, bounds, error, message):
    with pytest.raises(error, match=message):
        read_intervals(cells, **bounds)
