"""Cuts for several alphas over two columns: how pure sides are, where labels stand, bad input."""

import json

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ColumnNotFound, ParameterError
from clearwood.report import chart_svg, cutting_planes_chart
from clearwood.report.charts.cut_labels import CutLine, label_places
from unit.test_report_risk_charts import values

PLANES = pd.DataFrame({"sbp": [80.0, 90, 100, 110, 120, np.nan], "hr": [50.0, 60, 70, 80, 90, 1]})
SHOCK = ["yes", "yes", "no", "yes", "no", "no"]


def test_cutting_planes_say_how_pure_both_sides_are():
    chart = cutting_planes_chart(
        PLANES,
        SHOCK,
        columns=("sbp", "hr"),
        cuts={64: ("sbp", 110), 1: ("sbp", 95), 2: ("sbp", 95), 8: ("hr", 75)},
    )
    content = chart.to_dict()
    (cuts,) = [layer for layer in content["layer"] if layer["mark"]["type"] == "rule"]
    assert [record["cut"] for record in values(content, cuts)] == [
        "α = 1, 2: sbp <= 95: events 100.0 % of 2; above 33.3 % of 3",
        "α = 8: hr <= 75: events 50.0 % of 4; above 50.0 % of 2",
        "α = 64: sbp <= 110: events 75.0 % of 4; above 0.0 % of 1",
    ]
    assert "<svg" in chart_svg(chart)
    (scatter,) = [
        values(content, layer) for layer in content["layer"] if layer["mark"]["type"] == "point"
    ]
    assert len(scatter) == 5
    assert {record["class"] for record in scatter} == {"event: yes", "no event"}


def test_cutting_planes_take_places_in_an_array_and_thin_out_many_rows():
    random = np.random.default_rng(0)
    X, y = random.random((9000, 3)), np.arange(9000) % 2
    content = cutting_planes_chart(X, y, columns=(2, 0), cuts={1: (2, 0.5)}, event=0).to_dict()
    (scatter,) = [
        values(content, layer) for layer in content["layer"] if layer["mark"]["type"] == "point"
    ]
    assert len(scatter) == 1800
    low = X[:, 2] <= 0.5
    assert f"events {100 * np.mean(y[low] == 0):.1f} % of {low.sum()}" in json.dumps(content)


def test_cutting_planes_refuse_what_is_not_there():
    cuts = {1: ("sbp", 95)}
    with pytest.raises(ColumnNotFound, match="sbq"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbq", "hr"), cuts=cuts)
    with pytest.raises(
        ParameterError, match=r"cuts must be of the columns .sbp. and .hr., got .ef."
    ):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "hr"), cuts={1: ("ef", 3)})
    with pytest.raises(ParameterError, match="cuts must be 1 to 8 cuts, got 0"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "hr"), cuts={})
    for wrong, message in {
        (1.0, ("sbp", np.nan)): "cuts must have numbers as thresholds, got nan for alpha 1",
        (1.0, ("sbp", "95")): "cuts must have numbers as thresholds, got '95' for alpha 1",
        ("x", ("sbp", 95)): "alpha, the key of each of cuts, must be a number, got 'x'",
        (2, "sbp"): r"cuts must give \(column, threshold\) of each alpha, got 'sbp' for alpha 2",
    }.items():
        with pytest.raises(ParameterError, match=message):
            cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "hr"), cuts=dict([wrong]))
    with pytest.raises(ParameterError, match=r"cuts must be a mapping of alpha .* got a list"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "hr"), cuts=[(1, "sbp", 3)])
    with pytest.raises(ParameterError, match=r"columns must be two columns, .* got \('sbp',\)"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp",), cuts=cuts)
    with pytest.raises(ParameterError, match="two different columns, got 'sbp' twice"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "sbp"), cuts=cuts)
    with pytest.raises(ParameterError, match="event one of them, got 'maybe'"):
        cutting_planes_chart(PLANES, SHOCK, columns=("sbp", "hr"), cuts=cuts, event="maybe")


def test_labels_of_close_cuts_cross_no_line():
    domains, size = [(40.0, 160.0), (0.0, 10.0)], (460, 420)

    def placed(axis, *cuts):
        lines = [CutLine(axis, at, alphas, "") for at, alphas in cuts]
        return {label.line.alphas: label for label in label_places(lines, domains, size)}

    close = placed(0, (100, "α = 1, 2, 4"), (106, "α = 16"), (103, "α = 128"))
    assert set(close) == {"α = 1, 2, 4", "α = 16"}  # the one between them has no room
    assert close["α = 1, 2, 4"].right == 230 - 4  # pixel of 100
    assert close["α = 16"].left == pytest.approx(253 + 4)
    assert placed(0, (158, "α = 1"))["α = 1"].align == "right"  # else it would leave the plot
    assert placed(0, (60, "α = 1"))["α = 1"].align == "left"
    level = placed(1, (5.0, "α = 1"), (5.1, "α = 2"))
    assert level["α = 1"].middle == 210 + 9
    assert level["α = 2"].middle == pytest.approx(420 - 51 * 4.2 - 9)
