# SPDX-License-Identifier: MIT
from rows._delays import FIGURES, goals, measure_delays, subjects

NAME = "held"
ABOUT = "5,000 clients held together for 2 s; they come within 1.9 s, so that all wait at once"
KEEPS_SERVERS = True
GOALS = goals(0.5, 1 / 40)


def measure(bench, subject, process):
    return measure_delays(process, "/delay2000", clients=5000, delay_ms=2000, spread_ms=1900)
