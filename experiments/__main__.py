"""``python -m experiments <folder> [options]`` runs ``experiments/<folder>/run.py``."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def papers() -> list[str]:
    """The folders that hold an experiment."""
    return sorted(path.parent.name for path in HERE.glob("*/run.py"))


def load(paper: str, name: str = "run") -> ModuleType:
    """A module of a folder whose name need not be one that Python can import."""
    spec = spec_from_file_location(f"experiments.{paper}.{name}", HERE / paper / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str]) -> int:
    """Runs the experiment that is named first."""
    if not arguments or arguments[0] not in papers():
        print(f"usage: python -m experiments {{{','.join(papers())}}} [options]", file=sys.stderr)
        return 2
    load(arguments[0]).main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
