# SPDX-License-Identifier: MIT
import time

from bench import Holding
from goal import Goal
from rows._servers import everybody as subjects

NAME = "idle"
ABOUT = "1,000 kept-alive connections that idle after an answer: the server's processor time"
FIGURES = {"core_percent": ("% of a core", 2), "kib_each": ("KiB each", 2),
           "lost": ("lost", 0)}
GOALS = [
    Goal("% of a core", "core_percent", at_most=1),
    Goal("connections lost", "lost", at_most=0, every=True),
]


def measure(bench, subject, process):
    before = process.memory_kib()
    with Holding("--port", process.port, "--path", "/json", "--clients", 1000,
                 "--answered") as holding:
        time.sleep(0.5)
        cpu, began = process.cpu_seconds(), time.monotonic()
        time.sleep(bench.seconds(4))
        share = (process.cpu_seconds() - cpu) / (time.monotonic() - began)
        memory = process.memory_kib() - before
    return {"core_percent": share * 100, "kib_each": memory / 1000,
            "lost": holding.result["lost"]}
