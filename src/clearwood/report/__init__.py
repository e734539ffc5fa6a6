"""PAGES: a tree and what is known of it as files that people open."""

from clearwood.report.charts import chart_svg, size_error_chart
from clearwood.report.page import page, write_page

__all__ = ["chart_svg", "page", "size_error_chart", "write_page"]
