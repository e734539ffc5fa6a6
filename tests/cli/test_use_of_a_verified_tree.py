"""`clearwood predict` and `evaluate` book no row under a rule that does not hold for it."""

import json

import pandas as pd
import pytest

from cli.command_line import done
from reference.verified_example import LABELS, OBJECTS, worked_example


@pytest.fixture
def objects(tmp_path, monkeypatch):
    """The current folder holds m.json, hard.json and objects.csv, with a ninth without a0."""
    monkeypatch.chdir(tmp_path)
    tree = worked_example("probability")
    tree.save("m.json")
    tree.with_evaluation(None).save("hard.json")
    table = pd.DataFrame([*OBJECTS, (None, 10, 9)], columns=["a0", "a1", "a2"])
    table.assign(y=[*LABELS, 0]).to_csv("objects.csv", index=False)
    return tmp_path


def test_predict_tells_where_a_row_was_disputed_in_the_place_of_its_rule(objects):
    done("predict", "m.json", "objects.csv", "-o", "out.csv", "-q")
    found = pd.read_csv("out.csv")
    assert found.columns[-3:].tolist() == ["leaf", "disputed", "rule"]
    assert found["disputed"].tolist() == ["no"] * 3 + ["yes"] * 2 + ["no"] * 3 + ["yes"]
    assert found["rule"][0] == "a0 < 4.5 and witnesses agree"
    assert found["rule"][3] == "disputed at a0 < 4.5: 1 of 2 witnesses agrees"
    assert found["rule"][4] == (
        "a0 >= 4.5 and witnesses agree; disputed at a0 >= 4.5: 1 of 2 witnesses agrees"
    )
    assert found["rule"][8] == "both branches asked at a0: its value is not known"
    agreed = found[found["disputed"] == "no"]
    assert set(agreed["probability_0"]) == {0.0, 1.0}
    # root (2 + 4/10) / 3; below it (2 + 1/3) / 3 of what its copies answer, half and half
    assert found["probability_0"][8] == pytest.approx(0.8 + 0.2 * 7 / 9 / 2)


def test_predict_by_a_tree_without_witnesses_disputes_nothing(objects):
    done("predict", "hard.json", "objects.csv", "-o", "out.csv", "-q")
    assert "disputed" not in pd.read_csv("out.csv").columns


def test_evaluate_groups_the_rows_that_several_leaves_answered(objects):
    text = done("evaluate", "m.json", "objects.csv", "-t", "y", "--event", 1)
    *_, shared = text.splitlines()
    words = "answered by several leaves: witnesses disagreed or a value was missing"
    assert shared.split()[:2] == ["-", "3"]
    assert shared.endswith(words)
    found = json.loads(done("evaluate", "m.json", "objects.csv", "-t", "y", "--event", 1, "--json"))
    assert [(group["leaf"], group["n_rows"]) for group in found["leaves"]] == [
        (1, 3), (6, 3), (None, 3),
    ]  # fmt: skip
    assert [group["n_events"] for group in found["leaves"]] == [0, 3, 1]
    assert found["leaves"][2]["rule"] == words
