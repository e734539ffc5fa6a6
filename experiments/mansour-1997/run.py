"""Figures 1 to 4 and the artificial data of Mansour (1997), beside the paper's numbers.

``python -m experiments mansour-1997`` runs everything; ``--part`` runs one part of it. What was
run is kept in a store and not run again.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.pruning import ErrorBased, TreeSize, error_bound
from clearwood.report import chart_svg
from experiments.__main__ import load
from experiments.protocol.data import DataSet, read
from experiments.protocol.significance import difference_of_proportions
from experiments.protocol.splits import folds
from experiments.protocol.store import Store, opened
from experiments.protocol.tables import beside, markdown, number, read_expected

HERE = Path(__file__).parent
PROTOCOL = tomllib.loads((HERE / "protocol.toml").read_text(encoding="utf-8"))
EXPECTED = read_expected(HERE / "expected.csv", ["criterion", "data"])
NOT_PRINTED = {"size": "", "error": "", "marks": "–"}
STORE = Path(".cache/experiments/mansour-1997.sqlite")
DATA = tuple(PROTOCOL["data"])


def criteria() -> dict[str, Any]:
    """Name in the paper's figures, and how to prune."""
    options = PROTOCOL["criteria"]
    named: dict[str, Any] = {"unpruned": None}
    named |= {f"c4.5 -c {c}": ErrorBased(confidence=c / 100) for c in options["confidence"]}
    return named | {f"c = {c:g}": TreeSize(c=c) for c in options["c"]}


DEPTH_TWO = "depth two"
"""A row of ours: the tree of depth two with the fewest training errors, which the paper cites."""


def c45(pruning: Any, **options: Any) -> cw.C45Classifier:
    """C4.5 release 8, to the bit."""
    return cw.C45Classifier(pruning=pruning, compatibility="c45", **options)


def data_set(name: str) -> DataSet:
    """One of the paper's six."""
    options = PROTOCOL["data"][name]
    return read(options["folder"], nominal=tuple(options.get("nominal", ())))


def cross_validate(name: str, store: Store) -> None:
    """Size and errors of every criterion on every fold of a data set."""
    options = PROTOCOL["cross_validation"]
    data = None
    for repeat in range(options.get(f"repeats_{name}", options["repeats"])):
        key = {"part": "figures", "data": name, "repeat": repeat, "version": cw.__version__}
        if store.get("mansour-1997", key) is not None:
            continue
        data = data_set(name) if data is None else data
        seed = [options["seed"], repeat]
        runs = [
            fold_results(data, train, test)
            for train, test in folds(len(data.y), options["folds"], seed)
        ]
        store.put("mansour-1997", key, {"folds": runs, "n_rows": len(data.y)})


def fold_results(data: DataSet, train: Any, test: Any) -> dict[str, Any]:
    """Nodes and test errors of each criterion on one fold."""
    X, y = data.X.iloc[train], data.y.iloc[train]
    X_test, y_test = data.X.iloc[test], data.y.iloc[test].to_numpy()
    grown = c45(None).fit(X, y)
    result: dict[str, Any] = {"n_test": len(test)}
    for name, pruning in criteria().items():
        is_c45 = isinstance(pruning, ErrorBased)
        tree = c45(pruning).fit(X, y).tree_ if is_c45 else grown.tree_
        if isinstance(pruning, TreeSize):
            tree = cw.prune(grown, pruning)
        wrong = int((tree.predict(X_test) != y_test).sum())
        result[name] = {"size": tree.n_nodes, "errors": wrong}
    tree = cw.DepthTwoClassifier().fit(X, y).tree_
    wrong = int((tree.predict(X_test) != y_test).sum())
    return result | {DEPTH_TWO: {"size": tree.n_nodes, "errors": wrong}}


def summary(name: str, store: Store) -> dict[str, dict[str, float]]:
    """Mean size and error rate in percent of each criterion, and their spread over folds."""
    runs = [r for r in store.runs("mansour-1997") if r["part"] == "figures" and r["data"] == name]
    parts = [fold for run in runs for fold in run["folds"]]
    return {
        criterion: {
            "size": statistics.mean(part[criterion]["size"] for part in parts),
            "size_sd": statistics.stdev(part[criterion]["size"] for part in parts),
            "error": 100 * sum(part[criterion]["errors"] for part in parts)
            / sum(part["n_test"] for part in parts),
            "error_sd": 100 * statistics.stdev(
                part[criterion]["errors"] / part["n_test"] for part in parts
            ),
            "n_rows": runs[0]["n_rows"],
        }
        for criterion in (*criteria(), DEPTH_TWO)
    }  # fmt: skip


