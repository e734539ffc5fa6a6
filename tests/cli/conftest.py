"""A folder with Quinlan's golf table, and with the tree grown from it."""

import pytest

from cli.command_line import GOLF, done


@pytest.fixture
def golf(tmp_path, monkeypatch):
    """The current folder holds golf.csv."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golf.csv").write_text(GOLF)
    return tmp_path


@pytest.fixture
def golf_model(golf):
    """The current folder holds golf.csv and model.json."""
    done("fit", "golf.csv", "--target", "play", "--event", "yes", "--folds", 0, "-q",
         "-o", "model.json")  # fmt: skip
    return golf
