"""`clearwood prune`: the path of a saved tree, and the tree that is chosen or asked for."""

import json

import pytest

from clearwood.tree.json_form import load
from cli.command_line import done, misused, refused, run


def test_prune_prints_the_path_and_the_chosen_tree(golf_model):
    text = done("prune", "model.json", "golf.csv", "--rule", "0-SE")
    assert text.splitlines() == [
        "model.json pruned by tree_size, measured on golf.csv:",
        "       c  leaves  nodes   wrong  in training",
        "       0       5      8   0.0 %        0.0 %  <- chosen",
        "  0.3554       1      1  35.7 %       35.7 %",
        "The rows chose the tree, so they flatter it: measure it on others.",
        "",
        *done("show", "model.json").splitlines(),
    ]


def test_the_strength_that_was_asked_for_is_the_choice(golf_model):
    text = done("prune", "model.json", "golf.csv", "--method", "optimal_size", "--strength", 3,
                "--output", "small.json")  # fmt: skip
    assert "flatter" not in text
    assert text.endswith("Model written to small.json\n")
    assert load(golf_model / "small.json").n_leaves == 3


def test_error_based_pruning_needs_the_training_rows(golf_model):
    assert "name their file with --training" in refused(
        "prune", "model.json", "golf.csv", "--method", "error_based"
    )
    found = json.loads(done("prune", "model.json", "golf.csv", "--method", "error_based",
                            "--training", "golf.csv", "--json"))  # fmt: skip
    assert found["parameter"] == "confidence"
    assert found["n_leaves"][0] == 5
    assert found["n_leaves"][-1] == 1
    assert found["errors"][found["chosen"]] == min(found["errors"])


def test_a_method_with_nothing_to_vary_prints_two_trees(golf_model):
    lines = done("prune", "model.json", "golf.csv", "--method", "reduced_error").splitlines()
    assert lines[1].split() == ["leaves", "nodes", "wrong", "in", "training"]
    assert "--strength does not belong to --method reduced_error" in misused(
        "prune", "model.json", "golf.csv", "--method", "reduced_error", "--strength", 1
    )


def test_a_strength_that_makes_no_sense_is_refused(golf_model):
    assert refused("prune", "model.json", "golf.csv", "--strength", -1) == (
        "--strength: c must be a number of at least 0, got -1.0"
    )
    assert "n_leaves must be a whole number" in refused(
        "prune", "model.json", "golf.csv", "--method", "optimal_size", "--strength", 2.5
    )


def test_nothing_is_overwritten_unasked_and_quiet_prints_nothing(golf_model):
    assert "is what is read" in refused("prune", "model.json", "golf.csv", "-o", "model.json")
    assert done("prune", "model.json", "golf.csv", "-q", "-o", "small.json") == ""
    assert "is there already" in refused("prune", "model.json", "golf.csv", "-o", "small.json")
    assert run("prune", "model.json", "golf.csv", "-o", "small.json", "--force").exit_code == 0


@pytest.mark.parametrize("column", ["playing", "outlook"])
def test_a_target_that_is_not_the_models_is_refused(golf_model, column):
    message = refused("prune", "model.json", "golf.csv", "--target", column)
    assert column in message
    assert ("is a predictor of model.json" in message) == (column == "outlook")