def marks(error: float, of: dict[str, float], n_rows: float) -> str:
    """``*`` where an error rate differs from C4.5 -c 25, ``+`` where it does from unpruned."""
    level = PROTOCOL["cross_validation"]["level"]
    return "".join(
        mark
        for mark, baseline in (("*", "c4.5 -c 25"), ("+", "unpruned"))
        if difference_of_proportions(error / 100, of[baseline] / 100, n_rows, sides=1).p_value
        < 1 - level
    )


def figure(column: str, names: tuple[str, ...], found: dict[str, Any]) -> str:
    """Our means beside the paper's; errors with both sets of marks."""
    rows = []
    for criterion in (*criteria(), DEPTH_TWO):
        cells = []
        for name in names:
            ours, paper = found[name][criterion], EXPECTED.get((criterion, name), NOT_PRINTED)
            cell = beside(ours[column], number(paper[column]))
            if column == "error":
                of = {key: values["error"] for key, values in found[name].items()}
                cell += (
                    f" {marks(ours['error'], of, ours['n_rows']) or '·'}/{paper['marks'] or '·'}"
                )
            cells.append(cell)
        rows.append([criterion, *cells])
    return markdown(["ours / paper", *names], rows)


def figures(names: tuple[str, ...], store: Store) -> Iterator[str]:
    """Figures 1 and 2."""
    for name in names:
        cross_validate(name, store)
    found = {name: summary(name, store) for name in names}
    yield "## Figure 1: mean number of nodes\n\n" + figure("size", names, found)
    yield (
        "## Figure 2: error rate in percent, and marks (ours/the paper's)\n\n"
        "`*` differs from c4.5 -c 25, `+` from unpruned, at the level of the protocol.\n\n"
        + figure("error", names, found)
    )


def sweep(store: Store) -> Iterator[str]:
    """Figures 3 and 4: size and error rate on adult as c rises."""
    key = {"part": "sweep", "data": "adult", "version": cw.__version__}
    found = store.get("mansour-1997", key)
    if found is None:
        found = {"points": sweep_points()}
        store.put("mansour-1997", key, found)
    rows = []
    for c, size, error in found["points"]:
        paper = EXPECTED.get((f"c = {c:g}", "adult"), NOT_PRINTED)
        cells = [beside(size, number(paper["size"])), beside(error, number(paper["error"]))]
        rows.append([f"{c:g}", *cells])
    header = ["ours / paper", "nodes", "error (%)"]
    yield "## Figures 3 and 4: c on adult\n\n" + markdown(header, rows)
    in_paper = [(c, EXPECTED[f"c = {c:g}", "adult"]) for c in PROTOCOL["criteria"]["c"]]
    paper = [(c, number(row["size"]), number(row["error"])) for c, row in in_paper]
    write_picture(
        "figures_3_4", load("mansour-1997", "picture").sweep_chart(found["points"], paper)
    )


def write_picture(name: str, chart: Any) -> None:
    """A picture beside this file; needs the extra ``plots``."""
    svg = chart_svg(chart)
    (HERE / f"{name}.svg").write_text(svg + "\n", encoding="utf-8", newline="\n")


def sweep_points() -> list[tuple[float, float, float]]:
    """c, mean nodes, error rate in percent over the folds of the first repeat."""
    options, data = PROTOCOL["cross_validation"], data_set("adult")
    sizes, wrong = [], []
    for train, test in folds(len(data.y), options["folds"], [options["seed"], 0]):
        grown = c45(None).fit(data.X.iloc[train], data.y.iloc[train]).tree_
        trees = [cw.prune(grown, TreeSize(c=c)) for c in PROTOCOL["sweep"]["c"]]
        labels = data.y.iloc[test].to_numpy()
        sizes.append([tree.n_nodes for tree in trees])
        wrong.append([int((tree.predict(data.X.iloc[test]) != labels).sum()) for tree in trees])
    return [
        (c, float(np.mean(size)), 100 * sum(errors) / len(data.y))
        for c, size, errors in zip(
            PROTOCOL["sweep"]["c"], zip(*sizes, strict=True), zip(*wrong, strict=True), strict=True
        )
    ]


