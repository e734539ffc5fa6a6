"""Charts of risk tables: what each point says, what links them, that labels never collide."""

import json
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ParameterError
from clearwood.metrics import decision_curve, lift_curve, risk_table, roc_curve
from clearwood.report import (
    calibration_chart,
    chart_html,
    chart_pdf,
    chart_png,
    chart_svg,
    decision_curve_chart,
    gains_chart,
    lift_chart,
    precision_recall_chart,
    roc_chart,
)
from clearwood.report.charts.labels import place, shortened
from clearwood.report.charts.look import FONT_SIZE
from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf
from clearwood.tree.drawing.typeset import text_width

CHARTS = [
    roc_chart, gains_chart, lift_chart, precision_recall_chart, calibration_chart,
    decision_curve_chart,
]  # fmt: skip
FEATURES = [
    Feature("systolic_blood_pressure", "numeric", unit="mmHg"),
    Feature("mean arterial pressure", "numeric", unit="mmHg"),
    Feature("age", "numeric"),
]


def chain(n_steps, slope=1.0):
    """A chain whose risks rise from step to step."""

    def rest(step):
        n = 100 + 10 * (n_steps - step)
        events = round(n * slope * (0.02 + 0.7 * step / n_steps))
        here = leaf([n - events, events])
        if step == n_steps:
            return here
        return cut(FEATURES[step % 3].name, 200.5 - step, rest(step + 1), here)

    return build(rest(1), FEATURES, ["well", "ill"])


FOUR = risk_table(chain(4))
ROWS = pd.DataFrame(
    {
        "systolic_blood_pressure": [150.0, 250, 150, 150, 250, 150],
        "mean arterial pressure": [100.0, 100, 250, 100, 100, 100],
        "age": [50.0, 50, 50, 250, 250, 50],
    }
)
HELD_OUT = risk_table(chain(4), ROWS, ["ill", "well", "well", "ill", "well", "ill"])


def values(content, layer):
    """The records of a layer, wherever Altair keeps them."""
    data = layer["data"]
    return data["values"] if "values" in data else content["datasets"][data["name"]]


def points(chart):
    """The records of the vertices, by the layer that has a tooltip."""
    content = chart.to_dict()
    (layer,) = [part for part in content["layer"] if "tooltip" in part["encoding"]]
    return values(content, layer)


def test_every_vertex_of_the_roc_chart_says_its_rule_and_its_measures():
    drawn = points(roc_chart(FOUR))
    assert [point["rule"] for point in drawn] == ["step-4", "step-3", "step-2", "step-1"]
    for point, vertex in zip(drawn, roc_curve(FOUR).vertices[1:], strict=True):
        assert (point["x"], point["y"]) == (vertex.x, vertex.y)
        assert point["text"] == vertex.stratum.rule
        assert (point["n"], point["n_events"]) == (vertex.stratum.n, vertex.stratum.n_events)
    found = FOUR.strata[1].flagged.sensitivity
    assert drawn[1]["sensitivity"] == (
        f"{100 * found.value:.1f} % ({100 * found.lower:.1f}–{100 * found.upper:.1f})"
    )
    assert {"specificity", "ppv", "npv", "observed", "predicted"} <= set(drawn[1])


@pytest.mark.parametrize("chart", CHARTS)
def test_every_chart_draws_two_and_twenty_steps(chart):
    for table in (risk_table(chain(2)), risk_table(chain(20))):
        rules = {point["rule"] for point in points(chart(table))}
        assert rules <= {stratum.rule_id for stratum in table}
        assert len(rules) == len(table) or chart is decision_curve_chart
        assert "<svg" in chart_svg(chart(table))


@pytest.mark.parametrize("chart", CHARTS)
def test_training_and_held_out_rows_are_told_apart_by_words_and_by_shape(chart):
    content = chart({"training": FOUR, "held-out": HELD_OUT}).to_dict()
    (layer,) = [part for part in content["layer"] if "tooltip" in part["encoding"]]
    names = layer["encoding"]["shape"]["scale"]["domain"]
    assert names[0].startswith("training rows (optimistic)")
    assert names[1].startswith("held-out rows")
    assert len(set(layer["encoding"]["shape"]["scale"]["range"])) == 2
    assert len(set(layer["encoding"]["color"]["scale"]["range"])) == 2


def test_lines_of_two_series_differ_in_their_dashes():
    lines = [
        layer["mark"]["strokeDash"]
        for layer in roc_chart({"a": FOUR, "b": HELD_OUT}).to_dict()["layer"]
        if layer["mark"]["type"] == "line" and layer["mark"].get("strokeWidth") == 1.8
    ]
    assert len(lines) == 2
    assert lines[0] != lines[1]


def test_legend_gives_auc_with_interval_and_where_the_rows_come_from():
    content = roc_chart({"chain": HELD_OUT}).to_dict()
    assert f"chain, held-out rows: AUC {HELD_OUT.auc}" in json.dumps(content)


