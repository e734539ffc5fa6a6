"""Alternating measurements: A B A B ..., so that a slow spell of the machine hits all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any


class Times:
    """Seconds of repeated calls of one thing."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def take(self, call: Callable[[], Any]) -> None:
        started = time.perf_counter()
        call()
        self.seconds.append(time.perf_counter() - started)

    @property
    def least(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def alternate(
    calls: Mapping[str, Callable[[], Any]], reps: int, budget_s: float = float("inf")
) -> dict[str, Times]:
    """Times of each call, taken in turn, after one round that warms up.

    A call that has used up `budget_s` is not repeated; if it did so in the first round, that
    round counts.
    """
    times = {name: Times() for name in calls}
    for name, call in calls.items():
        times[name].take(call)
    for name, first in times.items():
        if first.least < budget_s:
            times[name] = Times()
    for _ in range(reps):
        for name, call in calls.items():
            if sum(times[name].seconds) < budget_s:
                times[name].take(call)
    return times
