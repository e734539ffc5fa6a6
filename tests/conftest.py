"""Settings of every test: no deadlines (nothing is timed), the same examples on each CI run."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "clearwood",
    deadline=None,
    derandomize="CI" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("clearwood")