@pytest.mark.parametrize("chart", CHARTS)
def test_a_linked_chart_has_the_params_that_light_rules(chart):
    content = chart(FOUR, linked=True).to_dict()
    params = {param["name"]: param for param in content["params"]}
    assert set(params) == {"hover", "hot"}
    assert params["hover"]["select"]["fields"] == ["rule"]
    assert params["hot"]["value"] == ""
    assert '"test": "datum.rule === hot"' in json.dumps(content)
    assert "params" not in chart(FOUR).to_dict()


def test_lift_between_two_vertices_is_that_of_flagging_a_part_at_random():
    content = lift_chart(FOUR).to_dict()
    (line,) = [
        values(content, layer)
        for layer in content["layer"]
        if layer["mark"].get("strokeWidth") == 1.8
    ]
    first, second = lift_curve(FOUR).vertices[1:3]
    middle = next(point for point in line if point["x"] == pytest.approx((first.x + second.x) / 2))
    gain = (first.x * first.y + second.x * second.y) / 2
    assert middle["y"] == pytest.approx(gain / middle["x"])


def test_decision_curve_has_a_point_where_another_stratum_is_the_last_flagged():
    curve = decision_curve(FOUR)
    changes = [
        threshold
        for threshold, before, here in zip(
            curve.thresholds, [None, *curve.last_flagged], curve.last_flagged, strict=False
        )
        if here is not None and here is not before
    ]
    assert [point["x"] for point in points(decision_curve_chart(FOUR))] == changes


def test_thresholds_may_come_in_any_order():
    up, down = (points(decision_curve_chart(FOUR, thresholds=p)) for p in ([0.1, 0.5], [0.5, 0.1]))
    assert up == down
    assert [point["rule"] for point in up] == ["step-1", "step-3"]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_table_without_rows_stands_beside_another(chart):
    empty = build(cut("age", 5, leaf([0, 0]), leaf([0, 0])), FEATURES, ["well", "ill"])
    drawn = chart({"none": risk_table(empty), "four": FOUR})
    assert "<svg" in chart_svg(drawn)
    assert headed(drawn)[1][0].endswith("no curve, because there are no rows.")


def test_a_table_without_events_still_gives_a_chart():
    none = risk_table(build(cut("age", 5, leaf([3, 0]), leaf([4, 0])), FEATURES, ["well", "ill"]))
    for chart in CHARTS:
        assert "<svg" in chart_svg(chart(none))


def test_what_is_no_table_and_too_many_tables_are_refused():
    with pytest.raises(ParameterError, match=r"tables must be a RiskTable .* got Tree"):
        roc_chart(chain(2))
    with pytest.raises(ParameterError, match="tables must be 1 to 8 tables, got 9"):
        roc_chart({str(k): FOUR for k in range(9)})


def headed(chart):
    """Title of a chart and the lines below it."""
    title = chart.to_dict()["title"]
    return (title, []) if isinstance(title, str) else (title["text"], title["subtitle"])


@pytest.mark.parametrize("chart", CHARTS)
def test_every_chart_names_its_event_and_refuses_to_mix_two(chart):
    assert headed(chart(FOUR)) == ("Event: ill (the last class)", [])
    named = risk_table(chain(4), event="well")
    assert headed(chart(named, title="Who stays?")) == ("Who stays?", ["Event: well"])
    with pytest.raises(ParameterError, match=r"one event, got 'ill' in 'a' and 'well' in 'b'"):
        chart({"a": FOUR, "b": named})


def divided():
    """A table of which two of six rows are shared out, so that the model orders otherwise."""
    root = cut(
        "age", 60, cut("systolic_blood_pressure", 100, leaf([5, 5]), leaf([9, 1])), leaf([4, 16]),
        missing=(0.6, 0.4),
    )  # fmt: skip
    X = pd.DataFrame({
        "age": [np.nan, 50, 70, np.nan, 50, 70], "mean arterial pressure": 1.0,
        "systolic_blood_pressure": [90.0, 90, 90, 150, 150, 150],
    })  # fmt: skip
    tree = build(root, FEATURES, ["well", "ill"])
    return risk_table(tree, X, ["ill", "well", "ill", "ill", "well", "well"], event="ill")


@pytest.mark.parametrize("chart", CHARTS)
def test_charts_say_how_many_rows_were_divided(chart):
    (_, notes) = headed(chart({"here": divided()}, width=900))
    assert notes[0] == (
        "here, held-out rows: 2 of 6 rows were divided among leaves (missing values, noise or "
        "witnesses); each counts in the stratum of its largest share."
    )


def test_roc_chart_tells_the_area_of_the_model_from_that_of_the_strata():
    table = divided()
    assert table.auc.value != table.strata_auc.value
    chart = roc_chart(table, width=900)
    assert f"held-out rows: AUC {table.auc} of the model's risks" in json.dumps(chart.to_dict())
    assert headed(chart)[1][-1] == (
        f"held-out rows: AUC of the strata that are drawn {table.strata_auc}."
    )


