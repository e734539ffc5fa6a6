"""A model file holds a tree exactly, says what it is, and is written over nothing."""

import json

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood
from clearwood.errors import ModelFileError, OutputError, ParameterError
from clearwood.table.column import Feature
from clearwood.tree import json_text
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.structure import Tree
from golden.compare import assert_golden
from golden.trees import TREES, binary
from reference.random_trees import random_tree
from shared_data import ROOT

SCHEMA = json.loads((ROOT / "src/clearwood/tree/json_schema.json").read_text())
BLOCKS = {
    "ramps": [{"node": 1, "lower": 60.0, "upper": 65.5}],
    "witnesses": [{"node": 0, "column": 1, "threshold": 1e-7, "strict": False, "reversed": True}],
    "bands": [{"node": 0, "thresholds": [1.0, 2.0], "branches": [0, 1, 0]}],
    "forced_cuts": [{"node": 0, "source": "guideline"}],
}


def changed(tree, change):
    """The document of `tree` after `change` was made to it, with a checksum that fits."""
    document = json.loads(tree.to_json())
    change(document)
    document.pop("sha256", None)
    return json.dumps(document | {"sha256": json_text.digest(document)})


def without_digest(text):
    """A document as text in which only what a release or a rounding changes is left out."""
    lines = [
        line for line in text.splitlines() if not line.startswith(('"sha256"', '"written_by"'))
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("name", TREES)
def test_a_tree_reads_back_as_itself(name):
    tree = TREES[name]()
    assert Tree.from_json(tree.to_json()) == tree


@pytest.mark.parametrize("name", [name for name in TREES if name != "deep_chain"])
def test_json_of_a_hand_made_tree_is_unchanged(name):
    assert_golden(without_digest(TREES[name]().to_json()), "tree", f"{name}.json")


@given(seed=st.integers(0, 2**32 - 1), power=st.integers(-300, 300))
def test_a_random_tree_reads_back_as_itself(seed, power):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, rng.normal(size=8) * 10.0**power)
    assert Tree.from_json(tree.to_json()) == tree


@given(threshold=st.floats(allow_nan=False, allow_infinity=False), mass=st.floats(0, 1e300))
def test_every_float_reads_back_with_the_same_bits(threshold, mass):
    tree = build(
        cut("x", threshold, leaf([mass], n_rows=1), leaf([1])), [Feature("x", "numeric")], ["a"]
    )
    again = Tree.from_json(tree.to_json())
    assert again.threshold.tobytes() == tree.threshold.tobytes()
    assert again.masses.tobytes() == tree.masses.tobytes()


@pytest.mark.parametrize(
    "classes",
    [
        np.array([False, True]),
        np.array([2, 5], np.int8),
        np.array([2, 2**63], np.uint64),
        np.array([1.0, 2.0]),
        np.array(["no", "yes"]),
        np.array(["no", "yes"], object),
        np.array([True, "yes"], object),
    ],
)
def test_class_labels_keep_their_type(classes):
    tree = build(leaf([1, 2]), [Feature("x", "numeric")], classes)
    tree = Tree.from_json(tree.to_json())
    assert tree.classes.dtype == classes.dtype
    assert tree.predict([[0.5]])[0] == classes[1]
    assert [type(label) for label in tree.classes.tolist()] == list(map(type, classes.tolist()))


def test_level_labels_keep_their_type():
    labels = ("1", 2, 3.0, True, 0.5, "", "é\n\"'\\", 2**70)
    root = levels("x", {labels[:4]: leaf([1, 0]), labels[4:]: leaf([0, 1])})
    tree = build(root, [Feature("x", "nominal", labels)], ["a", "b"])
    again = Tree.from_json(tree.to_json()).features[0].levels
    assert again == labels
    assert list(map(type, again)) == list(map(type, labels))


@pytest.mark.parametrize("name", TREES)
def test_what_is_written_fits_the_published_schema(name):
    tree = TREES[name]()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(tree.to_json()), SCHEMA)


def test_the_schema_in_the_documentation_is_the_schema_that_is_enforced():
    published = json.loads((ROOT / "docs/reference/model.schema.json").read_text())
    assert published == SCHEMA


