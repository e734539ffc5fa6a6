"""`clearwood show`, `predict` and `evaluate`: what a saved tree says and how it does."""

import json

import pandas as pd
import pytest

from clearwood.tree.json_form import load
from cli.command_line import GOLF, GOLF_TREE, done, misused, refused, run

NEW_DAYS = """\
day,windy,humidity,outlook,temperature
mon,false,70,sunny,70
tue,true,,rain,70
wed,true,90,snow,70
"""


@pytest.fixture
def new_days(golf_model):
    (golf_model / "new.csv").write_text(NEW_DAYS)
    return golf_model


@pytest.fixture
def judged(golf_model):
    """judged.csv: the golf table without its last two days, one day's outcome turned."""
    lines = GOLF.splitlines()[:13]
    lines[1] = lines[1].replace("yes", "no")
    (golf_model / "judged.csv").write_text("\n".join(lines) + "\n")
    return golf_model


def test_show_prints_the_tree(golf_model):
    assert done("show", "model.json") == f"Decision tree: 5 leaves, depth 2\n{GOLF_TREE}"


def test_show_prints_as_deep_and_as_exactly_as_asked(golf_model):
    text = done("show", "model.json", "--max-depth", 1, "--digits", 3)
    assert "humidity" not in text
    assert "no 0.357, yes 0.643" in text


def test_show_prints_rules(golf_model):
    assert done("show", "model.json", "--rules").splitlines()[3:] == [
        'if outlook in {"sunny"} and humidity <= 75 then yes 1.00 (n = 2)',
        'if outlook in {"sunny"} and humidity > 75 then no 1.00 (n = 3)',
    ]


def test_show_tells_machines_the_rules(golf_model):
    found = json.loads(done("show", "model.json", "--json"))
    assert found["columns"] == ["outlook", "temperature", "humidity", "windy"]
    assert found["settings"]["training"]["event"] == "yes"
    assert found["rules"][1] == {
        "leaf": 3,
        "conditions": 'outlook in {"rain"} and windy in {"false"}',
        "class": "yes",
        "probabilities": {"no": 0.0, "yes": 1.0},
        "weight": 3.0,
    }


def test_show_writes_a_picture_and_a_page(golf_model):
    text = done("show", "model.json", "--svg", "t.svg", "--html", "t.html", "--title", "Golf & co")
    assert text == "Written: t.svg\nWritten: t.html\n"
    assert (golf_model / "t.svg").read_text().startswith("<svg ")
    for name in ("t.svg", "t.html"):
        assert "Golf &amp; co" in (golf_model / name).read_text()
        assert "humidity" in (golf_model / name).read_text()
        assert "src=" not in (golf_model / name).read_text()


def test_a_page_tells_the_performance_that_fit_found(golf):
    done("fit", "golf.csv", "-t", "play", "--event", "yes", "--folds", 2, "-q", "-o", "m.json")
    found = json.loads(done("show", "m.json", "--html", "m.html", "--json"))
    assert found["files"] == {"html": "m.html"}
    page = (golf / "m.html").read_text()
    auc = found["settings"]["training"]["performance"]["measures"]["auc"]["value"]
    assert "2-fold cross-validation, repeated 5 times, on 14 rows" in page
    assert f">{auc:.3f}<" in page
    assert "Decision tree for play" in page


def test_a_page_of_a_model_without_performance_says_so(golf_model):
    done("show", "model.json", "--html", "t.html", "-q")
    assert "Not measured here." in (golf_model / "t.html").read_text()


def test_picture_and_page_overwrite_only_by_force(golf_model):
    (golf_model / "t.svg").write_text("mine")
    assert "--force to overwrite" in refused(
        "show", "model.json", "--html", "t.html", "--svg", "t.svg"
    )
    assert not (golf_model / "t.html").exists()
    assert (golf_model / "t.svg").read_text() == "mine"
    done("show", "model.json", "--svg", "t.svg", "--force", "-q")
    assert (golf_model / "t.svg").read_text().startswith("<svg ")
    assert "must end in .svg" in refused("show", "model.json", "--svg", "t.png")


