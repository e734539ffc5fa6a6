# Every target sets itself up in .venv: a C++20 compiler, make and Python 3.11 or newer are enough.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -q
export PATH := $(CURDIR)/$(BIN):$(PATH)

# The preset that the C++ tests are built with; `strict` makes warnings errors.
PRESET ?= default
# Two processes, each test file in one of them.
PYTEST_ARGS ?= -n 2 --dist loadfile
# What runs under the sanitizers in Python.
ASAN_TESTS ?= tests/properties

.PHONY: demo test test-cpp lint format stubs docs bench golden paper asan tsan wheel clean
.DELETE_ON_ERROR:

demo: $(VENV)/.installed
	clearwood demo --force

test: $(VENV)/.installed test-cpp
	python -m pytest $(PYTEST_ARGS)

test-cpp: $(VENV)/.tools
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)
	ctest --preset $(PRESET)

lint: $(VENV)/.installed
	ruff check
	ruff format --check
	mypy

format: $(VENV)/.installed
	ruff check --fix
	ruff format

# The typed face of the compiled module; tests/test_stub.py holds the committed file to it.
stubs: $(VENV)/.installed
	python -m nanobind.stubgen -q -m clearwood._core -o src/clearwood/_core.pyi

# The site, in build/docs/index.html; every warning is an error.
docs: $(VENV)/.docs
	rm -rf docs/reference/generated  # pages of names that are gone would be warned of
	python -m sphinx -q -W --keep-going -b html docs build/docs

# Ratios to scikit-learn, and to ydf where it is installed, in one run; e.g. BENCH_ARGS="--shapes a1,b".
BENCH_ARGS ?=
bench: $(VENV)/.installed
	python -m benchmarks.compare $(BENCH_ARGS)

# Writes the golden files anew: read the difference before you commit it.
golden: $(VENV)/.installed
	CLEARWOOD_WRITE_GOLDEN=1 python -m pytest -q $(shell grep -rl assert_golden tests/unit)

# A slice of the published results, on the data sets beside the checkout.
paper: $(VENV)/.installed
	python -m pytest -m paper

asan: $(VENV)/.installed
	.ci/asan $(ASAN_TESTS)

tsan: $(VENV)/.tools
	cmake --preset tsan
	cmake --build --preset tsan
	ctest --preset tsan

# The package as a user gets it: built in isolation, installed in an environment of its own.
wheel:
	.ci/wheel "$(PY)"

clean:
	rm -rf build $(VENV)

# pip's own isolation would build the core anew each time; so the build tools live in .venv.
# scikit-build-core itself tells whether cmake and ninja are missing on this machine.
$(VENV)/.tools: pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name it: make PY=python3.12" >&2; exit 1; }
	$(PY) -m venv $(VENV)
	$(PIP) "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" "nanobind-backend>=1,<2"
	$(BIN)/python -c 'from scikit_build_core.build import get_requires_for_build_editable as missing; print(*missing(), sep="\n")' > $(VENV)/missing.txt
	$(PIP) -r $(VENV)/missing.txt
	touch $@

$(VENV)/.installed: $(VENV)/.tools CMakeLists.txt $(shell find cpp/include cpp/src bindings -type f)
	$(PIP) --no-build-isolation -e ".[test,dev]"
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(PIP) --no-build-isolation -e ".[docs]"
	touch $@
