"""Park, Ho and Ghosh (2016), ACDC: chains against trees and lists.

``python -m experiments park-2018`` runs all cohorts; ``--cohort`` some of them, ``--part`` one
part: accuracy, flips when patients are measured again, figures. What was run is kept in a store and
not run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.__main__ import load
from experiments.protocol.store import opened

accuracy = load("park-2018", "accuracy")
flips = load("park-2018", "flips")
figures = load("park-2018", "figures")
cohorts, methods = accuracy.cohorts, accuracy.methods
PROTOCOL = accuracy.PROTOCOL
COHORTS = tuple(PROTOCOL["cohorts"]["names"])
STORE = Path(".cache/experiments/park-2018.sqlite")
FOLDER = Path(".cache/experiments/park-2018-figures")
TABLES = {"accuracy": accuracy.report, "flips": flips.report}


def main(arguments: list[str]) -> None:
    """Runs what is asked for and prints it as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m experiments park-2018", description=__doc__)
    parser.add_argument("--part", choices=[*TABLES, "figures"], help="one part only")
    parser.add_argument("--cohort", choices=COHORTS, nargs="+", default=list(COHORTS))
    parser.add_argument("--store", type=Path, default=STORE, help="where results are kept")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where figures go")
    options = parser.parse_args(arguments)
    print("# Park, Ho and Ghosh (2016), ACDC: α-carving decision chain\n")
    for name in methods.absent(PROTOCOL["methods"]):
        print(f"Not compared, since it is not installed: {name}.\n")
    with opened(options.store) as store:
        for part in [options.part] if options.part in TABLES else () if options.part else TABLES:
            for name in options.cohort:
                for text in TABLES[part](name, store):
                    print(text + "\n", flush=True)
        for name in options.cohort if options.part == "figures" else ():
            for path in figures.written(name, options.folder, store):
                print(path, flush=True)
