"""What the commands read: tables, labels, models; every doubt is an error, every repair is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.cli.failure import CommandError, note
from clearwood.cli.wording import some
from clearwood.errors import ColumnNotFound, DataFileError, TableError

if TYPE_CHECKING:
    from clearwood.tree import Tree


@dataclass(frozen=True, slots=True)
class Format:
    r"""How a file of separated values is written; None is what is usual.

    Parameters
    ----------
    missing : sequence of str or None
        Further cells that mean missing.
    separator : str or None
        One character; ``\t``, which few can type into a shell otherwise, is a tab.
    encoding : str or None
    """

    missing: Sequence[str] | None = None
    separator: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A table with the label of each row.

    Parameters
    ----------
    path : Path
        Where it was read from.
    X : pandas.DataFrame
        Predictors.
    y : ndarray of shape (n_rows,)
        Labels.
    classes : ndarray of shape (n_classes,)
        The labels that occur, sorted.
    target : str
        The column that held the labels.
    n_left_out : int
        Rows of the file that had no label.
    """

    path: Path
    X: Any
    y: Any
    classes: Any
    target: str
    n_left_out: int


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Puts the file's name before what is wrong with its table."""
    try:
        yield
    except DataFileError:
        raise  # names its file already
    except TableError as error:
        raise CommandError(f"{path}: {error}") from error


def load_model(path: Path) -> Tree:
    """The tree in a model file."""
    from clearwood.tree.json_form import load

    if path.suffix.lower() in (".csv", ".tsv", ".parquet", ".gz"):
        raise CommandError(
            f"{path}: is no model file (.json), which is needed here; fit writes one"
        )
    _require_file(path)
    if path.is_file() and not path.stat().st_size:
        raise CommandError(f"{path}: is empty, so it is no model file; fit writes one")
    return load(path)


def _require_file(path: Path) -> None:
    if str(path) == "-":
        raise CommandError(
            "-: standard input is not read, since a file's name says its format; give a file"
        )


def read_data(path: Path, format: Format) -> Any:
    """The data frame in a file.

    Raises
    ------
    CommandError, DataFileError
        The file is no table, or is Parquet and was described as text.
    """
    from clearwood.table import read_file
    from clearwood.table.files import MISSING

    described = {"--missing": format.missing, "--separator": format.separator}
    described["--encoding"] = format.encoding
    _require_file(path)
    given = [name for name, value in described.items() if value not in (None, [])]
    if given and path.suffix.lower() == ".parquet":
        raise CommandError(f"{path}: {given[0]} is for text files, not for Parquet; leave it out")
    with about(path):
        return read_file(
            path,
            missing=(*MISSING, *(format.missing or ())),
            separator="\t" if format.separator == "\\t" else format.separator,
            encoding=format.encoding or "utf-8",
        )


def read_labelled(path: Path, format: Format, target: str, drop: Sequence[str]) -> Labelled:
    """A table with the labels in column `target`, without the columns in `drop`.

    Rows without a label are left out; a note says how many.
    """
    data = read_data(path, format)
    with about(path):
        for name in (target, *drop):
            if name not in data.columns:
                raise ColumnNotFound(name, [str(column) for column in data.columns])
        if target in drop:
            raise TableError(f"column {target!r} cannot be both the target and dropped")
        has_label = data[target].notna().to_numpy()
        y, classes = _labels(data.loc[has_label, target], target)
    n_left_out = len(data) - int(has_label.sum())
    if n_left_out:
        note(f"{path}: left out {n_left_out} of {len(data)} rows, which have no {target!r}")
    X = data.loc[has_label].drop(columns=[target, *drop]).reset_index(drop=True)
    if not X.shape[1]:
        raise CommandError(f"{path}: no column is left to predict {target!r} from")
    return Labelled(path, X, y, classes, target, n_left_out)


def with_untested(tree: Tree, X: Any, path: Path) -> Any:
    """`X`, to which the columns that it lacks and `tree` never tests are added, all missing."""
    from clearwood.tree.witnesses import looked_at

    tested = {tree.features[column].name for column in looked_at(tree)}
    # Noise whose size a column tells has to be known, tested or not.
    noise = getattr(tree.evaluation, "noise", ())
    tested |= {model.column for model in noise if hasattr(model, "column")}
    lacking = [
        feature.name
        for feature in tree.features
        if feature.name not in X.columns and feature.name not in tested
    ]
    if not lacking:
        return X
    has, them = ("column", "it") if len(lacking) == 1 else ("columns", "them")
    note(f"{path}: no {has} {some(lacking)}, read as missing: the tree does not test {them}")
    return X.assign(**dict.fromkeys(lacking, float("nan")))


def _labels(column: Any, target: str) -> tuple[Any, Any]:
    """Labels as an array, and the classes; 1.0 is 1, which missing labels had made a float."""
    import numpy as np

    from clearwood.table import read_labels

    if column.dtype.kind == "f" and (column % 1 == 0).all():
        column = column.astype(np.int64)
    try:
        classes, codes = read_labels(column)
    except TableError as error:
        raise TableError(f"column {target!r}: {error}") from error
    return classes[codes], classes


def chosen_event(data: Labelled, event: str | None) -> Any:
    """The class that `event` names; None where there are more than two and none is named.

    Raises
    ------
    CommandError
        There is one class only, there are two and none is named, or the name is no class.
    """
    from clearwood.table.column import format_level

    by_text = {format_level(label): label for label in data.classes.tolist()}
    where = f"{data.path}: column {data.target!r}"
    sizes = {text: int((data.y == label).sum()) for text, label in by_text.items()}
    found = ", ".join(f"{text!r} ({size} rows)" for text, size in sizes.items())
    if len(by_text) == 1:
        raise CommandError(f"{where} has one class only, {found}: there is nothing to tell apart")
    if event is None:
        if len(by_text) > 2:
            return None
        options = " or ".join(f"--event {text!r}" for text in by_text)
        raise CommandError(f"{where} has the classes {found}; say which is the event: {options}")
    if event not in by_text:
        raise CommandError(f"{where} has no class {event!r}; its classes are {some(by_text)}")
    return by_text[event]