def test_a_chart_without_a_curve_says_why():
    none = risk_table(build(cut("age", 5, leaf([3, 0]), leaf([4, 0])), FEATURES, ["well", "ill"]))
    all_ill = risk_table(build(cut("age", 5, leaf([0, 3]), leaf([0, 4])), FEATURES, ["no", "ill"]))
    told = headed(roc_chart(none))[1]
    assert told == ["training rows (optimistic): no curve, because no row has the event."]
    assert headed(roc_chart(all_ill))[1][0].endswith("no curve, because every row has the event.")
    assert headed(calibration_chart(none))[1] == []


def test_lines_of_flagging_all_are_one_where_they_nearly_agree_and_else_have_names():
    def words(tables):
        layers = decision_curve_chart(tables).to_dict()["layer"]
        marks = [layer["mark"] for layer in layers if layer["mark"]["type"] == "text"]
        return sorted({mark["text"] for mark in marks if "flag" in str(mark.get("text"))})

    def dashed(tables):
        layers = decision_curve_chart(tables).to_dict()["layer"]
        return sum(layer["mark"].get("strokeDash") == [3, 3] for layer in layers)

    near = risk_table(chain(4, slope=1.005))
    assert near.prevalence.value != FOUR.prevalence.value
    assert words({"a": FOUR, "b": near}) == ["flag all", "flag none"]
    assert dashed({"a": FOUR, "b": near}) == 2
    far = {"a": FOUR, "b": risk_table(chain(4, slope=0.8)), "c": near}
    assert words(far) == ["flag all: a, c", "flag all: b", "flag none"]
    assert dashed(far) == 3


def test_decision_curve_has_its_interval_behind_it():
    content = decision_curve_chart(FOUR).to_dict()
    (band,) = [layer for layer in content["layer"] if layer["mark"]["type"] == "area"]
    curve = decision_curve(FOUR)
    drawn = [(end["x"], end["y"], end["y2"]) for end in values(content, band)]
    assert drawn == list(zip(curve.thresholds, curve.lower, curve.upper, strict=True))
    assert band["mark"]["opacity"] < 0.2


def test_the_rule_of_a_point_in_the_corner_is_written_where_there_is_room():
    curve = [(0.0, 400.0), (60.0, 150.0), (260.0, 30.0), (400.0, 0.0)]
    rules = ["otherwise", "exang is no", 'cp is "atypical angina"']
    numbers = ["3", "2", "1"]
    found = place(curve[1:], numbers, rules, [curve], [[(0, 400), (400, 0)]], (400, 400))
    assert [label.text for label in found] == [
        "3: otherwise", "2: exang is no", '1: cp is "atypical angina"',
    ]  # fmt: skip


def test_what_is_no_chart_is_refused():
    for write in (chart_svg, chart_png, chart_pdf, chart_html):
        with pytest.raises(ParameterError, match=r"chart must be an Altair chart, .* got str"):
            write("x")


def box(label):
    return label.left, label.middle - FONT_SIZE / 2, label.right, label.middle + FONT_SIZE / 2


def test_labels_cover_neither_one_another_nor_a_point_and_stay_inside():
    random = np.random.default_rng(1)
    for n in (2, 5, 20, 60):
        xy = np.sort(random.random((n, 2)), axis=0) * 400
        line = [(float(x), float(y)) for x, y in xy]
        texts = ["a rather long rule of a column > 118.5 mmHg"] * n
        labels = place(line, [str(k) for k in range(n)], texts, [line], [], (400, 400))
        assert n > 20 or len(labels) >= n / 2
        for one, two in combinations(map(box, labels), 2):
            assert one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]
        for left, top, right, bottom in map(box, labels):
            assert left >= 0
            assert top >= 0
            assert right <= 400
            assert bottom <= 400
            assert not any(left < x < right and top < y < bottom for x, y in line)


def test_a_shortened_rule_keeps_its_threshold_or_is_left_out():
    rule = "mean_arterial_pressure_last_12_h > 73.25 mmHg"
    short = shortened(rule, 150)
    assert short.startswith("mean")
    assert short.endswith("… > 73.25 mmHg")
    assert text_width(short, FONT_SIZE) <= 150
    assert shortened(rule, 90) == ""
    assert shortened(rule, 1000) == rule
    assert shortened('ward in {"coronary care", "surgical"}', 100).endswith("…")


def test_a_page_holds_its_chart_and_lets_nothing_else_in():
    page = chart_html(roc_chart(FOUR), title="ROC of <chain>")
    assert "<title>ROC of &lt;chain&gt;</title>" in page
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    spec = re.search(r'id="spec">\n(.*?)\n</script>', page, re.DOTALL)[1]
    assert "<" not in spec
    assert json.loads(spec)["config"]
    assert not re.search(r'(src|href)="http', page)


def test_svg_is_the_same_however_many_charts_were_drawn_before():
    assert chart_svg(lift_chart(FOUR)) == chart_svg(lift_chart(FOUR))


def test_charts_become_png_and_pdf():
    assert chart_png(roc_chart(FOUR)).startswith(b"\x89PNG")
    assert chart_pdf(roc_chart(FOUR)).startswith(b"%PDF")
