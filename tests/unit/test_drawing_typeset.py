"""Widths of texts, and how they are broken and cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.tree.drawing.typeset import broken, cut, text_width


def test_widths_are_those_of_helvetica_with_a_margin():
    assert text_width("Wi", 10) == pytest.approx((9.44 + 2.22) * 1.04)
    assert text_width("é", 10) == text_width("e", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("年", 10) == pytest.approx(10.4)
    assert text_width("W", 10, bold=True) > text_width("W", 10)


def test_lines_break_between_words_and_the_last_ends_in_an_ellipsis():
    width = text_width("left ventricular", 10)
    assert broken("left ventricular function", width, 10) == ["left ventricular", "function"]
    assert broken("left ventricular function", width, 10, lines=1)[0].endswith("…")
    assert broken("", width, 10) == [""]


def test_a_no_break_space_does_not_break():
    assert broken("≤\u00a035 mm Hg", text_width("≤ 35", 10), 10, lines=3) == [
        "≤\u00a035",
        "mm",
        "Hg",
    ]


@given(text=st.text(max_size=80), width=st.floats(30, 200), lines=st.integers(1, 4))
def test_no_line_is_wider_than_it_may_be(text, width, lines):
    found = broken(text, width, 11, lines=lines)
    assert len(found) <= lines
    assert all(text_width(line, 11) <= width + 1e-9 for line in found)


@given(text=st.text(max_size=80), width=st.floats(30, 200))
def test_a_cut_text_begins_as_the_whole_one(text, width):
    short = cut(text, width, 11)
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
