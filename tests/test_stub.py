"""The committed stub is the face of the compiled module."""

import subprocess
import sys

from shared_data import ROOT


def test_committed_stub_is_what_the_compiled_module_gives(tmp_path):
    fresh = tmp_path / "_core.pyi"
    command = ["-m", "nanobind.stubgen", "-q", "-m", "clearwood._core", "-o", str(fresh)]
    subprocess.run([sys.executable, *command], check=True)
    committed = (ROOT / "src/clearwood/_core.pyi").read_text()
    assert committed == fresh.read_text(), "run `make stubs`"
