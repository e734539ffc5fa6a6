"""A saved chain at the command line: rows by step, risk tables, advice that can be followed."""

import json

import pandas as pd
import pytest

from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.with_settings import with_settings
from cli.command_line import done, refused, run
from golden.chains import STAYS_SECOND, as_chain

FEATURES = [Feature("ef", "numeric", unit="%"), Feature("age", "numeric")]
TRAINING = {"target": "dead", "event": 1}
TABLE = """\
id,ef,age,dead
1,60,50,0
2,70,50,
4,,50,1
6,30,80,1
,,,0
"""


def sketch():
    """If ef > 35: 5 %; otherwise if age <= 60: 20 %; otherwise 60 %."""
    young = cut("age", 60, leaf([8, 2]), leaf([4, 6]), missing=STAYS_SECOND)
    return cut("ef", 35, young, leaf([95, 5]), missing=(1, 0))


@pytest.fixture
def patients(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    as_chain(sketch(), FEATURES, [0, 1], training=TRAINING).save("chain.json")
    (tmp_path / "p.csv").write_text(TABLE)
    (tmp_path / "q.csv").write_text(TABLE.replace("2,70,50,\n", "").replace(",,,0", "8,20,80,1"))
    return tmp_path


def test_predict_counts_the_rows_of_each_step_with_its_risk(patients):
    assert done("predict", "chain.json", "p.csv", "-o", "a.csv").splitlines() == [
        "Predicted 5 rows.",
        "Risk of dead = 1 by step:",
        "  step  rows         risk  rule",
        "     1     2  40 %  5.0 %  if ef > 35 %",
        "     2     1  20 %   20 %  otherwise if age <= 60",
        "     3     2  40 %   60 %  otherwise",
        "Predictions written to a.csv",
    ]


def test_the_rule_of_a_row_is_its_step(patients):
    done("predict", "chain.json", "p.csv", "-o", "a.csv", "-q")
    assert pd.read_csv("a.csv")["rule"].tolist() == [
        "1. if ef > 35 %", "1. if ef > 35 %", "2. otherwise if age <= 60", "3. otherwise",
        "3. otherwise",
    ]  # fmt: skip


def test_machines_get_each_step_with_its_whole_conditions(patients):
    found = json.loads(done("predict", "chain.json", "p.csv", "--json"))
    assert found["steps"] == [
        {"step": 1, "leaf": 4, "n_rows": 2, "risk": 0.05, "rule": "if ef > 35 %",
         "conditions": "ef > 35 %"},
        {"step": 2, "leaf": 2, "n_rows": 1, "risk": 0.2, "rule": "otherwise if age <= 60",
         "conditions": "(ef <= 35 % or missing) and age <= 60"},
        {"step": 3, "leaf": 3, "n_rows": 2, "risk": 0.6, "rule": "otherwise",
         "conditions": "(ef <= 35 % or missing) and (age > 60 or missing)"},
    ]  # fmt: skip
    assert found["predicted"] == {"0": 3, "1": 2}
    assert found["predictions"][4] == {
        "id": None, "dead": 0, "predicted": 1, "probability_0": 0.4, "probability_1": 0.6,
        "leaf": 3, "rule": "3. otherwise",
    }  # fmt: skip


def test_labels_and_numbers_with_gaps_are_written_as_the_model_writes_them(patients):
    lines = done("predict", "chain.json", "p.csv").splitlines()
    assert [line.split(",")[:3] for line in lines] == [
        ["id", "dead", "predicted"], ["1", "0", "0"], ["2", "", "0"], ["4", "1", "0"],
        ["6", "1", "1"], ["", "0", "1"],
    ]  # fmt: skip


def test_fractions_stay_as_they_are(patients):
    (patients / "r.csv").write_text("note,ef,age\n0.5,60,50\n1,70,\n,20,90\n")
    lines = done("predict", "chain.json", "r.csv").splitlines()
    assert [line.split(",")[0] for line in lines] == ["note", "0.5", "1.0", ""]


def test_a_tree_with_a_named_event_counts_its_leaves_by_risk(patients):
    tree = build(sketch(), FEATURES, ["alive", "dead"])
    told = {"training": {"target": "outcome", "event": "dead"}}
    with_settings(tree, told).save("tree.json")
    assert done("predict", "tree.json", "p.csv", "-o", "a.csv").splitlines() == [
        "Predicted 5 rows: alive in 3 (60 %), dead in 2 (40 %).",
        "Risk of dead by leaf:",
        "  leaf  rows         risk  rule",
        "     3     2  40 %   60 %  (ef <= 35 % or missing) and (age > 60 or missing)",
        "     2     1  20 %   20 %  (ef <= 35 % or missing) and age <= 60",
        "     4     2  40 %  5.0 %  ef > 35 %",
        "Predictions written to a.csv",
    ]
    assert "leaves" in json.loads(done("predict", "tree.json", "p.csv", "--json"))
    tree.save("unnamed.json")
    text = done("predict", "unnamed.json", "p.csv", "-o", "a.csv", "--force")
    assert text.startswith("Predicted 5 rows: alive in 3 (60 %), dead in 2 (40 %).\nPredictions")


def test_rows_that_are_divided_are_told_to_have_risks_of_their_own(patients):
    root = cut("ef", 35, leaf([2, 8]), leaf([9, 1]), missing=(0.4, 0.6))
    tree = build(root, FEATURES[:1], [0, 1])
    with_settings(tree, {"training": TRAINING}).save("tree.json")
    text = done("predict", "tree.json", "p.csv", "-o", "a.csv")
    assert "\nA row that is divided among leaves counts at the leaf with its largest share" in text


def test_evaluate_prints_the_risk_table_of_the_rows(patients):
    text = done("evaluate", "chain.json", "q.csv")
    head, table = text.split("\n\nRisk table of these rows:\n")
    assert "dead = 1: predicted 1.4 of 4, observed 3" in head
    assert "accuracy" not in head
    lines = table.splitlines()
    assert lines[0].startswith("risk of dead = 1: 4 held-out rows, 3 events (75.0 %")
    steps = [line.split()[:4] for line in lines if line.endswith(("otherwise", "60", "ef > 35 %"))]
    assert steps == [["3", "2", "2", "60.0"], ["2", "1", "1", "20.0"], ["1", "1", "0", "5.0"]]
    assert "Calibration by leaf" not in text


def test_machines_get_the_risk_table_too(patients):
    found = json.loads(done("evaluate", "chain.json", "q.csv", "--json"))
    table = found["risk_table"]
    assert [(row["step"], row["n"], row["n_events"]) for row in table] == [
        (3, 2.0, 2.0), (2, 1.0, 1.0), (1, 1.0, 0.0),
    ]  # fmt: skip
    assert table[0]["conditions"] == "(ef <= 35 % or missing) and (age > 60 or missing)"
    assert table[0]["flagged_likelihood_ratio_positive"] is None  # no false positive: infinite
    assert found["accuracy"]["value"] == 0.75


def test_without_events_what_cannot_be_known_is_undefined(golf_model):
    lines = (golf_model / "golf.csv").read_text().splitlines()
    no_event = [lines[0], *(line for line in lines if line.endswith("no"))]
    (golf_model / "none.csv").write_text("\n".join(no_event))
    result = run("evaluate", "model.json", "none.csv")
    assert "balanced accuracy  undefined" in result.stdout
    assert "accuracy           1.000" in result.stdout
    found = json.loads(run("evaluate", "model.json", "none.csv", "--json").stdout)
    assert found["balanced_accuracy"] == {"value": None, "lower": None, "upper": None}


def test_two_outputs_of_one_path_are_refused_before_any_work(patients):
    message = "--svg and --pyramid would both write it; give two names"
    assert refused("show", "chain.json", "--svg", "s.svg", "--pyramid", "s.svg") == (
        f"s.svg: {message}"
    )
    assert refused("show", "chain.json", "--svg", "s.svg", "--pyramid", "./s.svg", "--force") == (
        f"s.svg: {message}"
    )
    (patients / "real.svg").write_text("mine")
    (patients / "link.svg").symlink_to("real.svg")
    assert message in refused(
        "show", "chain.json", "--svg", "real.svg", "--pyramid", "link.svg", "--force"
    )
    assert (patients / "real.svg").read_text() == "mine"
    assert not (patients / "s.svg").exists()


def test_what_a_printed_tree_leaves_out_is_found_by_an_option(patients):
    text = done("show", "chain.json", "--max-depth", 1)
    assert "(1 rule is not shown; without --max-depth all are shown)" in text
    build(sketch(), FEATURES, ["alive", "dead"]).save("tree.json")
    text = done("show", "tree.json", "--max-depth", 1)
    assert text.endswith("(2 of 5 nodes are not shown; without --max-depth all are shown)\n")


def table_of(path, *rows):
    path.write_text("\n".join(["a,b,y", *rows]) + "\n")


@pytest.mark.parametrize(
    ("method", "what"),
    [("c45", "condition"), ("cart", "condition"), ("tree", "condition"), ("verified", "condition"),
     ("chain", "rule")],
)  # fmt: skip
def test_constant_columns_are_the_reason_for_one_leaf(patients, method, what):
    table_of(patients / "c.csv", *(f"1,x,{y}" for y in ["no", "yes"] * 15))
    text = done("fit", "c.csv", "-t", "y", "--event", "yes", "--method", method, "--folds", 0)
    assert text.endswith(f"\nNo predictor has two different values, so no {what} can be found.\n")


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ("--method chain", "allow smaller parts than 10 rows and 1 % (--min-leaf 1)"),
        ("--method chain --min-leaf 30", "allow smaller leaves (--min-leaf 1)"),
        ("--min-leaf 30", "prune less (--confidence 1) and allow smaller leaves (--min-leaf 1)"),
        ("--method cart --min-leaf 30", "allow smaller leaves (--min-leaf 1)"),
        ("--method cart --alpha 0.9", "prune less (--alpha 0)"),
        ("--method tree --min-leaf 30", "allow smaller leaves (--min-leaf 1)"),
    ],
)
def test_advice_for_one_leaf_goes_with_the_method_and_works(patients, options, advice):
    table_of(patients / "c.csv", *(f"{k},0,{'yes' if k < 2 else 'no'}" for k in [*range(12), 12]))
    fit = ["fit", "c.csv", "-t", "y", "--event", "yes", "--folds", 0]
    text = run(*fit, *options.split()).stdout
    assert f"was worth its place. To see what there is, {advice}." in text
    asked = [part for part in ("--confidence 1", "--alpha 0", "--min-leaf 1") if part in advice]
    kept = options.split()[:2] if options.startswith("--method") else []
    followed = run(*fit, *kept, *" ".join(asked).split())
    assert followed.exit_code == 0
    assert "was worth its place" not in followed.stdout


