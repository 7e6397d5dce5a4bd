# SPDX-License-Identifier: MIT
from bench import BENCH, load
from goal import Goal
from rows._servers import everybody
from servers import retrylab
from turns import Subject

NAME = "memory"
ABOUT = "memory when idle and after 100,000 requests; what an attempt costs in the journal"
REQUESTS = 100_000
FIGURES = {"idle_mib": ("idle, MiB", 1), "after_mib": ("after 100,000 requests, MiB", 1),
           "bytes_each": ("bytes per attempt", 0), "last_of_first": ("speed of last tenth, of first's", 2)}
BOUNDED = "retrylab, journal of 10,000"
GOALS = [
    Goal("idle, MiB", "idle_mib", at_most=10),
    Goal("after 100,000 requests with a bounded journal, MiB", "after_mib", of=BOUNDED,
         at_most=16),
    Goal("bytes per small attempt", "bytes_each", at_most=512),
    Goal("speed of the last tenth, of the first's", "last_of_first", at_least=0.9),
]


def subjects(bench):
    bounded = retrylab(BENCH / "scenarios/bounded_journal.json", "bounded")
    return [*everybody(bench), Subject(BOUNDED, bounded)]


def measure(bench, subject, process):
    idle = process.memory_kib()
    tenths, memories = [], []
    for _ in range(10):
        result = load("throughput", "--port", process.port, "--path", "/json", "--requests",
                      REQUESTS // 10)
        tenths.append(result["per_second"])
        memories.append(process.memory_kib())
    return {
        "idle_mib": idle / 1024,
        "after_mib": memories[-1] / 1024,
        # The first tenth pays for what is allocated once.
        "bytes_each": (memories[-1] - memories[0]) * 1024 / (REQUESTS * 0.9),
        "last_of_first": tenths[-1] / tenths[0],
    }
