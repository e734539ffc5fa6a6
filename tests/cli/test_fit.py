"""`clearwood fit`: what is read, grown, measured, printed and written."""

import json

import pytest

import clearwood
from clearwood.tree.json_form import load
from cli.command_line import GOLF, GOLF_TREE, done, misused, refused, run

FIT = ("fit", "golf.csv", "--target", "play", "--event", "yes", "--folds", "2")


def fitted(*options):
    """The JSON result of a fit on the golf table without validation."""
    return json.loads(done("fit", "golf.csv", "-t", "play", "--event", "yes", "--folds", 0,
                           "--json", *options))  # fmt: skip


def test_fit_prints_what_was_read_the_tree_and_its_performance(golf):
    text = done(*FIT, "--repeats", 3, "--seed", 1)
    assert text.startswith(
        "Read golf.csv: 14 rows, 4 predictors (2 of numbers); 0 % of the cells are missing.\n"
        "Predicted: play (yes in 9 of 14 rows).\n"
        "Method: c45, with its defaults.\n"
    )
    assert GOLF_TREE in text
    assert "2-fold cross-validation, repeated 3 times, on 14 rows:\n  balanced accuracy  0." in text
    assert text.endswith("AUC and Brier score are about yes.\n")


def test_the_seed_fixes_the_folds(golf):
    first, same, other = (
        json.loads(done(*FIT, "--json", "--seed", seed))["performance"] for seed in (1, 1, 2)
    )
    assert first == same
    assert first != other


def test_the_model_file_is_the_tree_that_was_printed(golf):
    text = done(*FIT, "--output", "model.json")
    assert text.endswith("Model written to model.json; see: clearwood show model.json\n")
    tree = load("model.json")
    assert GOLF_TREE in f"{tree.to_text()}\n"
    assert tree.settings["method"] == "c45"
    training = tree.settings["training"]
    assert (training["target"], training["event"], training["n_rows"]) == ("play", "yes", 14)
    assert training["performance"]["n_folds"] == 2


def test_quiet_writes_the_model_and_prints_nothing(golf):
    assert done(*FIT, "--quiet", "-o", "model.json") == ""
    assert (golf / "model.json").exists()


def test_a_model_file_is_overwritten_only_by_force(golf):
    (golf / "model.json").write_text("mine")
    message = refused(*FIT, "-o", "model.json")
    assert message == "model.json: is there already; give another name, or --force to overwrite"
    assert (golf / "model.json").read_text() == "mine"
    done(*FIT, "-o", "model.json", "--force", "-q")
    assert load("model.json").n_leaves == 5


def test_an_output_that_cannot_be_is_refused_before_the_data_are_read(golf):
    assert (
        refused("fit", "no.csv", "-t", "play", "-o", "a.txt") == "a.txt: its name must end in .json"
    )
    assert "there is no folder 'no'" in refused("fit", "no.csv", "-t", "play", "-o", "no/a.json")


def test_json_tells_the_whole_result(golf):
    found = fitted()
    assert found["rules"][0] == 'if outlook in {"overcast"} then yes 1 (n = 4)'
    assert {name: found[name] for name in ("target", "event", "classes", "n_rows", "n_leaves")} == {
        "target": "play", "event": "yes", "classes": ["no", "yes"], "n_rows": 14, "n_leaves": 5,
    }  # fmt: skip
    assert found["performance"] is None
    assert found["model"] is None


@pytest.mark.parametrize(
    ("options", "n_leaves"),
    [
        (["--method", "c45", "--min-leaf", "5"], 1),
        (["--method", "c45", "--confidence", "1e-9"], 1),
        (["--method", "cart"], 6),
        (["--method", "cart", "--alpha", "0.2"], 1),
        (["--method", "id3"], 5),
        (["--method", "tree", "--max-depth", "1"], 3),
        (["--method", "alpha"], 6),
        (["--method", "alpha", "--alpha", "64", "--max-depth", "1"], 2),
        (["--method", "chain"], 1),
        (["--method", "chain", "--min-leaf", "2"], 2),
        (["--method", "chain", "--min-leaf", "2", "--drop", "outlook", "--velocity", "0.5"], 3),
        (["--method", "chain", "--min-leaf", "2", "--drop", "outlook", "--max-depth", "1"], 2),
    ],
)
def test_each_setting_does_what_it_says(golf, options, n_leaves):
    found = fitted(*options)
    assert found["n_leaves"] == n_leaves
    assert found["settings"]["method"] == options[1]


def test_a_tree_of_one_leaf_comes_with_advice(golf):
    text = done("fit", "golf.csv", "-t", "play", "--event", "yes", "--folds", 0, "--min-leaf", 9)
    assert "No condition was worth its place." in text


def test_a_dropped_column_is_no_predictor(golf):
    (golf / "golf.csv").write_text(GOLF)
    found = fitted("--drop", "outlook", "--drop", "humidity", "--method", "tree")
    assert not any("outlook" in rule or "humidity" in rule for rule in found["rules"])


