"""Nunes et al. (2019), Decision tree learning for uncertain clinical measurements.

``python -m experiments nunes-2019`` runs everything; ``--part tables`` (Tables II and III) or
``--part sizes`` (leaves, accuracy and stability of the six methods) one part of it.
"""

from __future__ import annotations

import argparse

from experiments.__main__ import load

PARTS = {"tables": "ejection_fraction", "sizes": "sizes"}
"""Each part and the module of this folder that runs it."""


def main(arguments: list[str]) -> None:
    """Prints the parts asked for, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m experiments nunes-2019", description=__doc__)
    parser.add_argument("--part", choices=list(PARTS), help="one part only")
    chosen = parser.parse_args(arguments).part
    for part in PARTS if chosen is None else [chosen]:
        load("nunes-2019", PARTS[part]).main()
