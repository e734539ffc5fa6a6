"""A damaged, changed or foreign model file is refused in words, or gives the same answers."""

import json
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood
from clearwood.errors import ClearwoodError, ModelFileError, ParameterError
from clearwood.tree import json_text
from clearwood.tree.by_hand import build, leaf
from clearwood.tree.schema_check import Mismatch, compiled
from clearwood.tree.structure import Tree
from golden.trees import TREES, binary, many_branches, nasty_names


def with_digest(document):
    document.pop("sha256", None)
    return json.dumps(document | {"sha256": json_text.digest(document)})


def set_at(document, way, value):
    for step in way[:-1]:
        document = document[step]
    document[way[-1]] = value


@pytest.mark.parametrize(
    ("way", "value", "words"),
    [
        (("nodes", 0, "children"), [1, 9], r"node 0: child_ids must lie in 1 ... 4, got 9"),
        (("nodes", 1, "children"), [0, 3], "node 1: child_ids"),
        (("nodes", 1, "children"), [1, 3], "node 1: child_ids must name each node but the"),
        (("nodes", 1, "children"), [3, 2], "child_ids must rise"),
        (("nodes", 1, "children"), [2], r"nodes\[1\].missing_share must have 1 entries"),
        (("nodes", 1, "children"), [2**40, 3], r"nodes\[1\].children\[0\] must be at most"),
        (("nodes", 0, "children"), [-1, 4], r"nodes\[0\].children\[0\] must be at least 0"),
        (("nodes", 0, "column"), 2, "node 0: column must be one of the 2 features"),
        (("nodes", 0, "threshold"), None, r"nodes\[0\].threshold must be a number, got None"),
        (("nodes", 0, "threshold"), True, r"nodes\[0\].threshold must be a number, got True"),
        (("nodes", 0, "strict"), 1, r"nodes\[0\].strict must be true or false, got 1"),
        (("nodes", 0, "kind"), "leaf", "gives a leaf children"),
        (("nodes", 2, "kind"), "cut", r"nodes\[2\] must have a member 'column'"),
        (("nodes", 2, "kind"), "ramp", r"nodes\[2\].kind must be 'leaf' or 'cut' or 'levels'"),
        (("nodes", 2, "masses"), [1.0], r"nodes\[2\].masses must have 2 entries, has 1"),
        (("nodes", 2, "masses"), [-1.0, 2], r"nodes\[2\].masses\[0\] must be at least 0"),
        (("nodes", 2, "distribution"), [0.5, 0.6], "node 2: distribution must add up to 1"),
        (("nodes", 1, "missing_share"), [0.5, 0.4], "node 1: missing_share must add up to 1"),
        (("nodes", 2, "label"), 2, "label must lie in 0 ... 1"),
        (("nodes", 2, "label"), 0, r"nodes\[2\].label is 0, but class 1 has the largest mass"),
        (("nodes", 2, "n_rows"), 2**63, r"nodes\[2\].n_rows must be at most"),
        (("nodes", 2, "n_rows"), 1.5, r"nodes\[2\].n_rows must be a whole number"),
        (("nodes", 2, "colour"), "red", r"nodes\[2\] has an unknown member 'colour'"),
        (("nodes",), [], "nodes must have at least 1 entry"),
        (("nodes",), {}, "nodes must be a list"),
        (("classes", "labels"), [False, 1], "classes.labels must all be of type bool"),
        (("classes", "labels"), [True, True], "classes.labels must differ"),
        (("classes", "type"), "datetime64", "classes.type must be 'object'"),
        (("classes", "names"), ["a", "a"], "classes.names must differ"),
        (("classes", "names"), ["a"], "class_names must name each of the 2 classes"),
        (("columns", 1, "name"), "ef", "names that differ"),
        (("columns", 0, "levels"), ["a"], r"columns\[0\]: column 'ef' is numeric"),
        (("columns", 0, "kind"), "nominal", "node 0: kind is a cut but its column is nominal"),
        (("version",), 2, "version 2 is newer than this clearwood reads"),
        (("version",), "1", "version must be 1, got '1'"),
        (("version",), 0, "version must be 1, got 0"),
        (("format",), "sklearn", "no clearwood model"),
        (("evaluation",), "bands", "evaluation is 'bands', which this clearwood cannot do"),
        (("evaluation",), "ramps", "evaluation is 'ramps', which needs the member 'ramps'"),
        (("evaluation",), "noise", "evaluation is 'noise', which needs the member 'noise'"),
        (("evaluation",), "guess", "evaluation must be"),
        (("ramps",), [{"node": 5, "lower": 1, "upper": 2}], r"ramps\[0\].node must be less than 5"),
        (("noise",), {"ef": {"model": "Normal"}}, "noise.ef must have a member 'parameters'"),
        (("self_test",), [], "self_test must have at least 1 entry"),
        (("self_test", 0, "row"), {"bmi": 3}, r"self_test\[0\].row names a column"),
        (("self_test", 0, "row"), {"ef": "low"}, "self_test: column 'ef' is numeric, got 'low'"),
        (("self_test", 0, "probabilities"), [1.0], r"self_test\[0\].probabilities must have 2"),
        (("self_test", 3, "probabilities"), [0.9, 0.1], r"self_test\[3\] fails"),
        (("self_test", 3, "row", "ef"), 34, r"self_test\[3\] fails"),
    ],
)  # fmt: skip
def test_a_wrong_member_is_named_even_where_the_checksum_fits(way, value, words):
    document = json.loads(binary().to_json())
    set_at(document, way, value)
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(with_digest(document))