def test_codes_are_levels_where_told_so(golf):
    (golf / "codes.csv").write_text("code,y\n" + "1,a\n2,b\n3,a\n" * 4)
    found = json.loads(done("fit", "codes.csv", "-t", "y", "--event", "a", "--folds", 0, "--json",
                            "--nominal", "code"))  # fmt: skip
    assert found["rules"][0] == "if code in {1} then a 1 (n = 4)"


def test_other_files_are_read_as_described(golf):
    text = GOLF.replace(",", ";").replace("71", "unknown").replace("sunny", "schön")
    (golf / "other.csv").write_text(text, encoding="cp1252")
    described = ("--separator", ";", "--encoding", "cp1252", "--missing", "unknown")
    text = done("fit", "other.csv", "-t", "play", "--event", "yes", "--folds", 0, *described)
    assert "4 predictors (2 of numbers); 2 % of the cells are missing" in text
    assert 'outlook in {"schön"}' in text


@pytest.mark.parametrize("suffix", ["parquet", "tsv"])
def test_other_formats_give_the_same_tree(golf, suffix):
    import pandas as pd

    frame = pd.read_csv("golf.csv").astype({"windy": str}).replace({"windy": str.lower})
    frame["windy"] = frame["windy"].str.lower()
    if suffix == "parquet":
        frame.to_parquet("golf.parquet")
    else:
        frame.to_csv("golf.tsv", sep="\t", index=False)
    text = done("fit", f"golf.{suffix}", "-t", "play", "--event", "yes", "--folds", 0)
    assert GOLF_TREE in text


def test_a_parquet_file_is_not_described_as_text(golf):
    assert refused("fit", "a.parquet", "-t", "y", "--missing", "-9") == (
        "a.parquet: --missing is for text files, not for Parquet; leave it out"
    )


def test_the_event_of_two_classes_is_never_guessed(golf):
    assert refused("fit", "golf.csv", "--target", "play") == (
        "golf.csv: column 'play' has the classes 'no' (5 rows), 'yes' (9 rows); say which is the "
        "event: --event 'no' or --event 'yes'"
    )


def test_more_than_two_classes_need_no_event(golf):
    text = done("fit", "golf.csv", "-t", "outlook", "--folds", 2)
    assert "Predicted: outlook (overcast in 4, rain in 5, sunny in 5 of 14 rows)." in text
    assert "AUC: mean over the classes, each against the rest." in text


def test_numbers_are_classes_and_an_event_is_named_as_it_is_written(golf):
    (golf / "n.csv").write_text("x,y\n" + "1,0\n2,1\n3,\n" * 5)
    result = run("fit", "n.csv", "-t", "y", "--event", "1", "--folds", 0, "--json")
    assert result.stderr == "note: n.csv: left out 5 of 15 rows, which have no 'y'\n"
    found = json.loads(result.stdout)
    assert (found["event"], found["classes"], found["n_rows_left_out"]) == (1, [0, 1], 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.csv", "-t", "play"], "no.csv: no such file"),
        (["golf.csv", "-t", "plai"], "golf.csv: no column 'plai'; did you mean 'play'?"),
        (["golf.csv", "-t", "play", "--event", "da"], "no class 'da'; its classes are 'no', 'yes'"),
        (["golf.csv", "-t", "play", "--drop", "windi"], "no column 'windi'; did you mean 'windy'?"),
        (["golf.csv", "-t", "play", "--drop", "play"], "cannot be both the target and dropped"),
        (["golf.csv", "-t", "play", "--separator", ";"], "add --separator ','"),
        ([*FIT[1:], "--separator", "xx"], "--separator must be one ASCII character such as ';'"),
        ([*FIT[1:], "--separator", ""], "a quote or the end of a line, got ''"),
        ([*FIT[1:], "--separator", "\\t"], "add --separator ','"),
        ([".", "-t", "play"], ".: is a directory"),
        (["-", "-t", "play"], "-: standard input is not read"),
        ([*FIT[1:], "--nominal", "windi"], "golf.csv: no column 'windi'"),
        ([*FIT[1:], "--min-leaf", "0"], "--min-leaf must be a number above 0, got 0.0"),
        ([*FIT[1:], "--confidence", "7"], "--confidence must be above 0 and at most 1"),
        ([*FIT[1:], "--max-depth", "0"], "--max-depth must be a whole number of at least 1"),
        ([*FIT[1:6], "--folds", "1"], "--folds must be from 2 to the 14 rows, or 0 to"),
        ([*FIT[1:6], "--folds", "15"], "leave cross-validation out, got 15"),
        (["one.csv", "-t", "y"], "has one class only, 'a' (2 rows): there is nothing to tell"),
        (["bare.csv", "-t", "y", "--event", "a"], "no column is left to predict 'y' from"),
        (["golf.csv", "-t", "play", "--event", "yes", "-o", "golf.csv"], "must end in .json"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_in_one_line(golf, arguments, message):
    (golf / "one.csv").write_text("x,y\n1,a\n2,a\n")
    (golf / "bare.csv").write_text("y\na\nb\n")
    assert message in refused("fit", *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["golf.csv"], "Missing option '--target'"),
        ([*FIT[1:], "--alpha", "1"], "--alpha does not belong to --method c45; use it with cart"),
        (
            [*FIT[1:], "--velocity", "1"],
            "--velocity does not belong to --method c45; use it with chain",
        ),
        ([*FIT[1:], "--method", "id3", "--confidence", "1"], "--confidence does not belong to"),
        ([*FIT[1:], "--method", "c50"], "'c50' is not one of"),
        ([*FIT[1:], "--repeats", "0"], "--repeats"),
        ([*FIT[1:], "--method", "tree", "--alpha", "1", "--confidence", "1"], "give one"),
    ],
)
def test_options_that_make_no_sense_are_a_misuse(golf, arguments, message):
    assert message in misused("fit", *arguments)


