# SPDX-License-Identifier: MIT
from rows._delays import FIGURES, goals, measure_delays, subjects

NAME = "instant"
ABOUT = "5,000 clients ask at one instant, each answer delayed by 100 ms"
KEEPS_SERVERS = True
GOALS = goals(0.3, 1 / 40)


def measure(bench, subject, process):
    return measure_delays(process, "/delay100", clients=5000, delay_ms=100, spread_ms=0)