def test_a_file_that_is_no_model_is_refused_in_one_line(golf_model):
    (golf_model / "bad.json").write_text('{"format": "other"}')
    assert "bad.json: this is no clearwood model" in refused("show", "bad.json")
    assert "no.json cannot be read" in refused("show", "no.json")
    assert refused("show", "golf.csv") == (
        "golf.csv: is no model file (.json), which is needed here; fit writes one"
    )
    (golf_model / "empty.json").write_text("")
    assert "empty.json: is empty, so it is no model file" in refused("show", "empty.json")
    (golf_model / "bytes.json").write_bytes(b"\xff\x00\xfe")
    assert "this is no model file" in refused("show", "bytes.json")
    assert "-: standard input is not read" in refused("show", "-")


def test_predict_prints_class_probabilities_leaf_and_rule_beside_other_columns(new_days):
    result = run("predict", "model.json", "new.csv")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "day,predicted,probability_no,probability_yes,leaf,rule"
    assert lines[1] == 'mon,yes,0.0,1.0,6,"outlook in {""sunny""} and humidity <= 75"'
    assert lines[2] == 'tue,no,1.0,0.0,4,"outlook in {""rain""} and windy in {""true""}"'


def test_a_level_that_training_did_not_know_is_missing_and_warned_of_once(new_days):
    result = run("predict", "model.json", "new.csv")
    assert result.stderr.startswith("warning: ")
    assert "snow" in result.stderr
    assert result.stderr.count("\n") == 1
    probability = pd.read_csv("new.csv")  # overcast 4/14, rain and windy 5/14, sunny and humid 5/14
    assert float(result.stdout.splitlines()[3].split(",")[3]) == pytest.approx(4 / 14)
    assert len(probability) == 3


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.parquet"])
def test_predictions_are_written_in_the_format_of_the_name(golf_model, name):
    text = done("predict", "model.json", "golf.csv", "--output", name)
    lines = text.splitlines()
    assert lines[:2] == [
        "Predicted 14 rows: no in 5 (36 %), yes in 9 (64 %).", "Risk of yes by leaf:"
    ]  # fmt: skip
    assert [line.split()[:2] for line in lines[3:-1]] == [
        ["6", "2"], ["3", "3"], ["1", "4"], ["7", "3"], ["4", "2"],
    ]  # fmt: skip
    assert lines[-1] == f"Predictions written to {name}"
    read = {"csv": pd.read_csv, "tsv": pd.read_table, "parquet": pd.read_parquet}
    found = read[name.partition(".")[2]](name)
    assert found["predicted"].tolist() == found["play"].tolist()
    assert found["leaf"].tolist()[:3] == [6, 7, 7]
    assert [path.name for path in golf_model.glob(".*")] == []


def test_predictions_overwrite_only_by_force_and_never_what_is_read(golf_model):
    (golf_model / "out.csv").write_text("mine")
    assert "--force to overwrite" in refused("predict", "model.json", "golf.csv", "-o", "out.csv")
    assert (golf_model / "out.csv").read_text() == "mine"
    assert done("predict", "model.json", "golf.csv", "-o", "out.csv", "--force", "-q") == ""
    assert (golf_model / "out.csv").read_text().startswith("play,predicted")
    message = refused("predict", "model.json", "golf.csv", "-o", "golf.csv", "--force")
    assert message == "golf.csv: is what is read; give another name"
    assert "must end in .csv or .tsv" in refused("predict", "model.json", "golf.csv", "-o", "o.xls")


def test_predict_tells_machines_how_many_and_if_not_written_which(golf_model):
    found = json.loads(done("predict", "model.json", "golf.csv", "--json"))
    assert (found["n_rows"], found["predicted"]) == (14, {"no": 5, "yes": 9})
    assert found["predictions"][1]["probability_no"] == 1.0
    found = json.loads(done("predict", "model.json", "golf.csv", "--json", "-o", "out.csv"))
    assert found["output"] == "out.csv"
    assert "predictions" not in found


