"""Data sets and other programs' answers that lie beside a checkout, too large to be in it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("CLEARWOOD_SHARED", ROOT.parent / "shared"))


def shared(*parts: str) -> Path:
    """Path of a shared file or folder; skips the test, saying so, where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {Path(*parts)} in the folder named by CLEARWOOD_SHARED")
    return path