def test_a_tab_may_be_written_as_in_python(golf):
    (golf / "tabs.csv").write_text(GOLF.replace(",", "\t"))
    text = done("fit", "tabs.csv", *FIT[2:], "--separator", r"\t")
    assert GOLF_TREE in text


def test_few_missing_cells_are_not_none(golf):
    rows = "".join(f"{i % 9},{'ab'[i % 2]}\n" for i in range(300))
    (golf / "few.csv").write_text(f"x,y\n{rows},a\n")
    text = done("fit", "few.csv", "-t", "y", "--event", "a", "--folds", 0)
    assert "301 rows, 1 predictors (1 of numbers); <1 % of the cells are missing." in text


def test_columns_that_name_the_rows_are_noted(golf):
    rows = "".join(f"{i},p{i},{i % 7},{'ab'[i % 2]}\n" for i in range(1, 31))
    (golf / "ids.csv").write_text(f"id,name,x,y\n{rows}")
    result = run("fit", "ids.csv", "-t", "y", "--event", "a", "--folds", 0, "-q")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "note: ids.csv: column 'id' counts the rows, but is used as a predictor; if it is a record "
        "number, add --drop 'id'",
        "note: ids.csv: column 'name' is another text in each row, but is used as a predictor; if "
        "it is a record number, add --drop 'name'",
    ]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (["1", "2.5", "<5", "4"], "column 'x': 1 of 40 cells is no number, e.g. '<5'; it is read"),
        (["1", "?", "2"], "13 of 40 cells are no numbers, e.g. '?'; it is read as levels: mend"),
        (["1", "?", "2"], "or add --missing '?' if that means missing"),
        (["1,5", "2", "0,25"], "column 'x': '1,5' looks like a number with a decimal comma; it is"),
        (["2020-01-31", "2021-12-01T10:00"], "column 'x' looks like dates, e.g. '2020-01-31'; it"),
        (["1.2.2020", "31.12.2020"], "looks like dates, e.g. '1.2.2020'; it is read as levels"),
    ],
)
def test_numbers_and_dates_that_are_read_as_levels_are_noted(golf, cells, says):
    column = [cells[i % len(cells)] for i in range(40)]
    if "<5" in cells:
        column = ["<5", *map(str, range(39))]  # differs in each row, yet is no record number
    rows = "".join(f'"{cell}",{i * i % 7},{"ab"[i % 2]}\n' for i, cell in enumerate(column))
    (golf / "odd.csv").write_text(f"x,z,y\n{rows}")
    common = ("odd.csv", "-t", "y", "--event", "a")
    for command in (("fit", *common, "--folds", 0, "-q"), ("evaluate", *common, "--folds", 2)):
        told = run(*command)
        assert told.exit_code == 0
        assert [line.startswith("note: odd.csv: column 'x'") for line in
                told.stderr.splitlines()] == [True]  # fmt: skip
        assert says in told.stderr
        assert "--drop" not in told.stderr


def test_levels_and_codes_that_were_asked_for_are_not_doubted(golf):
    rows = "".join(
        f"{'1a' if i % 5 else 'b'},{i % 3 if i % 9 else 'x'},00{i % 4},{'ab'[i % 2]}\n"
        for i in range(40)
    )
    (golf / "codes.csv").write_text(f"text,code,zeros,y\n{rows}")
    done("fit", "codes.csv", "-t", "y", "--event", "a", "--folds", 0, "--nominal", "code")


def test_infinite_values_are_refused(golf):
    (golf / "inf.csv").write_text("x,y\n1,a\n2,b\ninf,a\n-inf,b\n")
    message = refused("fit", "inf.csv", "-t", "y", "--event", "a", "--folds", 0)
    assert message.startswith("inf.csv: Input X contains infinity: column 'x' holds 2 infinite")


def test_the_command_line_grows_the_tree_that_python_grows(golf):
    from clearwood.table import read_file

    done(*FIT, "-q", "-o", "model.json")
    data = read_file("golf.csv")
    tree = clearwood.C45Classifier().fit(data.drop(columns="play"), data["play"]).tree_
    assert load("model.json") == tree
