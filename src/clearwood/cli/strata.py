"""How many rows each step of a chain, or each leaf of a tree, took, and at which risk of the event.

Classes say little where events are rare: every leaf may predict that there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clearwood.cli.wording import aligned, percent

if TYPE_CHECKING:
    from clearwood.metrics.strata import Stratum
    from clearwood.tree import Tree

_MOST_LETTERS = 100
_NOT_THEIR_LEAFS = (
    "A row that is divided among leaves counts at the leaf with its largest share; its own risk "
    "may differ."
)


def is_chain(tree: Tree) -> bool:
    """Whether a tree is read as a chain, in which steps are numbered."""
    from clearwood.tree.chain import shown_as_chain

    return shown_as_chain(tree, "auto")


def strata_of(tree: Tree) -> tuple[Stratum, ...]:
    """The steps of a chain in order, or the leaves of a tree from the highest risk down.

    None of them where nothing says whose risk is asked: a tree of more than two classes, or one
    that is no chain and does not remember its event.
    """
    from clearwood.metrics import risk_table
    from clearwood.tree.risk import event_code

    is_told = tree.settings.get("training", {}).get("event") in tree.classes.tolist()
    if tree.n_classes != 2 and not is_told:
        return ()
    if event_code(tree, None) is None or not (is_told or is_chain(tree)):
        return ()
    strata = risk_table(tree).strata
    return tuple(sorted(strata, key=lambda part: part.step)) if is_chain(tree) else strata


def step_text(stratum: Stratum) -> str:
    """A step of a chain as a row is told of it, e.g. ``3. otherwise if ef > 35 %``."""
    return stratum.rule if stratum.rule == "always" else f"{stratum.step}. {stratum.rule}"


def counts_text(tree: Tree, strata: tuple[Stratum, ...], answers: Any) -> str:
    """How many rows each stratum took, with its risk, as a table."""
    from clearwood.tree.chain_text import risk_text
    from clearwood.tree.risk import event_code
    from clearwood.tree.wording import class_words

    code = event_code(tree, None)
    assert code is not None  # strata have one
    chain = is_chain(tree)
    rows = [["step" if chain else "leaf", "rows", "", "risk", "rule"]]
    for found in counts_json(tree, strata, answers):
        place = found["step" if chain else "leaf"]
        n_rows = found["n_rows"]
        rows.append([
            "-" if place is None else str(place), str(n_rows), percent(n_rows / len(answers)),
            "–" if found["risk"] is None else risk_text(found["risk"]), _shortened(found["rule"]),
        ])  # fmt: skip
    whose = class_words(tree, code)
    lines = [f"Risk of {whose} by {rows[0][0]}:", aligned(rows, right=(0, 1, 2, 3))]
    own = answers[f"probability_{tree.class_names[code]}"]
    given = answers["leaf"].map({part.leaf: part.predicted for part in strata})
    undisputed = _undisputed(answers)
    if (abs(own - given)[undisputed] > 1e-9).any():
        lines.append(_NOT_THEIR_LEAFS)
    return "\n".join(lines)


def counts_json(tree: Tree, strata: tuple[Stratum, ...], answers: Any) -> list[dict[str, Any]]:
    """The same as plain values, with the whole conditions of each stratum.

    Rows that several leaves answer, in a tree with witnesses, come last, with their mean risk.
    """
    from clearwood.tree.risk import event_code

    undisputed = _undisputed(answers)
    counts = answers["leaf"][undisputed].value_counts()
    chain = is_chain(tree)
    found: list[dict[str, Any]] = [
        {
            **({"step": part.step} if chain else {}),
            "leaf": part.leaf,
            "n_rows": int(counts.get(part.leaf, 0)),
            "risk": part.predicted,
            "rule": part.rule if chain else part.conditions,
            "conditions": part.conditions,
        }
        for part in strata
    ]
    if undisputed.all():
        return found
    code = event_code(tree, None)
    assert code is not None  # strata have one
    risks = answers[f"probability_{tree.class_names[code]}"][~undisputed]
    several = "answered by several leaves (on average)"
    return [*found, {"leaf": None, "n_rows": len(risks), "risk": float(risks.mean()),
                     "rule": several, "conditions": several}]  # fmt: skip


def _undisputed(answers: Any) -> Any:
    """Which rows one leaf answers."""
    return answers["disputed"] == "no" if "disputed" in answers else answers["leaf"].notna()


def _shortened(rule: str) -> str:
    return rule if len(rule) <= _MOST_LETTERS else f"{rule[: _MOST_LETTERS - 1]}…"
