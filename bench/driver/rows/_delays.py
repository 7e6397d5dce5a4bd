# SPDX-License-Identifier: MIT
"""What the three measurements of delayed answers share."""

from bench import load
from goal import BEST_PEER, Goal
from rows._servers import everybody as subjects

FIGURES = {"p50_ms": ("p50 late, ms", 2), "p99_ms": ("p99 late, ms", 2),
           "max_ms": ("max, ms", 1), "lost": ("lost", 0),
           "smallest_ms": ("smallest lateness, ms", 3)}


def goals(of_nginx, of_best_peer, *more):
    return [
        Goal("never early: smallest lateness, ms", "smallest_ms", at_least=0, every=True),
        Goal("clients lost", "lost", at_most=0, every=True),
        Goal("p99 lateness, of nginx's", "p99_ms", at_most=of_nginx, to="nginx"),
        Goal("p99 lateness, of the best peer's", "p99_ms", at_most=of_best_peer, to=BEST_PEER),
        *more,
    ]


def measure_delays(process, path, clients, delay_ms, spread_ms):
    result = load("delays", "--port", process.port, "--path", path, "--clients", clients,
                  "--delay-ms", delay_ms, "--spread-ms", spread_ms, "--patience-ms", 5000)
    late = result["late_us"]

    def milliseconds(value):
        return None if value is None else value / 1000

    return {"p50_ms": milliseconds(late["p50"]), "p99_ms": milliseconds(late["p99"]),
            "max_ms": milliseconds(late["max"]), "lost": result["lost"],
            "smallest_ms": milliseconds(result["smallest_lateness_us"])}


__all__ = ["FIGURES", "Goal", "goals", "measure_delays", "subjects"]
