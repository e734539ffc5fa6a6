"""Bazan et al. (2014), V-decision trees: accuracy, coverage, and answers that flip.

``python -m experiments bazan-2014`` runs everything; ``--part`` one part of it, ``--data`` some of
its data sets. ``--folder`` adds a table of one's own, such as the ovarian set of the paper. What
was run is kept in a store and not run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.__main__ import load
from experiments.protocol.store import opened
from experiments.protocol.tables import read_expected

HERE = Path(__file__).parent
EXPECTED = read_expected(HERE / "expected.csv", ["claim"])
STORE = Path(".cache/experiments/bazan-2014.sqlite")

data_sets = load("bazan-2014", "data_sets")
methods = load("bazan-2014", "methods")
accuracy = load("bazan-2014", "accuracy")
flips = load("bazan-2014", "flips")
PROTOCOL = data_sets.PROTOCOL

PARTS = {"accuracy": accuracy.report, "flips": flips.report}
DATA = {"accuracy": data_sets.names(), "flips": tuple(PROTOCOL["flips"]["data"])}
"""Which data sets each part runs on."""


def main(arguments: list[str]) -> None:
    """Runs what is asked for and prints it as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m experiments bazan-2014", description=__doc__)
    parser.add_argument("--part", choices=PARTS, help="one part only")
    every = dict.fromkeys(name for part in DATA.values() for name in part)
    parser.add_argument("--data", choices=every, nargs="+", help="some data sets only")
    parser.add_argument("--folder", nargs="+", default=[], help="with data.csv, class last")
    parser.add_argument("--store", type=Path, default=STORE, help="where results are kept")
    options = parser.parse_args(arguments)
    print("# Bazan et al. (2014), V-decision trees\n")
    for claim, row in EXPECTED.items():
        print(f"- the paper, {claim[0]}: +{row['points']}")
    print()
    with opened(options.store) as store:
        for part in [options.part] if options.part else PARTS:
            names = [name for name in DATA[part] if options.data is None or name in options.data]
            names += options.folder if part == "accuracy" else []
            for text in PARTS[part](names, store) if names else ():
                print(text + "\n", flush=True)