def artificial_data(n_rows: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Binary columns, and a class that is the first of them with the share that is not random."""
    options = PROTOCOL["artificial"]
    X = rng.integers(0, 2, (n_rows, options["n_columns"])).astype(float)
    by_chance = rng.random(n_rows) < options["share_random"]
    return X, np.where(by_chance, rng.integers(0, 2, n_rows), X[:, 0]).astype(int)


def artificial_run(seed: int) -> dict[str, Any]:
    """Nodes, training errors and test error rate of each criterion on one sample."""
    options = PROTOCOL["artificial"]
    rng = np.random.default_rng([PROTOCOL["cross_validation"]["seed"], seed])
    X, y = artificial_data(options["n_training"], rng)
    X_test, y_test = artificial_data(options["n_test"], rng)
    grown = c45(None, min_samples_leaf=1).fit(X, y)
    trees = {"unpruned": grown.tree_}
    for c in options["confidence"]:
        pruning = ErrorBased(confidence=c / 100)
        trees[f"c4.5 -c {c}"] = c45(pruning, min_samples_leaf=1).fit(X, y).tree_
    for c in options["c"]:
        trees[f"c = {c:g}"] = cw.prune(grown, TreeSize(c=c))
    return {
        name: {
            "size": tree.n_nodes,
            "root": int(tree.column[0]),
            "training": int((tree.predict(X) != y).sum()),
            "error": 100 * float((tree.predict(X_test) != y_test).mean()),
            "bound": 100 * error_bound(tree),
        }
        for name, tree in trees.items()
    }


ARTIFICIAL_PAPER = {
    "unpruned": (4567, 0, float("nan")),
    "c4.5 -c 1": (551, 3201, 47.1),
    "c4.5 -c 25": (3685, 244, 49.5),
    "c = 0.5": (3, float("nan"), 45.0),
    "c = 0.7": (3, float("nan"), 45.0),
}
"""Nodes, training errors, error rate in percent (section 4)."""


def artificial(store: Store) -> Iterator[str]:
    """The artificial data of section 4."""
    runs = []
    for seed in range(PROTOCOL["artificial"]["seeds"]):
        key = {"part": "artificial", "seed": seed, "version": cw.__version__}
        found = store.get("mansour-1997", key)
        if found is None:
            found = artificial_run(seed)
            store.put("mansour-1997", key, found)
        runs.append(found)
    rows = []
    for name, (size, training, error) in ARTIFICIAL_PAPER.items():
        ours = {key: [run[name][key] for run in runs] for key in runs[0][name]}
        recovered = sum(
            s == 3 and root == 0 for s, root in zip(ours["size"], ours["root"], strict=True)
        )
        rows.append([
            name,
            beside(statistics.mean(ours["size"]), size),
            f"{min(ours['size'])} to {max(ours['size'])}",
            f"{recovered} of {len(runs)}",
            beside(statistics.mean(ours["training"]), training),
            beside(statistics.mean(ours["error"]), error, 2),
            f"{statistics.mean(ours['bound']):.1f}",
        ])  # fmt: skip
    header = ["ours / paper", "nodes", "range", "the best tree", "training errors",
              "error (%)", "bound (%)"]  # fmt: skip
    yield "## Artificial data\n\n" + markdown(header, rows)
    trees = {
        name: [(run[name]["size"], run[name]["error"]) for run in runs]
        for name in ARTIFICIAL_PAPER
        if name != "c = 0.7"  # the same trees as at c = 0.5
    }
    write_picture("artificial", load("mansour-1997", "picture").artificial_chart(trees))


def speed(store: Store) -> Iterator[str]:
    """How long adult's full tree and its pruning take on this machine."""
    data = data_set("adult")
    began = time.perf_counter()
    grown = c45(None).fit(data.X, data.y)
    fitted = time.perf_counter()
    pruned = cw.prune(grown, TreeSize(c=0.1))
    done = time.perf_counter()
    yield (
        f"## Time\n\nadult, {len(data.y)} rows: the full tree of {grown.tree_.n_nodes} nodes took "
        f"{fitted - began:.2f} s, pruning it to {pruned.n_nodes} nodes {done - fitted:.3f} s."
    )


PARTS = {"figures": figures, "sweep": sweep, "artificial": artificial, "speed": speed}


def main(arguments: list[str]) -> None:
    """Runs what is asked for and prints it as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m experiments mansour-1997", description=__doc__)
    parser.add_argument("--part", choices=PARTS, help="one part only")
    parser.add_argument("--data", choices=DATA, nargs="+", default=list(DATA), help="of figures")
    parser.add_argument("--store", type=Path, default=STORE, help="where results are kept")
    options = parser.parse_args(arguments)
    print("# Mansour (1997), Pessimistic decision tree pruning based on tree size\n")
    with opened(options.store) as store:
        for name in [options.part] if options.part else PARTS:
            named = (tuple(options.data),) if name == "figures" else ()
            for text in PARTS[name](*named, store):
                print(text + "\n", flush=True)
