"""PAGES: a tree and what is known of it as files that people open."""

from clearwood.report.page import page, write_page

__all__ = ["page", "write_page"]
