"""What the commands write: checked before any work, and nothing over what is there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.errors import OutputError

if TYPE_CHECKING:
    from clearwood.tree import Tree


FRAME_SUFFIXES = (".csv", ".tsv", ".parquet")


def require_free(
    path: Path, *, suffixes: Sequence[str], force: bool, inputs: Iterable[Path] = ()
) -> None:
    """Refuses an output that could not, or must not, be written.

    Raises
    ------
    OutputError
        Wrong suffix, no such folder, an input of the same command, or a file that is there and
        `force` is False.
    """
    if path.suffix.lower() not in suffixes:
        raise OutputError(f"{path}: its name must end in {' or '.join(suffixes)}")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; give the name of a file")
    if path.exists() and any(path.samefile(other) for other in inputs if other.exists()):
        raise OutputError(f"{path}: is what is read; give another name")
    if path.exists() and not force:
        raise OutputError(f"{path}: is there already; give another name, or --force to overwrite")


def require_distinct(outputs: Mapping[str, Path]) -> None:
    """Refuses two outputs of one command that are one file; keys are the names of their options.

    Raises
    ------
    OutputError
        Names both options.
    """
    named: dict[Path, str] = {}
    for option, path in outputs.items():
        place = path.resolve()  # through links too
        if place in named:
            raise OutputError(
                f"{path}: --{named[place]} and --{option} would both write it; give two names"
            )
        named[place] = option


def require_free_folder(folder: Path, files: Iterable[Path], *, force: bool) -> None:
    """Refuses a folder that cannot be made, or that holds one of the files to be written.

    Raises
    ------
    OutputError
        Names the file or folder that is in the way.
    """
    if not folder.parent.is_dir():
        raise OutputError(f"{folder}: there is no folder {str(folder.parent)!r}; make it first")
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: is a file; name a folder with --output")
    for path in files:
        if path.exists() and not force:
            raise OutputError(
                f"{path}: is there already; name another folder with --output, or --force to "
                "overwrite"
            )


def save_model(tree: Tree, path: Path) -> None:
    """Writes a tree as a model file."""
    from clearwood.tree.json_form import save

    save(tree, path, overwrite=True)


def save_text(text: str, path: Path) -> None:
    """Writes a text as UTF-8; the file is whole or is not there."""
    from clearwood.tree.saving import save_text as save

    save(text, path, overwrite=True)


def save_frame(frame: Any, path: Path) -> None:
    """Writes a data frame as .csv, .tsv or .parquet; the file is whole or is not there."""
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if path.suffix.lower() == ".parquet":
            frame.to_parquet(part, index=False)
        else:
            frame.to_csv(part, index=False, sep="\t" if path.suffix.lower() == ".tsv" else ",")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