def test_predict_reads_files_as_described(golf_model):
    (golf_model / "o.csv").write_text(NEW_DAYS.replace(",", ";").replace("snow", "?"), "cp1252")
    text = done("predict", "model.json", "o.csv", "--separator", ";", "--encoding", "cp1252",
                "--missing", "?")  # fmt: skip
    assert text.count("\n") == 4


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_a_column_that_the_tree_never_tests_may_be_lacking(golf_model, command):
    whole = run(command, "model.json", "golf.csv", "--json")
    few = pd.read_csv("golf.csv", dtype=str).drop(columns="temperature")
    few.to_csv("golf.csv", index=False)
    found = run(command, "model.json", "golf.csv", "--json")
    assert (found.exit_code, found.stdout) == (0, whole.stdout)
    assert (
        "note: golf.csv: no column 'temperature', read as missing: the tree does not test it"
    ) in found.stderr.splitlines()


def test_a_text_column_that_the_tree_never_tests_may_be_lacking(golf):
    done("fit", "golf.csv", "-t", "play", "--event", "yes", "--folds", 0, "-q", "--max-depth", 1,
         "-o", "small.json")  # fmt: skip
    (golf / "few.csv").write_text("outlook,temperature,humidity\nrain,1,2\n")
    found = run("predict", "small.json", "few.csv")
    assert found.exit_code == 0
    assert found.stderr.startswith("note: few.csv: no column 'windy', read as missing")


def test_a_predictor_is_no_target(golf_model):
    assert refused("evaluate", "model.json", "golf.csv", "-t", "windy") == (
        "--target: 'windy' is a predictor of model.json; name the column with the true classes"
    )


def test_predict_names_the_column_that_is_lacking_or_in_the_way(golf_model):
    (golf_model / "few.csv").write_text("outlook,temperature,humidity\nrain,1,2\n")
    assert refused("predict", "model.json", "few.csv") == (
        "few.csv: no column 'windy'; the table has 'outlook', 'temperature', 'humidity'"
    )
    (golf_model / "full.csv").write_text(GOLF.replace("play", "leaf"))
    assert "has a column 'leaf', which is where an answer goes" in refused(
        "predict", "model.json", "full.csv"
    )


def test_evaluate_measures_a_model_on_a_table_with_numbers_worked_by_hand(judged):
    # 12 days, one wrong: 6 of 6 yes and 5 of 6 no are right. The turned day has the probability
    # 1 of the six yes days: AUC = (6 * 5 + 6 / 2) / 36. One squared error of 12 is 1, the rest 0.
    text = done("evaluate", "model.json", "judged.csv")
    assert text.startswith("model.json on judged.csv\n12 rows; intervals of 95 %")
    assert "  AUC                0.917 (" in text
    assert "  Brier score        0.083 (0.000 to " in text
    assert "  balanced accuracy  0.917 (" in text
    assert "  accuracy           0.917 (0.646 to 0.985)  Wilson\n" in text
    assert "yes: predicted 7.0 of 12, observed 6\n" in text
    assert (
        '     6     2  1.000      0.500 (0.095 to 0.905)  *  yes  outlook in {"sunny"} and humidity'
        in text
    )
    assert "* predicted is outside the interval: 1 of 5 leaves" in text


def test_evaluate_tells_machines_the_same(judged):
    found = json.loads(done("evaluate", "model.json", "judged.csv", "--json"))
    assert found["auc"]["yes"]["value"] == pytest.approx(33 / 36)
    assert found["n_events"] == {"yes": 6}
    assert [leaf["n_rows"] for leaf in found["leaves"]] == [4, 1, 2, 2, 3]


def test_evaluate_turns_to_the_event_that_is_asked_about(judged):
    found = json.loads(done("evaluate", "model.json", "judged.csv", "--event", "no", "--json"))
    assert found["n_events"] == {"no": 6}
    assert found["auc"]["no"]["value"] == pytest.approx(33 / 36)


