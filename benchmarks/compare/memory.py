"""Memory that a fit takes beyond its data, measured in a fresh process.

Run as a script it fits one learner to arrays on disk and prints the extra bytes: the largest
resident size of the process less the size just before the fit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.compare.learners import LEARNERS
from benchmarks.compare.shapes import Data, shape


def extra_bytes(name: str, data: Data, depth: int | None) -> int:
    """Extra memory of one fit of a learner, in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "X.npy"), data.X)
        np.save(Path(folder, "y.npy"), data.y)
        command = [sys.executable, "-m", __spec__.name, name, folder, str(depth or 0)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the fit of {name} failed: {done.stderr.strip()[-500:]}")
    return int(done.stdout.split()[-1])


def status_bytes(entry: str) -> int:
    """A size of this process: VmRSS now, VmHWM at its largest.

    Not `ru_maxrss`, in which a new process begins with the size of the one that started it.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    size = next(line.split()[1] for line in lines if line.startswith(entry))
    return int(size) * 1024


def main(name: str, folder: str, depth: str) -> None:
    X, y = np.load(Path(folder, "X.npy")), np.load(Path(folder, "y.npy"))
    # A fit to a few rows first: what the libraries load on their first call is no memory of a fit.
    small = shape("a2")
    warm = LEARNERS[name](3, small)
    warm.fit(warm.ready(small.X), small.y)
    learner = LEARNERS[name](int(depth) or None, Data(X, y, X[:1], y[:1]))
    table = learner.ready(X)
    before = status_bytes("VmRSS")
    learner.fit(table, y)
    print(status_bytes("VmHWM") - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
