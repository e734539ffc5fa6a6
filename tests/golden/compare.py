"""Compares text with a golden file; CLEARWOOD_WRITE_GOLDEN=1 writes the file instead."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent


def assert_golden(text, *parts):
    """`text` equals the file `parts` below tests/golden, but for one line break at the end."""
    path = FOLDER.joinpath(*parts)
    if os.environ.get("CLEARWOOD_WRITE_GOLDEN") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert path.exists(), f"no golden file {path}; CLEARWOOD_WRITE_GOLDEN=1 writes it"
    assert path.read_text(encoding="utf-8") == text + "\n"
