# SPDX-License-Identifier: MIT
"""A goal: a figure of one subject, alone or as a ratio to another's, with a bound."""

from dataclasses import dataclass
from statistics import median

BEST_PEER = "best peer"  # of the mock servers: nginx is no peer of theirs


@dataclass(frozen=True)
class Goal:
    text: str
    figure: str
    at_least: float | None = None
    at_most: float | None = None
    of: str = "retrylab"
    to: str | None = None  # another subject, or BEST_PEER: the ratio counts
    every: bool = False    # the worst round counts, not the median

    def value(self, figures):
        """In one round; nothing when a side is missing. `figures`: subject -> figure -> number."""
        own = figures.get(self.of, {}).get(self.figure)
        if self.to is None or own is None:
            return own
        other = self._other(figures)
        return None if not other else own / other

    def _other(self, figures):
        if self.to != BEST_PEER:
            return figures.get(self.to, {}).get(self.figure)
        peers = [values[self.figure] for subject, values in figures.items()
                 if subject not in (self.of, "nginx") and values.get(self.figure) is not None]
        if not peers:
            return None
        return max(peers) if self.at_least is not None else min(peers)

    def judge(self, rounds):
        """What the rounds say: (the value that counts, the least, the greatest, reached?)."""
        values = [value for value in map(self.value, rounds) if value is not None]
        if not values:
            return None
        counts = median(values)
        if self.every:
            counts = max(values) if self.at_most is not None else min(values)
        reached = counts >= self.at_least if self.at_least is not None else counts <= self.at_most
        return counts, min(values), max(values), reached
