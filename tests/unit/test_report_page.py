"""A page holds everything, asks for nothing, and says nothing that the tree does not."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from clearwood import C45Classifier, Column
from clearwood.errors import OutputError, ParameterError
from clearwood.metrics import Estimate, Performance
from clearwood.report import page, write_page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, leaf
from clearwood.tree.structure import Tree
from golden.compare import assert_golden
from golden.trees import TREES, binary, many_branches, ordinal

VOID = {"meta"}
MEASURES = {
    "balanced_accuracy": Estimate(0.78, 0.74, 0.82),
    "auc": Estimate(0.854, 0.821, 0.887),
    "brier_score": Estimate(float("nan")),
}


class Reader(HTMLParser):
    """Tags in order, the cells of each table row, and whether every element is closed."""

    def __init__(self, content):
        super().__init__()
        self.tags, self.open, self.rows, self.words = [], [], [], []
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def with_settings(tree, settings):
    return Tree(**tree.arrays(), features=tree.features, classes=tree.classes,
                class_names=tree.class_names, settings=settings)  # fmt: skip


@pytest.mark.parametrize("name", [name for name in TREES if name != "deep_chain"])
def test_page_is_well_formed(name):
    Reader(page(TREES[name](), title=name))


def test_page_of_a_hand_made_tree_is_unchanged():
    performance = Performance(MEASURES, "disease", 93, 10, 5)
    content = page(binary(), title="Who is ill?", performance=performance, notes=["An example."])
    content = re.sub(r"clearwood \d+\.\d+\.\d+", "clearwood x.y.z", content)
    assert_golden(re.sub(r"[0-9a-f]{64}", "0" * 64, content), "report", "binary.html")


def test_rules_are_sorted_by_risk():
    rows = Reader(page(binary(), title="t")).rows
    assert rows[:4] == [
        ["Risk of disease", "95 % interval", "", "n", "Class", "Rule"],
        ["94 %", "78–99 %", "", "24.6", "disease", "ef < 35 % and (age > 62.5 years or missing)"],
        ["75 %", "47–91 %", "", "12", "disease", "ef < 35 % and age <= 62.5 years"],
        ["7 %", "3–17 %", "", "56", "healthy", "ef >= 35 %"],
    ]


def test_the_event_can_be_the_first_class():
    rows = Reader(page(binary(), title="t", event="healthy")).rows
    assert rows[0][0] == "Risk of healthy"
    assert [row[0] for row in rows[1:4]] == ["93 %", "25 %", "6 %"]


def test_a_label_that_says_nothing_is_named_with_its_column():
    tree = build(leaf([7, 3]), [Feature("age", "numeric")], ["0", "1"])
    content = page(with_settings(tree, {"training": {"target": "chd"}}), title="t")
    assert Reader(content).rows[0][0] == "Risk of chd = 1"
    assert "Percent: risk of chd = 1 (95 % interval)" in content
    assert Reader(page(tree, title="t")).rows[0][0] == "Risk of class 1"


def test_without_an_event_the_rules_keep_the_order_of_the_leaves():
    rows = Reader(page(many_branches(), title="t")).rows
    assert [row[4] for row in rows[1:5]] == ["A", "B", "A", "A"]
    assert rows[3][:4] == ["54 %", "no rows", "", "0"]


def test_an_unknown_event_is_refused():
    with pytest.raises(ParameterError, match="event must be one of the classes"):
        page(binary(), title="t", event="dead")


def test_performance_is_told_with_its_interval_and_how_it_was_found():
    performance = Performance(MEASURES, "disease", 93, 10, 5)
    reader = Reader(page(binary(), title="t", performance=performance))
    rows = {row[0]: row[1:3] for row in reader.rows if row}
    assert rows["AUC"] == ["0.854", "0.821–0.887"]
    assert rows["Brier score"] == ["undefined", "–"]
    words = "".join(reader.words)
    assert "10-fold cross-validation, repeated 5 times, on 93 rows" in words
    assert "AUC and Brier score are about disease." in words


def test_a_page_without_performance_says_that_nothing_was_measured():
    assert "Not measured here." in "".join(Reader(page(binary(), title="t")).words)


def test_page_says_where_missing_values_go():
    words = "".join(Reader(page(binary(), title="t")).words)
    assert "A row whose value is missing is split over the branches" in words
    assert "Where ef < 35 % and age is missing, the row goes as if age > 62.5 years." in words
    words = "".join(Reader(page(TREES["one_leaf"](), title="t")).words)
    assert "nothing can be missing" in words


def test_provenance_names_settings_training_noise_and_the_model():
    tree = with_settings(binary(), {
        "method": "C4.5",
        "parameters": {"min_samples_leaf": 10, "penalty": True, "pruning": None},
        "training": {"target": "outcome", "n_rows": 93},
        "noise": {"ef": {"model": "Normal", "parameters": {"sd": 5.1}, "source": "54 pairs"}},
    })  # fmt: skip
    rows = dict(row for row in Reader(page(tree, title="t")).rows if len(row) == 2)
    assert rows["Method"] == "C4.5"
    assert rows["Parameters, min samples leaf"] == "10"
    assert rows["Parameters, penalty"] == "yes"
    assert rows["Training: target"] == "outcome"
    assert rows["Noise of ef, source"] == "54 pairs"
    assert rows["Columns looked at"] == "ef, age (2 of 2 given)"
    assert f'"{rows["SHA-256 of the model"]}"' in tree.to_json()


def test_provenance_of_a_fresh_tree_says_of_columns_only_what_was_set():
    wishes = {"age": Column(unit="years", cost=2), "sex": Column(kind="nominal"), "ef": Column()}
    X = {"age": [1, 2, 3, 4], "sex": [0, 0, 1, 1], "ef": [5, 5, 6, 5]}
    content = page(C45Classifier(columns=wishes).fit(pd.DataFrame(X), list("aabb")), title="t")
    rows = dict(row for row in Reader(content).rows if len(row) == 2)
    found = {name: value for name, value in rows.items() if name.startswith("Parameters, columns")}
    assert found == {
        "Parameters, columns, age, unit": "years",
        "Parameters, columns, age, cost": "2",
        "Parameters, columns, sex, kind": "nominal",
    }
    assert "Column(" not in content


def test_page_may_load_nothing_and_run_nothing():
    content = page(ordinal(), title="t", notes=["n"])
    reader = Reader(content)
    policy = next(attrs["content"] for tag, attrs in reader.tags
                  if attrs.get("http-equiv") == "Content-Security-Policy")  # fmt: skip
    style = re.search(r"<style>(.*?)</style>", content, re.DOTALL)[1]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & {
        tag for tag, _ in reader.tags
    }
    assert all("style" not in attrs and "href" not in attrs and "src" not in attrs
               for _, attrs in reader.tags)  # fmt: skip
    assert re.findall(r"https?://[^\"]*", content) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"@import|url\((?!#)", content)


def test_names_with_markup_are_escaped():
    evil = '</title><script>alert("1")</script>'
    tree = build(leaf([1, 2]), [Feature(evil, "numeric")], [evil, "b"])
    reader = Reader(page(with_settings(tree, {evil: evil}), title=evil, notes=[evil]))
    assert "script" not in {tag for tag, _ in reader.tags}
    assert evil in "".join(reader.words)


def test_a_wide_picture_scrolls_before_it_is_too_small_to_read():
    assert "figure > svg { min-width: " in page(ordinal(), title="t")


def test_page_is_written_but_never_over_a_file_unasked(tmp_path):
    path = tmp_path / "page.html"
    assert write_page(path, binary(), title="t") == path
    assert path.read_text(encoding="utf-8") == page(binary(), title="t")
    with pytest.raises(OutputError, match="is there already"):
        write_page(path, binary(), title="u")
    write_page(path, binary(), title="u", overwrite=True)
    assert "<title>u</title>" in path.read_text(encoding="utf-8")


def test_a_fitted_classifier_has_a_page_too():
    from clearwood.estimators import C45Classifier

    X = np.arange(20.0).reshape(-1, 1)
    model = C45Classifier().fit(X, X[:, 0] > 9)
    assert page(model, title="t") == page(model.tree_, title="t")