def test_a_chain_of_three_classes_is_refused_in_words_of_the_command_line(patients):
    table_of(patients / "three.csv", *(f"{k},0,{'uvw'[k % 3]}" for k in range(30)))
    message = (
        "three.csv: column 'y' has 3 classes, 'u', 'v', 'w', but --method chain tells one event "
        "from the rest; name a target of two classes, the event and the rest, or take another "
        "--method"
    )
    for command in ("fit", "evaluate"):
        assert message in run(command, "three.csv", "-t", "y", "--method", "chain").stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--method chain --velocity 0", "--velocity must be a number above 0"),
        ("--method chain --max-depth 0", "--max-depth must be a whole number of at least 1"),
        ("--method verified --verifiers -1", "--verifiers must be a whole number of at least 0"),
    ],
)
def test_parameters_are_named_as_options(golf, options, message):
    fit = ["fit", "golf.csv", "-t", "play", "--event", "yes", "--folds", 0, "--drop", "outlook"]
    assert refused(*fit, *options.split()).startswith(message)


def test_evaluate_writes_the_page_with_the_rows_beside_those_of_training(patients):
    text = done("evaluate", "chain.json", "q.csv", "--html", "page.html")
    assert text.splitlines()[-1] == "Written: page.html"
    page = (patients / "page.html").read_text(encoding="utf-8")
    assert "q.csv: " in page
    assert "4 held-out rows" in page
    assert "120 training rows (optimistic)" in page
    assert "is there already" in refused("evaluate", "chain.json", "q.csv", "--html", "page.html")


def test_evaluate_writes_no_page_of_a_tree_or_of_a_table_alone(patients):
    build(sketch(), FEATURES, [0, 1]).save("tree.json")
    said = refused("evaluate", "tree.json", "q.csv", "--target", "dead", "--html", "page.html")
    assert "--html writes the page of a chain" in said
    result = run("evaluate", "q.csv", "--target", "dead", "--html", "page.html")
    assert (result.exit_code, "are for MODEL and DATA" in result.output) == (2, True)
