"""Tables II and III of Nunes et al. (2019): one threshold on the ejection fraction.

``python -m experiments nunes-2019 --part tables``. On the paper's 500 patients and on a simulated
twin whose noisy values are kept, so that every digit can be checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

import clearwood as cw
from experiments.protocol.data import SHARED
from experiments.protocol.tables import beside, markdown

U = 0.1  # of the mean: noise of the values, of propagation and of evaluation
DRAWS = 3000
CROSSED = (7, 5)  # false negatives and positives of Figure 3(b), at 35
PAPER_TABLE_II = {"0, left": (0.0, 0.310), "1, left": (1.0, 0.790), "0, right": (0.981, 0.979),
                  "1, right": (0.018, 0.021)}  # fmt: skip
PAPER_TABLE_III = {
    "false negative": {6: 0.46, 33: 0.17, 269: 0.33, 280: 0.09, 295: 0.49, 309: 0.21},
    "false positive": {42: 0.84, 116: 0.67, 167: 0.61, 228: 0.70, 359: 0.51, 478: 0.70},
}
"""Probability of class 1 under soft evaluation, by patient."""


def stump(ef: Any, y: Any, **noise: Any) -> Any:
    """The tree of two leaves; its threshold is an observed value, as the paper's."""
    frame = pd.DataFrame({"ef": np.asarray(ef)})
    return cw.TreeClassifier(max_depth=1, cut_at="upper", **noise).fit(frame, np.asarray(y)).tree_


def leaves(ef: Any, y: Any) -> list[float]:
    """Table II: each cell by standard and by soft propagation, in reading order."""
    hard, soft = stump(ef, y), stump(ef, y, propagation_noise=U)
    return [
        float(tree.distribution[leaf, k])
        for leaf in (1, 2)
        for k in (0, 1)
        for tree in (hard, soft)
    ]


def table_ii(cells: list[float], digits: int = 3) -> str:
    """Ours beside the paper's."""
    rows = [
        [f"p({name})", *(beside(ours, paper, digits)
                         for ours, paper in zip(cells[2 * i : 2 * i + 2], papers, strict=True))]
        for i, (name, papers) in enumerate(PAPER_TABLE_II.items())
    ]  # fmt: skip
    return markdown(["ours / paper", "standard", "STP"], rows)


def fixture() -> str:
    """Both tables from the simulated twin."""
    data = pd.read_csv(SHARED / "fixtures" / "ef_fixture.csv")
    tree = stump(data.ef, data.y)
    model = cw.TreeClassifier(max_depth=1, cut_at="upper", evaluation_noise=U)
    model.fit(data[["ef"]], data.y)
    risk = model.predict_proba(data[["ef_noisy"]].set_axis(["ef"], axis=1))[:, 1]
    measured = data.ef_noisy.to_numpy() < tree.threshold[0]
    rows = [
        [f"{name}, {data.patient[i]}", f"{data.ef_noisy[i]:.2f}", f"{risk[i]:.6f}"]
        for name, wrong in (
            ("false negative", (data.y == 1) & ~measured),
            ("false positive", (data.y == 0) & measured),
        )
        for i in np.flatnonzero(wrong)
    ]
    return "\n\n".join([
        f"## The twin\n\nCut at {tree.threshold[0]:.2f} without noise, at "
        f"{stump(data.ef_noisy, data.y).threshold[0]:.2f} with it.",
        table_ii(leaves(data.ef_noisy, data.y), 6),
        markdown(["patient", "measured", "p(1) by soft evaluation"], rows),
    ])  # fmt: skip


def patients() -> str:
    """Both tables from the paper's 500 patients; their noisy values were not published."""
    data = pd.read_csv(SHARED / "data" / "cardiac_ef" / "train_with_id.csv")
    ef, y = data.EF.to_numpy(), data.EF_below_35.to_numpy()
    threshold, sd = float(stump(ef, y).threshold[0]), U * float(ef.mean())
    rows = []
    for name, risks in PAPER_TABLE_III.items():
        for patient, risk in risks.items():
            true = float(ef[data.Id == patient][0])
            measured = threshold - sd * float(ndtri(risk))
            error = (measured - true) / sd
            rows.append([f"{name}, {patient}", f"{true:.2f}", f"{risk:.2f}", f"{measured:.2f}",
                         f"{error:+.2f}"])  # fmt: skip
    header = ["patient", "true", "paper's p(1)", "so measured", "error (sd)"]
    return "\n\n".join([
        f"## The paper's patients\n\n{int(y.sum())} below 35 of {len(y)}; cut at {threshold:.2f} "
        f"without noise, sd {sd:.3f}.",
        markdown(header, rows),
        simulated(ef, y, sd),
    ])  # fmt: skip


def simulated(ef: Any, y: Any, sd: float) -> str:
    """Table II over many draws of the noise; those that look as the paper's apart."""
    rng = np.random.default_rng(2019)
    draws = []
    for _ in range(DRAWS):
        measured = ef + rng.normal(0.0, sd, len(ef))
        up, down = (measured >= 35) & (y == 1), (measured < 35) & (y == 0)
        draws.append([up.sum(), down.sum(), *leaves(measured, y)])
    found = np.array(draws)
    is_pure = found[:, 2] == 0.0
    rows = [
        [name, f"{part.sum()}", *(f"{found[part, j].mean():.3f} ± {found[part, j].std():.3f}"
                                  for j in (3, 5, 7, 9))]
        for name, part in (
            ("all", np.ones(DRAWS, bool)),
            ("standard left leaf pure", is_pure),
        )
    ]  # fmt: skip
    header = ["by STP, mean ± sd", "draws", *(f"p({name})" for name in PAPER_TABLE_II)]
    return (
        f"Crossed 35 in {DRAWS} draws: {found[:, 0].mean():.1f} up, {found[:, 1].mean():.1f} down "
        f"(paper: {CROSSED[0]}, {CROSSED[1]}); as many up in {(found[:, 0] >= CROSSED[0]).sum()}."
        "\n\n" + markdown(header, rows)
    )


def main() -> None:
    """Prints everything as Markdown."""
    print(fixture() + "\n\n" + patients())


if __name__ == "__main__":
    main()
