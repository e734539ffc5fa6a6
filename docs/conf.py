"""How Sphinx builds the documentation: `make docs`. Nothing is fetched from anywhere."""

import inspect
from functools import cached_property
from importlib import import_module

import clearwood

# Modules whose classes have pages.
MODULES = [
    "clearwood",
    "clearwood.errors",
    "clearwood.growing",
    "clearwood.metrics",
    "clearwood.noise",
    "clearwood.pruning",
    "clearwood.table",
    "clearwood.tree.conditions",
    "clearwood.tree.evaluation",
    "clearwood.tree.nodes",
    "clearwood.tree.paths",
    "clearwood.tree.rules",
]


def properties(found: type) -> list[str]:
    """Public properties of a class; fitted attributes stand in its docstring."""
    return [
        name
        for name in dir(found)
        if isinstance(inspect.getattr_static(found, name), property | cached_property)
        and not (name.startswith("_") or name.endswith("_"))
    ]


def properties_by_class() -> dict[str, list[str]]:
    """Properties of every class with a page, by its full name."""
    modules = {name: import_module(name) for name in MODULES}
    return {
        f"{module_name}.{name}": properties(value)
        for module_name, module in modules.items()
        for name in dir(module)
        if inspect.isclass(value := getattr(module, name))
    }


project = "clearwood"
author = "the clearwood authors"
copyright = f"2026, {author}"
version = release = clearwood.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
templates_path = ["_templates"]
exclude_patterns = ["_templates", "gallery/*.ipynb"]
language = "en"
default_role = "py:obj"  # a name in a docstring links to its page, where it has one
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_context = {"properties": properties_by_class()}
autodoc_typehints = "none"  # numpydoc sections already say the types
numpydoc_show_class_members = False  # the templates list them, one page a class

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "capture_repr": ("_repr_html_", "__str__"),
    "image_scrapers": (),  # the pictures are SVG that a tree gives; matplotlib is not needed
    "reset_modules": (),
    "download_all_examples": False,
    "remove_config_comments": True,
    "write_computation_times": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "clearwood"
html_static_path = ["_static"]
html_css_files = ["clearwood.css"]
html_sidebars = {"glossary": []}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "clearwood"},
    "navbar_align": "left",
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
