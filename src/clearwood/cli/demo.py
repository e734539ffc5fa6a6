"""`clearwood demo`: the main job on a clinical table that is shipped with the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clearwood.cli.options import AsJson, Force, Quiet
from clearwood.cli.show import save_page
from clearwood.cli.validation import (
    Dealing,
    cross_validated,
    estimate_json,
    performance_json,
    performance_text,
    remembering,
)
from clearwood.cli.wording import aligned, percent
from clearwood.cli.writing import require_free_folder, save_frame, save_model, save_text

if TYPE_CHECKING:
    from clearwood.metrics import Estimate, Performance
    from clearwood.tree import Tree

EVENT = "disease"
TITLE = "Heart disease before coronary angiography"
TREE = {"min_samples_leaf": 10, "nominal": "grouped"}
TREE_TEXT = "C4.5: at least 10 patients in each branch, levels grouped, pruned at confidence 0.25."
# A low velocity first looks for parts without the rarer class, and here that is "no disease".
CHAIN: Mapping[str, Any] = {"min_samples_leaf": 10, "velocity": 1}
CHAIN_TEXT = "ACDC: at least 10 patients in each part, velocity 1 (the classes are near balance)."


FILES = {
    "data": ("heart_disease.csv", "the table as it was used"),
    "model": ("model.json", "the tree, for clearwood show, predict and evaluate"),
    "picture": ("tree.svg", "the tree drawn"),
    "page": ("tree.html", "tree, rules and performance; open it in a browser"),
    "chain": ("chain.json", "the chain, for the same commands"),
    "pyramid": ("chain.svg", "the chain drawn: a band for each rule, as wide as what is left"),
    "chain_page": ("chain.html", "the chain with its curves and risk table; point at a rule"),
}
"""What is written: name of the file and what it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A model of all rows, and how models made in this way do on rows they have not seen."""

    tree: Tree
    performance: Performance
    centres: dict[str, dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """What was measured, for machines."""
        return {
            "performance": performance_json(self.performance),
            "centres": {
                name: found | {"auc": estimate_json(found["auc"])}
                for name, found in self.centres.items()
            },
        }

    def mean_auc(self) -> float:
        """Mean over the centres, each predicted by a model of the others."""
        areas: list[Estimate] = [found["auc"] for found in self.centres.values()]
        return sum(area.value for area in areas) / len(areas)


def demo(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Write the files here.")
    ] = Path("clearwood-demo"),
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Grow a tree and carve a chain on real clinical data: heart disease at four centres."""
    files = {key: folder / name for key, (name, _) in FILES.items()}
    require_free_folder(folder, files.values(), force=force)
    from clearwood.estimators import C45Classifier, DecisionChainClassifier
    from clearwood.table import load_heart_disease

    data = load_heart_disease()
    columns, is_quiet = dict(data.columns), quiet or as_json
    tree = checked(C45Classifier(**TREE, columns=columns), data, TREE, quiet=is_quiet)
    chain = checked(
        DecisionChainClassifier(**CHAIN, event=EVENT, columns=columns), data, CHAIN, quiet=is_quiet
    )
    folder.mkdir(exist_ok=True)
    save_frame(data.X.assign(**{str(part.name): part for part in (data.groups, data.y)}),
               files["data"])  # fmt: skip
    source = data.description.rpartition("\n\n")[2]
    _save_tree(tree, files, source)
    _save_chain(chain, tree, files, source)
    if as_json:
        typer.echo(json.dumps(_as_json(tree, chain, files), indent=2))
    elif not quiet:
        typer.echo("\n\n".join([
            _data_text(data), f"{TREE_TEXT}\n{tree.tree.to_text()}",
            performance_text(tree.performance), centres_text(tree), chain_text(chain, tree),
            _files_text(files),
        ]))  # fmt: skip


def checked(estimator: Any, data: Any, settings: Mapping[str, Any], *, quiet: bool) -> Checked:
    """Fits on all rows; measures by cross-validation, and centre by centre."""
    import numpy as np

    y = data.y.to_numpy(dtype=np.str_)
    tree = estimator.fit(data.X, y).tree_
    dealing = Dealing(folds=10, repeats=5)
    performance = cross_validated(estimator, data.X, y, EVENT, dealing, quiet=quiet)
    centres = by_centre(estimator, data.X, y, data.groups.to_numpy(dtype=np.str_))
    tree = remembering(tree, str(data.y.name), len(y), settings, EVENT, performance)
    return Checked(tree, performance, centres)