def test_evaluate_of_many_classes_asks_about_each(golf):
    done("fit", "golf.csv", "-t", "outlook", "--folds", 0, "-q", "-o", "model.json")
    result = run("evaluate", "model.json", "golf.csv")
    for name in ("overcast", "rain", "sunny"):
        assert f"AUC of {name} against the rest" in result.stdout


def test_evaluate_notes_rows_that_may_be_those_of_training(golf_model):
    result = run("evaluate", "model.json", "golf.csv", "--target", "play")
    assert result.stderr.startswith("note: golf.csv: has as many rows of each class as the tree")


def test_a_model_is_never_refitted_by_evaluate(golf_model):
    before = (golf_model / "model.json").read_bytes()
    assert "--method is for growing" in misused(
        "evaluate", "model.json", "golf.csv", "--method", "id3"
    )
    run("evaluate", "model.json", "golf.csv")
    assert (golf_model / "model.json").read_bytes() == before


def test_labels_that_the_model_does_not_know_are_refused(golf_model):
    (golf_model / "other.csv").write_text(GOLF.replace("yes", "maybe"))
    assert refused("evaluate", "model.json", "other.csv") == (
        "other.csv: 9 rows have a 'play' that model.json does not know, 'maybe'; its classes are "
        "'no', 'yes'"
    )


def test_labels_read_as_another_type_are_the_same_labels(golf):
    (golf / "numbers.csv").write_text(GOLF.replace("yes", "1").replace("no", "0"))
    done("fit", "numbers.csv", "-t", "play", "--event", "1", "--folds", 0, "-q", "-o", "m.json")
    (golf / "texts.csv").write_text("\n".join(GOLF.splitlines()[:9]).replace("yes", "1")
                                    .replace("no", "0") + "\n")  # fmt: skip
    frame = pd.read_csv("texts.csv").astype({"windy": str, "play": str})
    frame["windy"] = frame["windy"].str.lower()
    frame.to_parquet("texts.parquet")
    found = json.loads(done("evaluate", "m.json", "texts.parquet", "--json"))
    assert found["accuracy"]["value"] == 1.0


def test_a_model_that_does_not_say_its_event_or_target_asks_for_them(golf_model):
    import dataclasses

    tree = dataclasses.replace(load("model.json"), settings={})
    from clearwood.tree.json_form import save

    save(tree, "bare.json")
    assert "bare.json does not say what it predicts; add --target" in refused(
        "evaluate", "bare.json", "golf.csv"
    )
    assert "say which is the event: --event 'no' or --event 'yes'" in refused(
        "evaluate", "bare.json", "golf.csv", "-t", "play"
    )
    assert "no class 'da'" in refused(
        "evaluate", "bare.json", "golf.csv", "-t", "play", "--event", "da"
    )


def test_evaluate_of_a_table_alone_is_the_performance_that_fit_prints(golf):
    options = ("--target", "play", "--event", "yes", "--folds", 2, "--repeats", 2, "--seed", 3,
               "--method", "tree", "--max-depth", 2, "--min-leaf", 2, "--drop", "temperature",
               "--nominal", "humidity", "--confidence", 0.5, "--json")  # fmt: skip
    found = json.loads(done("evaluate", "golf.csv", *options))
    assert found == json.loads(done("fit", "golf.csv", *options))["performance"]
    assert (found["n_folds"], found["n_repeats"], found["n_rows"]) == (2, 2, 14)


def test_evaluate_of_a_table_alone_prints_the_performance(golf):
    text = done("evaluate", "golf.csv", "-t", "play", "--event", "yes", "--folds", 2,
                "--method", "cart", "--alpha", 0.01)  # fmt: skip
    assert "Method: cart, alpha 0.01.\n\nPerformance in 2-fold cross-validation" in text


def test_evaluate_without_table_or_target_is_a_misuse(golf_model):
    assert "give MODEL and DATA, or DATA alone" in misused("evaluate", "golf.csv")
    assert "give MODEL and DATA" in misused("evaluate", "a", "b", "c", "-t", "play")
