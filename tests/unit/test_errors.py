"""Errors are what their docstring draws, and their words help."""

import pickle

import pytest

from clearwood import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.ParameterError, ValueError),
        (errors.TableError, ValueError),
        (errors.ColumnNotFound, KeyError),
        (errors.NotATableError, TypeError),
        (errors.DataFileError, OSError),
        (errors.InvalidTreeError, ValueError),
        (errors.ModelFileError, ValueError),
        (errors.ModelFileError, OSError),
        (errors.OutputError, OSError),
    ],
)
def test_error_is_caught_as_clearwoods_and_as_the_builtin(error, builtin):
    assert issubclass(error, errors.ClearwoodError)
    assert issubclass(error, builtin)


def test_docstring_draws_every_error_and_warning():
    kinds = [
        value.__name__
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, (errors.ClearwoodError, Warning))
    ]
    assert len(kinds) > 5
    assert [name for name in kinds if name not in errors.__doc__] == []


def test_missing_column_proposes_the_nearest_name():
    error = errors.ColumnNotFound("creatinin", ["age", "creatinine"])
    assert str(error) == "no column 'creatinin'; did you mean 'creatinine'?"


def test_missing_column_lists_the_names_where_none_is_near():
    error = errors.ColumnNotFound("sex", ["age", "creatinine"])
    assert str(error) == "no column 'sex'; the table has 'age', 'creatinine'"


def test_missing_column_survives_pickling():
    error = pickle.loads(pickle.dumps(errors.ColumnNotFound("agee", ["age"])))
    assert str(error) == "no column 'agee'; did you mean 'age'?"
