"""Charts of numbers about trees, in Altair (the extra ``clearwood[plots]``)."""

from clearwood.report.charts.calibration import calibration_chart
from clearwood.report.charts.cutting_planes import cutting_planes_chart
from clearwood.report.charts.decision import decision_curve_chart
from clearwood.report.charts.output import chart_html, chart_pdf, chart_png, chart_svg
from clearwood.report.charts.risk_curves import (
    gains_chart,
    lift_chart,
    precision_recall_chart,
    roc_chart,
)
from clearwood.report.charts.size_error import size_error_chart

__all__ = [
    "calibration_chart",
    "chart_html",
    "chart_pdf",
    "chart_png",
    "chart_svg",
    "cutting_planes_chart",
    "decision_curve_chart",
    "gains_chart",
    "lift_chart",
    "precision_recall_chart",
    "roc_chart",
    "size_error_chart",
]
