"""`clearwood demo`: the main job on a clinical table that is shipped with the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
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

EVENT = "disease"
TITLE = "Heart disease before coronary angiography"
SETTINGS = {"min_samples_leaf": 10, "nominal": "grouped"}
SETTINGS_TEXT = (
    "C4.5: at least 10 patients in each branch, levels grouped, pruned at confidence 0.25."
)


FILES = {
    "data": ("heart_disease.csv", "the table as it was used"),
    "model": ("model.json", "the tree, for clearwood show, predict and evaluate"),
    "picture": ("tree.svg", "the tree drawn"),
    "page": ("tree.html", "tree, rules and performance; open it in a browser"),
}
"""What is written: name of the file and what it is."""


def demo(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Write the files here.")
    ] = Path("clearwood-demo"),
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Grow a tree on real clinical data: heart disease at four centres, with missing values."""
    files = {key: folder / name for key, (name, _) in FILES.items()}
    require_free_folder(folder, files.values(), force=force)
    import numpy as np

    from clearwood.estimators import C45Classifier
    from clearwood.table import load_heart_disease

    data = load_heart_disease()
    y = data.y.to_numpy(dtype=np.str_)
    estimator = C45Classifier(**SETTINGS, columns=dict(data.columns))
    tree = estimator.fit(data.X, y).tree_
    performance = cross_validated(
        estimator, data.X, y, EVENT, Dealing(folds=10, repeats=5), quiet=quiet or as_json
    )
    centres = by_centre(estimator, data.X, y, data.groups.to_numpy(dtype=np.str_))
    tree = remembering(tree, str(data.y.name), len(y), SETTINGS, EVENT, performance)
    folder.mkdir(exist_ok=True)
    save_frame(data.X.assign(**{str(part.name): part for part in (data.groups, data.y)}),
               files["data"])  # fmt: skip
    save_model(tree, files["model"])
    save_text(tree.to_svg(title=TITLE), files["picture"])
    notes = (_lesson(centres, performance), data.description.rpartition("\n\n")[2])
    save_page(tree, files["page"], TITLE, notes)
    if as_json:
        found = _as_json(tree, performance, centres, files)
        typer.echo(json.dumps(found, indent=2))
    elif not quiet:
        typer.echo("\n\n".join([
            _data_text(data), f"{SETTINGS_TEXT}\n{tree.to_text()}", performance_text(performance),
            centres_text(centres, performance), _files_text(files),
        ]))  # fmt: skip


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


def centres_text(centres: dict[str, dict[str, Any]], performance: Performance) -> str:
    """The centres as a table, and what they tell beside cross-validation."""
    rows = [["centre", "patients", "disease", "AUC", "balanced accuracy"]]
    for name, found in centres.items():
        cells = [str(found["n_rows"]), percent(found["event_share"]), str(found["auc"])]
        rows.append([name, *cells, f"{found['balanced_accuracy']:.3f}"])
    return "\n".join(
        [
            "Each centre predicted by a tree that was grown on the others (DeLong intervals):",
            aligned(rows, right=(1, 2, 4)),
            _lesson(centres, performance),
        ]
    )


def _lesson(centres: dict[str, dict[str, Any]], performance: Performance) -> str:
    return (
        f"AUC is {_mean_auc(centres):.2f} on average at a centre that the tree has not seen, "
        f"against {performance.measures['auc'].value:.2f} when the\n"
        "same centres train and test: centres differ, so expect the former at a new one."
    )


def _mean_auc(centres: dict[str, dict[str, Any]]) -> float:
    areas: list[Estimate] = [found["auc"] for found in centres.values()]
    return sum(area.value for area in areas) / len(areas)


def _as_json(
    tree: Any,
    performance: Performance,
    centres: dict[str, dict[str, Any]],
    files: Mapping[str, Path],
) -> dict[str, Any]:
    return {
        "n_leaves": tree.n_leaves,
        "depth": tree.depth,
        "performance": performance_json(performance),
        "centres": {
            name: found | {"auc": estimate_json(found["auc"])} for name, found in centres.items()
        },
        "files": {key: str(path) for key, path in files.items()},
    }
