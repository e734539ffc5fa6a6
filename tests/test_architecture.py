"""The layers hold: who imports whom, what the core knows, how large a file may grow."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared_data import ROOT

PACKAGE = ROOT / "src" / "clearwood"
FILES = sorted(PACKAGE.rglob("*.py"))
CPP_FILES = sorted((ROOT / "cpp").rglob("*.[ch]pp"))
EVERY_FILE = [*FILES, *CPP_FILES, *sorted((ROOT / "bindings").glob("*.[ch]pp"))]

# Imports go down this list only, never sideways.
LEVELS = [
    {"errors", "_typing", "_core", "_progress"},
    {"table"},
    {"noise"},
    {"tree"},
    {"growing", "pruning", "metrics"},
    {"estimators"},
    {"study", "report", "export"},
    {"app"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}

# Packages that cost much to import, or belong to one layer, and where they may be imported.
ANYWHERE_IN = {
    "sklearn": {"estimators", "metrics"},
    "pandas": {"table"},
    "polars": {"table"},
    "pyarrow": {"table"},
    "typer": {"cli"},
    "rich": {"cli", "_progress"},
}
AT_MODULE_LEVEL_IN = {"sklearn": {"estimators"}, "pandas": set(), "polars": set(), "pyarrow": set()}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part(path: Path) -> str:
    """Name in `LEVELS` of the layer that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules(node: ast.AST, path: Path) -> list[str]:
    """Full names of what an import statement may load; empty for any other node."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    here = ["clearwood", *path.relative_to(PACKAGE).parts[:-1]]
    base = here[: len(here) - node.level + 1] if node.level else []
    source = ".".join([*base, *([node.module] if node.module else [])])
    return [f"{source}.{alias.name}" if source == "clearwood" else source for alias in node.names]


def imports(path: Path) -> list[str]:
    return [name for node in ast.walk(ast.parse(path.read_text())) for name in modules(node, path)]


def imports_at_module_level(path: Path) -> list[str]:
    return [name for node in outside_functions(path) for name in modules(node, path)]


def outside_functions(path: Path) -> Iterator[ast.AST]:
    open_nodes: list[ast.AST] = [ast.parse(path.read_text())]
    while open_nodes:
        node = open_nodes.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            open_nodes.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_imports_go_down_the_levels_only(path):
    here = part(path)
    if here == "__init__":
        return
    assert here in LEVEL, f"{here} has no level: give it one in LEVELS and in architecture.md"
    for name in imports(path):
        top, _, rest = name.partition(".")
        there = rest.partition(".")[0]
        if top != "clearwood" or there in {here, "__version__"}:
            continue
        assert there in LEVEL, f"{name}: import a name from the module that defines it"
        assert LEVEL[there] < LEVEL[here], f"{here} may not import {there}"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_costly_packages_are_imported_only_in_their_layer(path):
    for name in imports(path):
        top = name.partition(".")[0]
        assert part(path) in ANYWHERE_IN.get(top, {part(path)}), f"{top} does not belong here"
    for name in imports_at_module_level(path):
        top = name.partition(".")[0]
        assert part(path) in AT_MODULE_LEVEL_IN.get(top, {part(path)}), (
            f"import {top} inside the function that needs it"
        )


@pytest.mark.parametrize("path", CPP_FILES, ids=relative)
def test_the_core_knows_no_python(path):
    included = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', path.read_text(), re.MULTILINE)
    assert [name for name in included if re.match(r"Python\.h|nanobind|pybind11|numpy", name)] == []


@pytest.mark.parametrize("path", EVERY_FILE, ids=relative)
def test_a_file_is_one_role_and_not_longer_than_that_needs(path):
    limit = 400 if path.suffix == ".py" else 300
    assert len(path.read_text().splitlines()) <= limit, "split it by role"


def statement_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the `def` to the end, the docstring not counted."""
    first = function.body[0]
    docstring = (
        first.end_lineno - first.lineno + 1 if ast.get_docstring(function) is not None else 0
    )
    return function.end_lineno - function.lineno + 1 - docstring


def only_stores_parameters(node):
    """A constructor as scikit-learn wants it: a list of ``self.name = name`` and nothing else."""
    return node.name == "__init__" and all(
        isinstance(line, ast.Assign)
        and isinstance(line.value, ast.Name)
        and isinstance(line.targets[0], ast.Attribute)
        and line.targets[0].attr == line.value.id
        for line in node.body
    )


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_function_fits_on_a_screen(path):
    long = [
        f"{node.name}: {statement_lines(node)} lines"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and statement_lines(node) > 40
        and not only_stores_parameters(node)
    ]
    assert long == []


def new_modules(statement: str) -> set[str]:
    """Modules that a statement loads in an interpreter of its own."""
    code = (
        f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_clearwood_loads_a_few_modules_of_the_standard_library_only():
    loaded = new_modules("import clearwood")
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert foreign == {"clearwood"}
    assert len(loaded) <= 30


def test_a_submodule_is_an_attribute_without_an_import_of_its_own():
    assert "clearwood.errors" in new_modules("import clearwood; clearwood.errors.TableError")