def test_optional_blocks_are_kept_as_they_are():
    def add(document):
        document |= BLOCKS | {
            "settings": {"method": "C4.5", "parameters": {"penalty": True, "cost": [1, None]}},
            "training": {"n_rows": 93, "target": "disease", "site": "north"},
            "noise": {"ef": {"model": "Normal", "parameters": {"sd": 5.1}, "source": "54 pairs"}},
        }

    text = changed(binary(), add)
    jsonschema.validate(json.loads(text), SCHEMA)
    tree = Tree.from_json(text)
    assert tree == binary()
    assert tree.extras == BLOCKS
    assert tree.settings["noise"]["ef"]["parameters"] == {"sd": 5.1}
    written, read = json.loads(Tree.from_json(tree.to_json()).to_json()), json.loads(text)
    assert written == read


def test_settings_of_numpy_are_written_as_plain_numbers():
    values = Tree(
        **binary().arrays(), features=binary().features, classes=binary().classes,
        settings={"alpha": np.float64(0.1), "path": np.arange(3), "pair": (1, None)},
    )  # fmt: skip
    again = Tree.from_json(values.to_json())
    assert again.settings == {"alpha": 0.1, "path": [0, 1, 2], "pair": [1, None]}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": object()}, r"settings\['model'\] must be a text"),
        ({"a": {1: 2}}, r"settings\['a'\] must be a text"),
        ({"a": [float("nan")]}, "finite numbers"),
        ({"a": "\ud800"}, "no valid text"),
    ],
)
def test_settings_that_json_cannot_hold_are_refused_by_name(settings, words):
    tree = binary()
    tree = Tree(**tree.arrays(), features=tree.features, classes=tree.classes, settings=settings)
    with pytest.raises(ParameterError, match=words):
        tree.to_json()


def test_settings_nested_without_end_are_refused():
    endless = []
    endless.append(endless)
    tree = binary()
    tree = Tree(**tree.arrays(), features=tree.features, classes=tree.classes,
                settings={"a": endless})  # fmt: skip
    with pytest.raises(ParameterError, match="nested too deeply"):
        tree.to_json()


@pytest.mark.parametrize("label", [(1, 2), None, float("inf")])
def test_level_labels_that_json_cannot_hold_are_refused(label):
    tree = build(leaf([1]), [Feature("site", "nominal", (label, "b"))], ["a"])
    with pytest.raises(ParameterError):
        tree.to_json()


def test_two_columns_of_one_name_are_refused():
    tree = build(leaf([1]), [Feature("x", "numeric"), Feature("x", "numeric")], ["a"])
    with pytest.raises(ParameterError, match="'x' stands twice"):
        tree.to_json()


def test_self_test_rows_reach_different_leaves_and_lie_on_the_cuts():
    rows = [entry["row"] for entry in json.loads(binary().to_json())["self_test"]]
    assert rows == [
        {},
        {"ef": np.nextafter(35, 0), "age": 62.5},
        {"ef": np.nextafter(35, 0), "age": np.nextafter(62.5, 99)},
        {"ef": 35.0},
    ]


def test_a_saved_tree_is_loaded_and_predicts_by_itself(tmp_path):
    path = tmp_path / "model.json"
    binary().save(path)
    tree = clearwood.load(path)
    assert tree == binary()
    assert tree.predict([[35.0, 50.0], [30.0, 70.0]]).tolist() == [False, True]


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("mine")
    with pytest.raises(OutputError, match="is there already"):
        binary().save(path)
    assert path.read_text() == "mine"
    binary().save(path, overwrite=True)
    assert clearwood.load(path) == binary()
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        binary().save(tmp_path / "no" / "model.json")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ModelFileError, match=r"model.json cannot be read: No such file"):
        clearwood.load(tmp_path / "model.json")


def test_a_file_with_a_byte_order_mark_and_other_line_breaks_is_read(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b"\xef\xbb\xbf" + binary().to_json().replace("\n", "\r\n").encode())
    assert clearwood.load(path) == binary()
