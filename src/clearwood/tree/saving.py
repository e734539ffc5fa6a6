"""Writes a finished text to a file: all of it or nothing, and nothing over what is there."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from clearwood.errors import OutputError


def save_text(text: str, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write `text` as UTF-8 and return where it is.

    The text is written beside the file and then takes its place, so that no reader ever sees half
    of it.

    Raises
    ------
    OutputError
        The file is there already and `overwrite` is False, or it cannot be written.
    """
    target = Path(path)
    if target.exists() and not overwrite:
        raise OutputError(f"{target} is there already; give another name or allow overwriting it")
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OutputError(f"{target} cannot be written: {error.strerror}") from error
    return target
