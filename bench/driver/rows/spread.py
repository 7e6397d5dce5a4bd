# SPDX-License-Identifier: MIT
from rows._delays import FIGURES, Goal, goals, measure_delays, subjects

NAME = "spread"
ABOUT = "5,000 clients spread over 5 s, each answer delayed by 100 ms"
KEEPS_SERVERS = True
GOALS = goals(0.5, 1 / 40, Goal("p99 lateness, ms", "p99_ms", at_most=0.5))


def measure(bench, subject, process):
    clients = 2500 if bench.quick else 5000
    return measure_delays(process, "/delay100", clients=clients, delay_ms=100, spread_ms=clients)