def _save_tree(tree: Checked, files: Mapping[str, Path], source: str) -> None:
    save_model(tree.tree, files["model"])
    save_text(tree.tree.to_svg(title=TITLE), files["picture"])
    save_page(tree.tree, files["page"], TITLE, (_lesson(tree), source))


def _save_chain(chain: Checked, tree: Checked, files: Mapping[str, Path], source: str) -> None:
    save_model(chain.tree, files["chain"])
    save_text(chain.tree.to_pyramid(title=TITLE), files["pyramid"])
    save_page(chain.tree, files["chain_page"], TITLE, (_chain_lesson(chain, tree), source))


def _data_text(data: Any) -> str:
    missing = int(data.X.isna().to_numpy().sum())
    share = percent(missing / data.X.size)
    return f"{data.description}\n\nMissing: {missing} of {data.X.size} cells ({share})."


def _files_text(files: Mapping[str, Path]) -> str:
    rows = [[str(path), FILES[key][1]] for key, path in files.items()]
    return f"Written:\n{aligned(rows)}"


def by_centre(estimator: Any, X: Any, y: Any, groups: Any) -> dict[str, dict[str, Any]]:
    """How a tree grown on all other centres does at each one."""
    import numpy as np

    from clearwood.metrics import balanced_accuracy, cross_validate, delong, group_folds

    classes = np.unique(y)
    splits = group_folds(groups)
    found = {}
    for name, fold in zip(
        splits, cross_validate(estimator, X, y, classes, splits.values()), strict=True
    ):
        true = y[fold.rows]
        probability = fold.probabilities[:, classes.tolist().index(EVENT)]
        found[name] = {
            "n_rows": len(true),
            "event_share": float(np.mean(true == EVENT)),
            "auc": delong(true == EVENT, probability),
            "balanced_accuracy": balanced_accuracy(
                true, classes[fold.probabilities.argmax(axis=1)]
            ),
        }
    return found


def centres_text(tree: Checked) -> str:
    """The centres as a table, and what they tell beside cross-validation."""
    rows = [["centre", "patients", "disease", "AUC", "balanced accuracy"]]
    for name, found in tree.centres.items():
        cells = [str(found["n_rows"]), percent(found["event_share"]), str(found["auc"])]
        rows.append([name, *cells, f"{found['balanced_accuracy']:.3f}"])
    return "\n".join(
        [
            "Each centre predicted by a tree that was grown on the others (DeLong intervals):",
            aligned(rows, right=(1, 2, 4)),
            _lesson(tree),
        ]
    )


def chain_text(chain: Checked, tree: Checked) -> str:
    """The rules of the chain, and how well it does beside the tree."""
    return f"{CHAIN_TEXT}\n{chain.tree.to_text()}\n{_chain_lesson(chain, tree)}"


def _lesson(tree: Checked) -> str:
    return (
        f"AUC is {tree.mean_auc():.2f} on average at a centre that the tree has not seen, "
        f"against {tree.performance.measures['auc'].value:.2f} when the\n"
        "same centres train and test: centres differ, so expect the former at a new one."
    )


def _chain_lesson(chain: Checked, tree: Checked) -> str:
    return (
        f"Chains: AUC {chain.performance.measures['auc']} in the same cross-validation, "
        f"{chain.mean_auc():.2f} on average at a\n"
        f"centre that the chain has not seen. Trees: {tree.performance.measures['auc'].value:.3f} "
        f"and {tree.mean_auc():.2f}."
    )


def _as_json(tree: Checked, chain: Checked, files: Mapping[str, Path]) -> dict[str, Any]:
    return {
        "n_leaves": tree.tree.n_leaves,
        "depth": tree.tree.depth,
        **tree.as_json(),
        "chain": {"n_rules": chain.tree.n_leaves - 1, **chain.as_json()},
        "files": {key: str(path) for key, path in files.items()},
    }
