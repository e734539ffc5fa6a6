"""PAGES: a tree and what is known of it as files that people open."""

from clearwood.report.charts import (
    calibration_chart,
    chart_html,
    chart_pdf,
    chart_png,
    chart_svg,
    cutting_planes_chart,
    decision_curve_chart,
    gains_chart,
    lift_chart,
    precision_recall_chart,
    roc_chart,
    size_error_chart,
)
from clearwood.report.linked_page import chain_page, write_chain_page
from clearwood.report.page import page, write_page

__all__ = [
    "calibration_chart",
    "chain_page",
    "chart_html",
    "chart_pdf",
    "chart_png",
    "chart_svg",
    "cutting_planes_chart",
    "decision_curve_chart",
    "gains_chart",
    "lift_chart",
    "page",
    "precision_recall_chart",
    "roc_chart",
    "size_error_chart",
    "write_chain_page",
    "write_page",
]
