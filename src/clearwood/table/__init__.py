"""DATA: what a table is, how one is read from memory or from a file, and what users wish of it."""

from clearwood.table.column import Column, Feature
from clearwood.table.datasets import Dataset, load_heart_disease
from clearwood.table.files import read_file
from clearwood.table.frames import encode_table, read_table
from clearwood.table.labels import read_labels, read_weights
from clearwood.table.table import Table

__all__ = [
    "Column",
    "Dataset",
    "Feature",
    "Table",
    "encode_table",
    "load_heart_disease",
    "read_file",
    "read_labels",
    "read_table",
    "read_weights",
]
