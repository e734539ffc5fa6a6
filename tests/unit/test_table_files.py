"""Files: numbers where every cell is one, text otherwise, and reasons where nothing can be read."""

import gzip

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import DataFileError, ParameterError, TableError
from clearwood.table import load_heart_disease, read_file, read_table


@pytest.fixture
def write(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_columns_are_numbers_only_where_every_cell_is_one(write):
    path = write("n,x,t,id,empty\n1,-.5,NA,007,\n2, 1e3 ,<5,008,\n-3,,7.,100,\n")
    frame = read_file(path)
    assert frame["n"].tolist() == [1, 2, -3]
    assert frame["n"].dtype == np.int64
    np.testing.assert_array_equal(frame["x"], [-0.5, 1000.0, np.nan])
    assert frame["t"].tolist()[1:] == ["<5", "7."]
    assert frame["t"].isna().tolist() == [True, False, False]
    assert frame["id"].tolist() == ["007", "008", "100"]
    assert frame["empty"].isna().all()


def test_numbers_are_read_exactly(write):
    numbers = ["0.1", "1e308", "5e-324", "123456789012345", "2.2250738585072014e-308"]
    frame = read_file(write("x\n" + "\n".join(numbers)))
    assert frame["x"].tolist() == [float(number) for number in numbers]


def test_record_numbers_that_float64_cannot_hold_stay_text(write):
    assert read_file(write("mrn\n12345678901234567890\n1\n"))["mrn"][0] == "12345678901234567890"


def test_what_is_missing_can_be_said(write):
    path = write('a,b\n-9,NA\n5,"x, y"\n')
    frame = read_file(path, missing=["-9"])
    np.testing.assert_array_equal(frame["a"], [np.nan, 5.0])
    assert frame["b"].tolist() == ["NA", "x, y"]


def test_tabs_zipped_files_and_byte_order_marks_are_read(write):
    text = "\ufeffa\tb\n1\tx\n"
    for path in (write(text, "t.tsv"), write(gzip.compress(text.encode()), "t.TSV.gz")):
        frame = read_file(path)
        assert list(frame.columns) == ["a", "b"]
        assert frame.iloc[0].tolist() == [1, "x"]


def test_separator_and_encoding_can_be_given(write):
    frame = read_file(write("Größe;n\n4;ü\n".encode("cp1252")), separator=";", encoding="cp1252")
    assert frame.to_dict("list") == {"Größe": [4], "n": ["ü"]}


def test_parquet_keeps_its_types(tmp_path):
    frame = pd.DataFrame({"g": pd.Categorical(["b", "a"], ["b", "a"], ordered=True), "x": [1, 2]})
    frame.to_parquet(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(read_file(tmp_path / "t.parquet"), frame)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.csv", "a,b\n1,2\n3\n", "row 3 has 1 cells, but the header has 2: '3'"),
        ("t.csv", "a,b\n1,2\n3,4,5\n", "row 3 has 3 cells, but the header has 2: '3,4,5'"),
        ("t.csv", "a;b\n1;2\n", "pass separator=';'"),
        ("t.csv", "a\tb\n1\t2\n", r"pass separator='\\t'"),
        ("t.csv", "a,b\n1,é\n".encode("latin-1"), "not utf-8; pass encoding='cp1252'"),
        ("t.csv", "a,é\n1,2\n".encode("latin-1"), "not utf-8; pass encoding='cp1252'"),
        ("t.csv", "a,a\n1,2\n", "names must differ, but 'a'"),
        ("t.csv", ",a\n1,2\n", "column 1 has no name"),
        ("t.csv", "a,b\n", "no rows below the header"),
        ("t.csv", "", "not a readable table"),
        ("t.csv.gz", "a,b\n1,2\n", "not a readable table"),
        ("t.parquet", "a,b\n1,2\n", "not a readable Parquet file"),
        ("t.docx", "", r"unknown suffix '.docx'; known: .csv, .csv.gz"),
        ("t", "", "unknown suffix ''"),
        ("gz", "", "unknown suffix ''"),
        ("t.gz", "", r"unknown suffix '.gz'"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_mend(write, name, content, says):
    path = write(content, name)
    with pytest.raises(DataFileError, match=says) as caught:
        read_file(path)
    assert str(path) in str(caught.value)


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(DataFileError, match=r"absent.csv: no such file"):
        read_file(tmp_path / "absent.csv")
    with pytest.raises(OSError, match="is a directory"):
        read_file(str(tmp_path))


@pytest.mark.parametrize("separator", ["", "xx", "é", '"', "\n"])
def test_a_separator_is_one_character(write, separator):
    with pytest.raises(ParameterError, match="separator must be one ASCII character"):
        read_file(write("a,b\n1,2\n"), separator=separator)


@pytest.mark.parametrize(
    ("content", "encoding", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "utf-8", "holds zero bytes"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "cp1252", "holds zero bytes"),
        (b"a,b\n1,2\n\xc8\xff\n", "utf-8", "its bytes are not utf-8"),
        (b"a,b\n1,2\n\x81,3\n", "cp1252", "not cp1252; pass encoding='utf-16'$"),
        ("a,b\n1,2\n".encode("utf-16"), "utf-8", "or 'utf-16'"),
    ],
)
def test_bytes_that_are_no_text_are_not_printed(write, capfd, content, encoding, says):
    with pytest.raises(DataFileError, match=says) as caught:
        read_file(write(content), encoding=encoding)
    assert str(caught.value).isprintable()
    assert capfd.readouterr() == ("", "")


def test_infinite_cells_are_numbers_beside_numbers_and_refused_by_a_table(write):
    frame = read_file(write("x,word,mixed\n1,inf,1\n-Inf,-inf,inf\n,inf,?\n"))
    np.testing.assert_array_equal(frame["x"], [1, -np.inf, np.nan])
    assert frame["word"].tolist() == ["inf", "-inf", "inf"]
    assert frame["mixed"].tolist() == ["1", "inf", "?"]
    with pytest.raises(TableError, match="column 'x' holds 1 infinite value"):
        read_table(frame[["x"]])


def test_an_unknown_encoding_is_named(write):
    with pytest.raises(DataFileError, match="unknown encoding 'klingon'"):
        read_file(write("a\n1\n"), encoding="klingon")


def test_heart_disease_is_as_published_but_for_the_repairs_it_tells_of():
    data = load_heart_disease()
    X, y, description = data
    assert X.shape == (920, 13)
    assert "id" not in X
    assert "dataset" not in X
    assert y.value_counts().to_dict() == {"disease": 509, "no disease": 411}
    assert data.groups.value_counts().to_dict() == {
        "Cleveland": 303,
        "Hungary": 294,
        "VA Long Beach": 200,
        "Switzerland": 123,
    }
    assert int(X.isna().sum().sum()) == 1759 + 172 + 1
    assert X["chol"].min() > 0
    assert X["trestbps"].min() > 0
    for told in ("172 rows", "1 row", "id 304", "CC BY 4.0", "10.24432/C52P4X", "2 rows"):
        assert told in description


def test_heart_disease_reads_into_a_table_with_units():
    data = load_heart_disease()
    features = read_table(data.X, columns=data.columns).features
    units = {feature.name: feature.unit for feature in features if feature.unit}
    assert units == {
        "age": "years",
        "trestbps": "mm Hg",
        "chol": "mg/dL",
        "thalch": "bpm",
        "oldpeak": "mm",
    }
    nominal = [feature.name for feature in features if feature.is_nominal]
    assert nominal == ["sex", "cp", "fbs", "restecg", "exang", "slope", "thal"]