@pytest.mark.parametrize("masses", [[6.0, 6.0], [0.0, 0.0]])
def test_a_leaf_with_a_tie_or_without_rows_may_have_either_label(masses):
    document = json.loads(binary().to_json())
    document["nodes"][2] |= {"masses": masses, "label": 0}
    assert Tree.from_json(with_digest(document)).label[2] == 0


def test_classes_of_one_name_are_not_written():
    tree = build(leaf([1, 2]), [], [0, 1], class_names=["a", "a"])
    with pytest.raises(ParameterError, match="class names must differ in a model file, 'a'"):
        tree.to_json()


def test_a_strictness_turned_around_fails_the_self_test():
    document = json.loads(binary().to_json())
    document["nodes"][0]["strict"] = False
    with pytest.raises(ModelFileError, match=r"self_test\[3\] fails"):
        Tree.from_json(with_digest(document))


def test_a_level_sent_elsewhere_is_noticed_by_the_checksum():
    text = many_branches().to_json()
    assert '"branch_of_level": [1, 0, 2, 1, -1]' in text
    other = text.replace(
        '"branch_of_level": [1, 0, 2, 1, -1]', '"branch_of_level": [1, 0, 2, 1, 0]'
    )
    with pytest.raises(ModelFileError, match="sha256 does not fit the content"):
        Tree.from_json(other)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("35.0", "NaN", "NaN is no number"),
        ("35.0", "-Infinity", "-Infinity is no number"),
        ("35.0", "1e999", "1e999 is larger than any number"),
        ("35.0", "1" * 5000, "a whole number has 5000 digits"),
        ('"strict": true', '"strict": true, "strict": false', "'strict' stands twice"),
        ('"nodes": [', '"nodes": ' + "[" * 100_000, "nested more than 40 deep"),
        ('"nodes": [', '"settings": ' + '{"a":' * 100_000, "nested more than 40 deep"),
        ('"nodes"', '"nodes', "this is no JSON"),
    ],
)
def test_text_that_is_no_strict_json_is_refused(old, new, words):
    with pytest.raises(ModelFileError, match=words):
        Tree.from_json(binary().to_json().replace(old, new))


def test_deep_nesting_is_refused_whatever_the_recursion_limit():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with pytest.raises(ModelFileError, match="nested"):
            Tree.from_json("[" * 10**6)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("text", ["", "null", "[]", "1", "{}", '"', "\\", '"\\"' * 9, "\x00"])
def test_text_that_is_no_document_is_refused(text):
    with pytest.raises(ModelFileError):
        Tree.from_json(text)


def test_bytes_that_are_no_utf8_are_named(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b'{"format": "\xff"}')
    with pytest.raises(ModelFileError, match="byte 12 is not UTF-8"):
        clearwood.load(path)


def test_a_file_cut_off_anywhere_is_refused(tmp_path):
    path, data = tmp_path / "model.json", nasty_names().to_json().rstrip().encode()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(ModelFileError):
            clearwood.load(path)


@pytest.mark.parametrize("name", ["binary", "many_branches", "nasty_names", "ordinal"])
def test_of_2500_random_byte_flips_each_is_refused_or_changes_nothing(name, tmp_path):
    tree, path = TREES[name](), tmp_path / "model.json"
    data, rng = tree.to_json().encode(), np.random.default_rng(1)
    n_read = 0
    for _ in range(2500):
        flipped = bytearray(data)
        flipped[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        path.write_bytes(flipped)
        try:
            again = clearwood.load(path)
        except ClearwoodError:
            continue
        n_read += 1
        assert again == tree
    assert n_read < 250  # white space, mostly


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.just([]), st.just({}), st.lists(st.integers(-2, 9), max_size=4),
)  # fmt: skip


def places(value, way=()):
    """Every way to a member of a document."""
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for step, member in entries:
        yield (*way, step)
        yield from places(member, (*way, step))


@given(data=st.data(), name=st.sampled_from(["binary", "many_branches", "nasty_names"]))
def test_any_member_replaced_gives_words_or_a_tree_that_passes_its_self_test(data, name):
    document = json.loads(TREES[name]().to_json())
    way = data.draw(st.sampled_from(sorted(places(document), key=str)))
    set_at(document, way, data.draw(VALUES))
    try:
        tree = Tree.from_json(with_digest(document))
    except ModelFileError:
        return
    assert Tree.from_json(tree.to_json()) == tree


def test_a_schema_with_an_unknown_keyword_is_an_error_not_a_hole():
    with pytest.raises(KeyError, match="maxLength"):
        compiled({"type": "string", "maxLength": 3})


def test_a_mismatch_names_the_way_to_it():
    check = compiled({"type": "object", "properties": {"a": {"items": {"type": "integer"}}}})
    with pytest.raises(Mismatch) as found:
        check({"a": [1, 2, "x"]})
    assert found.value.place == "a[2]"
    with pytest.raises(Mismatch) as found:
        check([])
    assert found.value.place == "the document"
