# SPDX-License-Identifier: MIT
import time

from bench import Holding, descriptor_limit
from goal import Goal
from rows._servers import everybody as subjects

NAME = "stalled"
ABOUT = "19,000 connections whose requests are never answered: the server's memory"
FIGURES = {"kib_each": ("KiB of process memory each", 2), "lost": ("lost", 0)}
GOALS = [
    Goal("connections lost", "lost", at_most=0, every=True),
    Goal("process memory each, KiB", "kib_each", at_most=2),
]


def measure(bench, subject, process):
    clients = min(19_000, descriptor_limit() - 1_000)
    before = process.memory_kib()
    with Holding("--port", process.port, "--path", "/stall", "--clients", clients) as holding:
        settle(process)
        memory = process.memory_kib() - before
    return {"kib_each": memory / max(1, holding.open), "lost": holding.result["lost"]}


def settle(process):
    """Until the server has read what it was sent: its memory no longer grows."""
    last = -1
    while process.memory_kib() != last:
        last = process.memory_kib()
        time.sleep(0.5)
