"""The page of a chain: whole, closed to the outside, and linked by the names of the rules."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pandas as pd
import pytest

from clearwood.errors import OutputError, ParameterError
from clearwood.metrics import risk_table
from clearwood.report import linked_page
from clearwood.report.linked_page import chain_page, write_chain_page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import cut, leaf
from golden.chains import CHAINS, as_chain, falling, four_rules, long_rules, no_rule, twenty_rules
from golden.trees import ordinal
from unit.test_report_page import Reader

RULES = [f"step-{number}" for number in range(1, 6)]


@pytest.fixture(scope="module")
def content():
    return chain_page(four_rules(), title="Who dies?", notes=["An example."])


@pytest.fixture
def without_plots(monkeypatch):
    monkeypatch.setattr(linked_page, "_can_draw", lambda: False)


def read(content):
    """The page without its scripts, whose text is no markup, and without line breaks."""
    return Reader(re.sub(r"<script.*?</script>|<br>", "", content, flags=re.DOTALL))


def scripts(content):
    return re.findall(r"<script>(.*?)</script>", content, re.DOTALL)


def data(content):
    found = re.search(r'<script type="application/json" id="charts">(.*?)</script>', content)
    return json.loads(found[1])


def digest(text):
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.usefixtures("without_plots")
def test_page_is_well_formed(name):
    read(chain_page(CHAINS[name](), title=name))


def test_rules_have_one_name_in_picture_table_and_curves(content):
    tags = read(content).tags
    bands = [attrs["data-rule"] for tag, attrs in tags if tag == "g" and "data-rule" in attrs]
    rows = [attrs["data-rule"] for tag, attrs in tags if tag == "tr" and "data-rule" in attrs]
    assert bands == RULES
    assert rows == RULES[::-1]
    for place in ("chart-roc", "chart-lift"):
        spec = json.dumps(data(content)["specs"][place])
        assert set(re.findall(r'"rule": "(step-\d)"', spec)) == set(RULES)
        assert {param["name"] for param in data(content)["specs"][place]["params"]} == {
            "hover", "hot",
        }  # fmt: skip


def test_page_has_a_place_for_each_chart(content):
    places = [attrs["id"] for _, attrs in read(content).tags if attrs.get("class") == "chart"]
    assert places == list(data(content)["specs"])


def test_page_runs_its_own_scripts_only_and_asks_for_nothing(content):
    reader = read(content)
    policy = next(attrs["content"] for tag, attrs in reader.tags
                  if attrs.get("http-equiv") == "Content-Security-Policy")  # fmt: skip
    style = re.search(r"<style>(.*?)</style>", content, re.DOTALL)[1]
    own = " ".join(map(digest, scripts(content)))
    assert policy == (
        f"default-src 'none'; script-src {own}; style-src {digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    assert len(scripts(content)) == 2
    assert not {"link", "img", "iframe", "object", "form", "base"} & {tag for tag, _ in reader.tags}
    assert all("style" not in attrs and "href" not in attrs and "src" not in attrs
               for _, attrs in reader.tags)  # fmt: skip


def test_head_names_size_rows_and_share_of_the_event(content):
    words = "".join(read(content).words)
    assert "A decision chain of 4 rules, grown on 913 rows, dead in 6 % of them." in words
    assert "An example." in words


def test_training_rows_are_the_default_and_are_called_optimistic(content):
    assert content.count('<table class="risk-table">') == 1
    assert "913 training rows (optimistic), 55 events" in "".join(read(content).words)


def test_training_and_held_out_rows_have_a_table_each():
    tree = four_rules()
    X = {"heart_rate": [80, 100, 100, 100], "spo2": [99, 99, 90, 90],
         "ward": ["A", "A", "A", "ICU"], "lactate": [1.0, 1.0, 1.0, 9.0]}  # fmt: skip
    held_out = risk_table(tree, pd.DataFrame(X), ["alive", "alive", "dead", "dead"])
    content = chain_page(
        tree, title="t", tables={"training": risk_table(tree), "held-out": held_out}
    )
    assert content.count('<table class="risk-table">') == 2
    assert "4 held-out rows, 2 events" in "".join(read(content).words)
    assert [*data(content)["specs"]] == ["chart-roc", "chart-lift", "chart-calibration"]
    spec = json.dumps(data(content)["specs"]["chart-roc"])
    assert "training rows (optimistic): AUC" in spec
    assert "held-out rows: AUC" in spec


def read_words(content):
    return "".join(read(content).words)


def held_out(tree):
    X = {"heart_rate": [80, 100, 100, 100], "spo2": [99, 99, 90, 90],
         "ward": ["A", "A", "A", "ICU"], "lactate": [1.0, 1.0, 1.0, 9.0]}  # fmt: skip
    return risk_table(tree, pd.DataFrame(X), ["alive", "alive", "dead", "dead"])


@pytest.mark.usefixtures("without_plots")
def test_held_out_tables_are_told_as_what_was_measured():
    tree = four_rules()
    table = held_out(tree)
    words = read_words(
        chain_page(tree, title="t", tables={"Cleveland": table, "training": risk_table(tree)})
    )
    assert "Not measured here" not in words
    assert f"Cleveland: 4 rows, 2 events, AUC {table.auc}." in words
    only_training = read_words(chain_page(tree, title="t", tables={"all": risk_table(tree)}))
    assert "Not measured here" in only_training


@pytest.mark.usefixtures("without_plots")
def test_captions_name_their_tables():
    tree = four_rules()
    tables = {"Cleveland": held_out(tree), "training": risk_table(tree)}
    content = chain_page(tree, title="t", tables=tables)
    assert re.findall(r"<caption>(?:<b>(.*?)</b><br>)?risk of", content) == ["Cleveland", ""]


@pytest.mark.usefixtures("without_plots")
def test_page_of_a_falling_chain_warns_that_missing_values_go_to_lower_risk():
    warning = "a missing value that stays in it goes on to lower risk."
    assert warning in read_words(chain_page(falling(), title="t"))
    assert warning not in read_words(chain_page(four_rules(), title="t"))


@pytest.mark.usefixtures("without_plots")
def test_only_a_screen_lights_a_rule(content):
    style = re.search(r"<style>(.*?)</style>", content, re.DOTALL)[1]
    on_screen = re.search(r"@media screen \{\n(.*?)\n\}", style, re.DOTALL)[1]
    assert style.count("#fff1c9") == on_screen.count("#fff1c9") == 2


def test_a_table_of_another_chain_or_event_is_refused():
    with pytest.raises(ParameterError, match="table 'training' is not of this chain"):
        chain_page(four_rules(), title="t", tables=risk_table(twenty_rules()))
    with pytest.raises(ParameterError, match="is about the event 'alive', the page about 'dead'"):
        chain_page(four_rules(), title="t", tables={"a": risk_table(four_rules(), event="alive")})


def test_a_tree_that_is_no_chain_is_refused():
    with pytest.raises(ParameterError, match="the tree must be a chain"):
        chain_page(ordinal(), title="t")


@pytest.mark.usefixtures("without_plots")
def test_without_the_packages_for_charts_the_rest_is_there_and_linked():
    content = chain_page(four_rules(), title="t")
    assert len(content) < 60_000
    assert "pip install 'clearwood[plots]'" in content
    assert len(scripts(content)) == 1
    assert 'id="charts"' not in content
    assert content.count('data-rule="step-3"') == 2


@pytest.mark.usefixtures("without_plots")
def test_page_says_where_missing_values_go():
    words = "".join(read(chain_page(four_rules(), title="t")).words)
    assert "A rule does not hold for a missing value: the row stays in the chain" in words
    words = "".join(read(chain_page(long_rules(), title="t")).words)
    assert "is missing, the row is carved." in words
    assert "the row is carved with a part of 0.4, and stays with the rest." in words
    assert "Any other rule does not hold for a missing value" in words
    words = "".join(read(chain_page(no_rule(), title="t")).words)
    assert "nothing can be missing" in words


def test_names_with_markup_are_escaped_everywhere():
    evil = '</script><script>alert("1")</script><!--'
    root = cut(evil, 1, leaf([9, 1]), leaf([1, 9]), missing=(0, 1))
    content = chain_page(as_chain(root, [Feature(evil, "numeric")]), title=evil, notes=[evil])
    assert len(scripts(content)) == 2
    assert len(re.findall("<script", content.replace(scripts(content)[0], ""))) == 3
    assert any(evil in label for _, attrs in read(content).tags
               if (label := attrs.get("aria-label")))  # fmt: skip


@pytest.mark.usefixtures("without_plots")
def test_page_is_written_but_never_over_a_file_unasked(tmp_path):
    path = tmp_path / "page.html"
    assert write_chain_page(path, four_rules(), title="t") == path
    assert path.read_text(encoding="utf-8") == chain_page(four_rules(), title="t")
    with pytest.raises(OutputError, match="is there already"):
        write_chain_page(path, four_rules(), title="u")
    write_chain_page(path, four_rules(), title="u", overwrite=True)
    assert "<title>u</title>" in path.read_text(encoding="utf-8")
